#include "frontend/lower/scope.h"

namespace pravo::lower {

namespace {
uint64_t pair_key(NameId a, NameId b) { return uint64_t{a.index} << 32 | b.index; }
}  // namespace

Declarations::Declarations(const load::Module& module) {
  // Most of them are managed.
  resources_[static_cast<size_t>(load::ResourceMode::Managed)].reserve(static_cast<unsigned>(module.resources.size()));
  for (uint32_t i = 0; i < module.variables.size(); ++i) variables_.try_emplace(module.variables[i].name.id.index, i);
  for (uint32_t i = 0; i < module.locals.size(); ++i) locals_.try_emplace(module.locals[i].name.id.index, i);
  for (uint32_t i = 0; i < module.calls.size(); ++i) calls_.try_emplace(module.calls[i].name.id.index, i);
  for (uint32_t i = 0; i < module.providers.size(); ++i) {
    const load::ProviderConfig& provider = module.providers[i];
    providers_.try_emplace(pair_key(provider.local_name.id, provider.alias.id), i);
  }
  for (uint32_t i = 0; i < module.resources.size(); ++i) {
    const load::Resource& resource = module.resources[i];
    auto mode = static_cast<size_t>(resource.mode);
    resources_[mode].try_emplace(pair_key(resource.type.id, resource.name.id), i);
    types_[mode].try_emplace(resource.type.id.index, i);
  }
  for (uint32_t i = 0; i < module.checks.size(); ++i)
    if (module.checks[i].data_resource) checks_.try_emplace(*module.checks[i].data_resource, i);
}

std::optional<uint32_t> Declarations::resource(load::ResourceMode mode, NameId type, NameId name) const {
  if (!type.valid() || !name.valid()) return std::nullopt;
  const auto& map = resources_[static_cast<size_t>(mode)];
  auto it = map.find(pair_key(type, name));
  return it == map.end() ? std::nullopt : std::optional<uint32_t>(it->second);
}

std::optional<uint32_t> Declarations::provider(NameId local_name, NameId alias) const {
  auto it = providers_.find(pair_key(local_name, alias));
  return it == providers_.end() ? std::nullopt : std::optional<uint32_t>(it->second);
}

bool Declarations::has_type(load::ResourceMode mode, NameId type) const {
  return find(types_[static_cast<size_t>(mode)], type).has_value();
}

std::optional<uint32_t> Declarations::check_of(uint32_t resource) const {
  auto it = checks_.find(resource);
  return it == checks_.end() ? std::nullopt : std::optional<uint32_t>(it->second);
}

}  // namespace pravo::lower
