// Rules about parts of objects: what is ignored, what forces a replacement.
#include <fmt/format.h>

#include "runtime/plan/rules.h"

namespace pravo::runtime {

const Value* follow_path(const Value& value, std::span<const PathStep> path) {
  const Value* at = &value;
  for (const PathStep& step : path) {
    if (!at->is_compound()) return nullptr;
    bool keyed = at->kind() == ValueKind::Map || at->kind() == ValueKind::Object;
    if (step.kind == PathStep::Kind::Index) {
      if (keyed || at->kind() == ValueKind::Set || step.index >= at->length()) return nullptr;
      at = &at->element(step.index);
      continue;
    }
    if (!keyed) return nullptr;
    at = at->find(step.name.view());
    if (at == nullptr) return nullptr;
  }
  return at;
}

namespace {

// `config` with what is at `path` taken from `prior`. Only maps gain or lose elements by that.
Value keep_prior(const Value& prior, const Value& config, std::span<const PathStep> path) {
  if (path.empty()) return prior;
  if (!prior.is_compound() || !config.is_compound()) return config;
  const PathStep& step = path.front();
  std::span<const PathStep> rest = path.subspan(1);
  if (step.kind == PathStep::Kind::Index) {
    bool sequence = config.kind() == ValueKind::List || config.kind() == ValueKind::Tuple;
    if (!sequence || step.index >= config.length() || step.index >= prior.length() || prior.kind() == ValueKind::Set)
      return config;
    std::vector<Value> values(config.elements().begin(), config.elements().end());
    values[step.index] = keep_prior(prior.element(step.index), values[step.index], rest);
    if (config.kind() == ValueKind::Tuple) return Value::tuple(std::move(values));
    Type element = config.type().element();
    if (!(values[step.index].type() == element)) return config;
    return Value::list(element, std::move(values));
  }
  bool keyed = config.kind() == ValueKind::Map || config.kind() == ValueKind::Object;
  if (!keyed || (prior.kind() != ValueKind::Map && prior.kind() != ValueKind::Object)) return config;
  const Value* p = prior.find(step.name.view());
  const Value* c = config.find(step.name.view());
  bool map = config.kind() == ValueKind::Map;
  if (p == nullptr && c == nullptr) return config;
  if (p == nullptr || c == nullptr) {
    if (!map || !rest.empty()) return config;
    // An element that was added or removed against the will of the configuration stays so.
    std::vector<std::pair<Str, Value>> entries;
    for (size_t i = 0; i < config.length(); ++i)
      if (!(config.key(i) == step.name)) entries.emplace_back(config.key(i), config.element(i));
    if (p != nullptr) {
      if (!(p->type() == config.type().element())) return config;
      entries.emplace_back(step.name, *p);
    }
    return Value::map(config.type().element(), std::move(entries));
  }
  std::vector<Value> values(config.elements().begin(), config.elements().end());
  size_t at = config.keys().find(step.name.view());
  values[at] = keep_prior(*p, *c, rest);
  if (!map) return Value::object(config.keys(), std::move(values));
  if (!(values[at].type() == config.type().element())) return config;
  return Value::map(config.type().element(), config.keys(), std::move(values));
}

// The schema's attribute that a path ends at or passes through, as far as it names attributes.
bool passes_write_only(const SchemaBlock& schema, std::span<const PathStep> path) {
  const SchemaBlock* block = &schema;
  for (const PathStep& step : path) {
    if (step.kind != PathStep::Kind::Attribute || block == nullptr) continue;
    const SchemaAttribute* attribute = block->attribute(step.name.view());
    if (attribute != nullptr) {
      if (attribute->write_only) return true;
      block = attribute->nested == nullptr ? nullptr : &attribute->nested->block;
      continue;
    }
    const SchemaNestedBlock* nested = block->block(step.name.view());
    block = nested == nullptr ? nullptr : &nested->block;
  }
  return false;
}

}  // namespace

Value ignore_changes(const Value& prior, const Value& config, std::span<const Path> paths) {
  if (prior.is_null() || config.is_null()) return config;
  Value out = config;
  for (const Path& path : paths) out = keep_prior(prior, out, path);
  return out;
}

Value ignore_all_changes(const SchemaBlock& schema, const Value& prior) {
  if (!prior.is_compound()) return prior;
  std::vector<Value> values(prior.elements().begin(), prior.elements().end());
  for (size_t i = 0; i < schema.members.size(); ++i) {
    if (schema.members[i] < 0) continue;
    const SchemaAttribute& attribute = schema.attributes[static_cast<size_t>(schema.members[i])];
    if (attribute.computed_only()) values[i] = Value::null(attribute.type);
  }
  return Value::object(schema.keys, std::move(values));
}

std::vector<Path> effective_replace_paths(const SchemaBlock& schema, std::span<const Path> requires_replace,
                                          const Value& prior, const Value& planned, std::vector<std::string>& faults) {
  std::vector<Path> out;
  if (prior.is_null()) return out;
  for (const Path& path : requires_replace) {
    if (passes_write_only(schema, path)) {
      out.push_back(path);
      continue;
    }
    const Value* before = follow_path(prior, path);
    const Value* after = follow_path(planned, path);
    if (before == nullptr && after == nullptr) {
      faults.push_back(
          fmt::format("`{}` is said to force a replacement, but the object has no such part", path_to_string(path)));
      continue;
    }
    bool same = before != nullptr && after != nullptr && before->is_wholly_known() && after->is_wholly_known() &&
                before->equals_raw(*after);
    if (!same) out.push_back(path);
  }
  return out;
}

}  // namespace pravo::runtime
