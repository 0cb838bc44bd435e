#include "runtime/state/edit.h"

#include <doctest/doctest.h>

using namespace pravo;
using namespace pravo::runtime;

namespace {

constexpr std::string_view kProvider = "provider[\"terraform.io/builtin/terraform\"]";

// A state with these instances, each with what it depends on, or "".
State state_of(std::initializer_list<std::pair<const char*, const char*>> instances) {
  State state;
  for (auto [text, dependency] : instances) {
    InstanceAddress address = *InstanceAddress::parse(text);
    StateInstance& instance = state.get(address.resource, kProvider).get(address.key);
    instance.current.emplace();
    instance.current->attributes_json = "{}";
    if (*dependency != '\0')
      instance.current->dependencies = std::make_shared<const std::vector<Str>>(std::vector<Str>{Str(dependency)});
  }
  return state;
}

std::vector<std::string> names(const State& state) {
  std::vector<std::string> out;
  for (const InstanceAddress& address : instances_of(state)) out.push_back(address.to_string());
  return out;
}

std::vector<std::string> named(const State& state, const char* target) {
  std::vector<std::string> out;
  for (const InstanceAddress& address : instances_of(state, *StateAddress::parse(target)))
    out.push_back(address.to_string());
  return out;
}

using List = std::vector<std::string>;

// The error's id, or empty.
std::string move(State& state, const char* from, const char* to) {
  Diagnostics diags;
  auto moved = move_objects(state, state, *StateAddress::parse(from), *StateAddress::parse(to), diags);
  CHECK(moved.has_value() == !diags.has_errors());
  return diags.has_errors() ? std::string(diagnostic_id(diags.all().front().kind)) : "";
}

bool depends(const State& state, const char* address) {
  return state.find(*InstanceAddress::parse(address))->current->dependencies != nullptr;
}

}  // namespace

TEST_CASE("a target names what lies in it") {
  State state = state_of({{"t.a", ""},
                          {"module.m[\"k\"].t.a", ""},
                          {"module.m[\"k\"].module.n.t.b[0]", ""},
                          {"module.m[\"l\"].t.a", ""},
                          {"module.mm.t.a", ""}});
  CHECK(named(state, "t.a") == List{"t.a"});
  CHECK(named(state, "module.m") ==
        List{"module.m[\"k\"].t.a", "module.m[\"l\"].t.a", "module.m[\"k\"].module.n.t.b[0]"});
  CHECK(named(state, "module.m[\"k\"]") == List{"module.m[\"k\"].t.a", "module.m[\"k\"].module.n.t.b[0]"});
  CHECK(named(state, "module.m[\"k\"].module.n.t.b") == List{"module.m[\"k\"].module.n.t.b[0]"});
  CHECK(named(state, "module.m.t.a").empty());
  CHECK(named(state, "t.a[0]").empty());
}

TEST_CASE("forgetting leaves no empty resource behind") {
  State state = state_of({{"t.a[0]", ""}, {"t.a[1]", ""}, {"t.b", ""}});
  state.find(InstanceAddress::parse("t.a[0]")->resource)->get(InstanceKey::at(0)).deposed["00000001"] = {};
  forget(state, instances_of(state, *StateAddress::parse("t.a")));
  CHECK(names(state) == List{"t.b"});
  CHECK(state.resource_count() == 1);
  forget(state, std::vector<InstanceAddress>{*InstanceAddress::parse("t.none")});
  CHECK(names(state) == List{"t.b"});
}

TEST_CASE("moves take what is named, with its children and its provider") {
  State state =
      state_of({{"t.a", ""}, {"t.c[0]", ""}, {"t.c[1]", ""}, {"module.m.t.a", ""}, {"module.m.module.n.t.a", ""}});
  CHECK(move(state, "t.a", "module.x[\"k\"].t.b[3]") == "");
  CHECK(move(state, "t.c[0]", "t.c[\"zero\"]") == "");
  CHECK(move(state, "module.m", "module.m.module.m") == "");
  CHECK(named(state, "module.x[\"k\"]") == List{"module.x[\"k\"].t.b[3]"});
  CHECK(named(state, "t.c") == List{"t.c[1]", "t.c[\"zero\"]"});
  CHECK(named(state, "module.m.module.m") == List{"module.m.module.m.t.a", "module.m.module.m.module.n.t.a"});
  CHECK(state.find(InstanceAddress::parse("module.x[\"k\"].t.b[3]")->resource)->provider == kProvider);
  CHECK(move(state, "t.c", "t.d") == "");
  CHECK(named(state, "t.d").size() == 2);
}

TEST_CASE("a refused move changes nothing") {
  State state = state_of({{"t.a", ""},
                          {"t.c[0]", ""},
                          {"u.a", ""},
                          {"data.t.a", ""},
                          {"module.m.t.a", ""},
                          {"module.m.module.n.t.a", ""},
                          {"module.o.module.n.t.a", ""}});
  List before = names(state);
  for (auto [from, to] : {std::pair("t.a", "t.c[0]"),
                          {"t.a", "t.a"},
                          {"t.a", "u.b"},
                          {"t.a", "data.t.b"},
                          {"data.t.a", "t.b"},
                          {"t.a", "module.x"},
                          {"t.c", "module.x"},
                          {"t.c", "t.a"},
                          {"t.c", "t.d[0]"},
                          {"module.m", "t.b"},
                          {"module.m", "module.o"},
                          {"module.m.module.n", "module.m"}})
    CHECK(move(state, from, to) == "move-refused");
  for (auto [from, to] : {std::pair("t.b", "t.d"), {"t.c[1]", "t.d"}, {"module.x", "module.y"}})
    CHECK(move(state, from, to) == "not-in-state");
  CHECK(names(state) == before);
}

TEST_CASE("who depends on what moved loses its dependencies") {
  State state = state_of({{"t.a", ""},
                          {"t.b", "t.a"},
                          {"t.c", "t.other"},
                          {"module.m[0].t.a", ""},
                          {"module.m[0].t.b", "module.m.t.a"},
                          {"module.m[1].t.b", "module.m.t.a"}});
  CHECK(move(state, "t.a", "t.z") == "");
  CHECK_FALSE(depends(state, "t.b"));
  CHECK(depends(state, "t.c"));
  // A whole instance of a module is not what a dependency without keys names.
  CHECK(move(state, "module.m[0]", "module.m[2]") == "");
  CHECK(depends(state, "module.m[1].t.b"));
  CHECK(move(state, "module.m[2].t.a", "module.m[2].t.z") == "");
  CHECK_FALSE(depends(state, "module.m[1].t.b"));
}

TEST_CASE("a state between two others moves its provider along, and nothing else") {
  State from = state_of({{"t.a", ""}, {"t.b", ""}});
  State to = state_of({{"t.b", ""}});
  Diagnostics diags;
  CHECK(move_objects(from, to, *StateAddress::parse("t.a"), *StateAddress::parse("t.a"), diags).has_value());
  CHECK(names(from) == List{"t.b"});
  CHECK(names(to) == List{"t.a", "t.b"});
  CHECK_FALSE(move_objects(from, to, *StateAddress::parse("t.b"), *StateAddress::parse("t.b"), diags).has_value());
  CHECK(replace_provider(to, "terraform.io/builtin/terraform", "x/y/z") == List{"t.a", "t.b"});
  CHECK(replace_provider(to, "terraform.io/builtin/terraform", "x/y/z").empty());
}

TEST_CASE("a push goes on where the state is") {
  State current = state_of({{"t.a", ""}});
  current.lineage = "l";
  current.serial = 5;
  auto accepted = [&](const char* lineage, uint64_t serial, bool same) {
    State pushed;
    pushed.lineage = lineage;
    pushed.serial = serial;
    Diagnostics diags;
    bool good = check_push(current, pushed, same, "p", diags);
    CHECK(good == !diags.has_errors());
    return good;
  };
  CHECK(accepted("l", 6, false));
  CHECK(accepted("l", 5, true));
  CHECK_FALSE(accepted("l", 5, false));
  CHECK_FALSE(accepted("l", 4, true));
  CHECK_FALSE(accepted("m", 6, false));
  CHECK(accepted("", 1, false));
  current = State();
  current.lineage = "l";
  CHECK(accepted("m", 0, false));
}
