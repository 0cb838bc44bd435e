// The walk that makes a plan.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "runtime/exec/walk.h"

namespace pravo::runtime {

class PlanWalk : public Walk {
 public:
  PlanWalk(const RunContext& context, provider::Registry& providers, Diagnostics& diags, const PlanOptions& options,
           Plan& plan);

  // Fills the plan; plan.prior is the state to start from. False: the user interrupted.
  bool make();

 private:
  // An object of the state that no instance of the configuration stands for.
  struct Orphan {
    InstanceAddress address;
    std::string deposed;
    const StateResource* resource = nullptr;
    const InstanceObject* object = nullptr;
    ActionReason reason = ActionReason::None;
  };

  void run_instance(TaskId task) override;
  void run_output(TaskId task) override;
  void run_other(TaskId task) override;

  void plan_managed(TaskId task, const ResourceInfo& info, const Schema& schema);
  void planned(TaskId task, const InstanceAddress& address, const StateInstance* recorded, const Value& config,
               PlanOutput output, std::chrono::steady_clock::time_point since);
  void plan_data(TaskId task, const ResourceInfo& info, const Schema& schema);
  void add_read(TaskId task, const InstanceAddress& address, ActionReason reason, Value after);
  void finish_data(TaskId task, const InstanceAddress& address, Value value);
  bool dependency_pending(const Task& task, NodeIndex explicitly);
  // Whether something that replace_triggered_by names changes. False and `waits`: not known yet.
  bool triggered(TaskId task, const ResourceInfo& info, bool& waits, bool& failed);
  bool trigger_changes(ModuleInstance& module, uint32_t row, InstId use, bool& failed);
  bool check_postconditions(TaskId task, const ResourceInfo& info, const Value& value);

  void find_orphans();
  bool is_selected(const InstanceAddress& recorded);
  ActionReason orphan_reason(const ResourceAddress& address, const InstanceKey& key);
  bool refuse_move(const InstanceAddress& recorded);
  void add_orphan(const StateResource& resource, const StateInstance& instance, ActionReason reason);
  void plan_deletion(TaskId task);
  void add_drift(const InstanceAddress& address, const StateResource& resource, const InstanceObject& object,
                 const Value& before, const Value& after, uint64_t schema_version);
  void removed_outputs();
  void finish_prior();

  const StateResource* recorded_resource(ModuleInstance& module, uint32_t resource);

  const PlanOptions& options_;
  Plan& plan_;
  std::vector<Orphan> orphans_;
  // Changes of instances, to answer replace_triggered_by: index in plan_.changes by module instance, resource, row.
  std::vector<std::vector<std::vector<uint32_t>>> change_of_;
  std::vector<std::vector<const StateResource*>> state_of_;  // by module instance, resource
  std::unordered_set<const StateInstance*> matched_;
  // What the prior state is to say in the end: new values of objects, and objects that are gone.
  struct Correction {
    InstanceAddress address;
    std::string deposed;
    std::optional<InstanceObject> object;
  };
  std::vector<Correction> corrections_;
  bool interrupted_ = false;
};

}  // namespace pravo::runtime
