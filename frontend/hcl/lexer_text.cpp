// The inside of quotes, heredocs and template files: literal text up to the next template sequence.
#include <array>
#include <string_view>

#include "frontend/hcl/char_class.h"
#include "frontend/hcl/lexer.h"

namespace pravo::hcl {

namespace {

// Bytes at which a run of literal text may end.
constexpr std::array<bool, 256> make_stops(std::string_view bytes) {
  std::array<bool, 256> table{};
  table[0] = true;
  for (char c : bytes) table[static_cast<unsigned char>(c)] = true;
  return table;
}
constexpr auto kQuoteStops = make_stops("\"\\$%\n");
constexpr auto kHeredocStops = make_stops("$%\n");
constexpr auto kTemplateStops = make_stops("$%");

bool stops(const std::array<bool, 256>& table, char c) { return table[static_cast<unsigned char>(c)]; }

}  // namespace

size_t escape_length(const char* p) {
  switch (p[1]) {
    case 'n':
    case 'r':
    case 't':
    case '"':
    case '\\':
      return 2;
    case 'u':
    case 'U': {
      size_t digits = p[1] == 'u' ? 4 : 8;
      uint32_t value = 0;
      for (size_t i = 0; i < digits; ++i) {
        char c = p[2 + i];
        if (!is_hex_digit(c)) return 0;
        value = value << 4 | static_cast<uint32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
      }
      bool scalar = value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
      return scalar ? 2 + digits : 0;
    }
    default:
      return 0;
  }
}

bool Lexer::emit_text(const char* begin, const char* end) {
  if (begin == end) return true;
  if (check_utf8_ && !fault_utf8(begin, end)) return false;
  emit(TokenKind::String, begin, end);
  return true;
}

Lexer::Step Lexer::scan_quote() {
  const char* p = p_;
  const char* begin = p;
  for (;;) {
    while (!stops(kQuoteStops, *p)) ++p;
    switch (*p) {
      case '"':
        if (!emit_text(begin, p)) return Step::Fault;
        emit(TokenKind::QuoteClose, p, p + 1);
        pop();
        p_ = p + 1;
        return Step::Continue;
      case '\\':
        if (size_t length = escape_length(p))
          p += length;
        else if (!fault_escape(p))
          return Step::Fault;
        continue;
      case '$':
      case '%':
        if (p[1] == '{') {
          if (!emit_text(begin, p) || !open_sequence(p)) return Step::Fault;
          p_ = p;
          return Step::Continue;
        }
        p += p[1] == *p && p[2] == '{' ? 3 : 1;
        continue;
      case '\0':
        if (p < end_) {
          ++p;
          continue;
        }
        [[fallthrough]];
      default:  // newline, or the end of the text
        if (errors_ != nullptr && p < end_ && spans_lines(p)) {
          if (!fault_string(p)) return Step::Fault;
          continue;
        }
        if (!emit_text(begin, p) || !fault_string(p)) return Step::Fault;
        p_ = p;
        return Step::Continue;
    }
  }
}

// The end of the marker when the line that starts at `line` holds it alone, else null. At the end of the text there
// is no line.
const char* Lexer::heredoc_close(const char* line, std::string_view marker) const {
  auto space = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; };
  const char* p = line;
  while (space(*p)) ++p;
  if (static_cast<size_t>(end_ - p) < marker.size() || std::string_view(p, marker.size()) != marker) return nullptr;
  const char* end = p + marker.size();
  p = end;
  while (space(*p)) ++p;
  return *p == '\n' ? end : nullptr;
}

Lexer::Step Lexer::scan_heredoc() {
  const char* p = p_;
  const char* begin = p;
  const std::string_view marker = frames_.back().marker;
  for (;;) {
    if (line_start_) {
      line_start_ = false;
      if (p == frames_.back().forced_end) {
        if (!emit_text(begin, p)) return Step::Fault;
        p_ = p;
        return fault_heredoc_end(p_) ? Step::Continue : Step::Fault;
      }
      if (const char* close = heredoc_close(p, marker)) {
        if (!emit_text(begin, p)) return Step::Fault;
        emit(TokenKind::HeredocClose, close - marker.size(), close);
        pop();
        p_ = line_end(close, end_);
        return Step::Continue;
      }
    }
    while (!stops(kHeredocStops, *p)) ++p;
    switch (*p) {
      case '\n':
        ++p;
        line_start_ = true;
        continue;
      case '$':
      case '%':
        if (p[1] == '{') {
          if (!emit_text(begin, p) || !open_sequence(p)) return Step::Fault;
          p_ = p;
          return Step::Continue;
        }
        p += p[1] == *p && p[2] == '{' ? 3 : 1;
        continue;
      default:  // NUL
        if (p < end_) {
          ++p;
          continue;
        }
        if (!emit_text(begin, p)) return Step::Fault;
        p_ = p;
        return fault_heredoc_end(p_) ? Step::Continue : Step::Fault;
    }
  }
}

Lexer::Step Lexer::scan_template() {
  const char* p = p_;
  const char* begin = p;
  for (;;) {
    while (!stops(kTemplateStops, *p)) ++p;
    if (*p == '\0') {
      if (p < end_) {
        ++p;
        continue;
      }
      if (!emit_text(begin, p)) return Step::Fault;
      p_ = p;
      return Step::End;
    }
    if (p[1] == '{') {
      if (!emit_text(begin, p) || !open_sequence(p)) return Step::Fault;
      p_ = p;
      return Step::Continue;
    }
    p += p[1] == *p && p[2] == '{' ? 3 : 1;
  }
}

// At `<<`. The marker must end its line, without even a space behind it.
bool Lexer::scan_heredoc_marker(const char*& p) {
  const char* begin = p;
  const char* name = p + 2;
  if (*name == '-') ++name;
  const char* q = name;
  if (char_class(*q) == CharClass::Letter)
    q = scan_identifier(q + 1);
  else if (size_t length = unicode_identifier_start(q, end_))
    q = scan_identifier(q + length);
  const char* after = q;
  if (*after == '\r') ++after;
  if (q == name || *after != '\n') return fault_heredoc_marker(p);
  if (!push(p, FrameKind::Heredoc, ForState::None, std::string_view(name, static_cast<size_t>(q - name))))
    return fault_depth(p);
  emit(TokenKind::HeredocOpen, begin, after + 1);
  prepare_heredoc(begin, after + 1);
  line_start_ = true;
  p = after + 1;
  return true;
}

// At `${` or `%{`. The keyword of a directive is part of its token.
bool Lexer::open_sequence(const char*& p) {
  const char* begin = p;
  bool directive = *p == '%';
  const char* q = p + 2;
  if (*q == '~') ++q;
  if (!directive) {
    if (!push(p, FrameKind::Sequence)) return fault_depth(p);
    emit(TokenKind::Interpolation, begin, q);
    p = q;
    return true;
  }
  for (;;) {
    while (char_class(*q) == CharClass::Space || *q == '\n' || *q == '\r') ++q;
    if (*q == '#' || (*q == '/' && q[1] == '/')) {
      q = line_end(q, end_);
    } else if (*q == '/' && q[1] == '*' && text_.find("*/", offset(q) + 2) != std::string_view::npos) {
      q = text_.data() + text_.find("*/", offset(q) + 2) + 2;
    } else {
      break;
    }
  }
  const char* word = q;
  if (char_class(*q) == CharClass::Letter) q = scan_identifier(q + 1);
  struct Keyword {
    std::string_view text;
    TokenKind kind;
  };
  static constexpr Keyword kKeywords[] = {{"if", TokenKind::ControlIf},
                                          {"else", TokenKind::ControlElse},
                                          {"endif", TokenKind::ControlEndif},
                                          {"for", TokenKind::ControlFor},
                                          {"endfor", TokenKind::ControlEndfor}};
  for (const Keyword& keyword : kKeywords) {
    if (std::string_view(word, static_cast<size_t>(q - word)) != keyword.text) continue;
    if (!push(p, FrameKind::Sequence, keyword.kind == TokenKind::ControlFor ? ForState::Names : ForState::None))
      return fault_depth(p);
    emit(keyword.kind, begin, q);
    p = q;
    return true;
  }
  p = q;
  return fault_directive(p, begin);
}

}  // namespace pravo::hcl
