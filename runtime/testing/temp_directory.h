// A directory of a test's own, which goes with it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "ir/check.h"

namespace pravo::runtime::testing {

struct TempDirectory {
  std::filesystem::path path;

  TempDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "pravo_XXXXXX").string();
    PRAVOC_CHECK(::mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~TempDirectory() { std::filesystem::remove_all(path); }
  TempDirectory(const TempDirectory&) = delete;
  TempDirectory& operator=(const TempDirectory&) = delete;

  std::string file(const char* name) const { return (path / name).string(); }
};

}  // namespace pravo::runtime::testing
