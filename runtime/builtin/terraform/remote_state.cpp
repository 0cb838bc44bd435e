// terraform_remote_state: the root outputs of another state.
#include <fmt/format.h>

#include "ir/builtin_schemas.h"
#include "runtime/builtin/terraform/provider.h"
#include "runtime/state/file_io.h"
#include "runtime/state/state_text.h"

namespace pravo::builtin {

namespace {

provider::Message message(std::string_view attribute, std::string summary, std::string detail) {
  provider::Message out;
  out.summary = std::move(summary);
  out.detail = std::move(detail);
  if (!attribute.empty()) out.attribute.push_back(PathStep::attribute(Str(attribute)));
  return out;
}

// A string of the backend's configuration; empty where it is absent.
std::string text_of(const Value& config, std::string_view name) {
  if (config.kind() != ValueKind::Object && config.kind() != ValueKind::Map) return {};
  const Value* found = config.find(name);
  return found != nullptr && found->kind() == ValueKind::String ? std::string(found->as_string()) : std::string();
}

bool is_object(const Value& value) {
  return value.kind() == ValueKind::Object || value.kind() == ValueKind::Map || value.is_null() || value.is_unknown();
}

std::string in_directory(const std::string& directory, const std::string& path) {
  return directory.empty() || path.starts_with('/') ? path : directory + "/" + path;
}

}  // namespace

provider::Messages validate_remote_state(const Value& config) {
  provider::Messages out;
  const Value& backend = *config.find("backend");
  if (backend.kind() == ValueKind::String && backend.as_string() != "local")
    out.push_back(message("backend", fmt::format("backend `{}` is not available", backend.as_string()),
                          "remote states are read from the `local` backend only, so far"));
  const Value& settings = *config.find("config");
  if (!is_object(settings)) {
    out.push_back(message("config", "invalid backend configuration", "`config` must be an object"));
  } else if (settings.is_compound()) {
    for (const Str& name : settings.keys().all())
      if (name.view() != "path" && name.view() != "workspace_dir")
        out.push_back(message("config", "invalid backend configuration",
                              fmt::format("the `local` backend has no argument `{}`", name.view())));
    for (std::string_view name : {"path", "workspace_dir"}) {
      const Value* found = settings.find(name);
      if (found != nullptr && !found->is_null() && !found->is_unknown() && found->kind() != ValueKind::String)
        out.push_back(message("config", "invalid backend configuration", fmt::format("`{}` must be a string", name)));
    }
  }
  if (!is_object(*config.find("defaults")))
    out.push_back(message("defaults", "invalid default values", "`defaults` must be an object"));
  return out;
}

provider::StateResponse read_remote_state(const Value& config, const std::string& directory) {
  provider::StateResponse response;
  const Value& settings = *config.find("config");
  const Value& chosen = *config.find("workspace");
  const Value& defaults = *config.find("defaults");
  std::string workspace = chosen.is_null() ? "default" : std::string(chosen.as_string());
  std::string path = text_of(settings, "path");
  if (path.empty()) path = "terraform.tfstate";
  if (workspace != "default") {
    std::string folder = text_of(settings, "workspace_dir");
    path = fmt::format("{}/{}/terraform.tfstate", folder.empty() ? "terraform.tfstate.d" : folder, workspace);
  }

  runtime::FileError error;
  std::optional<std::string> text = runtime::read_file(in_directory(directory, path), error);
  if (error.code != 0) {
    response.messages.push_back(message({}, "the remote state cannot be read", error.what));
    return response;
  }
  std::map<std::string, Value> outputs;
  if (defaults.is_compound())
    for (size_t i = 0; i < defaults.length(); ++i) outputs[std::string(defaults.key(i).view())] = defaults.element(i);
  Diagnostics diags;
  std::optional<runtime::State> state = runtime::parse_state(text.value_or(""), path, diags);
  if (!state) {
    response.messages.push_back(message({}, "the remote state cannot be read", diags.all().front().message));
    return response;
  }
  // `defaults` are for outputs that a state lacks. That there is no state may be a path with a mistake in it.
  if (!text || state->lineage.empty()) {
    response.messages.push_back(message({}, "there is no remote state", fmt::format("`{}` does not exist", path)));
    return response;
  }
  for (const auto& [name, output] : state->outputs) outputs[name] = output.value.without_deep_marks();

  std::vector<std::pair<Str, Value>> entries;
  entries.reserve(outputs.size());
  for (auto& [name, value] : outputs) entries.emplace_back(Str(name), std::move(value));
  std::vector<Value> values(config.elements().begin(), config.elements().end());
  values[config.keys().find("outputs")] = Value::object(std::move(entries));
  response.state = Value::object(config.keys(), std::move(values));
  return response;
}

}  // namespace pravo::builtin
