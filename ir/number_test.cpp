#include "ir/number.h"

#include <doctest/doctest.h>

#include <cmath>

#include "ir/number_rep.h"

namespace pravo {

namespace {

Number num(std::string_view text) {
  std::optional<Number> n = Number::parse(text);
  REQUIRE(n.has_value());
  return *n;
}

std::string divided(const Number& a, const Number& b) { return Number::divide(a, b)->to_string(); }

}  // namespace

TEST_CASE("numbers are read as decimal and nothing else") {
  CHECK(num("12").is_small());
  CHECK(num("-7").small() == -7);
  CHECK(num("+5").to_string() == "5");
  CHECK(num(".5").to_string() == "0.5");
  CHECK(num("5.").to_string() == "5");
  CHECK(num("1e3").to_string() == "1000");
  CHECK(num("1E-7").to_string() == "0.0000001");
  CHECK(num("-0").to_string() == "-0");
  CHECK(num("0.10").to_string() == "0.1");
  CHECK(num("Inf").is_infinite());
  for (std::string_view bad :
       {"", " 1", "1 ", "0x10", "1_000", "1e", ".", "-", "1.2.3", "NaN", "1e+", "--1", "infinity"})
    CHECK_FALSE(Number::parse(bad).has_value());
}

TEST_CASE("the precision of the operands decides that of the result") {
  // Literals have 512 bits, counted things 64, computed ones 53.
  CHECK(
      divided(num("1"), num("3")) ==
      "0."
      "3333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333"
      "3333333333333333333333333333333333333333335");
  CHECK(divided(Number::from_int(1), Number::from_int(3)) == "0.33333333333333333334");
  CHECK(divided(Number::from_double(1), Number::from_double(3)) == "0.3333333333333333");
  CHECK(divided(Number::from_int(1), num("3")).size() > 150);
}

TEST_CASE("sums and products of literals are exact where 512 bits suffice") {
  CHECK(Number::add(num("0.1"), num("0.2"))->to_string() == "0.3");
  CHECK(Number::multiply(num("123456789012345678901234567890"), num("10"))->to_string() ==
        "1234567890123456789012345678900");
  CHECK(Number::subtract(num("9223372036854775808"), num("1"))->is_small());
  CHECK(Number::add(num("9223372036854775807"), num("1"))->to_string() == "9223372036854775808");
  CHECK(Number::multiply(num("9223372036854775807"), num("9223372036854775807"))->to_string() ==
        "85070591730234615847396907784232501249");
  CHECK(Number::from_int(INT64_MIN).negate().to_string() == "9223372036854775808");
  CHECK(num("-9223372036854775808").is_small());
}

TEST_CASE("zero keeps its sign as in Terraform") {
  CHECK(Number::multiply(num("0"), num("-1"))->to_string() == "-0");
  CHECK(divided(num("0"), num("-5")) == "-0");
  CHECK(num("0").negate().to_string() == "-0");
  CHECK(num("-0") == num("0"));
  CHECK(num("-0").hash() == num("0").hash());
  CHECK(num("-0").floor().to_string() == "0");
}

TEST_CASE("what has no value is refused") {
  CHECK_FALSE(Number::divide(num("0"), num("0")).has_value());
  CHECK(Number::divide(num("1"), num("0"))->is_infinite());
  CHECK(Number::divide(num("-1"), num("0"))->to_string() == "-Inf");
  Number infinity = Number::infinity(false);
  CHECK_FALSE(Number::subtract(infinity, infinity).has_value());
  CHECK_FALSE(Number::multiply(infinity, num("0")).has_value());
  CHECK_FALSE(Number::modulo(infinity, num("2")).has_value());
  CHECK(Number::modulo(num("5"), num("0"))->to_string() == "5");
}

TEST_CASE("modulo takes the sign of the dividend") {
  CHECK(Number::modulo(num("-7"), num("3"))->to_string() == "-1");
  CHECK(Number::modulo(num("7"), num("-3"))->to_string() == "1");
  CHECK(Number::modulo(num("7.5"), num("2"))->to_string() == "1.5");
  CHECK(Number::modulo(Number::from_int(INT64_MIN), Number::from_int(-1))->to_string() == "0");
}

TEST_CASE("sizes are bounded, so that printing is") {
  CHECK_FALSE(Number::parse("1e70000").has_value());
  CHECK_FALSE(Number::parse("1e-70000").has_value());
  CHECK_FALSE(Number::parse("1e999999999999999999999").has_value());
  CHECK_FALSE(Number::parse(std::string(50000, '9')).has_value());
  Number big = num("1e19000");
  CHECK_FALSE(Number::multiply(big, big).has_value());
  CHECK(big.to_string().size() == 19001);
}

TEST_CASE("doubles round once") {
  CHECK(num("0.1").to_double() == 0.1);
  CHECK(num("1e400").to_double() == HUGE_VAL);
  CHECK(num("4.9406564584124654e-324").to_double() == 4.9406564584124654e-324);
  CHECK(num("1e-400").to_double() == 0.0);
  for (double d : {1.5, -2.25, 1e300, 3.141592653589793, 1e-310, 9007199254740993.0})
    CHECK(Number::from_double(d).to_double() == d);
}

TEST_CASE("formats as Go prints big floats") {
  CHECK(num("1234.5678").format('e', 6) == "1.234568e+03");
  CHECK(num("1.5").format('f', 6) == "1.500000");
  CHECK(num("2.5").format('f', 0) == "2");
  CHECK(num("3.5").format('f', 0) == "4");
  CHECK(num("2.25").format('f', 1) == "2.2");
  CHECK(num("1e21").format('g', -1) == "1e+21");
  CHECK(num("123456789").format('g', -1) == "1.23456789e+08");
  CHECK(num("100000").format('g', -1) == "100000");
  CHECK(num("0").format('e', 6) == "0.000000e+00");
  CHECK(num("255").to_base(16) == "ff");
  CHECK(num("-5").to_base(2) == "-101");
  CHECK(num("100000000000000000000").to_base(8) == "12657072742654304000000");
}

TEST_CASE("whole numbers of any base") {
  CHECK(Number::parse_int("FF", 16)->to_string() == "255");
  CHECK(Number::parse_int("aA", 62)->to_string() == "656");
  CHECK(Number::parse_int("-zz", 36)->to_string() == "-1295");
  CHECK_FALSE(Number::parse_int("12", 2).has_value());
  CHECK_FALSE(Number::parse_int("", 10).has_value());
  CHECK_FALSE(Number::parse_int("1.5", 10).has_value());
}

TEST_CASE("comparing and hashing ignore the precision") {
  CHECK(Number::from_int(3) == num("3"));
  CHECK(Number::from_double(0.5) == num("0.5"));
  CHECK(Number::from_double(0.5).hash() == num("0.5").hash());
  CHECK(Number::from_double(0.1).compare(num("0.1")) == 1);  // the double is a little more
  CHECK(num("-1").compare(num("1e-9")) == -1);
  CHECK(num("1e30").compare(num("1e29")) == 1);
  CHECK(Number::infinity(true).compare(num("-1e300")) == -1);
}

}  // namespace pravo
