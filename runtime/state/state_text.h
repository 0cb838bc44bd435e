// The state file's text.
#pragma once

#include <string>
#include <string_view>

#include "ir/diagnostics.h"
#include "runtime/state/state.h"

namespace pravo::runtime {

// The state in a file's text; an empty text is an empty state. `name` is what messages call the file. Nothing, after
// a diagnostic, when the text is damaged or of a version that is not understood.
std::optional<State> parse_state(std::string_view text, std::string_view name, Diagnostics& diags);

// The schema of a resource, as the type of its attributes in the file.
class StateSchemas {
 public:
  virtual ~StateSchemas() = default;
  // Null: not known (such an object has its attributes as text).
  virtual const SchemaBlock* find(const StateResource& resource) = 0;
};

// The file's text, byte for byte as Terraform writes the same state.
std::string format_state(const State& state, StateSchemas& schemas);

// A resource as the file's text has it, with this instance alone, in one line.
std::string format_instance(const StateResource& resource, const StateInstance& instance, StateSchemas& schemas);

// Resources in that form, as a state without anything else. Nothing, with the reason, where one is damaged.
std::optional<State> parse_resources(const std::vector<std::string_view>& resources, std::string& why);

}  // namespace pravo::runtime
