#include "ir/names.h"

#include <algorithm>
#include <cstring>

#include "ir/check.h"
#include "ir/unicode.h"

namespace pravo {

namespace {

// Most names are shorter than 16 bytes: two words, which overlap where the text is no multiple of eight.
uint64_t hash_text(std::string_view text) {
  constexpr uint64_t kFactor = 0x9E3779B97F4A7C15;
  auto word = [](const char* p) {
    uint64_t value;
    std::memcpy(&value, p, sizeof value);
    return value;
  };
  const char* p = text.data();
  size_t left = text.size();
  uint64_t hash = text.size() * kFactor;
  auto mix = [&](uint64_t value) {
    hash = (hash ^ value) * kFactor;
    hash ^= hash >> 32;
  };
  if (left < 8) {
    uint64_t value = 0;
    if (left > 0) std::memcpy(&value, p, left);
    mix(value);
  } else {
    for (; left > 8; p += 8, left -= 8) mix(word(p));
    mix(word(p + left - 8));
  }
  // A product's low bits know nothing of the last characters, which is where names differ.
  hash *= 0xBF58476D1CE4E5B9;
  return hash ^ (hash >> 32);
}

}  // namespace

// Where the text is, or the free slot where it belongs.
size_t Names::find_slot(std::string_view text, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.id_plus_one == 0) return at;
    if (slot.hash == static_cast<uint32_t>(hash >> 32) && this->text(NameId(slot.id_plus_one - 1)) == text) return at;
  }
}

void Names::grow() {
  slots_.assign(std::max<size_t>(slots_.size() * 2, 256), Slot());
  for (uint32_t i = 0; i < size_; ++i) {
    std::string_view name = text(NameId(i));
    uint64_t hash = hash_text(name);
    slots_[find_slot(name, hash)] = {i + 1, static_cast<uint32_t>(hash >> 32)};
  }
}

// Names become keys, and keys are in normal form C: texts that are equal in that form have equal ids. All that is in
// the table is in that form, so what is found is, too.
NameId Names::intern(std::string_view text) {
  // At most two thirds are taken.
  if ((size_ + 1) * 3 > slots_.size() * 2) grow();
  const uint64_t hash = hash_text(text);
  Slot& slot = slots_[find_slot(text, hash)];
  if (slot.id_plus_one != 0) return NameId(slot.id_plus_one - 1);
  if (!is_surely_normal(text))
    if (Str normal = normalized(text); normal.view() != text) return intern(normal.view());
  char* copy = static_cast<char*>(arena_.Allocate(text.size() + 1, 1));
  if (!text.empty()) std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  const Place place = place_of(size_);
  PRAVOC_CHECK(place.chunk < kChunks);
  auto& chunk = chunks_[place.chunk];
  if (chunk == nullptr)
    chunk = std::make_unique_for_overwrite<std::string_view[]>(size_t{1} << (kFirstBits + place.chunk));
  chunk[place.offset] = std::string_view(copy, text.size());
  slot = {size_ + 1, static_cast<uint32_t>(hash >> 32)};
  return NameId(size_++);
}

NameId Names::find(std::string_view text) const {
  if (slots_.empty()) return NameId();
  const Slot& slot = slots_[find_slot(text, hash_text(text))];
  if (slot.id_plus_one != 0) return NameId(slot.id_plus_one - 1);
  if (!is_surely_normal(text))
    if (Str normal = normalized(text); normal.view() != text) return find(normal.view());
  return NameId();
}

}  // namespace pravo
