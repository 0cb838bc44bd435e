// `pravoc functions`: what the language has built in, from the one table of functions.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ir/diagnostics.h"
#include "ir/functions.h"
#include "tools/pravoc/session.h"

namespace pravo::cli {

namespace {

using Json = nlohmann::ordered_json;

Json parameter_json(const Parameter& parameter, bool lazy) {
  Json out{{"name", parameter.name}};
  // try and can take expressions, not values.
  if (parameter.allow_null && !lazy) out["is_nullable"] = true;
  out["type"] = Json::parse(parameter.type.to_json());
  return out;
}

Json signature_json(const FunctionInfo& info) {
  Json out{{"description", info.doc}, {"since", info.since}, {"return_type", Json::parse(info.result.to_json())}};
  if (!info.parameters.empty()) {
    Json& parameters = out["parameters"] = Json::array();
    for (const Parameter& parameter : info.parameters) parameters.push_back(parameter_json(parameter, info.lazy));
  }
  if (info.variadic) out["variadic_parameter"] = parameter_json(*info.variadic, info.lazy);
  return out;
}

std::string since(const FunctionInfo& info) {
  bool other = info.since.starts_with("OpenTofu");
  return other ? std::string(info.since) : fmt::format("Terraform {}", info.since);
}

// The format of `terraform metadata functions -json`, where each function has its name twice; `since` is ours.
std::string functions_json() {
  Json signatures = Json::object();
  for (const FunctionInfo& info : all_functions()) signatures[std::string(info.name)] = signature_json(info);
  for (const FunctionInfo& info : all_functions())
    signatures[fmt::format("core::{}", info.name)] = signature_json(info);
  Json out{{"format_version", "1.0"}, {"function_signatures", std::move(signatures)}};
  return out.dump() + "\n";
}

void run_functions(const std::string& name, bool json, Session& session) {
  if (json) return session.out().write(functions_json());
  std::string out;
  std::vector<std::string_view> names;
  for (const FunctionInfo& info : all_functions()) {
    names.push_back(info.name);
    if (!name.empty() && info.name != name) continue;
    out += fmt::format("{}\n    {}{}\n", session.out().paint(Style::Bold, info.signature()), info.doc,
                       name.empty() ? "" : fmt::format(" Since {}.", since(info)));
  }
  if (!out.empty()) return session.out().write(out);
  std::string_view near = closest_name(name, names);
  session.err().write(fmt::format("error: there is no function `{}`{}\n", printable(name),
                                  near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
  session.exit_code = kError;
}

}  // namespace

void add_functions_command(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("functions", "List the functions of the language, or explain one");
  auto name = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  command->add_option("NAME", *name, "only this function");
  command->add_flag("--json", *json, "Answer in the format of `terraform metadata functions -json`");
  command->callback([name, json, &session] { run_functions(*name, *json, session); });
}

}  // namespace pravo::cli
