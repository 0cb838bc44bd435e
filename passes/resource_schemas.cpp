#include "passes/resource_schemas.h"

#include "ir/builtin_schemas.h"

namespace pravo::passes {

const SchemaBlock* find_schema(const Program& program, const ResourceInfo& info, SchemaSource* source) {
  std::string_view type = program.text(info.type);
  const ProviderSchema* provider = find_builtin_provider(info.provider_address);
  // Handwritten IR may leave the provider out.
  if (info.provider_address.empty() && (type == "terraform_data" || type == "terraform_remote_state"))
    provider = find_builtin_provider(kBuiltinProvider);
  if (provider == nullptr && source != nullptr && !info.provider_address.empty())
    provider = source->find(info.provider_address);
  if (provider == nullptr) return nullptr;
  auto find = [&](const auto& types) -> const SchemaBlock* {
    auto it = types.find(type);
    return it == types.end() ? nullptr : &it->second.block;
  };
  switch (info.mode) {
    case ResourceMode::Managed:
      return find(provider->resources);
    case ResourceMode::Data:
      return find(provider->data_sources);
    case ResourceMode::Ephemeral:
      return find(provider->ephemeral_resources);
  }
  PRAVOC_UNREACHABLE();
}

}  // namespace pravo::passes
