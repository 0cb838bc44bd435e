// ChunkedStore: append-only storage with stable references, addressed by a typed id. Growing never moves an
// element, so a reference stays good while others are added.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "ir/check.h"
#include "ir/ids.h"

namespace pravo {

template <class IdT, class T, unsigned ChunkBits = 10>
class ChunkedStore {
  static constexpr size_t kChunk = size_t{1} << ChunkBits;
  static constexpr size_t kMask = kChunk - 1;

 public:
  ChunkedStore() = default;
  ChunkedStore(ChunkedStore&&) noexcept = default;
  ChunkedStore& operator=(ChunkedStore&&) noexcept = default;
  ChunkedStore(const ChunkedStore&) = delete;
  ChunkedStore& operator=(const ChunkedStore&) = delete;

  IdT add(T value) {
    PRAVOC_CHECK(size_ < Id<int>::none);
    if ((size_ >> ChunkBits) == chunks_.size()) {
      chunks_.emplace_back();
      chunks_.back().reserve(kChunk);
    }
    chunks_.back().push_back(std::move(value));
    return IdT(static_cast<uint32_t>(size_++));
  }

  T& operator[](IdT id) {
    PRAVOC_CHECK(id.index < size_);
    return chunks_[id.index >> ChunkBits][id.index & kMask];
  }
  const T& operator[](IdT id) const {
    PRAVOC_CHECK(id.index < size_);
    return chunks_[id.index >> ChunkBits][id.index & kMask];
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // Calls visit(id, element) in order of adding.
  template <class F>
  void each(F visit) const {
    uint32_t i = 0;
    for (const auto& chunk : chunks_)
      for (const T& element : chunk) visit(IdT(i++), element);
  }

 private:
  std::vector<std::vector<T>> chunks_;
  size_t size_ = 0;
};

}  // namespace pravo
