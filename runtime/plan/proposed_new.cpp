#include <algorithm>

#include "runtime/plan/rules.h"

namespace pravo::runtime {

namespace {

Value proposed_attribute(const SchemaAttribute& attribute, const Value& prior, const Value& config);

// A sequence of a list or tuple: `like` says which.
Value sequence(const Value& like, const Type& element, std::vector<Value> values) {
  return like.kind() == ValueKind::Tuple ? Value::tuple(std::move(values)) : Value::list(element, std::move(values));
}

// Whether some attribute inside was set by configuration: not null, and nothing a provider computes.
bool holds_configured(const SchemaBlock& inside, NestingMode nesting, const Value& value) {
  if (value.is_null() || value.is_unknown()) return false;
  if (nesting == NestingMode::List || nesting == NestingMode::Set || nesting == NestingMode::Map)
    return std::any_of(value.elements().begin(), value.elements().end(),
                       [&](const Value& element) { return holds_configured(inside, NestingMode::Single, element); });
  for (size_t i = 0; i < inside.attributes.size(); ++i) {
    const SchemaAttribute& attribute = inside.attributes[i];
    const Value* part = value.find(attribute.name);
    if (part == nullptr || part->is_null()) continue;
    if (attribute.nested != nullptr) {
      if (holds_configured(attribute.nested->block, attribute.nested->nesting, *part)) return true;
    } else if (!attribute.computed) {
      return true;
    }
  }
  return false;
}

// Whether the prior object may be what this configuration became: wherever they differ, the provider computed.
bool could_come_from(const SchemaBlock& schema, const Value& prior, const Value& config) {
  if (config.is_unknown() || prior.equals_raw(config)) return true;
  if (prior.is_null() || config.is_null() || prior.is_unknown()) return false;
  for (const SchemaAttribute& attribute : schema.attributes) {
    const Value& p = *prior.find(attribute.name);
    const Value& c = *config.find(attribute.name);
    if (p.equals_raw(c)) continue;
    if (attribute.computed && c.is_null()) continue;
    if (attribute.nested == nullptr) return false;
    if (p.is_null() || c.is_null() || !p.is_compound() || !c.is_compound()) return false;
    const SchemaBlock& inside = attribute.nested->block;
    switch (attribute.nested->nesting) {
      case NestingMode::Single:
      case NestingMode::Group:
        if (!could_come_from(inside, p, c)) return false;
        break;
      case NestingMode::List:
      case NestingMode::Map:
        if (p.length() != c.length() || (p.keys() != c.keys() && attribute.nested->nesting == NestingMode::Map))
          return false;
        for (size_t i = 0; i < p.length(); ++i)
          if (!could_come_from(inside, p.element(i), c.element(i))) return false;
        break;
      case NestingMode::Set:
        return false;
    }
  }
  for (const SchemaNestedBlock& nested : schema.blocks) {
    const Value& p = *prior.find(nested.name);
    const Value& c = *config.find(nested.name);
    if (p.equals_raw(c)) continue;
    if (p.is_null() || c.is_null() || !p.is_compound() || !c.is_compound()) return false;
    bool single = nested.nesting == NestingMode::Single || nested.nesting == NestingMode::Group;
    if (nested.nesting == NestingMode::Set) return false;
    if (single) {
      if (!could_come_from(nested.block, p, c)) return false;
      continue;
    }
    if (p.length() != c.length()) return false;
    for (size_t i = 0; i < p.length(); ++i)
      if (!could_come_from(nested.block, p.element(i), c.element(i))) return false;
  }
  return true;
}

Value proposed_element(const SchemaBlock& inside, const Value& prior, const Value& config) {
  if (config.is_null()) return config;
  return proposed_new(inside, prior, config);
}

// The value of nested blocks, or of an attribute with nested attributes.
Value proposed_nested(NestingMode nesting, const SchemaBlock& inside, const Value& prior, const Value& config) {
  if (config.is_unknown()) return config;
  if (nesting == NestingMode::Group) return proposed_new(inside, prior, config);
  if (config.is_null()) return config;
  bool has_prior = prior.is_compound();
  Value absent = prior.is_unknown() ? Value::unknown(inside.type) : Value::null(inside.type);
  std::vector<Value> out;
  switch (nesting) {
    case NestingMode::Single:
    case NestingMode::Group:
      return proposed_new(inside, prior, config);
    case NestingMode::List:
      out.reserve(config.length());
      for (size_t i = 0; i < config.length(); ++i) {
        const Value& c = config.element(i);
        if (has_prior && i < prior.length())
          out.push_back(proposed_element(inside, prior.element(i), c));
        else
          out.push_back(prior.is_unknown() ? proposed_element(inside, absent, c) : c);
      }
      return sequence(config, inside.type, std::move(out));
    case NestingMode::Map:
      out.reserve(config.length());
      for (size_t i = 0; i < config.length(); ++i) {
        const Value* p = has_prior ? prior.find(config.key(i).view()) : nullptr;
        out.push_back(proposed_element(inside, p == nullptr ? absent : *p, config.element(i)));
      }
      return config.kind() == ValueKind::Map ? Value::map(inside.type, config.keys(), std::move(out))
                                             : Value::object(config.keys(), std::move(out));
    case NestingMode::Set: {
      std::vector<bool> used(has_prior ? prior.length() : 0, false);
      out.reserve(config.length());
      for (const Value& c : config.elements()) {
        const Value* match = nullptr;
        for (size_t i = 0; i < used.size() && match == nullptr; ++i) {
          if (used[i] || !could_come_from(inside, prior.element(i), c)) continue;
          used[i] = true;
          match = &prior.element(i);
        }
        out.push_back(proposed_element(inside, match == nullptr ? absent : *match, c));
      }
      return Value::set(inside.type, std::move(out));
    }
  }
  PRAVOC_UNREACHABLE();
}

Value proposed_attribute(const SchemaAttribute& attribute, const Value& prior, const Value& config) {
  if (attribute.computed && config.is_null()) {
    // An optional attribute that configuration set before and sets no longer is not kept.
    if (attribute.optional && attribute.nested != nullptr &&
        holds_configured(attribute.nested->block, attribute.nested->nesting, prior))
      return config;
    return prior;
  }
  if (attribute.nested != nullptr)
    return proposed_nested(attribute.nested->nesting, attribute.nested->block, prior, config);
  return config;
}

}  // namespace

Value proposed_new(const SchemaBlock& schema, const Value& prior_object, const Value& config) {
  if (prior_object.is_null() && config.is_null()) return prior_object;
  if (config.is_null() || config.is_unknown()) return prior_object;
  bool unknown = prior_object.is_unknown();
  Value prior = prior_object.is_null() ? empty_block(schema) : prior_object;
  std::vector<Value> values;
  values.reserve(schema.members.size());
  for (size_t i = 0; i < schema.members.size(); ++i) {
    const Value& c = config.element(i);
    if (schema.members[i] >= 0) {
      const SchemaAttribute& attribute = schema.attributes[static_cast<size_t>(schema.members[i])];
      values.push_back(proposed_attribute(attribute, unknown ? Value::unknown(attribute.type) : prior.element(i), c));
    } else {
      const SchemaNestedBlock& nested = schema.blocks[static_cast<size_t>(-1 - schema.members[i])];
      values.push_back(
          proposed_nested(nested.nesting, nested.block, unknown ? Value::unknown(nested.type) : prior.element(i), c));
    }
  }
  return Value::object(schema.keys, std::move(values));
}

}  // namespace pravo::runtime
