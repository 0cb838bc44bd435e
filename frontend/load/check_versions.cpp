// `required_version` of the modules against the version of the language.
#include "frontend/load/checks.h"
#include "frontend/load/version.h"
#include "ir/diagnostics/load.h"

#include <fmt/format.h>

namespace pravo::load {

namespace {

// Modules of one author tend to require the same, and one answer is enough for all of them.
constexpr size_t kMostNotes = 5;

using Requirement = std::pair<std::string, SourceRange>;

// Whether the language satisfies it. Reports a prerelease, which nothing can be said about.
bool is_met(const Requirement& requirement, Diagnostics& diags) {
  static const Version kLanguage = *parse_version(kLanguageVersion);
  auto constraints = parse_version_constraints(requirement.first);
  if (!constraints) return true;
  bool met = true;
  for (const VersionConstraint& constraint : *constraints) {
    if (!constraint.version.prerelease.empty()) {
      diags.emit(requirement.second, diag::PrereleaseConstraint, requirement.first);
      return true;
    }
    met = met && satisfies(kLanguage, constraint);
  }
  return met;
}

}  // namespace

void check_required_versions(const std::vector<const Module*>& modules, Diagnostics& diags) {
  std::vector<const Requirement*> unmet;
  for (const Module* module : modules)
    for (const Requirement& requirement : module->required_versions)
      if (!is_met(requirement, diags)) unmet.push_back(&requirement);
  if (unmet.empty()) return;
  const auto& [first, range] = *unmet[0];
  auto report = diags.emit(range, diag::UnsupportedVersion, first, kLanguageVersion);
  for (size_t i = 1; i < unmet.size() && i <= kMostNotes; ++i)
    report.note(unmet[i]->second, fmt::format("`{}` is required here", unmet[i]->first));
  if (unmet.size() > kMostNotes + 1)
    report.note({}, fmt::format("{} more modules require what this version is not", unmet.size() - kMostNotes - 1));
}

}  // namespace pravo::load
