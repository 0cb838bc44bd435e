// The places that take values, one walk over each body; the inside of check_marks().
#pragma once

#include <array>
#include <set>
#include <tuple>
#include <vector>

#include "ir/diagnostics/passes.h"
#include "passes/fixes.h"
#include "passes/mark_check.h"
#include "passes/mark_explain.h"
#include "passes/resource_schemas.h"

namespace pravo::passes {

class MarkChecker {
 public:
  MarkChecker(const Program& program, MarkFacts& facts, SchemaSource* schemas, const SourceManager& sources,
              Diagnostics& diags)
      : program_(program),
        facts_(facts),
        schemas_(schemas),
        sources_(sources),
        diags_(diags),
        explainer_(program, facts, schemas),
        pending_(program.bodies.size()) {}

  void run();

 private:
  // A mark that a place refuses, as it was found.
  struct Leak {
    ContextId context = kAnyCall;
    ModuleId module;
    InstId inst;  // the value
    Demand demand = Demand::anywhere();
    MarkSet mark = MarkSet::Ephemeral;
    SourceRange range;
    std::string address;  // of the object that holds the place; without modules
    std::string arrives;  // the last step of the way
    std::string shown;    // the place in words, where it shows values
    std::vector<DiagnosticNote> notes;
    std::vector<FixEdit> fixes;
  };

  // Places that refuse sensitive values whatever module they are in.
  enum class ShowKind : uint8_t { ForEach, DynamicBlock, Message };
  // Such a place in a body whose value is sensitive only if the caller says so.
  struct Pending {
    ShowKind kind;
    ModuleId module;   // of the place
    InstId inst;       // the place: an expand, use or condition
    InstId value;      // what it looks at
    MarkTreeId marks;  // what would be refused, in terms of the body that holds this record
    std::vector<std::pair<ModuleId, CallId>> chain;  // calls from that body down to the place, the first call last
  };

  // --- mark_check.cpp
  void check_body(ModuleId module);
  void argument(ModuleId module, InstId id);
  void output(ModuleId module, InstId id);
  void expansion(ModuleId module, InstId id);
  void use(ModuleId module, InstId id);
  void condition(ModuleId module, InstId id);

  // --- mark_check_config.cpp
  void resource(ModuleId module, InstId id);
  void block(ModuleId module, const ResourceInfo& info, InstId config, const SchemaBlock* schema,
             const std::string& path, unsigned depth);
  void attribute(ModuleId module, const ResourceInfo& info, InstId config, uint32_t field, const SchemaBlock* schema,
                 const std::string& path);
  bool refused(MarkTreeId tree, const SchemaObject& object) const;

  // --- mark_check_calls.cpp: sensitive values that callers bring
  void shown(ModuleId module, InstId place, ShowKind kind);
  void inherit(ModuleId module);
  void report_shown(ContextId context, ModuleId module, InstId place, InstId value, ShowKind kind);
  // The values that a place looks at.
  std::vector<InstId> shown_values(ModuleId module, InstId place, ShowKind kind) const;
  void add_pending(ModuleId holder, Pending pending);

  // What an expand belongs to: `count of terraform_data.x` without its first word.
  std::string expansion_owner(ModuleId module, InstId expand) const;

  template <class Row, class... Args>
  void report(Leak leak, Row row, const Args&... args);
  static std::string phrase(MarkSet mark, const SecretSource* source);

  const ModuleBody& body(ModuleId module) const { return program_.body(module); }
  MarkTreeId tree(ModuleId module, InstId id) const { return facts_.at(module, id); }
  bool ephemeral(ModuleId module, InstId id) const { return facts_.trees.has(tree(module, id), MarkSet::Ephemeral); }

  const Program& program_;
  MarkFacts& facts_;
  SchemaSource* schemas_;
  const SourceManager& sources_;
  Diagnostics& diags_;
  Explainer explainer_;
  std::vector<std::vector<Pending>> pending_;  // by the body that holds them
  // Holder, module, place, value and marks of each: one leak through several calls is one leak.
  std::set<std::array<uint32_t, 5>> pending_seen_;
  // What has been reported: kind, place, source.
  std::set<std::tuple<DiagnosticKind, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>> reported_;
};

// Reports a leak once for each source of the secret; the row's first argument is the secret.
template <class Row, class... Args>
void MarkChecker::report(Leak leak, Row row, const Args&... args) {
  constexpr size_t kMaxSources = 8;
  std::string prefix = leak.address.empty() ? "" : explainer_.address_prefix(leak.context, leak.module);
  auto emit = [&](const SecretSource* source) {
    // Terraform accepts what only the `sensitive` of a module's output forbids, see docs/marks.md.
    bool lax = source != nullptr && source->output && !leak.shown.empty();
    auto builder = lax ? diags_.emit(leak.range, diag::DeclaredSensitiveShown, source->name, leak.shown)
                       : diags_.emit(leak.range, row, phrase(leak.mark, source), args...);
    if (!leak.address.empty()) builder.address(prefix + leak.address);
    if (source != nullptr) {
      for (const TraceStep& step : source->trace) builder.step(step.range, step.message);
      builder.step(leak.range, leak.arrives);
    }
    for (const DiagnosticNote& note : leak.notes) builder.note(note.range, note.message);
    for (const FixEdit& fix : leak.fixes) builder.fix(fix.range, fix.replacement, fix.description);
  };
  auto first_time = [&](ModuleId module, InstId inst) {
    return reported_
        .insert({Row::kind, leak.range.file.index, leak.range.begin, leak.range.end, module.index, inst.index})
        .second;
  };
  std::vector<SecretSource> sources =
      explainer_.sources(leak.context, leak.module, leak.inst, leak.demand, leak.mark, kMaxSources);
  if (sources.empty()) {
    if (first_time(ModuleId(), InstId())) emit(nullptr);
    return;
  }
  for (const SecretSource& source : sources)
    if (first_time(source.module, source.inst)) emit(&source);
}

}  // namespace pravo::passes
