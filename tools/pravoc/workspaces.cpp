#include "tools/pravoc/workspaces.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "ir/diagnostics/commands.h"
#include "runtime/state/file_io.h"

namespace pravo::cli {

namespace {

std::string data_directory() {
  const char* data = std::getenv("TF_DATA_DIR");
  return data != nullptr && *data != '\0' ? data : ".terraform";
}

std::string directory_of_workspace(const load::LocalBackend& backend, std::string_view name) {
  return fmt::format("{}/{}", backend.workspace_dir, name);
}

bool fail(std::string_view what, const std::error_code& error, Diagnostics& diags) {
  if (!error) return true;
  diags.emit({}, diag::WorkspaceNotWritten, what, runtime::error_text(error.value()));
  return false;
}

}  // namespace

bool workspace_is_overridden() {
  const char* name = std::getenv("TF_WORKSPACE");
  return name != nullptr && *name != '\0';
}

std::string current_workspace() {
  if (workspace_is_overridden()) return std::getenv("TF_WORKSPACE");
  runtime::FileError ignored;
  std::optional<std::string> text = runtime::read_file(data_directory() + "/environment", ignored);
  std::string name = text ? text->substr(0, text->find('\n')) : "";
  return name.empty() ? "default" : name;
}

bool choose_workspace(std::string_view name, Diagnostics& diags) {
  std::string directory = data_directory();
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  std::string path = directory + "/environment";
  if (!fail(path, error, diags)) return false;
  runtime::FileError written;
  runtime::WriteOptions options;
  options.new_mode = 0644;
  if (runtime::write_file_atomic(path, name, options, written)) return true;
  return fail(path, std::error_code(written.code, std::generic_category()), diags);
}

bool is_workspace_name(std::string_view name) {
  constexpr std::string_view kOthers = "-_.~$&+=:@";
  return !name.empty() && name != "." && name != ".." && std::all_of(name.begin(), name.end(), [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || kOthers.find(c) != std::string_view::npos;
  });
}

std::string workspace_state_path(const load::LocalBackend& backend, std::string_view name) {
  return name == "default" ? backend.path : directory_of_workspace(backend, name) + "/terraform.tfstate";
}

std::vector<std::string> workspace_names(const load::LocalBackend& backend) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(backend.workspace_dir, ignored))
    if (std::string name = entry.path().filename(); entry.is_directory(ignored) && name != "default")
      names.push_back(std::move(name));
  std::sort(names.begin(), names.end());
  names.insert(names.begin(), "default");
  return names;
}

bool make_workspace(const load::LocalBackend& backend, std::string_view name, Diagnostics& diags) {
  std::string path = directory_of_workspace(backend, name);
  std::error_code error;
  std::filesystem::create_directories(path, error);
  return fail(path, error, diags);
}

bool remove_workspace(const load::LocalBackend& backend, std::string_view name, Diagnostics& diags) {
  std::string path = directory_of_workspace(backend, name);
  std::error_code error;
  std::filesystem::remove_all(path, error);
  return fail(path, error, diags);
}

}  // namespace pravo::cli
