#include "frontend/hcl/char_class.h"

#include <cstring>

#include <utf8proc.h>

namespace pravo::hcl {

namespace {

// Other_ID_Start and Other_ID_Continue of the Unicode database: characters that are identifiers for the sake of
// older versions, whatever their category.
bool is_other_start(char32_t c) {
  return c == 0x1885 || c == 0x1886 || c == 0x2118 || c == 0x212E || c == 0x309B || c == 0x309C;
}

bool is_other_part(char32_t c) { return c == 0xB7 || c == 0x387 || (c >= 0x1369 && c <= 0x1371) || c == 0x19DA; }

// Pattern_Syntax characters that have a category of letters; UAX #31 excludes them.
bool is_pattern_syntax(char32_t c) { return c == 0x2E2F; }

bool is_start(char32_t c) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_NL:
      return !is_pattern_syntax(c);
    default:
      return is_other_start(c);
  }
}

bool is_part(char32_t c) {
  if (is_start(c)) return true;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_PC:
      return true;
    default:
      return is_other_part(c);
  }
}

}  // namespace

DecodedChar decode_utf8(const char* p, const char* end) {
  utf8proc_int32_t point = -1;
  utf8proc_ssize_t length =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(p), static_cast<utf8proc_ssize_t>(end - p), &point);
  if (length <= 0 || point < 0) return {0xFFFD, 0};
  return {static_cast<char32_t>(point), static_cast<size_t>(length)};
}

size_t unicode_identifier_start(const char* p, const char* end) {
  DecodedChar c = decode_utf8(p, end);
  return c.length > 1 && is_start(c.point) ? c.length : 0;
}

size_t unicode_identifier_part(const char* p, const char* end) {
  DecodedChar c = decode_utf8(p, end);
  return c.length > 1 && is_part(c.point) ? c.length : 0;
}

void append_utf8(std::string& out, char32_t point) {
  utf8proc_uint8_t bytes[4];
  utf8proc_ssize_t length = utf8proc_encode_char(static_cast<utf8proc_int32_t>(point), bytes);
  out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(length));
}

bool is_unicode_space(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r');
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
         c == 0x202F || c == 0x205F || c == 0x3000;
}

size_t find_invalid_utf8(std::string_view text) {
  const char* p = text.data();
  const char* end = p + text.size();
  constexpr uint64_t kBeyondAscii = 0x8080808080808080U;
  while (p < end) {
    // Many bytes at a time while all are ASCII, which nearly all are.
    uint64_t chunk[4];
    while (end - p >= 32 &&
           (std::memcpy(chunk, p, 32), ((chunk[0] | chunk[1] | chunk[2] | chunk[3]) & kBeyondAscii) == 0))
      p += 32;
    const char* limit = end - p >= 32 ? p + 32 : end;
    while (p < limit && static_cast<unsigned char>(*p) < 0x80) ++p;
    while (p < end && static_cast<unsigned char>(*p) >= 0x80) {
      DecodedChar c = decode_utf8(p, end);
      if (c.length == 0) return static_cast<size_t>(p - text.data());
      p += c.length;
    }
  }
  return std::string_view::npos;
}

}  // namespace pravo::hcl
