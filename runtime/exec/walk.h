// What planning and applying have in common: the instances of resources with their values, who waits for whom, what
// a failure keeps from starting, conditions.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/exec/dependencies.h"
#include "runtime/exec/scheduler.h"
#include "runtime/exec/selection.h"
#include "runtime/exec/state_effects.h"
#include "runtime/interp/interpreter.h"
#include "runtime/interp/world_host.h"
#include "runtime/plan/operations.h"
#include "runtime/run.h"

namespace pravo::runtime {

// "resource", "data source", "ephemeral resource": for messages.
std::string_view mode_words(ResourceMode mode);

// Configured instances of providers, made when first needed.
class ProviderPool {
 public:
  explicit ProviderPool(provider::Registry& registry) : registry_(registry) {}
  provider::Registry& registry() { return registry_; }
  // Null, after diagnostics, where it cannot be had.
  provider::Provider* get(std::string_view address, Diagnostics& diags);
  // Asks all calls that are under way to end soon; once.
  void stop_all();

 private:
  bool stopped_ = false;
  provider::Registry& registry_;
  std::map<std::string, std::unique_ptr<provider::Provider>, std::less<>> providers_;
};

class Walk : public EffectSource, public TaskRunner, public ValidationSink {
 public:
  // Of `plan` it needs what there was before, and what the run is about; it must outlive the walk.
  Walk(const RunContext& context, provider::Registry& providers, Diagnostics& diags, const Plan& plan, bool applying);
  ~Walk() override;

  // --- EffectSource
  EffectResult instance(ModuleInstance& module, uint32_t resource, uint32_t row) override;
  EffectResult all_instances(ModuleInstance& module, uint32_t resource) override;
  std::optional<Value> collection(ModuleInstance& module, uint32_t resource) override;
  bool absent(ModuleInstance& module, uint32_t resource, uint32_t row) override;
  Result<Value> call_provider_function(std::string_view name, std::span<const Value> arguments) override;

  // --- TaskRunner
  void run_task(TaskId task) override;

  // --- ValidationSink
  std::optional<Diagnostic> validated(ModuleInstance& module, uint32_t variable, InstId condition,
                                      const Evaluated& value, const Evaluated* message) override;

 protected:
  enum class TaskKind : uint8_t {
    ExpandResource,  // module, item: find the instances of a resource
    ExpandCall,      // module, item: make the instances of a module call
    Instance,        // module, item, row: plan or apply an instance
    Variable,        // module, item: evaluate a variable, and its validations
    Local,           // module, item (an instruction): evaluate a local
    Output,          // module, item: evaluate an output
    Check,           // module, item: evaluate a check block's assertions
    Other,           // item: of the walk's own (destroys)
  };
  struct Task {
    TaskKind kind = TaskKind::Other;
    ModuleInstance* module = nullptr;
    uint32_t item = 0;
    uint32_t row = 0;
    bool waited = false;  // for what was declared (depends_on)
    uint8_t attempts = 0;
  };
  struct Row {
    enum class State : uint8_t { Waiting, Done, Failed } state = State::Waiting;
    EventId event = kNoEvent;
    Value value;
    bool absent = false;  // not selected, and not in the state
  };
  struct Group {  // the instances of a resource in a module instance
    bool opened = false;
    bool failed = false;
    bool changed = false;  // something will happen to one of them
    uint32_t unfinished = 0;
    EventId event = kNoEvent;
    std::vector<Row> rows;
  };

  // --- hooks
  virtual void run_instance(TaskId task) = 0;
  virtual void run_output(TaskId task) = 0;
  virtual void run_other(TaskId task) = 0;
  // Nothing is left to run: the moment for what is to come after everything else.
  virtual void settled() {}
  // An instance that is to be there; the default adds its task.
  virtual void found_instance(ModuleInstance& module, uint32_t resource, uint32_t row);

  // --- the walk
  void make_groups(ModuleInstance& module);
  void start(ModuleInstance& module);  // adds the tasks of a module instance
  void run();                          // until nothing is left; reports what is stuck
  TaskId add_task(TaskKind kind, ModuleInstance* module, uint32_t item, uint32_t row, uint32_t rank,
                  uint32_t holds = 0);
  Group& group(ModuleInstance& module, uint32_t resource);
  void open_group(ModuleInstance& module, uint32_t resource, uint32_t rows);
  NodeIndex node(const ModuleInstance& module, uint32_t resource) const {
    return graph_.resource(module.static_module, resource);
  }
  void finish_row(ModuleInstance& module, uint32_t resource, uint32_t row, Value value, bool changed);
  void fail_row(ModuleInstance& module, uint32_t resource, uint32_t row);

  // Asks for a value for a task. True: it is there. False: the task waits, or failed (then `failed` is set and what
  // there is to report was reported).
  bool settle(TaskId task, const Evaluated& result, bool& failed);
  // Waits until what depends_on names is finished; true when it is.
  bool await_explicit(TaskId task, NodeIndex node);
  // Whether something that it depends on failed, so that it must not start.
  bool poisoned(NodeIndex node) const { return poisoned_[node]; }
  // Whether an instance of a resource failed (or, of a join, of one of its parts).
  bool failed_node(NodeIndex node) const { return failed_[node] || poisoned_[node]; }
  void mark_failed(NodeIndex node) {
    failed_[node] = true;
    poison(node);
  }
  bool stopping() const { return context_.stop != nullptr && context_.stop->load() > 0; }

  InstanceAddress address(ModuleInstance& module, uint32_t resource, uint32_t row);
  // Reports an infinite number, which no state can hold. `range` is where the value comes from.
  bool is_recordable(const Value& value, SourceRange range, const std::string& address);
  // A root output whose value is recorded, but not shown.
  bool shown_as_sensitive(const ModuleInstance& module, const OutputInfo& info) const;
  std::string provider_config(const ResourceInfo& info) const;
  const Schema* schema(const ResourceInfo& info);

  // --- configuration of an instance
  // The coerced configuration with its marks, for the instance's task. False: wait or failed, as for settle().
  bool evaluate_config(TaskId task, const ResourceInfo& info, const Schema& schema, Value& config, bool& failed);

  // --- conditions
  enum class ConditionOutcome : uint8_t { Pass, Fail, Pending };
  struct Checked {  // what conditions belong to
    CheckKind kind;
    std::string config_address;
    std::string object_address;
  };
  // Evaluates the conditions of one kind (of a resource's instance, an output, a check) and records what they say.
  // Fail: errors, or warnings for a check, were reported. Pending: the task waits.
  ConditionOutcome evaluate_conditions(TaskId task, ModuleInstance& module, uint32_t row,
                                       std::span<const InstId> conditions, ConditionKind kind, const Checked& checked);
  Checked checked_instance(ModuleInstance& module, uint32_t resource, uint32_t row);
  // A record for everything that has conditions, also what is never evaluated.
  void declare_checks();
  void record_check(const Checked& checked, CheckStatus status, std::string message);
  std::vector<CheckRecord> take_checks();

  // --- what providers say
  // Reports a provider's messages; text in them that is marked in `secrets` is not shown. True: errors among them.
  bool report(const provider::Messages& messages, const ModuleBody& body, InstId config, SourceRange fallback,
              const std::string& address, std::span<const Value> secrets, bool as_warnings = false);
  // The `id` of a recorded object where the observer asks for it; empty where there is none, or it is sensitive.
  std::string recorded_id(const InstanceObject& object, const SchemaBlock& block) const;
  void event_started(const InstanceAddress& address, std::string_view deposed, Observer::Operation operation,
                     std::string_view id);
  void event_ended(const InstanceAddress& address, std::string_view deposed, Observer::Operation operation,
                   std::string_view id, std::chrono::steady_clock::time_point since, bool good);

  void poison(NodeIndex node);

  // Runs `work` on a provider: at once where it is immediate, else on another thread; then `finish` on this one.
  void call(provider::Provider& provider, std::function<void()> work, std::function<void()> finish);

  const RunContext& context_;
  const bool applying_;
  Diagnostics& diags_;
  StaticModules modules_;
  DependencyGraph graph_;
  Selection selection_;
  StateEffects recorded_;  // what is not selected
  ProviderPool pool_;
  WorldHost host_;
  Interpreter interpreter_;
  Scheduler scheduler_;
  std::vector<Task> tasks_;
  std::vector<std::vector<Group>> groups_;  // by module instance, by resource

 private:
  void skip_row(ModuleInstance& module, uint32_t resource, uint32_t row);
  bool selects_call(uint32_t static_module) const;
  void run_expand_resource(TaskId task);
  void run_expand_call(TaskId task);
  void run_variable(TaskId task);
  void run_local(TaskId task);
  const std::vector<InstId>& locals(ModuleId module);
  void run_check(TaskId task);
  void expanded(ModuleInstance& parent, uint32_t call);
  void call_finished(uint32_t static_child);
  void module_complete(uint32_t static_module);
  void node_progress(NodeIndex node);
  void complete_node(NodeIndex node);
  std::vector<std::string> collect_secrets(std::span<const Value> values) const;

  // --- completion of resources over all instances of their module
  struct NodeState {
    uint32_t open = 0;  // of a resource: unfinished tasks, and one while its module may get more instances; of a
                        // join: parts that are not complete
    bool complete = false;
    EventId event = kNoEvent;
  };
  EventId event_of(NodeIndex node);
  std::vector<NodeState> nodes_;
  std::unordered_map<ModuleId, std::vector<InstId>> locals_;
  std::vector<bool> poisoned_;
  std::vector<bool> failed_;
  std::vector<uint32_t> calls_open_;   // by static module: instances of its parent that have not expanded the call
  std::vector<bool> module_complete_;  // by static module: all its instances are there

  std::map<std::pair<CheckKind, std::string>, std::map<std::string, CheckObject>> checks_;
};

}  // namespace pravo::runtime
