// `for` expressions and splats.
#include <algorithm>

#include <fmt/format.h>

#include "ir/check.h"
#include "ir/limits.h"
#include "ir/operators.h"
#include "ir/value_node.h"

namespace pravo {

namespace {

Result<Value> checked(Value v) {
  if (auto error = over_limits(v)) return error;
  return v;
}

// Whether a step of a `for` is taken: 1, 0, or -1 where that is not known; with `any_type` what is not known may be
// of a type that is no condition. Once the result is unknown, faults of
// further steps are not reported, as in Terraform.
Result<int> condition_holds(const Value& condition, MarkSet& marks, bool unknown, bool any_type) {
  marks |= condition.marks();
  if (condition.is_unknown() && any_type) return -1;
  if (unknown && (condition.is_null() || !convert(condition.without_marks(), Type::boolean()).ok())) return -1;
  if (auto error = ForList::wrong_condition(condition)) return error;
  if (condition.is_unknown()) return -1;
  return convert(condition.without_marks(), Type::boolean())->as_bool() ? 1 : 0;
}

}  // namespace

Value Iteration::key(size_t i) const {
  switch (source.kind()) {
    case ValueKind::List:
    case ValueKind::Tuple:
      return Value::number(static_cast<int64_t>(i));
    case ValueKind::Map:
    case ValueKind::Object:
      return Value::string(source.key(i));
    case ValueKind::Set:
      return source.element(i);
    case ValueKind::Null:
    case ValueKind::Unknown:
    case ValueKind::Bool:
    case ValueKind::Number:
    case ValueKind::String:
      break;
  }
  PRAVOC_UNREACHABLE();
}

Result<Iteration> iterate(const Value& collection) {
  Iteration it;
  it.marks = collection.marks();
  if (collection.is_null()) return fail(EvalErrorKind::Null, "the collection of a `for` is null", 0);
  if (collection.is_compound()) {
    it.source = collection.without_marks();
    return it;
  }
  Type type = collection.type();
  if (type.is_primitive())
    return fail(
        EvalErrorKind::Type,
        fmt::format("a `for` goes over a list, set, map, tuple or object, but this is a {}", type.friendly_name()), 0);
  it.unknown = true;
  // As in Terraform: of what may be anything not even the marks count.
  if (type.is_dynamic()) it.marks = MarkSet::None;
  return it;
}

Result<Iteration> iterate_splat(const Value& given) {
  Iteration it;
  it.marks = given.marks();
  Value source = given.without_marks();
  if (source.has_type(TypeKind::Dynamic) && !source.is_null()) {
    it.unknown = it.dynamic = true;
    return it;
  }
  Type type = source.type();
  bool sequence = type.kind() == TypeKind::List || type.kind() == TypeKind::Set || type.kind() == TypeKind::Tuple;
  if (source.is_null()) {
    if (sequence) return fail(EvalErrorKind::Null, "the list before `[*]` is null", 0);
    it.source = Value::empty_tuple();
    return it;
  }
  if (!sequence) {
    // One element, or none if it turns out to be null.
    it.dynamic = source.is_unknown() && !source.refinements().not_null;
    // Marks of a single value stay on it, too.
    it.source = Value::tuple({given});
    return it;
  }
  it.list = type.kind() != TypeKind::Tuple;
  if (source.is_unknown()) {
    it.unknown = it.probe = true;
    it.length = source.refinements();
    std::vector<Value> unknowns;
    if (it.list)
      unknowns.push_back(Value::unknown(type.element()));
    else
      for (const Type& t : type.elements()) unknowns.push_back(Value::unknown(t));
    it.source = Value::tuple(std::move(unknowns));
  } else if (it.list && source.length() == 0) {
    it.probe = true;
    it.source = Value::tuple({Value::unknown(type.element())});
  } else {
    it.source = std::move(source);
  }
  return it;
}

Result<Value> splat_result(const Iteration& over, std::vector<Value> results) {
  if (over.dynamic) return Value::unknown().with_marks(over.marks);
  PRAVOC_CHECK(results.size() == over.size());
  if (over.probe && over.list) {
    Type element = results[0].type();
    if (!over.unknown) return Value::list(element, {}).with_marks(over.marks);
    Refinements known;
    known.not_null = true;
    known.min_length = over.length.min_length;
    known.max_length = over.length.max_length;
    return Value::unknown(Type::list(element), std::move(known)).with_marks(over.marks);
  }
  if (over.unknown) {
    std::vector<Type> types;
    for (const Value& v : results) types.push_back(v.type());
    return Value::unknown(Type::tuple(std::move(types))).refine_not_null().with_marks(over.marks);
  }
  if (over.list) {
    Type element;
    for (const Value& v : results)
      if (!v.has_type(TypeKind::Dynamic)) {
        element = v.type();
        break;
      }
    bool alike = true;
    for (Value& v : results) {
      if (v.has_type(TypeKind::Dynamic) && !element.is_dynamic())
        v = (v.is_null() ? Value::null(element) : Value::unknown(element)).with_marks(v.marks());
      alike = alike && has_exact_type(v, element);
    }
    if (!alike)
      return fail(EvalErrorKind::Type, "the results of this splat are of different types; use a `for` expression");
    return checked(Value::list(element, std::move(results)).with_marks(over.marks));
  }
  return checked(Value::tuple(std::move(results)).with_marks(over.marks));
}

ForList::ForList(const Iteration& over) : marks_(over.marks), unknown_(over.unknown) { values_.reserve(over.size()); }

std::unique_ptr<EvalError> ForList::wrong_condition(const Value& condition) {
  if (condition.is_null()) return fail(EvalErrorKind::Null, "the `if` of a `for` is null, but must be true or false");
  Result<Value> converted = convert(condition.without_marks(), Type::boolean());
  if (converted) return nullptr;
  return fail(EvalErrorKind::Type, fmt::format("the `if` of a `for`: {}", converted.error().message));
}

Result<bool> ForList::accept(const Value& condition) {
  PRAVO_TRY(holds, condition_holds(condition, marks_, unknown_, true));
  if (holds < 0) unknown_ = true;
  return holds > 0;
}

Result<bool> ForList::add(Value value) {
  if (!size_.add(value)) return too_large_value();
  values_.push_back(std::move(value));
  return true;
}

Result<Value> ForList::finish() && {
  if (unknown_) return Value::unknown().with_marks(marks_);
  return checked(Value::tuple(std::move(values_)).with_marks(marks_));
}

ForObject::ForObject(const Iteration& over, bool group) : marks_(over.marks), unknown_(over.unknown), group_(group) {
  entries_.reserve(over.size());
}

Result<bool> ForObject::accept(const Value& condition) {
  PRAVO_TRY(holds, condition_holds(condition, marks_, unknown_, false));
  if (holds < 0) unknown_ = true;
  return holds > 0;
}

bool ForObject::is_key(const Value& key) {
  return !key.is_unknown() && !key.is_null() && convert(key.without_marks(), Type::string()).ok();
}

Result<bool> ForObject::add(const Value& key, Value value) {
  marks_ |= key.marks();
  if (unknown_ && (key.is_null() || !convert(key.without_marks(), Type::string()).ok())) return true;
  if (key.is_null()) return fail(EvalErrorKind::Null, "a key of this `for` is null", 0);
  if (key.is_unknown()) {
    unknown_ = true;
    return true;
  }
  Result<Value> name = convert(key.without_marks(), Type::string());
  if (!name) return fail(EvalErrorKind::Type, fmt::format("a key of this `for`: {}", name.error().message), 0);
  if (!size_.add(value) || !size_.add(*name)) return too_large_value();
  entries_.emplace_back(name->as_str(), std::move(value));
  return true;
}

Result<Value> ForObject::finish(bool lenient) {
  auto less = [](const auto& a, const auto& b) { return a.first.view() < b.first.view(); };
  std::stable_sort(entries_.begin(), entries_.end(), less);
  std::vector<Str> keys;
  std::vector<Value> values;
  keys.reserve(entries_.size());
  values.reserve(entries_.size());
  for (size_t begin = 0; begin < entries_.size();) {
    size_t end = begin + 1;
    while (end < entries_.size() && entries_[end].first == entries_[begin].first) ++end;
    if (group_) {
      std::vector<Value> all;
      for (size_t i = begin; i < end; ++i) all.push_back(entries_[i].second);
      values.push_back(Value::tuple(std::move(all)));
    } else if (end - begin > 1 && !lenient) {
      std::string key = any(marks_) ? "the same key" : fmt::format("the key `{}`", entries_[begin].first.view());
      return fail(EvalErrorKind::Value,
                  fmt::format("two elements give {}; write `...` after the value to collect both", key), 0);
    } else {
      values.push_back(entries_[begin].second);
    }
    keys.push_back(entries_[begin].first);
    begin = end;
  }
  // A key that is there twice is a fault whatever the unknown ones turn out to be.
  if (unknown_) return Value::unknown().with_marks(marks_);
  return checked(Value::object(KeySet(std::move(keys)), std::move(values)).with_marks(marks_));
}

}  // namespace pravo
