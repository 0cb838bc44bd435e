// `.terraform/modules/modules.json`: where `init` put the modules that are not part of the configuration.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace pravo::load {

class Manifest {
 public:
  // Reads the manifest of a data directory. No file is no modules; a damaged one too, and `error()` says so.
  explicit Manifest(const std::string& data_directory);

  // The directory of the module that is called along this path ("a.b"), relative to the root module's, or null.
  const std::string* directory(const std::string& path) const;
  const std::string& error() const { return error_; }
  const std::string& file() const { return file_; }

 private:
  std::string file_;
  std::string error_;
  std::unordered_map<std::string, std::string> directories_;
};

}  // namespace pravo::load
