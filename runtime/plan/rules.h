// The planning rules (docs/planning.md): functions over schemas and values that hold for every provider. Values
// carry no marks here. A fault of a provider comes back as sentences, each with the path it speaks of; none quotes a
// value.
#pragma once

#include <string>
#include <vector>

#include "ir/schema.h"
#include "ir/value.h"
#include "runtime/plan/change.h"
#include "runtime/provider/provider.h"

namespace pravo::runtime {

// The configuration of a block as an object of its schema's type: values converted, what is left out null or empty.
// `config` is the object that the block's body evaluates to, nested blocks as tuples of objects (unknown: a `dynamic`
// block of unknown length); marks stay. Faults are messages with paths; the result is then of no use.
Value coerce_config(const SchemaBlock& schema, const Value& config, provider::Messages& messages);

// What the provider is asked to plan: the configuration, and the prior object where that leaves the value to the
// provider. An unknown prior (data sources, ephemerals) leaves it unknown.
Value proposed_new(const SchemaBlock& schema, const Value& prior, const Value& config);

// `config` with the parts that `lifecycle.ignore_changes` names as they are in `prior`.
Value ignore_changes(const Value& prior, const Value& config, std::span<const Path> paths);
// With `all`: the prior object as if it were the configuration.
Value ignore_all_changes(const SchemaBlock& schema, const Value& prior);

// What is wrong with a planned object, given what was proposed from `prior` and `config`.
std::vector<std::string> plan_faults(const SchemaBlock& schema, const Value& prior, const Value& config,
                                     const Value& planned);

// Why `actual` is not what `planned` promised: known parts must be equal, unknown ones may be anything that fits.
std::vector<std::string> compatibility_faults(const SchemaBlock& schema, const Value& planned, const Value& actual);

// Whether a value is of the schema's type, and its write-only attributes are null.
std::vector<std::string> shape_faults(const SchemaBlock& schema, const Value& value);

// The paths among `requires_replace` that count: whose values differ (or may), and write-only ones. An invalid path
// is a fault.
std::vector<Path> effective_replace_paths(const SchemaBlock& schema, std::span<const Path> requires_replace,
                                          const Value& prior, const Value& planned, std::vector<std::string>& faults);

// The part of a value that a path leads to, or null.
const Value* follow_path(const Value& value, std::span<const PathStep> path);

}  // namespace pravo::runtime
