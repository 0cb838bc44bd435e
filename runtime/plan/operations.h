// What is done to one object, from values to values: the calls of its provider in their order, with every rule of
// docs/planning.md checked. Free of everything else, so that it can run on any thread. Values carry no marks here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/plan/change.h"
#include "runtime/plan/rules.h"
#include "runtime/provider/provider.h"
#include "runtime/state/state.h"

namespace pravo::runtime {

// What lifecycle arguments and options ask of a change.
struct ChangeOptions {
  std::vector<Path> ignore;
  bool ignore_all = false;
  bool create_before_destroy = false;
  ActionReason replace = ActionReason::None;  // ReplaceByRequest or ReplaceByTriggers: replace even without a change
};

// --- reading what exists

struct RefreshInput {
  std::string_view type;
  const Schema* schema = nullptr;
  const InstanceObject* recorded = nullptr;
  bool refresh = true;  // false: take what is recorded
};

struct RefreshOutput {
  bool failed = false;
  provider::Messages messages;
  Value recorded;  // by the schema; null where nothing is recorded
  Value current;   // what is there now; null: gone
  std::string private_data;
};

RefreshOutput refresh_object(provider::Provider& provider, const RefreshInput& input);

// --- planning

struct PlanInput {
  std::string_view type;
  const Schema* schema = nullptr;
  RefreshInput refresh;
  Value config;  // coerced; null: the object is to go
  ChangeOptions options;
};

struct PlanOutput {
  bool failed = false;
  provider::Messages messages;
  RefreshOutput refreshed;
  Action action = Action::NoOp;
  ActionReason reason = ActionReason::None;
  Value planned;
  std::vector<Path> replace_paths;
  std::string planned_private;
};

PlanOutput plan_object(provider::Provider& provider, const PlanInput& input);

// --- applying

struct ApplyInput {
  std::string_view type;
  const Schema* schema = nullptr;
  Action action = Action::NoOp;  // Create, Update, Delete, or the replace whose create half this is
  Value before;                  // null for a create
  Value config;                  // known now; null for a delete
  Value planned;                 // what the plan promised
  std::string prior_private;
  std::string planned_private;
  ChangeOptions options;
};

struct ApplyOutput {
  bool failed = false;
  provider::Messages messages;
  bool called = false;         // the provider was asked to change something
  std::optional<Value> state;  // what exists now; null value: nothing. Nothing: as before
  std::string private_data;
  bool tainted = false;
};

ApplyOutput apply_object(provider::Provider& provider, const ApplyInput& input);

// --- data sources

struct DataInput {
  std::string_view type;
  const Schema* schema = nullptr;
  Value config;
};

struct DataOutput {
  bool failed = false;
  provider::Messages messages;
  Value state;
};

DataOutput read_data(provider::Provider& provider, const DataInput& input);

}  // namespace pravo::runtime
