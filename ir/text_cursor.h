// A place in an IR text, and the small pieces that are read there. Line breaks are blanks; `;` starts a comment
// that ends with its line. A failed read reports what was expected and what stands there instead; the statement is
// then given up, so that a fault is reported once. Not for others than the parser.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/diagnostics.h"
#include "ir/source.h"

namespace pravo::text {

class Cursor {
 public:
  Cursor(const SourceManager& sources, FileId file, Diagnostics& diags)
      : text_(sources.text(file)), file_(file), diags_(diags) {}

  // Skips blanks and comments; the character then, NUL at the end.
  char peek();
  // The one behind it, without skipping.
  char peek_second() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\0'; }
  bool at_end() { return peek() == '\0' && at_ >= text_.size(); }

  bool accept(char c);
  // A whole word, not the start of a longer one.
  bool accept_word(std::string_view word);
  bool expect(char c);
  bool expect_word(std::string_view word);
  // The next characters where they are this punctuation.
  bool accept_text(std::string_view punctuation);

  // The word at the cursor without taking it; empty when there is none.
  std::string_view peek_word();
  // [A-Za-z_][A-Za-z0-9_-]*, and the same with single dots between parts; empty when there is none (not reported).
  std::string_view take_word();
  std::string_view take_dotted();
  // An identifier or a string.
  bool identifier(std::string& out);
  // A function's name: identifiers joined by `::`, or a string.
  bool function(std::string& out);
  bool string(std::string& out);
  bool number(uint64_t& out);
  // `%name`. A bare number is its own kind of name: `%12` is not `%"12"`.
  struct Name {
    std::string_view key;   // equal for equal symbols, else different; lives as long as the source's text
    std::string_view text;  // without quotes, until the next name is read
    bool number = false;
  };
  bool name(Name& out);
  // The text of a JSON value, not looked at closer than to find its end.
  bool literal(std::string_view& out);

  uint32_t begin();  // of what comes next
  uint32_t position() const { return static_cast<uint32_t>(at_); }
  SourceRange range(uint32_t begin, uint32_t end) const { return {file_, begin, end}; }
  // To the end of what was read last, without the blanks behind it.
  SourceRange range_from(uint32_t begin) const { return {file_, begin, static_cast<uint32_t>(read_end())}; }
  std::string_view rest_of_line();  // after skipping blanks of this line; not taken
  std::string_view slice(uint32_t begin) const { return text_.substr(begin, at_ - begin); }

  // Reports that `what` was expected: where the next thing starts, or right here. Always false.
  bool fail(std::string_view what);
  bool fail_here(std::string_view what);
  // Gives up the statement that starts at `begin`: goes to the line behind what was read of it last. True when the
  // line left opened a region.
  bool skip_line(uint32_t begin);

  Diagnostics& diags() { return diags_; }

 private:
  SourceRange found_range() const;
  size_t read_end() const { return at_ > skipped_to_ ? at_ : read_end_; }

  std::string_view text_;
  FileId file_;
  Diagnostics& diags_;
  size_t at_ = 0;
  size_t skipped_to_ = 0;  // where the last skipping of blanks ended ...
  size_t read_end_ = 0;    // ... and what was read before it
  std::string unquoted_;   // of the last quoted name
};

// The text that a JSON string literal, with its quotes, stands for; empty when it is malformed.
std::optional<std::string> unescape_string(std::string_view literal);

}  // namespace pravo::text
