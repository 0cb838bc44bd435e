// The configuration: the root module and every module that it reaches; the same of the modules that tests run.
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <memory>
#include <unordered_map>

#include <sys/stat.h>

#include "frontend/load/address.h"
#include "frontend/load/checks.h"
#include "frontend/load/config.h"
#include "frontend/load/files.h"
#include "frontend/load/manifest.h"
#include "frontend/load/module_reader.h"
#include "frontend/load/test_reader.h"
#include "ir/diagnostics/load.h"

#include <fmt/format.h>

namespace pravo::load {

namespace {

// The path without symbolic links, or nothing with errno.
std::optional<std::string> real_path(const std::string& path) {
  std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr), &std::free);
  if (!real) return std::nullopt;
  return std::string(real.get());
}

// The same of a directory.
std::optional<std::string> real_directory(const std::string& path) {
  auto canonical = real_path(path);
  struct stat info {};
  if (canonical && stat(canonical->c_str(), &info) == 0 && !S_ISDIR(info.st_mode)) {
    errno = ENOTDIR;
    canonical.reset();
  }
  return canonical;
}

class Loader {
 public:
  Loader(const LoadOptions& options, SourceManager& sources, Names& names, Diagnostics& diags)
      : options_(options),
        sources_(sources),
        names_(names),
        diags_(diags),
        manifest_(join_path(options.directory, options.data_directory)) {}
  // Of the module of a run, beside the configuration that `main` has loaded.
  explicit Loader(const Loader* main)
      : options_(main->options_),
        sources_(main->sources_),
        names_(main->names_),
        diags_(main->diags_),
        manifest_(main->manifest_),
        main_(main) {}

  Configuration load() {
    if (!manifest_.error().empty()) diags_.emit({}, diag::ManifestUnreadable, manifest_.file(), manifest_.error());
    auto root = real_path(options_.directory);
    if (!root) diags_.emit({}, diag::DirectoryUnreadable, options_.directory, system_error(errno));
    add_module(root.value_or(options_.directory), options_.directory, ".", "");
    if (!root) return std::move(configuration_);
    load_modules();
    if (options_.tests) load_tests();
    return std::move(configuration_);
  }

 private:
  // Where a module is: on disk, and along which calls it was reached first ("a.b").
  struct Place {
    std::string path;
    std::string calls;
  };

  // A queue: what a module calls comes after it, and after what its siblings before call.
  void load_modules() {
    std::vector<const Module*> read;
    for (size_t i = 0; i < configuration_.modules.size(); ++i) {
      Module& module = configuration_.modules[i];
      if (const Module* known = main_ == nullptr ? nullptr : main_->known(module.canonical)) {
        module = *known;
      } else {
        read_module(places_[i].path, i == 0, options_.threads, configuration_, module, sources_, names_, diags_);
        read.push_back(&module);
      }
      for (ModuleCall& call : module.calls) resolve(i, call);
    }
    check_required_versions(read, diags_);
    check_call_cycles(configuration_, diags_);
    check_places(configuration_, names_, diags_);
    check_call_arguments(configuration_, names_, diags_);
    check_providers(configuration_, names_, diags_);
    check_refactoring(configuration_, sources_, names_, diags_);
  }

  // --- tests

  // A module that was read for the configuration itself, or for a run before.
  const Module* known(const std::string& canonical) const {
    auto at = by_canonical_.find(canonical);
    if (at != by_canonical_.end()) return &configuration_.modules[at->second];
    auto other = read_for_tests_.find(canonical);
    return other == read_for_tests_.end() ? nullptr : other->second;
  }

  void load_tests() {
    read_tests(places_[0].path, options_, configuration_, sources_, names_, diags_);
    for (TestFile& file : configuration_.tests)
      for (TestRun& run : file.runs)
        if (!run.source.empty()) run.module = load_run_module(file, run);
    check_tests(configuration_, sources_, names_, diags_);
  }

  // As the manifest names what a run installs: `test.tests.main.setup`.
  std::string run_key(const TestFile& file, const TestRun& run) const {
    std::string key = "test." + file.name.substr(0, file.name.rfind(".tftest."));
    std::replace(key.begin(), key.end(), '/', '.');
    return fmt::format("{}.{}", key, names_.text(run.name.id));
  }

  // The index in Configuration::test_modules, or UINT32_MAX after saying why there is none.
  uint32_t load_run_module(const TestFile& file, const TestRun& run) {
    ModuleSource source = parse_module_source(run.source, !run.version.empty());
    std::string key = run_key(file, run);
    std::string relative = source.path;
    if (source.kind != ModuleSource::Kind::Local) {
      const InstalledModule* installed = find_installed(key, run.name, run.source, run.version, run.source_range);
      if (installed == nullptr) return UINT32_MAX;
      relative = installed->directory;
    }
    std::string path = join_path(options_.directory, relative);
    std::string directory = join_path(configuration_.root().directory, relative);
    auto canonical = real_directory(path);
    if (!canonical) {
      diags_.emit(run.module_range, diag::ModuleDirectoryMissing, directory, system_error(errno));
      return UINT32_MAX;
    }
    auto [at, fresh] = test_modules_.try_emplace(*canonical, static_cast<uint32_t>(configuration_.test_modules.size()));
    if (!fresh) return at->second;
    Loader loader(this);
    loader.add_module(std::move(*canonical), std::move(path), std::move(directory), std::move(key));
    loader.load_modules();
    auto& loaded =
        configuration_.test_modules.emplace_back(std::make_unique<Configuration>(std::move(loader.configuration_)));
    for (const Module& module : loaded->modules) read_for_tests_.try_emplace(module.canonical, &module);
    return at->second;
  }

  // --- modules

  uint32_t add_module(std::string canonical, std::string path, std::string directory, std::string calls) {
    auto index = static_cast<uint32_t>(configuration_.modules.size());
    Module& module = configuration_.modules.emplace_back();
    module.directory = std::move(directory);
    module.canonical = canonical;
    by_canonical_.emplace(std::move(canonical), index);
    places_.push_back({std::move(path), std::move(calls)});
    return index;
  }

  // The module as `init` has put it; null, after a warning, where it has not, or where the call says something else
  // now.
  const InstalledModule* find_installed(const std::string& path, const Name& name, const std::string& source,
                                        const std::string& version, SourceRange range) {
    const InstalledModule* installed = manifest_.find(path);
    std::string why = installed == nullptr ? "is not installed" : why_outdated(*installed, source, version);
    if (why.empty()) return installed;
    diags_.emit(range, diag::ModuleNotInstalled, names_.text(name.id), source, why);
    return nullptr;
  }

  void resolve(size_t caller, ModuleCall& call) {
    call.status = ModuleStatus::Broken;
    if (call.source_broken || call.source.empty()) return;
    ModuleSource source = parse_module_source(call.source, false);
    std::string calls = places_[caller].calls;
    if (!calls.empty()) calls += '.';
    calls += names_.text(call.name.id);

    std::string path;
    std::string directory;
    if (source.kind == ModuleSource::Kind::Local) {
      path = join_path(places_[caller].path, source.path);
      directory = join_path(configuration_.modules[caller].directory, source.path);
    } else {
      const InstalledModule* installed = find_installed(calls, call.name, call.source, call.version, call.source_range);
      if (installed == nullptr) {
        call.status = ModuleStatus::NotInstalled;
        return;
      }
      path = join_path(options_.directory, installed->directory);
      directory = join_path(".", installed->directory);
    }
    enter(call, std::move(path), std::move(directory), std::move(calls), source.kind);
  }

  void enter(ModuleCall& call, std::string path, std::string directory, std::string calls, ModuleSource::Kind kind) {
    auto canonical = real_directory(path);
    if (!canonical) {
      if (kind != ModuleSource::Kind::Local) call.status = ModuleStatus::NotInstalled;
      if (kind == ModuleSource::Kind::Local)
        diags_.emit(call.source_range, diag::ModuleDirectoryMissing, directory, system_error(errno));
      else
        diags_.emit(call.source_range, diag::ModuleNotInstalled, names_.text(call.name.id), call.source,
                    "is not installed");
      return;
    }
    call.status = ModuleStatus::Loaded;
    auto known = by_canonical_.find(*canonical);
    call.target = known != by_canonical_.end()
                      ? known->second
                      : add_module(std::move(*canonical), std::move(path), std::move(directory), std::move(calls));
  }

  const LoadOptions& options_;
  SourceManager& sources_;
  Names& names_;
  Diagnostics& diags_;
  Manifest manifest_;
  const Loader* main_ = nullptr;
  Configuration configuration_;
  std::vector<Place> places_;  // of each module
  std::unordered_map<std::string, uint32_t> by_canonical_;
  std::unordered_map<std::string, uint32_t> test_modules_;  // by canonical path
  std::unordered_map<std::string, const Module*> read_for_tests_;
};

}  // namespace

Configuration load_configuration(const LoadOptions& options, SourceManager& sources, Names& names, Diagnostics& diags) {
  return Loader(options, sources, names, diags).load();
}

}  // namespace pravo::load
