// Patterns of fileset(): `*` and `?` inside a part of a path, `**` for any number of parts, `[a-z]`, `{a,b}`, `\x`.
#pragma once

#include <string_view>

namespace pravo::functions {

enum class GlobMatch : unsigned char { No, Yes, Malformed };
GlobMatch glob_match(std::string_view pattern, std::string_view path);
bool glob_has_wildcard(std::string_view text);

}  // namespace pravo::functions
