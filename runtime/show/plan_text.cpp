#include <algorithm>

#include <fmt/format.h>

#include "runtime/plan/rules.h"
#include "runtime/show/diff.h"
#include "runtime/show/show.h"

namespace pravo::runtime {

namespace {

struct ActionLook {
  std::string_view symbol;  // three columns
  std::string_view color;
  std::string_view legend;
  std::string_view sentence;  // "ADDRESS ..."
};

ActionLook look(Action action) {
  switch (action) {
    case Action::NoOp:
      return {"   ", "", "", "stays as it is"};
    case Action::Create:
      return {"  +", "\033[32m", "create", "will be created"};
    case Action::Read:
      return {" <=", "\033[36m", "read (data sources)", "will be read during apply"};
    case Action::Update:
      return {"  ~", "\033[33m", "update in-place", "will be updated in-place"};
    case Action::DeleteThenCreate:
      return {"-/+", "\033[31m", "destroy and then create replacement", "must be replaced"};
    case Action::CreateThenDelete:
      return {"+/-", "\033[32m", "create replacement and then destroy", "must be replaced"};
    case Action::Delete:
      return {"  -", "\033[31m", "destroy", "will be destroyed"};
    case Action::Forget:
      return {"  .", "\033[90m", "forget", "will be forgotten, but not destroyed"};
  }
  PRAVOC_UNREACHABLE();
}

std::string reason_sentence(const InstanceChange& change) {
  const InstanceAddress& address = change.address;
  switch (change.reason) {
    case ActionReason::None:
    case ActionReason::ReplaceBecauseCannotUpdate:
      return change.deposed.empty() ? std::string() : "left over from an earlier replacement";
    case ActionReason::ReplaceBecauseTainted:
      return "it is tainted";
    case ActionReason::ReplaceByRequest:
      return "as requested with -replace";
    case ActionReason::ReplaceByTriggers:
      return "because of replace_triggered_by";
    case ActionReason::DeleteBecauseNoResourceConfig:
      return fmt::format("because {} is not in configuration", address.resource.local_text());
    case ActionReason::DeleteBecauseNoModule:
      return fmt::format("because {} is not in configuration", address.resource.module->text());
    case ActionReason::DeleteBecauseWrongRepetition:
      switch (address.key.kind) {
        case InstanceKey::Kind::None:
          return "because the resource uses count or for_each now";
        case InstanceKey::Kind::Number:
          return "because the resource does not use count";
        case InstanceKey::Kind::String:
          return "because the resource does not use for_each";
      }
      PRAVOC_UNREACHABLE();
    case ActionReason::DeleteBecauseCountIndex:
      return fmt::format("because index {} is out of range for count", address.key.to_string());
    case ActionReason::DeleteBecauseEachKey:
      return fmt::format("because key {} is not in for_each map", address.key.to_string());
    case ActionReason::ReadBecauseConfigUnknown:
      return "config refers to values not yet known";
    case ActionReason::ReadBecauseDependencyPending:
      return "depends on a resource or a module with changes pending";
    case ActionReason::ReadBecauseCheckNested:
      return "to verify the conditions of a check block";
  }
  PRAVOC_UNREACHABLE();
}

// Whether only what is sensitive changes.
bool only_marks_change(const InstanceChange& change) {
  return change.action == Action::Update &&
         change.before.without_deep_marks().equals_raw(change.after.without_deep_marks());
}

std::vector<NamedChange> attributes_of(const Value& before, const Value& after) {
  std::vector<NamedChange> parts;
  const Value& shape = after.is_compound() ? after : before;
  if (!shape.is_compound()) return parts;
  for (size_t i = 0; i < shape.length(); ++i) {
    std::string name(shape.key(i).view());
    parts.push_back(
        {name, before.is_compound() ? before.find(name) : nullptr, after.is_compound() ? after.find(name) : nullptr});
  }
  return parts;
}

std::string render_change(const InstanceChange& change, const RenderOptions& options) {
  ActionLook how = look(change.action);
  std::string out = "  ";
  std::string header = fmt::format("# {}", change.address.to_string());
  if (!change.deposed.empty()) header += fmt::format(" (deposed object {})", change.deposed);
  if (change.reason == ActionReason::ReplaceBecauseTainted) header += " is tainted, so it";
  header += fmt::format(" {}", how.sentence);
  out += options.color ? fmt::format("\033[1m{}\033[0m", header) : header;
  out += '\n';
  std::string reason = change.reason == ActionReason::ReplaceBecauseTainted ? "" : reason_sentence(change);
  if (!reason.empty()) out += fmt::format("  # ({})\n", reason);
  if (only_marks_change(change)) out += "  # (only what is sensitive changes, the values stay)\n";

  std::string_view block = change.address.resource.mode == ResourceMode::Data ? "data" : "resource";
  std::string symbol(how.symbol);
  if (options.color) symbol = fmt::format("{}{}\033[0m", how.color, how.symbol);
  out += fmt::format("{} {} \"{}\" \"{}\" {{\n", symbol, block, change.address.resource.type,
                     change.address.resource.name);
  TextTree tree(4, options.color);
  DiffOptions diff_options;
  diff_options.forces_replacement = [&](const Path& path) {
    return std::find(change.replace_paths.begin(), change.replace_paths.end(), path) != change.replace_paths.end();
  };
  Diff diff(tree, diff_options);
  Mark whole = change.action == Action::Create || change.action == Action::Read ? Mark::Create
               : change.action == Action::Delete                                ? Mark::Delete
                                                                                : Mark::None;
  std::vector<NamedChange> parts = attributes_of(change.action == Action::Read ? Value() : change.before, change.after);
  // What tells the object apart is shown even where it stays.
  Diff::Style style;
  style.skip_null = true;
  style.hide_unchanged = true;
  if (change.action == Action::Update) style.always = {"id", "name"};
  diff.members(parts, 1, whole, style);
  out += std::move(tree).take();
  out += "    }\n";
  return out;
}

std::string render_outputs_change(const std::vector<OutputChange>& outputs, const RenderOptions& options) {
  TextTree tree(0, options.color);
  Diff diff(tree, {});
  std::vector<Value> values;
  values.reserve(2 * outputs.size());
  size_t width = 0;
  for (const OutputChange& change : outputs)
    if (change.action != Action::NoOp) width = std::max(width, change.name.size());
  if (width == 0) return {};
  for (const OutputChange& change : outputs) {
    if (change.action == Action::NoOp) continue;
    Mark mark = change.action == Action::Create   ? Mark::Create
                : change.action == Action::Delete ? Mark::Delete
                                                  : Mark::Update;
    tree.line(1, mark);
    tree.text(fmt::format("{:<{}} = ", change.name, width));
    MarkSet marks = change.sensitive ? MarkSet::Sensitive : MarkSet::None;
    Value before = change.before.with_marks(marks);
    Value after = change.after.with_marks(marks);
    if (mark == Mark::Create) {
      diff.value(after, 1, mark);
    } else if (mark == Mark::Update) {
      diff.change(before, after, 1);
    } else {
      diff.value(before, 1, mark);
      tree.arrow();
      tree.text("null");
    }
  }
  return std::move(tree).take();
}

}  // namespace

std::string plan_summary(const Plan& plan) {
  PlanCounts counts = count_changes(plan);
  return fmt::format("Plan: {} to add, {} to change, {} to destroy.", counts.add, counts.change, counts.destroy);
}

std::string render_plan(const Plan& plan, const RenderOptions& options) {
  std::string out;
  auto bold = [&](std::string_view text) {
    return options.color ? fmt::format("\033[1m{}\033[0m", text) : std::string(text);
  };
  if (!plan.drift.empty()) {
    out += bold("Objects have changed outside of this configuration since the last apply:") + "\n\n";
    for (const InstanceChange& change : plan.drift) {
      InstanceChange drift = change;
      std::string text = render_change(drift, options);
      // What has happened already is told as such.
      std::string_view from = change.action == Action::Delete ? "will be destroyed" : "will be updated in-place";
      std::string_view to = change.action == Action::Delete ? "has been deleted" : "has changed";
      if (size_t at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
      out += text + "\n";
    }
  }
  bool acts = std::any_of(plan.changes.begin(), plan.changes.end(),
                          [](const InstanceChange& c) { return c.action != Action::NoOp; });
  if (acts) {
    out += "Resource actions are indicated with the following symbols:\n";
    for (Action action : {Action::Create, Action::Update, Action::Delete, Action::DeleteThenCreate,
                          Action::CreateThenDelete, Action::Read, Action::Forget}) {
      bool used = std::any_of(plan.changes.begin(), plan.changes.end(),
                              [&](const InstanceChange& c) { return c.action == action; });
      if (!used) continue;
      ActionLook how = look(action);
      out += options.color ? fmt::format("{}{}\033[0m {}\n", how.color, how.symbol, how.legend)
                           : fmt::format("{} {}\n", how.symbol, how.legend);
    }
    out += "\nThese actions will be performed:\n\n";
    for (const InstanceChange& change : plan.changes)
      if (change.action != Action::NoOp) out += render_change(change, options) + "\n";
    out += bold(plan_summary(plan)) + "\n";
  }
  std::string outputs = render_outputs_change(plan.outputs, options);
  if (!outputs.empty()) {
    if (acts) out += '\n';
    out += bold("Changes to Outputs:") + "\n" + outputs;
    if (!acts) out += "\nOnly output values change, no real objects.\n";
  }
  if (!acts && outputs.empty()) {
    if (plan.mode == PlanMode::Destroy)
      out += bold("No changes.") + " No objects need to be destroyed.\n";
    else
      out += bold("No changes.") + " The real objects are as the configuration says.\n";
  }
  return out;
}

}  // namespace pravo::runtime
