// Paths as the file functions take them.
#pragma once

#include <string>
#include <string_view>

#include "ir/functions/call.h"

namespace pravo::functions {

// A path with a leading `~` replaced by the home directory.
Result<std::string> expand_home(const Call& call, int argument, std::string_view path);
// The contents of the file that argument i names: in parts, or as a whole.
Result<bool> read_file(const Call& call, size_t i, EvalHost::TakePart take);
Result<Str> read_whole_file(const Call& call, size_t i);
// Without `.`, `..` and repeated slashes, as Go's filepath.Clean; never empty.
std::string clean_path(std::string_view path);

}  // namespace pravo::functions
