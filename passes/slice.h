// What a value is computed from, inside one body: operands, the values that regions yield, the elements that loops and
// expansions bind. Order (`after`) and the question whether an instance exists are not part of it.
#pragma once

#include <vector>

#include "ir/walk.h"

namespace pravo::passes {

// Calls visit(InstId) once for every instruction that the roots are computed from, themselves included; where it
// returns false the walk does not go on to what that one is computed from. `seen` is by InstId and may be shared by
// several walks. No recursion.
template <class F>
void walk_back(const ModuleBody& body, std::vector<InstId> roots, std::vector<bool>& seen, F&& visit) {
  std::vector<InstId>& stack = roots;
  seen.resize(body.insts.size());
  while (!stack.empty()) {
    InstId id = stack.back();
    stack.pop_back();
    if (seen[id.index]) continue;
    seen[id.index] = true;
    if (!visit(id)) continue;
    const Inst& inst = body.inst(id);
    if (inst.kind == OpKind::Key || inst.kind == OpKind::Each) {
      // Their operand is the loop or expansion, which for a loop is computed from them.
      InstId owner = body.operand(id, 0);
      if (body.inst(owner).operand_count > 0) stack.push_back(body.operand(owner, 0));
      continue;
    }
    for (uint32_t operand : body.operand_indexes(id)) stack.push_back(InstId(operand));
    RegionRange regions = regions_of(body, id);
    for (uint32_t i = 0; i < regions.count; ++i) stack.push_back(body.region(regions[i]).yield);
  }
}

// Whether a body is the user's own: modules that were installed are somebody else's, and what is merely untidy there
// is of no use to who calls them.
inline bool is_own_code(const ModuleBody& body) {
  return body.root || body.directory.find(".terraform/modules/") == std::string::npos;
}

}  // namespace pravo::passes
