#include "tools/pravoc/run_flags.h"

#include "tools/pravoc/help.h"

namespace pravo::cli {

void add_run_flags(CLI::App& command, RunCommand kind, RunOptions& options) {
  const bool destroy = kind == RunCommand::Destroy;
  const bool refresh = kind == RunCommand::Refresh;
  command.add_option("--state", options.state_path, "Read this state file instead of terraform.tfstate")
      ->type_name("FILE");
  add_lock_flags(command, options);
  add_switch(command, "--input", options.input, "Ask no questions");
  command.add_option("--parallelism", options.parallelism, "How many operations may run at the same time")
      ->check(CLI::Range(1U, 10000U))
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--target", options.targets,
                  "Only this module, resource or instance, with all that it needs; may be repeated")
      ->type_name("ADDRESS")
      ->allow_extra_args(false);
  command.add_option("--exclude", options.excludes, "All but this, and what needs it; may be repeated")
      ->type_name("ADDRESS")
      ->allow_extra_args(false);

  command.add_flag("--json", options.json, "Tell what happens as JSON, one object a line; asks no questions");

  auto add_output_flags = [&] {
    command.add_option("--state-out", options.state_out_path, "Write the new state here instead of where it was")
        ->type_name("FILE");
    command.add_option("--backup", options.backup_path, "Where the old state is kept; `-` for nowhere")
        ->type_name("FILE");
  };
  if (refresh) return add_output_flags();
  add_switch(command, "--refresh", options.refresh, "Do not read what exists before planning");

  // `destroy` knows what would make it another command, to refuse it by name.
  auto unless_destroy = [&](CLI::Option* option) {
    if (destroy) option->group("");
  };
  unless_destroy(
      command.add_flag("--refresh-only", options.refresh_only, "Only bring the state up to date with what exists"));
  unless_destroy(command.add_option("--replace", options.replace, "Replace this resource instance; may be repeated")
                     ->type_name("ADDRESS")
                     ->allow_extra_args(false));
  unless_destroy(command.add_flag(
      "--destroy", options.destroy,
      kind == RunCommand::Plan ? "Plan to destroy everything in the state" : "Destroy everything in the state"));
  if (kind == RunCommand::Plan) {
    command.add_option("--out", options.out, "Save the plan to this file")->type_name("FILE");
    command.add_flag("--detailed-exitcode", options.detailed_exitcode,
                     "Exit with 0 when nothing would change, 2 when something would, 1 after an error");
    return;
  }
  if (!destroy)
    command.add_option("PLAN", options.plan_file, "a plan that `pravoc plan -out` saved; without one, a new plan");
  command.add_flag("--auto-approve", options.auto_approve, "Do not ask before changing things");
  add_output_flags();
}

void refuse_contradictions(RunCommand kind, const RunOptions& options) {
  auto refuse = [](const char* why) { throw CLI::ValidationError(std::string(why)); };
  const bool replaces = !options.replace.empty();
  if (kind == RunCommand::Destroy) {
    if (options.destroy) refuse("`destroy` takes no -destroy: it always destroys");
    if (options.refresh_only) refuse("`destroy` takes no -refresh-only; `pravoc apply -refresh-only` destroys nothing");
    if (replaces) refuse("`destroy` takes no -replace: nothing is made again");
  }
  if (options.destroy && options.refresh_only)
    refuse("-destroy and -refresh-only exclude each other: one destroys everything, the other changes nothing");
  const bool approval = kind == RunCommand::Apply || kind == RunCommand::Destroy;
  if (options.json && approval && !options.auto_approve && options.plan_file.empty())
    refuse("-json asks no questions: give -auto-approve, or a saved plan");
  const bool partial = !options.targets.empty() || !options.excludes.empty();
  if (!options.targets.empty() && !options.excludes.empty())
    refuse("-target and -exclude exclude each other: give what is to be done, or what is not");
  if (!options.plan_file.empty() && partial)
    refuse("a saved plan says what it is about: give -target and -exclude to `pravoc plan`");
  if (options.refresh_only && !options.refresh)
    refuse("-refresh-only and -refresh=false exclude each other: nothing would be left to do");
  if (options.destroy && replaces) refuse("-destroy and -replace exclude each other: what goes is not made again");
  if (options.refresh_only && replaces) refuse("-refresh-only and -replace exclude each other: nothing is changed");
  if (!options.plan_file.empty() && replaces)
    refuse("a saved plan says what is replaced: give -replace to `pravoc plan`");
}

}  // namespace pravo::cli
