#include "passes/unused.h"

#include "ir/diagnostics/passes.h"
#include "ir/fields.h"
#include "passes/module_index.h"
#include "passes/plan_guards.h"
#include "passes/slice.h"

namespace pravo::passes {

namespace {

// How often each instruction is referred to, by operands and by side tables.
std::vector<uint32_t> count_uses(const ModuleBody& body) {
  std::vector<uint32_t> uses(body.insts.size(), 0);
  for (uint32_t i = 0; i < body.insts.size(); ++i) {
    InstId id(i);
    OpKind kind = body.inst(id).kind;
    if (kind == OpKind::Key || kind == OpKind::Each) continue;  // of their loop, no use of it
    for (uint32_t operand : body.operand_indexes(id)) ++uses[operand];
  }
  for_each_table_reference(body, [&](const InstId& id) { ++uses[id.index]; });
  return uses;
}

// Uses of a variable in the conditions and messages of its own validations.
uint32_t uses_in_validations(const ModuleBody& body, const VariableInfo& variable) {
  uint32_t uses = 0;
  std::vector<bool> seen;
  std::vector<InstId> roots(variable.validations.begin(), variable.validations.end());
  walk_back(body, roots, seen, [&](InstId id) {
    // What other nodes are made of is no part of the validation.
    OpKind kind = body.inst(id).kind;
    if (kind == OpKind::Variable || kind == OpKind::Local || kind == OpKind::ModuleOut ||
        op_info(kind).effect == OpEffect::Effect)
      return false;
    for (uint32_t operand : body.operand_indexes(id))
      if (InstId(operand) == variable.inst) ++uses;
    return true;
  });
  return uses;
}

// The instances of a data source as one value are made whether or not anybody wants them.
bool is_used(const std::vector<uint32_t>& uses, const ResourceInfo& info) {
  uint32_t count = uses[info.inst.index];
  if (info.collect.valid()) {
    // One use of the collection is the side table's, one of the data source the collection's.
    if (uses[info.collect.index] > 1) return true;
    --count;
  }
  return count > 0;
}

}  // namespace

void report_unused(const Program& program, Diagnostics& diags) {
  for (const auto& owned : program.bodies) {
    const ModuleBody& body = *owned;
    if (!is_own_code(body)) continue;
    std::vector<uint32_t> uses = count_uses(body);
    for (const VariableInfo& variable : body.variables) {
      uint32_t count = uses[variable.inst.index];
      if (count == 0) {
        diags.emit(variable.range, diag::UnusedVariable, program.text(variable.name));
      } else if (!variable.validations.empty() && count == uses_in_validations(body, variable)) {
        diags.emit(variable.range, diag::UnusedVariable, program.text(variable.name))
            .note(body.range(variable.validations[0]), "only its own validation refers to it");
      }
    }
    for (uint32_t i = 0; i < body.insts.size(); ++i) {
      const Inst& inst = body.inst(InstId(i));
      if (inst.kind == OpKind::Local && uses[i] == 0 && !may_guard_plan(program, body, InstId(i)))
        diags.emit(body.range(InstId(i)), diag::UnusedLocal, program.text(NameId(inst.payload)));
    }
    for (const ResourceInfo& info : body.resources) {
      // One with conditions, or in a check, is there to be looked at.
      if (info.mode != ResourceMode::Data || info.in_check || !info.conditions.empty()) continue;
      if (is_used(uses, info)) continue;
      std::string address = resource_address(program, info);
      diags.emit(info.range, diag::UnusedData, address).address(address);
    }
  }
}

}  // namespace pravo::passes
