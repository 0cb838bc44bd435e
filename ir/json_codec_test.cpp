#include "ir/json_codec.h"

#include <doctest/doctest.h>

namespace pravo {

namespace {

std::string decoded(std::string_view text) {
  Result<Value> v = decode_json(text);
  return v ? debug_string(*v) : "error: " + v.error().text();
}

Type type(std::string_view text) {
  Result<Type> t = Type::parse(text);
  REQUIRE_MESSAGE(t.ok(), text);
  return *t;
}

std::string typed(std::string_view text, std::string_view as) {
  Result<Value> v = decode_typed_json(text, type(as));
  return v ? debug_string(*v) : "error: " + v.error().text();
}

}  // namespace

TEST_CASE("decoding keeps numbers exact and takes the last of equal keys") {
  CHECK(decoded(R"({"b":1,"a":[true,null,"x",2.50]})") == R"({"a" = [true, null, "x", 2.5], "b" = 1})");
  CHECK(decoded("123456789012345678901234567890.5") == "123456789012345678901234567890.5");
  CHECK(decoded(R"({"a":1,"a":2})") == R"({"a" = 2})");
  CHECK(decoded(R"("\u00e9\ud83d\ude00\n\/")") == "\"\xC3\xA9\xF0\x9F\x98\x80\\n/\"");
  CHECK(decoded(R"("\ud800x")") == "\"\xEF\xBF\xBDx\"");
  CHECK(decoded("\"\xFF\"") == "\"\xEF\xBF\xBD\"");
  CHECK(decoded(" [ ] ") == "[]");
}

TEST_CASE("malformed texts are refused with their place, without quoting them") {
  for (std::string_view bad :
       {"",        " ",          "{",       "[1,]",      "{a:1}",  "01", "1.", "nul", "\"a", "1 2", "[1",
        "{\"a\"}", "{\"a\":1,}", "\"\\x\"", "\"\\u12\"", "\"\t\"", "+1", ".5", "1e",  "--1", "]",   "[1}"})
    CHECK_MESSAGE(decoded(bad).starts_with("error: "), bad);
  CHECK(decoded("[1,]") == "error: unexpected character at byte 3");
  CHECK(decoded("{\"secret\": hidden}").find("hidden") == std::string::npos);
  CHECK(decode_json("[1e99999]").error().message == "number out of range at byte 8");
}

TEST_CASE("deep nesting is refused, not recursed into") {
  std::string open(200000, '[');
  CHECK(decode_json(open).error().kind == EvalErrorKind::Limit);
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  CHECK(decode_json(objects).error().kind == EvalErrorKind::Limit);
  CHECK(decode_typed_json(open, type("any")).error().kind == EvalErrorKind::Type);
}

TEST_CASE("encoding escapes as Go does") {
  auto encoded = [](Value v) { return *encode_json(v); };
  CHECK(encoded(Value::string("<a> & \"b\"\\\n\t\x01\x7f\xE2\x80\xA8")) == R"("\u003ca\u003e \u0026 \"b\"\\\n\t\u0001)"
                                                                           "\x7f"
                                                                           R"(\u2028")");
  CHECK(encoded(Value::number(*Number::parse("1e21"))) == "1000000000000000000000");
  CHECK(encoded(Value::number(*Number::parse("0.1"))) == "0.1");
  CHECK(encoded(Value::null(Type::string())) == "null");
  CHECK(encoded(Value::object({{Str("b"), Value::empty_tuple()}, {Str("a"), Value::boolean(true)}})) ==
        R"({"a":true,"b":[]})");
  CHECK_FALSE(encode_json(Value::number(Number::infinity(false))).ok());
  std::string plain;
  append_json_string(plain, "<", false);
  CHECK(plain == "\"<\"");
}

TEST_CASE("typed encoding wraps what is dynamic") {
  Value v =
      Value::object({{Str("a"), Value::number(1)}, {Str("d"), Value::list(Type::string(), {Value::string("x")})}});
  std::string text = encode_typed_json(v, type("object({a=number,d=any})"));
  CHECK(text == R"({"a":1,"d":{"value":["x"],"type":["list","string"]}})");
  Result<Value> back = decode_typed_json(text, type("object({a=number,d=any})"));
  REQUIRE(back.ok());
  CHECK(back->equals_raw(v));
  CHECK(encode_typed_json(v, Type()) ==
        R"({"value":{"a":1,"d":["x"]},"type":["object",{"a":"number","d":["list","string"]}]})");
  CHECK(encode_typed_json(Value::null(), Type()) == "null");
}

TEST_CASE("typed decoding takes the type before or after the value") {
  CHECK(typed(R"({"type":"number","value":5})", "any") == "5");
  CHECK(typed(R"({"value":{"x":[1]},"type":["object",{"x":["set","number"]}]})", "any") == "{\"x\" = set[1]}");
  CHECK(typed("null", "list(string)") == "null list(string)");
  CHECK(typed(R"({"a":"1"})", "object({a=number,b=string})") == "{\"a\" = 1, \"b\" = null string}");
  CHECK(typed("[3,1,2,1]", "set(number)") == "set[1, 2, 3]");
  CHECK(typed("true", "string") == "\"true\"");
  CHECK(typed("[]", "map(string)") == "error: a map is required");
  CHECK(typed("[1,\"x\"]", "list(number)") == "error: `[1]`: a number is required");
  CHECK(typed(R"({"zz":1})", "object({a=number})") == "error: `zz`: this attribute is not part of the type");
  CHECK(typed("[1]", "tuple([number,number])") == "error: this tuple has too few elements");
  CHECK(typed(R"({"value":1})", "any") == "error: an object with `value` and `type` is required");
}

}  // namespace pravo
