#include "runtime/target.h"

#include <algorithm>
#include <utility>

namespace pravo::runtime {

std::optional<TargetAddress> TargetAddress::parse(std::string_view text) {
  TargetAddress out;
  if (std::optional<InstanceAddress> instance = InstanceAddress::parse(text)) {
    out.module = instance->resource.module;
    out.mode = instance->resource.mode;
    out.type = std::move(instance->resource.type);
    out.name = std::move(instance->resource.name);
    out.key = std::move(instance->key);
    return out;
  }
  std::optional<ModulePath> module = ModulePath::parse(text);
  if (!module || module->is_root()) return std::nullopt;
  out.module = std::make_shared<const ModulePath>(std::move(*module));
  out.whole_module = true;
  return out;
}

std::string TargetAddress::to_string() const {
  if (whole_module) return module->text();
  return InstanceAddress{{module, mode, type, name}, key}.to_string();
}

bool TargetAddress::contains(const InstanceAddress& instance) const {
  const std::vector<ModulePath::Step>& own = module->steps();
  const std::vector<ModulePath::Step>& other = instance.resource.module->steps();
  if (own.size() > other.size() || (!whole_module && own.size() != other.size())) return false;
  auto covers = [](const InstanceKey& wanted, const InstanceKey& found) { return wanted.is_none() || wanted == found; };
  for (size_t i = 0; i < own.size(); ++i)
    if (own[i].name != other[i].name || !covers(own[i].key, other[i].key)) return false;
  if (whole_module) return true;
  return mode == instance.resource.mode && type == instance.resource.type && name == instance.resource.name &&
         covers(key, instance.key);
}

bool TargetAddress::touches(std::string_view resource) const {
  if (!whole_module) return ResourceAddress{module, mode, type, name}.static_text() == resource;
  const std::string scope = module->static_text();
  return resource.size() > scope.size() && resource.starts_with(scope) && resource[scope.size()] == '.';
}

bool TargetAddress::has_keys() const {
  return !key.is_none() || std::any_of(module->steps().begin(), module->steps().end(),
                                       [](const ModulePath::Step& step) { return !step.key.is_none(); });
}

}  // namespace pravo::runtime
