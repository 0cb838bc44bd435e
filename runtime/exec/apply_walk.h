// The walk that carries out a plan: the execution graph of an apply.
//
// Its nodes are the operations of the plan, one or two for each object: create or update, destroy, read. What is to
// be created waits for values, as the evaluation of its configuration finds out, instance by instance; destroys are
// ordered by resource, as the state recorded dependencies:
// - an object is destroyed after everything that depends on it was destroyed;
// - what is created or updated waits for the destroys of what it depended on, unless that is replaced by creating
//   first: then the old object goes last, after all that used it has moved on. So do objects that an earlier run of
//   that kind left behind, and instances of such a resource that go for good.
#pragma once

#include <unordered_map>

#include "runtime/exec/walk.h"

namespace pravo::runtime {

class ApplyWalk : public Walk {
 public:
  ApplyWalk(const RunContext& context, provider::Registry& providers, Diagnostics& diags, const Plan& plan,
            StateWriter& writer, ApplyResult& result);

  // Carries the plan out; the result's state starts as the plan's prior state.
  void apply();

 private:
  // All destroys of one resource (over all its module instances).
  struct DestroyGroup {
    std::vector<uint32_t> depends_on;  // groups of what its objects depended on
    std::vector<TaskId> destroys;      // its own
    std::vector<TaskId> held;          // tasks that wait for this group's destroys
    uint32_t open = 0;                 // its own destroys that are not done, and groups that must come first
    bool failed = false;
    bool complete = false;
  };
  // An object that goes.
  struct Destroy {
    const InstanceChange* change = nullptr;
    uint32_t group = 0;
    std::string deposed;        // key of the object to destroy; empty: the current one
    bool create_first = false;  // see goes_last()
    bool waited = false;
    bool ready = false;      // create_first: the new object is there, if there is to be one
    bool cancelled = false;  // create_first: it did not come to that
  };
  struct Planned {
    const InstanceChange* change = nullptr;
    bool bound = false;           // the configuration has this instance
    TaskId destroy = UINT32_MAX;  // of a replacement
    bool held = false;            // its task waits for the destroy of the object before it
    std::vector<uint32_t> after;  // their groups
    ModuleInstance* module = nullptr;
    uint32_t resource = 0;
    uint32_t row = 0;
    TaskId task = UINT32_MAX;  // none before the instance is found
  };

  void found_instance(ModuleInstance& module, uint32_t resource, uint32_t row) override;
  void run_instance(TaskId task) override;
  void run_output(TaskId task) override;
  void run_other(TaskId task) override;
  void settled() override;

  void record_refresh();
  bool goes_last(const InstanceChange& change) const;
  void build_destroys();
  uint32_t destroy_group(const std::string& address);
  void order_groups();
  void release_group(uint32_t group);

  void run_managed(TaskId task, Planned& planned);
  void run_unchanged(TaskId task, const Value& value);
  void run_data(TaskId task, Planned& planned);
  void applied(TaskId task, Planned& planned, const Value& config, ApplyOutput output,
               std::chrono::steady_clock::time_point since);
  void run_destroy(TaskId task);
  void destroyed(TaskId task, ApplyOutput output, std::chrono::steady_clock::time_point since);
  bool holds_postconditions(TaskId task, const ResourceInfo& info, const Value& value);
  void refresh_metadata(ModuleInstance& module, uint32_t resource, uint32_t row);
  InstanceObject new_object(ModuleInstance& module, uint32_t resource, Value value, const Schema& type);
  StateInstance* recorded(const InstanceAddress& address);
  std::string set_aside(const InstanceAddress& address);
  void take_back(const InstanceAddress& address, const std::string& deposed);
  void give_up(TaskId task);
  const std::vector<NodeIndex>& users(NodeIndex resource);
  bool stop_here();
  std::optional<StateWriter::Ticket> note_intent(provider::Provider& provider, const InstanceAddress& address,
                                                 std::string_view deposed, Action action);
  std::function<void()> apply_call(provider::Provider& provider, StateWriter::Ticket intent,
                                   std::shared_ptr<ApplyInput> input, std::shared_ptr<ApplyOutput> output);
  void after_operation(const InstanceAddress& address, std::string_view deposed, Action action);

  const Plan& plan_;
  StateWriter& writer_;
  ApplyResult& result_;
  std::unordered_map<std::string, Planned> planned_;  // by address
  std::vector<Destroy> destroys_;
  std::vector<DestroyGroup> groups_of_destroys_;
  std::unordered_map<std::string, uint32_t> group_index_;
  std::unordered_map<NodeIndex, std::vector<NodeIndex>> users_;
  std::vector<TaskId> late_;  // reads of data sources in checks, which come last
  bool changed_ = false;
  bool broken_ = false;  // the state cannot be recorded: nothing more is started
};

}  // namespace pravo::runtime
