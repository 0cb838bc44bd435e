// The lexer of HCL native syntax: text -> TokenList.
//
// It keeps a stack of frames (open brackets, quotes, heredocs, template sequences) and so decides what a
// context-free lexer cannot: where a newline is a token, where `for`, `in` and `if` are keywords, where `0.1` is a
// number and where two indexes. Its output is what grammar/Hcl.g4 expects.
//
// Strict mode stops at the first fault, because the caller then lexes again in tolerant mode. It makes tokens as the
// parser asks for them, a window at a time: nine bytes for each token of a large file would be three times the file,
// and memory that nothing has touched yet costs more than the lexer itself. Tolerant mode (lexer_repair.cpp) reports
// every fault and repairs the tokens, so that brackets, quotes and sequences are always balanced: what was missing is
// there with an empty span, what was too much is gone.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "frontend/hcl/syntax.h"
#include "frontend/hcl/token.h"

namespace pravo::hcl {

class SyntaxErrors;

// What a text is as a whole: a configuration body, one expression (newlines mean nothing), a template.
enum class TextKind : uint8_t { Body, Expression, Template };

// The length of the valid escape sequence at `p`, which points to a backslash; 0 when it is none.
size_t escape_length(const char* p);

class Lexer {
 public:
  // Strict mode: begins a text, of which no token is in `out` yet. `text.data()[text.size()]` must be NUL.
  void start(std::string_view text, TextKind kind, TokenList& out);
  // The next window: after the last tokens of the one before, for who looks back, come further ones, up to EndOfFile
  // where the text ends. False at a fault.
  bool next_window();

  // Tolerant mode: fills `out` and reports faults.
  void run(std::string_view text, TextKind kind, TokenList& out, SyntaxErrors& errors);

  // After a tolerant run: whether the token at this index was put in where the text has nothing.
  bool is_inserted(uint32_t token) const;

 private:
  enum class FrameKind : uint8_t {
    Block,        // body in braces; also the root of a configuration file
    Object,       // object constructor or `{ for`
    Parenthesis,  // also the root of a lone expression
    Bracket,      // tuple or `[for`
    Index,        // `a[...]`
    Sequence,     // `${` or `%{`
    Quote,        // inside a quoted template
    Heredoc,      // inside a heredoc
    Template,     // the root of a template file
  };
  enum class ForState : uint8_t { None, Names, Rest };  // `for` seen; `in` seen

  enum class Layout : uint8_t { Unknown, Indented, Flat };  // the first line inside, against the line that opened it

  struct Frame {
    FrameKind kind;
    ForState for_state = ForState::None;
    uint32_t opener = 0;               // index of the token that opened it
    std::string_view marker = {};      // Heredoc
    const char* forced_end = nullptr;  // Heredoc without a proper closing line: where it ends nevertheless
    bool muted = false;                // that it is not closed has been said by another report
    uint32_t indentation = 0;          // of the line that opened it; in tolerant mode
    Layout layout = Layout::Unknown;
  };

  enum class Step : uint8_t { Continue, Pause, End, Fault };

  void set_text(std::string_view text, TextKind kind, TokenList& out, SyntaxErrors* errors);
  void restart();
  Step scan();  // until it is anything but Continue
  Step scan_code();
  Step scan_quote();
  Step scan_heredoc();
  Step scan_template();
  bool finish();

  TokenKind identifier_kind(const char* begin, const char* end);
  const char* scan_number(const char* p) const;
  const char* scan_identifier(const char* p) const;
  bool scan_heredoc_marker(const char*& p);
  bool open_sequence(const char*& p);
  const char* heredoc_close(const char* line, std::string_view marker) const;

  void emit(TokenKind kind, const char* begin, const char* end) { out_->add(kind, {offset(begin), offset(end)}); }
  bool emit_text(const char* begin, const char* end);  // false: invalid UTF-8
  uint32_t offset(const char* p) const { return static_cast<uint32_t>(p - text_.data()); }
  TokenKind last() const { return out_->last_but(0); }
  bool after_operand() const;

  bool push(const char* at, FrameKind kind, ForState for_state = ForState::None, std::string_view marker = {});
  void pop();
  bool is_root() const { return frames_.size() == 1; }
  void update_newlines();

  // Faults (lexer_repair.cpp). Each returns false in strict mode; in tolerant mode it reports, moves `p` past
  // what it dealt with, and returns true.
  bool fault_character(const char*& p);
  bool fault_operator(const char*& p);
  bool fault_closer(const char*& p);
  bool fault_assign(const char*& p);
  bool fault_comment(const char*& p);
  bool fault_heredoc_marker(const char*& p);
  bool fault_heredoc_end(const char*& p);
  bool fault_string(const char*& p);
  bool fault_escape(const char*& p);
  bool fault_directive(const char*& p, const char* begin);
  bool fault_utf8(const char* begin, const char* end);
  bool fault_depth(const char*& p);
  bool fault_end();
  // At the `{` of a block, the `=` of an argument, a `}`: whether brackets before it should have been closed. If so
  // `p` is at the first token of the line again, or at the `}`.
  bool repair_header(const char*& p);
  bool repair_assign(const char*& p);
  bool repair_closer(const char*& p);
  void prepare_heredoc(const char* begin, const char* content);

  // The tools of repair (lexer_recovery.cpp).
  void insert(TokenKind kind, const char* at);
  void truncate(size_t tokens);
  void close_frame(const char* at);  // inserts what closes the innermost frame
  void close_frames_above(size_t frame, const char* at, bool report);
  bool close_by_statement(size_t token, const char*& p);
  bool close_by_layout(size_t token, const char*& p);
  void reopen_at(size_t token, size_t target, const char*& p);
  void close_rest_of_line(const char* at, std::string_view swallowed);
  void report_unclosed(size_t innermost, size_t outermost, const char* at);
  bool quoted_with(const char*& p, std::string_view open, std::string_view close);
  bool ends_outer_string(const char*& p);
  bool spans_lines(const char* newline) const;
  const char* skip_nested(const char* p) const;
  size_t header_start(size_t end) const;
  bool header_ended_with_line() const;
  bool starts_line(size_t token) const;
  uint32_t indentation_at(uint32_t offset);
  // Whether the `}` at `p`, which `outer` could take, was rather meant for a bracket inside of it.
  bool is_mistyped_closer(const Frame& outer, const char* p);
  bool is_indented(Frame& frame);
  bool is_dollar_group(const Frame& frame) const;
  std::string_view frame_name(const Frame& frame) const;
  std::string_view token_text(size_t token) const;

  std::string_view text_;
  TextKind text_kind_ = TextKind::Body;
  const char* p_ = nullptr;
  const char* end_ = nullptr;
  TokenList* out_ = nullptr;
  size_t limit_ = 0;  // strict mode: how many tokens a window has
  SyntaxErrors* errors_ = nullptr;
  std::vector<Frame> frames_;
  bool newlines_ = true;            // newlines are tokens in the innermost frame
  bool line_start_ = false;         // in a heredoc: at the start of a line
  bool check_utf8_ = false;         // the text is not valid throughout: look at each literal
  bool repair_braces_ = false;      // a brace is missing: look for it by the layout of the text
  bool mute_end_ = false;           // what is open at the end has been explained
  bool bare_returns_ = false;       // that lines end with a carriage return has been said
  uint32_t line_ = 0;               // the start of a line, as of indentation_at()
  uint32_t line_seen_ = 0;          // up to here there is no other line
  std::vector<uint32_t> inserted_;  // token indexes, ascending
};

}  // namespace pravo::hcl
