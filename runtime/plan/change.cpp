#include "runtime/plan/change.h"

namespace pravo::runtime {

std::vector<std::string_view> action_words(Action action) {
  switch (action) {
    case Action::NoOp:
      return {"no-op"};
    case Action::Create:
      return {"create"};
    case Action::Read:
      return {"read"};
    case Action::Update:
      return {"update"};
    case Action::DeleteThenCreate:
      return {"delete", "create"};
    case Action::CreateThenDelete:
      return {"create", "delete"};
    case Action::Delete:
      return {"delete"};
    case Action::Forget:
      return {"forget"};
  }
  PRAVOC_UNREACHABLE();
}

std::string_view action_text(Action action) {
  switch (action) {
    case Action::NoOp:
      return "no-op";
    case Action::Create:
      return "create";
    case Action::Read:
      return "read";
    case Action::Update:
      return "update";
    case Action::DeleteThenCreate:
      return "delete-then-create";
    case Action::CreateThenDelete:
      return "create-then-delete";
    case Action::Delete:
      return "delete";
    case Action::Forget:
      return "forget";
  }
  PRAVOC_UNREACHABLE();
}

std::optional<Action> find_action(std::string_view text) {
  for (Action action : {Action::NoOp, Action::Create, Action::Read, Action::Update, Action::DeleteThenCreate,
                        Action::CreateThenDelete, Action::Delete, Action::Forget})
    if (action_text(action) == text) return action;
  return std::nullopt;
}

std::string_view action_reason_text(ActionReason reason) {
  switch (reason) {
    case ActionReason::None:
      return "";
    case ActionReason::ReplaceBecauseTainted:
      return "replace_because_tainted";
    case ActionReason::ReplaceByRequest:
      return "replace_by_request";
    case ActionReason::ReplaceByTriggers:
      return "replace_by_triggers";
    case ActionReason::ReplaceBecauseCannotUpdate:
      return "replace_because_cannot_update";
    case ActionReason::DeleteBecauseNoResourceConfig:
      return "delete_because_no_resource_config";
    case ActionReason::DeleteBecauseWrongRepetition:
      return "delete_because_wrong_repetition";
    case ActionReason::DeleteBecauseCountIndex:
      return "delete_because_count_index";
    case ActionReason::DeleteBecauseEachKey:
      return "delete_because_each_key";
    case ActionReason::DeleteBecauseNoModule:
      return "delete_because_no_module";
    case ActionReason::ReadBecauseConfigUnknown:
      return "read_because_config_unknown";
    case ActionReason::ReadBecauseDependencyPending:
      return "read_because_dependency_pending";
    case ActionReason::ReadBecauseCheckNested:
      return "read_because_check_nested";
  }
  PRAVOC_UNREACHABLE();
}

std::optional<ActionReason> find_action_reason(std::string_view text) {
  for (int i = 0; i <= static_cast<int>(ActionReason::ReadBecauseCheckNested); ++i)
    if (action_reason_text(static_cast<ActionReason>(i)) == text) return static_cast<ActionReason>(i);
  return std::nullopt;
}

}  // namespace pravo::runtime
