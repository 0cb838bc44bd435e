// Which schema a block of a program has. A type whose provider is not known has none: then an attribute is taken for
// write-only when its name ends in `_wo`, as providers name them.
#pragma once

#include "ir/program.h"
#include "ir/schema.h"

namespace pravo::passes {

// The body of a resource, data or ephemeral block, or null where nothing is known. `source` may be null: built-in
// providers are known without.
const SchemaBlock* find_schema(const Program& program, const ResourceInfo& info, SchemaSource* source);

// The convention for write-only arguments.
inline bool is_write_only_name(std::string_view name) { return name.ends_with("_wo"); }

}  // namespace pravo::passes
