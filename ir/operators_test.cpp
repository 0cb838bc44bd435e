#include "ir/operators.h"

#include <doctest/doctest.h>

#include "ir/functions/expression_for_test.h"

namespace pravo {

namespace {

// Names: `u` of the dynamic type, `us` an unknown string, `un` an unknown number, `ul` an unknown list; `s` sensitive,
// `e` ephemeral.
testing::Scope scope() {
  testing::Scope s;
  s.names["u"] = Value::unknown();
  s.names["us"] = Value::unknown(Type::string()).refine_not_null();
  s.names["un"] = Value::unknown(Type::number()).refine_not_null();
  s.names["ul"] = Value::unknown(Type::list(Type::string())).refine_not_null();
  s.names["s"] = Value::string("sec").with_marks(MarkSet::Sensitive);
  s.names["e"] = Value::string("eph").with_marks(MarkSet::Ephemeral);
  return s;
}

Result<Value> evaluated(std::string_view text) {
  RefusingHost host;
  return testing::evaluate_for_test(text, scope(), host);
}

std::string eval(std::string_view text) {
  Result<Value> v = evaluated(text);
  return v ? debug_string(*v) : "error: " + v.error().text();
}

MarkSet marks(std::string_view text) {
  Result<Value> v = evaluated(text);
  REQUIRE_MESSAGE(v.ok(), text);
  return v->marks();
}

}  // namespace

TEST_CASE("operands are converted and must not be null") {
  CHECK(eval("\"5\" + 3") == "8");
  CHECK(eval("true && \"true\"") == "true");
  CHECK(eval("\"a\" + 1") ==
        "error: an operand of `+` must be a number, but this is a string; to join strings, write \"${a}${b}\"");
  CHECK(eval("1 < \"b\"") == "error: an operand of `<` must be a number, but this is a string");
  CHECK(eval("[1] + 1") == "error: an operand of `+` must be a number, but this is a tuple");
  CHECK(eval("null + 1") == "error: an operand of `+` must be a number, but this is null");
  CHECK(eval("-\"x\"") == "error: the operand of `-` must be a number, but this is a string");
  CHECK(eval("!\"yes\"") ==
        "error: the operand of `!` must be a bool, but this is a string other than `true` and `false`");
  CHECK(eval("true && {}") == "error: an operand of `&&` must be a bool, but this is an object");
  CHECK(evaluated("1 + \"x\"").error().argument == 1);
  CHECK(eval("0 / 0") == "error: zero divided by zero has no value");
  CHECK(eval("-\"5\"") == "-5");
  CHECK(eval("!\"false\"") == "true");
}

TEST_CASE("equality goes by type and content") {
  CHECK(eval("1 == 1.0") == "true");
  CHECK(eval("1 == \"1\"") == "false");
  CHECK(eval("null == null") == "true");
  CHECK(eval("[1] == tolist([1])") == "false");
  CHECK(eval("{a=1,b=2} == {b=2,a=1}") == "true");
  CHECK(eval("toset([1,2]) == toset([2,1])") == "true");
}

TEST_CASE("unknown operands give unknown results with what is known of them") {
  CHECK(eval("un + 1") == "unknown number not null");
  CHECK(eval("us == \"a\"") == "unknown bool not null");
  CHECK(eval("us == null") == "false");
  CHECK(eval("us == 5") == "false");
  CHECK(eval("u == 5") == "unknown bool not null");
  CHECK(eval("\"a${us}\" == \"b\"") == "unknown bool not null");
  CHECK(eval("\"ab-${us}\" == \"b\"") == "false");  // the prefix rules it out
  CHECK(eval("false && (us == \"a\")") == "unknown bool not null");
  CHECK(eval("length(\"ab-${us}\") > 1") == "true");
  CHECK(eval("[1, us] == [2, us]") == "false");
  CHECK(eval("{a=us, b=1} == {a=us, b=2}") == "false");
}

TEST_CASE("a template that has unknown parts keeps the prefix before them") {
  CHECK(eval("\"ab-${us}-c\"") == "unknown string not null prefix \"ab-\"");
  CHECK(eval("\"abc${us}\"") == "unknown string not null prefix \"ab\"");  // a mark might still combine with the c
  CHECK(eval("\"x${[1]}\"") == "error: a list cannot be part of a string; `jsonencode` or `join` make one of it");
  CHECK(eval("\"x${null}\"") == "error: a null cannot be part of a string");
  CHECK(eval("\"${[1]}\"") == "[1]");
  CHECK(evaluated("\"a${1}${null}\"").error().argument == 4);
}

TEST_CASE("conditions choose one arm of a common type") {
  CHECK(eval("true ? 1 : \"a\"") == "\"1\"");
  CHECK(eval("true ? null : \"x\"") == "null string");
  CHECK(eval("true ? {a=1} : {}") == "map{\"a\" = 1}");
  CHECK(eval("true ? [1] : {}") ==
        "error: both results of a condition must be of one type, but this is a tuple if true and an object if false");
  CHECK(eval("true ? {a=1} : {b=[2]}") ==
        "error: both results of a condition must be of one type, but attribute `a` is only in the first");
  CHECK(
      eval("true ? {a={b=[1]}} : {a={b={}}}") ==
      "error: both results of a condition must be of one type, but `a.b` is a tuple in the first and an object in the "
      "second");
  CHECK(eval("1 ? 1 : 2") == "error: the condition must be a bool, but this is a number");
  CHECK(eval("null ? 1 : 2") == "error: the condition is null, but must be true or false");
  CHECK(eval("un > 1 ? 2 : 5") == "unknown number not null >= 2 <= 5");
  CHECK(eval("un > 1 ? tolist([\"a\"]) : tolist([\"b\"])") == "list[unknown string]");
  CHECK(eval("un > 1 ? null : null") == "null");
}

TEST_CASE("marks of operands, conditions, arms and keys join the result") {
  CHECK(marks("s == \"x\"") == MarkSet::Sensitive);
  CHECK(marks("\"${s}${e}\"") == MarkSet::Both);
  CHECK(marks("s == \"q\" ? 1 : 2") == MarkSet::Sensitive);
  CHECK(marks("false ? e : \"x\"") == MarkSet::Ephemeral);
  CHECK(marks("{(s)=1}") == MarkSet::Sensitive);
  CHECK(marks("[s, 1]") == MarkSet::None);
  CHECK(marks("[s, 1][0]") == MarkSet::Sensitive);
  CHECK(marks("[s, 1][1]") == MarkSet::None);
  CHECK(marks("tomap({sec=1})[s]") == MarkSet::Sensitive);
  CHECK(marks("{sec=1}[s]") == MarkSet::Sensitive);
  CHECK(marks("{a=e}.a") == MarkSet::Ephemeral);
  CHECK(marks("{a=e} == null") == MarkSet::Ephemeral);
  CHECK(marks("[for x in [s] : x]") == MarkSet::None);
  CHECK(marks("[for x in [1] : x if s == \"z\"]") == MarkSet::Sensitive);
  CHECK(marks("{for k in [s] : k => 1}") == MarkSet::Sensitive);
  CHECK(marks("true || (s == \"x\")") == MarkSet::Sensitive);
  // As in Terraform, what is not known yet is not marked yet.
  CHECK(marks("(us == \"x\") && (s == \"x\")") == MarkSet::None);
}

TEST_CASE("indexes and attributes") {
  CHECK(eval("[1,2,3][\"1\"]") == "2");
  CHECK(eval("[1,2,3][3]") == "error: this index is not in the collection: the last index is 2");
  CHECK(eval("[][0]") == "error: this index is not in the collection: there are no elements");
  CHECK(eval("[1][0.5]") == "error: this index is not in the collection: it is not a whole number");
  CHECK(eval("[1][-1]") == "error: this index is not in the collection: it is negative");
  CHECK(eval("{a=1}.b") == "error: this object has no attribute `b`");
  CHECK(eval("tomap({a=1})[\"b\"]") == "error: this map has no element `b`");
  CHECK(eval("\"abc\".x") == "error: a string has no attributes");
  CHECK(eval("tolist([{a=1}]).a") ==
        "error: this is a list of object, so attribute `a` is its elements': write `[0]` for one or `[*].a`");
  CHECK(eval("toset([\"a\"])[0]").starts_with("error: the elements of a set have no index"));
  CHECK(eval("null.a") == "error: the value is null, so it has no attribute `a`");
  CHECK(eval("ul[0]") == "unknown string");
  CHECK(eval("u.a.b[0]") == "unknown any");
}

TEST_CASE("errors quote nothing that is marked") {
  for (std::string_view text : {"{a=1}[s]",
                                "tomap({a=1})[s]",
                                "{for k in [s, s] : k => 1}",
                                "s + 1",
                                "[s, 1][5]",
                                "{sec=1}[e]",
                                "parseint(s, 10)",
                                "formatdate(s, \"2020-01-01T00:00:00Z\")",
                                "cidrsubnet(s, 1, 1)",
                                "jsondecode(s)",
                                "regex(s, e)",
                                "tonumber(s)",
                                "timeadd(s, e)",
                                "format(\"%d\", s)",
                                "lookup({}, s)",
                                "base64decode(s)",
                                "file(s)",
                                "uuidv5(s, e)",
                                "textencodebase64(s, e)",
                                "yamldecode(\"${s}: [\")",
                                "csvdecode(\"a\\n${s},1\")"}) {
    Result<Value> v = evaluated(text);
    REQUIRE_MESSAGE(!v.ok(), text);
    CHECK_MESSAGE(v.error().text().find("sec") == std::string::npos, text, v.error().text());
    CHECK_MESSAGE(v.error().text().find("eph") == std::string::npos, text, v.error().text());
  }
}

TEST_CASE("for expressions") {
  CHECK(eval("[for i, x in [\"a\",\"b\"] : \"${i}${x}\"]") == "[\"0a\", \"1b\"]");
  CHECK(eval("{for x in [\"a\",\"a\"] : x => 1}") ==
        "error: two elements give the key `a`; write `...` after the value to collect both");
  CHECK(eval("{for i, x in [\"a\",\"b\",\"a\"] : x => i...}") == "{\"a\" = [0, 2], \"b\" = [1]}");
  CHECK(eval("[for x in null : x]") == "error: the collection of a `for` is null");
  CHECK(eval("[for x in 1 : x]").starts_with("error: a `for` goes over a list"));
  CHECK(eval("[for x in ul : x]") == "unknown any");
  CHECK(eval("[for x in [1] : x if null]") == "error: the `if` of a `for` is null, but must be true or false");
  CHECK(eval("[for x in [1] : x if us == \"a\"]") == "unknown any");
}

TEST_CASE("splats") {
  CHECK(eval("[{a=1},{a=2}][*].a") == "[1, 2]");
  CHECK(eval("\"x\"[*]") == "[\"x\"]");
  CHECK(eval("null[*].a") == "[]");
  CHECK(eval("tolist(null)[*]") == "error: the list before `[*]` is null");
  CHECK(eval("tolist([])[*].a") == "list(any)[]");
  CHECK(eval("ul[*]") == "unknown list(string) not null");
  CHECK(eval("us[*]") == "[unknown string not null]");
  CHECK(eval("u[*]") == "unknown any");
  CHECK(eval("toset([\"b\",\"a\"])[*]") == "list[\"a\", \"b\"]");
  CHECK(eval("[{a=[1,2]},{a=[3]}].*.a[0]") == "[1, 2]");
}

}  // namespace pravo
