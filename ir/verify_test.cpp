#include "ir/verify.h"

#include <doctest/doctest.h>

#include <functional>

#include "ir/testing/random_program.h"
#include "ir/testing/text.h"

namespace pravo {
namespace {

using testing::in_root;
using testing::Parsed;

std::string joined(const std::vector<std::string>& problems) {
  std::string out;
  for (const std::string& problem : problems) out += problem + "\n";
  return out;
}

// What can be broken in the text alone: expected problems of `lines` as a root module.
struct TextCase {
  const char* lines;
  const char* problems;
};

TEST_CASE("broken invariants that a text can have") {
  for (const TextCase& c : std::initializer_list<TextCase>{
           {"%a = tuple ()\n%b = object.keyed (%a)", ""},
           // Operand counts.
           {"%a = unknown\n%b = local \"b\" (%a, %a)",
            "@root: 2 operands where `local` has 1: %b = local \"b\" (%a, %a) [rule 1]\n"},
           {"%a = unknown\n%b = variable \"b\" (%a, %a)",
            "@root: 2 operands where `variable` has 0 to 1: %b = variable \"b\" (%a, %a) [rule 1]\n"},
           {"%a = unknown\n%b = variable \"b\" (%a)",
            "@root: the default of a variable is no `const`: %b = variable \"b\" (%a) [rule 1]\n"},
           {"%a = unknown\n%f = for.list %a {\n  yield %a, %a, %a, %a\n}",
            "@root: 4 operands where `yield` has 1 to 3: %2 = yield %a, %a, %a, %a [rule 1]\n"
            "@root: a region of `for.list` cannot yield 4 values: %2 = yield %a, %a, %a, %a [rule 4]\n"},
           {"%a = unknown\n%o = object {x = %a, x = %a}",
            "@root: a field is named twice: %o = object {x = %a, x = %a} [rule 1]\n"},
           // Regions and what may be used where.
           {"%a = unknown\n%c = cond %a {\n  yield %a, %a\n} else {\n  yield %a\n}",
            "@root: a region of `cond` cannot yield 2 values: %2 = yield %a, %a [rule 4]\n"},
           {"%a = unknown\n%f = for.object %a {\n  yield %a\n}",
            "@root: a region of `for.object` cannot yield 1 values: %2 = yield %a [rule 4]\n"},
           {"%a = unknown\n%f = for.list %a {\n}",
            "@root: the region does not follow its owner: %f = for.list %a [rule 4]\n"},
           {"%a = unknown\n%f = for.list %a {\n  %b = unknown\n}",
            "@root: a region does not end with a yield: %b = unknown [rule 4]\n"},
           {"%a = unknown\nyield %a", "@root: a yield does not end a region: %1 = yield %a [rule 4]\n"},
           {"%a = unknown\n%f = splat %a {\n  %x = variable \"x\"\n  %l = local \"l\" (%a)\n  %d = expand.count %a\n"
            "  use provisioner (%a)\n  yield %a\n}",
            "@root: `variable` stands inside a region: %x = variable \"x\" [rule 4]\n"
            "@root: `local` stands inside a region: %l = local \"l\" (%a) [rule 4]\n"
            "@root: `expand.count` stands inside a region: %d = expand.count %a [rule 4]\n"},
           {"%a = unknown\n%f = for.list %a {\n  %b = unknown\n  yield %b\n}\n%c = attr %b .x",
            "@root: operand 0 is inside a region that this is not in: %c = attr %b .x [rule 3]\n"},
           {"%a = unknown\n%f = cond %a {\n  %b = unknown\n  yield %b\n} else {\n  yield %b\n}",
            "@root: operand 0 is inside a region that this is not in: %4 = yield %b [rule 2]\n"},
           {"%a = unknown\n%f = for.list %a {\n  %b = attr %c .x\n  %c = unknown\n  yield %b\n}",
            "@root: operand 0 is defined later in its region: %b = attr %c .x [rule 2]\n"},
           {"%a = unknown\n%f = for.list %a {\n  yield %f\n}",
            "@root: operand 0 is the owner of the region around it: %2 = yield %f [rule 2]\n"},
           {"%a = unknown\n%f = for.list %a {\n  %y = yield %a\n}\n%b = attr %y .x",
            "@root: operand 0 is a yield: %b = attr %y .x [rule 2]\n"
            "@root: operand 0 is inside a region that this is not in: %b = attr %y .x [rule 3]\n"},
           {"%a = unknown\n%f = for.list %a {\n  %b = unknown\n  yield %b\n}\ncondition assert of %b (%a, %a)",
            "@root: `%b` is inside a region: %4 = condition assert of %b (%a, %a) [rule 3]\n"},
           // key and each.
           {"%a = unknown\n%k = key %a", "@root: `unknown` has no keys: %k = key %a [rule 5]\n"},
           {"%a = unknown\n%f = for.list %a {\n  yield %a\n}\n%k = each %f",
            "@root: not in the region of what it names: %k = each %f [rule 5]\n"},
           // Domains.
           {"%a = unknown\n%d = expand.count %a\n%k = key %d\n%o = object {k = %k}",
            "@root: it is over `%d`, not nothing: %o = object {k = %k} [rule 6]\n"},
           {"%a = unknown\n%d = expand.count %a\n%o = tuple (%a) over %d",
            "@root: it is over nothing, not `%d`: %o = tuple (%a) over %d [rule 6]\n"},
           {"%a = unknown\n%o = tuple (%a) over %a",
            "@root: the domain `%a` is no expand: %o = tuple (%a) over %a [rule 6]\n"},
           {"%a = unknown\n%d = expand.count %a\n%e = expand.count %a\n%k = key %d\n%l = key %e\n"
            "%o = tuple (%k, %l) over %d",
            "@root: it is over more than one domain: %o = tuple (%k, %l) over %d [rule 6]\n"},
           {"%a = unknown\n%d = expand.count %a\n%e = expand.count %a\n%k = key %d\n%l = key %e\n"
            "%f = for.list %a over %d {\n  yield %k, %l over %d\n}",
            "@root: it is over more than one domain: %6 = yield %k, %l over %d [rule 6]\n"},
           {"%a = unknown\n%d = expand.count %a\n%e = expand.count %a\n%k = key %d\n%l = key %e\n"
            "%f = for.list %a over %d {\n  %x = unary -%k over %d\n  %y = unary -%l over %e\n  yield %a\n}",
            "@root: its region is over another domain too: %y = unary -%l over %e [rule 6]\n"},
           {"%a = unknown\n%d = expand.count %a\n%o = object {} over %d\n%c = collect %o", ""},
           {"%a = unknown\n%c = collect %a", "@root: operand 0 is over no domain: %c = collect %a [rule 6]\n"},
           {"%a = unknown\n%c = at %a[%a]", "@root: operand 0 is over no domain: %c = at %a[%a] [rule 6]\n"},
           {"%a = unknown\n%d = expand.count %a\n%r = resource \"a.b\" (%a) {expand = %d}",
            "@root: it is over `%d`, not nothing: %r = resource \"a.b\" (%a) {expand = %d} [rule 6]\n"},
           // Side tables.
           {"%a = variable \"v\"\n%b = variable \"v\"",
            "@root: another one has this name: %b = variable \"v\" [rule 7]\n"},
           {"%a = unknown\n%x = provider \"v\" (%a) {alias = \"a\"}\n%y = provider \"v\" (%a)\n"
            "%z = provider \"v\" (%a) {alias = \"a\"}",
            "@root: another one has this name: %z = provider \"v\" (%a) {alias = \"a\"} [rule 7]\n"},
           {"%a = unknown\n%x = resource \"t.n\" (%a)\n%y = data \"t.n\" (%a)\n%z = resource \"t.n\" (%a)",
            "@root: another one has this name: %z = resource \"t.n\" (%a) [rule 7]\n"},
           {"%a = module.instance \"m\"\n%b = module.instance \"m\"",
            "@root: another one has this name: %b = module.instance \"m\" [rule 7]\n"},
           {"%a = module.instance \"m\"\n%v = unknown\n%x = module.arg \"x\" (%v, %a)\n%y = module.arg \"x\" (%v, %a)",
            "@root: arguments or outputs are not sorted by name: %a = module.instance \"m\" [rule 7]\n"},
           {"%v = unknown\n%x = module.arg \"x\" (%v, %v)",
            "@root: a module.arg or module.out is in no call's list [rule 7]\n"},
           {"%a = unknown\n%r = resource \"a.b\" (%a) {collect = %a}",
            "@root: `collect` does not collect its instances: %r = resource \"a.b\" (%a) {collect = %a} [rule 7]\n"},
           {"%a = unknown\n%f = for.list %a {\n  %b = unknown\n  yield %b\n}\n%r = resource \"a.b\" (%a) after(%b)",
            "@root: a row of a side table names no instruction at the top of the body: %b = unknown [rule 7]\n"},
       }) {
    CAPTURE(c.lines);
    Parsed parsed(in_root(c.lines));
    REQUIRE_MESSAGE(parsed.ok, parsed.messages());
    CHECK(joined(verify(parsed.program)) == c.problems);
  }
}

// A program with most of what there is, for breaking.
constexpr const char* kWhole = R"(module @root {
  %v = variable "v" : string
  %p = provider "aws" (%v)
  %d = expand.for_each %v
  %k = key %d : string
  %o = object {a = %k} over %d : any
  %r = resource "aws_db.main" over %d using %p (%o) {collect = %all}
  %all = collect %r over %d
  %m = module.instance "m" @m
  %arg = module.arg "x" (%v, %m)
  %out = module.out "y" (%m)
  %one = const 1 : number
  %f = for.list %v {
    %e = each %f
    yield %e
  }
  %c = cond %v {
    yield %v
  } else {
    yield %f
  }
  %call = call f(%v)
  %neg = unary -%one
  %sum = binary %one + %one
  %b = blocks (%v)
  %s = output "s" (%v)
  check "c" ()
  %g = condition assert (%v, %v)
}
module @m {
}
)";

TEST_CASE("broken invariants that only code can make") {
  using Break = std::function<void(Parsed&, ModuleBody&)>;
  struct Case {
    const char* problems;
    Break change;
  };
  auto at = [](Parsed& p, const char* name) -> Inst& {
    InstId id = p.find(name);
    REQUIRE(id.valid());
    return p.program.body(ModuleId(0)).inst(id);
  };
  for (const Case& c : std::initializer_list<Case>{
           {"", [&](Parsed&, ModuleBody&) {}},
           {"@root: the type does not exist: %v = variable \"v\" {constraint = string} [rule 1]\n",
            [&](Parsed&p, ModuleBody&) { at(p, "%v").type = TypeId(1000); }},
           {"@root: operands of #4 are not in the pool [rule 1]\n",
            [&](Parsed&p, ModuleBody&) { at(p, "%o").operand_begin = 100000; }},
           {"@root: operands of #4 are not in the pool [rule 1]\n",
            [&](Parsed&p, ModuleBody&) { at(p, "%o").operand_count = UINT32_MAX; }},
           {"@root: operand 0 is no instruction of this body: %neg = unary -%none [rule 2]\n",
            [&](Parsed&p, ModuleBody&b) { b.operand_pool[at(p, "%neg").operand_begin] = UINT32_MAX; }},
           {"@root: operand 0 is no instruction of this body: %neg = unary -%5000 [rule 2]\n",
            [&](Parsed&p, ModuleBody&b) { b.operand_pool[at(p, "%neg").operand_begin] = 5000; }},
           {"@root: the payload is no name: %call = call \"\"(%v) [rule 1]\n",
            [&](Parsed&p, ModuleBody&) { at(p, "%call").payload = 5000; }},
           {"@root: the payload is no operator: %neg = unary %one [rule 1]\n",
            [&](Parsed&p, ModuleBody&) { at(p, "%neg").payload = 2; }},
           {"@root: the payload is no operator: %sum = binary %one  %one [rule 1]\n",
            [&](Parsed&p, ModuleBody&) { at(p, "%sum").payload = 13; }},
           {"@root: the payload is no constant: %one = const  [rule 1]\n",
            [&](Parsed&p, ModuleBody&) { at(p, "%one").payload = 5000; }},
           {"@root: the payload is no field list: %o = object {\"\" = %k} over %d [rule 1]\n",
            [&](Parsed&p, ModuleBody&) { at(p, "%o").payload = 5000; }},
           {"@root: the payload is no list of names: %o = object {\"\" = %k} over %d [rule 1]\n",
            [&](Parsed&p, ModuleBody&b) { b.field_pool[at(p, "%o").payload] = NameId(5000); }},
           {"@root: the payload is no list of spread flags: %b = blocks (%v) [rule 1]\n",
            [&](Parsed&p, ModuleBody&) { at(p, "%b").payload = 5000; }},
           {"@root: the payload is no resource: %r = resource over %d using %p (%o) [rule 1]\n",
            [&](Parsed&p, ModuleBody&) { at(p, "%r").payload = 5000; }},
           {"@root: the payload is no resource with a type and a name: %r = resource \".main\" over %d using %p (%o) "
            "{collect = %all} [rule 1]\n",
            [&](Parsed&, ModuleBody&b) { b.resources[0].type = NameId(); }},
           {"@root: the payload is no module call: %m = module.instance [rule 1]\n",
            [&](Parsed&p, ModuleBody&) { at(p, "%m").payload = 5000; }},
           {"@root: the payload is no module call with a name: %m = module.instance \"\" @m [rule 1]\n",
            [&](Parsed&, ModuleBody&b) { b.calls[0].name = NameId(); }},
           {"@root: the payload is no instruction: %g = condition assert of %5000 (%v, %v) [rule 1]\n",
            [&](Parsed&p, ModuleBody&) { at(p, "%g").payload = 5000; }},
           {"@root: the payload is no empty payload: %k = key %d [rule 1]\n",
            [&](Parsed&p, ModuleBody&) { at(p, "%k").payload = 3; }},
           {"@root: the type is not that of the constant: %one = const 1 [rule 1]\n",
            [&](Parsed&p, ModuleBody&) { at(p, "%one").type = p.program.intern(Type::string()); }},
           {"@root: the constant is marked or not wholly known: %one = const <not a constant> [rule 1]\n",
            [&](Parsed&p, ModuleBody&b) {
              Value& value = b.constants[at(p, "%one").payload];
              value = value.with_marks(MarkSet::Sensitive);
            }},
           {"@root: the constant is marked or not wholly known: %one = const <not a constant> [rule 1]\n",
            [&](Parsed&p, ModuleBody&b) { b.constants[at(p, "%one").payload] = Value::unknown(Type::number()); }},
           {"@root: `binary` cannot have flags 0x20: %sum = binary %one + %one [rule 1]\n",
            [&](Parsed&p, ModuleBody&) { at(p, "%sum").flags = kSplatFull; }},
           {"@root: `condition` cannot have flags 0x4: %g = condition  (%v, %v) [rule 1]\n",
            [&](Parsed&p, ModuleBody&) { at(p, "%g").flags = 4; }},
           {"@root: `binary` cannot declare marks: %sum = binary ephemeral %one + %one [rule 1]\n",
            [&](Parsed&p, ModuleBody&) { at(p, "%sum").marks = MarkSet::Ephemeral; }},
           {"@root: kHasDefault does not agree with the operands: %v = variable \"v\" [rule 1]\n",
            [&](Parsed&p, ModuleBody&) { at(p, "%v").flags = kHasDefault; }},
           {"@root: kHasProvider does not agree with the operands: %r = resource \"aws_db.main\" over %d using %p (%o) "
            "{collect = %all} [rule 1]\n",
            [&](Parsed&p, ModuleBody&) { at(p, "%r").flags = 0; }},
           {"@root: `...` without an argument: %call = call f() [rule 1]\n",
            [&](Parsed&p, ModuleBody&) {
              at(p, "%call").operand_count = 0;
              at(p, "%call").flags = kExpandLast;
            }},
           {"@root: not every instruction has a source range [rule 1]\n",
            [&](Parsed&, ModuleBody&b) { b.ranges.pop_back(); }},
           {"@root: the places of uses are not sorted by operand [rule 2]\n",
            [&](Parsed&, ModuleBody&b) { std::swap(b.operand_uses[0], b.operand_uses[1]); }},
           {"@root: the places of uses are not sorted by operand [rule 2]\n",
            [&](Parsed&, ModuleBody&b) { b.operand_uses.push_back({5000, {}}); }},
           {"@root: the regions are not in the table: %c = cond %v [rule 4]\n",
            [&](Parsed&p, ModuleBody&) { at(p, "%c").payload = UINT32_MAX; }},
           {"@root: the region does not follow its owner: %f = for.list %v [rule 4]\n",
            [&](Parsed&, ModuleBody&b) { b.regions[0].begin = InstId(0); }},
           {"@root: the region does not follow its owner: %f = for.list %v [rule 4]\n",
            [&](Parsed&, ModuleBody&b) { b.regions[0].end = InstId(5000); }},
           {"@root: the region does not follow its owner: %f = for.list %v [rule 4]\n",
            [&](Parsed&, ModuleBody&b) { b.regions[0].owner = InstId(0); }},
           {"@root: the second region does not follow the first: %c = cond %v [rule 4]\n",
            [&](Parsed&, ModuleBody&b) { b.regions[2].end = b.regions[2].begin; }},
           {"@root: a region does not name its yield: %f = for.list %v [rule 4]\n",
            [&](Parsed&, ModuleBody&b) { b.regions[0].yield = InstId(0); }},
           {"@root: a region in the table has no owner [rule 4]\n",
            [&](Parsed&, ModuleBody&b) { b.regions.emplace_back(); }},
           {"@root: 0 rows for 1 instructions of `output` [rule 7]\n",
            [&](Parsed&, ModuleBody&b) { b.outputs.clear(); }},
           {"@root: a row of `variable` names another instruction: %p = provider \"aws\" (%v) [rule 7]\n",
            [&](Parsed&p, ModuleBody&b) { b.variables[0].inst = p.find("%p"); }},
           {"@root: a row of `variable` names another instruction [rule 7]\n",
            [&](Parsed&, ModuleBody&b) { b.variables[0].inst = InstId(); }},
           {"@root: the row has another name: %v = variable \"v\" [rule 7]\n",
            [&](Parsed&p, ModuleBody&b) { b.variables[0].name = p.names.intern("w"); }},
           {"@root: the row has another name: %p = provider \"aws\" (%v) [rule 7]\n",
            [&](Parsed&p, ModuleBody&b) { b.providers[0].local_name = p.names.intern("w"); }},
           {"@root: the row has another mode: %r = resource \"aws_db.main\" over %d using %p (%o) {collect = %all} "
            "[rule 7]\n",
            [&](Parsed&, ModuleBody&b) { b.resources[0].mode = ResourceMode::Data; }},
           {"@root: `%v` is no `module.out` of this call: %m = module.instance \"m\" @m [rule 7]\n",
            [&](Parsed&p, ModuleBody&b) { b.calls[0].outs[0].second = p.find("%v"); }},
           {"@root: a module.arg or module.out is in no call's list [rule 7]\n",
            [&](Parsed&, ModuleBody&b) { b.calls[0].outs.clear(); }},
           {"@root: the lists of unsupported constructs differ in length [rule 7]\n",
            [&](Parsed&, ModuleBody&b) { b.unsupported.emplace_back(); }},
           {"@root: a row of a side table names no instruction at the top of the body [rule 7]\n",
            [&](Parsed&, ModuleBody&b) { b.outputs[0].after.push_back(InstId(5000)); }},
           {"@root: a row of a side table has a name that does not exist [rule 7]\n",
            [&](Parsed&, ModuleBody&b) { b.resources[0].provider_alias = NameId(5000); }},
           {"@root: a call's target is no other module [rule 8]\n",
            [&](Parsed&, ModuleBody&b) { b.calls[0].target = ModuleId(0); }},
           {"@root: a call's target is no other module [rule 8]\n",
            [&](Parsed&, ModuleBody&b) { b.calls[0].target = ModuleId(7); }},
           {"@root: the first module is the root [rule 9]\n", [&](Parsed&, ModuleBody&b) { b.root = false; }},
           {"@m: the first module is the root [rule 9]\n",
            [&](Parsed&p, ModuleBody&) { p.program.body(ModuleId(1)).root = true; }},
           {"@root: another module has this label [rule 9]\n",
            [&](Parsed&p, ModuleBody&) { p.program.body(ModuleId(1)).label = "root"; }},
           {"@root: a hint names no instruction or has no name [rule 9]\n",
            [&](Parsed&, ModuleBody&b) { b.hints[InstId(5000)] = NameId(0); }},
           {"@root: a hint names no instruction or has no name [rule 9]\n",
            [&](Parsed&, ModuleBody&b) { b.hints[InstId(0)] = NameId(5000); }},
           {"there is no root module [rule 9]\n", [&](Parsed&p, ModuleBody&) { p.program.bodies.clear(); }},
       }) {
    CAPTURE(c.problems);
    Parsed parsed(kWhole);
    REQUIRE_MESSAGE(parsed.ok, parsed.messages());
    c.change(parsed, parsed.program.body(ModuleId(0)));
    CHECK(joined(verify(parsed.program)) == c.problems);
  }
}

TEST_CASE("rows of resources and calls are those that their instructions name") {
  Parsed parsed(
      in_root("  %v = unknown\n  %a = resource \"t.a\" (%v)\n  %b = resource \"t.b\" (%v)\n"
              "  %m = module.instance \"m\"\n  %n = module.instance \"n\""));
  REQUIRE(parsed.ok);
  ModuleBody& body = parsed.program.body(ModuleId(0));
  std::swap(body.inst(parsed.find("%a")).payload, body.inst(parsed.find("%b")).payload);
  std::swap(body.inst(parsed.find("%m")).payload, body.inst(parsed.find("%n")).payload);
  CHECK(joined(verify(parsed.program)) ==
        "@root: the row is not the one that the instruction names: %a = resource \"t.b\" (%v) [rule 7]\n"
        "@root: the row is not the one that the instruction names: %b = resource \"t.a\" (%v) [rule 7]\n"
        "@root: the row is not the one that the instruction names: %m = module.instance \"n\" [rule 7]\n"
        "@root: the row is not the one that the instruction names: %n = module.instance \"m\" [rule 7]\n");
}

TEST_CASE("modules that call each other in a circle") {
  Parsed parsed(
      "module @root {\n  %a = module.instance \"a\" @a\n}\nmodule @a {\n  %b = module.instance \"b\" @b\n}\n"
      "module @b {\n  %a = module.instance \"a\" @a\n}\n");
  REQUIRE(parsed.ok);
  CHECK(joined(verify(parsed.program)) == "modules call each other in a circle [rule 8]\n");
}

TEST_CASE("any id may be wrong: the verifier answers") {
  std::mt19937_64 rng(7);
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Names names;
    Program program = testing::RandomProgram(names, seed, 30).take();
    ModuleBody& body = program.body(ModuleId(0));
    for (int n = 0; n < 5; ++n) {
      Inst& inst = body.inst(InstId(static_cast<uint32_t>(rng() % body.insts.size())));
      auto any_id = [&]() -> uint32_t { return rng() % 4 == 0 ? UINT32_MAX : static_cast<uint32_t>(rng() % 200); };
      switch (rng() % 8) {
        case 0:
          inst.payload = any_id();
          break;
        case 1:
          inst.operand_begin = any_id();
          break;
        case 2:
          inst.operand_count = any_id();
          break;
        case 3:
          inst.domain = InstId(any_id());
          break;
        case 4:
          inst.type = TypeId(any_id());
          break;
        case 5:
          inst.kind = static_cast<OpKind>(rng() % kOpCount);
          break;
        case 6:
          if (!body.operand_pool.empty()) body.operand_pool[rng() % body.operand_pool.size()] = any_id();
          break;
        default:
          if (!body.regions.empty()) {
            Region& region = body.regions[rng() % body.regions.size()];
            (rng() % 2 == 0 ? region.begin : region.end) = InstId(any_id());
          }
      }
    }
    // Most of these are broken; what matters is that each is looked at without a fault.
    static_cast<void>(verify(program));
  }
}

}  // namespace
}  // namespace pravo
