// The verifier: every invariant of the IR that a pass may rely on. Its header lists them all, by the number that
// a violation is reported with.
//
//  1. Operand counts are those of the op's row; payloads are valid ids of their kind; an instruction has no flags
//     and declares no marks but those that its op may have. kHasDefault and kHasProvider say what the operands say.
//     The type of a `const` is its value's, and the value is wholly known and carries no mark. A variable's default is
//     a `const`.
//  2. Operands are valid ids of the same body; the places of uses are sorted by operand. Inside a nested region an
//     operand is defined earlier in the same region, in a region around it, or at the top of the body. An owner's
//     result is no operand inside its own regions, but for `key` and `each`.
//  3. No instruction at the top of a body uses one that is inside a region.
//  4. The regions of an owner follow it and each other without a gap, so that the order of the ids is the order of
//     the text, and only owners have regions. Every region ends with its only yield, with as many values as the op
//     needs: cond and splat 1, for.list 1 or 2, for.object 2 or 3. No yield stands elsewhere. What has a name of
//     its own stands at the top: variables, locals, expansions, module ops, resources, providers, sinks other than
//     `use`, and whatever a row of a side table names.
//  5. key and each name an expand, for or splat; of a for or splat they stand in its region.
//  6. The domain of an instruction is that of its operands and of what its regions use (at most one); `collect`,
//     `const` and the expands have none; `at` has that of its key; key and each of an expand are over it; a
//     resource and a module.instance are over the expansion of their row; an object without fields may be over any.
//     A domain is an expand. `at` and `collect` take a value that is over a domain.
//  7. Names of variables, outputs, calls, checks, providers (with their alias) and resources (per mode and type)
//     are unique in a body. Side tables have one row per instruction of their op, in the order of the
//     instructions; the names, modes and ids in a row agree with it; a call's arguments and outputs are exactly
//     the module.arg and module.out that name its instance, sorted by name, none twice.
//  8. A call's target is another body, and no chain of calls leads back to its start.
//  9. bodies[0] is the root and no other is. Labels are unique. Hints name instructions of the body.
#pragma once

#include <string>
#include <vector>

#include "ir/program.h"

namespace pravo {

// The broken invariants, each with the printed form of its instruction; empty when the program is sound. Never
// crashes, whatever the ids in the program say.
std::vector<std::string> verify(const Program& program);

}  // namespace pravo
