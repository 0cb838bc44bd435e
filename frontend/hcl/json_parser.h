// Reads JSON with the place of everything; see parse_json() for the tree it makes. Strict (RFC 8259), but goes on
// after a fault.
#pragma once

#include "frontend/hcl/lexer.h"
#include "frontend/hcl/parse.h"

namespace pravo::hcl {

// Appends the nodes of the file's text to `tree` and returns the root value, which is an Error node where there is
// none.
NodeId parse_json_text(const SourceManager& sources, SyntaxTree& tree, JsonStrings strings, Diagnostics& diags);

// Parses the inside of a JSON string as HCL, as `kind` says, and appends its nodes to `tree`, with ranges in the
// JSON source.
struct JsonContent {
  NodeId root;
  bool fine;  // nothing was reported
};
JsonContent parse_json_content(const SourceManager& sources, SyntaxTree& tree, SourceRange content, TextKind kind,
                               Diagnostics& diags);

}  // namespace pravo::hcl
