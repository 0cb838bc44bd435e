// A `.test` file: sections with inputs, things to run, and what to expect of them (docs/testing.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pravo::testing {

// What follows a line `=== KIND ARGUMENTS...` up to the next. Text before the first section is a comment.
struct Section {
  std::string kind;
  std::vector<std::string> arguments;
  std::string text;
  size_t header_line = 0;  // from 1

  // The arguments as one text.
  std::string argument_text() const;
};

// `# error: ^ [some-id]` below a line of a source: a diagnostic at that place. The caret stands below its first
// column; `# error: 3 [some-id]` says the column instead, since a caret cannot stand in columns 1 to 9, and
// `# error: [some-id]` leaves it open. `;` starts the comment in IR text, `//` does in JSON.
struct Marker {
  std::string file;
  size_t line = 0;    // of the source line, from 1
  size_t column = 0;  // 0: any
  std::string severity;
  std::string id;
  size_t test_line = 0;  // of the marker itself in the test file
};

struct TestFile {
  std::string comment;
  std::vector<Section> sections;
};

TestFile parse_test_file(std::string_view text);
std::string format_test_file(const TestFile& file);

// The markers of a source. In JSON, which has no comments, their lines are dropped from `text`.
std::vector<Marker> take_markers(const std::string& file, std::string& text, size_t first_test_line,
                                 std::vector<std::string>& problems);

std::vector<std::string_view> split_lines(std::string_view text);

}  // namespace pravo::testing
