#include "ir/functions/go_math.h"

#include <cmath>
#include <limits>

// Each operation rounds by itself here, whatever the compiler would like to fuse.
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif

namespace pravo::functions {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_odd_integer(double x) {
  if (std::fabs(x) >= 9007199254740992.0) return false;  // all even from 2^53 on
  double whole = 0;
  double fraction = std::modf(x, &whole);
  return fraction == 0 && (static_cast<long long>(whole) & 1) == 1;
}

}  // namespace

// The method of FreeBSD's e_log.c: x = 2^k (1 + f), and a polynomial in f / (2 + f).
double go_log(double x) {
  if (std::isnan(x) || x == kInfinity) return x;
  if (x < 0) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0) return -kInfinity;
  constexpr double kLn2Hi = 6.93147180369123816490e-01;
  constexpr double kLn2Lo = 1.90821492927058770002e-10;
  constexpr double kL[] = {6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01,
                           2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01,
                           1.479819860511658591e-01};
  int exponent = 0;
  double fraction = std::frexp(x, &exponent);
  if (fraction < M_SQRT2 / 2) {
    fraction *= 2;
    --exponent;
  }
  double f = fraction - 1;
  double k = exponent;
  double s = f / (2 + f);
  double s2 = s * s;
  double s4 = s2 * s2;
  double t1 = s2 * (kL[0] + s4 * (kL[2] + s4 * (kL[4] + s4 * kL[6])));
  double t2 = s4 * (kL[1] + s4 * (kL[3] + s4 * kL[5]));
  double r = t1 + t2;
  double half = 0.5 * f * f;
  return k * kLn2Hi - ((half - (s * (half + r) + k * kLn2Lo)) - f);
}

// x = k ln 2 + r; r / 16 in a Taylor series, then four times (1 + y)^2 - 1 = y (y + 2).
double go_exp(double x) {
  if (std::isnan(x) || x == kInfinity) return x;
  if (x == -kInfinity) return 0;
  constexpr double kOverflow = 7.09782712893384e+02;
  constexpr double kUnderflow = -7.45133219101941e+02;
  if (x > kOverflow) return kInfinity;
  if (x < kUnderflow) return 0;
  constexpr double kLog2E = 1.4426950408889634073599246810018920;
  constexpr double kLn2Upper = 0.69314718055966295651160180568695068359375;
  constexpr double kLn2Lower = 0.28235290563031577122588448175013436025525412068e-12;
  double k = std::nearbyint(x * kLog2E);
  double r = std::fma(-k, kLn2Upper, x);
  r = std::fma(-k, kLn2Lower, r);
  r *= 0.0625;
  constexpr double kSeries[] = {2.4801587301587301587e-5,
                                1.9841269841269841270e-4,
                                1.3888888888888888889e-3,
                                8.3333333333333333333e-3,
                                4.1666666666666666667e-2,
                                1.6666666666666666667e-1,
                                0.5,
                                1.0};
  double sum = kSeries[0];
  for (int i = 1; i < 8; ++i) sum = std::fma(sum, r, kSeries[i]);
  double y = r * sum;
  for (int i = 0; i < 3; ++i) y = y * (y + 2.0);
  return std::ldexp(std::fma(y, y + 2.0, 1.0), static_cast<int>(k));
}

// The fraction of the exponent by exp and log, the whole part by squaring.
double go_pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (y == 1) return x;
  if (std::isnan(x) || std::isnan(y)) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0) {
    if (y < 0) return std::signbit(x) && is_odd_integer(y) ? std::copysign(kInfinity, x) : kInfinity;
    return std::signbit(x) && is_odd_integer(y) ? x : 0;
  }
  if (std::isinf(y)) {
    if (x == -1) return 1;
    return (std::fabs(x) < 1) == (y > 0) ? 0 : kInfinity;
  }
  if (std::isinf(x)) {
    if (x < 0) return go_pow(1 / x, -y);
    return y < 0 ? 0 : kInfinity;
  }
  if (y == 0.5) return std::sqrt(x);
  if (y == -0.5) return 1 / std::sqrt(x);
  double whole = 0;
  double fraction = std::modf(std::fabs(y), &whole);
  if (fraction != 0 && x < 0) return std::numeric_limits<double>::quiet_NaN();
  if (whole >= 9.223372036854775808e18) {
    if (x == -1) return 1;
    return (std::fabs(x) < 1) == (y > 0) ? 0 : kInfinity;
  }
  double mantissa = 1;
  int exponent = 0;
  if (fraction != 0) {
    if (fraction > 0.5) {
      fraction -= 1;
      whole += 1;
    }
    mantissa = go_exp(fraction * go_log(x));
  }
  int base_exponent = 0;
  double base = std::frexp(x, &base_exponent);
  for (auto i = static_cast<long long>(whole); i != 0; i >>= 1) {
    if (base_exponent < -(1 << 12) || base_exponent > (1 << 12)) {
      exponent += base_exponent;  // out of range already; ldexp makes it zero or infinity
      break;
    }
    if ((i & 1) == 1) {
      mantissa *= base;
      exponent += base_exponent;
    }
    base *= base;
    base_exponent *= 2;
    if (base < 0.5) {
      base += base;
      --base_exponent;
    }
  }
  if (y < 0) {
    mantissa = 1 / mantissa;
    exponent = -exponent;
  }
  return std::ldexp(mantissa, exponent);
}

}  // namespace pravo::functions
