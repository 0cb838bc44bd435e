// Says what is wrong where the tolerant parser cannot go on. Knows the language and how it is usually mistyped;
// knows nothing of the parser.
#pragma once

#include <cstdint>
#include <string_view>

#include "frontend/hcl/token.h"
#include "frontend/hcl/tree_builder.h"

namespace pravo::hcl {

class SyntaxErrors;

// What is being read.
enum class Construct : uint8_t {
  File,         // items of a file
  Body,         // items of a block
  Item,         // what follows the first name of an argument or a block
  ItemEnd,      // the end of the line of an item
  Label,        // labels of a block
  Expression,   // an expression or an operand
  Conditional,  // behind the first arm
  Call,         // arguments
  Parentheses,
  Postfix,  // what follows `.` or `[`
  Tuple,
  Object,
  ObjectItem,  // what follows a key
  ForTuple,
  ForObject,
  ForNames,       // between `for` and `in`
  ForCollection,  // between `in` and `:`
  Quoted,         // parts of a quoted template
  Heredoc,
  TemplateFile,
  Sequence,       // the end of `${ ... }` or `%{ ... }`
  Directive,      // what an `if` or `for` of a template consists of
  LoneExpression  // the end of a text that is an expression
};

struct FaultSite {
  std::string_view text;
  const TokenKind* kinds;
  const TokenSpan* spans;
  size_t at;     // the token that does not fit
  size_t start;  // the first token of the construct
  Construct construct;
  TokenKind wanted;  // None: more than one would do

  TokenKind kind(size_t token) const { return kinds[token]; }
  TokenKind found() const { return kinds[at]; }
  TokenKind previous() const { return at == 0 ? TokenKind::None : kinds[at - 1]; }
  std::string_view text_of(size_t token) const {
    return text.substr(spans[token].begin, spans[token].end - spans[token].begin);
  }
};

// Reports the fault.
void explain_fault(const FaultSite& site, SyntaxErrors& errors);

// Reports what the builder refuses; `at` is the token concerned.
void explain_tree_fault(TreeFault fault, const FaultSite& site, SyntaxErrors& errors);

}  // namespace pravo::hcl
