// What a plan says will happen to one object or output.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/value.h"
#include "runtime/address.h"

namespace pravo::runtime {

enum class Action : uint8_t { NoOp, Create, Read, Update, DeleteThenCreate, CreateThenDelete, Delete, Forget };

// Why the action is what it is, where that is not plain from the values.
enum class ActionReason : uint8_t {
  None,
  ReplaceBecauseTainted,
  ReplaceByRequest,
  ReplaceByTriggers,
  ReplaceBecauseCannotUpdate,
  DeleteBecauseNoResourceConfig,
  DeleteBecauseWrongRepetition,
  DeleteBecauseCountIndex,
  DeleteBecauseEachKey,
  DeleteBecauseNoModule,
  ReadBecauseConfigUnknown,
  ReadBecauseDependencyPending,
  ReadBecauseCheckNested,
};

constexpr bool is_replace(Action action) {
  return action == Action::DeleteThenCreate || action == Action::CreateThenDelete;
}

// The words of Terraform's JSON: {"no-op"}, {"delete", "create"}, ...
std::vector<std::string_view> action_words(Action action);
// "delete_because_count_index"; empty for None.
std::string_view action_reason_text(ActionReason reason);
std::optional<ActionReason> find_action_reason(std::string_view text);
// One word for saved plans: "create-then-delete".
std::string_view action_text(Action action);
std::optional<Action> find_action(std::string_view text);

struct InstanceChange {
  InstanceAddress address;
  std::string deposed;   // 8 hex digits of a deposed object; empty: the current one
  std::string provider;  // as ProviderConfigAddress
  Action action = Action::NoOp;
  ActionReason reason = ActionReason::None;
  // Objects of the schema's type with their marks; null: there is none. `after` may hold unknown parts.
  Value before;
  Value after;
  std::vector<Path> replace_paths;
  std::string planned_private;  // the provider's own data, handed back at apply
  uint64_t schema_version = 0;
};

struct OutputChange {
  std::string name;
  Action action = Action::NoOp;
  Value before;  // null: there is none
  Value after;
  bool sensitive = false;  // it is, or was
};

}  // namespace pravo::runtime
