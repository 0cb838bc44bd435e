// Digests that tell whether two texts are the same.
#pragma once

#include <string>
#include <string_view>

namespace pravo::runtime {

// SHA-256 of a text, as 64 hex digits.
std::string sha256_hex(std::string_view text);

}  // namespace pravo::runtime
