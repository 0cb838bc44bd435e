// The provider configurations that a module takes from its caller: those that its resources name and it does not
// have, and what the modules that it calls take from it.
#include "frontend/lower/body.h"

#include <algorithm>

namespace pravo::lower {

void BodyLowering::find_inherited_providers() {
  BodyFacts& facts = shared_.bodies[module_index_];
  facts.nodes_end = nodes_end_;
  auto inherit = [&](ProviderName provider) {
    if (std::find(facts.inherited.begin(), facts.inherited.end(), provider) == facts.inherited.end())
      facts.inherited.push_back(provider);
  };
  llvm::DenseMap<uint64_t, InstId> own;
  for (const ProviderInfo& provider : body_.providers)
    own.try_emplace(uint64_t{provider.local_name.index} << 32 | provider.alias.index, provider.inst);
  auto own_config = [&](ProviderName provider) {
    auto it = own.find(uint64_t{provider.local_name.index} << 32 | provider.alias.index);
    return it == own.end() ? InstId() : it->second;
  };

  llvm::DenseMap<uint64_t, bool> seen;
  for (const ResourceInfo& resource : body_.resources) {
    ProviderName provider{resource.provider_local_name, resource.provider_alias};
    if (!seen.try_emplace(uint64_t{provider.local_name.index} << 32 | provider.alias.index, true).second) continue;
    if (!own_config(provider).valid()) inherit(provider);
  }
  facts.passed.resize(module_.calls.size());
  for (uint32_t i = 0; i < module_.calls.size(); ++i) {
    const load::ModuleCall& call = module_.calls[i];
    if (call.status != load::ModuleStatus::Loaded) continue;
    for (ProviderName inner : shared_.bodies[call.target].inherited) {
      ProviderName outer = inner;
      for (const auto& [to, from] : call.providers)
        if (to.local_name.id == inner.local_name && to.alias.id == inner.alias)
          outer = {from.local_name.id, from.alias.id};
      InstId config = own_config(outer);
      if (!config.valid()) inherit(outer);
      facts.passed[i].push_back({inner, outer, config});
    }
  }
}

}  // namespace pravo::lower
