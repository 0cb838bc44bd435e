// Default values of optional attributes (`optional(T, default)`).
#include <algorithm>

#include "ir/convert.h"

namespace pravo {

namespace {

const Defaults* named(const std::vector<std::pair<Str, Defaults>>& children, std::string_view name) {
  auto it = std::find_if(children.begin(), children.end(), [&](const auto& c) { return c.first.view() == name; });
  return it == children.end() ? nullptr : &it->second;
}

Value apply(const Value& v, const Defaults& defaults);

Value apply_to_elements(const Value& v, const Defaults& defaults) {
  std::vector<Value> elements;
  elements.reserve(v.length());
  for (size_t i = 0; i < v.length(); ++i) {
    const Defaults* inner = defaults.element.empty() ? nullptr : &defaults.element[0];
    for (const auto& [index, child] : defaults.elements)
      if (index == i) inner = &child;
    elements.push_back(inner == nullptr ? v.element(i) : apply(v.element(i), *inner));
  }
  // Filling may have made elements of different types; the conversion that follows makes them one again.
  return Value::tuple(std::move(elements));
}

Value apply_to_entries(const Value& v, const Defaults& defaults) {
  std::vector<std::pair<Str, Value>> entries;
  entries.reserve(v.length() + defaults.values.size());
  for (size_t i = 0; i < v.length(); ++i) {
    const Defaults* inner = named(defaults.attributes, v.key(i));
    if (inner == nullptr && !defaults.element.empty()) inner = &defaults.element[0];
    entries.emplace_back(v.key(i), inner == nullptr ? v.element(i) : apply(v.element(i), *inner));
  }
  for (const auto& [name, value] : defaults.values) {
    const Value* have = v.find(name);
    if (have != nullptr && !have->is_null()) continue;
    const Defaults* inner = named(defaults.attributes, name);
    Value filled = inner == nullptr ? value : apply(value, *inner);
    if (have != nullptr) filled = std::move(filled).with_marks(have->marks());
    entries.emplace_back(name, std::move(filled));
  }
  return Value::object(std::move(entries));
}

Value apply(const Value& v, const Defaults& defaults) {
  if (v.is_unknown() || v.is_null() || defaults.empty()) return v;
  switch (v.kind()) {
    case ValueKind::List:
    case ValueKind::Set:
    case ValueKind::Tuple:
      return apply_to_elements(v, defaults).with_marks(v.marks());
    case ValueKind::Map:
    case ValueKind::Object:
      return apply_to_entries(v, defaults).with_marks(v.marks());
    case ValueKind::Null:
    case ValueKind::Unknown:
    case ValueKind::Bool:
    case ValueKind::Number:
    case ValueKind::String:
      return v;
  }
  return v;
}

}  // namespace

Value apply_defaults(const Value& value, const TypeConstraint& constraint) { return apply(value, constraint.defaults); }

Result<Value> convert_with_defaults(const Value& value, const TypeConstraint& constraint) {
  return convert(apply_defaults(value, constraint), constraint.type);
}

}  // namespace pravo
