// Leads from offsets in the decoded text of a JSON string to offsets in its file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace pravo::hcl {

class OffsetMap {
 public:
  // The text is a copy of the file's bytes from `begin` on.
  explicit OffsetMap(uint32_t begin) : begin_(begin) {}
  // `offsets`: for each byte of the text and for its end, its offset from `begin` (see decode_json_text()).
  OffsetMap(uint32_t begin, std::vector<uint32_t> offsets) : begin_(begin), offsets_(std::move(offsets)) {}

  uint32_t source(uint32_t offset) const {
    if (offsets_.empty()) return begin_ + offset;
    return begin_ + offsets_[std::min<size_t>(offset, offsets_.size() - 1)];
  }

 private:
  uint32_t begin_;
  std::vector<uint32_t> offsets_;
};

}  // namespace pravo::hcl
