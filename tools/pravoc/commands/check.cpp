// `pravoc check [DIR...]`: everything that can be known without a provider, marks first.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>
#include <unordered_set>

#include <fmt/format.h>

#include "tools/pravoc/arguments.h"
#include "tools/pravoc/compile.h"
#include "tools/pravoc/render_text.h"
#include "tools/pravoc/report.h"
#include "tools/pravoc/session.h"

namespace pravo::cli {

namespace {

namespace fs = std::filesystem;

struct CheckOptions {
  std::vector<std::string> directories;
  std::vector<load::VarArgument> variables;
  bool json = false;
  bool compact = false;
  bool strict = false;
  bool no_tests = false;
  std::string test_directory = "tests";
};

bool holds_configuration(const fs::path& directory) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    std::string name = entry.path().filename().string();
    if (name.starts_with('.') || name.ends_with('~')) continue;
    if (name.ends_with(".tf") || name.ends_with(".tf.json")) return true;
  }
  return false;
}

// `DIR/...` stands for every configuration below DIR; hidden directories (.terraform, .git) hold none of ours.
std::vector<std::string> expand_pattern(const std::string& root) {
  std::vector<std::string> found;
  std::error_code error;
  if (holds_configuration(root)) found.push_back(root);
  auto options = fs::directory_options::skip_permission_denied;
  for (auto it = fs::recursive_directory_iterator(root, options, error); it != fs::recursive_directory_iterator();
       it.increment(error)) {
    if (error) break;
    if (!it->is_directory(error)) continue;
    if (it->path().filename().string().starts_with('.')) {
      it.disable_recursion_pending();
      continue;
    }
    if (holds_configuration(it->path())) found.push_back(it->path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string plural(size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::vector<std::unique_ptr<Compilation>> compile_all(const std::vector<std::string>& directories,
                                                      const CheckOptions& check) {
  std::vector<std::unique_ptr<Compilation>> results(directories.size());
  unsigned workers = std::max(1U, std::thread::hardware_concurrency());
  workers = static_cast<unsigned>(std::min<size_t>(workers, directories.size()));
  std::atomic<size_t> next{0};
  auto work = [&] {
    for (size_t i = next++; i < directories.size(); i = next++) {
      CompileOptions options;
      options.directory = directories[i];
      options.variables = check.variables;
      options.tests = !check.no_tests;
      options.keep_syntax = false;
      options.test_directory = check.test_directory;
      // One thread a configuration when there are several: they are the parallelism.
      options.threads = workers > 1 ? 1 : 0;
      results[i] = compile(options);
    }
  };
  if (workers <= 1) {
    work();
    return results;
  }
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < workers; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  return results;
}

// A directory that another configuration of the run calls as a module is no root: what a root must not do, a module
// may, and its faults were reported with its caller's.
void drop_called(std::vector<std::unique_ptr<Compilation>>& results) {
  std::unordered_set<std::string> called;
  for (const auto& result : results) {
    const auto& modules = result->configuration.modules;
    for (size_t m = 1; m < modules.size(); ++m) called.insert(modules[m].canonical);
  }
  std::erase_if(results, [&](const auto& result) {
    const auto& modules = result->configuration.modules;
    return !modules.empty() && called.contains(modules.front().canonical);
  });
}

void run_check(const CheckOptions& options, Session& session) {
  auto start = std::chrono::steady_clock::now();
  std::vector<std::string> directories;
  bool from_pattern = false;
  for (const std::string& argument : options.directories) {
    if (argument == "..." || argument.ends_with("/...")) {
      std::string root = argument == "..." ? "." : argument.substr(0, argument.size() - 4);
      std::vector<std::string> found = expand_pattern(root.empty() ? "/" : root);
      if (found.empty()) {
        session.err().write(fmt::format("error: there is no configuration in or below `{}`\n", printable(root)));
        session.exit_code = kError;
        return;
      }
      directories.insert(directories.end(), found.begin(), found.end());
      from_pattern = true;
    } else {
      directories.push_back(argument);
    }
  }
  if (directories.empty()) directories.emplace_back(".");

  auto results = compile_all(directories, options);
  if (directories.size() > 1 && from_pattern) drop_called(results);

  std::vector<const Compilation*> all;
  size_t errors = 0;
  size_t warnings = 0;
  size_t modules = 0;
  size_t resources = 0;
  size_t configurations = 0;
  for (const auto& result : results) {
    all.push_back(result.get());
    // A directory that is not there was not checked.
    const bool read = !result->configuration.modules.empty() &&
                      (!result->diags.has_errors() || !result->configuration.root().files.empty());
    errors += result->diags.error_count();
    warnings += result->diags.warning_count();
    if (!read) continue;
    ++configurations;
    modules += result->module_count();
    resources += result->resource_count();
  }
  if (errors > 0 || (options.strict && warnings > 0)) session.exit_code = kError;
  if (options.json) {
    session.out().write(report_json(all));
    return;
  }
  for (const Compilation* compilation : all) {
    if (!options.compact) {
      report_text(session, *compilation);
      continue;
    }
    RenderContext context{compilation->sources, compilation->prefix, session.err()};
    for (const Diagnostic& diagnostic : compilation->diags.all()) session.err().write(render_line(context, diagnostic));
  }
  if (configurations == 0) return;
  auto elapsed = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  Terminal& out = session.out();
  std::string verdict =
      errors > 0 ? out.paint(Style::Error, plural(errors, "error")) : out.paint(Style::Add, "no errors");
  std::string what = fmt::format("{}, {}", plural(modules, "module"), plural(resources, "resource"));
  if (configurations > 1) what = fmt::format("{}, {}", plural(configurations, "configuration"), what);
  out.write(fmt::format("Checked {} in {:.{}f} ms: {}, {}.\n", what, elapsed, elapsed < 100 ? 1 : 0, verdict,
                        warnings == 0 ? "no warnings" : plural(warnings, "warning")));
}

}  // namespace

void add_check_command(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand(
      "check",
      "Check configurations without provider, network or credential: where ephemeral and sensitive values flow, "
      "every name, every block");
  auto options = std::make_shared<CheckOptions>();
  command->add_option("DIR", options->directories,
                      "directories to check (default: the current one); DIR/... is every configuration in and below "
                      "DIR, modules that they call not counted");
  command->add_flag("--json", options->json, "Answer as JSON, in the shape of `terraform validate -json`");
  command->add_flag("--compact", options->compact, "One line a diagnostic, for editors and scripts");
  command->add_flag("--strict", options->strict, "Warnings make the command fail too");
  command->add_flag("--no-tests", options->no_tests, "Do not read test files (*.tftest.hcl)");
  command
      ->add_option("--test-directory", options->test_directory,
                   "Where test files are beside the directory itself (default: tests)")
      ->type_name("DIR");
  VariableOptions variables(*command);
  command->callback([options, variables, &session] {
    options->variables = variables.values();
    run_check(*options, session);
  });
}

}  // namespace pravo::cli
