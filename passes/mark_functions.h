// How marks flow through the built-in functions: what each MarkTransfer of ir/functions.h means for trees.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ir/functions.h"
#include "passes/mark_tree.h"

namespace pravo::passes {

struct CallArgument {
  MarkTreeId tree;
  Type type;                        // dynamic where it is not known
  const Value* constant = nullptr;  // the argument's value where it is one of the text
  bool repeated = false;            // any number of such arguments: an expanded list of unknown length
  bool never_null = false;          // written as an object: merge() skips what is null
  // Of a tuple of constant strings: these as keys (zipmap).
  std::vector<FieldKey> keys;
};

// The tree of a call's result. `result` is its type. For try and flatten, which depend on how an argument is written
// and not on its tree alone, see mark_propagate.cpp.
MarkTreeId call_marks(MarkTrees& trees, Names& names, const FunctionInfo& function,
                      std::span<const CallArgument> arguments, const Type& result);

// The children of a value of type `type` (dynamic where unknown) as elements of a list, in order where it is known:
// their number, or nothing. Of a tuple its length, of an object its attributes.
std::optional<size_t> known_length(const Type& type);

}  // namespace pravo::passes
