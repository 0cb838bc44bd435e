// The two parsers that are compiled from the one that ANTLR generates from grammar/Hcl.g4. They differ in the base
// class of the generated code: the strict one (parser_fast.cpp) knows only "right" and "wrong" and is fast; the
// tolerant one (parser_recover.cpp) has ANTLR's own machinery below it, explains each fault and goes on behind it.
#pragma once

#include <string_view>
#include <vector>

#include "frontend/hcl/lexer.h"
#include "frontend/hcl/syntax.h"
#include "frontend/hcl/token.h"
#include "frontend/hcl/tree_builder.h"

namespace pravo::hcl {

class SyntaxErrors;

struct ParserInput {
  std::string_view text;
  TextKind kind;
  TemplateForm file_form;  // of a text that is a template
  TokenList& tokens;
  BuilderStacks& stacks;  // memory to work with; its `result` is an output
  Words& words;           // nodes are appended
};

// The root of the text's tree, or invalid when the text has a fault (`words` then holds remains). `lexer` has started
// the text and makes `tokens` while they are parsed.
NodeId parse_strict(const ParserInput& input, Lexer& lexer);

// The root of the tree of what could be parsed; faults are reported. `lexer` has made all tokens in tolerant mode.
// May change `tokens`: it is how a repair is done.
NodeId parse_tolerant(const ParserInput& input, const Lexer& lexer, SyntaxErrors& errors);

}  // namespace pravo::hcl
