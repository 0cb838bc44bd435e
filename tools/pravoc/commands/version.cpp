// `pravoc version [-json]`.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/pravoc/session.h"

namespace pravo::cli {

void add_version_command(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("version", "Show the version of pravoc and of the language it reads");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Answer as JSON, in the shape of `terraform version -json`");
  command->callback([json, &session] {
    if (*json) {
      nlohmann::ordered_json out{{"pravo_version", PRAVO_VERSION},
                                 {"terraform_version", "1.11.4"},
                                 {"platform", "linux_amd64"},
                                 {"provider_selections", nlohmann::ordered_json::object()}};
      session.out().write(out.dump(2) + "\n");
      return;
    }
    session.out().write(fmt::format("pravoc {}\nreads the Terraform language as of 1.11.4\n", PRAVO_VERSION));
  });
}

}  // namespace pravo::cli
