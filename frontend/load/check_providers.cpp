// How provider configurations reach modules: by name from the caller, or from a block of the module's own.
#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/load/address.h"
#include "frontend/load/checks.h"
#include "ir/diagnostics/load.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

namespace pravo::load {

namespace {

// A configuration's name in a module: `aws`, or `aws.east`.
// A pair, since DenseMap hashes only the lower half of a 64-bit number.
using Key = std::pair<uint32_t, uint32_t>;
Key key_of(const Name& local_name, const Name& alias) { return {local_name.id.index, alias.id.index}; }
Key key_of(const ProviderRef& ref) { return key_of(ref.local_name, ref.alias); }

// What a module says of its providers.
struct Declared {
  llvm::DenseMap<Key, const ProviderConfig*> configured;       // blocks that configure something
  llvm::DenseMap<Key, const ProviderConfig*> empty;            // blocks that only say that there is one
  llvm::DenseMap<uint32_t, const ProviderConfig*> blocks;      // any of a local name
  llvm::DenseMap<uint32_t, const RequiredProvider*> required;  // by local name
  llvm::DenseMap<Key, const RequiredProvider*> aliases;        // of configuration_aliases
  llvm::DenseSet<Key> passed;                                  // by any caller
};

class ProviderCheck {
 public:
  ProviderCheck(const Configuration& configuration, const Names& names, Diagnostics& diags)
      : configuration_(configuration), names_(names), diags_(diags), declared_(configuration.modules.size()) {
    for (uint32_t i = 0; i < declared_.size(); ++i) collect(i);
  }

  void check() {
    for (uint32_t i = 0; i < declared_.size(); ++i) {
      check_requirements(i);
      check_implied_names(i);
      check_references(i);
      if (i > 0) warn_of_empty_blocks(i);
      for (const ModuleCall& call : configuration_.modules[i].calls)
        if (call.status == ModuleStatus::Loaded) check_call(i, call);
    }
    check_repeated_calls();
  }

 private:
  const Module& module(uint32_t i) const { return configuration_.modules[i]; }
  std::string_view text(NameId id) const { return names_.text(id); }
  std::string text(const ProviderRef& ref) const {
    std::string out(text(ref.local_name.id));
    if (ref.alias.valid()) out += fmt::format(".{}", text(ref.alias.id));
    return out;
  }

  void collect(uint32_t i) {
    Declared& declared = declared_[i];
    for (const ProviderConfig& provider : module(i).providers) {
      declared.blocks.try_emplace(provider.local_name.id.index, &provider);
      bool empty = provider.config.attributes.empty() && provider.config.blocks.empty() && !provider.has_version;
      (empty ? declared.empty : declared.configured)
          .try_emplace(key_of(provider.local_name, provider.alias), &provider);
    }
    for (const RequiredProvider& required : module(i).required_providers) {
      declared.required.try_emplace(required.local_name.id.index, &required);
      for (const ProviderRef& alias : required.configuration_aliases)
        declared.aliases.try_emplace(key_of(alias), &required);
    }
    for (const ModuleCall& call : module(i).calls)
      if (call.status == ModuleStatus::Loaded)
        for (const auto& [inner, outer] : call.providers) declared_[call.target].passed.insert(key_of(inner));
  }

  // The provider behind a local name; one that nothing declares is of the default namespace.
  std::string address_of(uint32_t i, const Name& local_name) const {
    auto at = declared_[i].required.find(local_name.id.index);
    if (at != declared_[i].required.end()) return at->second->source;
    return fmt::format("{}/hashicorp/{}", kDefaultRegistry, text(local_name.id));
  }

  // --- one module

  void check_requirements(uint32_t i) {
    std::unordered_map<std::string_view, const RequiredProvider*> by_address;
    for (const RequiredProvider& required : module(i).required_providers) {
      auto [first, fresh] = by_address.try_emplace(required.source, &required);
      if (!fresh) {
        diags_
            .emit(required.range, diag::DuplicateRequirement, short_provider_address(required.source),
                  text(required.local_name.id))
            .note(first->second->local_name.range,
                  fmt::format("required as `{}` here", text(first->second->local_name.id)));
        continue;
      }
      warn_of_implied_block(i, required);
    }
  }

  static std::string_view default_name(const RequiredProvider& required) {
    std::string_view address = short_provider_address(required.source);
    if (!address.starts_with("hashicorp/")) return {};
    return address.substr(std::string_view("hashicorp/").size());
  }

  void warn_of_implied_block(uint32_t i, const RequiredProvider& required) {
    std::string_view implied = default_name(required);
    if (implied.empty() || implied == text(required.local_name.id)) return;
    NameId name = names_.find(implied);
    if (!name.valid()) return;
    auto at = declared_[i].blocks.find(name.index);
    if (at == declared_[i].blocks.end()) return;
    diags_
        .emit(required.range, diag::DuplicateRequirement, short_provider_address(required.source),
              text(required.local_name.id))
        .note(at->second->header, fmt::format("configured as `{}` here", implied));
  }

  // Resources whose type names a provider that is required under another name.
  void check_implied_names(uint32_t i) {
    std::unordered_map<std::string_view, const RequiredProvider*> renamed;
    for (const RequiredProvider& required : module(i).required_providers) {
      std::string_view implied = default_name(required);
      NameId name = implied.empty() ? NameId() : names_.find(implied);
      bool known = name.valid() && declared_[i].required.count(name.index) > 0;
      if (!implied.empty() && !known) renamed.try_emplace(implied, &required);
    }
    if (renamed.empty()) return;
    for (const Resource& resource : module(i).resources) {
      if (resource.provider) continue;
      std::string_view type = text(resource.type.id);
      auto at = renamed.find(type.substr(0, type.find('_')));
      if (at == renamed.end()) continue;
      diags_.emit(resource.header, diag::ImpliedProviderName, at->first, text(at->second->local_name.id))
          .note(at->second->local_name.range, "required here");
    }
  }

  bool is_declared(uint32_t i, const ProviderRef& ref) const {
    Key key = key_of(ref);
    const Declared& declared = declared_[i];
    if (declared.configured.count(key) || declared.empty.count(key)) return true;
    // A root module that expects aliases is one to be called, and here looked at for itself.
    return declared.aliases.count(key) > 0 || declared.passed.contains(key);
  }

  // An alias is never implied: something must declare it.
  void check_reference(uint32_t i, const ProviderRef& ref) {
    if (!ref.alias.valid() || is_declared(i, ref)) return;
    auto built = diags_.emit(ref.range, diag::ProviderNotConfigured, text(ref));
    if (!guesses_.afford(module(i).providers.size())) return;
    std::vector<std::string_view> aliases;
    for (const ProviderConfig& provider : module(i).providers)
      if (provider.local_name.id == ref.local_name.id && provider.alias.valid())
        aliases.push_back(text(provider.alias.id));
    auto closest = closest_name(text(ref.alias.id), aliases);
    if (!closest.empty()) built.help(fmt::format("did you mean `{}.{}`?", text(ref.local_name.id), closest));
  }

  void check_references(uint32_t i) {
    for (const Resource& resource : module(i).resources)
      if (resource.provider) check_reference(i, *resource.provider);
    for (const Import& import : module(i).imports)
      if (import.provider) check_reference(i, *import.provider);
    for (const ModuleCall& call : module(i).calls)
      for (const auto& [inner, outer] : call.providers) {
        check_reference(i, outer);
        warn_of_undeclared(i, outer);
      }
  }

  void warn_of_undeclared(uint32_t i, const ProviderRef& outer) {
    if (outer.alias.valid()) return;
    const Declared& declared = declared_[i];
    if (declared.configured.count(key_of(outer)) || declared.required.count(outer.local_name.id.index)) return;
    diags_.emit(outer.local_name.range, diag::AssumedProvider, text(outer.local_name.id));
  }

  // Blocks that only announce a provider are what configuration_aliases is for now.
  void warn_of_empty_blocks(uint32_t i) {
    std::unordered_set<uint32_t> told;
    for (const ProviderConfig& provider : module(i).providers)
      if (declared_[i].empty.count(key_of(provider.local_name, provider.alias)) &&
          told.insert(provider.local_name.id.index).second)
        diags_.emit(provider.header, diag::RedundantProviderBlock, text(provider.local_name.id));
  }

  // --- one call

  void check_call(uint32_t caller, const ModuleCall& call) {
    const Declared& inside = declared_[call.target];
    llvm::DenseSet<Key> passed;
    for (const auto& [inner, outer] : call.providers) passed.insert(key_of(inner));

    for (const auto& [inner, outer] : call.providers) {
      auto own = inside.configured.find(key_of(inner));
      if (own != inside.configured.end())
        diags_.emit(inner.local_name.range, diag::ProviderOverridden, text(inner), text(call.name.id))
            .note(own->second->header, "its own configuration is here");
      check_acceptance(call, inner);
      check_type(caller, call, inner, outer);
    }
    for (const RequiredProvider& required : module(call.target).required_providers)
      for (const ProviderRef& alias : required.configuration_aliases)
        if (!inside.configured.count(key_of(alias)) && !passed.contains(key_of(alias)))
          diags_.emit(call.header, diag::MissingProviderConfiguration, text(call.name.id), text(alias))
              .note(alias.range, "declared here");
    warn_of_missing_default(call, passed);
  }

  void check_acceptance(const ModuleCall& call, const ProviderRef& inner) {
    const Declared& inside = declared_[call.target];
    bool named = (!inner.alias.valid() && inside.required.count(inner.local_name.id.index)) ||
                 inside.aliases.count(key_of(inner)) || inside.empty.count(key_of(inner));
    if (named) return;
    diags_.emit(inner.local_name.range, diag::ProviderNotExpected, text(call.name.id), text(inner));
  }

  void check_type(uint32_t caller, const ModuleCall& call, const ProviderRef& inner, const ProviderRef& outer) {
    std::string inside = address_of(call.target, inner.local_name);
    std::string outside = address_of(caller, outer.local_name);
    if (inside == outside) return;
    diags_.emit(outer.local_name.range, diag::ProviderMismatch, text(outer), short_provider_address(outside),
                text(inner), text(call.name.id), short_provider_address(inside));
  }

  // A module that hands on a provider which it requires, but is not given.
  void warn_of_missing_default(const ModuleCall& call, const llvm::DenseSet<Key>& passed) {
    const Declared& inside = declared_[call.target];
    llvm::DenseSet<Key> told;
    for (const ModuleCall& nested : module(call.target).calls)
      for (const auto& [inner, outer] : nested.providers) {
        Key key = key_of(outer);
        if (outer.alias.valid() || !inside.required.count(outer.local_name.id.index) || inside.configured.count(key) ||
            passed.contains(key) || !told.insert(key).second)
          continue;
        diags_.emit(call.header, diag::ProviderNotHandedOn, text(call.name.id), text(outer))
            .note(outer.range, "handed on here");
      }
  }

  // --- calls that repeat what may not be repeated

  // A module's own configuration, or that of a module below it.
  const ProviderConfig* configuration_below(uint32_t i) {
    auto known = below_.find(i);
    if (known != below_.end()) return known->second;
    // Calls are free of cycles, and the search is depth first with a stack of its own.
    std::vector<uint32_t> stack{i};
    while (!stack.empty()) {
      uint32_t at = stack.back();
      if (below_.contains(at)) {
        stack.pop_back();
        continue;
      }
      const ProviderConfig* found = nullptr;
      for (const ProviderConfig& provider : module(at).providers)
        if (declared_[at].configured.count(key_of(provider.local_name, provider.alias))) {
          found = &provider;
          break;
        }
      bool ready = true;
      for (const ModuleCall& call : module(at).calls) {
        if (found != nullptr || call.status != ModuleStatus::Loaded) continue;
        auto nested = below_.find(call.target);
        if (nested != below_.end())
          found = nested->second;
        else {
          stack.push_back(call.target);
          ready = false;
        }
      }
      if (found == nullptr && !ready) continue;
      below_[at] = found;
    }
    return below_[i];
  }

  void check_repeated_calls() {
    for (const Module& caller : configuration_.modules)
      for (const ModuleCall& call : caller.calls) {
        if (call.status != ModuleStatus::Loaded) continue;
        SourceRange place = call.count ? call.count.range() : call.for_each ? call.for_each.range() : SourceRange{};
        if (!place.valid() && call.depends_on_range.valid())
          place = call.depends_on.empty() ? call.source_range : call.depends_on[0].range();
        if (!place.valid()) continue;
        if (const ProviderConfig* provider = configuration_below(call.target))
          diags_.emit(place, diag::ModuleWithProviders, text(call.name.id), text(provider->local_name.id))
              .note(provider->header, "configured here");
      }
  }

  const Configuration& configuration_;
  const Names& names_;
  Diagnostics& diags_;
  Guesses guesses_;
  std::vector<Declared> declared_;
  std::unordered_map<uint32_t, const ProviderConfig*> below_;
};

}  // namespace

void check_providers(const Configuration& configuration, const Names& names, Diagnostics& diags) {
  ProviderCheck(configuration, names, diags).check();
}

}  // namespace pravo::load
