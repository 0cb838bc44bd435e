#include "tools/pravoc/json_ui.h"

#include <chrono>

#include <fmt/format.h>

#include "frontend/load/version.h"
#include "ir/diagnostics/lint.h"
#include "runtime/show/show.h"
#include "runtime/state/local_state.h"
#include "tools/pravoc/arguments.h"
#include "tools/pravoc/render_json.h"

namespace pravo::cli {

namespace {

using Json = nlohmann::ordered_json;
using Operation = runtime::Observer::Operation;
using runtime::Action;

constexpr std::string_view kUiVersion = "1.2";

std::string timestamp() {
  const auto now = std::chrono::system_clock::now();
  std::string text = runtime::format_utc(now);
  text.pop_back();  // the Z
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count() % 1'000'000;
  return fmt::format("{}.{:06}Z", text, micros);
}

Json key_json(const runtime::InstanceKey& key) {
  switch (key.kind) {
    case runtime::InstanceKey::Kind::None:
      return nullptr;
    case runtime::InstanceKey::Kind::Number:
      return key.number;
    case runtime::InstanceKey::Kind::String:
      return std::string(key.text.view());
  }
  PRAVOC_UNREACHABLE();
}

Json resource_json(const runtime::InstanceAddress& address) {
  const runtime::ResourceAddress& resource = address.resource;
  return Json{{"addr", address.to_string()},
              {"module", resource.module->text()},
              {"resource", resource.local_text() + address.key.to_string()},
              {"implied_provider", resource.type.substr(0, resource.type.find('_'))},
              {"resource_type", resource.type},
              {"resource_name", resource.name},
              {"resource_key", key_json(address.key)}};
}

std::string_view action_word(Action action) {
  switch (action) {
    case Action::NoOp:
      return "noop";
    case Action::Create:
      return "create";
    case Action::Read:
      return "read";
    case Action::Update:
      return "update";
    case Action::DeleteThenCreate:
    case Action::CreateThenDelete:
      return "replace";
    case Action::Delete:
      return "delete";
    case Action::Forget:
      return "remove";
  }
  PRAVOC_UNREACHABLE();
}

// The words of this format: those of plans without `replace_because_`.
std::string reason_text(runtime::ActionReason reason) {
  switch (reason) {
    case runtime::ActionReason::ReplaceBecauseTainted:
      return "tainted";
    case runtime::ActionReason::ReplaceByRequest:
      return "requested";
    case runtime::ActionReason::ReplaceByTriggers:
      return "replace_triggered_by";
    case runtime::ActionReason::ReplaceBecauseCannotUpdate:
      return "cannot_update";
    default:
      return std::string(runtime::action_reason_text(reason));
  }
}

Json counts_json(size_t add, size_t change, size_t remove, std::string_view operation) {
  return Json{{"add", add}, {"change", change}, {"import", 0}, {"remove", remove}, {"operation", operation}};
}

int64_t seconds_of(std::chrono::steady_clock::duration elapsed) {
  return std::chrono::duration_cast<std::chrono::seconds>(elapsed).count();
}

}  // namespace

void JsonUi::write(std::string_view level, const std::string& message, std::string_view type, Json payload) {
  Json line{{"@level", level}, {"@message", message}, {"@module", "terraform.ui"}, {"@timestamp", timestamp()}};
  for (auto& [key, value] : payload.items()) line[key] = value;
  line["type"] = type;
  // What is not UTF-8 has come from outside; a line must be readable all the same.
  session_.out().write(line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

JsonUi::JsonUi(Session& session) : session_(session) {
  write("info", fmt::format("pravoc {}", PRAVO_VERSION), "version",
        {{"pravoc", PRAVO_VERSION}, {"terraform", load::kLanguageVersion}, {"ui", kUiVersion}});
}

void JsonUi::report(const Compilation& compilation, const Diagnostics& diags) {
  JsonContext context{compilation.sources, compilation.prefix,
                      [&](SourceRange range) { return enclosing_block(compilation, range); }};
  for (const Diagnostic& diagnostic : diags.all()) {
    if (is_lint(diagnostic.kind)) continue;
    const bool error = diagnostic.severity == Severity::Error;
    write(error ? "error" : "warn", fmt::format("{}: {}", error ? "Error" : "Warning", diagnostic.message),
          "diagnostic", {{"diagnostic", diagnostic_to_json(context, diagnostic)}});
  }
}

void JsonUi::say(Severity severity, std::string_view text) {
  const bool error = severity == Severity::Error;
  write(error ? "error" : "warn", fmt::format("{}: {}", error ? "Error" : "Warning", text), "diagnostic",
        {{"diagnostic", {{"severity", error ? "error" : "warning"}, {"summary", text}, {"detail", ""}}}});
}

void JsonUi::fault(std::string_view text) { say(Severity::Error, text); }

void JsonUi::warning(std::string_view text) { say(Severity::Warning, text); }

// --- what is planned

void JsonUi::partly_planned(const runtime::Plan& plan) { changes(plan); }

void JsonUi::changes(const runtime::Plan& plan) {
  for (const runtime::InstanceChange& change : plan.drift)
    write("info", fmt::format("{}: changed outside ({})", change.address.to_string(), action_word(change.action)),
          "resource_drift",
          {{"change", {{"resource", resource_json(change.address)}, {"action", action_word(change.action)}}}});
  for (const runtime::InstanceChange& change : plan.changes) {
    if (change.action == Action::NoOp) continue;
    Json payload{{"resource", resource_json(change.address)}, {"action", action_word(change.action)}};
    if (change.reason != runtime::ActionReason::None) payload["reason"] = reason_text(change.reason);
    write("info",
          fmt::format("{}: plan to {}", object_label(change.address, change.deposed), action_word(change.action)),
          "planned_change", {{"change", std::move(payload)}});
  }
}

void JsonUi::planned(const runtime::Plan& plan) {
  changes(plan);
  if (!summaries_) return;
  runtime::PlanCounts counts = runtime::count_changes(plan);
  write("info", runtime::plan_summary(plan), "change_summary",
        {{"changes", counts_json(counts.add, counts.change, counts.destroy, "plan")}});
  if (plan.outputs.empty()) return;
  Json outputs = Json::object();
  for (const runtime::OutputChange& change : plan.outputs)
    outputs[change.name] = {{"sensitive", change.sensitive}, {"action", action_word(change.action)}};
  write("info", fmt::format("Outputs: {}", outputs.size()), "outputs", {{"outputs", std::move(outputs)}});
}

// --- what is done

void JsonUi::started(const Event& event) {
  std::string label = object_label(event.address, event.deposed);
  Json hook{{"resource", resource_json(event.address)}};
  const bool refresh = event.operation == Operation::Refresh;
  if (!refresh) hook["action"] = runtime::operation_text(event.operation);
  if (!event.id.empty()) {
    hook["id_key"] = "id";
    hook["id_value"] = std::string(event.id);
  }
  write("info", fmt::format("{}: {} begins", label, runtime::operation_text(event.operation)),
        refresh ? "refresh_start" : "apply_start", {{"hook", hook}});
  running_.add(event);
}

void JsonUi::completed(const Event& event) {
  std::string label = object_label(event.address, event.deposed);
  running_.remove(event);
  const bool refresh = event.operation == Operation::Refresh;
  Json hook{{"resource", resource_json(event.address)}};
  if (!refresh) hook["action"] = runtime::operation_text(event.operation);
  if (!event.id.empty() && event.operation != Operation::Delete) {
    hook["id_key"] = "id";
    hook["id_value"] = std::string(event.id);
  }
  if (!refresh) hook["elapsed_seconds"] = seconds_of(event.elapsed);
  write("info",
        fmt::format("{}: {} complete after {}s", label, runtime::operation_text(event.operation),
                    seconds_of(event.elapsed)),
        refresh ? "refresh_complete" : "apply_complete", {{"hook", std::move(hook)}});
}

void JsonUi::errored(const Event& event) {
  std::string label = object_label(event.address, event.deposed);
  running_.remove(event);
  // A refresh that fails ends in a diagnostic, and in no line of its own.
  if (event.operation == Operation::Refresh) return;
  write("info",
        fmt::format("{}: {} failed after {}s", label, runtime::operation_text(event.operation),
                    seconds_of(event.elapsed)),
        "apply_errored",
        {{"hook",
          {{"resource", resource_json(event.address)},
           {"action", runtime::operation_text(event.operation)},
           {"elapsed_seconds", seconds_of(event.elapsed)}}}});
}

void JsonUi::tick() {
  if (int count = interrupts_.take(); count > 0)
    write("warn",
          count == 1 ? "interrupted: nothing new is started, what runs is waited for"
                     : "interrupted again: providers are asked to stop",
          "log", Json::object());
  for (const RunningOperation& running : running_.take_long_ones()) {
    // There is no line for a refresh that takes long.
    if (running.operation == Operation::Refresh) continue;
    std::string_view action = runtime::operation_text(running.operation);
    write("info", fmt::format("{}: {} still runs, {}s so far", running.label, action, running.told.count()),
          "apply_progress",
          {{"hook",
            {{"resource", resource_json(running.address)},
             {"action", action},
             {"elapsed_seconds", running.told.count()}}}});
  }
}

void JsonUi::applied(const runtime::ApplyResult& result, bool destroy) {
  std::string_view how = result.interrupted ? "interrupted" : result.ok ? "complete" : "stopped after errors";
  if (summaries_)
    write("info",
          fmt::format("{} {}: {} added, {} changed, {} destroyed", destroy ? "Destroy" : "Apply", how, result.added,
                      result.changed, result.destroyed),
          "change_summary",
          {{"changes", counts_json(result.added, result.changed, result.destroyed, destroy ? "destroy" : "apply")}});
  if (!result.ok || destroy || result.state.outputs.empty()) return;
  Json outputs = Json::object();
  for (const auto& [name, output] : result.state.outputs) {
    Json shown{{"sensitive", output.sensitive}, {"type", Json::parse(output.value.type().to_json())}};
    if (!output.sensitive) shown["value"] = Json::parse(runtime::output_json(output));
    outputs[name] = std::move(shown);
  }
  write("info", fmt::format("Outputs: {}", outputs.size()), "outputs", {{"outputs", std::move(outputs)}});
}

}  // namespace pravo::cli
