// The walk over one body and the rule of every op; the inside of propagate_marks().
#pragma once

#include <unordered_map>
#include <vector>

#include "passes/mark_functions.h"
#include "passes/mark_propagate.h"

namespace pravo::passes {

class BodyMarks {
 public:
  BodyMarks(const Program& program, SchemaSource* schemas, ModuleId module, MarkFacts& facts);

  // Fills the body's table.
  void run();

 private:
  // --- mark_propagate.cpp: order
  void compute(InstId root);
  void dependencies(InstId id, std::vector<InstId>& out) const;
  // The tree of a for or splat computed for each element of its source on its own, where that keeps elements apart.
  std::optional<MarkTreeId> elementwise(InstId loop);
  MarkTreeId with_binding(InstId loop, MarkTreeId element);

  // --- mark_transfer.cpp: rules
  MarkTreeId transfer(InstId id);
  MarkTreeId variable(InstId id);
  MarkTreeId each(InstId owner);
  MarkTreeId conditional(InstId id);
  MarkTreeId for_list(InstId id);
  MarkTreeId for_object(InstId id);
  MarkTreeId splat(InstId id);
  // Whether the value is certainly a list, set or tuple (or null), by its type or by how it is written.
  bool is_sequence(InstId id) const;
  // Whether a value may be or hold a set, as far as its instructions show it.
  bool may_hold_set(InstId id) const;
  // A tree in which every node also has the marks of what is below it, as if it were a set.
  MarkTreeId raised(MarkTreeId tree);
  MarkTreeId object_keyed(InstId id);
  MarkTreeId blocks(InstId id);
  MarkTreeId call(InstId id);
  bool never_null(InstId id) const;
  MarkTreeId try_first(InstId id);
  void flatten(InstId id, unsigned depth, MarkTreeId& own, MarkTreeId& each);
  void flatten_tree(MarkTreeId tree, const Type& type, unsigned depth, MarkTreeId& own, MarkTreeId& each);
  MarkTreeId module_out(InstId id);

  // --- mark_results.cpp: what providers give back
  MarkTreeId result(InstId id);
  MarkTreeId recorded(InstId config, const SchemaBlock* schema, unsigned depth);
  MarkTreeId recorded_blocks(InstId blocks, const SchemaNestedBlock* schema, unsigned depth);
  MarkTreeId nested(NestingMode nesting, MarkTreeId one);
  MarkTreeId schema_marks(const SchemaBlock& block);

  MarkTreeId tree(InstId id) const { return table_[id.index]; }
  MarkTreeId operand_tree(InstId id, uint32_t n) const { return tree(body_.operand(id, n)); }
  MarkTreeId union_of_operands(InstId id);
  const Type& type_of(InstId id) const;
  // What a region yields: the operands of its yield.
  InstId yield_of(InstId owner, uint32_t region) const {
    return body_.region(RegionId(body_.inst(owner).payload + region)).yield;
  }

  enum class State : uint8_t { New, Open, Done };

  const Program& program_;
  SchemaSource* schemas_;  // may be null
  const ModuleId module_;
  const ModuleBody& body_;
  MarkFacts& facts_;
  MarkTrees& trees_;
  std::vector<MarkTreeId>& table_;
  std::vector<State> states_;
  std::vector<InstId> stack_;   // of compute()
  std::vector<InstId> needed_;  // of the instruction that compute() looks at
  std::unordered_map<const SchemaBlock*, MarkTreeId> schema_marks_;
  std::unordered_map<InstId, MarkTreeId> bindings_;  // element trees while a loop is computed elementwise
};

// Whether evaluating cannot fail, so that try() never looks past it.
bool cannot_fail(const ModuleBody& body, InstId id);

}  // namespace pravo::passes
