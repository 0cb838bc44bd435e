// Tokens of HCL native syntax, as flat arrays. The numbers are those of the generated parser (parser_fast.cpp
// asserts that they agree).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace pravo::hcl {

// X(name in grammar/Hcl.g4, kind, how a message names it)
#define PRAVO_HCL_TOKENS(X)                                \
  X(NEWLINE, Newline, "the end of the line")               \
  X(IDENT, Ident, "a name")                                \
  X(NUMBER, Number, "a number")                            \
  X(FOR, For, "`for`")                                     \
  X(IN, In, "`in`")                                        \
  X(IF, If, "`if`")                                        \
  X(ASSIGN, Assign, "`=`")                                 \
  X(COLON, Colon, "`:`")                                   \
  X(COLONCOLON, ColonColon, "`::`")                        \
  X(COMMA, Comma, "`,`")                                   \
  X(DOT, Dot, "`.`")                                       \
  X(ELLIPSIS, Ellipsis, "`...`")                           \
  X(FATARROW, FatArrow, "`=>`")                            \
  X(QUESTION, Question, "`?`")                             \
  X(LPAREN, LeftParen, "`(`")                              \
  X(RPAREN, RightParen, "`)`")                             \
  X(LBRACK, LeftBracket, "`[`")                            \
  X(RBRACK, RightBracket, "`]`")                           \
  X(LBRACE, LeftBrace, "`{`")                              \
  X(RBRACE, RightBrace, "`}`")                             \
  X(NOT, Not, "`!`")                                       \
  X(OR, Or, "`||`")                                        \
  X(AND, And, "`&&`")                                      \
  X(EQ, Equal, "`==`")                                     \
  X(NE, NotEqual, "`!=`")                                  \
  X(LT, Less, "`<`")                                       \
  X(GT, Greater, "`>`")                                    \
  X(LE, LessEqual, "`<=`")                                 \
  X(GE, GreaterEqual, "`>=`")                              \
  X(PLUS, Plus, "`+`")                                     \
  X(MINUS, Minus, "`-`")                                   \
  X(STAR, Star, "`*`")                                     \
  X(SLASH, Slash, "`/`")                                   \
  X(PERCENT, Percent, "`%`")                               \
  X(QUOTE_OPEN, QuoteOpen, "a string")                     \
  X(QUOTE_CLOSE, QuoteClose, "the end of the string")      \
  X(HEREDOC_OPEN, HeredocOpen, "a heredoc")                \
  X(HEREDOC_CLOSE, HeredocClose, "the end of the heredoc") \
  X(STRING, String, "literal text")                        \
  X(INTERPOLATION, Interpolation, "`${`")                  \
  X(CONTROL_IF, ControlIf, "`%{ if`")                      \
  X(CONTROL_ELSE, ControlElse, "`%{ else }`")              \
  X(CONTROL_ENDIF, ControlEndif, "`%{ endif }`")           \
  X(CONTROL_FOR, ControlFor, "`%{ for`")                   \
  X(CONTROL_ENDFOR, ControlEndfor, "`%{ endfor }`")        \
  X(SEQUENCE_END, SequenceEnd, "the `}` of the template sequence")

enum class TokenKind : int8_t {
  EndOfFile = -1,
  None = 0,
#define PRAVO_HCL_TOKEN(grammar, kind, text) kind,
  PRAVO_HCL_TOKENS(PRAVO_HCL_TOKEN)
#undef PRAVO_HCL_TOKEN
};

// The half-open byte range of a token.
struct TokenSpan {
  uint32_t begin;
  uint32_t end;
};

// The tokens of one text; the last is always EndOfFile. Two arrays, because the parser mostly looks at kinds.
struct TokenList {
  std::vector<TokenKind> kinds;
  std::vector<TokenSpan> spans;

  size_t size() const { return kinds.size(); }
  void clear() {
    kinds.clear();
    spans.clear();
  }
};

// Whether an operand ends with this token, so that what follows continues the expression or ends it.
constexpr bool ends_operand(TokenKind kind) {
  switch (kind) {
    case TokenKind::Ident:
    case TokenKind::Number:
    case TokenKind::RightParen:
    case TokenKind::RightBracket:
    case TokenKind::RightBrace:
    case TokenKind::QuoteClose:
    case TokenKind::HeredocClose:
      return true;
    default:
      return false;
  }
}

}  // namespace pravo::hcl
