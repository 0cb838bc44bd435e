// state list, state show, state pull: what a state records. No lock is taken, since states are replaced as a whole.
#include <fmt/format.h>

#include "ir/diagnostics/commands.h"
#include "ir/json_codec.h"
#include "runtime/show/show.h"
#include "runtime/state/edit.h"
#include "tools/pravoc/commands/state_commands.h"
#include "tools/pravoc/state_session.h"

namespace pravo::cli {

namespace {

using runtime::InstanceAddress;
using runtime::StateInstance;

// Nothing after a fault was shown; without a state that is one.
std::optional<ReadState> read_existing(Session& session, const std::string& path) {
  std::optional<ReadState> read = read_state(session, path);
  if (!read || read->found) return read;
  Diagnostics diags;
  diags.emit({}, diag::NoState, printable(read->path));
  report_faults(session, diags);
  return std::nullopt;
}

struct ListOptions {
  std::vector<std::string> addresses;
  std::optional<std::string> id;
  std::string state_path;
};

bool has_id(const StateInstance& instance, const std::string& id) {
  if (!instance.current) return false;
  Result<Value> value = decode_json(instance.current->attributes_json);
  const Value* found = value.ok() && value->kind() == ValueKind::Object ? value->find("id") : nullptr;
  return found != nullptr && found->kind() == ValueKind::String && found->as_string() == id;
}

void run_list(const ListOptions& options, Session& session) {
  std::optional<ReadState> read = read_existing(session, options.state_path);
  if (!read) return;
  Diagnostics diags;
  std::vector<InstanceAddress> instances;
  if (options.addresses.empty()) instances = runtime::instances_of(read->state);
  for (const std::string& text : options.addresses) {
    std::optional<runtime::StateAddress> target = parse_target(text, diags);
    if (!target) continue;
    std::vector<InstanceAddress> more = runtime::instances_of(read->state, *target);
    if (more.empty()) runtime::report_missing(read->state, printable(text), diags);
    instances.insert(instances.end(), more.begin(), more.end());
  }
  report_faults(session, diags);
  if (diags.has_errors()) return;
  std::string out;
  for (const InstanceAddress& address : instances)
    if (!options.id || has_id(*read->state.find(address), *options.id)) out += address.to_string() + "\n";
  session.out().write(out);
}

struct ShowOptions {
  std::string address;
  std::string state_path;
};

void run_show(const ShowOptions& options, Session& session) {
  std::optional<ReadState> read = read_existing(session, options.state_path);
  if (!read) return;
  Diagnostics diags;
  std::optional<InstanceAddress> address = parse_instance(options.address, diags);
  const StateInstance* instance = address ? read->state.find(*address) : nullptr;
  if (address && (instance == nullptr || !instance->current))
    runtime::report_missing(read->state, printable(options.address), diags);
  report_faults(session, diags);
  if (diags.has_errors()) return;
  ProviderSchemas schemas;
  const std::string& provider = read->state.find(address->resource)->provider;
  const Schema* schema = schemas.registry.schema(provider, address->resource.mode, address->resource.type);
  session.out().write(
      runtime::render_object(*address, *instance->current, "", schema, runtime::RenderOptions{session.out().color()}));
}

void run_pull(Session& session) {
  std::optional<ReadState> read = read_state(session, "");
  if (!read || !read->found) return;
  ProviderSchemas schemas;
  read->state.terraform_version = runtime::kTerraformVersion;
  session.out().write(runtime::format_state(read->state, schemas.registry));
}

void add_state_path(CLI::App& command, std::string& path) {
  command.add_option("--state", path, "Read this state file")->type_name("FILE");
}

}  // namespace

void add_state_reading_commands(CLI::App& group, Session& session) {
  {
    auto* command = group.add_subcommand("list", "List the resource instances in the state");
    auto options = std::make_shared<ListOptions>();
    command->add_option("ADDRESS", options->addresses,
                        "only what these name: a module with all in it, a resource or an instance");
    command->add_option("--id", options->id, "Only objects whose attribute `id` has this value")->type_name("ID");
    add_state_path(*command, options->state_path);
    command->callback([options, &session] { run_list(*options, session); });
  }
  {
    auto* command = group.add_subcommand("show", "Show the attributes of a resource instance; no sensitive values");
    auto options = std::make_shared<ShowOptions>();
    command->add_option("ADDRESS", options->address, "the address of the instance")->required();
    add_state_path(*command, options->state_path);
    command->callback([options, &session] { run_show(*options, session); });
  }
  auto* command = group.add_subcommand("pull", "Print the state as a file; sensitive values are in clear");
  command->callback([&session] { run_pull(session); });
}

}  // namespace pravo::cli
