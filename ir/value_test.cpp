#include "ir/value.h"

#include <doctest/doctest.h>

#include <thread>

#include "ir/functions/expression_for_test.h"

namespace pravo {

namespace {

const MarkSet kE = MarkSet::Ephemeral;
const MarkSet kS = MarkSet::Sensitive;

Value str(std::string_view text) { return Value::string(text); }
Value num(int64_t n) { return Value::number(n); }

Value obj(std::initializer_list<std::pair<std::string_view, Value>> entries) {
  std::vector<std::pair<Str, Value>> list;
  for (const auto& [key, value] : entries) list.emplace_back(Str(key), value);
  return Value::object(std::move(list));
}

Value list_of(std::initializer_list<std::string_view> texts) {
  std::vector<Value> values;
  for (std::string_view t : texts) values.push_back(str(t));
  return Value::list(Type::string(), std::move(values));
}

bool is_wiped_when_freed(const Value& v) { return v.as_str().data()->wipe.load(); }

}  // namespace

TEST_CASE("a value takes 16 bytes and shares what it holds") {
  CHECK(sizeof(Value) == 16);
  Value a = obj({{"x", list_of({"a", "b"})}});
  Value b = a;
  CHECK(a.equals_raw(b));
  CHECK(a.elements().data() == b.elements().data());
  Value moved = std::move(a);
  CHECK(moved.equals_raw(b));
  CHECK(a.is_null());  // NOLINT: a moved-from value is a null
}

TEST_CASE("strings are in normal form C") {
  CHECK(str("e\xCC\x81").as_string() == "\xC3\xA9");
  CHECK(str("plain").as_string() == "plain");
  CHECK(str("").as_string().empty());
  CHECK(str("\xFF\xFE").as_string() == "\xFF\xFE");  // not UTF-8: kept
}

TEST_CASE("keys are sorted, of equal ones the last stays") {
  Value v = obj({{"b", num(1)}, {"a", num(2)}, {"b", num(3)}});
  REQUIRE(v.length() == 2);
  CHECK(v.key(0).view() == "a");
  CHECK(v.find("b")->as_number().small() == 3);
  CHECK(v.find("c") == nullptr);
  CHECK(v.type().to_string() == "object({a=number,b=number})");
}

TEST_CASE("sets drop repetitions and sort as cty does") {
  auto elements = [](const Value& set) {
    std::string out;
    for (const Value& v : set.elements()) out += debug_string(v) + " ";
    return out;
  };
  CHECK(elements(Value::set(Type::string(), {str("b"), str("a"), str("b")})) == "\"a\" \"b\" ");
  CHECK(elements(Value::set(Type::number(), {num(10), num(9), num(-1)})) == "-1 9 10 ");
  CHECK(elements(Value::set(Type::boolean(), {Value::boolean(true), Value::boolean(false)})) == "false true ");
  // Unknowns are all different, and come after what is known; nulls come last.
  Value unknown = Value::unknown(Type::string());
  CHECK(elements(Value::set(Type::string(), {Value::null(Type::string()), unknown, str("z"), unknown})) ==
        "\"z\" unknown string unknown string null string ");
  // Others sort by their text, which begins with a bracket for a list.
  Value one = list_of({"a"});
  Value none = list_of({});
  CHECK(elements(Value::set(one.type(), {none, one})) == "list[\"a\"] list(string)[] ");
}

TEST_CASE("marks of a set's elements are the set's") {
  Value set = Value::set(Type::string(), {str("a").with_marks(kE), str("a"), str("b")});
  CHECK(set.marks() == kE);
  CHECK(set.length() == 2);
  CHECK(set.element(0).marks() == MarkSet::None);
}

TEST_CASE("deep marks are known without a walk") {
  Value inner = obj({{"pw", str("x").with_marks(kS)}, {"name", str("n")}});
  Value outer = Value::tuple({inner, num(1)});
  CHECK(outer.marks() == MarkSet::None);
  CHECK(outer.deep_marks() == kS);
  CHECK(outer.with_marks(kE).deep_marks() == MarkSet::Both);
  CHECK(outer.without_deep_marks().deep_marks() == MarkSet::None);
  CHECK(outer.with_marks(kE).without_deep_marks(kS).deep_marks() == kE);
  CHECK(outer.with_marks(kE).without_marks().deep_marks() == kS);
}

TEST_CASE("marks leave with their paths and come back") {
  Value v = obj({{"a", Value::tuple({num(1), str("s").with_marks(kS)})},
                 {"m", Value::map(Type::string(), {{Str("k"), str("v").with_marks(kE)}})}})
                .with_marks(kE);
  auto [plain, paths] = v.unmark_with_paths();
  CHECK(plain.deep_marks() == MarkSet::None);
  REQUIRE(paths.size() == 3);
  CHECK(path_to_string(paths[0].path) == "");
  CHECK(paths[0].marks == kE);
  CHECK(path_to_string(paths[1].path) == ".a[1]");
  CHECK(path_to_string(paths[2].path) == ".m[\"k\"]");
  CHECK(plain.mark_with_paths(paths).equals_raw(v));
  // What leads nowhere marks the innermost value on its way.
  PathMarks lost{{PathStep::attribute(Str("a")), PathStep::at(9)}, kS};
  Value marked = plain.mark_with_paths(std::vector<PathMarks>{lost});
  CHECK(marked.find("a")->marks() == kS);
}

TEST_CASE("strings of ephemeral values are overwritten when freed") {
  Value plain = str("plain");
  CHECK_FALSE(is_wiped_when_freed(plain));
  CHECK(is_wiped_when_freed(str("secret").with_marks(kE)));
  CHECK_FALSE(is_wiped_when_freed(str("shown").with_marks(kS)));
  // Marking a container reaches its strings when the container goes.
  Value element = str("inner");
  Value key_holder = str("k");
  {
    Value list = Value::tuple({obj({{"deep", element}})}).with_marks(kE);
    CHECK_FALSE(is_wiped_when_freed(element));
  }
  CHECK(is_wiped_when_freed(element));
  CHECK_FALSE(is_wiped_when_freed(key_holder));
}

TEST_CASE("a known value where refinements leave just one") {
  Refinements r;
  r.not_null = true;
  r.min_length = r.max_length = 2;
  Value list = Value::unknown(Type::list(Type::string()), r);
  CHECK(list.is_known());
  CHECK(list.length() == 2);
  CHECK_FALSE(list.is_wholly_known());
  r.min_length = r.max_length = 0;
  CHECK(Value::unknown(Type::map(Type::string()), r).is_known());
  Refinements n;
  n.not_null = n.lower_inclusive = n.upper_inclusive = true;
  n.lower = n.upper = Number::from_int(5);
  CHECK(Value::unknown(Type::number(), n).as_number().small() == 5);
  n.not_null = false;
  CHECK(Value::unknown(Type::number(), n).is_unknown());
  // What does not apply to the type is dropped.
  Refinements p;
  p.prefix = Str("x");
  CHECK(Value::unknown(Type::number(), p).refinements().empty());
  CHECK(Value::unknown(Type(), p).refinements().empty());
}

TEST_CASE("refining keeps the tighter bound") {
  Refinements a;
  a.lower = Number::from_int(1);
  a.lower_inclusive = true;
  Refinements b;
  b.lower = Number::from_int(0);
  b.lower_inclusive = true;
  b.upper = Number::from_int(9);
  Value v = Value::unknown(Type::number(), a).refine(b);
  CHECK(v.refinements().lower->small() == 1);
  CHECK(v.refinements().upper->small() == 9);
  CHECK_FALSE(v.refinements().upper_inclusive);
  CHECK(num(3).refine(b).equals_raw(num(3)));
  CHECK(Value::unknown(Type::string()).refine_not_null().is_definitely_not_null());
}

TEST_CASE("raw equality sees types, marks and refinements") {
  CHECK(num(1).equals_raw(Value::number(*Number::parse("1.0"))));
  CHECK_FALSE(Value::null(Type::string()).equals_raw(Value::null()));
  CHECK_FALSE(list_of({}).equals_raw(Value::list(Type::number(), {})));
  CHECK_FALSE(str("a").equals_raw(str("a").with_marks(kS)));
  CHECK_FALSE(Value::unknown(Type::string()).equals_raw(Value::unknown(Type::string()).refine_not_null()));
  CHECK(obj({{"a", num(1)}}).hash() == obj({{"a", num(1)}}).hash());
  CHECK_FALSE(obj({{"a", num(1)}}).equals_raw(obj({{"b", num(1)}})));
}

TEST_CASE("transform rebuilds from the inside") {
  Value v = Value::tuple({str("a"), obj({{"x", str("b")}}), list_of({"c"})});
  std::vector<std::string> seen;
  Value numbers = v.transform([&](std::span<const PathStep> path, const Value& part) {
    seen.push_back(path_to_string(path));
    return part.kind() == ValueKind::String ? num(static_cast<int64_t>(part.as_string().size())) : part;
  });
  CHECK(debug_string(numbers) == "[1, {\"x\" = 1}, list[1]]");
  CHECK(numbers.element(2).type().to_string() == "list(number)");
  CHECK(seen == std::vector<std::string>{"[0]", "[1].x", "[1]", "[2][0]", "[2]", ""});
}

TEST_CASE("walk goes from the outside and stays out where told") {
  Value v = Value::tuple({obj({{"x", str("b")}}), num(1)});
  std::vector<std::string> seen;
  v.walk([&](std::span<const PathStep> path, const Value& part) {
    seen.push_back(path_to_string(path));
    return part.kind() != ValueKind::Object;
  });
  CHECK(seen == std::vector<std::string>{"", "[0]", "[1]"});
}

TEST_CASE("unknowns become nulls of their type") {
  Value v = obj({{"a", Value::unknown(Type::string()).with_marks(kS)}, {"b", num(1)}});
  Value known = v.unknown_as_null();
  CHECK(known.is_wholly_known());
  CHECK(known.find("a")->is_null());
  CHECK(known.find("a")->marks() == kS);
  CHECK(known.type() == v.type());
}

TEST_CASE("printing never shows what is marked") {
  Value v = obj({{"e", str("hidden").with_marks(kE)}, {"s", str("hidden").with_marks(kS)}, {"p", str("shown")}});
  CHECK(format_value(v) == "{\n  \"e\" = (ephemeral value)\n  \"p\" = \"shown\"\n  \"s\" = (sensitive value)\n}");
  CHECK(debug_string(v) == "{\"e\" = ephemeral string, \"p\" = \"shown\", \"s\" = sensitive string}");
  CHECK(format_value(str("x").with_marks(MarkSet::Both)) == "(sensitive value)");
  CHECK(format_value(Value::unknown().with_marks(kS)) == "(known after apply)");
  CHECK(format_value(str("a\nEOT\nb")) == "<<EOT_\na\nEOT\nb\nEOT_");
  CHECK(format_value(Value::null(Type::list(Type::string()))) == "tolist(null) /* of string */");
}

TEST_CASE("what nests too deep is refused where it is made") {
  Value v = num(1);
  bool refused = false;
  for (int i = 0; i < 2000 && !refused; ++i) {
    Result<Value> next = make_tuple({v});
    if (next)
      v = *next;
    else
      refused = next.error().kind == EvalErrorKind::Limit;
  }
  CHECK(refused);
  CHECK(v.depth() == kMaxDepth);
  CHECK(v.type().depth() == kMaxDepth);
  CHECK(v.equals_raw(v.without_deep_marks()));
}

TEST_CASE("values are shared between threads") {
  Value shared = Value::tuple({obj({{"a", str("x")}}), list_of({"b"}), Value::number(*Number::parse("1.5"))});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([shared] {
      for (int i = 0; i < 10000; ++i) {
        Value copy = shared;
        Value part = copy.element(0);
        if (copy.type().kind() != TypeKind::Tuple || part.find("a")->as_string() != "x") std::abort();
        Value marked = part.with_marks(MarkSet::Ephemeral);
      }
    });
  }
  for (auto& t : threads) t.join();
  CHECK(shared.length() == 3);
}

}  // namespace pravo
