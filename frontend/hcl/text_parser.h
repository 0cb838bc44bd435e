// One text -> nodes: lexes and parses strictly, and once more tolerantly when that finds a fault.
#pragma once

#include <string_view>
#include <vector>

#include "frontend/hcl/lexer.h"
#include "frontend/hcl/syntax.h"

namespace pravo::hcl {

class SyntaxErrors;

// Appends the nodes of `text`, which ends with a NUL behind its last byte, to `words`, and returns the root: a Body,
// an expression or a Template, as `kind` says. The ranges of the nodes are offsets in `text`. There is always a
// root. The memory for tokens and stacks belongs to the thread and is used again by the next text.
NodeId parse_text(std::string_view text, TextKind kind, TemplateForm file_form, Words& words, SyntaxErrors& errors);

}  // namespace pravo::hcl
