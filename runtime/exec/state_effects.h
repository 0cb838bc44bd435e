// Instances of resources as a state records them: what a prompt sees, where nothing is planned or read.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/interp/interpreter.h"
#include "runtime/provider/provider.h"
#include "runtime/state/state.h"

namespace pravo::runtime {

// A resource that the state does not know is wholly unknown. One with `count` or `for_each` has the instances that are
// recorded, whatever the configuration would make now. An ephemeral resource is never opened: its value is unknown.
class StateEffects : public EffectSource {
 public:
  StateEffects(const Program& program, provider::Registry& providers, const State& state)
      : program_(program), providers_(providers), state_(state) {}

  EffectResult instance(ModuleInstance& module, uint32_t resource, uint32_t row) override;
  EffectResult all_instances(ModuleInstance& module, uint32_t resource) override;
  std::optional<Value> collection(ModuleInstance& module, uint32_t resource) override;
  Result<Value> call_provider_function(std::string_view name, std::span<const Value> arguments) override;

  // Recorded objects that could not be read so far. Where one is needed, what needs it is unknown.
  const std::vector<Diagnostic>& failures() const { return failures_; }

 private:
  const StateResource* recorded(const ModuleInstance& module, const ResourceInfo& info) const;
  Value decode(const StateResource& resource, const StateInstance& instance, const ResourceInfo& info);

  const Program& program_;
  provider::Registry& providers_;
  const State& state_;
  std::map<std::pair<uint32_t, uint32_t>, Value> collections_;  // by module instance and resource
  std::vector<Diagnostic> failures_;
};

}  // namespace pravo::runtime
