#include "tests/runner/test_file.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace pravo::testing {

namespace {

constexpr std::string_view kHeader = "=== ";

std::string_view trim(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

}  // namespace

std::string Section::argument_text() const {
  std::string out;
  for (const std::string& argument : arguments) {
    if (!out.empty()) out += ' ';
    out += argument;
  }
  return out;
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

TestFile parse_test_file(std::string_view text) {
  TestFile file;
  std::string* target = &file.comment;
  size_t number = 0;
  for (std::string_view line : split_lines(text)) {
    ++number;
    if (line.substr(0, kHeader.size()) != kHeader) {
      *target += line;
      *target += '\n';
      continue;
    }
    Section& section = file.sections.emplace_back();
    std::istringstream words{std::string(line.substr(kHeader.size()))};
    words >> section.kind;
    for (std::string word; words >> word;) section.arguments.push_back(word);
    section.header_line = number;
    target = &section.text;
  }
  return file;
}

std::string format_test_file(const TestFile& file) {
  std::string out = file.comment;
  for (const Section& section : file.sections) {
    out += kHeader;
    out += section.kind;
    if (!section.arguments.empty()) out += " " + section.argument_text();
    out += '\n';
    out += section.text;
  }
  return out;
}

std::vector<Marker> take_markers(const std::string& file, std::string& text, size_t first_test_line,
                                 std::vector<std::string>& problems) {
  std::vector<Marker> markers;
  bool json = file.ends_with(".json");
  std::string_view comment = file.ends_with(".ir") ? ";" : json ? "//" : "#";
  std::string kept;
  size_t line_number = 0;    // in the source as it is used
  size_t source_number = 0;  // the line that markers speak of
  size_t test_line = first_test_line;
  for (std::string_view line : split_lines(text)) {
    size_t this_line = test_line++;
    std::string_view rest = trim(line);
    bool is_marker = false;
    if (rest.substr(0, comment.size()) == comment) {
      rest = trim(rest.substr(comment.size()));
      for (std::string_view severity : {"error", "warning", "note"}) {
        std::string_view after = rest.substr(std::min(rest.size(), severity.size()));
        if (rest.substr(0, severity.size()) != severity || after.substr(0, 1) != ":") continue;
        std::string_view where = trim(after.substr(1));
        if (where.empty() || where.back() != ']') continue;
        size_t bracket = where.find('[');
        if (bracket == std::string_view::npos) continue;
        Marker marker{file, source_number, 0, std::string(severity), "", this_line};
        marker.id = where.substr(bracket + 1, where.size() - bracket - 2);
        where = trim(where.substr(0, bracket));
        if (where.substr(0, 1) == "^") {
          // Columns count characters, not bytes.
          size_t caret = line.find('^');
          for (char c : line.substr(0, caret + 1))
            if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++marker.column;
        } else if (!where.empty()) {
          auto [end, fault] = std::from_chars(where.data(), where.data() + where.size(), marker.column);
          if (fault != std::errc() || end != where.data() + where.size()) continue;
        }
        if (source_number == 0)
          problems.push_back("line " + std::to_string(this_line) + ": a marker stands above any source line");
        markers.push_back(std::move(marker));
        is_marker = true;
        break;
      }
    }
    if (is_marker && json) continue;
    kept += line;
    kept += '\n';
    ++line_number;
    if (!is_marker) source_number = line_number;
  }
  text = std::move(kept);
  return markers;
}

}  // namespace pravo::testing
