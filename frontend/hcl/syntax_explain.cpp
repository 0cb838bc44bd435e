#include "frontend/hcl/syntax_explain.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "frontend/hcl/char_class.h"
#include "frontend/hcl/syntax_errors.h"
#include "ir/check.h"
#include "ir/diagnostics/syntax.h"

namespace pravo::hcl {

namespace {

std::string_view kind_text(TokenKind kind) {
  switch (kind) {
    case TokenKind::EndOfFile:
      return "the end of the file";
    case TokenKind::None:
      return "something else";
#define PRAVO_HCL_TOKEN(grammar, kind, text) \
  case TokenKind::kind:                      \
    return text;
      PRAVO_HCL_TOKENS(PRAVO_HCL_TOKEN)
#undef PRAVO_HCL_TOKEN
  }
  PRAVOC_UNREACHABLE();
}

bool starts_expression(TokenKind kind) {
  switch (kind) {
    case TokenKind::Ident:
    case TokenKind::Number:
    case TokenKind::QuoteOpen:
    case TokenKind::HeredocOpen:
    case TokenKind::LeftParen:
    case TokenKind::LeftBracket:
    case TokenKind::LeftBrace:
    case TokenKind::Not:
    case TokenKind::Minus:
      return true;
    default:
      return false;
  }
}

// What stands between operands.
bool continues_expression(TokenKind kind) {
  return kind == TokenKind::Question || kind == TokenKind::Colon || kind == TokenKind::Dot ||
         (kind >= TokenKind::Or && kind <= TokenKind::Percent);
}

bool is_identifier(std::string_view text) {
  return !text.empty() && char_class(text[0]) == CharClass::Letter &&
         std::all_of(text.begin(), text.end(), is_identifier_byte);
}

class Explainer {
 public:
  Explainer(const FaultSite& site, SyntaxErrors& errors) : s_(site), errors_(errors) {}

  void run() {
    switch (s_.construct) {
      case Construct::File:
      case Construct::Body:
        return item_start();
      case Construct::Item:
        return after_name();
      case Construct::ItemEnd:
        return item_end();
      case Construct::Label:
        return label();
      case Construct::Expression:
        return expression();
      case Construct::Conditional:
        return conditional();
      case Construct::Call:
        return call();
      case Construct::Parentheses:
        return parentheses();
      case Construct::Postfix:
        return postfix();
      case Construct::Tuple:
        return tuple();
      case Construct::Object:
        return object();
      case Construct::ObjectItem:
        return object_item();
      case Construct::ForTuple:
      case Construct::ForObject:
      case Construct::ForNames:
      case Construct::ForCollection:
        return for_expression();
      case Construct::Quoted:
      case Construct::Heredoc:
      case Construct::TemplateFile:
      case Construct::Directive:
        return directive();
      case Construct::Sequence:
        return sequence();
      case Construct::LoneExpression:
        return lone_expression();
    }
  }

 private:
  // --- words

  std::string found() const { return describe(s_.at); }
  std::string describe(size_t token) const {
    TokenKind kind = s_.kind(token);
    std::string_view text = s_.text_of(token);
    if (kind == TokenKind::Ident || (kind == TokenKind::Number && text.size() < 40))
      return errors_.quoted(text, kind_text(kind));
    return std::string(kind_text(kind));
  }
  std::string name_of(size_t token) const { return errors_.quoted(s_.text_of(token), "the name"); }
  std::string start_name() const { return name_of(s_.start); }

  uint32_t begin(size_t token) const { return s_.spans[token].begin; }
  uint32_t end(size_t token) const { return s_.spans[token].end; }
  SourceRange range(size_t token) const { return errors_.range(begin(token), end(token)); }

  template <class Row, class... Args>
  Diagnostics::Builder at_fault(Row row, const Args&... args) {
    return errors_.emit(begin(s_.at), end(s_.at), row, args...);
  }
  Diagnostics::Builder unexpected(std::string_view wanted) { return at_fault(diag::UnexpectedToken, wanted, found()); }
  template <class Builder>
  void note_start(Builder report, std::string_view what) {
    report.note(range(s_.start), std::string(what));
  }

  // The token behind the string that starts at `token`.
  size_t behind_string(size_t token) const {
    size_t depth = 0;
    for (;; ++token) {
      if (s_.kind(token) == TokenKind::QuoteOpen) ++depth;
      if (s_.kind(token) == TokenKind::QuoteClose && --depth == 0) return token + 1;
      if (s_.kind(token) == TokenKind::EndOfFile) return token;
    }
  }
  // The name of the block whose body starts at `brace`, or of the argument before `= {`.
  size_t header_of(size_t brace) const {
    size_t i = brace;
    while (i > 0 && s_.kind(i - 1) != TokenKind::Newline && s_.kind(i - 1) != TokenKind::LeftBrace) --i;
    return i;
  }
  // For a body that is written like an object: `tags { a = 1, b = 2 }`.
  template <class Builder>
  void suggest_object(Builder report, size_t brace) {
    size_t header = header_of(brace);
    if (header + 1 != brace || s_.kind(header) != TokenKind::Ident) return;
    // At the margin there are blocks only.
    if (begin(header) == 0 || s_.text[begin(header) - 1] == '\n') return;
    report.note(range(header), fmt::format("an object is given with `=`: {} = {{ ... }}", s_.text_of(header)));
  }

  // Operators that other languages write as words.
  template <class Builder>
  void hint_at_words(Builder report) {
    auto is = [&](size_t token, std::string_view word) {
      return s_.kind(token) == TokenKind::Ident && s_.text_of(token) == word;
    };
    if (is(s_.at, "and")) report.help("logical and is `&&`");
    if (is(s_.at, "or")) report.help("logical or is `||`");
    if (s_.at == 0) return;
    if (is(s_.at - 1, "not")) report.help("logical not is `!`");
    if (is(s_.at - 1, "if")) report.help("a conditional is `condition ? yes : no`");
    if (is(s_.at - 1, "for")) report.help("a `for` stands in brackets: `[for x in y : z]`, or in braces for an object");
    if (is(s_.at, "if")) report.help("a conditional is `condition ? yes : no`");
  }

  // --- structure

  void item_start() {
    if (s_.found() == TokenKind::QuoteOpen) {
      size_t behind = behind_string(s_.at);
      if (s_.kind(behind) == TokenKind::Assign || s_.kind(behind) == TokenKind::Colon) {
        auto report = errors_.emit(begin(s_.at), end(behind - 1), diag::QuotedArgumentName);
        std::string_view name = behind == s_.at + 3 ? s_.text_of(s_.at + 1) : std::string_view();
        if (is_identifier(name) && s_.kind(behind) == TokenKind::Assign)
          report.fix(errors_.range(begin(s_.at), end(behind - 1)), std::string(name), "remove the quotes");
        if (s_.construct == Construct::Body) suggest_object(report, s_.start);
        return;
      }
    }
    auto report = at_fault(diag::ExpectedItem, found());
    if (s_.at == 0 && s_.found() == TokenKind::LeftBrace)
      report.help("a configuration in JSON goes into a file that ends in `.tf.json`");
    else if (continues_expression(s_.found()))
      report.help("an expression goes on in the next line only inside of brackets");
  }

  void after_name() {
    std::string name = start_name();
    switch (s_.found()) {
      case TokenKind::Newline:
      case TokenKind::RightBrace:
      case TokenKind::EndOfFile:
        errors_.emit(begin(s_.start), end(s_.start), diag::IncompleteItem, name);
        return;
      case TokenKind::Colon:
      case TokenKind::FatArrow:
      case TokenKind::Equal: {
        // `:=` is two tokens.
        size_t last = s_.kind(s_.at + 1) == TokenKind::Assign && begin(s_.at + 1) == end(s_.at) ? s_.at + 1 : s_.at;
        std::string_view sign = s_.text.substr(begin(s_.at), end(last) - begin(s_.at));
        errors_.emit(begin(s_.at), end(last), diag::WrongAssignmentSign, sign)
            .fix(errors_.range(begin(s_.at), end(last)), "=", "write `=`");
        return;
      }
      case TokenKind::Dot: {
        size_t last = s_.at;
        while (s_.kind(last) == TokenKind::Dot && s_.kind(last + 1) == TokenKind::Ident) last += 2;
        if (last > s_.at) --last;
        auto report = errors_.emit(begin(s_.start), end(last), diag::DottedArgumentName);
        if (s_.kind(last + 1) == TokenKind::LeftBrace)
          report.help("the parts of a block header are separated by spaces, and labels are quoted");
        return;
      }
      default:
        unexpected(fmt::format("`=` or `{{` after {}", name));
        return;
    }
  }

  void label() {
    std::string name = start_name();
    switch (s_.found()) {
      case TokenKind::Assign:
        at_fault(diag::BlockHeader, "`=` in the header of a block")
            .help("a block is `name \"label\" { ... }`; an argument has one name, without labels");
        return;
      case TokenKind::Newline:
        if (s_.kind(s_.at + 1) == TokenKind::LeftBrace) {
          errors_.emit(begin(s_.at + 1), end(s_.at + 1), diag::BlockHeader, "`{` on a line of its own")
              .help("the `{` of a block stands on the line of its header")
              .note(range(s_.start), "the header starts here");
          return;
        }
        errors_.emit(begin(s_.start), end(s_.at - 1), diag::BlockHeader, fmt::format("no `{{` after {}", name))
            .help("a block is `name \"label\" { ... }`, an argument `name = value`");
        return;
      case TokenKind::Interpolation:
        errors_.emit(begin(s_.at), begin(s_.at) + 2, diag::TemplateInLabel);
        return;
      case TokenKind::ControlIf:
      case TokenKind::ControlElse:
      case TokenKind::ControlEndif:
      case TokenKind::ControlFor:
      case TokenKind::ControlEndfor:
        errors_.emit(begin(s_.at), begin(s_.at) + 2, diag::TemplateInLabel);
        return;
      default:
        at_fault(diag::BlockHeader, fmt::format("{} in the header of a block", found()))
            .help("labels that are not plain names are quoted");
        return;
    }
  }

  void item_end() {
    bool block = s_.previous() == TokenKind::RightBrace && is_block_end(s_.at - 1);
    std::string_view what = block ? "block" : "argument";
    if (s_.found() == TokenKind::Comma) {
      auto report = at_fault(diag::MissingNewline, what, "`,`");
      report.help("arguments are separated by newlines, not by commas");
      if (size_t brace = enclosing_brace(); brace != s_.at) suggest_object(report, brace);
      return;
    }
    auto report = at_fault(diag::MissingNewline, what, found());
    if (s_.found() == TokenKind::RightBrace)
      report.help(fmt::format("put the `}}` on a line of its own, behind the {}", what));
    else if (s_.found() == TokenKind::Ident && s_.previous() == TokenKind::Number && end(s_.at - 1) == begin(s_.at))
      report.help("numbers are decimal, without underscores; text goes in double quotes");
    else if (s_.found() == TokenKind::Ident && s_.previous() == TokenKind::QuoteClose && end(s_.at - 1) == begin(s_.at))
      report.help("a double quote inside of a string is written `\\\"`");
    else if (s_.found() == TokenKind::Ident && s_.kind(s_.at + 1) == TokenKind::Assign)
      report.help("each argument has a line of its own");
    else if (s_.found() == TokenKind::Colon || s_.found() == TokenKind::Assign)
      report.help("an object, with keys and values, is written in braces");
    else
      hint_at_words(report);
  }

  // Whether this `}` closes the body of a block rather than an object.
  bool is_block_end(size_t brace) const {
    size_t depth = 0;
    for (size_t i = brace + 1; i-- > 0;) {
      if (s_.kind(i) == TokenKind::RightBrace) ++depth;
      if (s_.kind(i) == TokenKind::LeftBrace && --depth == 0)
        return i > 0 && (s_.kind(i - 1) == TokenKind::Ident || s_.kind(i - 1) == TokenKind::QuoteClose);
    }
    return false;
  }
  // The `{` that is open around the fault, when it is near; else the fault itself.
  size_t enclosing_brace() const {
    constexpr size_t kNear = 200;
    size_t depth = 0;
    for (size_t i = s_.at, steps = 0; i-- > 0 && steps < kNear; ++steps) {
      if (s_.kind(i) == TokenKind::RightBrace) ++depth;
      if (s_.kind(i) == TokenKind::LeftBrace && depth-- == 0) return i;
    }
    return s_.at;
  }

  // --- expressions

  void expression() {
    auto report = at_fault(diag::ExpectedExpression, found());
    if (s_.found() == TokenKind::Newline && s_.previous() != TokenKind::Comma && s_.at > 0)
      report.help(fmt::format("the expression after {} must start on the same line, or the whole be in parentheses",
                              describe(s_.at - 1)));
    else if (s_.found() == TokenKind::Dot && s_.kind(s_.at + 1) == TokenKind::Number)
      report.help("a number starts with a digit, as in `0.5`");
    else if (s_.found() == TokenKind::Star && s_.previous() == TokenKind::Star)
      report.help("`pow(x, y)` raises to a power");
    else if (s_.found() == TokenKind::Question && s_.previous() == TokenKind::Question)
      report.help(
          "`coalesce(a, b)` takes the first that is neither null nor empty, `a != null ? a : b` the first if it is not "
          "null");
    else if ((s_.found() == TokenKind::Plus || s_.found() == TokenKind::Minus) && s_.previous() == s_.found())
      report.help("values never change, so there is no operator that adds to one");
    else if (s_.found() == TokenKind::Equal || s_.found() == TokenKind::Assign)
      report.help("`==` compares, `=` sets an argument");
  }

  void conditional() { note_start(at_fault(diag::MissingElse, found()), "the condition starts here"); }

  void call() {
    if (s_.wanted == TokenKind::LeftParen) {
      errors_.emit(begin(s_.start), end(s_.at - 1), diag::UncalledFunction);
      return;
    }
    if (s_.wanted == TokenKind::Ident) {
      unexpected("a name after `::`");
      return;
    }
    if (s_.previous() == TokenKind::Ellipsis) {
      at_fault(diag::ExpansionNotLast, found()).note(range(s_.start), "the call starts here");
      return;
    }
    if (s_.previous() == TokenKind::LeftParen) {
      at_fault(diag::ExpectedExpression, found());
      return;
    }
    auto report = missing_separator("`,` or `)`", "arguments");
    if (s_.found() == TokenKind::Assign || s_.found() == TokenKind::Colon)
      report.help("arguments have no names; they go by their order");
    report.note(range(s_.start), "the call starts here");
  }

  void parentheses() {
    auto report = unexpected("an operator or `)`");
    hint_at_words(report);
    if (s_.found() == TokenKind::Comma) report.help("a list is written in brackets: `[a, b]`");
    report.note(range(s_.start), "opened here");
  }

  void postfix() {
    if (s_.previous() == TokenKind::Dot) {
      auto report = at_fault(diag::ExpectedAttributeName, found());
      if (s_.found() == TokenKind::QuoteOpen) report.help("a name in quotes is an index: `a[\"name\"]`");
      if (s_.found() == TokenKind::LeftBracket) report.help("an index follows without a dot: `a[0]`");
      return;
    }
    if (s_.wanted == TokenKind::RightBracket) {
      unexpected("`]` after the index").note(range(s_.start), "the index starts here");
      return;
    }
    at_fault(diag::ExpectedExpression, found()).help("an index is `[0]`, `[\"name\"]` or `[*]`");
  }

  Diagnostics::Builder missing_separator(std::string_view wanted, std::string_view between) {
    auto report = at_fault(diag::MissingSeparator, wanted, between, found());
    if (starts_expression(s_.found()) && ends_operand(s_.previous())) {
      SourceRange gap = errors_.range(end(s_.at - 1), end(s_.at - 1));
      report.fix(gap, ",", "insert `,`");
    }
    return report;
  }

  void tuple() {
    if (s_.previous() == TokenKind::LeftBracket) {
      at_fault(diag::ExpectedExpression, found());
      return;
    }
    auto report = missing_separator("`,` or `]`", "elements of a list");
    if (s_.found() == TokenKind::Assign || s_.found() == TokenKind::Colon || s_.found() == TokenKind::FatArrow)
      report.help("elements of a list have no keys; with keys it is an object, in braces");
    report.note(range(s_.start), "the list starts here");
  }

  void object() {
    if (s_.previous() == TokenKind::LeftBrace || s_.previous() == TokenKind::Comma ||
        s_.previous() == TokenKind::Newline) {
      if (s_.found() == TokenKind::Comma) {
        at_fault(diag::EmptyElement);
        return;
      }
      unexpected("a key of the object, or `}`").note(range(s_.start), "the object starts here");
      return;
    }
    missing_separator("`,`, a new line or `}`", "items of an object").note(range(s_.start), "the object starts here");
  }

  void object_item() {
    if (s_.found() == TokenKind::FatArrow) {
      at_fault(diag::WrongAssignmentSign, "=>").fix(range(s_.at), "=", "write `=`");
      return;
    }
    bool compares = false;
    for (size_t i = s_.start; i < s_.at; ++i) compares |= s_.kind(i) == TokenKind::Equal;
    auto report = at_fault(diag::MissingValue, found());
    if (compares) {
      report.help("`==` compares, `=` sets");
      return;
    }
    size_t next = s_.at;
    while (s_.kind(next) == TokenKind::QuoteOpen) next = behind_string(next);
    if (s_.kind(s_.start) == TokenKind::LeftBrace)
      report.help("an object is no key; is this `{` meant to be `}`?");
    else if (s_.kind(next) == TokenKind::LeftBrace && s_.kind(s_.start) == TokenKind::Ident)
      report.help("an object has no blocks; when blocks are meant, leave out the `=` before the `{` around them");
    else if (s_.found() == TokenKind::Comma || s_.found() == TokenKind::RightBrace || s_.found() == TokenKind::Newline)
      report.help("a list is written in brackets: `[a, b]`");
  }

  void for_expression() {
    std::string_view wanted;
    std::string_view help;
    switch (s_.construct) {
      case Construct::ForNames:
        if (s_.wanted == TokenKind::Ident) {
          wanted = "the name of a variable";
          if (s_.previous() == TokenKind::For && s_.found() != TokenKind::QuoteOpen)
            help = "as the key of an object `for` is quoted: `\"for\"`";
        } else {
          wanted = "`in`";
          if (s_.found() == TokenKind::Comma) help = "there are at most two names, for the key and the value";
        }
        break;
      case Construct::ForCollection:
        wanted = "`:` after the collection";
        break;
      case Construct::ForObject:
        if (s_.wanted == TokenKind::FatArrow) {
          wanted = "`=>` and the value";
          help = "an object is made of keys and values, `{ for k, v in m : k => v }`; a list is written in brackets";
          break;
        }
        wanted = "`if`, `...` or `}`";
        if (s_.found() == TokenKind::Ellipsis) help = "the `...` stands before the `if`";
        break;
      default:
        wanted = "`if` or `]`";
        if (s_.found() == TokenKind::FatArrow) help = "keys and values make an object, which is written in braces";
        if (s_.found() == TokenKind::Ellipsis) help = "only an object can group by key with `...`";
        break;
    }
    auto report = at_fault(diag::InvalidFor, wanted, found());
    if (!help.empty()) report.help(std::string(help));
  }

  void lone_expression() { unexpected("an operator or the end of the expression"); }

  // --- templates

  void sequence() {
    auto report = unexpected("`}` to end the template sequence");
    if (s_.kind(s_.start) == TokenKind::ControlElse && s_.found() == TokenKind::Ident && s_.text_of(s_.at) == "if")
      report.help("a further condition is an `if` inside of `else`: `%{ else }%{ if ... }...%{ endif }%{ endif }`");
    note_start(report, "it starts here");
  }

  void directive() {
    const TokenKind found_kind = s_.found();
    bool is_directive = found_kind == TokenKind::ControlElse || found_kind == TokenKind::ControlEndif ||
                        found_kind == TokenKind::ControlEndfor;
    if (s_.construct == Construct::Directive) {
      bool loop = s_.kind(s_.start) == TokenKind::ControlFor;
      std::string wanted = fmt::format("`%{{ {} }}` to end the `{}` that starts at {}", loop ? "endfor" : "endif",
                                       loop ? "for" : "if", errors_.place(begin(s_.start)));
      if (!loop && found_kind == TokenKind::ControlElse) {
        at_fault(diag::UnbalancedDirective, "a second `%{ else }`").note(range(s_.start), "the `if` starts here");
        return;
      }
      unexpected(wanted).note(range(s_.start), "it starts here");
      return;
    }
    if (is_directive)
      at_fault(diag::UnbalancedDirective, fmt::format("{} without `%{{ {} }}`", kind_text(found_kind),
                                                      found_kind == TokenKind::ControlEndfor ? "for" : "if"));
    else
      unexpected("text or a template sequence");
  }

  const FaultSite& s_;
  SyntaxErrors& errors_;
};

}  // namespace

void explain_fault(const FaultSite& site, SyntaxErrors& errors) { Explainer(site, errors).run(); }

void explain_tree_fault(TreeFault fault, const FaultSite& site, SyntaxErrors& errors) {
  TokenSpan span = site.spans[site.at];
  switch (fault) {
    case TreeFault::EmptyElement:
      errors.emit(span.begin, span.end, diag::EmptyElement).fix(errors.range(span.begin, span.end), "", "remove it");
      return;
    case TreeFault::EmptyExpansion:
      errors.emit(span.begin, span.end, diag::ExpectedExpression, "`...`")
          .help("`...` follows the argument that it expands");
      return;
    case TreeFault::OneLineBody: {
      auto report = errors.emit(span.begin, span.end, diag::OneLineBlock);
      if (site.found() == TokenKind::Comma) report.help("each argument has a line of its own, without commas");
      return;
    }
    case TreeFault::NestedSplat:
      errors.emit(span.begin, span.end, diag::NestedSplat).help("`[*]` can be nested: `a[*].b[*].c`");
      return;
    case TreeFault::LegacyIndexChain:
      errors.emit(span.begin, span.end, diag::LegacyIndexChain);
      return;
    case TreeFault::NumberWithDots:
      errors.emit(site.at < 2 ? span.begin : site.spans[site.at - 2].begin, span.end, diag::NumberWithDots);
      return;
  }
}

}  // namespace pravo::hcl
