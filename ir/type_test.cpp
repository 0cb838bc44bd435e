#include "ir/type.h"

#include <doctest/doctest.h>

#include <thread>

#include "ir/value.h"

namespace pravo {

namespace {

Type parsed(std::string_view text) {
  Result<Type> type = Type::parse(text);
  REQUIRE_MESSAGE(type.ok(), text);
  return *type;
}

}  // namespace

TEST_CASE("types are equal by structure") {
  Type a = Type::object({{"b", Type::string()}, {"a", Type::list(Type::number())}});
  Type b = Type::object({{"a", Type::list(Type::number())}, {"b", Type::string()}});
  CHECK(a == b);
  CHECK(a.hash() == b.hash());
  CHECK_FALSE(a == Type::object({{"a", Type::list(Type::number())}}));
  CHECK_FALSE(Type::list(Type::string()) == Type::set(Type::string()));
  CHECK(Type() == Type::dynamic());
  CHECK_FALSE(Type() == Type::string());
  CHECK_FALSE(Type::tuple({}) == Type::object(KeySet(), {}));
  CHECK_FALSE(Type::object({{"a", Type::string(), true}}) == Type::object({{"a", Type::string()}}));
}

TEST_CASE("a type constraint reads as it prints") {
  for (std::string_view text :
       {"any", "bool", "number", "string", "list(string)", "set(map(number))", "tuple([])", "tuple([string,bool])",
        "object({})", "object({a=string,b=optional(list(any))})", "object({\"a b\"=string})"}) {
    CHECK(parsed(text).to_string() == text);
  }
  CHECK(parsed(" object({ a = string , b : number }) ").to_string() == "object({a=string,b=number})");
  for (std::string_view bad :
       {"", "strin", "list", "list()", "list(string", "object({a})", "tuple([string)", "string x"})
    CHECK_FALSE(Type::parse(bad).ok());
}

TEST_CASE("cty's JSON encoding goes both ways") {
  for (std::string_view text : {"any", "list(string)", "object({a=string,b=tuple([any,bool])})",
                                "object({a=optional(number),b=string})", "map(set(number))"}) {
    Type type = parsed(text);
    Result<Type> back = Type::from_json(type.to_json());
    REQUIRE(back.ok());
    CHECK(*back == type);
  }
  CHECK(parsed("object({a=string})").to_json() == R"(["object",{"a":"string"}])");
  CHECK(parsed("object({a=optional(string)})").to_json() == R"(["object",{"a":"string"},["a"]])");
  CHECK(Type().to_json() == "\"dynamic\"");
  for (std::string_view bad :
       {"", "\"int\"", "[\"list\"]", "[\"list\",\"string\",1]", "[\"object\",[]]", "\"string\" 1", "[]"})
    CHECK_FALSE(Type::from_json(bad).ok());
}

TEST_CASE("names for messages") {
  CHECK(parsed("list(map(string))").friendly_name() == "list of map of string");
  CHECK(parsed("object({a=string})").friendly_name() == "object");
  CHECK(parsed("list(any)").friendly_constraint() == "list of any single type");
  CHECK(Type().friendly_constraint() == "any type");
}

TEST_CASE("the console's form spans lines") {
  CHECK(parsed("object({a=string,b=tuple([number])})").to_console_string() ==
        "object({\n    a: string,\n    b: tuple([\n        number,\n    ]),\n})");
  CHECK(parsed("object({})").to_console_string() == "object({})");
}

TEST_CASE("optional attributes go away") {
  Type type = parsed("list(object({a=optional(object({b=optional(string)}))}))");
  CHECK(type.has_optional());
  CHECK(type.without_optional().to_string() == "list(object({a=object({b=string})}))");
  CHECK_FALSE(type.without_optional().has_optional());
}

TEST_CASE("types that nest too deep are refused") {
  std::string text;
  std::string json;
  for (int i = 0; i < 100000; ++i) text += "list(";
  for (int i = 0; i < 100000; ++i) json += "[\"list\",";
  CHECK(Type::parse(text).error().kind == EvalErrorKind::Limit);
  CHECK(Type::from_json(json).error().kind == EvalErrorKind::Limit);
}

TEST_CASE("types are shared between threads") {
  Type type = parsed("object({a=list(string),b=map(number)})");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([type] {
      for (int i = 0; i < 10000; ++i) {
        Type copy = type;
        Type list = Type::list(copy);
        if (!(list.element() == type)) std::abort();
      }
    });
  }
  for (auto& t : threads) t.join();
  CHECK(type.to_string() == "object({a=list(string),b=map(number)})");
}

}  // namespace pravo
