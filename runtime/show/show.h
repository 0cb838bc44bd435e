// What people and programs are shown of states and plans. Everything here returns text; nothing is printed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/plan/plan.h"
#include "runtime/run.h"
#include "runtime/state/state.h"

namespace pravo::runtime {

struct RenderOptions {
  bool color = false;
};

// --- for people

// The changes of a plan with their differences, what happens to outputs, and the summary. Without any: a sentence
// that says so. Nothing sensitive is in it, only that it changes.
std::string render_plan(const Plan& plan, const RenderOptions& options);
// "Plan: 1 to add, 0 to change, 0 to destroy."
std::string plan_summary(const Plan& plan);
std::string render_state(const State& state, RegistrySchemas& schemas, const RenderOptions& options);
// One object of a state as its resource would be written, without what is null; `deposed` is empty for the current one.
std::string render_object(const InstanceAddress& address, const InstanceObject& object, std::string_view deposed,
                          const Schema* schema, const RenderOptions& options);
// `name = value` for each output; sensitive ones only by name.
std::string render_outputs(const State& state);
// One output as the console would print it.
std::string render_output(const StateOutput& output);
// A string, number or bool as it is, for scripts; nothing for anything else.
std::optional<std::string> raw_output(const StateOutput& output);

// --- for programs, as Terraform's JSON formats

// `show -json`: format_version 1.0
std::string state_json(const State& state, RegistrySchemas& schemas);
// `show -json PLAN`: format_version 1.2. `configuration` is the JSON of that name, which whoever has the source makes;
// empty: left out.
std::string plan_json(const Plan& plan, RegistrySchemas& schemas, std::string_view configuration);
// `output -json`, indented.
std::string outputs_json(const State& state);
// `output -json NAME`
std::string output_json(const StateOutput& output);

}  // namespace pravo::runtime
