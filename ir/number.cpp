#include "ir/number.h"

#include <cmath>
#include <limits>

#include "ir/check.h"
#include "ir/number_rep.h"

namespace pravo {

namespace mp = boost::multiprecision;

namespace {

// Rounds the mantissa to `bits`, half to even.
void round_mantissa(FloatParts& parts, unsigned bits) {
  unsigned length = bit_length(parts.mantissa);
  if (length <= bits) return;
  unsigned drop = length - bits;
  unsigned lowest = static_cast<unsigned>(mp::lsb(parts.mantissa));
  bool half = mp::bit_test(parts.mantissa, drop - 1);
  bool sticky = lowest < drop - 1;
  parts.mantissa >>= drop;
  parts.exponent += drop;
  if (half && (sticky || mp::bit_test(parts.mantissa, 0))) ++parts.mantissa;
}

void make_odd(FloatParts& parts) {
  if (parts.mantissa == 0) {
    parts.exponent = 0;
    return;
  }
  if (unsigned zeros = static_cast<unsigned>(mp::lsb(parts.mantissa)); zeros > 0) {
    parts.mantissa >>= zeros;
    parts.exponent += zeros;
  }
}

uint16_t larger_precision(const Number& a, const Number& b) { return std::max(a.precision(), b.precision()); }

// Whether an inline result of integer arithmetic is exact at this precision.
bool fits(int64_t value, uint16_t precision) {
  if (precision >= 63) return true;
  uint64_t magnitude = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  return (magnitude >> precision) == 0;
}

int compare_parts(const FloatParts& a, const FloatParts& b) {
  int sign_a = a.is_zero() ? 0 : a.negative ? -1 : 1;
  int sign_b = b.is_zero() ? 0 : b.negative ? -1 : 1;
  if (sign_a != sign_b) return sign_a < sign_b ? -1 : 1;
  if (sign_a == 0) return 0;
  if (a.infinite || b.infinite) {
    if (a.infinite && b.infinite) return 0;
    return a.infinite ? sign_a : -sign_a;
  }
  int64_t top_a = a.exponent + bit_length(a.mantissa);
  int64_t top_b = b.exponent + bit_length(b.mantissa);
  if (top_a != top_b) return top_a < top_b ? -sign_a : sign_a;
  // Equal magnitude of the leading bit, so the shift is at most a precision's length.
  BigInt x = a.mantissa;
  BigInt y = b.mantissa;
  if (a.exponent > b.exponent) x <<= static_cast<unsigned>(a.exponent - b.exponent);
  if (b.exponent > a.exponent) y <<= static_cast<unsigned>(b.exponent - a.exponent);
  int order = x.compare(y);
  return order == 0 ? 0 : order < 0 ? -sign_a : sign_a;
}

}  // namespace

FloatParts NumberAccess::unpack(const Number& number) {
  if (!number.is_small()) return number.payload().big->parts;
  FloatParts parts;
  int64_t value = number.small();
  parts.negative = value < 0;
  parts.mantissa = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  return parts;
}

std::optional<Number> NumberAccess::pack(FloatParts parts, uint16_t precision) {
  if (!parts.infinite) {
    round_mantissa(parts, precision);
    make_odd(parts);
    int64_t top = parts.exponent + bit_length(parts.mantissa);
    if (parts.exponent < -Number::kMaxExponent || top > Number::kMaxExponent) return std::nullopt;
    if (parts.exponent >= 0 && top <= 63 && !(parts.negative && parts.mantissa == 0)) {
      auto magnitude = static_cast<int64_t>(parts.mantissa << static_cast<unsigned>(parts.exponent));
      return Number(parts.negative ? -magnitude : magnitude, precision);
    }
    if (parts.negative && parts.mantissa == 1 && parts.exponent == 63)
      return Number(std::numeric_limits<int64_t>::min(), precision);
  }
  auto* big = new BigNumber;
  big->parts = std::move(parts);
  return Number(big, precision);
}

std::optional<Number> NumberAccess::from_integer(const BigInt& value) {
  FloatParts parts;
  parts.negative = value < 0;
  parts.mantissa = parts.negative ? BigInt(-value) : value;
  unsigned bits = bit_length(parts.mantissa);
  if (bits > static_cast<unsigned>(Number::kMaxExponent)) return std::nullopt;
  auto precision = static_cast<uint16_t>(std::min(std::max(bits, 64u), 65535u));
  return pack(std::move(parts), precision);
}

BigInt NumberAccess::integer_part(const Number& number) {
  FloatParts parts = unpack(number);
  PRAVOC_CHECK(!parts.infinite);
  BigInt magnitude = parts.mantissa;
  if (parts.exponent >= 0)
    magnitude <<= static_cast<unsigned>(parts.exponent);
  else
    magnitude >>= static_cast<unsigned>(-parts.exponent);
  return parts.negative ? BigInt(-magnitude) : magnitude;
}

Number::Number(const Number& other) noexcept
    : payload_(other.payload_), precision_(other.precision_), big_(other.big_) {
  if (big_) retain(payload_.big);
}

Number::~Number() {
  if (big_) release(payload_.big);
}

void Number::retain(const BigNumber* big) noexcept { big->refs.fetch_add(1, std::memory_order_relaxed); }

void Number::release(const BigNumber* big) noexcept {
  if (big->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) delete big;
}

Number Number::share(Payload payload, uint16_t precision, bool big) noexcept {
  if (!big) return Number(payload.value, precision);
  retain(payload.big);
  return Number(payload.big, precision);
}

Number Number::from_uint(uint64_t value, uint16_t precision) {
  if (value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
    return Number(static_cast<int64_t>(value), precision);
  FloatParts parts;
  parts.mantissa = value;
  return *NumberAccess::pack(std::move(parts), precision);
}

Number Number::from_double(double value) {
  PRAVOC_CHECK(!std::isnan(value));
  if (std::isinf(value)) return infinity(value < 0);
  FloatParts parts;
  parts.negative = std::signbit(value);
  int exponent = 0;
  double fraction = std::frexp(std::fabs(value), &exponent);
  parts.mantissa = static_cast<uint64_t>(std::ldexp(fraction, 53));
  parts.exponent = exponent - 53;
  return *NumberAccess::pack(std::move(parts), kDoublePrecision);
}

Number Number::infinity(bool negative) {
  FloatParts parts;
  parts.negative = negative;
  parts.infinite = true;
  return *NumberAccess::pack(std::move(parts), kDoublePrecision);
}

bool Number::is_integer() const {
  return !big_ || (!payload_.big->parts.infinite && payload_.big->parts.exponent >= 0);
}

bool Number::is_infinite() const { return big_ && payload_.big->parts.infinite; }

int Number::sign() const {
  if (!big_) return payload_.value < 0 ? -1 : payload_.value > 0 ? 1 : 0;
  const FloatParts& parts = payload_.big->parts;
  return parts.is_zero() ? 0 : parts.negative ? -1 : 1;
}

bool Number::signbit() const { return big_ ? payload_.big->parts.negative : payload_.value < 0; }

std::optional<int64_t> Number::to_int64() const {
  if (!big_) return payload_.value;
  if (payload_.big->parts.is_zero()) return 0;
  return std::nullopt;  // every other integer in range is inline
}

double Number::to_double() const {
  FloatParts parts = NumberAccess::unpack(*this);
  if (parts.infinite) return parts.negative ? -HUGE_VAL : HUGE_VAL;
  if (parts.mantissa == 0) return parts.negative ? -0.0 : 0.0;
  int64_t top = parts.exponent + bit_length(parts.mantissa);
  if (top > 1024) return parts.negative ? -HUGE_VAL : HUGE_VAL;
  // Fewer bits below the normal range, so that rounding happens once.
  int64_t bits = top < -1021 ? 53 - (-1021 - top) : 53;
  if (bits < 0) return parts.negative ? -0.0 : 0.0;
  if (bits == 0) {
    // Between zero and the least subnormal: half or less goes to zero.
    bool up = parts.mantissa != 1;
    double tiny = up ? std::numeric_limits<double>::denorm_min() : 0.0;
    return parts.negative ? -tiny : tiny;
  }
  round_mantissa(parts, static_cast<unsigned>(bits));
  double magnitude =
      std::ldexp(static_cast<double>(static_cast<uint64_t>(parts.mantissa)), static_cast<int>(parts.exponent));
  return parts.negative ? -magnitude : magnitude;
}

int Number::compare(const Number& other) const {
  if (!big_ && !other.big_)
    return payload_.value < other.payload_.value ? -1 : payload_.value > other.payload_.value ? 1 : 0;
  return compare_parts(NumberAccess::unpack(*this), NumberAccess::unpack(other));
}

uint64_t Number::hash() const {
  uint64_t seed = 0x9E3779B97F4A7C15;
  auto mix = [&](uint64_t word) {
    seed ^= word;
    seed *= 0xFF51AFD7ED558CCD;
    seed ^= seed >> 32;
  };
  if (!big_) {
    mix(static_cast<uint64_t>(payload_.value));
    return seed;
  }
  const FloatParts& parts = payload_.big->parts;
  if (parts.is_zero()) {
    mix(0);
    return seed;
  }
  mix(parts.infinite ? 1 : 2);
  mix(parts.negative ? 1 : 2);
  mix(static_cast<uint64_t>(parts.exponent));
  const auto& limbs = parts.mantissa.backend();
  for (unsigned i = 0; i < limbs.size(); ++i) mix(limbs.limbs()[i]);
  return seed;
}

std::optional<Number> Number::add(const Number& a, const Number& b) {
  uint16_t precision = larger_precision(a, b);
  if (!a.big_ && !b.big_) {
    int64_t sum = 0;
    if (!__builtin_add_overflow(a.small(), b.small(), &sum) && fits(sum, precision)) return Number(sum, precision);
  }
  FloatParts x = NumberAccess::unpack(a);
  FloatParts y = NumberAccess::unpack(b);
  if (x.infinite || y.infinite) {
    if (x.infinite && y.infinite && x.negative != y.negative) return std::nullopt;
    return infinity(x.infinite ? x.negative : y.negative);
  }
  if (x.is_zero() && y.is_zero()) {
    x.negative = x.negative && y.negative;
    return NumberAccess::pack(std::move(x), precision);
  }
  int64_t exponent = x.is_zero() ? y.exponent : y.is_zero() ? x.exponent : std::min(x.exponent, y.exponent);
  BigInt left = x.mantissa << static_cast<unsigned>(x.is_zero() ? 0 : x.exponent - exponent);
  BigInt right = y.mantissa << static_cast<unsigned>(y.is_zero() ? 0 : y.exponent - exponent);
  BigInt sum = (x.negative ? BigInt(-left) : left) + (y.negative ? BigInt(-right) : right);
  FloatParts result;
  result.negative = sum < 0;
  result.mantissa = mp::abs(sum);
  result.exponent = exponent;
  return NumberAccess::pack(std::move(result), precision);
}

std::optional<Number> Number::subtract(const Number& a, const Number& b) {
  uint16_t precision = larger_precision(a, b);
  if (!a.big_ && !b.big_) {
    int64_t difference = 0;
    if (!__builtin_sub_overflow(a.small(), b.small(), &difference) && fits(difference, precision))
      return Number(difference, precision);
  }
  return add(a, b.negate());
}

std::optional<Number> Number::multiply(const Number& a, const Number& b) {
  uint16_t precision = larger_precision(a, b);
  if (!a.big_ && !b.big_ && a.small() != 0 && b.small() != 0) {
    int64_t product = 0;
    if (!__builtin_mul_overflow(a.small(), b.small(), &product)) {
      // A product may have more bits than its operands' precision; it keeps them.
      if (fits(product, precision)) return Number(product, precision);
    }
  }
  FloatParts x = NumberAccess::unpack(a);
  FloatParts y = NumberAccess::unpack(b);
  bool negative = x.negative != y.negative;
  if (x.infinite || y.infinite) {
    if (x.is_zero() || y.is_zero()) return std::nullopt;
    return infinity(negative);
  }
  FloatParts result;
  result.negative = negative;
  result.mantissa = x.mantissa * y.mantissa;
  result.exponent = x.exponent + y.exponent;
  round_mantissa(result, kLiteralPrecision);
  make_odd(result);
  unsigned needed = bit_length(result.mantissa);
  if (needed > precision) precision = static_cast<uint16_t>(needed);
  return NumberAccess::pack(std::move(result), precision);
}

std::optional<Number> Number::divide(const Number& a, const Number& b) {
  uint16_t precision = larger_precision(a, b);
  if (!a.big_ && !b.big_ && a.small() != 0 && b.small() != 0 && b.small() != -1 && a.small() % b.small() == 0)
    return Number(a.small() / b.small(), precision);
  FloatParts x = NumberAccess::unpack(a);
  FloatParts y = NumberAccess::unpack(b);
  bool negative = x.negative != y.negative;
  if ((x.is_zero() && y.is_zero()) || (x.infinite && y.infinite)) return std::nullopt;
  if (x.infinite || y.is_zero()) return infinity(negative);
  FloatParts result;
  result.negative = negative;
  if (x.is_zero() || y.infinite) return NumberAccess::pack(std::move(result), precision);
  // Two bits more than wanted, then a sticky bit for what is left.
  int64_t want = static_cast<int64_t>(precision) + 2 + bit_length(y.mantissa) - bit_length(x.mantissa);
  unsigned shift = want > 0 ? static_cast<unsigned>(want) : 0;
  BigInt quotient;
  BigInt remainder;
  mp::divide_qr(BigInt(x.mantissa << shift), y.mantissa, quotient, remainder);
  result.mantissa = quotient << 1;
  if (remainder != 0) result.mantissa |= 1;
  result.exponent = x.exponent - y.exponent - shift - 1;
  return NumberAccess::pack(std::move(result), precision);
}

std::optional<Number> Number::modulo(const Number& a, const Number& b) {
  if (b.sign() == 0) return a;
  if (a.is_infinite() || b.is_infinite()) return std::nullopt;
  // With fewer bits than the dividend has, the steps below round.
  if (!a.big_ && !b.big_ && (a.precision() >= 63 || fits(a.small(), 53)))
    return Number(b.small() == -1 ? 0 : a.small() % b.small(), a.precision());
  // As cty: a - b * trunc(a / b), the product rounded to a's precision.
  std::optional<Number> ratio = divide(a, b);
  if (!ratio) return std::nullopt;
  BigInt whole = NumberAccess::integer_part(*ratio);
  FloatParts parts;
  parts.negative = whole < 0;
  parts.mantissa = mp::abs(whole);
  std::optional<Number> work = NumberAccess::pack(std::move(parts), a.precision());
  if (!work) return std::nullopt;
  FloatParts x = NumberAccess::unpack(b);
  FloatParts y = NumberAccess::unpack(*work);
  FloatParts product;
  product.negative = x.negative != y.negative;
  product.mantissa = x.mantissa * y.mantissa;
  product.exponent = x.exponent + y.exponent;
  std::optional<Number> rounded = NumberAccess::pack(std::move(product), a.precision());
  if (!rounded) return std::nullopt;
  std::optional<Number> rest = add(a, rounded->negate());
  if (!rest) return std::nullopt;
  return NumberAccess::pack(NumberAccess::unpack(*rest), a.precision());
}

Number Number::negate() const {
  if (!big_ && payload_.value != 0 && payload_.value != INT64_MIN) return Number(-payload_.value, precision_);
  FloatParts parts = NumberAccess::unpack(*this);
  parts.negative = !parts.negative;
  return *NumberAccess::pack(std::move(parts), precision_);
}

Number Number::absolute() const {
  if (!signbit()) return *this;
  return negate();
}

Number Number::truncate() const {
  if (sign() == 0) return Number(int64_t{0}, precision_);  // minus zero loses its sign
  if (is_integer() || is_infinite()) return *this;
  BigInt whole = NumberAccess::integer_part(*this);
  FloatParts parts;
  parts.negative = whole < 0;
  parts.mantissa = mp::abs(whole);
  return *NumberAccess::pack(std::move(parts), precision_);
}

Number Number::floor() const {
  Number whole = truncate();
  if (is_integer() || is_infinite() || !signbit()) return whole;
  return *add(whole, Number(int64_t{-1}, precision_));
}

Number Number::ceil() const {
  Number whole = truncate();
  if (is_integer() || is_infinite() || signbit()) return whole;
  return *add(whole, Number(int64_t{1}, precision_));
}

}  // namespace pravo
