// `pravoc init`: makes a directory ready for the other commands, pravoc's and Terraform's.
//
// What it does today: looks at the configuration, and writes the manifest of its local modules. Modules and providers
// are not fetched; those that something else installed are found.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ir/diagnostics/commands.h"
#include "ir/diagnostics/load.h"
#include "runtime/state/file_io.h"
#include "tools/pravoc/compile.h"
#include "tools/pravoc/help.h"
#include "tools/pravoc/render_text.h"
#include "tools/pravoc/report.h"
#include "tools/pravoc/session.h"

namespace pravo::cli {

namespace {

struct InitOptions {
  bool backend = true;
  bool input = true;
  bool get = true;
  bool upgrade = false;
  bool reconfigure = false;
  bool migrate_state = false;
};

// What `validate` is for: arguments of modules are compared with their variables once all of them are there.
bool is_for_validate(DiagnosticKind kind) {
  return kind == diag::UnknownModuleArgument.kind || kind == diag::MissingModuleArgument.kind;
}

// Takes the errors out that do not stand in the way; says whether there were any.
bool drop_other_errors(Compilation& compilation) {
  Diagnostics kept;
  bool dropped = false;
  for (const Diagnostic& diagnostic : compilation.diags.all()) {
    const bool drop = diagnostic.severity == Severity::Error && is_for_validate(diagnostic.kind);
    if (!drop) kept.add(diagnostic);
    dropped |= drop;
  }
  compilation.diags = std::move(kept);
  return dropped;
}

// An entry of the manifest for each call that is installed, by the path of calls ("a.b").
class ModuleList {
 public:
  explicit ModuleList(Compilation& compilation) : c_(compilation) {
    list_.push_back({{"Key", ""}, {"Source", ""}, {"Dir", "."}});
    add_calls(c_.configuration.root(), "");
  }
  bool empty() const { return list_.size() == 1; }
  std::string text() const { return nlohmann::ordered_json{{"Modules", list_}}.dump(); }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  void add_calls(const load::Module& module, const std::string& path) {
    for (const load::ModuleCall& call : module.calls) {
      std::string key = path + std::string(c_.names.text(call.name.id));
      const bool local = call.source.starts_with("./") || call.source.starts_with("../");
      if (call.target == UINT32_MAX) {
        if (!call.source_broken)
          c_.diags.emit(call.header, diag::CannotFetchModule, c_.names.text(call.name.id), call.source);
        continue;
      }
      const load::Module& target = c_.configuration.modules[call.target];
      nlohmann::ordered_json entry{{"Key", key}, {"Source", call.source}, {"Dir", target.directory}};
      if (!call.version.empty()) entry["Version"] = call.version;
      if (local) list_.push_back(std::move(entry));
      keeps_others_ |= !local;
      lines_.push_back(fmt::format("- {} in {}", key, target.directory));
      add_calls(target, key + ".");
    }
  }

 public:
  bool keeps_others() const { return keeps_others_; }

 private:
  Compilation& c_;
  nlohmann::ordered_json list_ = nlohmann::ordered_json::array();
  std::vector<std::string> lines_;
  bool keeps_others_ = false;  // modules that another program installed: its manifest stays
};

bool write_manifest(const ModuleList& modules, Diagnostics& diags) {
  const char* data = std::getenv("TF_DATA_DIR");
  std::filesystem::path directory(data != nullptr && *data != '\0' ? data : ".terraform");
  directory /= "modules";
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  runtime::FileError fault{error.value(), error ? error.message() : ""};
  if (!error) {
    runtime::WriteOptions options;
    options.new_mode = 0644;
    runtime::write_file_atomic((directory / "modules.json").string(), modules.text(), options, fault);
  }
  if (fault.code == 0) return true;
  diags.emit({}, diag::ManifestNotWritten, directory.string(), fault.what);
  return false;
}

void run_init(const InitOptions& options, Session& session) {
  CompileOptions compile_options;
  compile_options.read_variables = false;
  compile_options.run_lowering = false;
  auto compilation = compile(compile_options);
  Terminal& out = session.out();
  const bool faults = drop_other_errors(*compilation);
  if (!compilation->configuration.modules.empty() && !compilation->diags.has_errors()) {
    const auto& backend = compilation->configuration.root().backend;
    if (options.backend && backend && backend->type != "local")
      compilation->diags.emit(backend->header, diag::BackendNotSupported, backend->type);
    ModuleList modules(*compilation);
    if (!modules.empty() || !modules.lines().empty()) {
      out.write("Modules:\n");
      for (const std::string& line : modules.lines()) out.write(printable(line) + "\n");
    }
    if (!modules.empty() && !modules.keeps_others() && options.get && !compilation->diags.has_errors())
      write_manifest(modules, compilation->diags);
  }
  report_text(session, *compilation);
  if (compilation->diags.has_errors()) {
    session.exit_code = kError;
    return;
  }
  out.write(out.paint(Style::Add, "Ready.") +
            (faults ? " But the configuration has faults: `pravoc check` shows them.\n"
                    : " `pravoc check` looks for faults, `pravoc plan` shows what would change.\n"));
}

}  // namespace

void add_init_command(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("init", "Make a directory ready: look at its modules and its backend");
  auto options = std::make_shared<InitOptions>();
  add_switch(*command, "--backend", options->backend, "Do not look at the backend");
  add_switch(*command, "--get", options->get, "Do not record the modules");
  add_switch(*command, "--input", options->input, "Taken for Terraform's sake: nothing is asked");
  command->add_flag("--upgrade", options->upgrade, "Taken for Terraform's sake: nothing is fetched yet");
  command->add_flag("--reconfigure", options->reconfigure, "Taken for Terraform's sake: only local states so far");
  command->add_flag("--migrate-state", options->migrate_state, "Taken for Terraform's sake: only local states so far");
  command->callback([options, &session] { run_init(*options, session); });
}

}  // namespace pravo::cli
