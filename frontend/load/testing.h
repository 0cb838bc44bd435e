// A configuration in a folder of its own, for tests.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unistd.h>

#include "frontend/load/config.h"
#include "frontend/load/variables.h"

namespace pravo::load::testing {

namespace fs = std::filesystem;

// A folder that is gone with its owner.
class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "pravo-load-XXXXXX").string();
    const char* made = ::mkdtemp(pattern.data());
    PRAVOC_CHECK(made != nullptr);
    path_ = made;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  fs::path path() const { return path_; }
  void write(const std::string& name, std::string_view text) const {
    fs::path file = path_ / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }

 private:
  fs::path path_;
};

using Files = std::vector<std::pair<std::string, std::string>>;  // name and text

// A folder, loaded.
struct Loaded {
  Folder folder;
  SourceManager sources;
  Names names;
  Diagnostics diags;
  LoadOptions options;
  Configuration configuration;

  explicit Loaded(const Files& files) {
    for (const auto& [name, text] : files) folder.write(name, text);
    options.directory = folder.path().string();
    options.tests = true;
  }
  Loaded& load() {
    configuration = load_configuration(options, sources, names, diags);
    diags.sort(sources);
    return *this;
  }
  std::map<NameId, InputValue> values(const std::vector<VarArgument>& arguments = {}) {
    return load_variable_values(configuration, options, arguments, sources, names, diags);
  }

  std::string_view text(NameId id) const { return names.text(id); }
  std::string_view text(Expr expr) const { return sources.text(expr.range()); }

  // "main.tf:3:5 error: message [id]", or without a place; one a line.
  std::string report() const {
    std::string out;
    for (const Diagnostic& d : diags.all()) {
      if (d.range.valid()) {
        LineColumn at = sources.position(d.range.file, d.range.begin);
        out += fmt::format("{}:{}:{} ", sources.name(d.range.file), at.line, at.column);
      }
      out += d.severity == Severity::Error ? "error" : "warning";
      std::string message = d.message;
      for (size_t at; (at = message.find(options.directory)) != std::string::npos;)
        message.replace(at, options.directory.size(), "DIRECTORY");
      out += fmt::format(": {} [{}]\n", message, diagnostic_id(d.kind));
    }
    return out;
  }
};

}  // namespace pravo::load::testing
