// Reserves every named value of a module before any expression is looked at, so that a reference is a lookup,
// whatever the order of declarations and however long a chain of them is.
#include "frontend/lower/body.h"

#include <algorithm>

namespace pravo::lower {

void BodyLowering::reserve_nodes() {
  reserve_variables();
  reserve_locals();
  reserve_providers();
  reserve_resources();
  reserve_calls();
  reserve_outputs();
  reserve_checks();
  nodes_end_ = static_cast<uint32_t>(body_.insts.size());
}

namespace {

MarkSet declared_marks(bool sensitive, bool ephemeral) {
  MarkSet marks = MarkSet::None;
  if (sensitive) marks |= MarkSet::Sensitive;
  if (ephemeral) marks |= MarkSet::Ephemeral;
  return marks;
}

OpKind op_of(load::ResourceMode mode) {
  switch (mode) {
    case load::ResourceMode::Managed:
      return OpKind::Resource;
    case load::ResourceMode::Data:
      return OpKind::Data;
    case load::ResourceMode::Ephemeral:
      return OpKind::Ephemeral;
  }
  PRAVOC_UNREACHABLE();
}

ResourceMode mode_of(load::ResourceMode mode) {
  switch (mode) {
    case load::ResourceMode::Managed:
      return ResourceMode::Managed;
    case load::ResourceMode::Data:
      return ResourceMode::Data;
    case load::ResourceMode::Ephemeral:
      return ResourceMode::Ephemeral;
  }
  PRAVOC_UNREACHABLE();
}

// The kinds of resources that a provider has for a mode.
const std::map<std::string, Schema, std::less<>>& schemas_of(const ProviderSchema& provider, load::ResourceMode mode) {
  switch (mode) {
    case load::ResourceMode::Managed:
      return provider.resources;
    case load::ResourceMode::Data:
      return provider.data_sources;
    case load::ResourceMode::Ephemeral:
      return provider.ephemeral_resources;
  }
  PRAVOC_UNREACHABLE();
}

}  // namespace

void BodyLowering::reserve_variables() {
  body_.variables.reserve(module_.variables.size());
  for (const load::Variable& variable : module_.variables) {
    VariableInfo info;
    info.name = variable.name.id;
    info.type = variable.type;
    info.range = variable.header;
    // Declared types are the author's own and checked for size where they are spelled, so they stay whole.
    TypeId type = builder_.type(variable.type.type.without_optional());
    info.inst = reserve(OpKind::Variable, type, variable.header, info.name.index);
    Inst& inst = body_.inst(info.inst);
    inst.marks = declared_marks(variable.sensitive, variable.ephemeral);
    if (!variable.nullable) inst.flags |= kNotNullable;
    builder_.hint(info.inst, info.name);
    body_.variables.push_back(std::move(info));
  }
}

void BodyLowering::reserve_locals() {
  locals_.reserve(module_.locals.size());
  for (const load::Local& local : module_.locals) {
    locals_.push_back(reserve(OpKind::Local, types_.any, local.name.range, local.name.id.index));
    builder_.hint(locals_.back(), local.name.id);
  }
}

void BodyLowering::reserve_providers() {
  for (const load::ProviderConfig& provider : module_.providers) {
    ProviderInfo info;
    info.local_name = provider.local_name.id;
    info.alias = provider.alias.id;
    info.address = provider_address(info.local_name);
    info.inst = reserve(OpKind::Provider, types_.any, provider.header, info.local_name.index);
    body_.providers.push_back(std::move(info));
  }
}

const std::string& BodyLowering::provider_address(NameId local_name) {
  auto [it, inserted] = provider_address_ids_.try_emplace(local_name.index, provider_addresses_.size());
  if (inserted) provider_addresses_.push_back(module_.provider_address(text(local_name), shared_.names));
  return provider_addresses_[it->second];
}

const BodyLowering::ResourceType& BodyLowering::resource_type(const load::Resource& resource) {
  NameId provider;
  if (resource.provider) provider = resource.provider->local_name.id;
  // Types of a mode are few, and a provider argument is rare: one entry for each type without, one for each
  // combination with.
  uint64_t key = uint64_t{resource.type.id.index} << 32 | (static_cast<uint64_t>(resource.mode) << 30) |
                 (provider.valid() ? provider.index + 1 : 0);
  auto [it, inserted] = resource_type_ids_.try_emplace(key, resource_types_.size());
  if (!inserted) return resource_types_[it->second];

  ResourceType type;
  std::string_view type_name = text(resource.type.id);
  // Without a `provider` argument, the type's first word is the provider's local name.
  type.provider = provider.valid() ? provider : name(type_name.substr(0, type_name.find('_')));
  type.address = provider_address(type.provider);
  type.result = types_.any;
  if (const ProviderSchema* known = shared_.provider_schema(type.address)) {
    const auto& schemas = schemas_of(*known, resource.mode);
    auto found = schemas.find(type_name);
    if (found != schemas.end()) {
      type.schema = &found->second;
      type.result = types_.intern(type.schema->block.type);
    } else {
      type.unknown_type = true;
    }
  }
  resource_types_.push_back(std::move(type));
  return resource_types_.back();
}

void BodyLowering::reserve_resources() {
  body_.resources.reserve(module_.resources.size());
  for (uint32_t i = 0; i < module_.resources.size(); ++i) {
    const load::Resource& resource = module_.resources[i];
    const ResourceType& type = resource_type(resource);
    ResourceInfo info;
    info.mode = mode_of(resource.mode);
    info.type = resource.type.id;
    info.name = resource.name.id;
    info.range = resource.header;
    info.provider_address = type.address;
    info.provider_local_name = type.provider;
    if (resource.provider) info.provider_alias = resource.provider->alias.id;
    info.in_check = declarations_.check_of(i).has_value();
    if (resource.count)
      info.expand = reserve(OpKind::ExpandCount, types_.any, resource.count.range());
    else if (resource.for_each)
      info.expand = reserve(OpKind::ExpandForEach, types_.any, resource.for_each.range());
    TypeId result = type.result;
    InstId expand = info.expand;
    body_.resources.push_back(std::move(info));
    InstId inst = reserve(op_of(resource.mode), result, resource.header, i);
    body_.resources[i].inst = inst;
    builder_.hint(inst, resource.name.id);
    if (!expand.valid()) continue;
    InstId collect = reserve(OpKind::Collect, types_.any, resource.header);
    const InstId one[] = {inst};
    builder_.set_operands(collect, one);
    body_.resources[i].collect = collect;
    set_element_hint(collect, result);
  }
}

void BodyLowering::reserve_calls() {
  call_instances_.reserve(module_.calls.size());
  body_.calls.reserve(module_.calls.size());
  llvm::SmallVector<NameId, 16> names;
  llvm::SmallVector<InstId, 16> outs;
  llvm::SmallVector<TypeId, 16> types;
  for (uint32_t i = 0; i < module_.calls.size(); ++i) {
    const load::ModuleCall& call = module_.calls[i];
    body_.calls.emplace_back();
    ModuleCallInfo info;
    info.name = call.name.id;
    info.range = call.header;
    if (call.status == load::ModuleStatus::Loaded) info.target = ModuleId(call.target);
    if (call.count)
      info.expand = reserve(OpKind::ExpandCount, types_.any, call.count.range());
    else if (call.for_each)
      info.expand = reserve(OpKind::ExpandForEach, types_.any, call.for_each.range());
    body_.calls[i].expand = info.expand;  // the instance's domain comes from here
    info.inst = reserve(OpKind::ModuleInstance, types_.any, call.header, i);
    builder_.hint(info.inst, call.name.id);
    if (!info.target.valid()) {
      // Nothing is known of its outputs, so nothing is wrong with any.
      info.object = reserve(OpKind::Unknown, types_.any, call.header);
      call_instances_.push_back(info.object);
      body_.calls[i] = std::move(info);
      continue;
    }
    names.clear();
    outs.clear();
    types.clear();
    const InstId instance[] = {info.inst};
    builder_.set_range(call.header);
    for (const OutputInfo& output : shared_.program.body(info.target).outputs) {
      TypeId type = shared_.program.body(info.target).inst(output.inst).type;
      InstId out = builder_.add(OpKind::ModuleOut, type, instance, output.name.index);
      names.push_back(output.name);
      outs.push_back(out);
      types.push_back(type);
      info.outs.emplace_back(output.name, out);
    }
    std::sort(info.outs.begin(), info.outs.end());
    InstId object = builder_.object(types_.object(names, types), names, outs);
    // One without outputs would not know what it is repeated over.
    if (names.empty()) body_.inst(object).domain = info.expand;
    call_instances_.push_back(object);
    info.object = object;
    if (info.expand.valid()) {
      const InstId one[] = {object};
      info.object = builder_.add(OpKind::Collect, types_.any, one);
      set_element_hint(info.object, body_.inst(object).type);
    }
    body_.calls[i] = std::move(info);
  }
}

void BodyLowering::reserve_outputs() {
  body_.outputs.reserve(module_.outputs.size());
  for (const load::Output& output : module_.outputs) {
    OutputInfo info;
    info.name = output.name.id;
    info.range = output.header;
    info.inst = reserve(OpKind::Output, types_.any, output.header, info.name.index);
    body_.inst(info.inst).marks = declared_marks(output.sensitive, output.ephemeral);
    body_.outputs.push_back(std::move(info));
  }
}

void BodyLowering::reserve_checks() {
  for (const load::Check& check : module_.checks) {
    CheckInfo info;
    info.name = check.name.id;
    info.range = check.header;
    info.inst = reserve(OpKind::Check, types_.any, check.header, info.name.index);
    body_.checks.push_back(std::move(info));
  }
}

}  // namespace pravo::lower
