// Character encodings by their IANA names, through the C library's iconv.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/keys.h"

namespace pravo::functions {

struct Charset {
  std::string_view name;   // IANA
  std::string_view iconv;  // what iconv calls it
};

// By IANA name or alias, whatever the case.
const Charset* find_charset(std::string_view name);
// Empty where the text has a character that the encoding lacks.
std::optional<Str> encode_text(const Charset& charset, std::string_view utf8);
// Empty where the bytes mean nothing in the encoding.
std::optional<Str> decode_text(const Charset& charset, std::string_view bytes);

}  // namespace pravo::functions
