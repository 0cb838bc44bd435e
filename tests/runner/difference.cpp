#include "tests/runner/difference.h"

#include <algorithm>
#include <vector>

#include "tests/runner/test_file.h"

namespace pravo::testing {

std::string difference(std::string_view expected, std::string_view found) {
  std::vector<std::string_view> a = split_lines(expected);
  std::vector<std::string_view> b = split_lines(found);
  // What both start and end with needs no search.
  size_t head = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head]) ++head;
  size_t tail = 0;
  while (tail < a.size() - head && tail < b.size() - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  size_t rows = a.size() - head - tail;
  size_t columns = b.size() - head - tail;

  struct Line {
    char sign;
    std::string_view text;
  };
  std::vector<Line> lines;
  for (size_t i = 0; i < head; ++i) lines.push_back({' ', a[i]});
  // The longest common subsequence of the middle, where that is small enough to search for.
  constexpr size_t kMostCells = 4'000'000;
  if (rows * columns <= kMostCells) {
    std::vector<uint32_t> length((rows + 1) * (columns + 1), 0);
    auto at = [&](size_t i, size_t j) -> uint32_t& { return length[i * (columns + 1) + j]; };
    for (size_t i = rows; i-- > 0;)
      for (size_t j = columns; j-- > 0;)
        at(i, j) = a[head + i] == b[head + j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    for (size_t i = 0, j = 0; i < rows || j < columns;) {
      if (i < rows && j < columns && a[head + i] == b[head + j]) {
        lines.push_back({' ', a[head + i]});
        ++i;
        ++j;
      } else if (j == columns || (i < rows && at(i + 1, j) >= at(i, j + 1))) {
        lines.push_back({'-', a[head + i++]});
      } else {
        lines.push_back({'+', b[head + j++]});
      }
    }
  } else {
    for (size_t i = 0; i < rows; ++i) lines.push_back({'-', a[head + i]});
    for (size_t j = 0; j < columns; ++j) lines.push_back({'+', b[head + j]});
  }
  for (size_t i = 0; i < tail; ++i) lines.push_back({' ', a[a.size() - tail + i]});

  constexpr size_t kAround = 3;
  std::vector<bool> shown(lines.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].sign == ' ') continue;
    for (size_t n = i - std::min(i, kAround); n < std::min(lines.size(), i + kAround + 1); ++n) shown[n] = true;
  }
  std::string out;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!shown[i]) {
      if (i == 0 || shown[i - 1]) out += "  ...\n";
      continue;
    }
    out += lines[i].sign;
    out += ' ';
    out += lines[i].text;
    out += '\n';
  }
  // Equal line by line: what differs is the end.
  if (std::find(shown.begin(), shown.end(), true) == shown.end()) out += "  (the final line break differs)\n";
  return out;
}

}  // namespace pravo::testing
