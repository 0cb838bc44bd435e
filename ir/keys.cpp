#include "ir/keys.h"

#include <strings.h>

#include <algorithm>
#include <cstring>
#include <new>

#include <llvm/Support/xxhash.h>

#include "ir/check.h"

namespace pravo {

StrData* StrData::allocate(size_t size) {
  PRAVOC_CHECK(size < UINT32_MAX);
  void* memory = ::operator new(sizeof(StrData) + size + 1);
  auto* data = new (memory) StrData;
  data->size = static_cast<uint32_t>(size);
  data->data()[size] = '\0';
  return data;
}

void StrData::free(const StrData* data) noexcept {
  auto* mutable_data = const_cast<StrData*>(data);
  if (data->wipe.load(std::memory_order_relaxed)) explicit_bzero(mutable_data->data(), data->size);
  mutable_data->~StrData();
  ::operator delete(mutable_data);
}

Str::Str(std::string_view text) {
  if (text.empty()) return;
  StrData* data = StrData::allocate(text.size());
  std::memcpy(data->data(), text.data(), text.size());
  data_ = data;
}

uint64_t Str::hash() const {
  if (data_ == nullptr) return 0x9E3779B97F4A7C15;
  uint64_t hash = data_->hash.load(std::memory_order_relaxed);
  if (hash == 0) {
    hash = llvm::xxHash64(llvm::StringRef(data_->data(), data_->size)) | 1;
    data_->hash.store(hash, std::memory_order_relaxed);
  }
  return hash;
}

struct KeySet::Data {
  mutable std::atomic<uint32_t> refs{1};
  std::vector<Str> keys;
};

KeySet::KeySet(std::vector<Str> sorted) {
  if (sorted.empty()) return;
  auto* data = new Data;
  data->keys = std::move(sorted);
  data_ = data;
}

KeySet::KeySet(const KeySet& other) noexcept : data_(other.data_) {
  if (data_ != nullptr) data_->refs.fetch_add(1, std::memory_order_relaxed);
}

KeySet::~KeySet() {
  if (data_ != nullptr && data_->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) delete data_;
}

KeySet KeySet::share(const Data* data) noexcept {
  if (data != nullptr) data->refs.fetch_add(1, std::memory_order_relaxed);
  return adopt(data);
}

std::span<const Str> KeySet::view(const Data* data) noexcept {
  return data == nullptr ? std::span<const Str>() : std::span<const Str>(data->keys);
}

size_t KeySet::size() const { return data_ == nullptr ? 0 : data_->keys.size(); }

const Str& KeySet::str(size_t i) const {
  PRAVOC_CHECK(i < size());
  return data_->keys[i];
}

std::span<const Str> KeySet::all() const {
  return data_ == nullptr ? std::span<const Str>() : std::span<const Str>(data_->keys);
}

size_t KeySet::find(std::string_view key) const {
  if (data_ == nullptr) return npos;
  const auto& keys = data_->keys;
  auto it = std::lower_bound(keys.begin(), keys.end(), key,
                             [](const Str& have, std::string_view want) { return have.view() < want; });
  return it != keys.end() && it->view() == key ? static_cast<size_t>(it - keys.begin()) : npos;
}

uint64_t KeySet::hash() const {
  uint64_t hash = size();
  for (const Str& key : all()) hash = (hash ^ key.hash()) * 0xFF51AFD7ED558CCD;
  return hash;
}

void KeySet::wipe_on_free() const {
  for (const Str& key : all()) key.wipe_on_free();
}

bool KeySet::equal(const KeySet& a, const KeySet& b) {
  return a.size() == b.size() && std::equal(a.all().begin(), a.all().end(), b.all().begin());
}

// --- building a string

StrBuilder::~StrBuilder() { discard(); }

void StrBuilder::discard() noexcept {
  if (data_ == nullptr) return;
  // What is built may come from an ephemeral value: nothing of it stays behind in freed memory.
  data_->size = capacity_;
  data_->wipe.store(true, std::memory_order_relaxed);
  StrData::free(data_);
  data_ = nullptr;
  size_ = capacity_ = 0;
}

void StrBuilder::reserve(size_t capacity) {
  if (capacity <= capacity_) return;
  capacity = std::max(capacity, size_t{capacity_} * 2);
  capacity = std::max(capacity, size_t{32});
  PRAVOC_CHECK(capacity < UINT32_MAX);
  StrData* larger = StrData::allocate(capacity);
  if (data_ != nullptr) std::memcpy(larger->data(), data_->data(), size_);
  uint32_t size = size_;
  discard();
  data_ = larger;
  size_ = size;
  capacity_ = static_cast<uint32_t>(capacity);
}

void StrBuilder::append(std::string_view text) {
  if (text.empty()) return;
  reserve(size_ + text.size());
  std::memcpy(data_->data() + size_, text.data(), text.size());
  size_ += static_cast<uint32_t>(text.size());
}

Str StrBuilder::finish() && {
  if (size_ == 0) {
    discard();
    return Str();
  }
  // A buffer much too large is given back.
  if (capacity_ > 64 && size_ < capacity_ / 2) {
    Str exact(view());
    discard();
    return exact;
  }
  data_->size = size_;
  data_->data()[size_] = '\0';
  const StrData* data = data_;
  data_ = nullptr;
  size_ = capacity_ = 0;
  return Str::adopt(data);
}

}  // namespace pravo
