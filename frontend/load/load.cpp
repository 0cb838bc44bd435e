// The configuration: the root module and every module that it reaches.
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
#include "ir/diagnostics/load.h"

namespace pravo::load {

namespace {

// The path without symbolic links, or nothing with errno.
std::optional<std::string> real_path(const std::string& path) {
  std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr), &std::free);
  if (!real) return std::nullopt;
  return std::string(real.get());
}

class Loader {
 public:
  Loader(const LoadOptions& options, SourceManager& sources, Names& names, Diagnostics& diags)
      : options_(options),
        sources_(sources),
        names_(names),
        diags_(diags),
        manifest_(join_path(options.directory, options.data_directory)) {}

  Configuration load() {
    if (!manifest_.error().empty()) diags_.emit({}, diag::ManifestUnreadable, manifest_.file(), manifest_.error());
    auto root = real_path(options_.directory);
    if (!root) diags_.emit({}, diag::DirectoryUnreadable, options_.directory, system_error(errno));
    add_module(root.value_or(options_.directory), options_.directory, ".", "");
    if (!root) return std::move(configuration_);
    // A queue: what a module calls comes after it, and after what its siblings before call.
    for (size_t i = 0; i < configuration_.modules.size(); ++i) {
      read_module(places_[i].path, i == 0, options_.threads, configuration_, configuration_.modules[i], sources_,
                  names_, diags_);
      for (ModuleCall& call : configuration_.modules[i].calls) resolve(i, call);
    }
    check_call_cycles(configuration_, names_, diags_);
    check_places(configuration_, names_, diags_);
    check_call_arguments(configuration_, names_, diags_);
    check_providers(configuration_, names_, diags_);
    check_refactoring(configuration_, sources_, names_, diags_);
    return std::move(configuration_);
  }

 private:
  // Where a module is: on disk, and along which calls it was reached first ("a.b").
  struct Place {
    std::string path;
    std::string calls;
  };

  uint32_t add_module(std::string canonical, std::string path, std::string directory, std::string calls) {
    auto index = static_cast<uint32_t>(configuration_.modules.size());
    Module& module = configuration_.modules.emplace_back();
    module.directory = std::move(directory);
    module.canonical = canonical;
    by_canonical_.emplace(std::move(canonical), index);
    places_.push_back({std::move(path), std::move(calls)});
    return index;
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
      const std::string* installed = manifest_.directory(calls);
      if (installed == nullptr) {
        call.status = ModuleStatus::NotInstalled;
        diags_.emit(call.source_range, diag::ModuleNotInstalled, names_.text(call.name.id), call.source);
        return;
      }
      path = join_path(options_.directory, *installed);
      directory = join_path(".", *installed);
    }
    enter(call, std::move(path), std::move(directory), std::move(calls), source.kind);
  }

  void enter(ModuleCall& call, std::string path, std::string directory, std::string calls, ModuleSource::Kind kind) {
    auto canonical = real_path(path);
    struct stat info {};
    if (canonical && stat(canonical->c_str(), &info) == 0 && !S_ISDIR(info.st_mode)) {
      errno = ENOTDIR;
      canonical.reset();
    }
    if (!canonical) {
      if (kind != ModuleSource::Kind::Local) call.status = ModuleStatus::NotInstalled;
      if (kind == ModuleSource::Kind::Local)
        diags_.emit(call.source_range, diag::ModuleDirectoryMissing, directory, system_error(errno));
      else
        diags_.emit(call.source_range, diag::ModuleNotInstalled, names_.text(call.name.id), call.source);
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
  Configuration configuration_;
  std::vector<Place> places_;  // of each module
  std::unordered_map<std::string, uint32_t> by_canonical_;
};

}  // namespace

Configuration load_configuration(const LoadOptions& options, SourceManager& sources, Names& names, Diagnostics& diags) {
  return Loader(options, sources, names, diags).load();
}

}  // namespace pravo::load
