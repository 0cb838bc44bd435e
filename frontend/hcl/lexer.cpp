#include "frontend/hcl/lexer.h"

#include <algorithm>

#include "frontend/hcl/char_class.h"
#include "frontend/hcl/syntax_errors.h"
#include "ir/check.h"

namespace pravo::hcl {

namespace {

// Enough that a change of hands between lexer and parser costs nothing, and few enough for the cache.
constexpr size_t kWindow = 4096;

}  // namespace

void Lexer::set_text(std::string_view text, TextKind kind, TokenList& out, SyntaxErrors* errors) {
  text_ = text;
  text_kind_ = kind;
  end_ = text.data() + text.size();
  PRAVOC_CHECK(*end_ == '\0');
  out_ = &out;
  errors_ = errors;
  check_utf8_ = find_invalid_utf8(text) != std::string_view::npos;
  repair_braces_ = false;
}

void Lexer::restart() {
  out_->clear();
  inserted_.clear();
  frames_.clear();
  mute_end_ = false;
  bare_returns_ = false;
  line_ = 0;
  line_seen_ = 0;
  p_ = text_.data();
  if (text_.starts_with("\xEF\xBB\xBF")) p_ += 3;
  line_start_ = false;
  switch (text_kind_) {
    case TextKind::Body:
      frames_.push_back({FrameKind::Block});
      break;
    case TextKind::Expression:
      frames_.push_back({FrameKind::Parenthesis});
      break;
    case TextKind::Template:
      frames_.push_back({FrameKind::Template});
      break;
  }
  update_newlines();
}

void Lexer::start(std::string_view text, TextKind kind, TokenList& out) {
  set_text(text, kind, out, nullptr);
  limit_ = kWindow;
  restart();
}

bool Lexer::next_window() {
  out_->slide();
  Step step = scan();
  return step == Step::Pause || (step == Step::End && finish());
}

void Lexer::run(std::string_view text, TextKind kind, TokenList& out, SyntaxErrors& errors) {
  set_text(text, kind, out, &errors);
  limit_ = SIZE_MAX;
  do {
    errors.restart();
    restart();
    scan();
    // If a brace is open at the end: once more, now looking for the place where it is missing.
  } while (!finish());
}

Lexer::Step Lexer::scan() {
  Step step = Step::Continue;
  while (step == Step::Continue) {
    switch (frames_.back().kind) {
      case FrameKind::Quote:
        step = scan_quote();
        break;
      case FrameKind::Heredoc:
        step = scan_heredoc();
        break;
      case FrameKind::Template:
        step = scan_template();
        break;
      case FrameKind::Block:
      case FrameKind::Object:
      case FrameKind::Parenthesis:
      case FrameKind::Bracket:
      case FrameKind::Index:
      case FrameKind::Sequence:
        step = scan_code();
        break;
    }
  }
  return step;
}

bool Lexer::finish() {
  if (!is_root() && !fault_end()) return false;
  if (text_kind_ == TextKind::Body && !out_->empty() && last() != TokenKind::Newline)
    emit(TokenKind::Newline, end_, end_);
  emit(TokenKind::EndOfFile, end_, end_);
  return true;
}

void Lexer::update_newlines() {
  const Frame& top = frames_.back();
  newlines_ = (top.kind == FrameKind::Block || top.kind == FrameKind::Object) && top.for_state == ForState::None;
}

bool Lexer::push(const char* at, FrameKind kind, ForState for_state, std::string_view marker) {
  if (frames_.size() > kMaxBracketDepth) return false;
  frames_.push_back({kind, for_state, static_cast<uint32_t>(out_->size()), marker});
  if (errors_ != nullptr) frames_.back().indentation = indentation_at(offset(at));
  update_newlines();
  return true;
}

void Lexer::pop() {
  frames_.pop_back();
  update_newlines();
}

// Whether the token read last ends an operand. The `*` of `a.*` does, that of `a * b` does not.
bool Lexer::after_operand() const {
  return ends_operand(last()) || (last() == TokenKind::Star && out_->last_but(1) == TokenKind::Dot);
}

TokenKind Lexer::identifier_kind(const char* begin, const char* end) {
  Frame& top = frames_.back();
  std::string_view word(begin, static_cast<size_t>(end - begin));
  if (word == "for") {
    if ((top.kind == FrameKind::Bracket && last() == TokenKind::LeftBracket) ||
        (top.kind == FrameKind::Object && last() == TokenKind::LeftBrace)) {
      top.for_state = ForState::Names;
      update_newlines();
      return TokenKind::For;
    }
  } else if (word == "in") {
    if (top.for_state == ForState::Names && last() == TokenKind::Ident) {
      top.for_state = ForState::Rest;
      return TokenKind::In;
    }
  } else if (word == "if") {
    if (top.for_state == ForState::Rest && top.kind != FrameKind::Sequence &&
        (after_operand() || last() == TokenKind::Ellipsis) && last() != TokenKind::Dot)
      return TokenKind::If;
  }
  return TokenKind::Ident;
}

const char* Lexer::scan_identifier(const char* p) const {
  for (;;) {
    while (is_identifier_byte(*p)) ++p;
    if (char_class(*p) != CharClass::NonAscii) return p;
    size_t length = unicode_identifier_part(p, end_);
    if (length == 0) return p;
    p += length;
  }
}

const char* Lexer::scan_number(const char* p) const {
  auto digits = [](const char* q) {
    while (char_class(*q) == CharClass::Digit) ++q;
    return q;
  };
  p = digits(p);
  // After a dot the digits are a legacy index, and `0.1` two of them.
  if (last() != TokenKind::Dot && *p == '.' && char_class(p[1]) == CharClass::Digit) p = digits(p + 1);
  if (*p == 'e' || *p == 'E') {
    const char* q = p + 1;
    if (*q == '+' || *q == '-') ++q;
    if (char_class(*q) == CharClass::Digit) p = digits(q);
  }
  return p;
}

Lexer::Step Lexer::scan_code() {
  const char* p = p_;
  // Leaves for the scanner of another frame.
  auto leave = [&] {
    p_ = p;
    return Step::Continue;
  };
  for (;;) {
    if (out_->size() >= limit_) [[unlikely]] {
      p_ = p;
      return Step::Pause;
    }
    while (char_class(*p) == CharClass::Space) ++p;
    const char* begin = p;
    switch (char_class(*p)) {
      case CharClass::Letter: {
        p = scan_identifier(p + 1);
        // Only `for`, `if` and `in` can be keywords.
        bool maybe = p - begin <= 3 && (*begin == 'f' || *begin == 'i');
        emit(maybe ? identifier_kind(begin, p) : TokenKind::Ident, begin, p);
        continue;
      }
      case CharClass::Digit:
        p = scan_number(p);
        emit(TokenKind::Number, begin, p);
        continue;
      case CharClass::NonAscii:
        if (size_t length = unicode_identifier_start(p, end_)) {
          p = scan_identifier(p + length);
          emit(TokenKind::Ident, begin, p);
        } else if (!fault_character(p)) {
          return Step::Fault;
        }
        continue;
      case CharClass::Other:
        if (p == end_) {
          p_ = p;
          return Step::End;
        }
        if (!fault_character(p)) return Step::Fault;
        continue;
      case CharClass::Space:
      case CharClass::Punct:
        break;
    }

    auto one = [&](TokenKind kind) { emit(kind, begin, ++p); };
    auto two = [&](TokenKind kind) { emit(kind, begin, p += 2); };
    auto open = [&](FrameKind frame, TokenKind kind) {
      if (!push(p, frame)) return fault_depth(p);
      one(kind);
      return true;
    };
    switch (*p) {
      case '\n':
        ++p;
        if (newlines_ && last() != TokenKind::Newline && !out_->empty() &&
            !(frames_.back().kind == FrameKind::Object && last() == TokenKind::LeftBrace))
          emit(TokenKind::Newline, begin, p);
        continue;
      case '\r':
        if (p[1] == '\n')
          ++p;
        else if (!fault_character(p))
          return Step::Fault;
        continue;
      case '#':
        p = line_end(p, end_);
        continue;
      case '/':
        if (p[1] == '/') {
          p = line_end(p, end_);
        } else if (p[1] == '*') {
          size_t close = text_.find("*/", offset(p) + 2);
          if (close != std::string_view::npos)
            p = text_.data() + close + 2;
          else if (!fault_comment(p))
            return Step::Fault;
        } else {
          one(TokenKind::Slash);
        }
        continue;
      case '"':
        if (!open(FrameKind::Quote, TokenKind::QuoteOpen)) return Step::Fault;
        return leave();
      case '<':
        if (p[1] == '=') {
          two(TokenKind::LessEqual);
        } else if (p[1] == '<') {
          if (!scan_heredoc_marker(p)) return Step::Fault;
          return leave();
        } else {
          one(TokenKind::Less);
        }
        continue;
      case '>':
        p[1] == '=' ? two(TokenKind::GreaterEqual) : one(TokenKind::Greater);
        continue;
      case '=':
        if (p[1] == '=') {
          two(TokenKind::Equal);
        } else if (p[1] == '>') {
          two(TokenKind::FatArrow);
        } else if (frames_.back().kind == FrameKind::Block || frames_.back().kind == FrameKind::Object) {
          if (repair_braces_ && repair_assign(p)) return leave();
          one(TokenKind::Assign);
        } else if (!fault_assign(p)) {
          return Step::Fault;
        }
        continue;
      case '!':
        p[1] == '=' ? two(TokenKind::NotEqual) : one(TokenKind::Not);
        continue;
      case '&':
        if (p[1] == '&')
          two(TokenKind::And);
        else if (!fault_operator(p))
          return Step::Fault;
        continue;
      case '|':
        if (p[1] == '|')
          two(TokenKind::Or);
        else if (!fault_operator(p))
          return Step::Fault;
        continue;
      case ':':
        p[1] == ':' ? two(TokenKind::ColonColon) : one(TokenKind::Colon);
        continue;
      case '.':
        if (p[1] == '.' && p[2] == '.')
          emit(TokenKind::Ellipsis, begin, p += 3);
        else
          one(TokenKind::Dot);
        continue;
      case '(':
        if (!open(FrameKind::Parenthesis, TokenKind::LeftParen)) return Step::Fault;
        continue;
      case '[':
        if (!open(after_operand() ? FrameKind::Index : FrameKind::Bracket, TokenKind::LeftBracket)) return Step::Fault;
        continue;
      case '{': {
        // No expression goes on with `{` after a name or a string: there it opens a block.
        bool block = last() == TokenKind::Ident || last() == TokenKind::QuoteClose;
        if (errors_ != nullptr) {
          if (repair_header(p)) return leave();
          block = block || header_ended_with_line();
        }
        if (!open(block ? FrameKind::Block : FrameKind::Object, TokenKind::LeftBrace)) return Step::Fault;
        continue;
      }
      case ')':
      case ']':
      case '}': {
        if (is_root()) {
          if (!fault_closer(p)) return Step::Fault;
          continue;
        }
        if (repair_braces_ && repair_closer(p)) return leave();
        FrameKind top = frames_.back().kind;
        if (*p == '}' && top == FrameKind::Sequence) {
          pop();
          one(TokenKind::SequenceEnd);
          return leave();
        }
        if (*p == '}' && (top == FrameKind::Block || top == FrameKind::Object)) {
          pop();
          one(TokenKind::RightBrace);
        } else if (*p == ']' && (top == FrameKind::Bracket || top == FrameKind::Index)) {
          pop();
          one(TokenKind::RightBracket);
        } else if (*p == ')' && top == FrameKind::Parenthesis) {
          pop();
          one(TokenKind::RightParen);
        } else {
          if (!fault_closer(p)) return Step::Fault;
          return leave();
        }
        continue;
      }
      case '~':
        if (p[1] == '}' && frames_.back().kind == FrameKind::Sequence) {
          pop();
          two(TokenKind::SequenceEnd);
          return leave();
        }
        if (!fault_operator(p)) return Step::Fault;
        continue;
      case '+':
        one(TokenKind::Plus);
        continue;
      case '-':
        one(TokenKind::Minus);
        continue;
      case '*':
        one(TokenKind::Star);
        continue;
      case '%':
        one(TokenKind::Percent);
        continue;
      case '?':
        one(TokenKind::Question);
        continue;
      case ',':
        one(TokenKind::Comma);
        continue;
      default:
        PRAVOC_UNREACHABLE();
    }
  }
}

bool Lexer::is_inserted(uint32_t token) const { return std::binary_search(inserted_.begin(), inserted_.end(), token); }

}  // namespace pravo::hcl
