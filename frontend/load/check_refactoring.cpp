#include <unordered_map>

#include "frontend/load/checks.h"
#include "frontend/load/target.h"
#include "ir/diagnostics/load.h"

#include <llvm/ADT/DenseMap.h>

namespace pravo::load {

namespace {

class RefactoringCheck {
 public:
  RefactoringCheck(const Configuration& configuration, const SourceManager& sources, const Names& names,
                   Diagnostics& diags)
      : configuration_(configuration), sources_(sources), names_(names), diags_(diags) {}

  void check() {
    check_imports();
    for (uint32_t i = 0; i < configuration_.modules.size(); ++i) {
      for (const Moved& moved : configuration_.modules[i].moved) check_moved(i, moved);
      for (const Removed& removed : configuration_.modules[i].removed) check_removed(i, removed);
    }
  }

 private:
  // What an address leads to.
  struct Found {
    enum class State : uint8_t {
      Declared,
      Missing,
      Unknown,  // behind a module that is not there
    } state = State::Missing;
    SourceRange header;
    bool repeats = false;  // the resource or module has count or for_each
    bool in_root = false;
  };

  std::optional<Target> target(Expr expr) {
    if (!expr) return std::nullopt;
    auto reference = as_reference(sources_, expr, true);
    if (!reference) return std::nullopt;
    TargetFault fault;
    return parse_target(*reference, &fault);
  }

  const ModuleCall* find_call(uint32_t module, NameId name) {
    auto& index = calls_[module];
    const auto& calls = configuration_.modules[module].calls;
    if (index.empty())
      for (size_t i = 0; i < calls.size(); ++i) index.try_emplace(calls[i].name.id.index, i);
    auto at = index.find(name.index);
    return at == index.end() ? nullptr : &calls[at->second];
  }

  const Resource* find_resource(uint32_t module, ResourceMode mode, NameId type, NameId name) {
    auto& index = resources_[module];
    const auto& resources = configuration_.modules[module].resources;
    auto key = [](ResourceMode m, NameId t, NameId n) {
      return std::pair<uint64_t, uint32_t>{(uint64_t{t.index} << 32) | n.index, static_cast<uint32_t>(m)};
    };
    if (index.empty())
      for (size_t i = 0; i < resources.size(); ++i)
        index.try_emplace(key(resources[i].mode, resources[i].type.id, resources[i].name.id), i);
    auto at = index.find(key(mode, type, name));
    return at == index.end() ? nullptr : &resources[at->second];
  }

  Found find(uint32_t module, const Target& target) {
    Found found;
    found.in_root = target.modules.empty();
    for (const Target::Step& step : target.modules) {
      NameId name = names_.find(step.name);
      const ModuleCall* call = name.valid() ? find_call(module, name) : nullptr;
      if (call == nullptr) return found;
      found.header = call->header;
      found.repeats = call->count.valid() || call->for_each.valid();
      if (call->status != ModuleStatus::Loaded) {
        // The call itself is known; only what is inside it is not.
        found.state =
            !target.resource && &step == &target.modules.back() ? Found::State::Declared : Found::State::Unknown;
        return found;
      }
      module = call->target;
    }
    if (!target.resource) {
      found.state = Found::State::Declared;
      return found;
    }
    NameId type = names_.find(target.type);
    NameId name = names_.find(target.name.name);
    if (!type.valid() || !name.valid()) return found;
    const Resource* resource = find_resource(module, target.mode, type, name);
    if (resource == nullptr) return found;
    found.state = Found::State::Declared;
    found.header = resource->header;
    found.repeats = resource->count.valid() || resource->for_each.valid();
    return found;
  }

  void check_imports() {
    std::unordered_map<std::string, SourceRange> seen;
    for (const Import& import : configuration_.root().imports) {
      auto to = target(import.to);
      if (!to) continue;
      if (!import.for_each) {
        auto [first, fresh] = seen.try_emplace(to->text(), import.header);
        if (!fresh)
          diags_.emit(import.to.range(), diag::DuplicateImport, to->text()).note(first->second, "first imported here");
      }
      Found found = find(0, *to);
      // The configuration of a resource in the root module can be generated; no other one's.
      if (found.state == Found::State::Missing && !found.in_root)
        diags_.emit(import.to.range(), diag::ImportTargetMissing, to->text());
      if (found.state == Found::State::Declared && import.provider)
        diags_.emit(import.provider_range, diag::ImportProvider).note(found.header, "declared here");
    }
  }

  // Where the whole object is moved or removed, its declaration must be gone. `plan` refuses it, `validate` does not.
  void check_moved(uint32_t module, const Moved& moved) {
    auto from = target(moved.from);
    auto to = target(moved.to);
    if (!from || !to || has_key(*from)) return;
    // From the only instance to one of several, or into a repeated module, the declaration stays.
    if (same_object(*from, *to)) return;
    Found found = find(module, *from);
    if (found.state == Found::State::Declared && !found.repeats)
      diags_.emit(moved.header, diag::MovedStillDeclared, from->text()).note(found.header, "declared here");
  }

  void check_removed(uint32_t module, const Removed& removed) {
    auto from = target(removed.from);
    if (!from) return;
    Found found = find(module, *from);
    if (found.state == Found::State::Declared)
      diags_.emit(removed.header, diag::RemovedStillDeclared, from->text()).note(found.header, "declared here");
  }

  static bool has_key(const Target& target) {
    for (const Target::Step& step : target.modules)
      if (step.key) return true;
    return target.resource && target.name.key.has_value();
  }

  static bool same_object(const Target& a, const Target& b) {
    if (a.modules.size() != b.modules.size() || a.resource != b.resource || a.mode != b.mode || a.type != b.type ||
        a.name.name != b.name.name)
      return false;
    for (size_t i = 0; i < a.modules.size(); ++i)
      if (a.modules[i].name != b.modules[i].name) return false;
    return true;
  }

  const Configuration& configuration_;
  const SourceManager& sources_;
  const Names& names_;
  Diagnostics& diags_;
  std::unordered_map<uint32_t, llvm::DenseMap<uint32_t, size_t>> calls_;
  std::unordered_map<uint32_t, llvm::DenseMap<std::pair<uint64_t, uint32_t>, size_t>> resources_;
};

}  // namespace

void check_refactoring(const Configuration& configuration, const SourceManager& sources, const Names& names,
                       Diagnostics& diags) {
  RefactoringCheck(configuration, sources, names, diags).check();
}

}  // namespace pravo::load
