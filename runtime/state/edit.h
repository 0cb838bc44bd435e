// Changes of a state by hand: finding, forgetting and moving what it records. Nothing that exists is touched, and
// Terraform's rules hold for what may become what.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/diagnostics.h"
#include "runtime/address.h"
#include "runtime/state/state.h"

namespace pravo::runtime {

// The instances that a state records, also those of which only deposed objects are left, in the order of
// InstanceAddress.
std::vector<InstanceAddress> instances_of(const State& state);
// Those that a target names; none where there are none.
std::vector<InstanceAddress> instances_of(const State& state, const StateAddress& target);

// Reports that the state lacks what a user named, with the name that was probably meant.
void report_missing(const State& state, std::string_view address, Diagnostics& diags);

// Takes instances out, with their deposed objects; those that are not there are no fault.
void forget(State& state, std::span<const InstanceAddress> instances);

struct MovedObject {
  std::string from;
  std::string to;
};

// Moves what `source` names: a module with those in it, a resource, or an instance (a resource without count and
// for_each is its only instance). `to` may be `from` itself. What moved, one entry a module, resource or instance;
// nothing, after diagnostics, when it is refused, and then nothing has changed.
// Objects that depend on what moved lose their dependencies, which the next apply records anew.
std::optional<std::vector<MovedObject>> move_objects(State& from, State& to, const StateAddress& source,
                                                     const StateAddress& destination, Diagnostics& diags);

// Resources of provider `from` (its address, without alias) belong to provider `to`. The addresses of those that
// changed, sorted.
std::vector<std::string> replace_provider(State& state, std::string_view from, std::string_view to);

// Whether `pushed` may take the place of `current`, which is there: it has to be of the same lineage and newer, unless
// one of them has no lineage or there is nothing to lose. False after a diagnostic; `name` is what it calls the pushed
// one.
bool check_push(const State& current, const State& pushed, bool same_content, std::string_view name,
                Diagnostics& diags);

}  // namespace pravo::runtime
