// How a mark got to where it was found: a walk from the place backwards over the graph, along the operands that
// carry the mark, in both directions over module boundaries, to the sources of the secret. Nothing of this is stored
// while marks are propagated: it is worked out when there is a leak to report.
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/diagnostics.h"
#include "passes/mark_demand.h"
#include "passes/mark_propagate.h"

namespace pravo::passes {

// A chain of calls: in which call of its module a body is looked at. The first stands for "any call".
using ContextId = Id<struct CallContextTag>;
inline constexpr ContextId kAnyCall{0};

struct SecretSource {
  ModuleId module;
  InstId inst;
  std::string name;              // as a user names it: `var.token`; empty: a value that sensitive() marks
  bool variable = false;         // a variable's declaration (not an ephemeral block, ...)
  bool output = false;           // nothing but the declaration of a module's output
  std::vector<TraceStep> trace;  // from the source; the sink is not in it
};

class Explainer {
 public:
  Explainer(const Program& program, MarkFacts& facts, SchemaSource* schemas);

  ContextId context(ContextId parent, ModuleId caller, CallId call);
  // `module.a.module.b.` of a body in this chain of calls; where that leaves it open, in its first calls.
  std::string address_prefix(ContextId context, ModuleId module) const;
  // What a tree of a body is in this chain of calls: symbols replaced as far as the chain reaches.
  MarkTreeId concrete(ContextId context, MarkTreeId tree);

  // The sources of a mark, each with a shortest path, in the order in which they are met; at most `limit`. Empty
  // where the work for all explanations of this program has become too much.
  std::vector<SecretSource> sources(ContextId context, ModuleId module, InstId inst, const Demand& demand, MarkSet mark,
                                    size_t limit);

 private:
  struct Context {
    ContextId parent;
    ModuleId caller;
    CallId call;
    std::vector<MarkTreeId> inputs;
    std::unordered_map<uint32_t, MarkTreeId> known;
  };
  std::vector<MarkTreeId>& inputs_of(ContextId context);

  const Program& program_;
  MarkFacts& facts_;
  SchemaSource* schemas_;
  std::vector<Context> contexts_;
  std::map<std::array<uint32_t, 3>, ContextId> context_ids_;  // by parent, caller, call
  size_t steps_left_;

  friend class MarkWalk;
};

// `var.token`, `local.x`, `aws_db.main`, ...: a node as the configuration names it; empty for other values.
std::string node_name(const Program& program, ModuleId module, InstId inst);

}  // namespace pravo::passes
