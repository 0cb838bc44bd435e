// Unicode text as the language sees it: normal form C, grapheme clusters, simple case mappings, Go's quoting.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ir/keys.h"

namespace pravo {

bool is_ascii(std::string_view text);
bool is_valid_utf8(std::string_view text);
// Whether `text` is in normal form C for sure, by a look at its bytes; false: perhaps.
bool is_surely_normal(std::string_view text);
// Text in normal form C; the same bytes where it is already (and where it is not UTF-8).
std::string normalize_nfc(std::string_view text);
Str normalized(std::string_view text);
Str normalized(Str text);

// The code point at `at` and its length in bytes; a byte that begins none is U+FFFD of length 1, as in Go.
struct CodePoint {
  int32_t value;
  uint32_t length;
};
CodePoint decode_utf8(std::string_view text, size_t at);
void append_utf8(StrBuilder& out, uint32_t code_point);

// The end of the grapheme cluster (UAX #29) that begins at `at`.
size_t next_grapheme(std::string_view text, size_t at);
size_t count_graphemes(std::string_view text);
size_t count_code_points(std::string_view text);

// Go's unicode.IsSpace, IsPrint, IsLetter, IsDigit, and its simple (one to one) case mappings.
bool is_space(int32_t c);
bool is_print(int32_t c);
bool is_letter(int32_t c);
bool is_decimal_digit(int32_t c);
int32_t to_upper(int32_t c);
int32_t to_lower(int32_t c);
int32_t to_title(int32_t c);

// A string literal as Go's strconv.Quote writes it; `ascii` escapes everything beyond ASCII.
void append_go_quoted(StrBuilder& out, std::string_view text, bool ascii = false);

// Cut to the part that stays a prefix whatever is appended: what could still combine with a following character is
// dropped (cty's SafeKnownPrefix).
std::string_view safe_prefix(std::string_view text);

}  // namespace pravo
