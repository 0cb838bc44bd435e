// mark-propagate: where can ephemeral and sensitive values be? Infers for every instruction the tree of the marks that
// its value can carry, on any path: both arms of a conditional, every `for` and every expansion run at least once. The
// rules are in docs/marks.md.
//
// One walk per module body, bodies after those they call. What a call's arguments bring into a body is symbolic there
// (sensitive) or cut at the declaration (ephemeral), so a body is looked at once however often it is called.
#pragma once

#include <vector>

#include "ir/program.h"
#include "passes/mark_tree.h"
#include "passes/module_index.h"
#include "passes/resource_schemas.h"

namespace pravo::passes {

// What a caller sees of an output.
struct OutputSummary {
  MarkTreeId tree;               // with declared marks; ephemeral only where declared
  std::vector<uint32_t> inputs;  // rows of the variables that its symbols stand for, sorted
  bool all_inputs = false;
};

struct MarkFacts {
  explicit MarkFacts(Names& names) : trees(names) {}

  MarkTrees trees;
  ModuleIndex modules;
  std::vector<std::vector<MarkTreeId>> tables;      // by module, by instruction
  std::vector<std::vector<OutputSummary>> outputs;  // by module, by row of ModuleBody::outputs

  MarkTreeId at(ModuleId module, InstId inst) const { return tables[module.index][inst.index]; }
};

// `schemas` may be null: then only those of built-in providers are known.
MarkFacts propagate_marks(const Program& program, SchemaSource* schemas = nullptr);

// What a module call gives the inputs of its target, by row of the target's variables: the arguments' trees after
// conversion to the variables' types, without ephemeral marks. Only for the rows asked for; others are clean.
std::vector<MarkTreeId> call_inputs(const Program& program, MarkFacts& facts, ModuleId caller, CallId call,
                                    std::span<const uint32_t> rows);
// The tree of an argument after conversion to the variable's type, ephemeral marks included. Clean if there is none.
MarkTreeId argument_tree(const Program& program, MarkFacts& facts, ModuleId caller, CallId call, uint32_t row);

// "marks .a: eph", or empty for a clean value.
std::string describe_marks(const Program& program, const MarkFacts& facts, ModuleId module, InstId inst);

// Whether the marks of a value were predicted: every mark in `bits` that it carries somewhere is in the tree there.
// A symbol predicts any sensitive mark.
bool predicts(const MarkTrees& trees, Names& names, MarkTreeId tree, const Value& value, MarkSet bits);

}  // namespace pravo::passes
