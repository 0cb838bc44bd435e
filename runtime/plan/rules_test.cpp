#include "runtime/plan/rules.h"

#include <doctest/doctest.h>

#include "runtime/testing/fake_provider.h"

using namespace pravo;
using namespace pravo::runtime;
using pravo::testing::attribute;

namespace {

Value s(const char* text) { return Value::string(text); }
Value null() { return Value::null(Type::string()); }
Value unknown() { return Value::unknown(Type::string()); }

Value object(std::vector<std::pair<const char*, Value>> parts) {
  std::vector<std::pair<Str, Value>> entries;
  for (auto& [name, value] : parts) entries.emplace_back(Str(name), std::move(value));
  return Value::object(std::move(entries));
}

// a: optional, b: computed, c: optional and computed, w: write-only
Schema plain() {
  return pravo::testing::schema({attribute("a:o"), attribute("b:c"), attribute("c:oc"), attribute("w:ow")});
}

Value abc(Value a, Value b, Value c, Value w = null()) {
  return object({{"a", std::move(a)}, {"b", std::move(b)}, {"c", std::move(c)}, {"w", std::move(w)}});
}

bool has(const std::vector<std::string>& faults, std::string_view place) {
  for (const std::string& fault : faults)
    if (fault.starts_with(place)) return true;
  return false;
}

}  // namespace

TEST_CASE("proposed: configuration wins, the provider keeps what is left to it") {
  Schema schema = plain();
  Value none = Value::null(schema.block.type);
  CHECK(proposed_new(schema.block, none, none).is_null());
  // Create: nothing to keep.
  CHECK(proposed_new(schema.block, none, abc(s("1"), null(), null())).equals_raw(abc(s("1"), null(), null())));
  // Update: computed parts without configuration are as before, an optional one that is left out goes.
  Value prior = abc(s("1"), s("B"), s("C"));
  CHECK(proposed_new(schema.block, prior, abc(null(), null(), null())).equals_raw(abc(null(), s("B"), s("C"))));
  CHECK(proposed_new(schema.block, prior, abc(s("2"), null(), s("3"))).equals_raw(abc(s("2"), s("B"), s("3"))));
  // Destroy, and a configuration that is wholly unknown: as before.
  CHECK(proposed_new(schema.block, prior, none).equals_raw(prior));
  // The write-only value goes to the provider, which must drop it.
  CHECK(proposed_new(schema.block, prior, abc(s("1"), null(), null(), s("pw"))).find("w")->as_string() == "pw");
  // Of what is read later only the configuration is known.
  Value later = proposed_new(schema.block, Value::unknown(schema.block.type), abc(s("1"), null(), null()));
  CHECK(later.find("a")->as_string() == "1");
  CHECK(later.find("b")->is_unknown());
  CHECK(later.find("c")->is_unknown());
}

TEST_CASE("proposed: nested blocks") {
  auto blocks = [](NestingMode nesting) {
    return pravo::testing::schema({}, {pravo::testing::block("n", nesting, {attribute("k:r"), attribute("v:c")})});
  };
  auto kv = [](const char* k, Value v) { return object({{"k", s(k)}, {"v", std::move(v)}}); };
  {
    Schema schema = blocks(NestingMode::List);
    Type element = schema.block.blocks[0].block.type;
    auto list = [&](std::vector<Value> values) { return object({{"n", Value::list(element, std::move(values))}}); };
    Value prior = list({kv("a", s("A")), kv("b", s("B"))});
    // By position; one more has nothing to keep.
    CHECK(proposed_new(schema.block, prior, list({kv("x", null()), kv("b", null()), kv("c", null())}))
              .equals_raw(list({kv("x", s("A")), kv("b", s("B")), kv("c", null())})));
  }
  {
    Schema schema = blocks(NestingMode::Set);
    Type element = schema.block.blocks[0].block.type;
    auto set = [&](std::vector<Value> values) { return object({{"n", Value::set(element, std::move(values))}}); };
    Value prior = set({kv("a", s("A")), kv("b", s("B"))});
    // By what the element can have come from, wherever it stands.
    CHECK(proposed_new(schema.block, prior, set({kv("b", null()), kv("c", null())}))
              .equals_raw(set({kv("b", s("B")), kv("c", null())})));
  }
  {
    Schema schema = blocks(NestingMode::Map);
    Type element = schema.block.blocks[0].block.type;
    auto map = [&](std::vector<std::pair<Str, Value>> values) {
      return object({{"n", Value::map(element, std::move(values))}});
    };
    Value prior = map({{Str("p"), kv("a", s("A"))}});
    CHECK(proposed_new(schema.block, prior, map({{Str("p"), kv("x", null())}, {Str("q"), kv("y", null())}}))
              .equals_raw(map({{Str("p"), kv("x", s("A"))}, {Str("q"), kv("y", null())}})));
  }
  {
    Schema schema = blocks(NestingMode::Single);
    Value absent = object({{"n", Value::null(schema.block.blocks[0].block.type)}});
    Value prior = object({{"n", kv("a", s("A"))}});
    CHECK(proposed_new(schema.block, prior, absent).equals_raw(absent));
    CHECK(proposed_new(schema.block, prior, object({{"n", kv("x", null())}}))
              .equals_raw(object({{"n", kv("x", s("A"))}})));
  }
}

TEST_CASE("what a provider may plan") {
  Schema schema = plain();
  Value none = Value::null(schema.block.type);
  Value prior = abc(s("1"), s("B"), s("C"));
  Value config = abc(s("2"), null(), null());
  auto faults = [&](const Value& planned) { return plan_faults(schema.block, prior, config, planned); };
  CHECK(faults(abc(s("2"), unknown(), unknown())).empty());
  CHECK(faults(abc(s("2"), s("any"), s("thing"))).empty());
  // Equal to what it was: the provider takes the new value to mean the same.
  CHECK(faults(abc(s("1"), s("B"), s("C"))).empty());
  CHECK(has(faults(abc(s("3"), s("B"), s("C"))), "`a`"));
  CHECK(has(faults(abc(unknown(), s("B"), s("C"))), "`a`"));
  CHECK(has(faults(none), "`the object`"));
  CHECK(has(faults(abc(s("2"), s("B"), s("C"), s("pw"))), "`w`"));
  CHECK(has(plan_faults(schema.block, prior, none, prior), "`the object`"));
  CHECK(plan_faults(schema.block, prior, none, none).empty());
  // Without configuration only computed attributes have values.
  CHECK(has(plan_faults(schema.block, none, abc(null(), null(), null()), abc(s("x"), null(), null())), "`a`"));
  CHECK(plan_faults(schema.block, none, abc(null(), null(), null()), abc(null(), s("x"), s("y"))).empty());
  for (const std::string& fault : faults(abc(s("secret-value"), s("B"), s("C"))))
    CHECK(fault.find("secret-value") == std::string::npos);
}

TEST_CASE("a result keeps to its plan") {
  Schema schema = plain();
  auto faults = [&](const Value& planned, const Value& actual) {
    return compatibility_faults(schema.block, planned, actual);
  };
  Value planned = abc(s("1"), unknown(), null());
  CHECK(faults(planned, abc(s("1"), s("anything"), null())).empty());
  CHECK(faults(planned, abc(s("1"), null(), null())).empty());
  CHECK(has(faults(planned, abc(s("2"), s("x"), null())), "`a`"));
  CHECK(has(faults(planned, abc(null(), s("x"), null())), "`a`"));
  CHECK(has(faults(planned, abc(s("1"), s("x"), s("y"))), "`c`"));
  CHECK(has(faults(planned, Value::null(schema.block.type)), "`the object`"));
  Refinements known;
  known.not_null = true;
  known.prefix = Str("id-");
  Value refined = abc(s("1"), Value::unknown(Type::string(), known), null());
  CHECK(faults(refined, abc(s("1"), s("id-7"), null())).empty());
  CHECK(has(faults(refined, abc(s("1"), s("7"), null())), "`b`"));
  CHECK(has(faults(refined, abc(s("1"), null(), null())), "`b`"));

  Schema dynamic =
      pravo::testing::schema({attribute("d:o", Type::dynamic()), attribute("l:o", Type::list(Type::string())),
                              attribute("t:o", Type::set(Type::string()))});
  auto dlt = [](Value d, Value l, Value t) {
    return object({{"d", std::move(d)}, {"l", std::move(l)}, {"t", std::move(t)}});
  };
  auto list = [](std::vector<Value> v) { return Value::list(Type::string(), std::move(v)); };
  auto set = [](std::vector<Value> v) { return Value::set(Type::string(), std::move(v)); };
  auto compare = [&](const Value& p, const Value& a) { return compatibility_faults(dynamic.block, p, a); };
  Value before = dlt(Value::tuple({s("a"), unknown()}), list({s("x"), unknown()}), set({s("q"), unknown()}));
  CHECK(compare(before, dlt(Value::tuple({s("a"), s("b")}), list({s("x"), s("y")}), set({s("q"), s("r")}))).empty());
  // Unknown elements of a set may turn out equal: fewer are fine, more are not.
  CHECK(compare(before, dlt(Value::tuple({s("a"), s("b")}), list({s("x"), s("y")}), set({s("q")}))).empty());
  CHECK(has(compare(before, dlt(Value::tuple({s("a"), s("b")}), list({s("x"), s("y")}), set({s("q"), s("r"), s("t")}))),
            "`t`"));
  CHECK(has(compare(before, dlt(Value::tuple({s("a")}), list({s("x"), s("y")}), set({s("q")}))), "`d`"));
  CHECK(has(compare(before, dlt(Value::tuple({s("a"), s("b")}), list({s("z"), s("y")}), set({s("q")}))), "`l[0]`"));
}

TEST_CASE("what is left of the paths that force a replacement") {
  Schema schema = plain();
  auto path = [](const char* name) { return Path{PathStep::attribute(Str(name))}; };
  std::vector<Path> all{path("a"), path("b"), path("w")};
  std::vector<std::string> faults;
  Value prior = abc(s("1"), s("B"), null());
  // A create replaces nothing, whatever the provider says.
  CHECK(effective_replace_paths(schema.block, all, Value::null(schema.block.type), prior, faults).empty());
  // Equal parts do not count; unknown ones do; write-only ones cannot be compared.
  auto kept = effective_replace_paths(schema.block, all, prior, abc(s("1"), unknown(), null()), faults);
  REQUIRE(kept.size() == 2);
  CHECK(path_to_string(kept[0]) == ".b");
  CHECK(path_to_string(kept[1]) == ".w");
  CHECK(faults.empty());
  std::vector<Path> wrong{path("nope")};
  effective_replace_paths(schema.block, wrong, prior, prior, faults);
  CHECK(faults.size() == 1);
}

TEST_CASE("changes that are ignored") {
  Schema schema = plain();
  auto path = [](std::vector<PathStep> steps) { return Path(std::move(steps)); };
  Value prior = abc(s("1"), s("B"), s("C"));
  Value config = abc(s("2"), null(), s("3"));
  std::vector<Path> a{path({PathStep::attribute(Str("a"))})};
  CHECK(ignore_changes(prior, config, a).equals_raw(abc(s("1"), null(), s("3"))));
  CHECK(ignore_changes(Value::null(schema.block.type), config, a).equals_raw(config));
  CHECK(ignore_all_changes(schema.block, prior).equals_raw(abc(s("1"), null(), s("C"))));

  auto m = [](std::vector<std::pair<Str, Value>> entries) {
    return object({{"m", Value::map(Type::string(), std::move(entries))}});
  };
  std::vector<Path> k{path({PathStep::attribute(Str("m")), PathStep::key(Str("k"))})};
  CHECK(ignore_changes(m({{Str("k"), s("1")}, {Str("x"), s("1")}}), m({{Str("k"), s("2")}, {Str("x"), s("2")}}), k)
            .equals_raw(m({{Str("k"), s("1")}, {Str("x"), s("2")}})));
  // An element that was added by hand stays, one that was removed by hand stays away.
  CHECK(ignore_changes(m({{Str("k"), s("1")}}), m({{Str("x"), s("2")}}), k)
            .equals_raw(m({{Str("k"), s("1")}, {Str("x"), s("2")}})));
  CHECK(ignore_changes(m({{Str("x"), s("1")}}), m({{Str("k"), s("2")}}), k).equals_raw(m({})));
  Value nested_prior = object({{"i", object({{"keep", s("1")}, {"go", s("1")}})}});
  Value nested_config = object({{"i", object({{"keep", s("2")}, {"go", s("2")}})}});
  std::vector<Path> inner{path({PathStep::attribute(Str("i")), PathStep::attribute(Str("keep"))})};
  CHECK(ignore_changes(nested_prior, nested_config, inner)
            .equals_raw(object({{"i", object({{"keep", s("1")}, {"go", s("2")}})}})));
}

TEST_CASE("configuration as an object of the schema") {
  Schema schema =
      pravo::testing::schema({attribute("n:o", Type::number()), attribute("r:r"), attribute("id:c")},
                             {pravo::testing::block("b", NestingMode::List, {attribute("x:r"), attribute("y:oc")})});
  auto coerce = [&](const Value& config, provider::Messages& messages) {
    return coerce_config(schema.block, config, messages);
  };
  provider::Messages messages;
  Value config = coerce(object({{"n", s("5")},
                                {"r", s("x").with_marks(MarkSet::Sensitive)},
                                {"b", Value::tuple({object({{"x", s("1")}})})}}),
                        messages);
  CHECK(messages.empty());
  CHECK(conforms(config.type(), schema.block.type));
  CHECK(config.find("n")->as_number() == Number::from_int(5));
  CHECK(config.find("id")->is_null());
  CHECK(config.find("b")->element(0).find("y")->is_null());
  CHECK(any(config.find("r")->marks() & MarkSet::Sensitive));

  // A dynamic block of unknown length.
  config = coerce(object({{"r", s("x")}, {"b", Value::unknown()}}), messages);
  CHECK(messages.empty());
  CHECK(config.find("b")->is_unknown());

  coerce(object({{"n", s("five")}, {"id", s("x")}, {"odd", s("x")}, {"b", Value::tuple({object({})})}}), messages);
  std::vector<std::string> places;
  for (const provider::Message& m : messages) places.push_back(path_to_string(m.attribute));
  CHECK(places == std::vector<std::string>{".odd", ".b[0].x", ".id", ".n", ".r"});
}
