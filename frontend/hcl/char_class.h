// Classes of bytes for the lexer, and identifiers after UAX #31 with `-` as a medial character.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace pravo::hcl {

enum class CharClass : uint8_t {
  Other,   // not a character of the language outside of strings and comments
  Space,   // space, tab
  Letter,  // starts an identifier
  Digit,
  Punct,     // starts an operator, bracket, quote or comment; also newline and carriage return
  NonAscii,  // first byte of a character beyond ASCII, or invalid UTF-8
};

namespace internal {

constexpr std::array<CharClass, 256> make_char_classes() {
  std::array<CharClass, 256> table{};
  for (int c = 0; c < 256; ++c) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (letter)
      table[c] = CharClass::Letter;
    else if (c >= '0' && c <= '9')
      table[c] = CharClass::Digit;
    else if (c >= 0x80)
      table[c] = CharClass::NonAscii;
    else if (c == ' ' || c == '\t')
      table[c] = CharClass::Space;
  }
  for (char c : std::string_view("\r\n#/\"<>=!&|:.,?()[]{}+-*%~"))
    table[static_cast<unsigned char>(c)] = CharClass::Punct;
  return table;
}

constexpr std::array<bool, 256> make_identifier_bytes() {
  std::array<bool, 256> table{};
  for (int c = 0; c < 0x80; ++c) {
    CharClass cls = make_char_classes()[c];
    table[c] = cls == CharClass::Letter || cls == CharClass::Digit || c == '-';
  }
  return table;
}

inline constexpr std::array<CharClass, 256> kCharClasses = make_char_classes();
inline constexpr std::array<bool, 256> kIdentifierBytes = make_identifier_bytes();

}  // namespace internal

inline CharClass char_class(char c) { return internal::kCharClasses[static_cast<unsigned char>(c)]; }

// An ASCII byte that continues an identifier.
inline bool is_identifier_byte(char c) { return internal::kIdentifierBytes[static_cast<unsigned char>(c)]; }

// The length in bytes of the character at `p` when it is beyond ASCII and may start (continue) an identifier,
// else 0.
size_t unicode_identifier_start(const char* p, const char* end);
size_t unicode_identifier_part(const char* p, const char* end);

// The character at `p` and its length in bytes; length 0 when the bytes are not UTF-8.
struct DecodedChar {
  char32_t point;
  size_t length;
};
DecodedChar decode_utf8(const char* p, const char* end);

inline bool is_hex_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// The next newline, or `end`.
inline const char* line_end(const char* p, const char* end) {
  const auto* found = static_cast<const char*>(std::memchr(p, '\n', static_cast<size_t>(end - p)));
  return found != nullptr ? found : end;
}

// Appends a character (a scalar value) as UTF-8.
void append_utf8(std::string& out, char32_t point);

// White space as strip markers, heredoc indentation and heredoc markers see it (Unicode White_Space).
bool is_unicode_space(char32_t point);

// The offset of the first byte that is not part of valid UTF-8, or npos.
size_t find_invalid_utf8(std::string_view text);

}  // namespace pravo::hcl
