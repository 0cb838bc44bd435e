// The built-in functions: one row each in functions.def, an evaluator each in functions/. A row says what a
// function takes, what it depends on besides its arguments, and how marks flow through it; check, folding, the
// interpreter and `pravoc functions` all read that one table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ir/eval_host.h"
#include "ir/type.h"
#include "ir/value.h"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace pravo {

enum class FunctionId : uint16_t {
#define PRAVO_FUNCTION(Name, name, parameters, result, purity, marks, since, doc) Name,
#include "ir/functions.def"
};

// What a result depends on besides the arguments.
enum class Purity : uint8_t {
  Pure,       // nothing: may be folded
  Files,      // files that the configuration names
  Template,   // files, and what the template calls
  Clock,      // unknown until apply
  PlanClock,  // the time of the plan, one for the run
  Random,     // unknown until apply
};

// How marks flow from arguments to the result, for the static pass. "Deep marks" of an argument: its own and those
// of everything inside; "own": those it carries itself. A tree is {whole, fields, each}. Unless a row says
// otherwise, the arguments that select (an index, a key, a size) add their deep marks to the result's whole.
enum class MarkTransfer : uint8_t {
  // Every argument's deep marks mark the whole result: what computes a scalar or mixes its arguments.
  Union,
  // No argument marks the result.
  Clean,
  // The result has argument 0's tree, converted to the result's type: tolist, tomap, tostring. A set has no
  // elements' marks, so toset takes deep marks as whole.
  Convert,
  // Argument 0 is a sequence and the result holds some or all of its elements, perhaps in another order or nested
  // (reverse, slice, chunklist): whole is argument 0's own; each is the join of its elements' trees.
  Elements,
  // The result is one element of argument 0: the join of its elements' trees (the one's where a constant index
  // says which), argument 0's own marks.
  Element,
  // lookup(map, key, default): the tree of the entry with that constant key, or the join of all entries'; joined
  // with the default's tree; whole also gets the map's own and the key's deep marks.
  Lookup,
  // merge(maps...): field by field, the last argument that has it wins (where an argument's fields are not all
  // known, join); whole is every argument's own marks.
  Merge,
  // concat(lists...): the elements one after the other; whole is every argument's own marks.
  Concat,
  // keys(map): argument 0's own marks only.
  Own,
  // values(map): the fields' trees, in key order, as elements; whole is argument 0's own marks.
  Values,
  // zipmap(keys, values): whole is the deep marks of the keys and the values' own; fields are the elements of
  // values (by key where the keys are constant, else each).
  Zipmap,
  // assumeequal(value, expected): the tree of argument 1.
  Second,
  // flatten(list): whole is the own marks of argument 0 and of every sequence inside it; each is the join of the
  // trees of what is no sequence.
  Flatten,
  // setproduct(sets...): whole is every argument's own marks; each.each is the join of the elements' trees. Of a set
  // result (an argument is a set) all deep marks are whole.
  Product,
  // try(expressions...): the join of the trees of all arguments up to the first that cannot fail.
  Try,
  // sensitive(value): argument 0's tree with the sensitive mark on whole.
  AddSensitive,
  // nonsensitive(value): argument 0's tree without the sensitive mark on whole; a declassifier.
  RemoveSensitive,
  // ephemeralasnull(value): argument 0's tree without any ephemeral mark; a declassifier.
  RemoveEphemeral,
};

struct Parameter {
  std::string_view name;
  Type type;
  bool allow_null = false;     // else a null argument is an error
  bool allow_unknown = false;  // else an unknown argument makes the result unknown
  bool allow_dynamic = false;  // else an argument of the dynamic type makes the result unknown and dynamic
  bool allow_marked = false;   // the evaluator sees marks; else they are removed, and added to the result
};

struct FunctionInfo {
  FunctionId id;
  std::string_view name;
  std::vector<Parameter> parameters;
  std::optional<Parameter> variadic;  // any number more of these
  Type result;                        // dynamic where it depends on the arguments
  Purity purity;
  MarkTransfer marks;
  std::string_view since;  // first Terraform version that has it, or "OpenTofu 1.7"
  std::string_view doc;    // one line
  bool lazy = false;       // try, can: arguments are evaluated by the function; see evaluate_try()

  size_t min_arguments() const { return parameters.size(); }
  // The parameter that argument i belongs to; null if there is none.
  const Parameter* parameter(size_t i) const;
  // "format(format string, args dynamic...) dynamic"
  std::string signature() const;
};

std::span<const FunctionInfo> all_functions();  // sorted by name
const FunctionInfo& function_info(FunctionId id);
// By name, plain or as `core::name`.
std::optional<FunctionId> find_function(std::string_view name);

// Calls a function that is not lazy: checks the number of arguments, converts each to its parameter's type, treats
// nulls, unknowns and marks as the row says, evaluates, and adds marks and refinements to the result. To type a
// call statically, pass unknown values of the arguments' types. An error's `argument` is an index into `arguments`.
Result<Value> call_function(FunctionId id, std::span<const Value> arguments, EvalHost& host);

// try(...): evaluates arguments in order until one does not fail. An error of the kind Refused is handed on, since
// it says nothing of the expression.
Result<Value> evaluate_try(size_t count, llvm::function_ref<Result<Value>(size_t)> evaluate);
// can(...): whether evaluating does not fail.
Result<Value> evaluate_can(llvm::function_ref<Result<Value>()> evaluate);
// type(value), which only the console has: the text it prints.
std::string console_type(const Value& value);

}  // namespace pravo
