// Override files. An argument that an override gives replaces the original's; nested blocks of a type replace all
// that the original has of it.
#include "frontend/load/merge.h"
#include "ir/diagnostics/load.h"

#include <algorithm>

#include <fmt/format.h>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

namespace pravo::load {

namespace {

// The block type that a block adds to: of `dynamic "x"` that is x.
NameId block_type(const Block& block, NameId dynamic) {
  return block.type.id == dynamic && !block.labels.empty() ? block.labels[0].id : block.type.id;
}

void merge_body(Body& base, Body& overriding, const Names& names) {
  NameId dynamic = names.find("dynamic");
  llvm::DenseMap<uint32_t, size_t> arguments;
  llvm::DenseSet<uint32_t> replaced;
  for (size_t i = 0; i < base.attributes.size(); ++i) arguments.try_emplace(base.attributes[i].name.id.index, i);
  for (const Block& block : overriding.blocks) replaced.insert(block_type(block, dynamic).index);
  for (const Attribute& attribute : overriding.attributes) replaced.insert(attribute.name.id.index);
  std::erase_if(base.blocks, [&](const Block& block) { return replaced.contains(block_type(block, dynamic).index); });

  std::vector<Attribute> added;
  for (Attribute& attribute : overriding.attributes) {
    auto at = arguments.find(attribute.name.id.index);
    // In JSON a name may come several times, as several blocks.
    bool json = attribute.value.tree->json;
    if (at != arguments.end() && !json)
      base.attributes[at->second] = std::move(attribute);
    else
      added.push_back(std::move(attribute));
  }
  llvm::DenseSet<uint32_t> dropped;
  for (const Attribute& attribute : added) dropped.insert(attribute.name.id.index);
  for (const Block& block : overriding.blocks) dropped.insert(block_type(block, dynamic).index);
  std::erase_if(base.attributes, [&](const Attribute& a) { return dropped.contains(a.name.id.index); });
  base.attributes.insert(base.attributes.end(), std::make_move_iterator(added.begin()),
                         std::make_move_iterator(added.end()));
  base.blocks.insert(base.blocks.end(), std::make_move_iterator(overriding.blocks.begin()),
                     std::make_move_iterator(overriding.blocks.end()));
  base.json = base.json || overriding.json;
}

class Merge {
 public:
  Merge(Module& module, const SourceManager& sources, const Names& names, Diagnostics& diags)
      : module_(module), sources_(sources), names_(names), diags_(diags) {
    for (size_t i = 0; i < module.resources.size(); ++i) resources_.try_emplace(resource_key(module.resources[i]), i);
  }

  void apply(Declarations& overriding) {
    Module& from = overriding.module;
    apply_terraform(from);
    for (Variable& variable : from.variables) merge_variable(variable);
    for (Local& local : from.locals) merge_local(local);
    for (Output& output : from.outputs) merge_output(output);
    for (ProviderConfig& provider : from.providers) merge_provider(provider);
    for (Resource& resource : from.resources) merge_resource(resource);
    for (ModuleCall& call : from.calls) merge_call(call);
  }

 private:
  using Index = llvm::DenseMap<uint32_t, size_t>;
  using ResourceKey = std::pair<uint64_t, uint32_t>;

  static ResourceKey resource_key(const Resource& resource) {
    return {(uint64_t{resource.type.id.index} << 32) | resource.name.id.index, static_cast<uint32_t>(resource.mode)};
  }

  // The declaration of this name. The index is built with the first question.
  template <class T>
  T* find(std::vector<T>& list, Index& index, NameId name) {
    if (index.empty())
      for (size_t i = 0; i < list.size(); ++i) index.try_emplace(list[i].name.id.index, i);
    auto at = index.find(name.index);
    return at == index.end() ? nullptr : &list[at->second];
  }

  void missing_base(SourceRange range, std::string_view kind, std::string_view name) {
    diags_.emit(range, diag::OverrideWithoutBase, kind, name);
  }

  void refuse_depends_on(const std::vector<Expr>& depends_on, SourceRange range) {
    if (range.valid())
      diags_.emit(depends_on.empty() ? range : depends_on[0].range(), diag::NotOverridable, "depends_on");
  }

  void apply_terraform(Module& from) {
    if (!from.required_versions.empty()) module_.required_versions = std::move(from.required_versions);
    if (from.backend) module_.backend = std::move(from.backend);
    for (RequiredProvider& required : from.required_providers) {
      auto at = std::find_if(module_.required_providers.begin(), module_.required_providers.end(),
                             [&](const RequiredProvider& r) { return r.local_name.id == required.local_name.id; });
      if (at == module_.required_providers.end())
        module_.required_providers.push_back(std::move(required));
      else
        *at = std::move(required);
    }
  }

  void merge_variable(Variable& from) {
    Variable* base = find(module_.variables, variables_, from.name.id);
    if (base == nullptr) return missing_base(from.header, "variable", names_.text(from.name.id));
    if (from.description) base->description = std::move(from.description);
    if (from.sensitive_range.valid()) {
      base->sensitive = from.sensitive;
      base->sensitive_range = from.sensitive_range;
    }
    if (from.ephemeral_range.valid()) {
      base->ephemeral = from.ephemeral;
      base->ephemeral_range = from.ephemeral_range;
    }
    bool check = from.nullable_range.valid() || from.type_expr.valid() || from.default_value.valid();
    if (from.nullable_range.valid()) {
      base->nullable = from.nullable;
      base->nullable_range = from.nullable_range;
    }
    if (from.type_expr) {
      base->type_expr = from.type_expr;
      base->type = std::move(from.type);
    }
    if (from.default_value) base->default_value = from.default_value;
    if (check) check_variable_default(sources_, names_, *base, from.header, diags_);
  }

  void merge_local(Local& from) {
    Local* base = find(module_.locals, locals_, from.name.id);
    if (base == nullptr) return missing_base(from.range, "local value", names_.text(from.name.id));
    *base = from;
  }

  void merge_output(Output& from) {
    refuse_depends_on(from.depends_on, from.depends_on_range);
    Output* base = find(module_.outputs, outputs_, from.name.id);
    if (base == nullptr) return missing_base(from.header, "output", names_.text(from.name.id));
    if (from.value) base->value = from.value;
    if (from.description) base->description = std::move(from.description);
    if (from.sensitive_range.valid()) {
      base->sensitive = from.sensitive;
      base->sensitive_range = from.sensitive_range;
    }
    if (from.ephemeral_range.valid()) {
      base->ephemeral = from.ephemeral;
      base->ephemeral_range = from.ephemeral_range;
    }
  }

  void merge_provider(ProviderConfig& from) {
    auto base = std::find_if(module_.providers.begin(), module_.providers.end(), [&](const ProviderConfig& p) {
      return p.local_name.id == from.local_name.id && p.alias.id == from.alias.id;
    });
    if (base == module_.providers.end()) {
      // The default configuration need not be written, so an override may add it.
      if (!from.alias.valid())
        module_.providers.push_back(std::move(from));
      else
        missing_base(from.header, "provider configuration",
                     fmt::format("{}.{}", names_.text(from.local_name.id), names_.text(from.alias.id)));
      return;
    }
    base->has_version = base->has_version || from.has_version;
    merge_body(base->config, from.config, names_);
  }

  void merge_resource(Resource& from) {
    refuse_depends_on(from.depends_on, from.depends_on_range);
    auto at = resources_.find(resource_key(from));
    if (at == resources_.end()) {
      std::string name = fmt::format("{}.{}", names_.text(from.type.id), names_.text(from.name.id));
      // Terraform passes over such an ephemeral resource without a word.
      if (from.mode == ResourceMode::Ephemeral)
        diags_.emit(from.header, diag::OverrideIgnored, "ephemeral");
      else
        missing_base(from.header, from.mode == ResourceMode::Data ? "data source" : "resource", name);
      return;
    }
    Resource* base = &module_.resources[at->second];
    if (from.count || from.for_each) {
      base->count = from.count;
      base->for_each = from.for_each;
    }
    if (from.provider) base->provider = from.provider;
    merge_lifecycle(*base, from);
    if (from.connection) base->connection = std::move(from.connection);
    if (!from.provisioners.empty()) base->provisioners = std::move(from.provisioners);
    merge_body(base->config, from.config, names_);
  }

  static void merge_lifecycle(Resource& base, Resource& from) {
    if (!base.lifecycle_range.valid()) base.lifecycle_range = from.lifecycle_range;
    if (from.create_before_destroy_set) {
      base.create_before_destroy = from.create_before_destroy;
      base.create_before_destroy_set = true;
    }
    if (from.prevent_destroy_set) {
      base.prevent_destroy = from.prevent_destroy;
      base.prevent_destroy_set = true;
    }
    if (from.ignore_changes_range.valid()) {
      base.ignore_all_changes = from.ignore_all_changes;
      base.ignore_changes = std::move(from.ignore_changes);
      base.ignore_changes_range = from.ignore_changes_range;
    }
    if (from.replace_triggered_by_range.valid()) {
      base.replace_triggered_by = std::move(from.replace_triggered_by);
      base.replace_triggered_by_range = from.replace_triggered_by_range;
    }
  }

  void merge_call(ModuleCall& from) {
    refuse_depends_on(from.depends_on, from.depends_on_range);
    ModuleCall* base = find(module_.calls, calls_, from.name.id);
    if (base == nullptr) return missing_base(from.header, "module call", names_.text(from.name.id));
    if (from.source_range.valid()) {
      base->source = std::move(from.source);
      base->source_range = from.source_range;
      base->source_broken = from.source_broken;
    }
    if (!from.version.empty()) base->version = std::move(from.version);
    if (from.count || from.for_each) {
      base->count = from.count;
      base->for_each = from.for_each;
    }
    if (from.providers_range.valid()) base->providers_range = from.providers_range;
    for (auto& passed : from.providers) {
      auto at = std::find_if(base->providers.begin(), base->providers.end(), [&](const auto& p) {
        return p.first.local_name.id == passed.first.local_name.id && p.first.alias.id == passed.first.alias.id;
      });
      if (at == base->providers.end())
        base->providers.push_back(std::move(passed));
      else
        *at = std::move(passed);
    }
    merge_body(base->arguments, from.arguments, names_);
  }

  Module& module_;
  const SourceManager& sources_;
  const Names& names_;
  Diagnostics& diags_;
  Index variables_;
  Index locals_;
  Index outputs_;
  Index calls_;
  llvm::DenseMap<ResourceKey, size_t> resources_;
};

}  // namespace

void apply_override(Module& module, Declarations& overriding, const SourceManager& sources, const Names& names,
                    Diagnostics& diags) {
  Merge(module, sources, names, diags).apply(overriding);
}

}  // namespace pravo::load
