// show and output: what a state or a saved plan holds, for people and for programs.
#include <fmt/format.h>

#include "runtime/planfile/plan_file.h"
#include "runtime/show/show.h"
#include "runtime/state/file_io.h"
#include "tools/pravoc/state_session.h"

namespace pravo::cli {

namespace {

struct ShowOptions {
  std::string path;
  bool json = false;
};

void run_show(const ShowOptions& options, Session& session) {
  Diagnostics diags;
  ProviderSchemas schemas;
  runtime::RenderOptions render{session.out().color()};
  std::optional<runtime::State> state;
  if (!options.path.empty()) {
    runtime::FileError error;
    std::optional<std::string> text = runtime::read_file(options.path, error);
    if (!text) {
      std::string why = error.code != 0 ? error.what : fmt::format("there is no file `{}`", options.path);
      session.err().write(fmt::format("error: {}\n", printable(why)));
      session.exit_code = kError;
      return;
    }
    if (runtime::looks_like_plan(*text)) {
      std::optional<runtime::Plan> plan = runtime::parse_plan(*text, options.path, diags);
      report_faults(session, diags);
      if (!plan) return;
      session.out().write(options.json ? runtime::plan_json(*plan, schemas.registry, "") + "\n"
                                       : runtime::render_plan(*plan, render));
      return;
    }
    // Read once: a pipe gives its text but once.
    state = runtime::parse_state(*text, options.path, diags);
  } else if (std::optional<ReadState> read = read_state(session, "")) {
    state = std::move(read->state);
  }
  report_faults(session, diags);
  if (!state) return;
  session.out().write(options.json ? runtime::state_json(*state, schemas.registry) + "\n"
                                   : runtime::render_state(*state, schemas.registry, render));
}

struct OutputOptions {
  std::string name;
  std::string state_path;
  bool json = false;
  bool raw = false;
};

void run_output(const OutputOptions& options, Session& session) {
  std::optional<ReadState> read = read_state(session, options.state_path);
  if (!read) return;
  const runtime::State* state = &read->state;
  auto fail = [&](const std::string& message) {
    session.err().write("error: " + message + "\n");
    session.exit_code = kError;
  };
  if (options.name.empty()) {
    if (options.raw) return fail("-raw needs the name of an output");
    if (options.json) return session.out().write(runtime::outputs_json(*state));
    std::string text = runtime::render_outputs(*state);
    if (text.empty())
      session.err().write(
          "warning: the state has no outputs; they appear after an apply of a configuration with "
          "`output` blocks\n");
    return session.out().write(text);
  }
  auto found = state->outputs.find(options.name);
  if (found == state->outputs.end()) {
    std::vector<std::string_view> names;
    for (const auto& [name, output] : state->outputs) names.push_back(name);
    std::string_view near = closest_name(options.name, names);
    return fail(fmt::format("the state has no output `{}`{}", printable(options.name),
                            near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
  }
  if (options.json) return session.out().write(runtime::output_json(found->second) + "\n");
  if (options.raw) {
    std::optional<std::string> raw = runtime::raw_output(found->second);
    if (!raw) return fail(fmt::format("output `{}` is no string, number or bool; use -json", options.name));
    return session.out().write(*raw);
  }
  session.out().write(runtime::render_output(found->second) + "\n");
}

}  // namespace

void add_show_commands(CLI::App& app, Session& session) {
  {
    auto* command = app.add_subcommand("show", "Show the state, or a saved plan");
    auto options = std::make_shared<ShowOptions>();
    command->add_option("PATH", options->path, "a saved plan or a state file; without one, the current state");
    command->add_flag("--json", options->json, "Answer in Terraform's JSON format; sensitive values are in clear");
    command->callback([options, &session] { run_show(*options, session); });
  }
  auto* command = app.add_subcommand("output", "Show the outputs in the state");
  auto options = std::make_shared<OutputOptions>();
  command->add_option("NAME", options->name, "only this output, also when it is sensitive");
  command->add_flag("--json", options->json, "Answer as JSON; sensitive values are in clear");
  command->add_flag("--raw", options->raw, "A string, number or bool as it is, without quotes or newline");
  command->add_option("--state", options->state_path, "Read this state file")->type_name("FILE");
  command->callback([options, &session] { run_output(*options, session); });
}

}  // namespace pravo::cli
