#include "passes/mark_check.h"

#include <doctest/doctest.h>

#include "ir/builder.h"
#include "ir/testing/random_program.h"
#include "ir/testing/text.h"
#include "ir/verify.h"

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
             "%c = object {input = %l, other = %l} : any\n"
             "%r = resource \"terraform_data.x\" (%c) : any") ==
        "6: the ephemeral `var.e` reaches attribute `input`, which is stored in state [ephemeral-in-resource] in "
        "terraform_data.x\n"
        "  2: `var.e` is declared ephemeral\n"
        "  3: into attribute `headers.key`\n"
        "  5: passed through `jsonencode`\n"
        "  6: through local `doc`\n"
        "  6: into attribute `input` of `terraform_data.x`\n");
}

TEST_CASE("each source of a secret is reported once at a place") {
  std::string text = root(
      "%a = variable \"a\" ephemeral : string\n"
      "%b = variable \"b\" ephemeral : string\n"
      "%t = template (%a, %b, %a) : string\n"
      "%o = object {x = %t} : any\n"
      "%c = object {input = %o} : any\n"
      "resource \"terraform_data.x\" (%c) : any");
  CHECK(text.find("the ephemeral `var.a`") != std::string::npos);
  CHECK(text.find("the ephemeral `var.b`") != std::string::npos);
  CHECK(std::count(text.begin(), text.end(), '[') == 2);
}

}  // namespace pravo::passes
