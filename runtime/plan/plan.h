// A plan: what an apply would do, and everything that it may rely on. It never holds an ephemeral value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/plan/change.h"
#include "runtime/state/state.h"
#include "runtime/target.h"

namespace pravo::runtime {

struct PlanVariable {
  std::string name;
  Value value;  // of the declared type, with its sensitive mark
  Value shown;  // as the user gave it, which is what Terraform's JSON shows
};

// An attribute of a resource that the plan's result depends on.
struct RelevantAttribute {
  std::string resource;
  Path attribute;
  bool operator==(const RelevantAttribute&) const = default;
};

enum class PlanMode : uint8_t { Normal, Destroy, RefreshOnly };

struct Plan {
  PlanMode mode = PlanMode::Normal;
  bool errored = false;
  std::string created;  // RFC 3339
  std::string workspace = "default";
  std::vector<TargetAddress> targets;        // -target; none: everything
  std::vector<TargetAddress> excludes;       // -exclude
  std::string source_digest;                 // of the configuration that was planned
  std::vector<PlanVariable> variables;       // root variables that are not ephemeral, by name
  std::vector<std::string> ephemeral_given;  // names of ephemeral root variables that had a value
  std::vector<std::string> ephemeral_null;   // names of those that had none and whose default is null
  std::vector<InstanceChange> changes;       // in the order of addresses; what stays as it is included
  std::vector<InstanceChange> drift;         // what changed outside, as changes from the state to what was read
  std::vector<OutputChange> outputs;         // of the root module, by name
  std::vector<CheckRecord> checks;
  std::vector<RelevantAttribute> relevant;
  State prior;  // after reading what exists; its lineage and serial are those of the file

  // Whether it leaves out what -target and -exclude say.
  bool partial() const { return !targets.empty() || !excludes.empty(); }
  // Whether there is anything to do.
  bool applyable() const;
};

// How many objects are made, changed and destroyed; a replacement makes one and destroys one.
struct PlanCounts {
  unsigned add = 0;
  unsigned change = 0;
  unsigned destroy = 0;
};
PlanCounts count_changes(const Plan& plan);

}  // namespace pravo::runtime
