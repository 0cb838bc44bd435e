// Lookups that several passes need and a Program does not hold: names to rows of the side tables, who calls whom.
#pragma once

#include <unordered_map>
#include <vector>

#include "ir/program.h"

namespace pravo::passes {

inline constexpr uint32_t kNoRow = UINT32_MAX;

struct BodyIndex {
  std::unordered_map<NameId, uint32_t> variables;    // row in ModuleBody::variables
  std::unordered_map<NameId, uint32_t> outputs;      // row in ModuleBody::outputs
  std::unordered_map<InstId, uint32_t> variable_of;  // by the variable's instruction
  // The calls of this body, by caller and call, in order.
  std::vector<std::pair<ModuleId, CallId>> callers;

  uint32_t variable(NameId name) const {
    auto it = variables.find(name);
    return it == variables.end() ? kNoRow : it->second;
  }
  uint32_t output(NameId name) const {
    auto it = outputs.find(name);
    return it == outputs.end() ? kNoRow : it->second;
  }
  uint32_t variable_row(InstId inst) const {
    auto it = variable_of.find(inst);
    return it == variable_of.end() ? kNoRow : it->second;
  }
};

struct ModuleIndex {
  std::vector<BodyIndex> bodies;
  std::vector<ModuleId> bottom_up;  // each body after those it calls

  const BodyIndex& operator[](ModuleId id) const { return bodies[id.index]; }
};

ModuleIndex index_modules(const Program& program);

// The module.arg of a call for a variable, or an invalid id.
InstId find_argument(const ModuleCallInfo& call, NameId variable);

// A word for users: "module `m`".
std::string call_text(const Program& program, const ModuleCallInfo& call);
// `aws_db.main`, `data.aws_ami.x`, `ephemeral.vault_secret.db`.
std::string resource_address(const Program& program, const ResourceInfo& info);

}  // namespace pravo::passes
