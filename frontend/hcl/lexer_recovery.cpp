// The tools of the tolerant lexer: inserting what is missing, and guessing where.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "frontend/hcl/char_class.h"
#include "frontend/hcl/lexer.h"
#include "frontend/hcl/syntax_errors.h"
#include "ir/diagnostics/syntax.h"

namespace pravo::hcl {

void Lexer::insert(TokenKind kind, const char* at) {
  inserted_.push_back(static_cast<uint32_t>(out_->size()));
  emit(kind, at, at);
}

void Lexer::truncate(size_t tokens) {
  out_->truncate(tokens);
  while (!inserted_.empty() && inserted_.back() >= tokens) inserted_.pop_back();
}

void Lexer::close_frame(const char* at) {
  switch (frames_.back().kind) {
    case FrameKind::Block:
      // The last item of a body ends with a newline.
      if (last() != TokenKind::Newline && last() != TokenKind::LeftBrace) insert(TokenKind::Newline, at);
      insert(TokenKind::RightBrace, at);
      break;
    case FrameKind::Object:
      insert(TokenKind::RightBrace, at);
      break;
    case FrameKind::Parenthesis:
      insert(TokenKind::RightParen, at);
      break;
    case FrameKind::Bracket:
    case FrameKind::Index:
      insert(TokenKind::RightBracket, at);
      break;
    case FrameKind::Sequence:
      insert(TokenKind::SequenceEnd, at);
      break;
    case FrameKind::Quote:
      insert(TokenKind::QuoteClose, at);
      break;
    case FrameKind::Heredoc:
      insert(TokenKind::HeredocClose, at);
      break;
    case FrameKind::Template:
      return;
  }
  pop();
}

void Lexer::close_frames_above(size_t frame, const char* at, bool report) {
  if (report) report_unclosed(frames_.size() - 1, frame + 1, at);
  while (frames_.size() > frame + 1) close_frame(at);
}

// One report for all frames from `outermost` to `innermost` that lack what closes them at `at`.
void Lexer::report_unclosed(size_t innermost, size_t outermost, const char* at) {
  if (errors_->full()) return;
  // Quotes and heredocs have reports of their own, and what is inside of them speaks for them here.
  auto is_bracket = [&](size_t i) {
    return frames_[i].kind != FrameKind::Quote && frames_[i].kind != FrameKind::Heredoc;
  };
  while (innermost > outermost && !is_bracket(innermost)) --innermost;
  for (size_t i = outermost; i <= innermost; ++i) {
    if (frames_[i].muted) return;
  }
  const Frame& frame = frames_[innermost];
  std::string_view closer;
  switch (frame.kind) {
    case FrameKind::Block:
    case FrameKind::Object:
    case FrameKind::Sequence:
      closer = "}";
      break;
    case FrameKind::Bracket:
    case FrameKind::Index:
      closer = "]";
      break;
    case FrameKind::Parenthesis:
      closer = is_dollar_group(frame) ? "}" : ")";
      break;
    case FrameKind::Quote:
    case FrameKind::Heredoc:
    case FrameKind::Template:
      return;
  }
  TokenSpan opener = out_->span(frame.opener);
  bool at_end = at == end_;
  uint32_t begin = at_end ? opener.begin : offset(at);
  uint32_t end = at_end ? opener.end : begin;
  if (!at_end) {
    const char* p = at;
    if (is_identifier_byte(*p))
      while (is_identifier_byte(*p)) ++p;
    else
      ++p;
    end = offset(p);
  }
  auto report =
      errors_->emit(begin, end, diag::UnclosedBracket, closer, frame_name(frame), errors_->place(opener.begin));
  if (at_end)
    report.note(errors_->range(offset(end_), offset(end_)), "the file ends here");
  else
    report.note(errors_->range(opener.begin, opener.end), "opened here");
  constexpr size_t kMostNotes = 4;
  size_t notes = 0;
  for (size_t i = innermost; i-- > outermost && notes < kMostNotes;) {
    if (!is_bracket(i)) continue;
    TokenSpan outer = out_->span(frames_[i].opener);
    report.note(errors_->range(outer.begin, outer.end), fmt::format("this {} is open as well", frame_name(frames_[i])));
    ++notes;
  }
  if (!at_end) errors_->cover(offset(at), offset(at));
}

// The tokens from `token` on start a statement of a body, though brackets are open around them in which there are
// no statements. Closes these before it, and lexes it again.
bool Lexer::close_by_statement(size_t token, const char*& p) {
  if (errors_->full()) return false;
  auto has_statements = [](const Frame& frame) {
    return frame.kind == FrameKind::Heredoc ||
           ((frame.kind == FrameKind::Block || frame.kind == FrameKind::Object) && frame.for_state == ForState::None);
  };
  size_t target = frames_.size() - 1;
  while (target > 0 && !has_statements(frames_[target])) --target;
  if (!has_statements(frames_[target]) || target + 1 == frames_.size()) return false;
  reopen_at(token, target, p);
  return true;
}

// A brace is missing somewhere, and a line starts at `token` (at the `}` to be read when there is none yet). Lines
// inside of brackets are indented further than the line that opens them; where that ends the brackets should have been
// closed. A `}` itself stands under the line that opens it.
bool Lexer::close_by_layout(size_t token, const char*& p) {
  const bool closer = token == out_->size();
  const uint32_t indentation = indentation_at(closer ? offset(p) : out_->span(token).begin);
  size_t target = frames_.size() - 1;
  for (; target > 0; --target) {
    Frame& frame = frames_[target];
    if (frame.opener >= token) continue;
    if (frame.kind == FrameKind::Quote || frame.kind == FrameKind::Heredoc || errors_->full()) break;
    bool over = closer ? frame.indentation > indentation : frame.indentation >= indentation;
    if (!over || !is_indented(frame)) break;
  }
  if (target + 1 == frames_.size()) return false;
  // A `}` that stands under nothing says nothing.
  if (closer && (target == 0 || frames_[target].indentation != indentation)) return false;
  reopen_at(token, target, p);
  return true;
}

void Lexer::reopen_at(size_t token, size_t target, const char*& p) {
  if (token < out_->size()) p = text_.data() + out_->span(token).begin;
  // A bracket that the statement itself has opened goes with its tokens.
  while (frames_.size() > target + 1 && frames_.back().opener >= token) pop();
  truncate(token);
  if (target + 1 < frames_.size()) close_frames_above(target, p, true);
  if (newlines_ && last() != TokenKind::Newline && !out_->empty()) insert(TokenKind::Newline, p);
}

// A string was not closed on its line, and may have swallowed the brackets that belong to others opened there.
void Lexer::close_rest_of_line(const char* at, std::string_view swallowed) {
  const char* line = at;
  while (line > text_.data() && line[-1] != '\n') --line;
  while (!is_root() && out_->span(frames_.back().opener).begin >= offset(line)) {
    bool closed = false;
    switch (frames_.back().kind) {
      case FrameKind::Block:
      case FrameKind::Object:
        closed = swallowed.find('}') != std::string_view::npos;
        break;
      case FrameKind::Parenthesis:
        closed = swallowed.find(')') != std::string_view::npos;
        break;
      case FrameKind::Bracket:
      case FrameKind::Index:
        closed = swallowed.find(']') != std::string_view::npos;
        break;
      case FrameKind::Sequence:
      case FrameKind::Quote:
        closed = true;
        break;
      case FrameKind::Heredoc:
      case FrameKind::Template:
        break;
    }
    if (!closed) break;
    close_frame(at);
  }
}

// At the opening character of a string in the wrong quotes: takes it as a string when it is closed on its line.
bool Lexer::quoted_with(const char*& p, std::string_view open, std::string_view close) {
  const char* begin = p;
  const char* inside = p + open.size();
  const auto* newline = static_cast<const char*>(std::memchr(p, '\n', static_cast<size_t>(end_ - p)));
  std::string_view line(inside, static_cast<size_t>((newline != nullptr ? newline : end_) - inside));
  size_t length = line.find(close);
  if (length == std::string_view::npos && open != close) length = line.find(open);  // two opening quotes
  errors_->cover(offset(begin), offset(inside));
  if (length == std::string_view::npos) {
    errors_->emit(offset(begin), offset(inside), diag::WrongQuotes, open);
    p = inside;
    return true;
  }
  std::string_view content = line.substr(0, length);
  const char* end = inside + length + (line.substr(length).starts_with(close) ? close.size() : open.size());
  auto report = errors_->emit(offset(begin), offset(inside), diag::WrongQuotes, open);
  if (content.find_first_of("\"\\") == std::string_view::npos && !errors_->secret())
    report.fix(errors_->range(offset(begin), offset(end)), fmt::format("\"{}\"", content), "use double quotes");
  errors_->cover(offset(begin), offset(end));
  emit(TokenKind::QuoteOpen, begin, inside);
  if (!content.empty()) emit(TokenKind::String, inside, inside + length);
  emit(TokenKind::QuoteClose, inside + length, end);
  p = end;
  return true;
}

// In `"${a"` the second quote seems to open a string inside of the sequence, but is meant to close the outer one.
bool Lexer::ends_outer_string(const char*& p) {
  const size_t inner = frames_.size() - 1;
  const size_t opener = frames_[inner].opener;
  if (out_->size() - opener > 2) return false;  // the quote, and literal text
  TokenSpan quote = out_->span(opener);
  std::string_view behind(text_.data() + quote.end, static_cast<size_t>(p - text_.data()) - quote.end);
  if (behind.find_first_not_of(" \t\r)]},:?") != std::string_view::npos && behind.find('#') == std::string_view::npos)
    return false;
  const char* line = text_.data() + quote.begin;
  while (line > text_.data() && line[-1] != '\n') --line;
  for (size_t i = inner; i-- > 1;) {
    if (out_->span(frames_[i].opener).begin < offset(line) || frames_[i].kind == FrameKind::Block) return false;
    if (frames_[i].kind != FrameKind::Quote) continue;
    const char* at = text_.data() + quote.begin;
    pop();
    truncate(opener);
    close_frames_above(i, at, true);
    emit(TokenKind::QuoteClose, at, at + 1);
    pop();
    p = at + 1;
    return true;
  }
  return false;
}

// At a newline within a string: whether the string goes on, rather than lacking its quote here. It does when the
// next quote comes soon and what is between looks like no code.
bool Lexer::spans_lines(const char* newline) const {
  constexpr size_t kSoon = 2000;
  std::string_view rest(newline, std::min<size_t>(static_cast<size_t>(end_ - newline), kSoon));
  size_t quote = rest.find('"');
  return quote != std::string_view::npos &&
         rest.substr(0, quote).find_first_of("={}[]()$%\\#") == std::string_view::npos;
}

// From a bracket, quote or template sequence to behind what closes it, or to the end of the text. Keeps only the kinds
// of the brackets that are open, and takes any closing bracket for the right one.
const char* Lexer::skip_nested(const char* p) const {
  if (*p == '<') return p + 2;  // the marker of a heredoc
  std::vector<bool> quotes;     // what is open: a string, or a bracket
  do {
    bool in_string = !quotes.empty() && quotes.back();
    switch (*p) {
      case '"':
        if (in_string)
          quotes.pop_back();
        else
          quotes.push_back(true);
        break;
      case '\\':
        if (in_string && p + 1 < end_) ++p;
        break;
      case '\n':
        if (in_string) quotes.pop_back();
        break;
      case '(':
      case '[':
      case '{':
        if (!in_string || (*p == '{' && p > text_.data() && (p[-1] == '$' || p[-1] == '%'))) quotes.push_back(false);
        break;
      case ')':
      case ']':
      case '}':
        if (!in_string && !quotes.empty()) quotes.pop_back();
        break;
      default:
        break;
    }
    ++p;
  } while (p < end_ && (!quotes.empty() || p[-1] == '$' || p[-1] == '%'));
  return p;
}

// The first token of `name "label" ...` that ends before the token `end`, when it starts a line; else `end`.
size_t Lexer::header_start(size_t end) const {
  size_t i = end;
  while (i > 0) {
    TokenKind kind = out_->kind(i - 1);
    if (kind == TokenKind::Ident) {
      --i;
      if (starts_line(i)) return i;
    } else if (kind == TokenKind::QuoteClose) {
      --i;
      if (i > 0 && out_->kind(i - 1) == TokenKind::String) --i;
      if (i == 0 || out_->kind(i - 1) != TokenKind::QuoteOpen) break;
      --i;
    } else {
      break;
    }
  }
  return end;
}

// At a `{` on a line of its own: whether the line before is the header of a block.
bool Lexer::header_ended_with_line() const {
  if (last() != TokenKind::Newline || frames_.back().kind != FrameKind::Block) return false;
  size_t end = out_->size() - 1;
  return header_start(end) != end;
}

bool Lexer::starts_line(size_t token) const {
  uint32_t at = out_->span(token).begin;
  while (at > 0 && (text_[at - 1] == ' ' || text_[at - 1] == '\t')) --at;
  return at == 0 || text_[at - 1] == '\n';
}

// The white space at the start of the line of this offset, in bytes. Offsets mostly ascend, so that no part of a line
// is looked at twice.
uint32_t Lexer::indentation_at(uint32_t offset) {
  uint32_t from = offset < line_seen_ ? 0 : line_seen_;
  if (offset < line_seen_) line_ = 0;
  size_t newline = text_.substr(from, offset - from).rfind('\n');
  if (newline != std::string_view::npos) line_ = from + static_cast<uint32_t>(newline) + 1;
  line_seen_ = offset;
  uint32_t end = line_;
  while (end < offset && (text_[end] == ' ' || text_[end] == '\t')) ++end;
  return end - line_;
}

// A brace that closes lines stands on a line of its own. One behind a bracket that was opened in the same line is a
// slip for what closes that, unless the next line shows that `outer` is over.
bool Lexer::is_mistyped_closer(const Frame& outer, const char* p) {
  if (*p != '}' || errors_->full()) return false;
  const bool lines = outer.kind == FrameKind::Block || outer.kind == FrameKind::Object;
  const size_t line = text_.substr(0, offset(p)).rfind('\n');
  if (!lines || line == std::string_view::npos || out_->span(outer.opener).begin > line ||
      out_->span(frames_.back().opener).begin < line)
    return false;
  if (outer.kind == FrameKind::Block) return true;
  size_t next = text_.find_first_not_of(" \t\r\n", offset(p) + 1);
  if (next == std::string_view::npos) return false;
  size_t before = text_.find_last_not_of(" \t", next - 1);
  if (before == std::string_view::npos || text_[before] != '\n') return false;
  size_t indentation = next - before - 1;
  return indentation > outer.indentation || (text_[next] == '}' && indentation == outer.indentation);
}

// Whether the lines inside of the frame are indented, as far as they have been read.
bool Lexer::is_indented(Frame& frame) {
  for (size_t i = frame.opener + 1; frame.layout == Layout::Unknown && i < out_->size(); ++i) {
    if (out_->kind(i) == TokenKind::Newline || !starts_line(i)) continue;
    uint32_t at = out_->span(i).begin;
    uint32_t line = at;
    while (line > 0 && text_[line - 1] != '\n') --line;
    frame.layout = at - line > frame.indentation ? Layout::Indented : Layout::Flat;
  }
  return frame.layout != Layout::Flat;
}

// A `${` outside of a string, which is taken for a parenthesis.
bool Lexer::is_dollar_group(const Frame& frame) const {
  return frame.kind == FrameKind::Parenthesis && frame.opener < out_->size() && token_text(frame.opener) == "${";
}

std::string_view Lexer::token_text(size_t token) const {
  TokenSpan span = out_->span(token);
  return text_.substr(span.begin, span.end - span.begin);
}

std::string_view Lexer::frame_name(const Frame& frame) const {
  switch (frame.kind) {
    case FrameKind::Block:
      return "block";
    case FrameKind::Object:
      return "object";
    case FrameKind::Parenthesis:
      if (is_dollar_group(frame)) return "template sequence";
      return frame.opener > 0 && out_->kind(frame.opener - 1) == TokenKind::Ident ? "call" : "parenthesis";
    case FrameKind::Bracket:
      return "list";
    case FrameKind::Index:
      return "index";
    case FrameKind::Sequence:
      return "template sequence";
    case FrameKind::Quote:
      return "string";
    case FrameKind::Heredoc:
      return "heredoc";
    case FrameKind::Template:
      return "template";
  }
  return "";
}

}  // namespace pravo::hcl
