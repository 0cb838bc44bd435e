#include "ir/source.h"

#include <algorithm>
#include <cstring>

#include <utf8proc.h>

#include "ir/check.h"

namespace pravo {

FileId SourceManager::add(std::string name, std::string text, bool secret) {
  PRAVOC_CHECK(text.size() < UINT32_MAX);
  FileId id(static_cast<uint32_t>(files_.size()));
  files_.push_back(File{std::move(name), std::move(text), secret, {}});
  return id;
}

const std::vector<uint32_t>& SourceManager::line_starts(const File& file) const {
  if (file.line_starts.empty()) {
    file.line_starts.push_back(0);
    const char* begin = file.text.data();
    const char* end = begin + file.text.size();
    for (const char* p = begin; p < end; ++p) {
      p = static_cast<const char*>(std::memchr(p, '\n', static_cast<size_t>(end - p)));
      if (p == nullptr) break;
      file.line_starts.push_back(static_cast<uint32_t>(p - begin + 1));
    }
  }
  return file.line_starts;
}

LineColumn SourceManager::position(FileId id, uint32_t offset) const {
  const File& file = files_[id.index];
  offset = std::min(offset, static_cast<uint32_t>(file.text.size()));
  const auto& starts = line_starts(file);
  auto next = std::upper_bound(starts.begin(), starts.end(), offset);
  auto line = static_cast<uint32_t>(next - starts.begin());
  uint32_t start = starts[line - 1];
  if (line == 1 && std::string_view(file.text).starts_with("\xEF\xBB\xBF") && offset >= 3) start = 3;

  // Clusters that begin before the offset. Invalid UTF-8 counts a column a byte.
  uint32_t column = 1;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(file.text.data());
  utf8proc_int32_t previous = 0;
  utf8proc_int32_t state = 0;
  for (uint32_t at = start; at < offset;) {
    // Behind an ASCII character each ASCII character is a cluster; eight at a time, for lines of megabytes.
    uint64_t chunk;
    if (at != start && previous < 0x80 && offset - at >= 8 &&
        (std::memcpy(&chunk, bytes + at, 8), (chunk & 0x8080808080808080U) == 0)) {
      column += 8;
      at += 8;
      previous = bytes[at - 1];
      state = 0;
      continue;
    }
    utf8proc_int32_t point = bytes[at];
    utf8proc_ssize_t length = 1;
    if (point >= 0x80) {
      length = utf8proc_iterate(bytes + at, static_cast<utf8proc_ssize_t>(file.text.size() - at), &point);
      if (length <= 0) {
        length = 1;
        point = 0xFFFD;
      }
    }
    if (at == start || utf8proc_grapheme_break_stateful(previous, point, &state)) ++column;
    previous = point;
    at += static_cast<uint32_t>(length);
  }
  return {line, column, offset};
}

std::string_view SourceManager::line(FileId id, uint32_t line) const {
  const File& file = files_[id.index];
  const auto& starts = line_starts(file);
  if (line == 0 || line > starts.size()) return {};
  uint32_t begin = starts[line - 1];
  uint32_t end = line < starts.size() ? starts[line] - 1 : static_cast<uint32_t>(file.text.size());
  std::string_view text = std::string_view(file.text).substr(begin, end - begin);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

void SourceManager::release(FileId id) {
  File& file = files_[id.index];
  std::fill(file.text.begin(), file.text.end(), '\0');
  std::string().swap(file.text);
  file.line_starts.assign(1, 0);
}

}  // namespace pravo
