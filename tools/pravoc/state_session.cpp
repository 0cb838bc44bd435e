#include "tools/pravoc/state_session.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include <fmt/format.h>
#include <unistd.h>

#include "ir/diagnostics/commands.h"
#include "ir/diagnostics/syntax.h"
#include "tools/pravoc/render_text.h"
#include "tools/pravoc/workspaces.h"

namespace pravo::cli {

namespace {

void report(Session& session, const SourceManager& sources, const Diagnostics& diags) {
  RenderContext context{sources, "", session.err()};
  for (const Diagnostic& diagnostic : diags.all()) session.err().write(render_text(context, diagnostic) + "\n");
  if (diags.has_errors()) session.exit_code = kError;
}

bool is_syntax(DiagnosticKind kind) {
  static constexpr DiagnosticKind kKinds[] = {
#define PRAVO_DIAG(Name, id, severity, text, help) diag::Name.kind,
#include "ir/diagnostics/syntax.def"
#undef PRAVO_DIAG
  };
  return std::find(std::begin(kKinds), std::end(kKinds), kind) != std::end(kKinds);
}

// Syntax errors in the root module's own files, in one of which the backend may be. All else that may be wrong leaves
// the backend as it was written.
Diagnostics root_faults(const Compilation& compilation) {
  Diagnostics out;
  for (const Diagnostic& diagnostic : compilation.diags.all()) {
    if (diagnostic.severity != Severity::Error || !diagnostic.range.valid() || !is_syntax(diagnostic.kind)) continue;
    if (compilation.sources.name(diagnostic.range.file).find('/') == std::string_view::npos) out.add(diagnostic);
  }
  return out;
}

// A name beside the state that no earlier backup has.
std::string dated_backup(const std::string& path) {
  auto now = std::chrono::system_clock::now().time_since_epoch();
  for (auto second = std::chrono::duration_cast<std::chrono::seconds>(now).count();; ++second) {
    std::string name = fmt::format("{}.{}.backup", path, second);
    if (::access(name.c_str(), F_OK) != 0) return name;
  }
}

}  // namespace

void report_faults(Session& session, const Diagnostics& diags) {
  SourceManager none;
  report(session, none, diags);
}

std::optional<StatePlace> find_place(Session& session, bool has_state_path, bool certain) {
  StatePlace place;
  if (has_state_path) return place;
  CompileOptions options;
  options.run_lowering = false;
  options.read_variables = false;
  place.compilation = compile(options);
  Diagnostics diags;
  if (certain) diags = root_faults(*place.compilation);
  if (!diags.has_errors())
    if (std::optional<load::LocalBackend> backend = find_backend(place.compilation.get(), diags))
      place.backend = std::move(*backend);
  report(session, place.compilation->sources, diags);
  if (diags.has_errors()) return std::nullopt;
  return place;
}

std::optional<runtime::StatePaths> find_state_files(Session& session, const StateOptions& options, bool certain) {
  std::optional<StatePlace> place = find_place(session, !options.state_path.empty(), certain);
  if (!place) return std::nullopt;
  runtime::StatePaths paths;
  Diagnostics diags;
  bool found = find_state(place->compilation.get(), current_workspace(), options, paths, diags);
  report_faults(session, diags);
  if (!found) return std::nullopt;
  return paths;
}

std::optional<ReadState> read_state(Session& session, const std::string& state_path) {
  StateOptions options;
  options.state_path = state_path;
  std::optional<runtime::StatePaths> paths = find_state_files(session, options, false);
  if (!paths) return std::nullopt;
  runtime::LocalState file(std::move(*paths));
  Diagnostics diags;
  std::optional<runtime::State> state = file.read(diags);
  report_faults(session, diags);
  if (!state) return std::nullopt;
  return ReadState{std::move(*state), file.found(), file.read_path()};
}

std::unique_ptr<StateSession> StateSession::open(Session& session, const StateOptions& options,
                                                 std::string_view operation, BackupForm backup) {
  std::optional<runtime::StatePaths> paths = find_state_files(session, options, true);
  if (!paths) return nullptr;
  return open(session, options, std::move(*paths), operation, backup);
}

std::unique_ptr<StateSession> StateSession::open(Session& session, const StateOptions& options,
                                                 runtime::StatePaths paths, std::string_view operation,
                                                 BackupForm backup) {
  std::optional<std::chrono::milliseconds> timeout = parse_duration(options.lock_timeout);
  if (!timeout) {
    session.err().write(
        fmt::format("error: `{}` is no duration; write for example 30s or 2m\n", printable(options.lock_timeout)));
    session.exit_code = kError;
    return nullptr;
  }
  if (backup == BackupForm::Dated && (paths.backup.empty() || paths.backup == "-"))
    paths.backup = dated_backup(paths.write.empty() ? paths.read : paths.write);
  std::unique_ptr<StateSession> out(new StateSession(session, std::move(paths)));
  std::optional<runtime::State> state;
  // What a killed run did is part of the state. Without the lock it may not be dead, and nothing is recovered.
  const runtime::Recovery recovery = options.lock ? runtime::Recovery::Written : runtime::Recovery::None;
  if (!options.lock || out->file_.lock(operation, *timeout, out->diags)) state = out->file_.read(out->diags, recovery);
  if (out->flush() || !state) return nullptr;
  out->state = std::move(*state);
  return out;
}

bool StateSession::require_found() {
  if (file_.found()) return true;
  diags.emit({}, diag::NoState, printable(file_.read_path()));
  flush();
  return false;
}

bool StateSession::save(bool changed) {
  state.compact();
  bool written = file_.write(state, schemas_.registry, changed, diags);
  flush();
  if (!written) session_.exit_code = kError;
  return written;
}

bool StateSession::flush() {
  bool errors = diags.has_errors();
  report_faults(session_, diags);
  diags = Diagnostics();
  return errors;
}

}  // namespace pravo::cli
