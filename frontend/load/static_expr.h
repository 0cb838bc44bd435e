// Expressions that are read, not evaluated: references, keywords, lists of references. And the references that
// an expression makes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/load/context.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>

namespace pravo::load {

// One step of a reference: `.name`, `["key"]`, `[0]`.
struct ReferenceStep {
  enum class Kind : uint8_t {
    Attribute,
    StringKey,
    NumberKey,  // `text` is the number as written
    OtherKey,   // `[true]`, `[null]`: syntax allows them, no address does
    Computed,   // any other expression in brackets
  } kind = Kind::Attribute;
  std::string text;
  SourceRange range;  // from the dot or bracket on
};

// `root.step.step`, as far as it is constant.
struct Reference {
  std::string_view root;  // text of the source
  SourceRange root_range;
  llvm::SmallVector<ReferenceStep, 4> steps;
  SourceRange range;
  bool is_attribute(size_t step, std::string_view name) const {
    return step < steps.size() && steps[step].kind == ReferenceStep::Kind::Attribute && steps[step].text == name;
  }
};

// In JSON a string stands for an expression: the tree's node for what the string says, or the node itself where
// it is none. Reports what cannot be parsed; then invalid.
Expr static_view(FileContext& context, Expr expr);

// The expression as a reference, or nothing where it is more than that. `true`, `false` and `null` are names here.
// Reports nothing. With `computed` a key may be any expression.
std::optional<Reference> as_reference(const SourceManager& sources, Expr expr, bool computed = false);

// The one identifier that the expression is.
std::optional<std::string_view> as_keyword(const SourceManager& sources, Expr expr);

// The expression is a quoted string without `${`; its text.
std::optional<std::string> as_quoted_text(const SourceManager& sources, Expr expr);

// Visits each reference of the expression: those that start at a variable of the language rather than one that a
// `for` binds. A reference ends before a step that is computed; references inside that step are visited, too.
void each_reference(const SourceManager& sources, Expr expr, llvm::function_ref<void(const Reference&)> visit);

// Visits each function call (the whole call, and the range of its name).
void each_call(Expr expr, llvm::function_ref<void(SourceRange call, SourceRange name)> visit);

// The expression holds a node that could not be parsed.
bool has_error(Expr expr);

}  // namespace pravo::load
