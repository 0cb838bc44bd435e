// Sequences: chunklist coalescelist compact concat contains distinct element flatten index matchkeys one reverse slice.
#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "ir/convert.h"
#include "ir/functions/call.h"
#include "ir/misfit.h"
#include "ir/operators.h"
#include "ir/value_node.h"

namespace pravo::functions {

namespace {

bool is_sequence(const Type& type) {
  return type.kind() == TypeKind::List || type.kind() == TypeKind::Tuple || type.kind() == TypeKind::Set;
}

struct HashValue {
  size_t operator()(const Value* v) const { return v->hash(); }
};
struct SameValue {
  bool operator()(const Value* a, const Value* b) const { return a->equals_raw(*b); }
};
using ValueSet = std::unordered_set<const Value*, HashValue, SameValue>;

}  // namespace

// --- chunklist

Result<Type> type_Chunklist(const Call& call) { return Type::list(call[0].type()); }

Result<Value> run_Chunklist(const Call& call, const Type& result) {
  PRAVO_TRY(size, call.integer(1, 0, INT64_MAX));
  const Value& list = call[0];
  MarkSet marks = list.marks() | call[1].marks();
  std::span<const Value> elements = list.elements();
  std::vector<Value> chunks;
  size_t step = size == 0 ? elements.size() : static_cast<size_t>(size);
  for (size_t at = 0; at < elements.size(); at += step) {
    auto chunk = elements.subspan(at, std::min(step, elements.size() - at));
    chunks.push_back(Value::list(list.type().element(), {chunk.begin(), chunk.end()}));
  }
  return Value::list(result.element(), std::move(chunks)).with_marks(marks);
}

// --- coalescelist

Result<Type> type_Coalescelist(const Call& call) {
  if (call.size() == 0) return call.fault(-1, "at least one list is required", {}, EvalErrorKind::Call);
  std::optional<Type> common;
  bool alike = true;
  for (size_t i = 0; i < call.size(); ++i) {
    if (call[i].is_unknown()) return Type();
    Type type = call[i].type();
    if (type.kind() != TypeKind::List && type.kind() != TypeKind::Tuple)
      return call.wrong_type(static_cast<int>(i), "a list is required");
    alike = alike && (!common || *common == type);
    common = std::move(type);
  }
  return alike ? *common : Type();
}

Result<Value> run_Coalescelist(const Call& call, const Type& result) {
  for (const Value& v : call.arguments) {
    if (v.is_unknown()) return Value::unknown(result);
    if (!v.is_null() && v.length() > 0) return v;
  }
  return call.fault(-1, "every list is empty or null");
}

// --- compact

Result<Value> run_Compact(const Call& call, const Type& result) {
  if (!call[0].is_wholly_known()) return Value::unknown(result);
  std::vector<Value> kept;
  for (const Value& v : call[0].elements())
    if (!v.is_null() && !v.as_string().empty()) kept.push_back(v);
  return Value::list(Type::string(), std::move(kept));
}

// --- concat

Result<Type> type_Concat(const Call& call) {
  if (call.size() == 0) return call.fault(-1, "at least one list is required", {}, EvalErrorKind::Call);
  bool all_lists = true;
  for (const Value& v : call.arguments) all_lists = all_lists && v.has_type(TypeKind::List);
  if (all_lists) {
    std::vector<Type> types;
    for (const Value& v : call.arguments) types.push_back(v.type());
    if (std::optional<Type> common = unify(types, false)) return *common;
  }
  std::vector<Type> elements;
  for (size_t i = 0; i < call.size(); ++i) {
    Type type = call[i].type();
    if (type.kind() == TypeKind::Tuple) {
      elements.insert(elements.end(), type.elements().begin(), type.elements().end());
    } else if (type.kind() == TypeKind::List) {
      if (call[i].is_unknown()) return Type();
      elements.insert(elements.end(), call[i].length(), type.element());
    } else {
      return call.wrong_type(static_cast<int>(i), fmt::format("a list is required, but this is {}", described(type)));
    }
  }
  return Type::tuple(std::move(elements));
}

Result<Value> run_Concat(const Call& call, const Type& result) {
  MarkSet marks = MarkSet::None;
  std::vector<Value> all;
  bool list = result.kind() == TypeKind::List;
  for (size_t i = 0; i < call.size(); ++i) {
    Value sequence = call[i];
    marks |= sequence.marks();
    if (list) {
      PRAVO_TRY(converted, call.converted(static_cast<int>(i), sequence, result));
      sequence = std::move(converted);
    }
    if (all.size() + sequence.length() > kMaxElements) return too_many_elements();
    all.insert(all.end(), sequence.elements().begin(), sequence.elements().end());
  }
  if (!list) return Value::tuple(std::move(all)).with_marks(marks);
  // Where the common type leaves parts open, the elements say what they are.
  Type element = result.element();
  if (element.has_dynamic() && !all.empty()) {
    for (const Value& v : all)
      if (!v.has_type(TypeKind::Dynamic)) element = v.type();
    for (Value& v : all) {
      if (v.has_type(TypeKind::Dynamic) && !element.is_dynamic())
        v = (v.is_null() ? Value::null(element) : Value::unknown(element)).with_marks(v.marks());
      if (!has_exact_type(v, element)) return call.wrong_type(-1, "the lists must have elements of one type");
    }
  }
  return Value::list(std::move(element), std::move(all)).with_marks(marks);
}

// --- contains, index

Result<Type> type_Contains(const Call&) { return Type::boolean(); }

Result<Value> run_Contains(const Call& call, const Type& result) {
  const Value& list = call[0];
  if (!is_sequence(list.type())) return call.wrong_type(0, "a list, set or tuple is required");
  bool unknown = false;
  for (const Value& v : list.elements()) {
    Value same = equals(call[1], v);
    if (same.is_unknown())
      unknown = true;
    else if (same.as_bool())
      return Value::boolean(true);
  }
  return unknown ? Value::unknown(result) : Value::boolean(false);
}

Result<Type> type_Index(const Call&) { return Type::number(); }

Result<Value> run_Index(const Call& call, const Type& result) {
  const Value& list = call[0];
  if (list.kind() != ValueKind::List && list.kind() != ValueKind::Tuple)
    return call.wrong_type(0, "a list or tuple is required");
  for (size_t i = 0; i < list.length(); ++i) {
    Value same = equals(list.element(i), call[1]);
    if (same.is_unknown()) return Value::unknown(result);
    if (same.as_bool()) return Value::number(static_cast<int64_t>(i));
  }
  return call.fault(1, "the value is not in the list", {}, EvalErrorKind::Missing);
}

// --- distinct

Result<Type> type_Distinct(const Call& call) { return call[0].type(); }

Result<Value> run_Distinct(const Call& call, const Type& result) {
  if (!call[0].is_wholly_known()) return Value::unknown(result);
  ValueSet seen;
  seen.reserve(call[0].length());
  std::vector<Value> kept;
  for (const Value& v : call[0].elements())
    if (seen.insert(&v).second) kept.push_back(v);
  return Value::list(result.element(), std::move(kept));
}

// --- element

Result<Type> type_Element(const Call& call) {
  Type type = call[0].type();
  if (type.kind() == TypeKind::List) return type.element();
  if (type.kind() != TypeKind::Tuple)
    return call.wrong_type(0, fmt::format("a list is required, but this is {}", described(type)));
  if (call[1].is_unknown()) return Type();
  PRAVO_TRY(index, call.integer(1));
  auto length = static_cast<int64_t>(type.elements().size());
  if (length == 0) return call.fault(0, "the list is empty");
  // Terraform 1.11 counts from the end in lists, but not in tuples.
  if (index % length < 0) return call.fault(1, "the index must not be negative");
  return type.elements()[static_cast<size_t>(index % length)];
}

Result<Value> run_Element(const Call& call, const Type&) {
  PRAVO_TRY(index, call.integer(1));
  const Value& list = call[0];
  auto length = static_cast<int64_t>(list.length());
  if (length == 0) return call.fault(0, "the list is empty");
  index %= length;
  if (index < 0) index += length;
  return list.element(static_cast<size_t>(index)).with_marks(list.marks());
}

// --- flatten

namespace {

// Appends what is no sequence. False: something unknown may hold more.
bool flatten_into(const Value& list, std::vector<Value>& out, MarkSet& marks) {
  marks |= list.marks();
  if (list.is_unknown()) return false;
  // A set whose elements are not all known may have fewer of them.
  if (list.kind() == ValueKind::Set && list.length() > 1 && !list.is_wholly_known()) return false;
  bool known = true;
  for (const Value& v : list.elements()) {
    if (v.is_unknown() && v.has_type(TypeKind::Dynamic)) {
      known = false;
      marks |= v.marks();
    } else if (!v.is_null() && is_sequence(v.type())) {
      known = flatten_into(v, out, marks) && known;
    } else {
      out.push_back(v);
    }
  }
  return known;
}

}  // namespace

Result<Type> type_Flatten(const Call& call) {
  if (!call[0].is_wholly_known()) return Type();
  if (!is_sequence(call[0].type())) return call.wrong_type(0, "a list, set or tuple is required");
  return Type();  // what it is made of says it
}

Result<Value> run_Flatten(const Call& call, const Type&) {
  // As in Terraform, what is not known in parts may be a map or an object all the same.
  std::vector<Value> out;
  MarkSet marks = MarkSet::None;
  bool known = flatten_into(call[0], out, marks);
  if (!known) return Value::unknown().with_marks(marks);
  return Value::tuple(std::move(out)).with_marks(marks);
}

// --- matchkeys

Result<Type> type_Matchkeys(const Call& call) {
  Type types[] = {call[1].type(), call[2].type()};
  if (!unify(types, false)) return call.wrong_type(2, "the keys and the set to search must be of one type");
  return call[0].type();
}

Result<Value> run_Matchkeys(const Call& call, const Type& result) {
  const Value& values = call[0];
  if (values.length() != call[1].length()) return call.fault(1, "there must be as many keys as values");
  Type types[] = {call[1].type(), call[2].type()};
  std::optional<Type> common = unify(types, false);
  if (!common) return call.wrong_type(2, "the keys and the set to search must be of one type");
  PRAVO_TRY(keys, call.converted(1, call[1], *common));
  PRAVO_TRY(search, call.converted(2, call[2], *common));
  if (search.length() == 0) return Value::list(result.element(), {});
  if (!values.is_wholly_known() || !keys.is_wholly_known()) return Value::unknown(result);
  if (!search.is_wholly_known()) return Value::list(result.element(), {});  // as Terraform has it
  ValueSet wanted;
  for (const Value& v : search.elements()) wanted.insert(&v);
  std::vector<Value> out;
  for (size_t i = 0; i < keys.length(); ++i)
    if (wanted.count(&keys.element(i)) > 0) out.push_back(values.element(i));
  return Value::list(result.element(), std::move(out));
}

// --- one

Result<Type> type_One(const Call& call) {
  Type type = call[0].type();
  if (type.kind() == TypeKind::List || type.kind() == TypeKind::Set) return type.element();
  if (type.kind() == TypeKind::Tuple && type.elements().empty()) return Type();
  if (type.kind() == TypeKind::Tuple && type.elements().size() == 1) return type.elements()[0];
  return call.wrong_type(0, "a list, set or tuple with at most one element is required");
}

Result<Value> run_One(const Call& call, const Type& result) {
  const Value& list = call[0];
  if (list.kind() == ValueKind::Set && list.length() > 1 && !list.is_wholly_known()) return Value::unknown(result);
  if (list.length() == 0) return Value::null(result);
  if (list.length() == 1) return list.element(0);
  return call.fault(0, "a list, set or tuple with at most one element is required");
}

// --- reverse

Result<Type> type_Reverse(const Call& call) {
  Type type = call[0].type();
  if (type.kind() == TypeKind::List || type.kind() == TypeKind::Set) return Type::list(type.element());
  if (type.kind() != TypeKind::Tuple)
    return call.wrong_type(0, fmt::format("a list is required, but this is {}", described(type)));
  std::vector<Type> types(type.elements().rbegin(), type.elements().rend());
  return Type::tuple(std::move(types));
}

Result<Value> run_Reverse(const Call& call, const Type& result) {
  std::span<const Value> elements = call[0].elements();
  std::vector<Value> out(elements.rbegin(), elements.rend());
  Value reversed =
      result.kind() == TypeKind::Tuple ? Value::tuple(std::move(out)) : Value::list(result.element(), std::move(out));
  return std::move(reversed).with_marks(call[0].marks());
}

// --- slice

namespace {

struct Bounds {
  size_t start = 0;
  size_t end = 0;
  bool known = false;
};

Result<Bounds> slice_bounds(const Call& call) {
  Bounds bounds;
  std::optional<size_t> length;
  if (call[0].is_compound())
    length = call[0].length();
  else if (call[0].has_type(TypeKind::Tuple))
    length = call[0].type().elements().size();
  for (size_t i = 1; i <= 2; ++i) {
    if (call[i].is_unknown()) continue;
    PRAVO_TRY(index, call.integer(i, 0, INT64_MAX));
    if (length && static_cast<size_t>(index) > *length)
      return call.fault(static_cast<int>(i), "the index is past the end of the list");
    (i == 1 ? bounds.start : bounds.end) = static_cast<size_t>(index);
  }
  bounds.known = call[1].is_known() && call[2].is_known();
  if (bounds.known && bounds.start > bounds.end) return call.fault(1, "the start must not be after the end");
  return bounds;
}

}  // namespace

Result<Type> type_Slice(const Call& call) {
  Type type = call[0].type();
  if (type.kind() == TypeKind::Set)
    return call.wrong_type(0, "the elements of a set have no order to take a part of; convert it with `tolist`");
  if (type.kind() != TypeKind::List && type.kind() != TypeKind::Tuple)
    return call.wrong_type(0, fmt::format("a list is required, but this is {}", described(type)));
  PRAVO_TRY(bounds, slice_bounds(call));
  if (type.kind() == TypeKind::List) return type;
  if (!bounds.known) return Type();
  auto part = type.elements().subspan(bounds.start, bounds.end - bounds.start);
  return Type::tuple({part.begin(), part.end()});
}

Result<Value> run_Slice(const Call& call, const Type& result) {
  PRAVO_TRY(bounds, slice_bounds(call));
  auto part = call[0].elements().subspan(bounds.start, bounds.end - bounds.start);
  std::vector<Value> out(part.begin(), part.end());
  Value sliced =
      result.kind() == TypeKind::Tuple ? Value::tuple(std::move(out)) : Value::list(result.element(), std::move(out));
  return std::move(sliced).with_marks(call[0].marks());
}

}  // namespace pravo::functions
