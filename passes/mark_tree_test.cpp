#include "passes/mark_tree.h"

#include <doctest/doctest.h>

namespace pravo::passes {

namespace {

constexpr MarkSet kEph = MarkSet::Ephemeral;
constexpr MarkSet kSens = MarkSet::Sensitive;

struct Fixture {
  Names names;
  MarkTrees trees{names};

  FieldKey key(std::string_view text) { return field_key(names, names.intern(text)); }
  MarkTreeId object(std::vector<std::pair<std::string_view, MarkTreeId>> parts) {
    MarkFields fields;
    for (const auto& [name, tree] : parts) fields.emplace_back(key(name), tree);
    return trees.make(MarkSet::None, std::move(fields), trees.clean());
  }
  MarkTreeId input(uint32_t i) { return trees.symbol(trees.symbols().input(i)); }
  std::string print(MarkTreeId id) {
    return trees.print(id, [](uint32_t i) { return "in" + std::to_string(i); });
  }
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "equal trees are one tree, however they are made") {
  MarkTreeId eph = trees.leaf(kEph);
  MarkTreeId a = object({{"a", eph}, {"b", trees.clean()}, {"c", trees.leaf(kSens)}});
  MarkTreeId b = trees.join(object({{"c", trees.leaf(kSens)}}), object({{"a", eph}}));
  CHECK(a == b);
  CHECK(print(a) == ".a: eph, .c: sens");
  CHECK(object({{"a", trees.clean()}}) == trees.clean());
  CHECK(trees.make(kEph, {}, trees.clean()) == eph);
}

TEST_CASE_FIXTURE(Fixture, "reading a child joins what it is read from") {
  MarkTreeId tree = trees.with_whole(object({{"a", trees.leaf(kEph)}}), kSens);
  CHECK(print(trees.child(tree, key("a"))) == "eph|sens");
  CHECK(print(trees.child(tree, key("other"))) == "sens");
  CHECK(print(trees.raw_child(tree, key("a"))) == "eph");
  CHECK(print(trees.any_child(tree)) == "eph|sens");
  CHECK(print(trees.below(tree)) == ".a: eph");
  CHECK(print(trees.own(tree)) == "sens");
  CHECK(print(trees.deep(tree)) == "eph|sens");
  CHECK(trees.has(tree, kEph));
  CHECK_FALSE(trees.has_own(tree, kEph));
}

TEST_CASE_FIXTURE(Fixture, "a key of digits and the index are one") {
  MarkTreeId list = trees.make(MarkSet::None, {{index_key(1), trees.leaf(kEph)}}, trees.clean());
  CHECK(print(list) == "[1]: eph");
  CHECK(print(trees.child(list, key("1"))) == "eph");
  CHECK(print(trees.child(list, key("01"))) == "");
  CHECK(constant_key(names, Value::string("1")) == index_key(1));
  CHECK(constant_key(names, Value::number(1)) == index_key(1));
  CHECK_FALSE(constant_key(names, Value::boolean(true)));
}

TEST_CASE_FIXTURE(Fixture, "each is for all that are not named") {
  MarkTreeId map = trees.make(MarkSet::None, {{key("a"), trees.clean()}}, trees.leaf(kEph));
  CHECK(print(map) == ".a: clean, [*]: eph");
  CHECK(print(trees.child(map, key("a"))) == "");
  CHECK(print(trees.child(map, key("b"))) == "eph");
  // Joined with a map that has `b` marked, `a` stays clean.
  CHECK(print(trees.join(map, object({{"b", trees.leaf(kSens)}}))) == ".a: clean, .b: eph|sens, [*]: eph");
}

TEST_CASE_FIXTURE(Fixture, "removing marks") {
  MarkTreeId tree = trees.with_whole(object({{"a", trees.leaf(MarkSet::Both)}}), MarkSet::Both);
  CHECK(print(trees.without(tree, kEph)) == "sens, .a: sens");
  CHECK(print(trees.without_own(tree, kSens)) == "eph, .a: eph|sens");
}

TEST_CASE_FIXTURE(Fixture, "a conversion takes along the marks of what it drops, and a set has no elements") {
  Type object_type = Type::object({{"a", Type::string()}, {"c", Type::string()}});
  MarkTreeId tree = object({{"a", trees.leaf(kEph)}, {"b", trees.leaf(kSens)}});
  CHECK(print(trees.convert(tree, Type(), object_type)) == ".a: eph");
  CHECK(print(trees.convert(tree, Type(), Type::map(Type::string()))) == ".a: eph, .b: sens");
  CHECK(print(trees.convert(tree, Type(), Type())) == ".a: eph, .b: sens");
  MarkTreeId list = trees.with_each(tree);
  CHECK(print(trees.convert(list, Type(), Type::set(object_type))) == "eph");
  CHECK(print(trees.convert(list, Type(), Type::list(object_type))) == "[*].a: eph");
  CHECK(print(trees.convert(list, Type(), Type::map(Type::set(Type::string())))) == "[*]: eph|sens");
  MarkTreeId any = trees.with_each(trees.leaf(kEph));
  CHECK(print(trees.convert(any, Type(), object_type)) == ".a: eph, .c: eph");
  CHECK(print(trees.convert(any, Type(), Type::tuple({Type::string(), Type()}))) == "[0]: eph, [1]: eph");
}

TEST_CASE_FIXTURE(Fixture, "symbols stand for what the inputs are at a call") {
  MarkTreeId in = input(0);
  CHECK(print(in) == "in0");
  CHECK(print(trees.child(in, key("a"))) == "in0.a");
  CHECK(print(trees.deep(object({{"x", in}}))) == "deep(in0)");
  CHECK(print(trees.own(in)) == "own(in0)");
  CHECK(print(trees.raw_any_child(in)) == "below(in0)[*]");
  CHECK(print(trees.without_own(in, kSens)) == "below(in0)");
  CHECK(print(trees.without_own(in, kEph)) == "in0");
  CHECK(print(trees.without(in, kSens)) == "");
  CHECK(print(trees.deep(trees.deep(in))) == "deep(in0)");
  CHECK(print(trees.below(trees.own(in))) == "");

  std::vector<MarkTreeId> inputs{trees.with_whole(object({{"a", trees.leaf(kSens)}}), kSens)};
  auto at = [&](MarkTreeId id) { return print(MarkTrees::Substitution(trees, inputs)(id)); };
  CHECK(at(in) == "sens, .a: sens");
  CHECK(at(trees.child(in, key("b"))) == "sens");
  CHECK(at(trees.below(in)) == ".a: sens");
  CHECK(at(trees.child(trees.below(in), key("b"))) == "");
  CHECK(at(trees.child(trees.below(in), key("a"))) == "sens");
  CHECK(at(trees.with_each(trees.own(in))) == "[*]: sens");
  CHECK(at(object({{"x", trees.deep(in)}, {"y", trees.leaf(kEph)}})) == ".x: sens, .y: eph");
  CHECK(at(trees.convert(trees.below(in), Type(), Type::set(Type::string()))) == "sens");
  Type without_a = Type::object({{"b", Type::string()}});
  CHECK(at(trees.convert(trees.below(in), Type(), without_a)) == "");
  CHECK(at(input(1)) == "");
}

TEST_CASE_FIXTURE(Fixture, "the lattice is finite") {
  MarkTreeId tree = trees.leaf(kEph);
  MarkTreeId last;
  int steps = 0;
  for (; steps < 1000 && last != tree; ++steps) {
    last = tree;
    tree = trees.join(object({{"a", tree}}), tree);
  }
  CHECK(steps < 100);
  CHECK(trees.has_own(tree, kEph));

  MarkTreeId deep = object({{"pw", trees.leaf(kSens)}});
  for (int i = 0; i < 100; ++i) deep = object({{"a", deep}});
  CHECK(trees[deep].depth <= MarkTrees::kMaxDepth);
  CHECK(trees.has(deep, kSens));

  MarkTreeId symbol = input(0);
  for (int i = 0; i < 100; ++i) symbol = trees.child(symbol, key("a"));
  MarkTreeId again = trees.child(symbol, key("a"));
  CHECK(again == symbol);
  std::vector<MarkTreeId> inputs{deep};
  CHECK(print(MarkTrees::Substitution(trees, inputs)(symbol)) == "sens");

  MarkTreeId wide = trees.clean();
  for (uint32_t i = 0; i < 5000; ++i)
    wide = trees.join(wide, trees.make(MarkSet::None, {{index_key(i), trees.leaf(kEph)}}, trees.clean()));
  CHECK(trees[wide].fields.size() <= MarkTrees::kMaxFields);
  CHECK(print(trees.child(wide, index_key(0))) == "eph");
  CHECK(print(trees.child(wide, index_key(4999))) == "eph");
  CHECK_FALSE(trees.has_own(wide, kEph));

  MarkTreeId many = trees.clean();
  for (uint32_t i = 0; i < 3000; ++i) many = trees.join(many, input(i));
  CHECK(trees[many].symbols.size() <= MarkTrees::kMaxSymbols);
  std::vector<MarkTreeId> some(3000, trees.clean());
  some[7] = trees.leaf(kSens);
  CHECK(print(MarkTrees::Substitution(trees, some)(many)) == "sens");
}

}  // namespace pravo::passes
