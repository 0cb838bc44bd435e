// Numbers from and to text, digit for digit as Go's big.Float does it, since states, plans and hashes hold such text.
#include <algorithm>
#include <cstring>
#include <string>

#include "ir/check.h"
#include "ir/number.h"
#include "ir/number_rep.h"

namespace pravo {

namespace mp = boost::multiprecision;

namespace {

// Longer number texts are refused: converting one costs time in the square of its length.
constexpr size_t kMaxDigits = 40000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Rounded multiplication of positive finite numbers.
FloatParts multiply_rounded(const FloatParts& a, const FloatParts& b, unsigned bits) {
  FloatParts product;
  product.mantissa = a.mantissa * b.mantissa;
  product.exponent = a.exponent + b.exponent;
  unsigned length = bit_length(product.mantissa);
  if (length > bits) {
    unsigned drop = length - bits;
    bool half = mp::bit_test(product.mantissa, drop - 1);
    bool sticky = mp::lsb(product.mantissa) < drop - 1;
    product.mantissa >>= drop;
    product.exponent += drop;
    if (half && (sticky || mp::bit_test(product.mantissa, 0))) ++product.mantissa;
  }
  return product;
}

// 5^n rounded as big.Float computes it while parsing: squaring, with some bits to spare at each step. The result
// is exact up to n of about 248 for literals.
FloatParts power_of_five(uint64_t n, unsigned bits) {
  constexpr uint64_t kTable = 27;  // the largest power that fits 64 bits
  FloatParts result;
  uint64_t small = 1;
  for (uint64_t i = 0; i < std::min(n, kTable); ++i) small *= 5;
  result.mantissa = small;
  if (n <= kTable) return result;
  n -= kTable;
  FloatParts factor;
  factor.mantissa = 5;
  for (; n > 0; n >>= 1) {
    if ((n & 1) != 0) result = multiply_rounded(result, factor, bits);
    factor = multiply_rounded(factor, factor, bits + 64);
  }
  return result;
}

// A decimal number 0.d1d2d3... * 10^exponent, without leading or trailing zeros.
struct Decimal {
  std::string digits;
  int64_t exponent = 0;

  Decimal() = default;
  // mantissa * 2^shift, exactly.
  Decimal(BigInt mantissa, int64_t shift) {
    if (mantissa == 0) return;
    // Without trailing zero bits there are fewer digits.
    if (shift < 0) {
      auto zeros = std::min(static_cast<int64_t>(mp::lsb(mantissa)), -shift);
      mantissa >>= static_cast<unsigned>(zeros);
      shift += zeros;
    }
    if (shift > 0) {
      mantissa <<= static_cast<unsigned>(shift);
      shift = 0;
    }
    if (shift < 0) mantissa *= mp::pow(BigInt(5), static_cast<unsigned>(-shift));
    digits = mantissa.str();
    exponent = static_cast<int64_t>(digits.size()) + shift;
    trim();
  }

  char at(size_t i) const { return i < digits.size() ? digits[i] : '0'; }

  void trim() {
    size_t length = digits.size();
    while (length > 0 && digits[length - 1] == '0') --length;
    digits.resize(length);
    if (length == 0) exponent = 0;
  }

  void round_down(size_t n) {
    if (n >= digits.size()) return;
    digits.resize(n);
    trim();
  }

  void round_up(size_t n) {
    if (n >= digits.size()) return;
    while (n > 0 && digits[n - 1] == '9') --n;
    if (n == 0) {
      digits = "1";
      ++exponent;
      return;
    }
    ++digits[n - 1];
    digits.resize(n);
  }

  // To n digits (fewer than none: zero), half to even.
  void round(int64_t n) {
    if (n < 0) {
      digits.clear();
      exponent = 0;
      return;
    }
    auto keep = static_cast<size_t>(n);
    if (keep >= digits.size()) return;
    bool up = digits[keep] >= '5';
    if (digits[keep] == '5' && keep + 1 == digits.size()) up = keep > 0 && (digits[keep - 1] - '0') % 2 != 0;
    up ? round_up(keep) : round_down(keep);
  }
};

// Shortens `d`, the exact digits of `parts`, to the fewest that lie within half a unit of the last of `precision` bits.
void round_shortest(Decimal& d, const FloatParts& parts, unsigned precision) {
  if (parts.mantissa == 0) return;
  // One bit more than the precision, so that the lowest bit is half a unit.
  BigInt mantissa = parts.mantissa;
  int64_t exponent = parts.exponent;
  int64_t excess = static_cast<int64_t>(bit_length(mantissa)) - (static_cast<int64_t>(precision) + 1);
  if (excess < 0)
    mantissa <<= static_cast<unsigned>(-excess);
  else
    mantissa >>= static_cast<unsigned>(excess);
  exponent += excess;
  Decimal lower(BigInt(mantissa - 1), exponent);
  Decimal upper(BigInt(mantissa + 1), exponent);
  // The bounds themselves read back as this number only if its mantissa is even.
  bool inclusive = !mp::bit_test(mantissa, 1);
  for (size_t i = 0; i < d.digits.size(); ++i) {
    char m = d.digits[i];
    char l = lower.at(i);
    char u = upper.at(i);
    bool down = l != m || (inclusive && i + 1 == lower.digits.size());
    bool up = m != u && (inclusive || m + 1 < u || i + 1 < upper.digits.size());
    if (down && up) return d.round(static_cast<int64_t>(i + 1));
    if (down) return d.round_down(i + 1);
    if (up) return d.round_up(i + 1);
  }
}

void append_exponent_form(std::string& out, char verb, int64_t precision, const Decimal& d) {
  out += d.digits.empty() ? '0' : d.digits[0];
  if (precision > 0) {
    out += '.';
    for (int64_t i = 1; i <= precision; ++i) out += d.at(static_cast<size_t>(i));
  }
  out += verb;
  int64_t exponent = d.digits.empty() ? 0 : d.exponent - 1;
  out += exponent < 0 ? '-' : '+';
  std::string text = std::to_string(exponent < 0 ? -exponent : exponent);
  if (text.size() < 2) out += '0';
  out += text;
}

void append_plain_form(std::string& out, int64_t precision, const Decimal& d) {
  if (d.exponent > 0) {
    for (int64_t i = 0; i < d.exponent; ++i) out += d.at(static_cast<size_t>(i));
  } else {
    out += '0';
  }
  if (precision <= 0) return;
  out += '.';
  for (int64_t i = 0; i < precision; ++i) {
    int64_t at = d.exponent + i;
    out += at < 0 ? '0' : d.at(static_cast<size_t>(at));
  }
}

}  // namespace

std::optional<Number> Number::parse(std::string_view text, uint16_t precision) {
  if (text.size() > kMaxDigits) return std::nullopt;
  // The common case: a short run of digits.
  if (!text.empty() && text.size() <= 18) {
    int64_t value = 0;
    bool plain = true;
    for (char c : text) {
      if (!is_digit(c)) {
        plain = false;
        break;
      }
      value = value * 10 + (c - '0');
    }
    if (plain) return Number(value, precision);
  }

  size_t at = 0;
  bool negative = false;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) negative = text[at++] == '-';
  if (std::string_view rest = text.substr(at); rest == "Inf" || rest == "inf") return infinity(negative);
  std::string digits;
  int64_t fraction = 0;
  bool seen_point = false;
  for (; at < text.size(); ++at) {
    if (text[at] == '.') {
      if (seen_point) return std::nullopt;
      seen_point = true;
    } else if (is_digit(text[at])) {
      digits += text[at];
      if (seen_point) ++fraction;
    } else {
      break;
    }
  }
  if (digits.empty()) return std::nullopt;
  int64_t exponent = 0;
  bool binary = false;
  if (at < text.size()) {
    char e = text[at++];
    if (e != 'e' && e != 'E' && e != 'p' && e != 'P') return std::nullopt;
    binary = e == 'p' || e == 'P';
    bool minus = false;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) minus = text[at++] == '-';
    if (at == text.size()) return std::nullopt;
    for (; at < text.size(); ++at) {
      if (!is_digit(text[at])) return std::nullopt;
      if (exponent < INT32_MAX) exponent = exponent * 10 + (text[at] - '0');
    }
    if (minus) exponent = -exponent;
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  FloatParts parts;
  parts.negative = negative;
  if (digits.empty()) return NumberAccess::pack(std::move(parts), precision);

  parts.mantissa = BigInt(digits);
  int64_t fives = -fraction;
  parts.exponent = -fraction;
  parts.exponent += exponent;
  if (!binary) fives += exponent;
  // Far out of range: do not even compute it.
  if (parts.exponent > 2 * kMaxExponent || parts.exponent < -4 * static_cast<int64_t>(kMaxDigits) - 2 * kMaxExponent)
    return std::nullopt;
  if (fives == 0) return NumberAccess::pack(std::move(parts), precision);
  FloatParts power = power_of_five(static_cast<uint64_t>(fives < 0 ? -fives : fives), precision + 64u);
  if (fives > 0) {
    parts.mantissa *= power.mantissa;
    parts.exponent += power.exponent;
    return NumberAccess::pack(std::move(parts), precision);
  }
  int64_t want = static_cast<int64_t>(precision) + 2 + bit_length(power.mantissa) - bit_length(parts.mantissa);
  unsigned shift = want > 0 ? static_cast<unsigned>(want) : 0;
  BigInt quotient;
  BigInt remainder;
  mp::divide_qr(BigInt(parts.mantissa << shift), power.mantissa, quotient, remainder);
  parts.mantissa = quotient << 1;
  if (remainder != 0) parts.mantissa |= 1;
  parts.exponent -= power.exponent + shift + 1;
  return NumberAccess::pack(std::move(parts), precision);
}

std::optional<Number> Number::parse_int(std::string_view text, int base) {
  PRAVOC_CHECK(base >= 2 && base <= 62);
  if (text.size() > kMaxDigits) return std::nullopt;
  bool negative = false;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (text.empty()) return std::nullopt;
  BigInt value = 0;
  for (char c : text) {
    int digit = 0;
    if (is_digit(c))
      digit = c - '0';
    else if (c >= 'a' && c <= 'z')
      digit = c - 'a' + 10;
    else if (c >= 'A' && c <= 'Z')
      digit = c - 'A' + (base <= 36 ? 10 : 36);  // letters differ by case only in the large bases
    else
      return std::nullopt;
    if (digit >= base) return std::nullopt;
    value *= base;
    value += digit;
  }
  return NumberAccess::from_integer(negative ? BigInt(-value) : value);
}

std::string Number::to_string() const {
  if (!big_ && (precision_ >= 63 || (payload_.value < (int64_t{1} << 53) && payload_.value > -(int64_t{1} << 53))))
    return std::to_string(payload_.value);
  return format('f', -1);
}

std::string Number::format(char verb, int precision) const {
  FloatParts parts = NumberAccess::unpack(*this);
  std::string out;
  if (parts.negative) out += '-';
  if (parts.infinite) return out.empty() ? "+Inf" : "-Inf";
  Decimal d(parts.mantissa, parts.exponent);
  bool shortest = precision < 0;
  bool general = verb == 'g' || verb == 'G';
  int64_t digits = precision;
  if (shortest) {
    round_shortest(d, parts, precision_);
    auto count = static_cast<int64_t>(d.digits.size());
    digits = general ? count : verb == 'f' ? std::max<int64_t>(count - d.exponent, 0) : count - 1;
  } else if (general) {
    if (digits == 0) digits = 1;
    d.round(digits);
  } else {
    d.round(verb == 'f' ? d.exponent + digits : 1 + digits);
  }
  if (!general) {
    verb == 'f' ? append_plain_form(out, digits, d) : append_exponent_form(out, verb, digits, d);
    return out;
  }
  auto count = static_cast<int64_t>(d.digits.size());
  int64_t threshold = digits;
  if (threshold > count && count >= d.exponent) threshold = count;
  if (shortest) threshold = 6;
  int64_t exponent = d.exponent - 1;
  if (exponent < -4 || exponent >= threshold) {
    append_exponent_form(out, verb == 'g' ? 'e' : 'E', std::min(digits, count) - 1, d);
  } else {
    append_plain_form(out, std::max<int64_t>((digits > d.exponent ? count : digits) - d.exponent, 0), d);
  }
  return out;
}

std::string Number::to_base(int base) const {
  BigInt value = NumberAccess::integer_part(*this);
  if (value == 0) return "0";
  std::string out;
  bool negative = value < 0;
  if (negative) value = -value;
  if (base == 10) {
    out = value.str();
  } else {
    while (value != 0) {
      auto digit = static_cast<unsigned>(value % base);
      out += static_cast<char>(digit < 10 ? '0' + digit : 'a' + digit - 10);
      value /= base;
    }
    std::reverse(out.begin(), out.end());
  }
  return negative ? "-" + out : out;
}

}  // namespace pravo
