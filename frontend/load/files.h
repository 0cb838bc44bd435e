// A directory's configuration files, and reading files.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <llvm/ADT/STLFunctionalExtras.h>

namespace pravo::load {

// Names of files in one directory, each list in lexical order.
struct DirectoryFiles {
  std::vector<std::string> primary;    // *.tf, *.tf.json
  std::vector<std::string> overrides;  // override.tf, *_override.tf and their JSON forms
  std::vector<std::string> tofu;       // *.tofu, *.tofu.json: not read
  std::vector<std::string> tests;      // *.tftest.hcl, *.tftest.json
  std::vector<std::string> mocks;      // *.tfmock.hcl, *.tfmock.json
  std::vector<std::string> tfvars;     // *.auto.tfvars, *.auto.tfvars.json
  std::string error;                   // why the directory cannot be read; then there are no files
  bool all_regular = true;             // each of these is a regular file, no link nor pipe
  bool empty() const { return primary.empty() && overrides.empty(); }
};
DirectoryFiles list_directory(const std::string& path);

// The text of a file, or why it cannot be read ("no such file or directory", "is a directory"). One that has more than
// 1 GiB is refused, as is a pipe or a device with more than 64 MiB.
struct FileText {
  std::string text;
  std::string error;
};
FileText read_file(const std::string& path);
// The same of one that is known to be regular. Thousands of small files cost mostly calls of the system: this needs
// three for each of them, one less.
FileText read_regular_file(const std::string& path);

// What the operating system says of errno, in lower case.
std::string system_error(int error);

// Calls f(0) ... f(count - 1), each once, on up to `threads` threads (0: as many as the machine has).
void parallel_for(size_t count, unsigned threads, llvm::function_ref<void(size_t)> f);

// `a/b` joined and cleaned without looking at the disk: `.` and `..` are taken out where possible.
std::string join_path(std::string_view directory, std::string_view path);

}  // namespace pravo::load
