// `.terraform/modules/modules.json`: where `init` put the modules that are not part of the configuration.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace pravo::load {

// A row of the manifest.
struct InstalledModule {
  std::string directory;  // relative to the root module's
  std::string source;     // as it was when the module was installed; with its registry
  std::string version;    // of a registry's module
};

// Why an installed module is not what a call asks for now, or nothing where it is, or may be.
std::string why_outdated(const InstalledModule& installed, std::string_view source, std::string_view version);

class Manifest {
 public:
  // Reads the manifest of a data directory. No file is no modules; a damaged one too, and `error()` says so.
  explicit Manifest(const std::string& data_directory);

  // The module that is called along this path ("a.b"), or null.
  const InstalledModule* find(const std::string& path) const;
  const std::string& error() const { return error_; }
  const std::string& file() const { return file_; }

 private:
  std::string file_;
  std::string error_;
  std::unordered_map<std::string, InstalledModule> modules_;
};

}  // namespace pravo::load
