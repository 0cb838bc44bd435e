// Bytes as text: base64 and hexadecimal, shared by the encoding and the hash functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/keys.h"

namespace pravo::functions {

void append_base64(StrBuilder& out, std::string_view bytes);
// Standard alphabet with padding, line breaks allowed. Empty: malformed.
std::optional<Str> decode_base64(std::string_view text);
void append_hex(StrBuilder& out, std::string_view bytes);

}  // namespace pravo::functions
