// Provider configurations, resources of all modes, provisioners.
#include "frontend/lower/body.h"

#include "frontend/load/static_expr.h"
#include "ir/builtin_schemas.h"
#include "ir/diagnostics/lower.h"
#include "ir/unicode.h"

namespace pravo::lower {

std::string_view mode_text(load::ResourceMode mode) {
  switch (mode) {
    case load::ResourceMode::Managed:
      return "resource";
    case load::ResourceMode::Data:
      return "data source";
    case load::ResourceMode::Ephemeral:
      return "ephemeral resource";
  }
  PRAVOC_UNREACHABLE();
}

void BodyLowering::lower_providers() {
  Context context;
  for (uint32_t i = 0; i < module_.providers.size(); ++i) {
    const load::ProviderConfig& provider = module_.providers[i];
    InstId inst = body_.providers[i].inst;
    // The built-in provider takes whatever is written, as it always did.
    const ProviderSchema* known = shared_.provider_schema(body_.providers[i].address);
    const SchemaBlock* schema =
        known == nullptr || body_.providers[i].address == kBuiltinProvider ? nullptr : &known->provider;
    Ref config = lower_body(provider.config, schema, {"provider", provider.local_name.id}, context, inst);
    set_operands(inst, {config});
  }
}

void BodyLowering::lower_resources() {
  // What `each` is must be known before the bodies that use it.
  for (uint32_t i = 0; i < module_.resources.size(); ++i) {
    const load::Resource& resource = module_.resources[i];
    Context context;
    context.kind = Context::Kind::Repetition;
    context.resource = i;
    lower_expansion(body_.resources[i].expand, resource.count, resource.for_each, context);
  }
  for (uint32_t i = 0; i < module_.resources.size(); ++i) lower_resource(i);
}

Context BodyLowering::resource_context(uint32_t index) const {
  Context context;
  context.kind = Context::Kind::Block;
  context.resource = index;
  const ResourceInfo& info = body_.resources[index];
  if (info.expand.valid())
    (body_.inst(info.expand).kind == OpKind::ExpandCount ? context.count : context.each) = info.expand;
  return context;
}

void BodyLowering::lower_expansion(InstId expand, load::Expr count, load::Expr for_each, const Context& context,
                                   bool lists) {
  if (!expand.valid()) return;
  const bool counted = body_.inst(expand).kind == OpKind::ExpandCount;
  Ref value = lower(counted ? count : for_each, context);
  set_operands(expand, {value});
  const Context* outer = std::exchange(context_, &context);
  if (counted) {
    want(value, types_.number, "`count`");
  } else {
    TypeId type = type_of(value);
    Types::Step step{types_.string, types_.any};
    bool fits = true;
    switch (types_.get(type).kind()) {
      case TypeKind::Dynamic:
        step.value = element_hint(value.id);
        break;
      case TypeKind::Map:
      case TypeKind::Object:
        step.value = types_.element(type);
        break;
      case TypeKind::Set: {
        const Type element = types_.get(type).element();
        step.value = types_.string;
        fits = element.is_dynamic() || element == Type::string();
        break;
      }
      case TypeKind::Bool:
      case TypeKind::Number:
      case TypeKind::String:
      case TypeKind::List:
      case TypeKind::Tuple:
        fits = lists;
        step = {types_.number, types_.element(type)};
        break;
    }
    if (!fits && reports_types(value)) {
      const TypeKind kind = types_.get(type).kind();
      auto builder = report(value.range, diag::ForEachType, types_.get(type).friendly_name());
      if (kind == TypeKind::List || kind == TypeKind::Tuple) builder.help("`toset()` makes a set of a list of strings");
    }
    domains_[expand.index] = step;
  }
  context_ = outer;
}

void BodyLowering::lower_resource(uint32_t index) {
  const load::Resource& resource = module_.resources[index];
  const ResourceType& type = resource_type(resource);
  const SchemaBlock* schema = type.schema == nullptr ? nullptr : &type.schema->block;
  Context context = resource_context(index);
  InstId inst = body_.resources[index].inst;
  if (type.unknown_type) {
    const ProviderSchema* provider = shared_.provider_schema(type.address);
    std::vector<std::string_view> names;
    auto collect = [&](const auto& schemas) {
      for (const auto& [name, unused] : schemas) names.push_back(name);
    };
    switch (resource.mode) {
      case load::ResourceMode::Managed:
        collect(provider->resources);
        break;
      case load::ResourceMode::Data:
        collect(provider->data_sources);
        break;
      case load::ResourceMode::Ephemeral:
        collect(provider->ephemeral_resources);
        break;
    }
    report(resource.type.range, diag::UnknownResourceType, type.address, mode_text(resource.mode),
           text(resource.type.id))
        .help(suggestion(text(resource.type.id), names, ""));
  }

  Ref operands[2];
  operands[0] = lower_body(resource.config, schema, {mode_text(resource.mode), resource.type.id, true}, context, inst);
  InstId provider = provider_of(index);
  if (provider.valid()) {
    operands[1] = {provider, body_.range(provider)};
    body_.inst(inst).flags |= kHasProvider;
  }
  set_operands(inst, std::span<const Ref>(operands, provider.valid() ? 2 : 1));

  // Its own data is what a check block looks at, so the data itself cannot.
  body_.resources[index].after = lower_depends_on(resource.depends_on, context);
  lower_lifecycle(index);
  lower_provisioners(index);
}

// The provider configuration of a resource, where it is one of this module: a block, or in the root module the
// empty one that is implied. A child module without a block of its own uses what its caller passes, by name.
InstId BodyLowering::provider_of(uint32_t index) {
  const load::Resource& resource = module_.resources[index];
  NameId local_name = body_.resources[index].provider_local_name;
  NameId alias = body_.resources[index].provider_alias;
  if (auto provider = declarations_.provider(local_name, alias)) return body_.providers[*provider].inst;
  // One that is passed in, or missing, which was reported.
  if (module_index_ != 0 || alias.valid()) return InstId();
  auto [it, inserted] = implied_providers_.try_emplace(local_name.index, InstId());
  if (!inserted) return it->second;
  ProviderInfo info;
  info.local_name = local_name;
  info.address = provider_address(local_name);
  Ref empty = object_of({}, {}, resource.header);
  info.inst = add(OpKind::Provider, types_.any, {empty}, resource.header, local_name.index);
  body_.providers.push_back(info);
  implied_providers_[local_name.index] = info.inst;
  return info.inst;
}

std::vector<InstId> BodyLowering::lower_depends_on(const std::vector<load::Expr>& exprs, const Context& context) {
  std::vector<InstId> after;
  for (const load::Expr& expr : exprs) {
    InstId target = node_of(expr, context);
    if (target.valid()) after.push_back(target);
  }
  return after;
}

void BodyLowering::lower_lifecycle(uint32_t index) {
  const load::Resource& resource = module_.resources[index];
  InstId inst = body_.resources[index].inst;
  Context context = resource_context(index);
  std::vector<InstId> conditions;
  for (const load::CheckRule& rule : resource.preconditions)
    conditions.push_back(lower_condition(rule, ConditionKind::Precondition, inst, context));
  for (const load::CheckRule& rule : resource.postconditions) {
    Context with_self = context;
    with_self.self = inst;
    conditions.push_back(lower_condition(rule, ConditionKind::Postcondition, inst, with_self));
  }
  std::vector<InstId> triggers;
  for (const load::Expr& expr : resource.replace_triggered_by) {
    Ref value = lower(expr, context);
    InstId use = add(OpKind::Use, types_.any, {value}, value.range, inst.index);
    body_.inst(use).flags = static_cast<uint16_t>(UseKind::ReplaceTrigger);
    triggers.push_back(use);
  }
  std::vector<Path> ignored = lower_ignore_changes(resource);

  ResourceInfo& info = body_.resources[index];
  info.conditions = std::move(conditions);
  info.replace_triggered_by = std::move(triggers);
  info.ignore_changes = std::move(ignored);
  info.create_before_destroy = resource.create_before_destroy;
  info.prevent_destroy = resource.prevent_destroy;
  info.ignore_all_changes = resource.ignore_all_changes;
  if (info.create_before_destroy || info.prevent_destroy || info.ignore_all_changes || !info.ignore_changes.empty() ||
      !info.replace_triggered_by.empty())
    info.lifecycle_range = resource.lifecycle_range;
}

std::vector<Path> BodyLowering::lower_ignore_changes(const load::Resource& resource) {
  std::vector<Path> paths;
  const ResourceType& type = resource_type(resource);
  for (const load::Expr& expr : resource.ignore_changes) {
    auto reference = load::as_reference(shared_.sources, expr);
    if (!reference) continue;
    if (type.schema != nullptr) {
      const SchemaBlock& schema = type.schema->block;
      if (schema.attribute(reference->root) == nullptr && schema.block(reference->root) == nullptr) {
        std::vector<std::string_view> names;
        for (const SchemaAttribute& attribute : schema.attributes) names.push_back(attribute.name);
        for (const SchemaNestedBlock& nested : schema.blocks) names.push_back(nested.name);
        report(reference->root_range, diag::NoSuchAttribute, reference->root)
            .help(suggestion(reference->root, names, ""));
        continue;
      }
    }
    Path path;
    path.push_back(PathStep::attribute(normalized(reference->root)));
    for (const load::ReferenceStep& step : reference->steps) {
      switch (step.kind) {
        case load::ReferenceStep::Kind::Attribute:
          path.push_back(PathStep::attribute(Str(step.text)));
          break;
        case load::ReferenceStep::Kind::StringKey:
          path.push_back(PathStep::key(Str(step.text)));
          break;
        case load::ReferenceStep::Kind::NumberKey: {
          auto number = Number::parse(step.text);
          auto position = number ? number->to_int64() : std::nullopt;
          path.push_back(PathStep::at(position && *position >= 0 ? static_cast<uint64_t>(*position) : 0));
          break;
        }
        case load::ReferenceStep::Kind::OtherKey:
        case load::ReferenceStep::Kind::Computed:
          break;
      }
    }
    paths.push_back(std::move(path));
  }
  return paths;
}

void BodyLowering::lower_provisioners(uint32_t index) {
  const load::Resource& resource = module_.resources[index];
  InstId inst = body_.resources[index].inst;
  auto use = [&](Ref config, UseKind kind) {
    InstId id = add(OpKind::Use, types_.any, {config}, config.range, inst.index);
    body_.inst(id).flags = static_cast<uint16_t>(kind);
  };
  Context context = resource_context(index);
  context.self = inst;
  InstId connection;
  if (resource.connection) {
    // Without a provisioner nobody connects, and it may lack what a provisioner would need.
    const SchemaBlock* schema = resource.provisioners.empty() ? nullptr : &connection_schema();
    Ref config = lower_body(*resource.connection, schema, {"a connection", NameId()}, context, inst);
    use(config, UseKind::Connection);
    connection = config.id;
  }
  for (const load::Provisioner& provisioner : resource.provisioners) {
    ProvisionerInfo info;
    info.type = provisioner.type.id;
    info.on_destroy = provisioner.on_destroy;
    info.continue_on_failure = provisioner.continue_on_failure;
    info.range = provisioner.header;
    info.connection = connection;
    context.kind = provisioner.on_destroy ? Context::Kind::Destroy : Context::Kind::Block;
    Ref config = lower_body(provisioner.config, find_provisioner_schema(text(provisioner.type.id)),
                            {"provisioner", provisioner.type.id}, context, inst);
    use(config, UseKind::Provisioner);
    info.config = config.id;
    check_provisioner(provisioner);
    if (provisioner.connection) {
      Ref own = lower_body(*provisioner.connection, &connection_schema(), {"a connection", NameId()}, context, inst);
      use(own, UseKind::Connection);
      info.connection = own.id;
    }
    body_.resources[index].provisioners.push_back(std::move(info));
    unsupported(provisioner.header, fmt::format("provisioner `{}`", text(provisioner.type.id)));
  }
}

// What a schema cannot say: of these arguments there is exactly one.
void BodyLowering::check_provisioner(const load::Provisioner& provisioner) {
  std::vector<std::string_view> alternatives;
  std::string_view type = text(provisioner.type.id);
  if (type == "file")
    alternatives = {"content", "source"};
  else if (type == "remote-exec")
    alternatives = {"inline", "script", "scripts"};
  if (alternatives.empty()) return;
  size_t given = 0;
  for (const load::Attribute& attribute : provisioner.config.attributes)
    for (std::string_view name : alternatives) given += text(attribute.name.id) == name ? 1 : 0;
  if (given == 1) return;
  std::string list;
  for (std::string_view name : alternatives) {
    if (!list.empty()) list += name == alternatives.back() ? " and " : ", ";
    list += fmt::format("`{}`", name);
  }
  report(provisioner.header, diag::OneArgumentOf, fmt::format("provisioner `{}`", type), list, given);
}

}  // namespace pravo::lower
