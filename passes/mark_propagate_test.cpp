#include "passes/mark_propagate.h"

#include <doctest/doctest.h>

#include "ir/builder.h"
#include "ir/testing/text.h"
#include "ir/verify.h"

namespace pravo::passes {

namespace {

// What is inferred for the value with this printed name, without the word "marks".
struct Marks {
  testing::Parsed parsed;
  std::optional<MarkFacts> facts;

  explicit Marks(std::string_view text) : parsed(text) {
    REQUIRE_MESSAGE(parsed.ok, parsed.messages());
    std::vector<std::string> faults = verify(parsed.program);
    REQUIRE_MESSAGE(faults.empty(), (faults.empty() ? std::string() : faults[0]));
    facts = propagate_marks(parsed.program);
  }
  std::string operator()(std::string_view name, uint32_t module = 0) {
    InstId id = parsed.find(name, ModuleId(module));
    REQUIRE_MESSAGE(id.valid(), name);
    std::string text = describe_marks(parsed.program, *facts, ModuleId(module), id);
    return text.starts_with("marks ") ? text.substr(6) : text;
  }
};

// What `%r` is in a root module of these lines, where %e is ephemeral, %s sensitive, %l and %o hold them in places.
std::string result(std::string_view lines) {
  std::string text =
      "  %e = variable \"e\" ephemeral : string\n"
      "  %s = variable \"s\" sensitive : string\n"
      "  %p = variable \"p\" : string\n"
      "  %l = tuple (%p, %s) : tuple([string, string])\n"
      "  %o = object {pub = %p, sec = %s, eph = %e} : object({ pub = string, sec = string, eph = string })\n"
      "  %sl = variable \"sl\" sensitive : list(string)\n";
  text += lines;
  return Marks(testing::in_root(text))("%r");
}

}  // namespace

TEST_CASE("an object keeps its attributes apart") {
  CHECK(result("%r = object {a = %e, b = %p} : any") == ".a: eph");
  CHECK(result("%r = attr %o .pub : string") == "");
  CHECK(result("%r = attr %o .sec : string") == "sens");
  CHECK(result("%k = const \"eph\" : string\n%r = index %o[%k] : string") == "eph");
  CHECK(result("%r = index %o[%p] : string") == "eph|sens");
  CHECK(result("%r = index %o[%s] : string") == "eph|sens");
  CHECK(result("%m = object {a = %p} : any\n%r = index %m[%e] : string") == "eph");
  CHECK(result("%n = const 0 : number\n%r = index %l[%n] : string") == "");
  CHECK(result("%n = const 1 : number\n%r = index %l[%n] : string") == "sens");
  CHECK(result("%r = attr %sl .x : any") == "sens");
  CHECK(result("%r = object.keyed (%p, %e) : any") == "[*]: eph");
  CHECK(result("%r = object.keyed (%s, %p) : any") == "sens");
  CHECK(result("%k = const \"a\" : string\n%r = object.keyed (%k, %p, %p, %e) : any") == "[*]: eph");
}

TEST_CASE("what computes a scalar is marked by everything in it") {
  CHECK(result("%r = binary %o == %p : bool") == "eph|sens");
  CHECK(result("%r = unary !%s : bool") == "sens");
  CHECK(result("%r = template (%p, %e) : string") == "eph");
  CHECK(result("%r = template.join %l : string") == "sens");
  CHECK(result("%r = call jsonencode(%o) : string") == "eph|sens");
  CHECK(result("%r = call coalesce(%l, %p) : any") == "sens");
  CHECK(result("%r = provider.call provider::x::f(%o) : any") == "eph|sens");
  CHECK(result("%r = call can(%e) : bool") == "");
  CHECK(result("%r = meta \"terraform.applying\" : bool") == "eph");
  CHECK(result("%r = meta \"path.module\" : string") == "");
}

TEST_CASE("functions that keep structure") {
  CHECK(result("%r = call length(%l) : number") == "");
  CHECK(result("%r = call length(%sl) : number") == "sens");
  CHECK(result("%t = call toset(%l) : set(string)\n%r = call length(%t) : number") == "sens");
  CHECK(result("%r = call keys(%o) : any") == "");
  CHECK(result("%r = call values(%o) : any") == "[0]: eph, [2]: sens");
  CHECK(result("%r = call merge(%o, %m) : any\n%m = object {sec = %p} : object({ sec = string })") == ".eph: eph");
  // One that may be null wins nothing.
  CHECK(result("%r = call merge(%o, %m) : any\n%m = variable \"m\" : object({ sec = string })") ==
        ".eph: eph, .sec: sens");
  CHECK(result("%m = variable \"m\" : map(string)\n%r = call merge(%m, %o) : any") == ".eph: eph, .sec: sens");
  CHECK(result("%m = variable \"m\" : map(string)\n%r = call merge(%o, %m) : any") == ".eph: eph, .sec: sens");
  CHECK(result("%r = call merge(%o, %sl) : any") == "sens, .eph: eph, .sec: sens");
  CHECK(result("%t = tuple (%o) : tuple([object({ pub = string, sec = string, eph = string })])\n"
               "%r = call merge(%t...) : any") == ".eph: eph, .sec: sens");
  CHECK(result("%t = tuple (%e) : tuple([string])\n%r = call concat(%l, %t) : any") == "[1]: sens, [2]: eph");
  CHECK(result("%t = variable \"t\" : list(string)\n%r = call concat(%l, %t, %l) : any") == "[0]: clean, [*]: sens");
  CHECK(result("%r = call reverse(%l) : any") == "[0]: sens");
  CHECK(result("%a = const 0 : number\n%b = const 1 : number\n%r = call slice(%l, %b, %b) : any") == "[0]: sens");
  CHECK(result("%r = call slice(%l, %s, %p) : any") == "sens, [*]: sens");
  CHECK(result("%n = const 1 : number\n%r = call chunklist(%l, %n) : any") == "[*][*]: sens");
  CHECK(result("%n = const 3 : number\n%r = call element(%l, %n) : any") == "sens");
  CHECK(result("%n = const 2 : number\n%r = call element(%l, %n) : any") == "");
  CHECK(result("%r = call element(%l, %e) : any") == "eph|sens");
  CHECK(result("%k = const \"pub\" : string\n%r = call lookup(%o, %k, %s) : any") == "sens");
  CHECK(result("%k = const \"pub\" : string\n%r = call lookup(%o, %k, %k) : any") == "");
  CHECK(result("%r = call lookup(%o, %p, %p) : any") == "eph|sens");
  CHECK(result("%a = const \"a\" : string\n%b = const \"b\" : string\n%k = tuple (%a, %b) : any\n"
               "%r = call zipmap(%k, %l) : any") == ".b: sens");
  CHECK(result("%k = tuple (%s) : any\n%r = call zipmap(%k, %l) : any") == "sens, [*]: sens");
  CHECK(result("%t = tuple (%e) : tuple([string])\n%r = call setproduct(%l, %t) : any") == "[*][0]: sens, [*][1]: eph");
  CHECK(result("%t = call toset(%l) : set(string)\n%r = call setproduct(%t, %l) : any") == "sens");
  CHECK(result("%r = call try(%e, %p) : any") == "eph");
  CHECK(result("%a = attr %o .eph : any\n%r = call try(%a, %s) : any") == "eph|sens");
  CHECK(result("%r = call sensitive(%e) : any") == "eph|sens");
  CHECK(result("%r = call nonsensitive(%sl) : any") == "");
  CHECK(result("%r = call nonsensitive(%o) : any") == ".eph: eph, .sec: sens");
  CHECK(result("%r = call ephemeralasnull(%o) : any") == ".sec: sens");
  CHECK(result("%r = call tolist(%l) : list(string)") == "[1]: sens");
  CHECK(result("%r = call nope(%l) : any") == "sens");
}

TEST_CASE("flatten finds sequences by how they are written, by type and by shape") {
  CHECK(result("%t = tuple (%l, %e) : any\n%r = call flatten(%t) : any") == "[*]: eph|sens");
  CHECK(
      result("%f = for.list %p {\n  %x = object {k = %p, pw = %s} : any\n  %t = tuple (%x) : any\n  yield %t\n} : any\n"
             "%r = call flatten(%f) : any") == "[*].pw: sens");
  CHECK(result("%v = variable \"v\" sensitive : list(list(string))\n%t = tuple (%v) : any\n"
               "%r = call flatten(%t) : any") == "sens");
}

TEST_CASE("a set in one arm makes one of the other, however much stands beside it") {
  for (size_t beside : {size_t{0}, size_t{80}, size_t{5000}}) {
    std::string more;
    for (size_t i = 0; i < beside; ++i) more += ", %p";
    CHECK(result("%q = variable \"q\" : set(string)\n%a = tuple (%q" + more + ") : any\n%b = tuple (%l" + more +
                 ") : any\n%r = cond %p {\n  yield %a\n} else {\n  yield %b\n} : any")
              .find("[0]: sens") != std::string::npos);
  }
}

TEST_CASE("a conditional joins its condition and both arms") {
  CHECK(result("%c = const false : bool\n%r = cond %c {\n  yield %e\n} else {\n  yield %p\n} : string") == "eph");
  CHECK(result("%r = cond %s {\n  yield %o\n} else {\n  yield %p\n} : any") == "sens, .eph: eph, .sec: sens");
  CHECK(result("%r = cond %p {\n  yield %l\n} else {\n  yield %p\n} : set(string)") == "sens");
}

TEST_CASE("for takes the collection's marks whole, binds elements, and filters and keys mark the whole") {
  CHECK(result("%r = for.list %sl {\n  %x = each %r : string\n  yield %x\n} : any") == "sens");
  CHECK(result("%r = for.list %l {\n  %x = key %r : number\n  yield %x\n} : any") == "");
  CHECK(result("%r = for.list %p {\n  yield %e\n} : any") == "[*]: eph");
  CHECK(result("%r = for.list %p {\n  %x = each %r : any\n  yield %x, %e\n} : any") == "eph");
  CHECK(result("%r = for.object %p {\n  yield %s, %e\n} : any") == "sens, [*]: eph");
  CHECK(result("%r = for.object grouped %p {\n  %k = key %r : any\n  yield %k, %e\n} : any") == "[*][*]: eph");
}

TEST_CASE("for keeps elements apart where it keeps their keys") {
  CHECK(result("%r = for.object %o {\n  %k = key %r : any\n  %v = each %r : any\n  %t = template (%v) : string\n"
               "  yield %k, %t\n} : any") == ".eph: eph, .sec: sens");
  CHECK(result("%r = for.object %o {\n  %k = key %r : any\n  %v = each %r : any\n  yield %v, %k\n} : any") ==
        "eph|sens");
  CHECK(result("%r = for.list %l {\n  %x = each %r : string\n  yield %x\n} : any") == "[1]: sens");
  CHECK(result("%r = for.list %l {\n  %x = each %r : string\n  yield %x, %p\n} : any") == "[*]: sens");
  CHECK(result("%r = splat full %l {\n  %x = each %r : string\n  yield %x\n} : any") == "[1]: sens");
  // The table keeps what holds for any element.
  Marks marks(
      testing::in_root("  %s = variable \"s\" sensitive : string\n  %p = variable \"p\" : string\n"
                       "  %l = tuple (%p, %s) : tuple([string, string])\n"
                       "  %r = for.list %l {\n    %x = each %r : string\n    yield %x\n  } : any"));
  CHECK(marks("%x") == "sens");
}

TEST_CASE("a splat of what is no list has it as its one element") {
  CHECK(result("%r = splat full %s {\n  %x = each %r : string\n  yield %x\n} : any") == "sens, [*]: sens");
  CHECK(result("%r = splat full %o {\n  %x = each %r : any\n  %a = attr %x .eph : any\n  yield %a\n} : any") ==
        "[*]: eph");
}

TEST_CASE("repetition") {
  Marks marks(
      testing::in_root("  %e = variable \"e\" ephemeral : string\n"
                       "  %k = const \"a\" : string\n"
                       "  %m = object {a = %e} : object({ a = string })\n"
                       "  %d = expand.for_each %m\n"
                       "  %key = key %d : string\n"
                       "  %val = each %d : string\n"
                       "  %c = object {name = %key, pw = %val} over %d : any\n"
                       "  %r = resource \"x.y\" over %d (%c) : any\n"
                       "  %all = collect %c over %d : any\n"
                       "  %one = at %c[%k] : any\n"
                       "  %two = at %c[%e] : any"));
  CHECK(marks("%key") == "");
  CHECK(marks("%val") == "eph");
  CHECK(marks("%c") == ".pw: eph");
  CHECK(marks("%r") == "");
  CHECK(marks("%all") == "[*].pw: eph");
  CHECK(marks("%one") == ".pw: eph");
  CHECK(marks("%two") == "eph, .pw: eph");
}

TEST_CASE("results of resources") {
  Marks marks(
      testing::in_root("  %e = variable \"e\" ephemeral : string\n"
                       "  %s = variable \"s\" sensitive : string\n"
                       "  %b = object {pw = %s} : any\n"
                       "  %bs = blocks (%b) : any\n"
                       "  %c = object {input = %s, x = %e, block = %bs} : any\n"
                       "  %r = resource \"terraform_data.a\" (%c) : any\n"
                       "  %q = resource \"other.a\" (%c) : any\n"
                       "  %d = data \"other.a\" (%c) : any\n"
                       "  %f = ephemeral \"other.a\" (%c) : any\n"
                       "  %list = index %block[%zero] : any\n"
                       "  %block = attr %q .block : any\n"
                       "  %zero = const 0 : number\n"
                       "  %single = attr %block .pw : any"));
  CHECK(marks("%r") == ".block[0].pw: sens, .block.pw: sens, .input: sens, .output: sens");
  CHECK(marks("%d") == ".block[0].pw: sens, .block.pw: sens, .input: sens");
  CHECK(marks("%f") == "eph, .block[0].pw: sens, .block.pw: sens, .input: sens");
  CHECK(marks("%list") == ".pw: sens");
  CHECK(marks("%single") == "sens");
}

TEST_CASE("a module is looked at once, and each call has its own marks") {
  Marks marks(
      "module @root {\n"
      "  %s = variable \"s\" sensitive : string\n"
      "  %e = variable \"e\" ephemeral : string\n"
      "  %p = variable \"p\" : string\n"
      "  %o = object {pw = %s, x = %p, extra = %s} : object({ pw = string, x = string, extra = string })\n"
      "  %a = module.instance \"a\" @m\n"
      "  %a.t = module.arg \"t\" (%o, %a) : any\n"
      "  %a.e = module.arg \"e\" (%e, %a) : any\n"
      "  %a.o = module.out \"o\" (%a) : any\n"
      "  %a.json = module.out \"json\" (%a) : any\n"
      "  %a.pub = module.out \"pub\" (%a) : any\n"
      "  %a.eph = module.out \"eph\" (%a) : any\n"
      "  %a.cut = module.out \"cut\" (%a) : any\n"
      "  %a.sens = module.out \"sens\" (%a) : any\n"
      "  %b = module.instance \"b\" @m\n"
      "  %b.t = module.arg \"t\" (%p, %b) : any\n"
      "  %b.json = module.out \"json\" (%b) : any\n"
      "  %b.o = module.out \"o\" (%b) : any\n"
      "  %c = module.instance \"c\"\n"
      "  %c.o = module.out \"o\" (%c) : any\n"
      "}\n"
      "module @m {\n"
      "  %t = variable \"t\" {constraint = object({ pw = string, x = string })} : object({ pw = string, x = string })\n"
      "  %e = variable \"e\" ephemeral : string\n"
      "  %j = call jsonencode(%t) : string\n"
      "  %x = attr %t .x : string\n"
      "  %n = call nonsensitive(%t) : any\n"
      "  output \"o\" (%t)\n"
      "  output \"json\" (%j)\n"
      "  output \"pub\" (%x)\n"
      "  output \"eph\" ephemeral (%e)\n"
      "  output \"cut\" (%e)\n"
      "  output \"sens\" sensitive (%x)\n"
      "}\n");
  CHECK(marks("%t", 1) == "var.t");
  CHECK(marks("%j", 1) == "deep(var.t)");
  CHECK(marks("%x", 1) == "var.t.x");
  CHECK(marks("%n", 1) == "below(var.t)");
  CHECK(marks("%e", 1) == "eph|var.e");
  // `extra` is no attribute of the variable's type and takes its mark along.
  CHECK(marks("%a.o") == ".pw: sens");
  CHECK(marks("%a.json") == "sens");
  CHECK(marks("%a.pub") == "");
  CHECK(marks("%a.eph") == "eph");
  CHECK(marks("%a.cut") == "");
  CHECK(marks("%a.sens") == "sens");
  CHECK(marks("%b.json") == "");
  CHECK(marks("%b.o") == "");
  CHECK(marks("%c.o") == "");
}

TEST_CASE("modules that feed each other through different arguments are no cycle") {
  Marks marks(
      "module @root {\n"
      "  %s = variable \"s\" sensitive : string\n"
      "  %a = module.instance \"a\" @m\n"
      "  %a.x = module.arg \"x\" (%s, %a) : any\n"
      "  %a.y = module.arg \"y\" (%b.x, %a) : any\n"
      "  %a.ox = module.out \"x\" (%a) : any\n"
      "  %a.oy = module.out \"y\" (%a) : any\n"
      "  %b = module.instance \"b\" @m\n"
      "  %b.x.arg = module.arg \"x\" (%a.ox, %b) : any\n"
      "  %b.x = module.out \"x\" (%b) : any\n"
      "}\n"
      "module @m {\n"
      "  %x = variable \"x\" : any\n"
      "  %y = variable \"y\" : any\n"
      "  output \"x\" (%x)\n"
      "  output \"y\" (%y)\n"
      "}\n");
  CHECK(marks("%a.oy") == "sens");
}

TEST_CASE("a chain of 100,000 values takes linear time and no stack") {
  Names names;
  Program program(names);
  program.bodies.push_back(std::make_unique<ModuleBody>());
  program.bodies[0]->root = true;
  Builder b(program, ModuleId(0));
  TypeId any = b.type(Type());
  // Each local names the next one, so that the first asked for is the last to be known.
  constexpr int kLength = 100000;
  std::vector<InstId> locals;
  for (int i = 0; i < kLength; ++i)
    locals.push_back(b.reserve(OpKind::Local, any, b.name("l" + std::to_string(i)).index));
  InstId variable = b.add(OpKind::Variable, any, {}, b.name("v").index);
  b.body().inst(variable).marks = MarkSet::Sensitive;
  b.body().variables.push_back({b.name("v"), variable, {}, {}, {}});
  for (int i = 0; i < kLength; ++i) {
    InstId next = i + 1 < kLength ? locals[static_cast<size_t>(i) + 1] : variable;
    InstId object = b.object(any, std::vector{b.name("x")}, std::vector{next});
    b.set_operands(locals[static_cast<size_t>(i)], std::vector{object});
  }
  MarkFacts facts = propagate_marks(program);
  CHECK(facts.trees.has(facts.at(ModuleId(0), locals[0]), MarkSet::Sensitive));
  CHECK(facts.trees.size() < 1000);
}

TEST_CASE("marks of a value are predicted, or not") {
  Names names;
  MarkTrees trees(names);
  NameId pw = names.intern("pw");
  MarkTreeId tree = trees.make(MarkSet::None, {{FieldKey::name(pw), trees.leaf(MarkSet::Ephemeral)}}, trees.clean());
  Value secret = Value::string("x").with_marks(MarkSet::Ephemeral);
  Value plain = Value::string("y");
  auto object = [](Value a, Value b) {
    return Value::object({{Str("other"), std::move(a)}, {Str("pw"), std::move(b)}});
  };
  CHECK(predicts(trees, names, tree, object(plain, secret), MarkSet::Both));
  CHECK_FALSE(predicts(trees, names, tree, object(secret, plain), MarkSet::Both));
  CHECK_FALSE(predicts(trees, names, tree, object(plain, secret).with_marks(MarkSet::Ephemeral), MarkSet::Both));
  Value both = object(plain, Value::string("x").with_marks(MarkSet::Both));
  CHECK_FALSE(predicts(trees, names, tree, both, MarkSet::Both));
  CHECK(predicts(trees, names, tree, both, MarkSet::Ephemeral));
  CHECK(predicts(trees, names, trees.leaf(MarkSet::Both), both, MarkSet::Both));
  MarkTreeId symbol = trees.symbol(trees.symbols().input(0));
  CHECK(predicts(trees, names, symbol, Value::string("x").with_marks(MarkSet::Sensitive), MarkSet::Both));
  CHECK_FALSE(predicts(trees, names, symbol, secret, MarkSet::Both));
}

}  // namespace pravo::passes
