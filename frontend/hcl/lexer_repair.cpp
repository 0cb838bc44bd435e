// What the lexer does about faults in tolerant mode: say what is wrong, and go on as if the text said what was
// probably meant. The tools for that are in lexer_recovery.cpp.
#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "frontend/hcl/char_class.h"
#include "frontend/hcl/lexer.h"
#include "frontend/hcl/syntax_errors.h"
#include "ir/diagnostics/syntax.h"

namespace pravo::hcl {

namespace {

std::string_view trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\r\v\f");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\v\f") - begin + 1);
}

// Characters that look like a space, or like nothing.
bool is_invisible(char32_t c) {
  return (c >= 0x80 && is_unicode_space(c)) || (c >= 0x200B && c <= 0x200F) || c == 0x2060 || c == 0xFEFF || c == 0xAD;
}

struct Quotes {
  std::string_view open, close;
};
constexpr Quotes kWrongQuotes[] = {{"'", "'"}, {"`", "`"}, {"“", "”"}, {"”", "”"}, {"„", "“"}, {"‘", "’"}, {"«", "»"}};

}  // namespace

bool Lexer::fault_character(const char*& p) {
  if (errors_ == nullptr) return false;
  const char* begin = p;
  std::string_view rest(p, static_cast<size_t>(end_ - p));
  for (const Quotes& quotes : kWrongQuotes) {
    if (errors_->full()) break;
    if (rest.starts_with(quotes.open) && quoted_with(p, quotes.open, quotes.close)) return true;
  }
  DecodedChar c = decode_utf8(p, end_);
  if (c.length == 0) {
    while (p < end_ && decode_utf8(p, end_).length == 0) ++p;
    errors_->emit(offset(begin), offset(p), diag::InvalidUtf8);
    errors_->cover(offset(begin), offset(p));
    return true;
  }
  p += c.length;
  auto report = [&](std::string_view shown) {
    errors_->cover(offset(begin), offset(p));
    return errors_->emit(offset(begin), offset(p), diag::InvalidCharacter, shown);
  };
  std::string_view text(begin, c.length);
  switch (c.point) {
    case '\r':
      // Lines that end with carriage returns alone: one report for the whole file.
      if (!bare_returns_) report("carriage return").help("lines end with a newline, or with both");
      bare_returns_ = true;
      errors_->cover(offset(begin), offset(p));
      if (newlines_ && last() != TokenKind::Newline && !out_->empty()) emit(TokenKind::Newline, begin, p);
      return true;
    case '\0':
      report("NUL byte");
      return true;
    case ';':
      report("`;`").help("each argument has a line of its own; elements of lists and objects are separated by `,`");
      if (newlines_ && last() != TokenKind::Newline) emit(TokenKind::Newline, begin, p);
      return true;
    case '$':
      if (*p == '{') {
        ++p;
        errors_->emit(offset(begin), offset(p), diag::SequenceOutsideString);
        errors_->cover(offset(begin), offset(p));
        if (push(p, FrameKind::Parenthesis)) emit(TokenKind::LeftParen, begin, p);
        return true;
      }
      report("`$`").help("names are written without `$`; `${ ... }` has a meaning in strings only");
      return true;
    case '^':
      report("`^`").help("there are no bitwise operators; `pow(x, y)` raises to a power");
      return true;
    default:
      break;
  }
  if (is_invisible(c.point)) {
    report(fmt::format("invisible character U+{:04X}", static_cast<uint32_t>(c.point)))
        .fix(errors_->range(offset(begin), offset(p)), " ", "replace it by a space");
    return true;
  }
  // A run of them is one fault.
  while (p < end_) {
    DecodedChar next = decode_utf8(p, end_);
    if (next.length < 2 || is_invisible(next.point) || unicode_identifier_start(p, end_) != 0) break;
    p += next.length;
  }
  if (c.point < 0x20 || c.point == 0x7F)
    report(fmt::format("control character U+{:04X}", static_cast<uint32_t>(c.point)));
  else
    report(errors_->quoted(text, "this character"));
  return true;
}

bool Lexer::fault_operator(const char*& p) {
  if (errors_ == nullptr) return false;
  const char* begin = p++;
  errors_->cover(offset(begin), offset(p));
  SourceRange range = errors_->range(offset(begin), offset(p));
  auto report = errors_->emit(offset(begin), offset(p), diag::UnknownOperator, std::string_view(begin, 1));
  switch (*begin) {
    case '&':
      report.help("logical and is `&&`").fix(range, "&&", "write `&&`");
      emit(TokenKind::And, begin, p);
      break;
    case '|':
      report.help("logical or is `||`").fix(range, "||", "write `||`");
      emit(TokenKind::Or, begin, p);
      break;
    default:
      report.help("logical not is `!`; a `~` stands beside the braces of a template sequence");
      if (!after_operand()) emit(TokenKind::Not, begin, p);
      break;
  }
  return true;
}

bool Lexer::fault_closer(const char*& p) {
  if (errors_ == nullptr) return false;
  const char c = *p;
  auto closed_by = [c](FrameKind kind) {
    switch (kind) {
      case FrameKind::Block:
      case FrameKind::Object:
      case FrameKind::Sequence:
        return c == '}';
      case FrameKind::Bracket:
      case FrameKind::Index:
        return c == ']';
      case FrameKind::Parenthesis:
        return c == ')';
      case FrameKind::Quote:
      case FrameKind::Heredoc:
      case FrameKind::Template:
        return false;
    }
    return false;
  };
  const FrameKind top = frames_.back().kind;
  if (c == '}' && !is_root() && is_dollar_group(frames_.back())) {
    pop();
    emit(TokenKind::RightParen, p, p + 1);
    ++p;
    return true;
  }
  // Is it meant for a bracket further out? Then those inside of it lack theirs.
  for (size_t i = frames_.size() - 1; i > 0; --i) {
    FrameKind kind = frames_[i].kind;
    if (kind == FrameKind::Quote || kind == FrameKind::Heredoc) break;
    if (!closed_by(kind) && !(c == '}' && is_dollar_group(frames_[i]))) continue;
    if (is_mistyped_closer(frames_[i], p)) break;
    close_frames_above(i, p, true);
    return true;
  }
  const char* begin = p++;
  errors_->cover(offset(begin), offset(p));
  bool wrong_bracket = !is_root() && (top == FrameKind::Parenthesis || top == FrameKind::Bracket ||
                                      top == FrameKind::Index || top == FrameKind::Object);
  if (!wrong_bracket) {
    errors_->emit(offset(begin), offset(p), diag::UnexpectedBracket, std::string_view(begin, 1));
    return true;
  }
  report_unclosed(frames_.size() - 1, frames_.size() - 1, begin);
  close_frame(begin);
  return true;
}

bool Lexer::fault_assign(const char*& p) {
  if (errors_ == nullptr) return false;
  size_t name = out_->size() - 1;  // wraps when there is none
  if (last() == TokenKind::Ident && starts_line(name) && close_by_statement(name, p)) return true;
  emit(TokenKind::Assign, p, p + 1);
  ++p;
  return true;
}

bool Lexer::repair_header(const char*& p) {
  bool inside = frames_.back().kind != FrameKind::Block && frames_.back().kind != FrameKind::Object;
  if (!inside && !repair_braces_) return false;
  size_t start = header_start(out_->size());
  if (start == out_->size()) return false;
  return (repair_braces_ && close_by_layout(start, p)) || (inside && close_by_statement(start, p));
}

bool Lexer::repair_assign(const char*& p) {
  size_t name = out_->size() - 1;
  return last() == TokenKind::Ident && starts_line(name) && close_by_layout(name, p);
}

bool Lexer::repair_closer(const char*& p) {
  const char* line = p;
  while (line > text_.data() && (line[-1] == ' ' || line[-1] == '\t')) --line;
  return *p == '}' && (line == text_.data() || line[-1] == '\n') && close_by_layout(out_->size(), p);
}

bool Lexer::fault_comment(const char*& p) {
  if (errors_ == nullptr) return false;
  errors_->emit(offset(p), offset(p) + 2, diag::UnterminatedComment);
  errors_->cover(offset(p), offset(end_));
  p = end_;
  return true;
}

bool Lexer::fault_heredoc_marker(const char*& p) {
  if (errors_ == nullptr) return false;
  const char* begin = p;
  if (errors_->full()) {
    p += 2;
    return true;
  }
  const char* q = p + 2;
  if (*q == '-' || *q == '<') ++q;
  while (*q == ' ' || *q == '\t') ++q;
  const char quote = *q == '"' || *q == '\'' ? *q++ : '\0';
  const char* name = q;
  if (size_t length = char_class(*q) == CharClass::Letter ? 1 : unicode_identifier_start(q, end_))
    q = scan_identifier(q + length);
  const std::string_view marker(name, static_cast<size_t>(q - name));
  if (quote != '\0' && *q == quote) ++q;
  const char* newline = line_end(q, end_);
  // It is a heredoc when a later line closes it.
  const char* close = nullptr;
  for (const char* line = newline; !marker.empty() && line < end_ && close == nullptr && !errors_->full();) {
    close = heredoc_close(line + 1, marker);
    line = line_end(line + 1, end_);
  }
  if (close == nullptr) {
    p = begin + 2;
    errors_->emit(offset(begin), offset(p), diag::UnknownOperator, "<<")
        .help(
            "a heredoc is `<<` with a name and nothing else up to the end of the line, then its text, then the "
            "name on a line of its own");
    errors_->cover(offset(begin), offset(p));
    return true;
  }
  auto report = errors_->emit(offset(begin), offset(q), diag::InvalidHeredocMarker, marker);
  std::string_view behind(q, static_cast<size_t>(newline - q));
  if (trimmed(behind).empty())
    report.fix(errors_->range(offset(begin), offset(newline)),
               fmt::format("<<{}{}", begin[2] == '-' ? "-" : "", marker), "write the marker alone");
  errors_->cover(offset(begin), offset(newline));
  if (!push(p, FrameKind::Heredoc, ForState::None, marker)) return fault_depth(p);
  emit(TokenKind::HeredocOpen, begin, newline + 1);
  line_start_ = true;
  p = newline + 1;
  return true;
}

// In tolerant mode: when no line closes a heredoc that was just opened, decides where it ends.
void Lexer::prepare_heredoc(const char* begin, const char* content) {
  if (errors_ == nullptr || errors_->full()) return;
  const std::string_view marker = frames_.back().marker;
  const char* mention = nullptr;  // a line that starts with the marker, but has more
  const char* block = nullptr;    // a line that seems to start a block
  for (const char* line = content; line < end_;) {
    if (heredoc_close(line, marker) != nullptr) return;
    const char* end = line_end(line, end_);
    std::string_view text = trimmed(std::string_view(line, static_cast<size_t>(end - line)));
    if (mention == nullptr && text.starts_with(marker) &&
        (text.size() == marker.size() || (!is_identifier_byte(text[marker.size()]) && text[marker.size()] > 0)))
      mention = line;
    if (block == nullptr && char_class(*line) == CharClass::Letter && text.ends_with('{') &&
        text.find_first_of("=$;(:") == std::string_view::npos)
      block = line;
    line = end < end_ ? end + 1 : end_;
  }
  Frame& frame = frames_.back();
  if (mention != nullptr) {
    frame.forced_end = mention;
    const char* at = mention;
    while (std::string_view(at, marker.size()) != marker) ++at;
    const char* behind = at + marker.size();
    bool at_end = trimmed(std::string_view(behind, static_cast<size_t>(end_ - behind))).empty();
    auto report = errors_->emit(offset(at), offset(behind), diag::HeredocMarkerNotAlone, marker);
    report.note(errors_->range(offset(begin), offset(content - 1)), "the heredoc starts here");
    if (at_end) report.help("the last line of the file must end with a newline, too");
  } else {
    frame.forced_end = block;
    errors_->emit(offset(begin), offset(content - 1), diag::UnterminatedHeredoc, marker);
    // The brackets around it may be closed by what the heredoc has swallowed.
    for (Frame& outer : frames_) outer.muted = true;
    mute_end_ = true;
  }
  // A heredoc that ends nowhere goes to the end of the text.
  if (frame.forced_end == nullptr) frame.forced_end = end_;
}

// At the forced end of a heredoc, or at the end of the text.
bool Lexer::fault_heredoc_end(const char*& p) {
  if (errors_ == nullptr) return false;
  const Frame frame = frames_.back();
  const char* mention = p;
  while (*mention == ' ' || *mention == '\t') ++mention;
  if (std::string_view(mention, static_cast<size_t>(end_ - mention)).starts_with(frame.marker)) {
    emit(TokenKind::HeredocClose, mention, mention + frame.marker.size());
    pop();
    p = mention + frame.marker.size();
    return true;
  }
  // Ended where a block seems to start, at the margin: it is not one of those that are open around the heredoc.
  close_frame(p);
  if (p < end_) close_frames_above(0, p, false);
  if (newlines_) insert(TokenKind::Newline, p);
  return true;
}

bool Lexer::fault_string(const char*& p) {
  if (errors_ == nullptr) return false;
  const TokenSpan opener = out_->span(frames_.back().opener);
  if (p < end_ && spans_lines(p)) {
    errors_->emit(opener.begin, offset(p), diag::StringSpansLines);
    while (*p != '"') ++p;
    return true;
  }
  if (ends_outer_string(p)) return true;
  auto report = errors_->emit(opener.begin, offset(p), diag::UnterminatedString);
  const char* at = p;
  if (at > text_.data() && at[-1] == '\r') --at;
  std::string_view swallowed(text_.data() + opener.end, static_cast<size_t>(at - text_.data()) - opener.end);
  if (swallowed.find_first_of("\"()[]{},") == std::string_view::npos)
    report.fix(errors_->range(offset(at), offset(at)), "\"", "close the string");
  const char* line = at;
  while (line > text_.data() && line[-1] != '\n') --line;
  errors_->cover(offset(line), offset(at));
  close_frame(at);
  close_rest_of_line(at, swallowed);
  return true;
}

bool Lexer::fault_escape(const char*& p) {
  if (errors_ == nullptr) return false;
  size_t length = p + 1 < end_ && p[1] != '\n' ? std::max<size_t>(decode_utf8(p + 1, end_).length, 1) : 0;
  // With the digits that there are.
  if (p[1] == 'u' || p[1] == 'U') {
    size_t most = p[1] == 'u' ? 5 : 9;
    while (length < most && is_hex_digit(p[1 + length])) ++length;
  }
  std::string_view shown(p, 1 + length);
  auto report = errors_->emit(offset(p), offset(p) + static_cast<uint32_t>(shown.size()), diag::InvalidEscape,
                              errors_->quoted(shown, "this"));
  switch (p[1]) {
    case '$':
    case '%':
      report.help(fmt::format("a literal `{0}{{` is written `{0}{0}{{`", p[1]));
      break;
    case 'u':
      report.help("`\\u` takes four hexadecimal digits that name a character");
      break;
    case 'U':
      report.help("`\\U` takes eight hexadecimal digits that name a character");
      break;
    default:
      report.help("there are `\\n`, `\\r`, `\\t`, `\\\"`, `\\\\`, `\\uNNNN` and `\\UNNNNNNNN`");
      break;
  }
  p += shown.size();
  return true;
}

bool Lexer::fault_directive(const char*& p, const char* begin) {
  if (errors_ == nullptr) return false;
  const char* word = p;
  while (word > begin && is_identifier_byte(word[-1])) --word;
  std::string_view text(word, static_cast<size_t>(p - word));
  errors_->cover(offset(begin), offset(p));
  if (text.empty()) {
    errors_->emit(offset(begin), offset(begin) + 2, diag::MissingDirective);
  } else {
    auto report = errors_->emit(offset(word), offset(p), diag::UnknownDirective, errors_->quoted(text, "of this name"));
    std::string_view meant = closest_name(text, {"if", "else", "endif", "for", "endfor"});
    if (text.starts_with("els") || text == "elif")
      report.help("a further condition is an `if` inside of `else`: `%{ else }%{ if ... }...%{ endif }%{ endif }`");
    else if (text == "end")
      report.help("there are `endif` and `endfor`");
    else if (!meant.empty())
      report.help(fmt::format("did you mean `{}`?", meant));
  }
  p = begin;
  if (!push(p, FrameKind::Sequence)) return fault_depth(p);
  emit(TokenKind::Interpolation, begin, begin + (begin[2] == '~' ? 3 : 2));
  p = word;
  return true;
}

bool Lexer::fault_utf8(const char* begin, const char* end) {
  size_t bad = find_invalid_utf8(std::string_view(begin, static_cast<size_t>(end - begin)));
  if (bad == std::string_view::npos) return true;
  if (errors_ == nullptr) return false;
  errors_->emit(offset(begin + bad), offset(begin + bad) + 1, diag::InvalidUtf8);
  return true;
}

// At a bracket, quote or template sequence that would be one level too deep. What it holds is skipped.
bool Lexer::fault_depth(const char*& p) {
  if (errors_ == nullptr) return false;
  const char* begin = p;
  errors_->emit(offset(p), offset(p) + 1, diag::NestingTooDeep, kMaxBracketDepth);
  p = skip_nested(p);
  errors_->cover(offset(begin), offset(p));
  if (p == end_) mute_end_ = true;
  return true;
}

bool Lexer::fault_end() {
  if (errors_ == nullptr) return false;
  bool brace = std::any_of(frames_.begin() + 1, frames_.end(), [](const Frame& frame) {
    return frame.kind == FrameKind::Block || frame.kind == FrameKind::Object;
  });
  if (brace && !repair_braces_ && !mute_end_) {
    repair_braces_ = true;
    return false;
  }
  if (!mute_end_) report_unclosed(frames_.size() - 1, 1, end_);
  close_frames_above(0, end_, false);
  return true;
}

}  // namespace pravo::hcl
