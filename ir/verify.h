// The verifier: every invariant of the IR that a pass may rely on. Its header lists them all.
//
// 1. Operand counts and region counts are those of the op's row; payloads are valid ids of their kind.
// 2. Operands are valid ids of the same body. Inside a nested region an operand is defined earlier in the same
//    region, in a region around it, or at the top of the body.
// 3. No instruction at the top of a body uses one that is inside a region.
// 4. Every region ends with its only yield, with as many values as the op needs: cond and splat 1, for.list 1
//    or 2, for.object 2 or 3.
// 5. key and each name an expand, for or splat; inside a for or splat they stand in its region.
// 6. The domain of an instruction is that of its operands (at most one); `at` has that of its key, `collect` none;
//    effect ops and module ops have the domain of their expansion.
// 7. Names of variables, outputs, calls and resources (per mode and type) are unique in a body; side tables
//    (VariableInfo, ResourceInfo, ...) name instructions of the right op.
// 8. A call's target is a body after its caller's or before it, never its own (no recursion).
#pragma once

#include <string>
#include <vector>

#include "ir/program.h"

namespace pravo {

// The broken invariants, each with the printed form of its instruction; empty when the program is sound.
std::vector<std::string> verify(const Program& program);

}  // namespace pravo
