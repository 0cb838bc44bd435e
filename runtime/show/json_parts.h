// Pieces that the JSON of states and that of plans share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/run.h"
#include "runtime/show/json_shapes.h"

namespace pravo::runtime {

// An entry of a module's `resources`. `order` tells several objects of one address apart.
struct ModuleResource {
  InstanceAddress address;
  std::string order;
  std::function<void(JsonWriter&)> write;
};

// The tree of modules with their resources, from the root.
void write_modules(JsonWriter& w, std::vector<ModuleResource> resources);
void write_resource_head(JsonWriter& w, const InstanceAddress& address, std::string_view provider);
void write_output_value(JsonWriter& w, const Value& value, bool sensitive);
void write_state_values(JsonWriter& w, const State& state, RegistrySchemas& schemas);
void write_checks(JsonWriter& w, const std::vector<CheckRecord>& checks);
// What an object is; without a schema (null) what its JSON says.
Value object_value(const InstanceObject& object, const Schema* schema);

}  // namespace pravo::runtime
