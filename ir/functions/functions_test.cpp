// The table of functions, and what holds for every function: nothing crashes it, marks flow as its row says.
#include "ir/functions.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "ir/functions/call.h"
#include "ir/functions/expression_for_test.h"
#include "ir/functions/glob.h"

namespace pravo {

namespace {

testing::DirectoryHost& host() {
  static testing::DirectoryHost instance("/nonexistent");
  return instance;
}

std::string eval(std::string_view text) {
  Result<Value> v = testing::evaluate_for_test(text, {}, host());
  return v ? debug_string(*v) : "error: " + v.error().text();
}

EvalErrorKind kind_of(std::string_view text) {
  Result<Value> v = testing::evaluate_for_test(text, {}, host());
  REQUIRE_MESSAGE(!v.ok(), text);
  return v.error().kind;
}

Type type(std::string_view text) { return *Type::parse(text); }

// Values that functions may be handed: of each kind, empty, null, unknown, nested.
std::vector<Value> samples() {
  std::vector<Value> out;
  for (std::string_view text : {"null",
                                "true",
                                "0",
                                "-1",
                                "3",
                                "1.5",
                                "1e300",
                                "\"\"",
                                "\"a\"",
                                "\"1\"",
                                "\"10.0.0.0/8\"",
                                "\"2020-01-02T03:04:05Z\"",
                                "\"%s\"",
                                "\"(\"",
                                "\"e\\u0301\"",
                                "\"{\\\"a\\\":1}\"",
                                "[]",
                                "[1, \"a\", null]",
                                "[[1], []]",
                                "tolist([\"b\", \"a\"])",
                                "tolist([])",
                                "toset([\"x\", \"y\"])",
                                "toset([1])",
                                "{}",
                                "{a=1, b=\"x\"}",
                                "tomap({k=\"v\"})",
                                "tomap({k=[\"v\"]})",
                                "{a={b=[1]}}"})
    out.push_back(*testing::evaluate_for_test(text, {}, host()));
  for (std::string_view t : {"any", "string", "number", "bool", "list(string)", "set(number)", "map(list(string))",
                             "object({a=string})", "tuple([number,string])"}) {
    out.push_back(Value::unknown(type(t)));
    out.push_back(Value::unknown(type(t)).refine_not_null());
    out.push_back(Value::null(type(t)));
  }
  out.push_back(Value::tuple({Value::unknown(), Value::string("a")}));
  out.push_back(Value::set(Type::string(), {Value::unknown(Type::string()), Value::string("a")}));
  out.push_back(Value::number(Number::infinity(false)));
  return out;
}

// A cheap stream of pseudo-random numbers.
struct Dice {
  uint64_t state;
  size_t next(size_t sides) {
    state = state * 6364136223846793005 + 1442695040888963407;
    return (state >> 33) % sides;
  }
};

MarkSet inner_marks(const Value& v) { return v.without_marks().deep_marks(); }

}  // namespace

TEST_CASE("the table is in order and complete") {
  std::span<const FunctionInfo> all = all_functions();
  CHECK(all.size() == 134);
  CHECK(std::is_sorted(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; }));
  for (const FunctionInfo& f : all) {
    CHECK(find_function(f.name) == f.id);
    CHECK(find_function("core::" + std::string(f.name)) == f.id);
    CHECK(f.doc.ends_with("."));
    CHECK_FALSE(f.since.empty());
  }
  CHECK_FALSE(find_function("nope").has_value());
  CHECK_FALSE(find_function("core::nope").has_value());
  CHECK_FALSE(find_function("UPPER").has_value());
  CHECK(function_info(FunctionId::Format).signature() == "format(format string, args... any) any");
}

TEST_CASE("the number of arguments is checked") {
  CHECK(eval("upper()") == "error: `upper` takes 1 argument, but 0 are given");
  CHECK(eval("upper(\"a\", \"b\")") == "error: `upper` takes 1 argument, but 2 are given");
  CHECK(eval("join()") == "error: `join` takes at least 1 argument, but 0 are given");
  CHECK(eval("upper(null)") == "error: argument `str` must not be null");
  CHECK(eval("upper([])") == "error: a string is required, but this is a tuple");
}

TEST_CASE("no arguments make a function fail otherwise than with an error") {
  std::vector<Value> values = samples();
  Dice dice{42};
  size_t good = 0;
  for (const FunctionInfo& f : all_functions()) {
    if (f.lazy) continue;
    for (int round = 0; round < 600; ++round) {
      std::vector<Value> arguments;
      size_t count = f.parameters.size() + (f.variadic ? dice.next(3) : 0);
      for (size_t i = 0; i < count; ++i) {
        Value v = values[dice.next(values.size())];
        if (dice.next(8) == 0) v = v.with_marks(static_cast<MarkSet>(1 + dice.next(3)));
        if (dice.next(8) == 0) v = Value::tuple({v.with_marks(MarkSet::Sensitive), Value::number(1)});
        arguments.push_back(std::move(v));
      }
      Result<Value> result = call_function(f.id, arguments, host());
      if (!result) continue;
      ++good;
      CHECK(result->depth() <= kMaxDepth);
      CHECK_FALSE(format_value(*result).empty());
      CHECK_FALSE(result->type().to_string().empty());
    }
  }
  CHECK(good > 5000);
}

TEST_CASE("marks flow as the row of the function says") {
  std::vector<Value> values = samples();
  Dice dice{7};
  for (const FunctionInfo& f : all_functions()) {
    if (f.lazy) continue;
    for (int round = 0; round < 400; ++round) {
      std::vector<Value> arguments;
      size_t count = f.parameters.size() + (f.variadic ? dice.next(3) : 0);
      MarkSet deep = MarkSet::None;
      MarkSet own = MarkSet::None;
      for (size_t i = 0; i < count; ++i) {
        Value v = values[dice.next(values.size())];
        if (dice.next(3) == 0) v = v.with_marks(static_cast<MarkSet>(1 + dice.next(3)));
        if (dice.next(4) == 0)
          v = Value::tuple({Value::string("p"), Value::string("q").with_marks(MarkSet::Ephemeral)});
        if (dice.next(6) == 0) v = Value::object({{Str("k"), Value::string("q").with_marks(MarkSet::Sensitive)}});
        deep |= v.deep_marks();
        if (!v.is_null()) own |= v.marks();  // merge passes over nulls, marks and all, as Terraform does
        arguments.push_back(std::move(v));
      }
      Result<Value> result = call_function(f.id, arguments, host());
      if (!result) continue;
      MarkSet all = result->deep_marks();
      INFO(f.name);
      // As in Terraform, a result that is not known may lack the marks that it will have.
      const bool unknown = result->is_unknown();
      switch (f.marks) {
        case MarkTransfer::Union:
          CHECK((result->marks() == deep || (unknown && f.id == FunctionId::Abs)));
          CHECK(inner_marks(*result) == MarkSet::None);
          break;
        case MarkTransfer::Clean:
          CHECK(all == MarkSet::None);
          break;
        case MarkTransfer::Own:
          CHECK((result->marks() == arguments[0].marks() || unknown));
          CHECK(inner_marks(*result) == MarkSet::None);
          break;
        case MarkTransfer::Convert:
          CHECK(all == deep);
          CHECK(contains(result->marks(), arguments[0].marks()));
          break;
        case MarkTransfer::AddSensitive:
          CHECK(result->marks() == (arguments[0].marks() | MarkSet::Sensitive));
          break;
        case MarkTransfer::RemoveSensitive:
          CHECK(result->marks() == (arguments[0].marks() & ~MarkSet::Sensitive));
          CHECK(inner_marks(*result) == inner_marks(arguments[0]));
          break;
        case MarkTransfer::RemoveEphemeral:
          CHECK_FALSE(contains(all, MarkSet::Ephemeral));
          break;
        case MarkTransfer::Second:
          CHECK(result->marks() == arguments[1].marks());
          CHECK(inner_marks(*result) == inner_marks(arguments[1]));
          break;
        case MarkTransfer::Elements:
        case MarkTransfer::Merge:
        case MarkTransfer::Concat:
        case MarkTransfer::Values:
        case MarkTransfer::Product:
          // The containers' own marks and the selecting arguments' are on the whole; nothing comes from nowhere.
          CHECK((contains(result->marks(), own) || unknown));
          CHECK(contains(deep, all));
          break;
        case MarkTransfer::Element:
        case MarkTransfer::Lookup:
        case MarkTransfer::Zipmap:
        case MarkTransfer::Flatten:
          CHECK((contains(result->marks(), arguments[0].marks()) || unknown));
          CHECK(contains(deep, all));
          break;
        case MarkTransfer::Try:
          break;
      }
    }
  }
}

TEST_CASE("the null of an ephemeral object does not tell its type") {
  RefusingHost host;
  auto null_of = [&](const Value& value) {
    Value arguments[] = {value};
    Result<Value> result = call_function(FunctionId::Ephemeralasnull, arguments, host);
    REQUIRE(result.ok());
    return result->type().to_string();
  };
  const Value object = Value::object({{Str("hunter2"), Value::number(1)}});
  const Value secret = object.with_marks(MarkSet::Ephemeral);
  CHECK(null_of(secret) == "any");
  CHECK(null_of(Value::tuple({secret, Value::string("x")})) == "tuple([any,string])");
  CHECK(null_of(Value::tuple({Value::string("x")}).with_marks(MarkSet::Ephemeral)) == "any");
  CHECK(null_of(Value::string("x").with_marks(MarkSet::Ephemeral)) == "string");
  CHECK(null_of(Value::list(object.type(), {object, secret})) == "list(object({hunter2=number}))");
  CHECK(null_of(object) == "object({hunter2=number})");
}

TEST_CASE("bombs are refused in bounded time and memory") {
  CHECK(kind_of("range(1000000000)") == EvalErrorKind::Limit);
  CHECK(kind_of("indent(1000000000, \"a\\nb\\nc\")") == EvalErrorKind::Limit);
  CHECK(kind_of("format(\"%2000000d\", 1)") == EvalErrorKind::Limit);
  CHECK(kind_of("setproduct(range(1000), range(1000), range(1000), range(1000))") == EvalErrorKind::Limit);
  CHECK(kind_of("jsondecode(join(\"\", [for i in range(1024) : \"[[[[[[[[\"]))") == EvalErrorKind::Limit);
  CHECK(kind_of("1e60000 * 1e60000") == EvalErrorKind::Call);  // the literal itself is out of range
  CHECK(kind_of("pow(10, 300) * 1e19000 * 1e19000") == EvalErrorKind::Limit);
  // Anchors that multiply.
  std::string yaml = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\\n";
  for (int i = 1; i < 12; ++i) {
    std::string name = "a" + std::to_string(i);
    std::string before = "*a" + std::to_string(i - 1);
    yaml += name + ": &" + name + " [";
    for (int j = 0; j < 10; ++j) yaml += (j > 0 ? "," : "") + before;
    yaml += "]\\n";
  }
  CHECK(kind_of("yamldecode(\"" + yaml + "\")") == EvalErrorKind::Limit);
  CHECK(kind_of("bcrypt(\"x\", 31)") == EvalErrorKind::Value);
}

TEST_CASE("time grows with the size, not with its square") {
  std::vector<Value> many;
  for (int i = 0; i < 200000; ++i) many.push_back(Value::string("item-" + std::to_string(i % 150000)));
  Value list = Value::list(Type::string(), many);
  Value arguments[] = {list};
  CHECK(call_function(FunctionId::Distinct, arguments, host())->length() == 150000);
  CHECK(call_function(FunctionId::Toset, arguments, host())->length() == 150000);
  CHECK(call_function(FunctionId::Sort, arguments, host())->length() == 200000);
  std::vector<Value> maps;
  for (int i = 0; i < 20000; ++i) maps.push_back(Value::object({{Str("k" + std::to_string(i)), Value::number(i)}}));
  CHECK(call_function(FunctionId::Merge, maps, host())->length() == 20000);
  Value two[] = {list, list};
  CHECK(call_function(FunctionId::Setintersection, two, host())->length() == 150000);
}

TEST_CASE("what depends on the world waits, where the host says so") {
  RefusingHost refusing;
  for (FunctionId id : {FunctionId::Timestamp, FunctionId::Uuid}) {
    Result<Value> v = call_function(id, {}, refusing);
    REQUIRE(v.ok());
    CHECK(debug_string(*v) == "unknown string not null");
  }
  Value path[] = {Value::string("x")};
  CHECK(call_function(FunctionId::File, path, refusing).error().kind == EvalErrorKind::Refused);
  CHECK(call_function(FunctionId::Pathexpand, path, refusing)->as_string() == "x");
  // A refusal says nothing of the expression, so `try` does not swallow it.
  Result<Value> tried = evaluate_try(2, [&](size_t i) -> Result<Value> {
    if (i == 0) return call_function(FunctionId::File, path, refusing);
    return Value::string("fallback");
  });
  CHECK(tried.error().kind == EvalErrorKind::Refused);
  CHECK(debug_string(*call_function(FunctionId::Timestamp, {}, host())) == "\"2023-11-14T22:13:20Z\"");
  CHECK(debug_string(*call_function(FunctionId::Plantimestamp, {}, host())) == "\"2020-09-13T12:26:40Z\"");
  CHECK(debug_string(*call_function(FunctionId::Uuid, {}, host())) == "\"00010203-0405-4607-8809-0a0b0c0d0e0f\"");
}

TEST_CASE("passwords and keys") {
  Result<Value> hash = testing::evaluate_for_test("bcrypt(\"hunter2\", 4)", {}, host());
  REQUIRE(hash.ok());
  CHECK(hash->as_string().starts_with("$2a$04$"));
  CHECK(hash->as_string().size() == 60);
  CHECK(eval("bcrypt(\"" + std::string(73, 'x') + "\")") == "error: the password is longer than 72 bytes");
  CHECK(eval("rsadecrypt(\"eA==\", \"key\")") ==
        "error: this is not a private key in PEM or OpenSSH form without a passphrase");
}

TEST_CASE("patterns of file names") {
  using functions::glob_match;
  using functions::GlobMatch;
  auto matches = [](std::string_view pattern, std::string_view path) {
    return glob_match(pattern, path) == GlobMatch::Yes;
  };
  CHECK(matches("*.txt", "a.txt"));
  CHECK_FALSE(matches("*.txt", "sub/a.txt"));
  CHECK(matches("**/*.txt", "a.txt"));
  CHECK(matches("**/*.txt", "x/y/a.txt"));
  CHECK(matches("**", "x/y"));
  CHECK(matches("a/**/b", "a/b"));
  CHECK(matches("{a,b{c,d}}.x", "bd.x"));
  CHECK(matches("[a-c]?", "bz"));
  CHECK(matches("[^a]", "b"));
  CHECK_FALSE(matches("[!a]", "a"));
  CHECK(matches("\\*", "*"));
  CHECK(matches("*\xC3\xA9*", "caf\xC3\xA9s"));
  CHECK(glob_match("[", "x") == GlobMatch::Malformed);
  CHECK(glob_match("{a", "x") == GlobMatch::Malformed);
  CHECK_FALSE(matches(std::string(5000, '*') + "b", std::string(5000, 'a')));
}

}  // namespace pravo
