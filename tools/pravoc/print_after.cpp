#include "tools/pravoc/print_after.h"

#include <functional>
#include <map>

#include <fmt/format.h>

#include "frontend/hcl/dump.h"
#include "ir/text.h"
#include "passes/advise.h"
#include "passes/fold.h"
#include "passes/mark_check.h"
#include "passes/unused.h"
#include "tools/pravoc/render_text.h"

namespace pravo::cli {

namespace {

using Print = std::function<std::string(Compilation&, const std::vector<std::string>& only, const Terminal&)>;

std::string trees(Compilation& c, const std::vector<std::string>&, const Terminal&) {
  std::string out;
  for (const hcl::SyntaxTree& tree : c.configuration.trees) {
    if (!tree.root.valid()) continue;
    // Variable files hold values, and are no part of the configuration.
    if (c.sources.secret(tree.file)) continue;
    out += fmt::format("; {}{}\n{}\n", c.prefix, c.sources.name(tree.file), hcl::to_text(c.sources, tree));
  }
  return out;
}

std::string program(Compilation& c, const std::vector<std::string>& only, const Terminal&) {
  PrintOptions options;
  options.only = only;
  return print_program(*c.program, options);
}

std::string marked_program(Compilation& c, const std::vector<std::string>& only, const Terminal&) {
  passes::MarkFacts facts = passes::propagate_marks(*c.program);
  PrintOptions options;
  options.only = only;
  options.comment = [&](ModuleId module, InstId inst) {
    return passes::describe_marks(*c.program, facts, module, inst);
  };
  return print_program(*c.program, options);
}

// A pass whose output is what it reports.
Print reports(std::function<void(Compilation&, Diagnostics&)> pass) {
  return [pass = std::move(pass)](Compilation& c, const std::vector<std::string>&, const Terminal& terminal) {
    Diagnostics found;
    pass(c, found);
    found.sort(c.sources);
    RenderContext context{c.sources, c.prefix, terminal};
    std::string out;
    for (const Diagnostic& diagnostic : found.all()) out += render_line(context, diagnostic);
    return out;
  };
}

struct Pass {
  std::string name;
  Print print;
};

const std::vector<Pass>& passes_in_order() {
  static const std::vector<Pass> list{
      {"parse", trees},
      {"lower", program},
      {"mark-propagate", marked_program},
      {"mark-check", reports([](Compilation& c, Diagnostics& found) {
         passes::MarkFacts facts = passes::propagate_marks(*c.program);
         passes::check_marks(*c.program, facts, nullptr, c.sources, found);
       })},
      {"fold", reports([](Compilation& c, Diagnostics& found) {
         passes::report_certain_failures(*c.program, passes::index_modules(*c.program), found);
       })},
      {"unused", reports([](Compilation& c, Diagnostics& found) { passes::report_unused(*c.program, found); })},
      {"advise", reports([](Compilation& c, Diagnostics& found) {
         passes::MarkFacts facts = passes::propagate_marks(*c.program);
         passes::advise(*c.program, facts, nullptr, c.sources, found);
       })},
  };
  return list;
}

}  // namespace

const std::vector<std::string>& printable_passes() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Pass& pass : passes_in_order()) list.push_back(pass.name);
    return list;
  }();
  return names;
}

std::string print_after(std::string_view wanted, Compilation& compilation, const std::vector<std::string>& only,
                        const Terminal& terminal) {
  for (const Pass& pass : passes_in_order())
    if (pass.name == wanted) return pass.print(compilation, only, terminal);
  return {};
}

}  // namespace pravo::cli
