#include <algorithm>

#include "runtime/provider/provider.h"

namespace pravo::provider {

bool has_errors(const Messages& messages) {
  return std::any_of(messages.begin(), messages.end(), [](const Message& m) { return m.severity == Severity::Error; });
}

void Registry::add(std::string address, Factory factory) { factories_[std::move(address)] = std::move(factory); }

std::unique_ptr<Provider> Registry::create(std::string_view address) const {
  auto found = factories_.find(address);
  return found == factories_.end() ? nullptr : found->second();
}

Provider* Registry::unconfigured(std::string_view address) {
  auto found = unconfigured_.find(address);
  if (found != unconfigured_.end()) return found->second.get();
  std::unique_ptr<Provider> made = create(address);
  if (!made) return nullptr;
  return unconfigured_.emplace(std::string(address), std::move(made)).first->second.get();
}

const ProviderSchema* Registry::schema(std::string_view address) {
  Provider* provider = unconfigured(address);
  return provider == nullptr ? nullptr : &provider->schema();
}

}  // namespace pravo::provider
