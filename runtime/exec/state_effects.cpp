#include "runtime/exec/state_effects.h"

#include "ir/diagnostics/runtime.h"
#include "ir/operators.h"
#include "runtime/diagnose.h"
#include "runtime/exec/provider_functions.h"
#include "runtime/plan/operations.h"

namespace pravo::runtime {

namespace {
// A state that names a higher one is damaged.
constexpr uint64_t kMaxIndex = 10'000'000;
}  // namespace

const StateResource* StateEffects::recorded(const ModuleInstance& module, const ResourceInfo& info) const {
  ResourceAddress address;
  address.module = module.path;
  address.mode = info.mode;
  address.type = program_.text(info.type);
  address.name = program_.text(info.name);
  return state_.find(address);
}

// The value with every mark that the state or the schema gives it. Without a schema nobody knows what is sensitive, so
// such an object is not shown at all.
Value StateEffects::decode(const StateResource& resource, const StateInstance& instance, const ResourceInfo& info) {
  if (!instance.current) return Value::unknown();
  InstanceAddress address{resource.address, instance.key};
  auto give_up = [&](Diagnostic diagnostic) {
    diagnostic.address = address.to_string();
    failures_.push_back(std::move(diagnostic));
    return Value::unknown();
  };
  std::optional<ProviderConfigAddress> config = ProviderConfigAddress::parse(resource.provider);
  std::string provider_address = config ? config->provider : resource.provider;
  provider::Provider* provider = providers_.unconfigured(provider_address);
  const ProviderSchema* schemas = providers_.schema(provider_address);
  const Schema* schema = nullptr;
  if (provider != nullptr && schemas != nullptr) {
    const auto& table = info.mode == ResourceMode::Data ? schemas->data_sources : schemas->resources;
    auto found = table.find(resource.address.type);
    if (found != table.end()) schema = &found->second;
  }
  if (schema == nullptr) return give_up(make_diagnostic(info.range, {}, diag::ProviderMissing, provider_address));

  const InstanceObject& object = *instance.current;
  if (object.value || object.schema_version == schema->version) {
    Result<Value> value = decode_object(object, schema->block);
    if (value.ok()) return std::move(*value);
  }
  RefreshInput input;
  input.type = resource.address.type;
  input.schema = schema;
  input.recorded = &object;
  input.refresh = false;
  RefreshOutput output = refresh_object(*provider, input);
  // What a provider says of an object it cannot upgrade may quote it.
  if (output.failed)
    return give_up(make_diagnostic(info.range, {}, diag::ProviderError,
                                   "the recorded object cannot be read with this version of its provider",
                                   "plan with a version of the provider that knows it"));
  InstanceObject upgraded = object;
  upgraded.value = output.recorded.mark_with_paths(object.sensitive);
  upgraded.attributes_json.clear();
  Result<Value> value = decode_object(upgraded, schema->block);
  return value.ok() ? std::move(*value) : Value::unknown();
}

EffectResult StateEffects::instance(ModuleInstance& module, uint32_t resource, uint32_t row) {
  const ResourceInfo& info = module.body().resources[resource];
  EffectResult result;
  result.state = EffectResult::State::Ready;
  if (info.mode == ResourceMode::Ephemeral) {
    result.value = Value::unknown().with_marks(MarkSet::Ephemeral);
    return result;
  }
  InstanceKey key = InstanceKey::none();
  if (info.expand.valid()) key = module.domains[module.layout->domain_of_expand(info.expand)].domain.key(row);
  const StateResource* found = recorded(module, info);
  const StateInstance* instance = found == nullptr ? nullptr : found->find(key);
  result.value = instance == nullptr ? Value::unknown() : decode(*found, *instance, info);
  return result;
}

EffectResult StateEffects::all_instances(ModuleInstance&, uint32_t) {
  EffectResult result;
  result.state = EffectResult::State::Ready;
  return result;
}

std::optional<Value> StateEffects::collection(ModuleInstance& module, uint32_t resource) {
  auto [found, added] = collections_.try_emplace({module.index, resource});
  if (!added) return found->second;
  const ResourceInfo& info = module.body().resources[resource];
  Value& out = found->second;
  out = Value::unknown();
  if (info.mode == ResourceMode::Ephemeral) {
    out = out.with_marks(MarkSet::Ephemeral);
    return out;
  }
  const StateResource* known = recorded(module, info);
  if (known == nullptr) return out;
  const bool counted = module.body().inst(info.expand).kind == OpKind::ExpandCount;
  std::vector<Value> elements;
  std::vector<std::pair<Str, Value>> entries;
  for (const StateInstance& instance : known->instances) {
    if (counted && instance.key.kind == InstanceKey::Kind::Number) {
      if (instance.key.number > kMaxIndex) return out;
      // Of an instance that is missing in between nothing is known.
      elements.resize(instance.key.number, Value::unknown());
      elements.push_back(decode(*known, instance, info));
    } else if (!counted && instance.key.kind == InstanceKey::Kind::String) {
      entries.emplace_back(instance.key.text, decode(*known, instance, info));
    }
  }
  if (counted) {
    Result<Value> tuple = make_tuple(std::move(elements));
    if (tuple.ok()) out = std::move(*tuple);
  } else {
    out = Value::object(std::move(entries));
  }
  return out;
}

Result<Value> StateEffects::call_provider_function(std::string_view name, std::span<const Value> arguments) {
  return runtime::call_provider_function(providers_, name, arguments);
}

}  // namespace pravo::runtime
