#include <algorithm>
#include <map>

#include "runtime/show/json_parts.h"
#include "runtime/show/show.h"

namespace pravo::runtime {

namespace {

void write_path_json(JsonWriter& w, const Path& path) {
  w.open('[');
  for (const PathStep& step : path) {
    if (step.kind == PathStep::Kind::Index)
      w.number(step.index);
    else
      w.text(step.name.view());
  }
  w.close(']');
}

void write_change(JsonWriter& w, const InstanceChange& change) {
  w.open('{');
  w.key("actions");
  w.open('[');
  for (std::string_view word : action_words(change.action)) w.text(word);
  w.close(']');
  w.key("before");
  write_plain(w, change.before);
  w.key("after");
  write_plain(w, change.after);
  w.key("after_unknown");
  // As Terraform, which looks for unknown parts only where something happens.
  if (change.after.is_null() || change.action == Action::NoOp)
    w.raw("{}");
  else
    write_unknown_shape(w, change.after);
  w.key("before_sensitive");
  write_sensitive_shape(w, change.before);
  w.key("after_sensitive");
  write_sensitive_shape(w, change.after);
  if (!change.replace_paths.empty()) {
    w.key("replace_paths");
    w.open('[');
    for (const Path& path : change.replace_paths) write_path_json(w, path);
    w.close(']');
  }
  w.close('}');
}

void write_changes(JsonWriter& w, std::string_view name, const std::vector<InstanceChange>& changes) {
  if (changes.empty()) return;
  w.key(name);
  w.open('[');
  for (const InstanceChange& change : changes) {
    w.open('{');
    w.member("address", change.address.to_string());
    if (!change.address.resource.module->is_root()) w.member("module_address", change.address.resource.module->text());
    w.member("mode", change.address.resource.mode == ResourceMode::Data ? "data" : "managed");
    w.member("type", change.address.resource.type);
    w.member("name", change.address.resource.name);
    if (!change.address.key.is_none()) {
      w.key("index");
      write_plain(w, change.address.key.to_value());
    }
    std::optional<ProviderConfigAddress> config = ProviderConfigAddress::parse(change.provider);
    w.member("provider_name", config ? config->provider : change.provider);
    if (!change.deposed.empty()) w.member("deposed", change.deposed);
    w.key("change");
    write_change(w, change);
    if (change.reason != ActionReason::None) w.member("action_reason", action_reason_text(change.reason));
    w.close('}');
  }
  w.close(']');
}

void write_output_changes(JsonWriter& w, const std::vector<OutputChange>& outputs) {
  if (outputs.empty()) return;
  w.key("output_changes");
  w.open('{');
  for (const OutputChange& change : outputs) {
    w.key(change.name);
    w.open('{');
    w.key("actions");
    w.open('[');
    for (std::string_view word : action_words(change.action)) w.text(word);
    w.close(']');
    w.key("before");
    write_plain(w, change.before);
    if (!change.after.is_unknown()) {
      w.key("after");
      write_plain(w, change.after);
    }
    w.key("after_unknown");
    if (change.after.is_wholly_known())
      w.flag(false);
    else
      write_unknown_shape(w, change.after);
    w.key("before_sensitive");
    w.flag(change.sensitive);
    w.key("after_sensitive");
    w.flag(change.sensitive);
    w.close('}');
  }
  w.close('}');
}

// The state as it will be, as far as the plan knows.
void write_planned_values(JsonWriter& w, const Plan& plan) {
  w.open('{');
  std::vector<const OutputChange*> outputs;
  for (const OutputChange& change : plan.outputs)
    if (change.action != Action::Delete && !(change.action == Action::NoOp && change.after.is_null()))
      outputs.push_back(&change);
  if (!outputs.empty()) {
    w.key("outputs");
    w.open('{');
    for (const OutputChange* change : outputs) {
      w.key(change->name);
      w.open('{');
      w.key("sensitive");
      w.flag(change->sensitive);
      if (change->after.is_wholly_known()) {
        w.key("type");
        w.raw(change->after.type().to_json());
        w.key("value");
        write_plain(w, change->after);
      }
      w.close('}');
    }
    w.close('}');
  }
  std::vector<ModuleResource> resources;
  for (const InstanceChange& change : plan.changes) {
    if (change.after.is_null()) continue;
    resources.push_back({change.address, change.deposed, [&change](JsonWriter& out) {
                           out.open('{');
                           write_resource_head(out, change.address, change.provider);
                           out.key("schema_version");
                           out.number(change.schema_version);
                           out.key("values");
                           write_plain(out, change.after);
                           out.key("sensitive_values");
                           write_sensitive_shape(out, change.after);
                           out.close('}');
                         }});
  }
  w.key("root_module");
  write_modules(w, std::move(resources));
  w.close('}');
}

void write_variables(JsonWriter& w, const Plan& plan) {
  // In the order of names; of an ephemeral variable only that it has none can be said.
  std::map<std::string_view, const Value*> shown;
  static const Value null;
  for (const PlanVariable& variable : plan.variables) shown.emplace(variable.name, &variable.shown);
  for (const std::string& name : plan.ephemeral_null) shown.emplace(name, &null);
  if (shown.empty()) return;
  w.key("variables");
  w.open('{');
  for (const auto& [name, value] : shown) {
    w.key(name);
    w.open('{');
    w.key("value");
    write_plain(w, *value);
    w.close('}');
  }
  w.close('}');
}

}  // namespace

std::string plan_json(const Plan& plan, RegistrySchemas& schemas, std::string_view configuration) {
  std::string out;
  JsonWriter w(out);
  w.open('{');
  w.member("format_version", "1.2");
  w.member("terraform_version", kTerraformVersion);
  write_variables(w, plan);
  w.key("planned_values");
  write_planned_values(w, plan);
  write_changes(w, "resource_drift", plan.drift);
  write_changes(w, "resource_changes", plan.changes);
  write_output_changes(w, plan.outputs);
  if (!plan.prior.empty()) {
    w.key("prior_state");
    w.open('{');
    w.member("format_version", "1.0");
    w.member("terraform_version", kTerraformVersion);
    w.key("values");
    write_state_values(w, plan.prior, schemas);
    w.close('}');
  }
  if (!configuration.empty()) {
    w.key("configuration");
    w.raw(configuration);
  }
  if (!plan.relevant.empty()) {
    w.key("relevant_attributes");
    w.open('[');
    for (const RelevantAttribute& relevant : plan.relevant) {
      w.open('{');
      w.member("resource", relevant.resource);
      w.key("attribute");
      write_path_json(w, relevant.attribute);
      w.close('}');
    }
    w.close(']');
  }
  if (!plan.checks.empty()) {
    w.key("checks");
    write_checks(w, plan.checks);
  }
  w.member("timestamp", plan.created);
  w.key("applyable");
  w.flag(plan.applyable());
  w.key("complete");
  w.flag(!plan.partial());
  w.key("errored");
  w.flag(plan.errored);
  w.close('}');
  return out + "\n";
}

}  // namespace pravo::runtime
