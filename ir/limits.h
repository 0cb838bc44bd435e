// How much an evaluation may make and do. What exceeds these is refused with an error of the kind Limit, before memory
// or patience is used up; docs/language/limits.md tells users. Depth is bounded beside the types (kMaxDepth).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "ir/result.h"
#include "ir/value.h"

namespace pravo {

// Bytes of one string, and of a file that becomes one.
inline constexpr size_t kMaxText = size_t{128} << 20;

// Elements of one list, set, map, tuple or object.
inline constexpr size_t kMaxElements = 10'000'000;

// Bytes of a value as size_of() counts them. Parts may be shared: forty times `b = [a, a]` takes no memory to speak
// of, but nobody could walk, compare or print it.
inline constexpr uint64_t kMaxSize = uint64_t{256} << 20;

// Instructions that the loops of one expression execute, and units of 16 bytes that functions in them read and make.
inline constexpr uint64_t kMaxSteps = 100'000'000;

// Each step doubles the time of bcrypt; this one takes some seconds.
inline constexpr int64_t kMaxBcryptCost = 16;

// Bytes that are read of what is no regular file and may have no end, such as a device.
inline constexpr uint64_t kMaxStream = uint64_t{1} << 30;

// Seconds that all matches of one regular expression in one text may take: how far each looks ahead is not known.
inline constexpr int kMaxRegexSeconds = 10;

// Bytes of memory that a value with all its parts would take if nothing was shared; UINT64_MAX and no less beyond what
// can be counted.
uint64_t size_of(const Value& value);

std::unique_ptr<EvalError> too_large_text();
std::unique_ptr<EvalError> too_many_elements();
std::unique_ptr<EvalError> too_large_value();
std::unique_ptr<EvalError> too_many_steps();

// The error of a value that nests too deeply or is too large; null if it is neither.
std::unique_ptr<EvalError> over_limits(const Value& value);

// What making `result` of `source` cost in steps: nothing where it is the same value.
uint64_t steps_to_make(const Value& result, const Value& source);
uint64_t steps_to_read(const Value& value);

// Values that are to become the elements of one: adds up what they take while they are made.
class SizeCount {
 public:
  // False: together they are too large.
  bool add(const Value& value);
  // `count` values of `size` bytes each.
  bool add(uint64_t count, uint64_t size);
  bool within() const { return size_ <= kMaxSize; }

 private:
  uint64_t size_ = 0;
};

}  // namespace pravo
