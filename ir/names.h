// The interner of names. A name is text of the configuration's source (an identifier, an attribute, a label):
// values of variables, of the environment or of providers never enter it, so a secret cannot be found here.
#pragma once

#include <array>
#include <bit>
#include <memory>
#include <string_view>
#include <vector>

#include "ir/ids.h"

#include <llvm/Support/Allocator.h>

namespace pravo {

class Names {
 public:
  Names() = default;
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;

  // The id of `text`; equal texts have equal ids. One thread at a time; others may read texts meanwhile, of ids that
  // they got before.
  NameId intern(std::string_view text);

  // The id of `text` if it was interned before, else an invalid id. Not while another thread interns.
  NameId find(std::string_view text) const;

  // The text of `id`, NUL-terminated, valid as long as this interner.
  std::string_view text(NameId id) const {
    const Place place = place_of(id.index);
    return chunks_[place.chunk][place.offset];
  }

  size_t size() const { return size_; }

 private:
  // Texts lie in chunks, each twice as large as the one before, so that none ever moves: a pass interns a key while
  // another one, beside it, reads names.
  static constexpr unsigned kFirstBits = 10;
  static constexpr unsigned kChunks = 32 - kFirstBits;
  struct Place {
    unsigned chunk;
    uint32_t offset;
  };
  static Place place_of(uint32_t index) {
    const uint32_t shifted = (index >> kFirstBits) + 1;
    const auto chunk = static_cast<unsigned>(std::bit_width(shifted)) - 1;
    return {chunk, index - (((1U << chunk) - 1) << kFirstBits)};
  }

  // Open addressing: id + 1 and some bits of the hash, which tell most texts apart without a look at them.
  struct Slot {
    uint32_t id_plus_one = 0;  // 0: free
    uint32_t hash = 0;
  };
  size_t find_slot(std::string_view text, uint64_t hash) const;
  void grow();

  llvm::BumpPtrAllocator arena_;
  std::array<std::unique_ptr<std::string_view[]>, kChunks> chunks_;
  std::vector<Slot> slots_;  // a power of two
  uint32_t size_ = 0;
};

}  // namespace pravo
