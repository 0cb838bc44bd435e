// One search for the sources of a mark, breadth first; the inside of Explainer::sources().
#pragma once

#include <deque>
#include <unordered_set>

#include "passes/mark_explain.h"

namespace pravo::passes {

// What happens to a value on its way into another one.
struct Via {
  enum class Kind : uint8_t {
    Silent,  // nothing to tell: an attribute is read
    Field,   // becomes the child `key` of an object or list; those that follow each other are told as one path
    Text,
  } kind = Kind::Silent;
  FieldKey key;
  std::string text;
  SourceRange range;
};

class MarkWalk {
 public:
  MarkWalk(Explainer& explainer, MarkSet mark)
      : explainer_(explainer), program_(explainer.program_), facts_(explainer.facts_), mark_(mark) {}

  std::vector<SecretSource> run(ContextId context, ModuleId module, InstId inst, const Demand& demand, size_t limit);

 private:
  struct Step {
    ContextId context;
    ModuleId module;
    InstId inst;
    Demand demand;
    uint32_t next;  // the step that this one's value flows into; kNoRow: the sink
    Via via;        // how
  };
  struct Seen {
    ContextId context;
    ModuleId module;
    InstId inst;
    Demand demand;
    bool operator==(const Seen&) const = default;
  };
  struct SeenHash {
    size_t operator()(const Seen& seen) const noexcept;
  };

  // --- mark_walk.cpp
  void expand(uint32_t index);
  // Follows the demand into an operand, if the mark is there. Returns whether it is.
  bool follow(InstId operand, Demand demand, Via via);
  bool follow_in(ContextId context, ModuleId module, InstId inst, Demand demand, Via via);
  // Where a conversion lies between: the place, or what a set has swallowed.
  bool follow_converted(InstId operand, const Demand& demand, const Via& via);
  void source(std::string name, SourceRange range, std::string what);
  std::vector<TraceStep> trace(uint32_t index, SourceRange range, std::string what) const;

  void loop(InstId id, const Demand& demand);
  void conditional(InstId id, const Demand& demand);
  void object(InstId id, const Demand& demand);
  void object_keyed(InstId id, const Demand& demand);
  void blocks(InstId id, const Demand& demand);
  void bound(InstId id, const Demand& demand);

  // --- mark_walk_modules.cpp
  void variable(InstId id, const Demand& demand);
  void module_out(InstId id, const Demand& demand);
  void resource(InstId id, const Demand& demand);

  // --- mark_walk_calls.cpp
  void call(InstId id, const Demand& demand);

  void all_operands(InstId id, const Via& via);
  const ModuleBody& body() const { return program_.body(current_.module); }
  Via text(std::string text, SourceRange range) const { return {Via::Kind::Text, {}, std::move(text), range}; }
  Via here(std::string text) const { return this->text(std::move(text), body().range(current_.inst)); }
  Via field(FieldKey key, SourceRange range) const { return {Via::Kind::Field, key, {}, range}; }

  Explainer& explainer_;
  const Program& program_;
  MarkFacts& facts_;
  const MarkSet mark_;
  std::deque<Step> steps_;
  std::unordered_set<Seen, SeenHash> seen_;
  uint32_t index_ = 0;  // of the step that is being expanded
  Step current_;
  std::vector<SecretSource> found_;
};

}  // namespace pravo::passes
