// plan, apply, destroy, refresh: from configuration and state to a plan, and from a plan to a new state.
#include <algorithm>

#include <fmt/format.h>

#include "runtime/planfile/plan_file.h"
#include "tools/pravoc/ask.h"
#include "tools/pravoc/json_ui.h"
#include "tools/pravoc/run_flags.h"
#include "tools/pravoc/run_support.h"
#include "tools/pravoc/template_compiler.h"
#include "tools/pravoc/text_ui.h"
#include "tools/pravoc/workspaces.h"

namespace pravo::cli {

namespace {

using runtime::Action;
using runtime::Plan;

// What one run works with. Members are in the order in which they depend on each other.
struct Run {
  std::unique_ptr<Compilation> compilation;
  Diagnostics diags;  // beyond the compilation's
  std::string workspace;
  std::optional<InterruptWatch> interrupts;  // from where there is something to stop
  std::unique_ptr<RunUi> ui;
  TemplateCompiler templates;
  std::optional<runtime::RunContext> context;
  std::optional<provider::Registry> providers;
  std::unique_ptr<runtime::RegistrySchemas> schemas;
  std::unique_ptr<runtime::LocalState> state_file;
};

// Reports and forgets what was collected. True: there were errors.
bool flush(Session& session, Run& run) {
  bool errors = run.diags.has_errors();
  run.ui->report(*run.compilation, run.diags);
  run.diags = Diagnostics();
  if (errors) session.exit_code = kError;
  return errors;
}

// The command cannot go on.
bool refuse(Session& session, Run& run, std::string_view why) {
  run.ui->fault(why);
  session.exit_code = kError;
  return false;
}

bool prepare(Session& session, Run& run, const RunOptions& options, std::string_view operation) {
  if (options.json)
    run.ui = std::make_unique<JsonUi>(session);
  else
    run.ui = std::make_unique<TextUi>(session);
  CompileOptions compile_options;
  compile_options.variables = options.variables;
  // A saved plan has its values, and says itself which ephemeral ones it needs again.
  compile_options.ask = variable_asker(session, options.input && !options.json && options.plan_file.empty());
  run.compilation = compile(compile_options);
  run.ui->report(*run.compilation, run.compilation->diags);
  if (run.compilation->diags.has_errors() || !run.compilation->program) {
    session.exit_code = kError;
    return false;
  }
  if (run.compilation->configuration.root().files.empty())
    return refuse(session, run, "there is no configuration here to plan; change into its directory, or use -chdir");
  run.workspace = current_workspace();
  std::optional<std::chrono::milliseconds> timeout = parse_duration(options.lock_timeout);
  if (!timeout)
    return refuse(session, run,
                  fmt::format("`{}` is no duration; write for example 30s or 2m", printable(options.lock_timeout)));
  runtime::StatePaths paths;
  if (!find_state(run.compilation.get(), run.workspace, options, paths, run.diags)) {
    flush(session, run);
    return false;
  }
  run.context.emplace(make_context(*run.compilation, run.workspace, options));
  run.context->observer = run.ui.get();
  run.context->compiler = &run.templates;
  run.interrupts.emplace();
  run.context->stop = &run.interrupts->count();
  run.providers.emplace(runtime::make_registry(*run.context));
  if (session.add_providers) session.add_providers(*run.providers);
  run.schemas = std::make_unique<runtime::RegistrySchemas>(*run.providers);
  run.state_file = std::make_unique<runtime::LocalState>(std::move(paths));
  if (options.lock && !run.state_file->lock(operation, *timeout, run.diags)) {
    flush(session, run);
    return false;
  }
  return true;
}

bool parse_targets(Session& session, Run& run, const std::vector<std::string>& texts,
                   std::vector<runtime::TargetAddress>& targets) {
  for (const std::string& text : texts) {
    auto target = runtime::TargetAddress::parse(text);
    if (!target)
      return refuse(session, run,
                    fmt::format("`{}` is not the address of a module, a resource or an instance", printable(text)));
    targets.push_back(std::move(*target));
  }
  return true;
}

bool parse_replace(Session& session, Run& run, const RunOptions& options, runtime::PlanOptions& plan_options) {
  for (const std::string& text : options.replace) {
    auto address = runtime::InstanceAddress::parse(text);
    if (!address)
      return refuse(session, run, fmt::format("`{}` is not the address of a resource instance", printable(text)));
    plan_options.replace.push_back(std::move(*address));
  }
  return true;
}

// Plans, and shows the plan. Null when there is nothing to go on with.
std::unique_ptr<Plan> plan_and_show(Session& session, Run& run, const RunOptions& options, runtime::Recovery recovery) {
  runtime::PlanOptions plan_options;
  plan_options.mode = options.destroy        ? runtime::PlanMode::Destroy
                      : options.refresh_only ? runtime::PlanMode::RefreshOnly
                                             : runtime::PlanMode::Normal;
  plan_options.refresh = options.refresh;
  if (!parse_replace(session, run, options, plan_options) ||
      !parse_targets(session, run, options.targets, plan_options.targets) ||
      !parse_targets(session, run, options.excludes, plan_options.excludes))
    return nullptr;
  std::optional<runtime::State> prior = run.state_file->read(run.diags, recovery);
  if (!prior) {
    flush(session, run);
    return nullptr;
  }
  runtime::PlanResult result =
      runtime::make_plan(*run.context, *run.providers, plan_options, std::move(*prior), run.diags);
  if (!result.plan || !result.ok) {
    // What could be planned helps to see what the errors are about.
    const bool some = result.plan && std::any_of(result.plan->changes.begin(), result.plan->changes.end(),
                                                 [](const auto& change) { return change.action != Action::NoOp; });
    if (some && !result.interrupted) run.ui->partly_planned(*result.plan);
    flush(session, run);
    session.exit_code = kError;
    return nullptr;
  }
  run.ui->planned(*result.plan);
  flush(session, run);
  return std::move(result.plan);
}

void run_plan(const RunOptions& options, Session& session) {
  Run run;
  if (!prepare(session, run, options, "OperationTypePlan")) return;
  std::unique_ptr<Plan> plan = plan_and_show(session, run, options, runtime::Recovery::InMemory);
  if (!plan) return;
  if (!options.out.empty()) {
    if (!runtime::write_plan(*plan, *run.schemas, options.out, run.diags)) {
      flush(session, run);
      return;
    }
    run.ui->saved(options.out);
  }
  if (options.detailed_exitcode && plan->applyable()) session.exit_code = kChanges;
}

// Asks on the terminal; only `yes` is a yes.
bool approve(Session& session, const RunOptions& options, bool destroy) {
  if (options.auto_approve) return true;
  if (!options.input) {
    session.err().write(
        "error: approval is needed and -input=false forbids to ask; give -auto-approve or apply a "
        "saved plan\n");
    session.exit_code = kError;
    return false;
  }
  auto ask = [&] {
    session.out().write(fmt::format("\n{} Only `yes` goes on: ", destroy ? "Destroy all of this?" : "Do this?"));
  };
  if (read_answer(ask, /*hidden=*/false) == "yes") {
    session.out().write("\n");
    return true;
  }
  session.out().write("Nothing was changed.\n");
  session.exit_code = kError;
  return false;
}

void apply_plan(Session& session, Run& run, const Plan& plan, bool destroy) {
  std::unique_ptr<runtime::StateWriter> writer = runtime::make_state_writer(*run.state_file, *run.schemas);
  runtime::ApplyResult result = runtime::apply_plan(*run.context, *run.providers, plan, *writer, run.diags);
  flush(session, run);
  if (!result.ok || result.interrupted) session.exit_code = kError;
  run.ui->applied(result, destroy);
}

void run_apply(const RunOptions& options, Session& session) {
  Run run;
  if (!prepare(session, run, options, "OperationTypeApply")) return;
  if (options.plan_file.empty()) {
    std::unique_ptr<Plan> plan = plan_and_show(session, run, options, runtime::Recovery::Written);
    if (!plan) return;
    if (plan->applyable() && !approve(session, options, options.destroy)) return;
    // The plan read the file; between then and now the user thought, and the lock kept others out.
    apply_plan(session, run, *plan, options.destroy);
    return;
  }
  std::optional<Plan> plan = runtime::read_plan(options.plan_file, run.diags);
  std::optional<runtime::State> current;
  if (plan) current = run.state_file->read(run.diags, runtime::Recovery::Written);
  std::vector<runtime::RootVariable> variables;
  if (!plan || !current || !runtime::check_apply(*run.context, *plan, *current, variables, run.diags)) {
    flush(session, run);
    session.exit_code = kError;
    return;
  }
  // A plan is what it is. Who asks for another kind should not get this one.
  std::string_view asked;
  if (options.destroy && plan->mode != runtime::PlanMode::Destroy) asked = "-destroy";
  if (options.refresh_only && plan->mode != runtime::PlanMode::RefreshOnly) asked = "-refresh-only";
  if (!asked.empty()) {
    refuse(session, run,
           fmt::format("`{}` was not planned with {}; leave the option out, or plan again",
                       printable(options.plan_file), asked));
    return;
  }
  run.context->variables = std::move(variables);
  run.ui->applying(*plan);
  apply_plan(session, run, *plan, plan->mode == runtime::PlanMode::Destroy);
}

// What exists is read into the state, and nothing else is done or shown but what that changes.
void run_refresh(const RunOptions& options, Session& session) {
  Run run;
  if (!prepare(session, run, options, "OperationTypeRefresh")) return;
  run.ui->refreshing();
  std::unique_ptr<Plan> plan = plan_and_show(session, run, options, runtime::Recovery::Written);
  if (!plan) return;
  if (!run.state_file->found()) run.ui->warning("there is no state yet, so that there is nothing to refresh");
  apply_plan(session, run, *plan, /*destroy=*/false);
}

}  // namespace

void add_run_commands(CLI::App& app, Session& session) {
  struct Row {
    RunCommand kind;
    std::string_view name;
    std::string_view what;
    void (*run)(const RunOptions&, Session&);
  };
  static constexpr Row kCommands[] = {
      {RunCommand::Plan, "plan", "Show what would change, and save it for `pravoc apply`", run_plan},
      {RunCommand::Apply, "apply", "Make the changes of a plan", run_apply},
      {RunCommand::Destroy, "destroy", "Destroy everything in the state", run_apply},
      {RunCommand::Refresh, "refresh", "Bring the state up to date with what exists, without asking", run_refresh},
  };
  for (const Row& row : kCommands) {
    auto* command = app.add_subcommand(std::string(row.name), std::string(row.what));
    auto options = std::make_shared<RunOptions>();
    VariableOptions variables(*command);
    add_run_flags(*command, row.kind, *options);
    command->callback([options, variables, &row, &session] {
      refuse_contradictions(row.kind, *options);
      options->destroy |= row.kind == RunCommand::Destroy;
      options->refresh_only |= row.kind == RunCommand::Refresh;
      options->variables = variables.values();
      row.run(*options, session);
    });
  }
}

}  // namespace pravo::cli
