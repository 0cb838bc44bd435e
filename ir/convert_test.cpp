#include "ir/convert.h"
#include "ir/misfit.h"

#include <doctest/doctest.h>

#include "ir/functions/expression_for_test.h"

namespace pravo {

namespace {

Value eval(std::string_view text) {
  RefusingHost host;
  Result<Value> v = testing::evaluate_for_test(text, {}, host);
  REQUIRE_MESSAGE(v.ok(), text);
  return *v;
}

Type type(std::string_view text) {
  Result<Type> t = Type::parse(text);
  REQUIRE_MESSAGE(t.ok(), text);
  return *t;
}

// The converted value, or the error as a user sees it.
std::string converted(std::string_view expression, std::string_view to) {
  Result<Value> v = convert(eval(expression), type(to));
  return v ? debug_string(*v) : "error: " + v.error().text();
}

std::string unified(std::initializer_list<std::string_view> texts, bool safe = true) {
  std::vector<Type> types;
  for (std::string_view t : texts) types.push_back(type(t));
  std::optional<Type> one = unify(types, safe);
  return one ? one->to_string() : "nothing";
}

}  // namespace

TEST_CASE("conversions of values") {
  CHECK(converted("1.5", "string") == "\"1.5\"");
  CHECK(converted("true", "string") == "\"true\"");
  CHECK(converted("\"12\"", "number") == "12");
  CHECK(converted("\"1\"", "bool") == "true");
  CHECK(converted("[1, \"a\"]", "list(string)") == "list[\"1\", \"a\"]");
  CHECK(converted("[\"b\", \"a\", \"b\"]", "set(string)") == "set[\"a\", \"b\"]");
  CHECK(converted("{a=1, b=\"x\"}", "map(string)") == "map{\"a\" = \"1\", \"b\" = \"x\"}");
  CHECK(converted("tomap({a=1, c=2})", "object({a=string})") == "{\"a\" = \"1\"}");
  CHECK(converted("{a=1, extra=2}", "object({a=number, b=optional(string)})") == "{\"a\" = 1, \"b\" = null string}");
  CHECK(converted("[[1], [\"x\"]]", "list(any)") == "list[[\"1\"], [\"x\"]]");
  CHECK(converted("[[1], [\"x\", 2]]", "list(any)") == "list[list[\"1\"], list[\"x\", \"2\"]]");
  CHECK(converted("[{a=1}, {a=\"x\"}]", "list(object({a=any}))") == "list[{\"a\" = \"1\"}, {\"a\" = \"x\"}]");
  CHECK(converted("null", "list(string)") == "null list(string)");
  CHECK(converted("[]", "set(any)") == "set(any)[]");
  CHECK(converted("[1, null]", "list(any)") == "list[1, null number]");
}

TEST_CASE("errors lead to the part at fault and say what it must be") {
  CHECK(converted("{a={n=\"x\"}}", "object({a=object({n=number})})") ==
        "error: `a.n`: a number is required, but this is a string");
  CHECK(converted("[1, [2]]", "list(number)") == "error: `[1]`: a number is required, but this is a tuple");
  CHECK(converted("{a=1}", "object({a=number, b=string, c=bool})") == "error: attributes `b` and `c` are required");
  CHECK(converted("tomap({k=\"x\"})", "map(number)") == "error: `[\"k\"]`: a number is required, but this is a string");
  CHECK(converted("{k=\"x\"}", "map(number)") == "error: `[\"k\"]`: a number is required, but this is a string");
  CHECK(converted("\"yes\"", "bool") ==
        "error: a bool is required, but this is a string other than `true` and `false`");
  CHECK(converted("{}", "list(string)") == "error: a list of string is required, but this is an object");
  CHECK(converted("[1, {}]", "list(any)") ==
        "error: all elements of the list must be of the same type, but `[0]` is a number and `[1]` is an object");
  CHECK(converted("{p=[{q=1}, {q=[]}]}", "object({p=list(object({q=number}))})") ==
        "error: `p[1].q`: a number is required, but this is a tuple");
  CHECK(converted("{a={x=1}, b={x=[]}}", "map(any)") ==
        "error: all elements of the map must be of the same type; of `[\"a\"]` and `[\"b\"]`, `x` is a number in the "
        "first and a tuple in the second");
  CHECK(converted("[1]", "tuple([number, number])") == "error: a tuple of 2 elements is required, but this has 1");
}

TEST_CASE("what does not fit of a type is told by the same paths") {
  auto why = [](std::string_view from, std::string_view to) {
    return type_misfit(*Type::parse(from), *Type::parse(to)).text();
  };
  CHECK(why("object({p=list(object({q=list(string)}))})", "object({p=list(object({q=number}))})") ==
        "`p[*].q`: a number is required, but this is a list of string");
  CHECK(why("tuple([object({q=string}), object({q=list(bool)})])", "list(object({q=string}))") ==
        "`[1].q`: a string is required, but this is a list of bool");
  CHECK(why("object({a=object({})})", "map(object({q=string}))") == "`[\"a\"]`: attribute `q` is required");
  CHECK(why("map(list(string))", "object({q=number})") ==
        "`[\"q\"]`: a number is required, but this is a list of string");
}

TEST_CASE("all parts that do not fit are found") {
  Value v = Value::object({{Str("a"), Value::string("x")},
                           {Str("b"), Value::tuple({Value::number(1), Value::string("y")})},
                           {Str("c"), Value::number(1)}});
  auto found = value_misfits(v, *Type::parse("object({a=number, b=list(number), c=string, d=bool})"), 10);
  std::string all;
  for (const Misfit& m : found) all += m.text() + "\n";
  CHECK(all ==
        "attribute `d` is required\n"
        "`a`: a number is required, but this is a string\n"
        "`b[1]`: a number is required, but this is a string\n");
  CHECK(value_misfits(v, *Type::parse("object({a=number, b=list(number), c=string})"), 1).size() == 1);
  CHECK(value_misfits(v, *Type::parse("object({a=string})"), 10).empty());
  found = value_misfits(v.with_marks(MarkSet::Sensitive), *Type::parse("object({a=number})"), 10);
  REQUIRE(found.size() == 1);
  CHECK(found[0].text() == "a number is required");
}

TEST_CASE("errors tell nothing of what is marked") {
  MarkSet secret = MarkSet::Sensitive;
  Value v = Value::map(Type::string(), {{Str("hidden_key"), Value::string("hidden_value")}}).with_marks(secret);
  Result<Value> failed = convert(v, type("map(number)"));
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.error().text().find("hidden") == std::string::npos);
  Value object = eval("{hidden_a=1, hidden_b={}}").with_marks(secret);
  failed = convert(object, type("map(number)"));
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.error().text().find("hidden") == std::string::npos);
}

TEST_CASE("marks stay on their parts") {
  Value v = Value::object({{Str("a"), Value::number(1).with_marks(MarkSet::Sensitive)},
                           {Str("gone"), Value::string("x").with_marks(MarkSet::Ephemeral)}});
  Result<Value> r = convert(v, type("object({a=string})"));
  REQUIRE(r.ok());
  CHECK(r->deep_marks() == MarkSet::Sensitive);  // the mark of the dropped attribute went with it
  CHECK(r->find("a")->marks() == MarkSet::Sensitive);
  Value set = Value::tuple({Value::string("a").with_marks(MarkSet::Ephemeral), Value::string("b")});
  CHECK(convert(set, type("set(string)"))->marks() == MarkSet::Ephemeral);
}

TEST_CASE("what is known of an unknown value survives") {
  Value tuple = Value::unknown(type("tuple([string,number])"));
  Result<Value> list = convert(tuple, type("list(string)"));
  REQUIRE(list->is_unknown());  // it may be null
  CHECK(list->refinements().min_length == 2);
  Result<Value> known = convert(tuple.refine_not_null(), type("list(string)"));
  CHECK(known->length() == 2);
  Result<Value> set = convert(tuple.refine_not_null(), type("set(string)"));
  CHECK(set->refinements().min_length == 1);
  CHECK(set->refinements().max_length == 2);
  CHECK(convert(Value::unknown(type("list(number)")), type("list(any)"))->type() == type("list(number)"));
  CHECK_FALSE(convert(Value::unknown(type("object({})")), type("list(string)")).ok());
}

TEST_CASE("unification follows cty's preferences") {
  CHECK(unified({"string", "number"}) == "string");
  CHECK(unified({"bool", "number"}) == "nothing");
  CHECK(unified({"bool", "number", "string"}) == "string");
  CHECK(unified({"number", "any"}, false) == "number");
  CHECK(unified({"tuple([number])", "tuple([string,bool])"}) == "list(string)");
  CHECK(unified({"tuple([number])", "tuple([string])"}) == "tuple([string])");
  CHECK(unified({"tuple([number])", "list(string)"}) == "list(string)");
  CHECK(unified({"list(string)", "set(string)"}, false) == "list(string)");
  CHECK(unified({"object({a=number})", "object({b=string})"}) == "map(string)");
  CHECK(unified({"object({a=number})", "object({a=string})"}) == "object({a=string})");
  CHECK(unified({"object({a=number})", "map(string)"}) == "map(string)");
  CHECK(unified({"object({})", "tuple([])"}) == "nothing");
  CHECK(unified({"list(string)", "any"}) == "any");
  CHECK(unified({}) == "nothing");
}

TEST_CASE("many different types unify in time that grows with them") {
  std::vector<Type> types;
  for (int i = 0; i < 20000; ++i)
    types.push_back(Type::object({{std::string_view("k" + std::to_string(i)), Type::string()}}));
  CHECK(unify(types)->to_string() == "map(string)");
}

TEST_CASE("defaults of optional attributes") {
  TypeConstraint c;
  c.type = type("object({name=string, tags=optional(map(string)), disk=optional(object({size=optional(number)}))})");
  Defaults disk;
  disk.values.emplace_back(Str("size"), Value::number(10));
  c.defaults.values.emplace_back(Str("tags"), Value::empty_object());
  c.defaults.values.emplace_back(Str("disk"), Value::empty_object());
  c.defaults.attributes.emplace_back(Str("disk"), disk);
  auto filled = [&](std::string_view text) {
    Result<Value> v = convert_with_defaults(eval(text), c);
    return v ? debug_string(*v) : "error: " + v.error().text();
  };
  CHECK(filled("{name=\"a\"}") == "{\"disk\" = {\"size\" = 10}, \"name\" = \"a\", \"tags\" = map(string){}}");
  CHECK(filled("{name=\"a\", tags=null, disk={size=1}}") ==
        "{\"disk\" = {\"size\" = 1}, \"name\" = \"a\", \"tags\" = map(string){}}");
  CHECK(filled("{tags={}}") == "error: attribute `name` is required");
  CHECK(filled("null").starts_with("null object"));
  // Along lists and maps.
  TypeConstraint list;
  list.type = Type::list(c.type);
  list.defaults.element.push_back(c.defaults);
  CHECK(debug_string(*convert_with_defaults(eval("[{name=\"a\"}]"), list)) ==
        "list[{\"disk\" = {\"size\" = 10}, \"name\" = \"a\", \"tags\" = map(string){}}]");
}

}  // namespace pravo
