// Saved plans (docs/decisions/plan-file.md): one JSON document a record, the last of which holds the digest of all
// before it. Mode 0600: a plan holds what a state holds.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/diagnostics.h"
#include "runtime/plan/plan.h"
#include "runtime/state/state_text.h"

namespace pravo::runtime {

inline constexpr uint64_t kPlanVersion = 1;

std::string format_plan(const Plan& plan, StateSchemas& schemas);
// Nothing, after a diagnostic, when the text is no plan, damaged or of another version.
std::optional<Plan> parse_plan(std::string_view text, std::string_view name, Diagnostics& diags);

// Whether a file looks like a saved plan of this program (as opposed to a state, or Terraform's plan).
bool looks_like_plan(std::string_view text);

bool write_plan(const Plan& plan, StateSchemas& schemas, const std::string& path, Diagnostics& diags);
std::optional<Plan> read_plan(const std::string& path, Diagnostics& diags);

}  // namespace pravo::runtime
