// Reading the body of a block against a table of what it may hold: the same for native syntax and for JSON, where
// only the table can tell a nested block from an argument.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "frontend/load/context.h"
#include "frontend/load/schema.h"

#include <llvm/ADT/SmallVector.h>

namespace pravo::load {

// A body that was not read yet.
struct RawBody {
  hcl::NodeId node;     // native: Body; JSON: Object, Tuple of Objects, or Null
  SourceRange missing;  // where the absence of an argument is reported: the opening brace, in JSON the closing one
};

struct RawBlock {
  const BlockRow* row = nullptr;
  Name type;
  llvm::SmallVector<Name, 2> labels;
  SourceRange header;
  RawBody body;
};

struct Content {
  std::array<Attribute, kMaxArguments> arguments;  // one for each row of the schema; its value is invalid if absent
  std::vector<RawBlock> blocks;                    // in the order of the source
  Body rest;                                       // of an open schema
  const BodySchema* schema = nullptr;

  const Attribute* find(std::string_view name) const;  // null if absent
  Expr value(std::string_view name) const {
    const Attribute* found = find(name);
    return found == nullptr ? Expr{} : found->value;
  }
};

// Reads a body and reports what its schema does not have. `partial`: nothing is required (an override file adds to
// a block that is complete without it).
Content read_body(FileContext& context, const RawBody& body, const BodySchema& schema, bool partial = false);

// The body as it is, for a schema that is not known here.
Body read_open_body(FileContext& context, const RawBody& body);

// The file's own body.
RawBody file_body(FileContext& context);

// The body of a `_` block, whose arguments are never meta-arguments, joins `rest`.
void merge_escaped(FileContext& context, const RawBlock& block, Body& rest);

// Reports a name that is none. The label or key itself is the place.
bool check_identifier(FileContext& context, const Name& name, std::string_view what);

// Reports `second` as one too many; `first` is where the one is that may be.
void report_repeated_block(FileContext& context, const RawBlock& second, SourceRange first, std::string_view where);

}  // namespace pravo::load
