// Tokens of HCL native syntax, as flat arrays. The numbers are those of the generated parser (parser_fast.cpp
// asserts that they agree).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <llvm/ADT/SmallVector.h>

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

// Tokens of one text, all or a window of them; the last of the text is always EndOfFile. Two arrays, because the parser
// mostly looks at kinds. They grow together and are not cleared, since the lexer writes each of their elements once.
class TokenList {
 public:
  TokenList() { clear(); }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  size_t capacity() const { return capacity_; }

  void add(TokenKind kind, TokenSpan span) {
    if (size_ == capacity_) [[unlikely]]
      reserve(size_ * 2);
    kinds_.data()[kBefore + size_] = kind;
    spans_.data()[kBefore + size_] = span;
    ++size_;
  }
  void truncate(size_t size) { size_ = size; }
  // Leaves the last few tokens, as the first ones.
  void slide() {
    constexpr size_t kKept = 3;
    kept_ = size_ < kKept ? size_ : kKept;
    for (size_t i = 0; i < kept_; ++i) {
      kinds_[kBefore + i] = kinds_[kBefore + size_ - kept_ + i];
      spans_[kBefore + i] = spans_[kBefore + size_ - kept_ + i];
    }
    size_ = kept_;
  }
  size_t kept() const { return kept_; }
  // A kind that is no token's behind the last one, which the next add() overwrites.
  void seal() {
    if (size_ == capacity_) reserve(size_ * 2);
    kinds_[kBefore + size_] = TokenKind::None;
  }
  void clear() {
    reserve(16);
    size_ = 0;
  }
  void reserve(size_t capacity) {
    if (capacity <= capacity_) return;
    kinds_.resize_for_overwrite(kBefore + capacity);
    spans_.resize_for_overwrite(kBefore + capacity);
    if (capacity_ == 0) {
      for (size_t i = 0; i < kBefore; ++i) kinds_[i] = TokenKind::None;
      for (size_t i = 0; i < kBefore; ++i) spans_[i] = {0, 0};
    }
    capacity_ = capacity;
  }

  // Contiguous; valid until a token is added.
  TokenKind* kinds() { return kinds_.data() + kBefore; }
  const TokenKind* kinds() const { return kinds_.data() + kBefore; }
  const TokenSpan* spans() const { return spans_.data() + kBefore; }
  TokenKind kind(size_t token) const { return kinds()[token]; }
  TokenSpan span(size_t token) const { return spans()[token]; }

  // The token that many before the last one; None where there is none, up to the second.
  TokenKind last_but(size_t n) const { return kinds_.data()[kBefore - 1 + size_ - n]; }

 private:
  static constexpr size_t kBefore = 2;  // empty ones of kind None, so that looking back needs no check

  llvm::SmallVector<TokenKind, 0> kinds_;
  llvm::SmallVector<TokenSpan, 0> spans_;
  size_t size_ = 0;
  size_t capacity_ = 0;
  size_t kept_ = 0;
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
