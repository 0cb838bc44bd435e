// What other functions need of timestamps.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pravo::functions {

// A timestamp as YAML 1.1 writes it (`2001-12-14`, `2001-12-14 21:59:43.1`), in the form of RFC 3339.
std::optional<std::string> yaml_timestamp(std::string_view text);

}  // namespace pravo::functions
