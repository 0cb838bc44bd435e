// What can only be judged when all modules are there.
#pragma once

#include "frontend/load/config.h"

namespace pravo::load {

// Looking for the name that was meant costs a comparison with each there is. Thousands of faults among thousands of
// names would take quadratic time, so only the first ones get a suggestion.
class Guesses {
 public:
  bool afford(size_t candidates) {
    if (candidates > budget_) return false;
    budget_ -= candidates;
    return true;
  }

 private:
  size_t budget_ = 200'000;
};

// Reports calls that lead back into a module that is being called, and marks them broken.
void check_call_cycles(Configuration& configuration, Diagnostics& diags);

// Arguments of module calls against the variables of what they call.
void check_call_arguments(const Configuration& configuration, const Names& names, Diagnostics& diags);

// Which provider configurations reach which module.
void check_providers(const Configuration& configuration, const Names& names, Diagnostics& diags);

// import, moved and removed blocks against what is declared.
void check_refactoring(const Configuration& configuration, const SourceManager& sources, const Names& names,
                       Diagnostics& diags);

// Test files against the configurations that their runs are of.
void check_tests(const Configuration& configuration, const SourceManager& sources, const Names& names,
                 Diagnostics& diags);

// `required_version` of modules, in the order in which calls reach them. What is not met is one error, at the first.
void check_required_versions(const std::vector<const Module*>& modules, Diagnostics& diags);

// What only a root module may have, or may not.
void check_places(const Configuration& configuration, const Names& names, Diagnostics& diags);

}  // namespace pravo::load
