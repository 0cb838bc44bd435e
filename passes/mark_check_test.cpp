#include "passes/mark_check.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "ir/builder.h"
#include "ir/testing/random_program.h"
#include "ir/testing/text.h"
#include "ir/verify.h"
#include "passes/check.h"

namespace pravo::passes {

namespace {

std::string report(testing::Parsed& parsed, SchemaSource* schemas = nullptr) {
  REQUIRE_MESSAGE(parsed.ok, parsed.messages());
  std::vector<std::string> faults = verify(parsed.program);
  REQUIRE_MESSAGE(faults.empty(), (faults.empty() ? std::string() : faults[0]));
  MarkFacts facts = propagate_marks(parsed.program, schemas);
  Diagnostics diags;
  check_marks(parsed.program, facts, schemas, parsed.sources, diags);
  diags.sort(parsed.sources);
  std::string out;
  for (const Diagnostic& d : diags.all()) {
    auto line = [&](SourceRange range) {
      return std::to_string(parsed.sources.position(range.file, range.begin).line);
    };
    out += line(d.range) + ": " + d.message + " [" + std::string(diagnostic_id(d.kind)) + "]";
    if (!d.address.empty()) out += " in " + d.address;
    out += "\n";
    for (const TraceStep& step : d.trace) out += "  " + line(step.range) + ": " + step.message + "\n";
  }
  return out;
}

std::string report(std::string_view text) {
  testing::Parsed parsed(text);
  return report(parsed);
}
std::string root(std::string_view lines) { return report(testing::in_root(lines)); }

}  // namespace

TEST_CASE("the way of an ephemeral value into a resource") {
  CHECK(root("%e = variable \"e\" ephemeral : string\n"
             "%h = object {key = %e} : any\n"
             "%o = object {headers = %h} : any\n"
             "%j = call jsonencode(%o) : string\n"
             "%l = local \"doc\" (%j) : string\n"
             "%c = object {input = %l} : any\n"
             "%r = resource \"terraform_data.x\" (%c) : any") ==
        "7: the ephemeral `var.e` reaches attribute `input`, which is stored in state [ephemeral-in-resource] in "
        "terraform_data.x\n"
        "  2: `var.e` is declared ephemeral\n"
        "  3: into attribute `headers.key`\n"
        "  5: passed through `jsonencode`\n"
        "  6: through local `doc`\n"
        "  7: into attribute `input` of `terraform_data.x`\n");
}

TEST_CASE("each source of a secret is reported once at a place") {
  std::string text = root(
      "%a = variable \"a\" ephemeral : string\n"
      "%b = variable \"b\" ephemeral : string\n"
      "%t = template (%a, %b, %a) : string\n"
      "%o = object {x = %t} : any\n"
      "%c = object {input = %o} : any\n"
      "resource \"terraform_data.x\" (%c) : any");
  CHECK(text.find("the ephemeral `var.a` reaches attribute `input.x`") != std::string::npos);
  CHECK(text.find("the ephemeral `var.b` reaches attribute `input.x`") != std::string::npos);
  CHECK(std::count(text.begin(), text.end(), '[') == 2);
}

namespace {

// A chain of locals from an ephemeral variable, and resources that each take its end.
struct Chain {
  Names names;
  Program program{names};

  Chain(int length, int resources) {
    program.bodies.push_back(std::make_unique<ModuleBody>());
    program.bodies[0]->root = true;
    Builder b(program, ModuleId(0));
    TypeId any = b.type(Type());
    InstId value = b.add(OpKind::Variable, any, {}, b.name("v").index);
    b.body().inst(value).marks = MarkSet::Ephemeral;
    b.body().variables.push_back({b.name("v"), value, {}, {}, {}});
    for (int i = 0; i < length; ++i) value = b.add(OpKind::Local, any, {value}, b.name("l" + std::to_string(i)).index);
    for (int i = 0; i < resources; ++i) {
      b.set_range({FileId(0), static_cast<uint32_t>(i), static_cast<uint32_t>(i)});
      InstId read = b.add(OpKind::Attr, any, {value}, b.name("y").index);
      InstId config = b.object(any, std::vector{b.name("x")}, std::vector{read});
      ResourceInfo info;
      info.type = b.name("thing");
      info.name = b.name("r" + std::to_string(i));
      b.body().resources.push_back(info);
      InstId resource = b.add(OpKind::Resource, any, {config}, static_cast<uint32_t>(i));
      b.body().resources.back().inst = resource;
    }
  }
  Diagnostics check() {
    SourceManager sources;
    sources.add("m.tf", "");
    MarkFacts facts = propagate_marks(program);
    Diagnostics diags;
    check_marks(program, facts, nullptr, sources, diags);
    return diags;
  }
};

}  // namespace

TEST_CASE("of a very long way the middle is left out") {
  Diagnostics diags = Chain(100000, 1).check();
  REQUIRE(diags.all().size() == 1);
  const std::vector<TraceStep>& trace = diags.all()[0].trace;
  CHECK(trace.size() < 100);
  CHECK(trace.front().message == "`var.v` is declared ephemeral");
  CHECK(trace[1].message == "through local `l0`");
  CHECK(trace[trace.size() - 2].message == "through local `l99999`");
  CHECK(std::any_of(trace.begin(), trace.end(),
                    [](const TraceStep& step) { return step.message == "... and 99938 more steps"; }));
}

TEST_CASE("thousands of leaks along thousands of steps are all reported, the last of them without the way") {
  Diagnostics diags = Chain(10000, 1000).check();
  CHECK(diags.all().size() == 1000);
  CHECK(diags.all().front().trace.size() > 2);
  CHECK(diags.all().back().message == "an ephemeral value reaches attribute `x`, which is stored in state");
}

TEST_CASE("a secret that a caller brings is reported once, with the way from the caller") {
  std::string text = report(
      "module @root {\n"
      "  %s = variable \"s\" sensitive : any\n"
      "  %a = module.instance \"a\" @m\n"
      "  %a.k = module.arg \"k\" (%s, %a) : any\n"
      "  %b = module.instance \"b\" @m\n"
      "  %b.k = module.arg \"k\" (%s, %b) : any\n"
      "  %c = module.instance \"c\" @m\n"
      "  %p = const \"x\" : string\n"
      "  %c.k = module.arg \"k\" (%p, %c) : any\n"
      "}\n"
      "module @m {\n"
      "  %k = variable \"k\" : any\n"
      "  %d = expand.for_each %k\n"
      "  %cfg = object {} : object({})\n"
      "  resource \"thing.x\" over %d (%cfg) : any\n"
      "}\n");
  CHECK(text ==
        "13: the sensitive `var.s` decides the `for_each` of `thing.x`, whose keys are shown [sensitive-in-for-each]\n"
        "  2: `var.s` is declared sensitive\n"
        "  4: as argument `k` of module `a`\n"
        "  13: as keys of the instances of `thing.x`\n");
}

TEST_CASE("any program that verifies is checked without a fault of ours") {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Names names;
    SourceManager sources;
    sources.add("m.tf", "");
    Program program = testing::RandomProgram(names, seed, 60).take();
    Diagnostics diags;
    check(program, sources, diags);
    for (const Diagnostic& d : diags.all()) CHECK_FALSE(d.message.empty());
  }
}

}  // namespace pravo::passes
