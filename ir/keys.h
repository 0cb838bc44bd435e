// Str: a shared immutable string. KeySet: a shared, sorted, immutable set of names, the keys of an object or a
// map. Objects that come from one place in the source share their KeySet, and comparing those is comparing two
// pointers. Both are safe to share between threads. StrBuilder makes a Str.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace pravo {

// Header of a string's buffer; the bytes and a NUL follow it.
struct StrData {
  mutable std::atomic<uint32_t> refs{1};
  mutable std::atomic<bool> wipe{false};  // holds, or held, an ephemeral value: overwritten when freed
  uint32_t size = 0;
  mutable std::atomic<uint64_t> hash{0};  // 0: not computed yet
  const char* data() const { return reinterpret_cast<const char*>(this + 1); }
  char* data() { return reinterpret_cast<char*>(this + 1); }

  static StrData* allocate(size_t size);
  static void free(const StrData* data) noexcept;
};

class Str {
 public:
  Str() noexcept = default;  // empty
  explicit Str(std::string_view text);
  Str(const Str& other) noexcept : data_(other.data_) {
    if (data_ != nullptr) data_->refs.fetch_add(1, std::memory_order_relaxed);
  }
  Str(Str&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  Str& operator=(Str other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  ~Str() {
    if (data_ != nullptr && data_->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) StrData::free(data_);
  }

  std::string_view view() const {
    return data_ == nullptr ? std::string_view("", 0) : std::string_view(data_->data(), data_->size);
  }
  operator std::string_view() const { return view(); }
  size_t size() const { return data_ == nullptr ? 0 : data_->size; }
  bool empty() const { return size() == 0; }
  uint64_t hash() const;
  // Overwrite the bytes when the last handle goes.
  void wipe_on_free() const {
    if (data_ != nullptr) data_->wipe.store(true, std::memory_order_relaxed);
  }

  bool operator==(const Str& other) const { return data_ == other.data_ || view() == other.view(); }

  static Str adopt(const StrData* data) {
    Str s;
    s.data_ = data;
    return s;
  }
  static Str share(const StrData* data) {
    if (data != nullptr) data->refs.fetch_add(1, std::memory_order_relaxed);
    return adopt(data);
  }
  const StrData* data() const { return data_; }
  const StrData* detach() && { return std::exchange(data_, nullptr); }

 private:
  const StrData* data_ = nullptr;  // null: the empty string
};

class KeySet {
 public:
  KeySet() noexcept = default;  // no keys
  // `sorted` must be sorted bytewise without repetition.
  explicit KeySet(std::vector<Str> sorted);
  KeySet(const KeySet& other) noexcept;
  KeySet(KeySet&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  KeySet& operator=(KeySet other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  ~KeySet();

  size_t size() const;
  bool empty() const { return size() == 0; }
  std::string_view operator[](size_t i) const { return str(i).view(); }
  const Str& str(size_t i) const;
  std::span<const Str> all() const;
  static constexpr size_t npos = SIZE_MAX;
  size_t find(std::string_view key) const;
  uint64_t hash() const;
  // Overwrite the names when they go: they came from an ephemeral value.
  void wipe_on_free() const;

  bool operator==(const KeySet& other) const { return data_ == other.data_ || equal(*this, other); }

  struct Data;
  const Data* data() const { return data_; }
  const Data* detach() && { return std::exchange(data_, nullptr); }
  static KeySet share(const Data* data) noexcept;
  // The names in there, valid as long as the data.
  static std::span<const Str> view(const Data* data) noexcept;
  static KeySet adopt(const Data* data) noexcept {
    KeySet keys;
    keys.data_ = data;
    return keys;
  }

 private:
  static bool equal(const KeySet& a, const KeySet& b);
  const Data* data_ = nullptr;
};

// Builds a string in the buffer it ends up in. A buffer that is outgrown or not used in the end is overwritten, so
// evaluators may build what comes from ephemeral values.
class StrBuilder {
 public:
  StrBuilder() = default;
  StrBuilder(const StrBuilder&) = delete;
  StrBuilder& operator=(const StrBuilder&) = delete;
  ~StrBuilder();

  void reserve(size_t capacity);
  void append(std::string_view text);
  void append(char c) {
    if (size_ == capacity_) reserve(size_t{size_} + 1);
    data_->data()[size_++] = c;
  }
  void append(size_t count, char c) {
    for (; count > 0; --count) append(c);
  }
  StrBuilder& operator+=(std::string_view text) {
    append(text);
    return *this;
  }
  StrBuilder& operator+=(char c) {
    append(c);
    return *this;
  }
  size_t size() const { return size_; }
  std::string_view view() const {
    return data_ == nullptr ? std::string_view("", 0) : std::string_view(data_->data(), size_);
  }
  Str finish() &&;

 private:
  void discard() noexcept;
  StrData* data_ = nullptr;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
};

}  // namespace pravo
