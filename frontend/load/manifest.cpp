#include "frontend/load/manifest.h"

#include <sys/stat.h>

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "frontend/load/address.h"
#include "frontend/load/files.h"
#include "frontend/load/version.h"

namespace pravo::load {

Manifest::Manifest(const std::string& data_directory) : file_(data_directory + "/modules/modules.json") {
  struct stat info {};
  if (stat(file_.c_str(), &info) != 0) return;
  FileText text = read_file(file_);
  if (!text.error.empty()) {
    error_ = text.error;
    return;
  }
  auto json = nlohmann::json::parse(text.text, nullptr, false);
  if (!json.is_object() || !json.contains("Modules") || !json["Modules"].is_array()) {
    error_ = "it is no manifest of modules";
    return;
  }
  for (const auto& entry : json["Modules"]) {
    if (!entry.is_object()) continue;
    auto text_of = [&](const char* name) {
      auto at = entry.find(name);
      return at != entry.end() && at->is_string() ? at->get<std::string>() : std::string();
    };
    std::string directory = text_of("Dir");
    if (!entry.contains("Key") || directory.empty()) continue;
    modules_[text_of("Key")] = {std::move(directory), text_of("Source"), text_of("Version")};
  }
}

const InstalledModule* Manifest::find(const std::string& path) const {
  auto at = modules_.find(path);
  return at == modules_.end() ? nullptr : &at->second;
}

namespace {

// Without what `init` adds to a source: the default registry, how a shorthand is fetched. Empty for what can be written
// in more ways than are known here (buckets, archives).
std::string source_identity(std::string_view source) {
  if (parse_module_source(source, false).kind == ModuleSource::Kind::Registry) {
    std::string_view registry = kDefaultRegistry;
    if (source.starts_with(registry)) source.remove_prefix(registry.size() + 1);
    return std::string(source);
  }
  std::string_view repository = source;
  const bool forced = repository.starts_with("git::");
  if (forced) repository.remove_prefix(5);
  for (std::string_view scheme : {"https://", "ssh://", "git@"})
    if (repository.starts_with(scheme)) repository.remove_prefix(scheme.size());
  if (!forced && !repository.starts_with("github.com") && !repository.starts_with("bitbucket.org")) return {};
  std::string identity(repository);
  for (std::string_view end : {".git//", ".git?"})
    if (size_t at = identity.find(end); at != std::string::npos) identity.erase(at, 4);
  if (identity.ends_with(".git")) identity.resize(identity.size() - 4);
  if (identity.starts_with("git@")) identity.erase(0, 4);
  // `host:path` of ssh is `host/path` elsewhere.
  if (size_t colon = identity.find(':'); colon != std::string::npos && colon < identity.find('/'))
    identity[colon] = '/';
  return identity;
}

}  // namespace

std::string why_outdated(const InstalledModule& installed, std::string_view source, std::string_view version) {
  const std::string was = source_identity(installed.source);
  const std::string is = source_identity(source);
  if (!was.empty() && !is.empty() && was != is) return fmt::format("was installed from `{}`", installed.source);
  auto found = parse_version(installed.version);
  auto wanted = parse_version_constraints(version);
  if (!found || !wanted || version.empty() || !found->prerelease.empty()) return {};
  for (const VersionConstraint& constraint : *wanted)
    if (constraint.version.prerelease.empty() && !satisfies(*found, constraint))
      return fmt::format("was installed in version {}", installed.version);
  return {};
}

}  // namespace pravo::load
