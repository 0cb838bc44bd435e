// Maps and objects: keys lookup merge transpose values zipmap, and length of anything.
#include <algorithm>

#include <fmt/format.h>

#include "ir/convert.h"
#include "ir/functions/call.h"
#include "ir/misfit.h"
#include "ir/unicode.h"
#include "ir/value_node.h"

namespace pravo::functions {

// --- keys, values

Result<Type> type_Keys(const Call& call) {
  Type type = call[0].type();
  if (type.kind() == TypeKind::Map) return Type::list(Type::string());
  if (type.kind() == TypeKind::Object) return Type::tuple(std::vector<Type>(type.elements().size(), Type::string()));
  return call.wrong_type(0, fmt::format("a map or object is required, but this is {}", described(type)));
}

Result<Value> run_Keys(const Call& call, const Type& result) {
  const Value& map = call[0];
  std::vector<Value> names;
  if (result.kind() == TypeKind::Tuple) {
    // An object's names are part of its type, and known even if it is not.
    for (const Str& key : map.type().keys().all()) names.push_back(Value::string(key));
    return Value::tuple(std::move(names)).with_marks(map.marks());
  }
  if (map.is_unknown()) return Value::unknown(result).with_marks(map.marks());
  for (const Str& key : map.keys().all()) names.push_back(Value::string(key));
  return Value::list(Type::string(), std::move(names)).with_marks(map.marks());
}

Result<Type> type_Values(const Call& call) {
  Type type = call[0].type();
  if (type.kind() == TypeKind::Map) return Type::list(type.element());
  if (type.kind() == TypeKind::Object) return Type::tuple({type.elements().begin(), type.elements().end()});
  return call.wrong_type(0, fmt::format("a map or object is required, but this is {}", described(type)));
}

Result<Value> run_Values(const Call& call, const Type& result) {
  std::vector<Value> all(call[0].elements().begin(), call[0].elements().end());
  Value values =
      result.kind() == TypeKind::Tuple ? Value::tuple(std::move(all)) : Value::list(result.element(), std::move(all));
  return std::move(values).with_marks(call[0].marks());
}

// --- length

Result<Value> run_Length(const Call& call, const Type& result) {
  const Value& v = call[0];
  MarkSet marks = v.marks();
  Type type = v.type();
  auto counted = [&](size_t n) { return Value::number(static_cast<int64_t>(n)).with_marks(marks); };
  switch (type.kind()) {
    case TypeKind::Dynamic:
      return Value::unknown(result).with_marks(marks);
    case TypeKind::Tuple:
    case TypeKind::Object:
      return counted(type.elements().size());
    case TypeKind::String: {
      if (v.is_known()) return counted(count_graphemes(v.as_string()));
      Refinements known;
      known.not_null = true;
      known.lower = Number::from_int(static_cast<int64_t>(count_graphemes(v.refinements().prefix)));
      known.lower_inclusive = true;
      return Value::unknown(result, std::move(known)).with_marks(marks);
    }
    case TypeKind::List:
    case TypeKind::Set:
    case TypeKind::Map: {
      bool coalescing = v.kind() == ValueKind::Set && v.length() > 1 && !v.is_wholly_known();
      if (v.is_known() && !coalescing) return counted(v.length());
      Refinements known;
      known.not_null = true;
      // Unknown elements of a set may turn out to be equal.
      uint64_t low = coalescing ? 1 : v.refinements().min_length;
      uint64_t high = coalescing ? v.length() : v.refinements().max_length;
      known.lower = Number::from_uint(low);
      known.upper = Number::from_uint(std::min<uint64_t>(high, INT64_MAX));
      known.lower_inclusive = known.upper_inclusive = true;
      return Value::unknown(result, std::move(known)).with_marks(marks);
    }
    case TypeKind::Bool:
    case TypeKind::Number:
      return call.wrong_type(0, fmt::format("a string, list, set, map, tuple or object is required, but this is a {}",
                                            type.friendly_name()));
  }
  return Value::unknown(result);
}

// --- lookup

Result<Type> type_Lookup(const Call& call) {
  if (call.size() > 3) return call.fault(3, "`lookup` takes two or three arguments", {}, EvalErrorKind::Call);
  Type type = call[0].type();
  if (type.kind() == TypeKind::Map) {
    if (call.size() == 3) {
      Result<Value> fallback = convert(call[2], type.element());
      if (!fallback)
        return call.fault(2, "the default must be as the elements of the map", fallback.error().text(),
                          fallback.error().kind);
    }
    return type.element();
  }
  if (type.kind() != TypeKind::Object)
    return call.wrong_type(0, fmt::format("a map or object is required, but this is {}", described(type)));
  if (call[1].is_unknown()) return Type();
  size_t at = type.find(call.text(1));
  if (at != Type::npos) return type.elements()[at];
  if (call.size() == 3) return call[2].type();
  return call.fault(1, "the object has no attribute with this name", quoted(call.text(1)), EvalErrorKind::Missing);
}

Result<Value> run_Lookup(const Call& call, const Type& result) {
  MarkSet marks = call[0].marks() | call[1].marks();
  if (const Value* found = call[0].find(call.text(1))) return found->with_marks(marks);
  if (call.size() < 3)
    return call.fault(1, "the map has no element with this key", quoted(call.text(1)), EvalErrorKind::Missing);
  PRAVO_TRY(fallback, call.converted(2, call[2], result));
  return std::move(fallback).with_marks(marks);
}

// --- merge

Result<Type> type_Merge(const Call& call) {
  if (call.size() == 0) return Type::object(KeySet(), {});
  std::optional<Type> first;
  bool alike = true;
  bool known = true;
  for (size_t i = 0; i < call.size(); ++i) {
    Type type = call[i].type();
    if (type.is_dynamic()) return Type();
    if (type.kind() != TypeKind::Map && type.kind() != TypeKind::Object)
      return call.wrong_type(static_cast<int>(i),
                             fmt::format("a map or object is required, but this is {}", described(type)));
    if (type.kind() == TypeKind::Object && call[i].is_null()) type = Type::object(KeySet(), {});
    known = known && !(type.kind() == TypeKind::Map && call[i].is_unknown());
    alike = alike && (!first || *first == type);
    if (!first) first = std::move(type);
  }
  if (alike) return *first;
  if (!known) return Type();
  // An unknown argument leaves the attributes' types.
  std::vector<Type::Attribute> attributes;
  for (const Value& v : call.arguments) {
    if (v.is_null()) continue;
    Type type = v.type();
    if (type.kind() == TypeKind::Object)
      for (size_t i = 0; i < type.keys().size(); ++i) attributes.emplace_back(type.keys().str(i), type.elements()[i]);
    else
      for (size_t i = 0; i < v.length(); ++i) attributes.emplace_back(v.key(i), type.element());
  }
  return Type::object(std::move(attributes));
}

namespace {

struct Entries {
  std::vector<Str> keys;
  std::vector<Value> values;
};

// Two sorted sets of entries as one; of equal keys that of `b` stays.
Entries merge_sorted(const Entries& a, const Entries& b) {
  Entries out;
  out.keys.reserve(a.keys.size() + b.keys.size());
  out.values.reserve(a.keys.size() + b.keys.size());
  size_t i = 0;
  size_t j = 0;
  while (i < a.keys.size() || j < b.keys.size()) {
    bool from_b = i == a.keys.size() || (j < b.keys.size() && b.keys[j].view() <= a.keys[i].view());
    if (from_b) {
      if (i < a.keys.size() && a.keys[i] == b.keys[j]) ++i;
      out.keys.push_back(b.keys[j]);
      out.values.push_back(b.values[j++]);
    } else {
      out.keys.push_back(a.keys[i]);
      out.values.push_back(a.values[i++]);
    }
  }
  return out;
}

// Pairwise, so that many small maps cost n log n, not n squared.
Entries merge_range(std::span<const Value> maps) {
  if (maps.empty()) return {};
  if (maps.size() == 1) {
    if (maps[0].is_null()) return {};
    Entries out;
    KeySet keys = maps[0].keys();
    out.keys.assign(keys.all().begin(), keys.all().end());
    out.values.assign(maps[0].elements().begin(), maps[0].elements().end());
    return out;
  }
  size_t half = maps.size() / 2;
  return merge_sorted(merge_range(maps.first(half)), merge_range(maps.subspan(half)));
}

}  // namespace

Result<Value> run_Merge(const Call& call, const Type& result) {
  MarkSet marks = MarkSet::None;
  for (size_t i = 0; i < call.size(); ++i) {
    const Value& v = call[i];
    if (v.is_null()) continue;
    marks |= v.marks();
    // type_Merge stops looking at an argument whose type is not known.
    if (v.kind() != ValueKind::Map && v.kind() != ValueKind::Object)
      return call.wrong_type(static_cast<int>(i), "a map or object is required");
  }
  Entries all = merge_range(call.arguments);
  KeySet keys(std::move(all.keys));
  if (result.kind() == TypeKind::Map)
    return Value::map(result.element(), std::move(keys), std::move(all.values)).with_marks(marks);
  return Value::object(std::move(keys), std::move(all.values)).with_marks(marks);
}

// --- transpose

Result<Value> run_Transpose(const Call& call, const Type& result) {
  const Value& map = call[0];
  if (!map.is_wholly_known()) return Value::unknown(result);
  std::vector<std::pair<Str, Str>> pairs;  // element, key
  for (size_t i = 0; i < map.length(); ++i) {
    if (map.element(i).is_null()) return call.fault(0, "a list of the map is null", {}, EvalErrorKind::Null);
    for (const Value& v : map.element(i).elements()) {
      if (v.is_null()) return call.fault(0, "an element of a list is null", {}, EvalErrorKind::Null);
      pairs.emplace_back(v.as_str(), map.key(i));
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) {
    int order = a.first.view().compare(b.first.view());
    return order != 0 ? order < 0 : a.second.view() < b.second.view();
  });
  std::vector<Str> keys;
  std::vector<Value> lists;
  for (size_t begin = 0; begin < pairs.size();) {
    std::vector<Value> names;
    size_t end = begin;
    for (; end < pairs.size() && pairs[end].first == pairs[begin].first; ++end)
      names.push_back(Value::string(pairs[end].second));
    keys.push_back(pairs[begin].first);
    lists.push_back(Value::list(Type::string(), std::move(names)));
    begin = end;
  }
  return Value::map(result.element(), KeySet(std::move(keys)), std::move(lists));
}

// --- zipmap

Result<Type> type_Zipmap(const Call& call) {
  Type values = call[1].type();
  if (values.kind() == TypeKind::List) return Type::map(values.element());
  if (values.kind() != TypeKind::Tuple)
    return call.wrong_type(1, fmt::format("a list is required, but this is {}", described(values)));
  if (!call[0].is_wholly_known()) return Type();
  std::span<const Value> keys = call[0].elements();
  if (keys.size() != values.elements().size()) return call.fault(1, "there must be as many values as keys");
  std::vector<Type::Attribute> attributes;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].is_null()) return call.fault(0, "a key is null", {}, EvalErrorKind::Null);
    attributes.emplace_back(keys[i].as_str(), values.elements()[i]);
  }
  return Type::object(std::move(attributes));
}

Result<Value> run_Zipmap(const Call& call, const Type& result) {
  const Value& keys = call[0];
  const Value& values = call[1];
  MarkSet marks = keys.deep_marks() | values.marks();
  if (!keys.is_wholly_known()) return Value::unknown(result);
  if (keys.length() != values.length()) return call.fault(1, "there must be as many values as keys");
  std::vector<std::pair<Str, Value>> entries;
  entries.reserve(keys.length());
  for (size_t i = 0; i < keys.length(); ++i) {
    if (keys.element(i).is_null()) return call.fault(0, "a key is null", {}, EvalErrorKind::Null);
    entries.emplace_back(keys.element(i).as_str(), values.element(i));
  }
  Value zipped = result.kind() == TypeKind::Map ? Value::map(result.element(), std::move(entries))
                                                : Value::object(std::move(entries));
  return std::move(zipped).with_marks(marks);
}

}  // namespace pravo::functions
