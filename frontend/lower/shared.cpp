#include "frontend/lower/shared.h"

#include "ir/builtin_schemas.h"

namespace pravo::lower {

namespace {
constexpr size_t kMaxCandidates = 500'000;
}

KnownNames::KnownNames(Names& names)
    : content(names.intern("content")),
      dynamic(names.intern("dynamic")),
      for_each(names.intern("for_each")),
      iterator(names.intern("iterator")),
      key(names.intern("key")),
      labels(names.intern("labels")),
      value(names.intern("value")) {}

Shared::Shared(const load::Configuration& configuration_, const SourceManager& sources_, Names& names_,
               Diagnostics& diags_, const LowerOptions& options)
    : configuration(configuration_),
      sources(sources_),
      names(names_),
      diags(diags_),
      schemas(options.schemas),
      program(names_),
      types(program),
      known(names_) {}

const ProviderSchema* Shared::provider_schema(const std::string& address) {
  auto [it, inserted] = provider_schemas_.try_emplace(address, nullptr);
  if (!inserted) return it->second;
  const ProviderSchema* schema = find_builtin_provider(address);
  if (schema == nullptr && schemas != nullptr) schema = schemas->find(address);
  return it->second = schema;
}

bool Shared::may_look(size_t candidates) {
  looked_at_ += candidates;
  return looked_at_ <= kMaxCandidates;
}

std::string_view Shared::closest(std::string_view name, const std::vector<std::string_view>& candidates) {
  return closest_name(name, candidates);
}

}  // namespace pravo::lower
