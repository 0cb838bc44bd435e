// Unification: the one type that several types convert to, by cty's preferences.
#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "ir/check.h"
#include "ir/convert.h"
#include "ir/misfit.h"
#include "ir/value_node.h"

namespace pravo {

namespace {

// Choosing among types of mixed kinds compares each pair. So many different ones never convert to one type anyway.
constexpr size_t kMaxMixedTypes = 1000;

std::vector<Type> without_repetitions(std::span<const Type> types) {
  std::vector<Type> out;
  std::unordered_set<Type> seen;
  for (const Type& t : types) {
    if (!out.empty() && t == out.back()) continue;
    if (seen.insert(t).second) out.push_back(t);
  }
  return out;
}

bool all_convert(std::span<const Type> types, const Type& to, bool safe) {
  return std::all_of(types.begin(), types.end(), [&](const Type& t) { return t == to || can_convert(t, to, safe); });
}

// -1: a is preferred, 1: b is, 0: neither. What more can be converted to comes first: string before number, list
// before tuple, list before set.
int compare_types(const Type& a, const Type& b) {
  if (a.is_dynamic() || b.is_dynamic()) return a.is_dynamic() == b.is_dynamic() ? 0 : a.is_dynamic() ? 1 : -1;
  TypeKind x = a.kind();
  TypeKind y = b.kind();
  if (a.is_primitive() && b.is_primitive()) {
    if (x == y) return 0;
    return x == TypeKind::String ? -1 : y == TypeKind::String ? 1 : 0;
  }
  if (x == y && a.is_collection()) return compare_types(a.element(), b.element());
  auto is_sequence = [](TypeKind k) { return k == TypeKind::List || k == TypeKind::Tuple; };
  if (y == TypeKind::Set && is_sequence(x)) return -1;
  if (x == TypeKind::Set && is_sequence(y)) return 1;
  if (x == TypeKind::List && y == TypeKind::Tuple) return -1;
  if (x == TypeKind::Tuple && y == TypeKind::List) return 1;
  if (x == TypeKind::Map && y == TypeKind::Object) return -1;
  if (x == TypeKind::Object && y == TypeKind::Map) return 1;
  if (x == y && a.is_structural()) {
    if (a.elements().size() != b.elements().size()) return 0;
    if (x == TypeKind::Object && !(a.keys() == b.keys())) return 0;
    bool a_wins = false;
    bool b_wins = false;
    for (size_t i = 0; i < a.elements().size(); ++i) {
      int order = compare_types(a.elements()[i], b.elements()[i]);
      a_wins |= order < 0;
      b_wins |= order > 0;
    }
    return a_wins == b_wins ? 0 : a_wins ? -1 : 1;
  }
  return 0;
}

// Indexes in an order that respects compare_types, ties as they come.
std::vector<size_t> preference_order(std::span<const Type> types) {
  size_t n = types.size();
  std::vector<std::vector<size_t>> after(n);
  std::vector<size_t> waiting(n);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = i + 1; j < n; ++j) {
      int order = compare_types(types[i], types[j]);
      if (order == 0) continue;
      after[order < 0 ? i : j].push_back(order < 0 ? j : i);
      ++waiting[order < 0 ? j : i];
    }
  }
  std::vector<size_t> result;
  for (size_t i = 0; i < n; ++i)
    if (waiting[i] == 0) result.push_back(i);
  for (size_t at = 0; at < result.size(); ++at)
    for (size_t j : after[result[at]])
      if (--waiting[j] == 0) result.push_back(j);
  return result;
}

// The elements' types of all tuples or objects, as one list or map.
std::optional<Type> as_collection(std::span<const Type> types, bool map, bool safe) {
  std::vector<Type> parts;
  for (const Type& t : types) parts.insert(parts.end(), t.elements().begin(), t.elements().end());
  std::optional<Type> element = unify(parts, safe);
  if (!element) return std::nullopt;
  Type result = map ? Type::map(*element) : Type::list(*element);
  if (!all_convert(types, result, safe)) return std::nullopt;
  return result;
}

std::optional<Type> unify_collections(std::span<const Type> types, bool safe) {
  std::vector<Type> elements;
  for (const Type& t : types) elements.push_back(t.element());
  std::optional<Type> element = unify(elements, safe);
  if (!element) return std::nullopt;
  TypeKind kind = types[0].kind();
  Type result = kind == TypeKind::List  ? Type::list(*element)
                : kind == TypeKind::Set ? Type::set(*element)
                                        : Type::map(*element);
  if (!all_convert(types, result, safe)) return std::nullopt;
  return result;
}

// All tuples, or all objects.
std::optional<Type> unify_structural(std::span<const Type> types, bool safe) {
  bool objects = types[0].kind() == TypeKind::Object;
  for (const Type& t : types.subspan(1)) {
    bool alike = objects ? t.keys() == types[0].keys() : t.elements().size() == types[0].elements().size();
    if (!alike) return as_collection(types, objects, safe);
  }
  std::vector<Type> unified;
  std::vector<Type> across(types.size());
  for (size_t i = 0; i < types[0].elements().size(); ++i) {
    for (size_t j = 0; j < types.size(); ++j) across[j] = types[j].elements()[i];
    std::optional<Type> one = unify(across, safe);
    if (!one) return std::nullopt;
    unified.push_back(std::move(*one));
  }
  Type result = objects ? Type::object(types[0].keys(), std::move(unified)) : Type::tuple(std::move(unified));
  if (!all_convert(types, result, safe)) return as_collection(types, objects, safe);
  return result;
}

// Collections together with their structural counterparts: lists and tuples, maps and objects.
std::optional<Type> unify_mixed(std::span<const Type> types, TypeKind structural, bool safe) {
  std::vector<Type> parts;
  for (const Type& t : types)
    if (t.kind() == structural) parts.push_back(t);
  bool map = structural == TypeKind::Object;
  std::optional<Type> collection = as_collection(parts, map, safe);
  if (!collection) return std::nullopt;
  std::vector<Type> collections;
  for (const Type& t : types) collections.push_back(t.kind() == structural ? *collection : t);
  std::optional<Type> result = unify(collections, safe);
  if (!result || result->kind() != collection->kind()) return std::nullopt;
  return result;
}

}  // namespace

std::optional<Type> unify(std::span<const Type> given, bool safe) {
  if (given.empty()) return std::nullopt;
  std::vector<Type> types = without_repetitions(given);
  size_t counts[9] = {};
  for (const Type& t : types) ++counts[static_cast<size_t>(t.kind())];
  auto count = [&](TypeKind kind) { return counts[static_cast<size_t>(kind)]; };
  size_t dynamic = count(TypeKind::Dynamic);
  auto only = [&](std::initializer_list<TypeKind> kinds) {
    size_t sum = dynamic;
    for (TypeKind k : kinds) sum += count(k);
    return sum == types.size();
  };
  for (TypeKind kind : {TypeKind::Map, TypeKind::List, TypeKind::Set, TypeKind::Object, TypeKind::Tuple}) {
    if (count(kind) == 0) continue;
    if (only({kind})) {
      if (dynamic > 0) return Type();
      return kind == TypeKind::Object || kind == TypeKind::Tuple ? unify_structural(types, safe)
                                                                 : unify_collections(types, safe);
    }
    if (kind == TypeKind::Map || kind == TypeKind::List) {
      TypeKind structural = kind == TypeKind::Map ? TypeKind::Object : TypeKind::Tuple;
      if (!only({kind, structural})) continue;
      if (std::optional<Type> result = unify_mixed(types, structural, safe)) return result;
      break;
    }
  }
  if (count(TypeKind::Object) > 0 && count(TypeKind::Tuple) > 0) return std::nullopt;
  if (types.size() > kMaxMixedTypes) return std::nullopt;
  for (size_t i : preference_order(types))
    if (all_convert(types, types[i], safe)) return types[i];
  return std::nullopt;
}

Result<std::vector<Value>> unify_values(std::span<const Value> values, bool safe) {
  std::vector<Type> types;
  for (const Value& v : values)
    if (types.empty() || !has_exact_type(v, types.back())) types.push_back(v.type());
  std::optional<Type> type = unify(types, safe);
  if (!type && !values.empty()) {
    // The first that does not go with those before it.
    size_t culprit = 1;
    auto fits = [&](const Value& v) {
      Type pair[] = {values[0].type(), v.type()};
      return unify(pair, safe).has_value();
    };
    while (culprit < values.size() && fits(values[culprit])) ++culprit;
    std::string fact = "all must be of the same type";
    if (culprit < values.size()) {
      std::string first = described(values[0].type());
      std::string other = described(values[culprit].type());
      if (first != other)
        fact += fmt::format(", but one is {} and another is {}", first, other);
      else if (!any(values[0].deep_marks() | values[culprit].deep_marks()))
        fact += fmt::format(", but of two {}", type_difference(values[0].type(), values[culprit].type()));
    }
    return fail(EvalErrorKind::Type, std::move(fact), static_cast<int>(culprit));
  }
  std::vector<Value> out;
  out.reserve(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    if (type->is_dynamic() && !values[i].has_type(TypeKind::Dynamic)) {
      // Something else may turn out to be of any type, so nothing can be said of this one either.
      out.push_back(Value::unknown().with_marks(values[i].deep_marks()));
      continue;
    }
    Result<Value> converted = convert(values[i], *type);
    if (!converted) {
      auto error = converted.take_error();
      error->argument = static_cast<int>(i);
      return error;
    }
    out.push_back(*std::move(converted));
  }
  return out;
}

}  // namespace pravo
