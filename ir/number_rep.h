// What a number that does not fit the inline form is made of. Only number*.cpp and functions that need exact
// arithmetic look in here.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include <boost/multiprecision/cpp_int.hpp>

#include "ir/number.h"

namespace pravo {

using BigInt = boost::multiprecision::cpp_int;

// (-1)^negative * mantissa * 2^exponent, or an infinity. A zero keeps its sign.
struct FloatParts {
  bool negative = false;
  bool infinite = false;
  BigInt mantissa = 0;
  int64_t exponent = 0;

  bool is_zero() const { return !infinite && mantissa == 0; }
};

// Finite ones have an odd mantissa, or 0 (minus zero: plus zero is inline).
struct BigNumber {
  mutable std::atomic<uint32_t> refs{1};
  FloatParts parts;
};

struct NumberAccess {
  static FloatParts unpack(const Number& number);
  // Rounds to `precision` bits, half to even. Empty when the exponent is out of range.
  static std::optional<Number> pack(FloatParts parts, uint16_t precision);
  // As Go's SetInt on a fresh float: all bits of the integer, at least 64.
  static std::optional<Number> from_integer(const BigInt& value);
  // The integer part, towards zero. The number must be finite.
  static BigInt integer_part(const Number& number);
};

inline unsigned bit_length(const BigInt& value) {
  return value == 0 ? 0 : static_cast<unsigned>(boost::multiprecision::msb(value)) + 1;
}

}  // namespace pravo
