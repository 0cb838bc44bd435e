// A syntax tree as text, for tests and debugging.
#pragma once

#include <string>

#include "frontend/hcl/syntax.h"

namespace pravo::hcl {

// One S-expression: (Kind.op flags "text of a leaf" child...). With `ranges`, begin-end follow the kind.
// Example: (Body (Attribute (Name "a") (Binary.Add (Number "1") (Variable "b")))).
std::string to_text(const SourceManager& sources, const SyntaxTree& tree, NodeId node, bool ranges = false);
std::string to_text(const SourceManager& sources, const SyntaxTree& tree);

}  // namespace pravo::hcl
