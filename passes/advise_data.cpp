// A data source is read once, at plan if it can be. A provider whose configuration holds an ephemeral variable may be
// another one at apply, with other credentials or even in another account.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "ir/diagnostics/passes.h"
#include "passes/advise_parts.h"
#include "passes/mark_explain.h"

namespace pravo::passes {

namespace {

using Node = std::pair<ModuleId, InstId>;

// `aws` or `aws.east`, as ModuleCallInfo::providers spells it.
std::string provider_text(const Program& program, NameId local_name, NameId alias) {
  if (!alias.valid()) return std::string(program.text(local_name));
  return fmt::format("{}.{}", program.text(local_name), program.text(alias));
}

// The provider configuration that a resource uses, perhaps one that its module takes from its (first) caller.
std::optional<Node> provider_of(const Program& program, const MarkFacts& facts, ModuleId module,
                                const ResourceInfo& info) {
  const Inst& inst = program.body(module).inst(info.inst);
  if ((inst.flags & kHasProvider) != 0) return Node{module, program.body(module).operand(info.inst, 1)};
  std::string name = provider_text(program, info.provider_local_name.valid() ? info.provider_local_name : info.type,
                                   info.provider_alias);
  while (true) {
    for (const ProviderInfo& provider : program.body(module).providers)
      if (provider_text(program, provider.local_name, provider.alias) == name) return Node{module, provider.inst};
    const auto& callers = facts.modules[module].callers;
    if (callers.empty()) return std::nullopt;
    auto [caller, call] = callers.front();
    for (const auto& [inner, outer] : program.body(caller).calls[call.index].providers) {
      if (inner != name) continue;
      name = outer;
      break;
    }
    module = caller;
  }
}

}  // namespace

void advise_data(const Program& program, MarkFacts& facts, SchemaSource* schemas, Diagnostics& diags) {
  // Only providers that hold something ephemeral matter, and few programs have one.
  std::map<Node, std::vector<std::pair<ModuleId, const ResourceInfo*>>> users;
  for (uint32_t m = 0; m < program.bodies.size(); ++m)
    for (const ProviderInfo& provider : program.body(ModuleId(m)).providers) {
      InstId config = program.body(ModuleId(m)).operand(provider.inst, 0);
      if (facts.trees.has(facts.at(ModuleId(m), config), MarkSet::Ephemeral)) users[{ModuleId(m), provider.inst}];
    }
  if (users.empty()) return;
  for (uint32_t m = 0; m < program.bodies.size(); ++m)
    for (const ResourceInfo& info : program.body(ModuleId(m)).resources) {
      if (info.mode != ResourceMode::Data) continue;
      std::optional<Node> provider = provider_of(program, facts, ModuleId(m), info);
      if (!provider) continue;
      if (auto it = users.find(*provider); it != users.end()) it->second.emplace_back(ModuleId(m), &info);
    }

  Explainer explainer(program, facts, schemas);
  for (const auto& [provider, data] : users) {
    if (data.empty()) continue;
    auto [module, inst] = provider;
    constexpr size_t kMaxSources = 16;
    std::vector<SecretSource> sources = explainer.sources(kAnyCall, module, program.body(module).operand(inst, 0),
                                                          Demand::anywhere(), MarkSet::Ephemeral, kMaxSources);
    // An ephemeral resource (a tunnel, a lease) is opened anew for the same objects: no reason to warn.
    auto variable = std::find_if(sources.begin(), sources.end(), [](const SecretSource& s) { return s.variable; });
    if (variable == sources.end()) continue;
    auto address = [&](const auto& user) {
      return explainer.address_prefix(kAnyCall, user.first) + resource_address(program, *user.second);
    };
    auto warning =
        diags.emit(data[0].second->range, diag::DataThroughEphemeralProvider, address(data[0]), variable->name);
    warning.address(address(data[0]));
    for (const TraceStep& step : variable->trace) warning.step(step.range, step.message);
    const ModuleBody& body = program.body(module);
    warning.step(body.range(inst),
                 fmt::format("configures provider `{}`", program.text(NameId(body.inst(inst).payload))));
    warning.step(data[0].second->range, fmt::format("through which `{}` is read", address(data[0])));
    constexpr size_t kMaxNotes = 5;
    for (size_t i = 1; i < data.size() && i <= kMaxNotes; ++i)
      warning.note(data[i].second->range, fmt::format("`{}` is read through it too", address(data[i])));
    if (data.size() > kMaxNotes + 1)
      warning.note(SourceRange{}, fmt::format("so are {} more data sources", data.size() - kMaxNotes - 1));
  }
}

}  // namespace pravo::passes
