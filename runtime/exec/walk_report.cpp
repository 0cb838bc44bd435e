// How a walk speaks: what providers say, what happens, what conditions find.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ir/diagnostics/runtime.h"
#include "ir/misfit.h"
#include "ir/walk.h"
#include "runtime/diagnose.h"
#include "runtime/exec/object_parts.h"
#include "runtime/exec/walk.h"

namespace pravo::runtime {

std::string_view mode_words(ResourceMode mode) {
  switch (mode) {
    case ResourceMode::Managed:
      return "resource";
    case ResourceMode::Data:
      return "data source";
    case ResourceMode::Ephemeral:
      return "ephemeral resource";
  }
  PRAVOC_UNREACHABLE();
}

// --- providers

// Texts of marked strings in these values. Very short ones would be found everywhere, and say nothing.
std::vector<std::string> Walk::collect_secrets(std::span<const Value> values) const {
  constexpr size_t kShortest = 3;
  std::vector<std::string> out;
  for (const Value& value : values) {
    if (!any(value.deep_marks())) continue;
    std::vector<std::pair<const Value*, bool>> todo{{&value, false}};
    while (!todo.empty()) {
      auto [part, marked] = todo.back();
      todo.pop_back();
      marked |= any(part->marks());
      if (!marked && !any(part->deep_marks())) continue;
      if (part->kind() == ValueKind::String && marked && part->as_string().size() >= kShortest)
        out.emplace_back(part->as_string());
      if (part->kind() == ValueKind::Number && marked) {
        std::string text = part->as_number().to_string();
        if (text.size() >= kShortest) out.push_back(std::move(text));
      }
      if (!part->is_compound()) continue;
      for (const Value& element : part->elements()) todo.emplace_back(&element, marked);
      if (marked && (part->kind() == ValueKind::Map || part->kind() == ValueKind::Object))
        for (const Str& key : part->keys().all())
          if (key.view().size() >= kShortest) out.emplace_back(key.view());
    }
  }
  std::sort(out.begin(), out.end(), [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
  return out;
}

namespace {

// Takes secrets out of a provider's words: whole ones, and every run of kPart bytes or more that is part of one, since
// a secret may be a text around another (a script with a password in it), of which the provider quotes a piece.
void hide(std::string& text, const std::vector<std::string>& secrets) {
  constexpr size_t kPart = 5;
  std::vector<bool> hidden(text.size(), false);
  for (std::string_view secret : secrets) {
    std::string_view rest = text;
    size_t shortest = std::min(kPart, secret.size());
    for (size_t at = 0; at + shortest <= rest.size(); ++at) {
      if (secret.find(rest.substr(at, shortest)) == std::string_view::npos) continue;
      std::fill_n(hidden.begin() + static_cast<ptrdiff_t>(at), shortest, true);
    }
  }
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!hidden[i])
      out += text[i];
    else if (i == 0 || !hidden[i - 1])
      out += "(sensitive value)";
  }
  text = std::move(out);
}

// Where the configuration says what a path leads to; as far as it can be followed.
SourceRange range_of(const Program& program, const ModuleBody& body, InstId config, std::span<const PathStep> path,
                     SourceRange fallback) {
  SourceRange out = fallback;
  InstId at = config;
  for (const PathStep& step : path) {
    const Inst& inst = body.inst(at);
    if (inst.kind == OpKind::Object && step.kind != PathStep::Kind::Index) {
      std::span<const NameId> fields = body.fields(at);
      auto field = std::find_if(fields.begin(), fields.end(),
                                [&](NameId name) { return program.text(name) == step.name.view(); });
      if (field == fields.end()) break;
      auto operand = static_cast<uint32_t>(field - fields.begin());
      out = body.use_range(at, operand);
      at = body.operand(at, operand);
      continue;
    }
    bool sequence = inst.kind == OpKind::Blocks || inst.kind == OpKind::Tuple;
    if (!sequence || step.kind != PathStep::Kind::Index || step.index >= inst.operand_count) break;
    out = body.use_range(at, static_cast<uint32_t>(step.index));
    at = body.operand(at, static_cast<uint32_t>(step.index));
  }
  return out.valid() ? out : fallback;
}

}  // namespace

bool Walk::report(const provider::Messages& messages, const ModuleBody& body, InstId config, SourceRange fallback,
                  const std::string& address, std::span<const Value> secrets, bool as_warnings) {
  if (messages.empty()) return false;
  std::vector<std::string> hidden = collect_secrets(secrets);
  bool errors = false;
  for (const provider::Message& message : messages) {
    std::string summary = message.summary;
    std::string detail = message.detail;
    hide(summary, hidden);
    hide(detail, hidden);
    SourceRange range =
        config.valid() ? range_of(context_.program, body, config, message.attribute, fallback) : fallback;
    std::string text = summary;
    std::string place = path_to_string(message.attribute);
    if (!place.empty()) {
      hide(place, hidden);
      text = fmt::format("`{}`: {}", place.substr(place.front() == '.' ? 1 : 0), summary);
    }
    if (message.severity == Severity::Error && !as_warnings) {
      errors = true;
      diags_.emit(range, diag::ProviderError, text, detail).address(address);
    } else {
      diags_.emit(range, diag::ProviderWarning, text, detail).address(address);
      errors |= message.severity == Severity::Error;
    }
  }
  return errors;
}

std::string Walk::recorded_id(const InstanceObject& object, const SchemaBlock& block) const {
  if (context_.observer == nullptr || !context_.observer->wants_recorded_ids()) return {};
  for (const SchemaAttribute& attribute : block.attributes)
    if (attribute.name == "id" && attribute.sensitive) return {};
  if (object.value) return any(object.value->marks()) ? std::string() : std::string(id_of(*object.value));
  for (const PathMarks& part : object.sensitive)
    if (part.path.empty() || part.path.front().name.view() == "id") return {};
  auto attributes = nlohmann::json::parse(object.attributes_json, nullptr, false);
  if (!attributes.is_object()) return {};
  auto id = attributes.find("id");
  return id != attributes.end() && id->is_string() ? id->get<std::string>() : std::string();
}

void Walk::event_started(const InstanceAddress& address, std::string_view deposed, Observer::Operation operation,
                         std::string_view id) {
  if (context_.observer != nullptr) context_.observer->started({address, deposed, operation, id, {}});
}

void Walk::event_ended(const InstanceAddress& address, std::string_view deposed, Observer::Operation operation,
                       std::string_view id, std::chrono::steady_clock::time_point since, bool good) {
  if (context_.observer == nullptr) return;
  Observer::Event event{address, deposed, operation, id, std::chrono::steady_clock::now() - since};
  if (good)
    context_.observer->completed(event);
  else
    context_.observer->errored(event);
}

// --- configuration of an instance

bool Walk::is_recordable(const Value& value, SourceRange range, const std::string& address) {
  std::optional<std::string> infinite;
  value.walk([&](std::span<const PathStep> path, const Value& part) {
    if (!infinite && part.kind() == ValueKind::Number && part.as_number().is_infinite())
      infinite = path_to_string(Path(path.begin(), path.end()));
    return !infinite;
  });
  if (!infinite) return true;
  std::string place = infinite->empty() ? "the value" : fmt::format("`{}`", infinite->substr(infinite->front() == '.'));
  diags_.emit(range, diag::InfiniteNumber, place).address(address);
  return false;
}

bool Walk::evaluate_config(TaskId id, const ResourceInfo& info, const Schema& schema, Value& config, bool& failed) {
  Task task = tasks_[id];
  ModuleInstance& module = *task.module;
  const ModuleBody& body = module.body();
  InstId object = body.operand(info.inst, 0);
  Evaluated result = interpreter_.evaluate(module, object, task.row);
  if (!settle(id, result, failed)) return false;
  std::string where = address(module, task.item, task.row).to_string();
  if (!is_recordable(result.value, info.range, where)) {
    failed = true;
    return false;
  }
  if (any(result.value.deep_marks() & MarkSet::Ephemeral)) {
    // Only a write-only attribute may take what lives in one phase alone.
    for (const PathMarks& marked : result.value.unmark_with_paths().second) {
      if (!any(marked.marks & MarkSet::Ephemeral)) continue;
      const SchemaBlock* block = &schema.block;
      bool write_only = false;
      for (const PathStep& step : marked.path) {
        if (block == nullptr || step.kind != PathStep::Kind::Attribute) continue;
        if (const SchemaAttribute* attribute = block->attribute(step.name.view())) {
          write_only |= attribute->write_only;
          block = attribute->nested == nullptr ? nullptr : &attribute->nested->block;
        } else {
          const SchemaNestedBlock* nested = block->block(step.name.view());
          block = nested == nullptr ? nullptr : &nested->block;
        }
      }
      if (write_only) continue;
      diags_
          .emit(range_of(context_.program, body, object, marked.path, info.range), diag::EphemeralNotAllowed,
                "an attribute that is recorded in the state")
          .address(where);
      failed = true;
    }
    if (failed) return false;
  }
  provider::Messages messages;
  config = coerce_config(schema.block, result.value, messages);
  failed = report(messages, body, object, info.range, where, {&result.value, 1});
  return !failed;
}

// --- conditions

namespace {

struct Verdict {
  CheckStatus status = CheckStatus::Unknown;
  std::string message;  // of a condition that does not hold
  std::string invalid;  // of one that is neither true nor false: what it is
};

// What a condition's value and message come to. Nothing that is marked gets into the texts.
Verdict judge(const Evaluated& condition, const Evaluated* message) {
  Verdict out;
  if (condition.failed()) {
    out.status = CheckStatus::Error;
    return out;
  }
  if (condition.value.is_unknown()) return out;
  Result<Value> flag = convert(condition.value.without_marks(), Type::boolean());
  if (!flag.ok() || flag->is_null()) {
    out.status = CheckStatus::Error;
    if (any(condition.value.deep_marks()))
      out.invalid = "it is null, or a value of another type";
    else if (flag.ok())
      out.invalid = "it is null";
    else
      out.invalid = fmt::format("it is {}{}", described(condition.value.type()),
                                condition.value.kind() == ValueKind::String ? " other than `true` and `false`" : "");
    return out;
  }
  if (flag->as_bool()) {
    out.status = CheckStatus::Pass;
    return out;
  }
  out.status = CheckStatus::Fail;
  PRAVOC_CHECK(message != nullptr);
  if (message->failed()) {
    out.message = "the condition does not hold, and its message cannot be evaluated";
    return out;
  }
  const Value& text = message->value;
  if (any(text.deep_marks())) {
    out.message = any(text.deep_marks() & MarkSet::Ephemeral) ? "the message holds an ephemeral value and is not shown"
                                                              : "the message holds a sensitive value and is not shown";
    return out;
  }
  Result<Value> string = convert(text, Type::string());
  if (!string.ok() || string->is_null() || string->is_unknown()) {
    out.message = "the condition does not hold, and its message is not known";
    return out;
  }
  std::string_view view = string->as_string();
  size_t begin = view.find_first_not_of(" \t\r\n");
  size_t end = view.find_last_not_of(" \t\r\n");
  out.message = begin == std::string_view::npos ? "the condition does not hold" : view.substr(begin, end - begin + 1);
  return out;
}

}  // namespace

std::optional<Diagnostic> Walk::validated(ModuleInstance& module, uint32_t variable, InstId condition,
                                          const Evaluated& value, const Evaluated* message) {
  const ModuleBody& body = module.body();
  std::string_view name = context_.program.text(body.variables[variable].name);
  std::string local = fmt::format("var.{}", name);
  const std::string& scope = modules_[module.static_module].address;
  Checked checked{CheckKind::Variable, scope.empty() ? local : scope + "." + local,
                  module.path->is_root() ? local : module.path->text() + "." + local};
  Verdict verdict = judge(value, message);
  record_check(checked, verdict.status, verdict.message);
  SourceRange range = body.use_range(condition, 0);
  if (verdict.status == CheckStatus::Fail)
    return make_diagnostic(range, checked.object_address, diag::ValidationFailed, checked.object_address,
                           verdict.message);
  if (!verdict.invalid.empty())
    return make_diagnostic(range, checked.object_address, diag::ConditionInvalid, checked.object_address,
                           verdict.invalid);
  return std::nullopt;
}

Walk::Checked Walk::checked_instance(ModuleInstance& module, uint32_t resource, uint32_t row) {
  return {CheckKind::Resource, graph_.address(node(module, resource)), address(module, resource, row).to_string()};
}

Walk::ConditionOutcome Walk::evaluate_conditions(TaskId id, ModuleInstance& module, uint32_t row,
                                                 std::span<const InstId> conditions, ConditionKind kind,
                                                 const Checked& checked) {
  const ModuleBody& body = module.body();
  bool all_hold = true;
  for (InstId condition : conditions) {
    if (static_cast<ConditionKind>(body.inst(condition).flags) != kind) continue;
    bool failed = false;
    Evaluated value = interpreter_.evaluate(module, body.operand(condition, 0), row);
    bool warn = kind == ConditionKind::Assert;
    if (value.pending()) {
      settle(id, value, failed);
      return ConditionOutcome::Pending;
    }
    Evaluated message;
    if (value.ready() && !value.value.is_unknown()) {
      message = interpreter_.evaluate(module, body.operand(condition, 1), row);
      // A message is only needed where the condition fails, so what it waits for does not hold up one that holds.
      if (message.pending() && judge(value, &message).status == CheckStatus::Fail) {
        settle(id, message, failed);
        return ConditionOutcome::Pending;
      }
    }
    Verdict verdict = judge(value, &message);
    record_check(checked, verdict.status, verdict.message);
    SourceRange range = body.use_range(condition, 0);
    if (verdict.status == CheckStatus::Pass || verdict.status == CheckStatus::Unknown) continue;
    all_hold = false;
    if (value.failed()) {
      interpreter_.report(value.fault, diags_);
    } else if (!verdict.invalid.empty()) {
      diags_.emit(range, diag::ConditionInvalid, checked.object_address, verdict.invalid)
          .address(checked.object_address);
    } else if (warn) {
      diags_.emit(range, diag::CheckFailed, checked.object_address, verdict.message).address(checked.object_address);
    } else {
      diags_.emit(range, diag::ConditionFailed, condition_kind_text(kind), checked.object_address, verdict.message)
          .address(checked.object_address);
    }
  }
  return all_hold ? ConditionOutcome::Pass : ConditionOutcome::Fail;
}

void Walk::run_check(TaskId id) {
  Task task = tasks_[id];
  ModuleInstance& module = *task.module;
  const ModuleBody& body = module.body();
  const CheckInfo& info = body.checks[task.item];
  std::string local = fmt::format("check.{}", context_.program.text(info.name));
  const std::string& scope = modules_[module.static_module].address;
  Checked checked{CheckKind::Check, scope.empty() ? local : scope + "." + local,
                  module.path->is_root() ? local : module.path->text() + "." + local};
  std::vector<InstId> conditions;
  for (uint32_t operand : body.operand_indexes(info.inst)) conditions.emplace_back(operand);
  evaluate_conditions(id, module, 0, conditions, ConditionKind::Assert, checked);
}

void Walk::declare_checks() {
  for (uint32_t m = 0; m < modules_.size(); ++m) {
    const ModuleBody& body = modules_.body(m);
    std::string prefix = modules_[m].address.empty() ? "" : modules_[m].address + ".";
    auto text = [&](NameId name) { return context_.program.text(name); };
    for (const VariableInfo& v : body.variables)
      if (!v.validations.empty()) checks_[{CheckKind::Variable, fmt::format("{}var.{}", prefix, text(v.name))}];
    for (const OutputInfo& o : body.outputs)
      if (!o.preconditions.empty()) checks_[{CheckKind::Output, fmt::format("{}output.{}", prefix, text(o.name))}];
    for (const CheckInfo& c : body.checks) checks_[{CheckKind::Check, fmt::format("{}check.{}", prefix, text(c.name))}];
    for (uint32_t r = 0; r < body.resources.size(); ++r)
      if (!body.resources[r].conditions.empty()) checks_[{CheckKind::Resource, graph_.address(graph_.resource(m, r))}];
  }
}

void Walk::record_check(const Checked& checked, CheckStatus status, std::string message) {
  CheckObject& object = checks_[{checked.kind, checked.config_address}][checked.object_address];
  if (object.address.empty()) {
    object.address = checked.object_address;
    object.status = status;
  } else {
    // The worst of all conditions: error, fail, unknown, pass.
    auto weight = [](CheckStatus s) {
      return s == CheckStatus::Error ? 3 : s == CheckStatus::Fail ? 2 : s == CheckStatus::Unknown ? 1 : 0;
    };
    if (weight(status) > weight(object.status)) object.status = status;
  }
  if (!message.empty() && std::find(object.messages.begin(), object.messages.end(), message) == object.messages.end())
    object.messages.push_back(std::move(message));
}

std::vector<CheckRecord> Walk::take_checks() {
  std::vector<CheckRecord> out;
  for (auto& [key, objects] : checks_) {
    CheckRecord record;
    record.kind = key.first;
    record.address = key.second;
    record.status = objects.empty() ? CheckStatus::Unknown : CheckStatus::Pass;
    for (auto& [address, object] : objects) {
      if (object.status == CheckStatus::Error || record.status == CheckStatus::Error)
        record.status = CheckStatus::Error;
      else if (object.status == CheckStatus::Fail || record.status == CheckStatus::Fail)
        record.status = CheckStatus::Fail;
      else if (object.status == CheckStatus::Unknown)
        record.status = CheckStatus::Unknown;
      record.objects.push_back(std::move(object));
    }
    out.push_back(std::move(record));
  }
  return out;
}

}  // namespace pravo::runtime
