// Sets: setintersection setproduct setsubtract setunion; and alltrue anytrue, coalesce.
#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "ir/convert.h"
#include "ir/functions/call.h"
#include "ir/misfit.h"
#include "ir/value_node.h"

namespace pravo::functions {

Result<Value> run_Alltrue(const Call& call, const Type& result) {
  for (const Value& v : call[0].elements()) {
    if (v.is_unknown()) return Value::unknown(result);
    if (v.is_null() || !v.as_bool()) return Value::boolean(false);
  }
  return Value::boolean(true);
}

Result<Value> run_Anytrue(const Call& call, const Type& result) {
  bool unknown = false;
  for (const Value& v : call[0].elements()) {
    if (v.is_unknown())
      unknown = true;
    else if (!v.is_null() && v.as_bool())
      return Value::boolean(true);
  }
  return unknown ? Value::unknown(result) : Value::boolean(false);
}

Result<Type> type_Coalesce(const Call& call) {
  std::vector<Type> types;
  for (const Value& v : call.arguments) types.push_back(v.type());
  std::optional<Type> common = unify(types, false);
  if (!common)
    return call.wrong_type(-1,
                           types.empty() ? "at least one argument is required" : "all arguments must be of one type");
  return *common;
}

Result<Value> run_Coalesce(const Call& call, const Type& result) {
  for (size_t i = 0; i < call.size(); ++i) {
    Result<Value> v = call.converted(static_cast<int>(i), call[i], result);
    if (!v) return v;
    if (v->is_unknown()) return Value::unknown(result);
    if (v->is_null() || (v->kind() == ValueKind::String && v->as_string().empty())) continue;
    return v;
  }
  return call.fault(-1, "every argument is null or an empty string");
}

namespace {

// The sets' common element type. Empty sets of no type say nothing.
Result<Type> operation_type(const Call& call) {
  std::vector<Type> elements;
  for (const Value& v : call.arguments) {
    // Where a set's own type is not known, nor is the result's.
    if (v.has_type(TypeKind::Dynamic)) return Type::set(Type());
    Type element = v.type().element();
    if (v.is_known() && !v.is_null() && v.length() == 0 && element.is_dynamic()) continue;
    elements.push_back(std::move(element));
  }
  if (elements.empty()) return Type::set(Type());
  std::optional<Type> common = unify(elements, false);
  if (!common) return call.wrong_type(-1, "the sets must have elements of one type");
  return Type::set(std::move(*common));
}

// Up to the first that is not wholly known, where `known` asks for such only.
Result<std::vector<Value>> converted_sets(const Call& call, const Type& result, bool known) {
  std::vector<Value> sets;
  for (size_t i = 0; i < call.size(); ++i) {
    PRAVO_TRY(set, call.converted(static_cast<int>(i), call[i], result));
    sets.push_back(std::move(set));
    if (known && !sets.back().is_wholly_known()) return sets;
    // Where parts of the common type are open, sets may still differ in them.
    if (!(sets.back().type() == sets[0].type()))
      return call.wrong_type(static_cast<int>(i), "the sets must have elements of one type");
  }
  return sets;
}

struct HashValue {
  size_t operator()(const Value* v) const { return v->hash(); }
};
struct SameValue {
  bool operator()(const Value* a, const Value* b) const { return same_element(*a, *b); }
};
using Members = std::unordered_set<const Value*, HashValue, SameValue>;

Members members(const Value& set) {
  Members out;
  out.reserve(set.length());
  for (const Value& v : set.elements()) out.insert(&v);
  return out;
}

// The first set without the elements that the others do not have (keep), or do have (drop).
Result<Value> filtered(const Call& call, const Type& result, bool keep) {
  PRAVO_TRY(sets, converted_sets(call, result, true));
  if (!sets.back().is_wholly_known()) return Value::unknown(result);
  std::vector<Value> left(sets[0].elements().begin(), sets[0].elements().end());
  for (size_t i = 1; i < sets.size(); ++i) {
    Members others = members(sets[i]);
    std::erase_if(left, [&](const Value& v) { return (others.count(&v) > 0) != keep; });
  }
  return Value::set(sets[0].type().element(), std::move(left));
}

}  // namespace

Result<Type> type_Setunion(const Call& call) { return operation_type(call); }
Result<Type> type_Setintersection(const Call& call) { return operation_type(call); }
Result<Type> type_Setsubtract(const Call& call) { return operation_type(call); }

Result<Value> run_Setunion(const Call& call, const Type& result) {
  PRAVO_TRY(sets, converted_sets(call, result, false));
  std::vector<Value> all;
  for (const Value& set : sets) {
    all.insert(all.end(), set.elements().begin(), set.elements().end());
    if (all.size() > kMaxElements) return too_many_elements();
  }
  return Value::set(sets[0].type().element(), std::move(all));
}

Result<Value> run_Setintersection(const Call& call, const Type& result) { return filtered(call, result, true); }
Result<Value> run_Setsubtract(const Call& call, const Type& result) { return filtered(call, result, false); }

// --- setproduct

Result<Type> type_Setproduct(const Call& call) {
  if (call.size() < 2) return call.fault(-1, "at least two sets or lists are required", {}, EvalErrorKind::Call);
  bool lists = true;
  std::vector<Type> elements;
  for (size_t i = 0; i < call.size(); ++i) {
    Type type = call[i].type();
    if (type.kind() == TypeKind::Set || type.kind() == TypeKind::List) {
      lists = lists && type.kind() == TypeKind::List;
      elements.push_back(type.element());
    } else if (type.kind() == TypeKind::Tuple) {
      std::optional<Type> one = type.elements().empty() ? Type() : unify(type.elements(), false);
      if (!one) return call.wrong_type(static_cast<int>(i), "all elements must be of one type");
      elements.push_back(std::move(*one));
    } else {
      return call.wrong_type(static_cast<int>(i),
                             fmt::format("a set or list is required, but this is {}", described(type)));
    }
  }
  Type tuple = Type::tuple(std::move(elements));
  return lists ? Type::list(std::move(tuple)) : Type::set(std::move(tuple));
}

namespace {

// How many elements an argument has for sure, if that is known.
std::optional<size_t> known_length(const Value& v) {
  if (v.is_unknown()) return std::nullopt;
  if (v.kind() == ValueKind::Set && v.length() > 1 && !v.is_wholly_known()) return std::nullopt;
  return v.length();
}

Value unknown_product(const Call& call, const Type& result) {
  constexpr uint64_t kMaxBound = 2048;  // as Terraform: larger bounds are not worth saying
  uint64_t longest = 1;
  for (const Value& v : call.arguments) {
    uint64_t bound = UINT64_MAX;
    if (v.has_type(TypeKind::Tuple))
      bound = v.type().elements().size();
    else
      bound = v.without_marks().range().max_length;
    if (bound > 1024) return Value::unknown(result);
    longest *= bound;
    if (longest > kMaxBound) return Value::unknown(result);
  }
  Refinements known;
  known.not_null = true;
  known.min_length = longest == 0 ? 0 : 1;
  known.max_length = longest;
  return Value::unknown(result, std::move(known));
}

}  // namespace

Result<Value> run_Setproduct(const Call& call, const Type& result) {
  MarkSet marks = MarkSet::None;
  bool known = true;
  for (const Value& v : call.arguments) {
    marks |= v.marks();
    known = known && known_length(v).has_value();
  }
  if (!known) return unknown_product(call, result).with_marks(marks);

  size_t total = 1;
  for (const Value& v : call.arguments) {
    if (v.length() != 0 && total > kMaxElements / v.length()) return too_many_elements();
    total *= v.length();
  }
  uint64_t row_size = size_of(Value::tuple({})) + call.size() * sizeof(Value);
  if (!SizeCount().add(total, row_size)) return too_large_value();
  // Each argument's elements, of the type they have in the product.
  const Type& tuple = result.element();
  std::vector<std::vector<Value>> sides;
  if (total > 0) {
    for (size_t i = 0; i < call.size(); ++i) {
      std::vector<Value> side;
      for (const Value& v : call[i].elements()) {
        PRAVO_TRY(converted, call.converted(static_cast<int>(i), v, tuple.elements()[i]));
        side.push_back(std::move(converted));
      }
      sides.push_back(std::move(side));
    }
  }
  std::vector<Value> rows;
  rows.reserve(total);
  std::vector<size_t> at(call.size(), 0);
  for (size_t row = 0; row < total; ++row) {
    std::vector<Value> cells;
    cells.reserve(at.size());
    for (size_t i = 0; i < at.size(); ++i) cells.push_back(sides[i][at[i]]);
    rows.push_back(Value::tuple(std::move(cells)));
    for (size_t i = at.size(); i-- > 0;) {
      if (++at[i] < sides[i].size()) break;
      at[i] = 0;
    }
  }
  Type element = rows.empty() ? tuple : rows[0].type();
  for (const Value& row : rows)
    if (!has_exact_type(row, element)) return call.wrong_type(-1, "all elements of a list must be of one type");
  Value product =
      result.kind() == TypeKind::List ? Value::list(element, std::move(rows)) : Value::set(element, std::move(rows));
  return std::move(product).with_marks(marks);
}

}  // namespace pravo::functions
