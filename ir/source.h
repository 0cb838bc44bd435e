// Source files and places in them. A place is a pair of byte offsets; lines and columns are computed only
// when a diagnostic is shown.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "ir/ids.h"

namespace pravo {

// A half-open range of bytes [begin, end) of one file. An invalid file means "no place" (a command-line
// argument, the environment).
struct SourceRange {
  FileId file;
  uint32_t begin = 0;
  uint32_t end = 0;

  bool valid() const { return file.valid(); }
  bool operator==(const SourceRange&) const = default;
};

// A position as users and editors count: line and column from 1, the column in grapheme clusters (UAX #29),
// the byte offset from 0 (`validate -json` counts the same way).
struct LineColumn {
  uint32_t line = 1;
  uint32_t column = 1;
  uint32_t byte = 0;
};

class SourceManager {
 public:
  SourceManager() = default;
  SourceManager(const SourceManager&) = delete;
  SourceManager& operator=(const SourceManager&) = delete;

  // Adds a file. `name` is what diagnostics show (relative to the directory the user named); `text` is kept,
  // and is NUL-terminated for lexers. Files that hold values (variable files) set `secret`: no diagnostic
  // ever quotes their text.
  FileId add(std::string name, std::string text, bool secret = false);

  std::string_view name(FileId file) const { return files_[file.index].name; }
  std::string_view text(FileId file) const { return files_[file.index].text; }
  bool secret(FileId file) const { return files_[file.index].secret; }
  size_t size() const { return files_.size(); }

  std::string_view text(SourceRange range) const {
    return text(range.file).substr(range.begin, range.end - range.begin);
  }

  // Line, grapheme column and byte of an offset. The first call for a file builds its line table.
  LineColumn position(FileId file, uint32_t offset) const;

  // The text of a line (from 1) without its line ending.
  std::string_view line(FileId file, uint32_t line) const;

  // Drops the text of a file whose contents are no longer needed (values of a variable file).
  void release(FileId file);

 private:
  struct File {
    std::string name;
    std::string text;
    bool secret = false;
    mutable std::vector<uint32_t> line_starts;  // built on first use
  };
  const std::vector<uint32_t>& line_starts(const File& file) const;

  std::deque<File> files_;  // stable references
};

}  // namespace pravo
