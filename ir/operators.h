// The meaning of the language's operators, as HCL and cty define it: nulls, unknowns with their refinements,
// conversions of operands, marks. An error's `argument` is the operand at fault, from 0. Folding and the
// interpreter both call these.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/convert.h"
#include "ir/limits.h"
#include "ir/value.h"

namespace pravo {

enum class BinaryOp : uint8_t {
  Or,
  And,
  Equal,
  NotEqual,
  Less,
  Greater,
  LessEqual,
  GreaterEqual,
  Add,
  Subtract,
  Multiply,
  Divide,
  Modulo,
};
enum class UnaryOp : uint8_t { Negate, Not };

std::string_view symbol(BinaryOp op);  // "||"
std::string_view symbol(UnaryOp op);
// The type of an operator's result: bool or number.
Type result_type(BinaryOp op);

// Both operands are evaluated before: `&&` and `||` do not short-circuit in Terraform 1.11, and `false && unknown`
// is unknown there.
Result<Value> binary(BinaryOp op, const Value& left, const Value& right);
Result<Value> unary(UnaryOp op, const Value& operand);
// `==` of any two values: types must be equal for true, null equals null of any type; unknown where unknowns decide.
Value equals(const Value& left, const Value& right);

// `"a${b}c"`: the parts, literal ones as strings, joined. One part alone is returned as it is (a template that is
// only an interpolation yields its value unchanged; do not call this for quoted text without interpolation).
// `argument` of an error is the part's index. Unknown parts give an unknown string with the known prefix.
Result<Value> join_template(std::span<const Value> parts);
// What a `%{for}` or `%{if}` yields: strings of a list or tuple run together.
Result<Value> join_strings(const Value& sequence);

// `collection[key]`, with lists, tuples (numbers), maps and objects (strings). Marks of both join the result's.
Result<Value> index(const Value& collection, const Value& key);
// `value.name` of an object or map.
Result<Value> attribute(const Value& value, std::string_view name);

// `[a, b]` and `{ k = v }` as an expression builds them; these refuse what would nest too deep. A marked key
// marks the whole object. Of equal keys the last stays.
Result<Value> make_tuple(std::vector<Value> elements);
Result<Value> make_object(KeySet keys, std::vector<Value> values);
// With computed keys, which become strings; `argument` of an error is the entry's index.
Result<Value> make_object(std::vector<std::pair<Value, Value>> entries);

// `condition ? a : b`. Which arm to evaluate:
struct Choice {
  enum class Arm : uint8_t { True, False, Unknown } arm;
  MarkSet marks;  // of the condition
};
Result<Choice> choose(const Value& condition);
// The result. Both arms are given (the language checks that their types unify); an arm whose evaluation failed and
// that is not chosen may be passed as an unknown of the dynamic type. Marks of the condition and (as Terraform does
// since 1.9) of both arms join the result.
Result<Value> conditional(const Choice& choice, const Value& when_true, const Value& when_false);

// What a `for` or a splat iterates over. Its body is evaluated size() times, with value(i) bound.
struct Iteration {
  bool unknown = false;           // the source is unknown, and so is the result
  MarkSet marks = MarkSet::None;  // of the source itself; they join the result
  Value source;                   // unmarked; a list, set, map, tuple or object
  // Splats only. Where a splat has no elements to work on, its body is evaluated on unknown ones to learn its type.
  bool list = false;     // the result is a list, not a tuple
  bool probe = false;    // the elements are such unknown ones
  bool dynamic = false;  // whatever the body gives, the result is not known at all
  Refinements length;    // of an unknown list

  size_t size() const { return source.is_compound() ? source.length() : 0; }
  const Value& value(size_t i) const { return source.element(i); }
  Value key(size_t i) const;  // number, attribute name or map key, or for a set the element
};
// `for` over a list, set, map, tuple or object; null and other types are errors.
Result<Iteration> iterate(const Value& collection);
// A splat's source: a list, set or tuple as it is; null is no elements; any other value is its own one element.
Result<Iteration> iterate_splat(const Value& source);

// Collects `[for ...]`: yields in order. Conditions are booleans; unknown ones make the result unknown.
class ForList {
 public:
  explicit ForList(const Iteration& over);
  // What is wrong with a condition for whatever element, also where it is not known yet.
  static std::unique_ptr<EvalError> wrong_condition(const Value& condition);
  // Whether to evaluate and add the value of this step. Call it only where the for has an `if`.
  Result<bool> accept(const Value& condition);
  Result<bool> add(Value value);
  Result<Value> finish() &&;
  MarkSet marks() const { return marks_; }  // of the collection and the conditions

 private:
  std::vector<Value> values_;
  SizeCount size_;
  MarkSet marks_;
  bool unknown_;
};

// Collects `{for ... : k => v}` and with `group` `{for ... : k => v...}`.
class ForObject {
 public:
  ForObject(const Iteration& over, bool group);
  Result<bool> accept(const Value& condition);
  // Whether a key is known and fit to be one, so that the value beside it counts.
  static bool is_key(const Value& key);
  // A key becomes a string. `argument` of an error is 0: the key.
  Result<bool> add(const Value& key, Value value);
  // A key that was added twice is an error unless grouping. With `lenient` the first value stays.
  Result<Value> finish(bool lenient = false);
  MarkSet marks() const { return marks_; }  // of the collection, the conditions and the keys

 private:
  std::vector<std::pair<Str, Value>> entries_;
  SizeCount size_;
  MarkSet marks_;
  bool unknown_;
  bool group_;
};

// Collects a splat's results, one for each of the size() elements: a tuple, or for lists and sets a list.
Result<Value> splat_result(const Iteration& over, std::vector<Value> results);

}  // namespace pravo
