// Number: the language's only number type. Semantics are those of cty, whose numbers are binary floating point
// with a precision of their own: literals and text have 512 bits, what counts things has 64, what was computed in
// floating point (pow, log) has 53; an operation rounds to the larger precision of its operands, half to even.
// Integers of up to 63 bits are held inline, everything else in a shared immutable node.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace pravo {

struct BigNumber;

class Number {
 public:
  static constexpr uint16_t kLiteralPrecision = 512;
  static constexpr uint16_t kIntPrecision = 64;
  static constexpr uint16_t kDoublePrecision = 53;
  // Bounds of the binary exponent; beyond them arithmetic and parsing refuse, so that printing a number never
  // takes more than some 20,000 digits. (Terraform has no bound but its memory.)
  static constexpr int32_t kMaxExponent = 1 << 16;

  Number() noexcept : Number(int64_t{0}, kIntPrecision) {}
  Number(const Number& other) noexcept;
  Number(Number&& other) noexcept
      : payload_(other.payload_), precision_(other.precision_), big_(std::exchange(other.big_, false)) {}
  Number& operator=(Number other) noexcept {
    std::swap(payload_, other.payload_);
    std::swap(precision_, other.precision_);
    std::swap(big_, other.big_);
    return *this;
  }
  ~Number();

  static Number from_int(int64_t value, uint16_t precision = kIntPrecision) { return Number(value, precision); }
  static Number from_uint(uint64_t value, uint16_t precision = kIntPrecision);
  static Number from_double(double value);  // not NaN
  static Number infinity(bool negative);
  // A decimal number: sign, digits, point, exponent (also Go's `p` exponent, as cty). Nothing else: no blanks, no
  // other base, no infinity. Empty when the text is no number, or one out of range.
  static std::optional<Number> parse(std::string_view text, uint16_t precision = kLiteralPrecision);
  // An integer of these digits in a base of 2 to 62, as parseint takes it.
  static std::optional<Number> parse_int(std::string_view text, int base);

  bool is_small() const { return !big_; }           // held inline
  int64_t small() const { return payload_.value; }  // when is_small()
  bool is_integer() const;                          // finite without fraction
  bool is_infinite() const;
  int sign() const;      // -1, 0, 1; of minus zero: 0
  bool signbit() const;  // true for minus zero too
  uint16_t precision() const { return precision_; }
  std::optional<int64_t> to_int64() const;  // when it is an integer in range
  double to_double() const;                 // nearest, may overflow to infinity

  // cty's text: decimal without exponent, the shortest that reads back as this number at its precision.
  std::string to_string() const;
  // Go's %e, %f, %g of a big float: `precision` digits, -1 for the shortest.
  std::string format(char verb, int precision) const;
  // Digits of an integer in base 2 to 36, lower case.
  std::string to_base(int base) const;

  // By value; precision does not matter, and minus zero equals zero.
  int compare(const Number& other) const;
  bool operator==(const Number& other) const { return compare(other) == 0; }
  uint64_t hash() const;

  // Empty where the result is out of range or not defined (infinity minus infinity, 0 / 0).
  static std::optional<Number> add(const Number& a, const Number& b);
  static std::optional<Number> subtract(const Number& a, const Number& b);
  static std::optional<Number> multiply(const Number& a, const Number& b);
  static std::optional<Number> divide(const Number& a, const Number& b);  // x / 0 is an infinity
  static std::optional<Number> modulo(const Number& a, const Number& b);  // sign of a; a where b is 0
  Number negate() const;
  Number absolute() const;
  Number floor() const;
  Number ceil() const;
  Number truncate() const;

  // For Value, which holds the parts of a number itself.
  union Payload {
    int64_t value;
    const BigNumber* big;
  };
  Payload payload() const { return payload_; }
  Payload detach() && {
    big_ = false;
    return payload_;
  }
  static Number share(Payload payload, uint16_t precision, bool big) noexcept;
  static void retain(const BigNumber* big) noexcept;
  static void release(const BigNumber* big) noexcept;

 private:
  Number(int64_t value, uint16_t precision) noexcept : payload_{.value = value}, precision_(precision) {}
  Number(const BigNumber* adopt, uint16_t precision) noexcept
      : payload_{.big = adopt}, precision_(precision), big_(true) {}
  friend struct NumberAccess;

  Payload payload_;
  uint16_t precision_ = kIntPrecision;
  bool big_ = false;
};

}  // namespace pravo
