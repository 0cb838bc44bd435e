// Test files against the configurations that their runs are of: which provider a name stands for, what overrides
// override.
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/load/address.h"
#include "frontend/load/checks.h"
#include "frontend/load/target.h"
#include "ir/diagnostics/load.h"

#include <fmt/format.h>

namespace pravo::load {

namespace {

// The providers that a configuration's root module names, each with its address.
std::map<std::string_view, std::string> named_providers(const Module& module, const Names& names) {
  std::map<std::string_view, std::string> out;
  for (const RequiredProvider& required : module.required_providers)
    out.emplace(names.text(required.local_name.id), required.source);
  for (const ProviderConfig& provider : module.providers) {
    std::string_view name = names.text(provider.local_name.id);
    out.emplace(name, implied_provider_address(name));
  }
  return out;
}

// What a name of a provider in a test file stands for: the first run that uses it decides.
class ProviderTypes {
 public:
  ProviderTypes(const Configuration& configuration, const TestFile& file, const Names& names, Diagnostics& diags)
      : configuration_(configuration), file_(file), names_(names), diags_(diags) {
    for (const TestProvider& provider : file.providers) declared_.insert(text(provider.config.local_name));
  }

  void check() {
    std::vector<std::vector<std::string>> given = resolve();
    bool named = false;
    for (size_t r = 0; r < file_.runs.size(); ++r) {
      const TestRun& run = file_.runs[r];
      if (run.module_range.valid()) continue;  // such a run has providers of its own
      if (run.providers.empty())
        named = true;
      else
        check_passed(run, given[r]);
    }
    if (named) check_named();
  }

 private:
  struct Type {
    std::string address;
    const TestRun* from = nullptr;  // null: nothing uses it, so it is what its name says
  };

  std::string_view text(const Name& name) const { return names_.text(name.id); }
  std::string full_name(const Name& name, const Name& alias) const {
    return alias.valid() ? fmt::format("{}.{}", text(name), text(alias)) : std::string(text(name));
  }
  const Module* module_of(const TestRun& run) const {
    if (!run.module_range.valid()) return &configuration_.root();
    return run.module == UINT32_MAX ? nullptr : &configuration_.test_modules[run.module]->root();
  }

  // For each run the types of the configurations that it passes on, in order.
  std::vector<std::vector<std::string>> resolve() {
    std::vector<std::vector<std::string>> given(file_.runs.size());
    for (size_t r = 0; r < file_.runs.size(); ++r) {
      const TestRun& run = file_.runs[r];
      const Module* module = module_of(run);
      if (module == nullptr) continue;
      auto providers = named_providers(*module, names_);
      if (run.providers.empty()) {
        for (const auto& [name, address] : providers)
          if (declared_.contains(name)) types_.try_emplace(name, Type{address, &run});
        continue;
      }
      for (const auto& [inner, outer] : run.providers) {
        auto inside = providers.find(text(inner.local_name));
        std::string address =
            inside == providers.end() ? implied_provider_address(text(inner.local_name)) : inside->second;
        std::string_view name = text(outer.local_name);
        auto known = types_.find(name);
        if (known == types_.end() && declared_.contains(name))
          known = types_.try_emplace(name, Type{address, &run}).first;
        given[r].push_back(known == types_.end() ? address : known->second.address);
      }
    }
    for (std::string_view name : declared_) types_.try_emplace(name, Type{implied_provider_address(name), nullptr});
    return given;
  }

  void report(SourceRange place, const std::string& ours, const Type& type, const std::string& theirs,
              std::string_view expected) {
    auto built = diags_.emit(place, diag::TestProviderMismatch, ours, short_provider_address(type.address), theirs,
                             short_provider_address(expected));
    if (type.from != nullptr) built.note(type.from->header, fmt::format("run `{}` uses it so", text(type.from->name)));
  }

  void check_passed(const TestRun& run, const std::vector<std::string>& given) {
    auto providers = named_providers(configuration_.root(), names_);
    for (size_t i = 0; i < given.size(); ++i) {
      const auto& [inner, outer] = run.providers[i];
      std::string_view name = text(inner.local_name);
      auto inside = providers.find(name);
      std::string wanted = inside == providers.end() ? implied_provider_address(name) : inside->second;
      if (given[i] == wanted) continue;
      auto type = types_.find(text(outer.local_name));
      report(outer.local_name.range, full_name(outer.local_name, outer.alias),
             type == types_.end() ? Type{given[i], nullptr} : type->second, full_name(inner.local_name, inner.alias),
             wanted);
    }
  }

  // Runs without `providers` use those whose names are the same.
  void check_named() {
    const Module& root = configuration_.root();
    std::map<std::string, std::string> wanted;
    for (const ProviderConfig& provider : root.providers) {
      std::string_view name = text(provider.local_name);
      wanted.emplace(full_name(provider.local_name, provider.alias), root.provider_address(name, names_));
    }
    for (const RequiredProvider& required : root.required_providers) {
      wanted.emplace(text(required.local_name), required.source);
      for (const ProviderRef& alias : required.configuration_aliases)
        wanted.emplace(full_name(alias.local_name, alias.alias), required.source);
    }
    for (const TestProvider& provider : file_.providers) {
      std::string name = full_name(provider.config.local_name, provider.config.alias);
      auto expected = wanted.find(name);
      const Type& type = types_.at(text(provider.config.local_name));
      if (expected != wanted.end() && expected->second != type.address)
        report(provider.config.header, name, type, name, expected->second);
    }
  }

  const Configuration& configuration_;
  const TestFile& file_;
  const Names& names_;
  Diagnostics& diags_;
  std::unordered_set<std::string_view> declared_;
  std::map<std::string_view, Type> types_;
};

// What a configuration declares, by address.
class DeclaredIndex {
 public:
  DeclaredIndex(const Configuration& configuration, const Names& names) {
    for (uint32_t m = 0; m < configuration.modules.size(); ++m) {
      const Module& module = configuration.modules[m];
      for (const ModuleCall& call : module.calls) calls_.emplace(key(m, names.text(call.name.id)), &call);
      for (const Resource& resource : module.resources)
        resources_.insert(
            key(m, resource_text(resource.mode, names.text(resource.type.id), names.text(resource.name.id))));
    }
  }

  // True also where a module on the way is not there to look at.
  bool has(const Target& target) const {
    uint32_t module = 0;
    for (const Target::Step& step : target.modules) {
      auto call = calls_.find(key(module, step.name));
      if (call == calls_.end()) return false;
      if (call->second->status != ModuleStatus::Loaded) return true;
      module = call->second->target;
    }
    return !target.resource ||
           resources_.contains(key(module, resource_text(target.mode, target.type, target.name.name)));
  }

 private:
  static std::string key(uint32_t module, std::string_view name) { return fmt::format("{} {}", module, name); }
  static std::string resource_text(ResourceMode mode, std::string_view type, std::string_view name) {
    return fmt::format("{}.{}.{}", static_cast<int>(mode), type, name);
  }

  std::unordered_map<std::string, const ModuleCall*> calls_;
  std::unordered_set<std::string> resources_;
};

class OverrideCheck {
 public:
  OverrideCheck(const Configuration& configuration, const SourceManager& sources, const Names& names,
                Diagnostics& diags)
      : configuration_(configuration), sources_(sources), names_(names), diags_(diags) {}

  void check(const TestFile& file) {
    // What a file overrides for all of its runs may be there in some of them only.
    std::vector<const Configuration*> all{&configuration_};
    std::set<uint32_t> modules;
    for (const TestRun& run : file.runs)
      if (run.module_range.valid() && modules.insert(run.module).second && run.module != UINT32_MAX)
        all.push_back(configuration_.test_modules[run.module].get());
    const bool complete = !modules.contains(UINT32_MAX);
    if (complete) {
      check(file.overrides, all);
      for (const TestProvider& provider : file.providers) {
        check(provider.data.overrides, all);
        check(provider.shared.overrides, all);
      }
    }
    for (const TestRun& run : file.runs) {
      if (!run.module_range.valid())
        check(run.overrides, {&configuration_});
      else if (run.module != UINT32_MAX)
        check(run.overrides, {configuration_.test_modules[run.module].get()});
    }
  }

 private:
  void check(const std::vector<TestOverride>& overrides, const std::vector<const Configuration*>& in) {
    for (const TestOverride& entry : overrides) {
      auto reference = as_reference(sources_, entry.target);
      TargetFault fault;
      auto target = reference ? parse_target(*reference, &fault) : std::nullopt;
      if (!target) continue;
      bool found = false;
      for (const Configuration* configuration : in) found = found || index(configuration).has(*target);
      if (!found) diags_.emit(entry.target_range, diag::OverrideTargetMissing, entry.address);
    }
  }

  const DeclaredIndex& index(const Configuration* configuration) {
    auto at = known_.find(configuration);
    if (at == known_.end()) at = known_.try_emplace(configuration, *configuration, names_).first;
    return at->second;
  }

  const Configuration& configuration_;
  const SourceManager& sources_;
  const Names& names_;
  Diagnostics& diags_;
  std::unordered_map<const Configuration*, DeclaredIndex> known_;
};

}  // namespace

void check_tests(const Configuration& configuration, const SourceManager& sources, const Names& names,
                 Diagnostics& diags) {
  OverrideCheck overrides(configuration, sources, names, diags);
  for (const TestFile& file : configuration.tests) {
    ProviderTypes(configuration, file, names, diags).check();
    overrides.check(file);
  }
}

}  // namespace pravo::load
