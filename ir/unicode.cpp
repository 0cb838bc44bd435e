#include "ir/unicode.h"

#include <cstdlib>
#include <cstring>

#include <utf8proc.h>

namespace pravo {

namespace {

constexpr int32_t kReplacement = 0xFFFD;

const utf8proc_uint8_t* bytes(std::string_view text) { return reinterpret_cast<const utf8proc_uint8_t*>(text.data()); }

utf8proc_category_t category(int32_t c) { return utf8proc_category(c); }

}  // namespace

bool is_ascii(std::string_view text) {
  const char* p = text.data();
  size_t n = text.size();
  for (; n >= 8; p += 8, n -= 8) {
    uint64_t word = 0;
    std::memcpy(&word, p, 8);
    if ((word & 0x8080808080808080) != 0) return false;
  }
  for (; n > 0; ++p, --n)
    if (static_cast<unsigned char>(*p) >= 0x80) return false;
  return true;
}

bool is_surely_normal(std::string_view text) {
  // Nothing below U+0300 combines backwards or changes by itself; its first byte is below 0xCC.
  for (char c : text)
    if (static_cast<unsigned char>(c) >= 0xCC) return false;
  return true;
}

bool is_valid_utf8(std::string_view text) {
  if (is_ascii(text)) return true;
  for (size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    utf8proc_int32_t point = 0;
    utf8proc_ssize_t length =
        utf8proc_iterate(bytes(text) + at, static_cast<utf8proc_ssize_t>(text.size() - at), &point);
    if (length <= 0) return false;
    at += static_cast<size_t>(length);
  }
  return true;
}

Str normalized(std::string_view text) {
  if (is_surely_normal(text)) return Str(text);
  utf8proc_uint8_t* mapped = nullptr;
  utf8proc_ssize_t length = utf8proc_map(bytes(text), static_cast<utf8proc_ssize_t>(text.size()), &mapped,
                                         static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  if (length < 0) return Str(text);
  Str result(std::string_view(reinterpret_cast<char*>(mapped), static_cast<size_t>(length)));
  explicit_bzero(mapped, static_cast<size_t>(length));
  std::free(mapped);
  return result;
}

Str normalized(Str text) {
  if (is_surely_normal(text.view())) return text;
  return normalized(text.view());
}

std::string normalize_nfc(std::string_view text) {
  if (is_surely_normal(text)) return std::string(text);
  return std::string(normalized(text).view());
}

CodePoint decode_utf8(std::string_view text, size_t at) {
  auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) return {first, 1};
  utf8proc_int32_t point = 0;
  utf8proc_ssize_t length = utf8proc_iterate(bytes(text) + at, static_cast<utf8proc_ssize_t>(text.size() - at), &point);
  if (length <= 0) return {kReplacement, 1};
  return {point, static_cast<uint32_t>(length)};
}

void append_utf8(StrBuilder& out, uint32_t code_point) {
  utf8proc_uint8_t buffer[4];
  utf8proc_ssize_t length = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code_point), buffer);
  out.append(std::string_view(reinterpret_cast<const char*>(buffer), static_cast<size_t>(length)));
}

size_t next_grapheme(std::string_view text, size_t at) {
  CodePoint previous = decode_utf8(text, at);
  at += previous.length;
  utf8proc_int32_t state = 0;
  while (at < text.size()) {
    // Two neighbours in ASCII only cling as CR LF.
    auto next_byte = static_cast<unsigned char>(text[at]);
    if (previous.value < 0x80 && next_byte < 0x80 && previous.value != '\r') return at;
    CodePoint next = decode_utf8(text, at);
    if (utf8proc_grapheme_break_stateful(previous.value, next.value, &state)) return at;
    previous = next;
    at += next.length;
  }
  return at;
}

size_t count_graphemes(std::string_view text) {
  // In ASCII only CR LF is one cluster of two.
  if (is_ascii(text) && text.find('\r') == std::string_view::npos) return text.size();
  size_t count = 0;
  for (size_t at = 0; at < text.size(); at = next_grapheme(text, at)) ++count;
  return count;
}

size_t count_code_points(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; at < text.size(); at += decode_utf8(text, at).length) ++count;
  return count;
}

bool is_space(int32_t c) {
  if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r');
  if (c == 0x85) return true;
  utf8proc_category_t kind = category(c);
  return kind == UTF8PROC_CATEGORY_ZS || kind == UTF8PROC_CATEGORY_ZL || kind == UTF8PROC_CATEGORY_ZP;
}

bool is_letter(int32_t c) {
  utf8proc_category_t kind = category(c);
  return kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_LO;
}

bool is_decimal_digit(int32_t c) { return category(c) == UTF8PROC_CATEGORY_ND; }

bool is_print(int32_t c) {
  if (c == ' ') return true;
  utf8proc_category_t kind = category(c);
  return kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_SO;
}

int32_t to_upper(int32_t c) {
  // The capital sharp s is not a simple mapping of Unicode's data, though utf8proc has it.
  if (c == 0xDF) return c;
  return utf8proc_toupper(c);
}

int32_t to_lower(int32_t c) { return utf8proc_tolower(c); }

int32_t to_title(int32_t c) {
  if (c == 0xDF) return c;
  return utf8proc_totitle(c);
}

void append_go_quoted(StrBuilder& out, std::string_view text, bool ascii) {
  static constexpr char kHex[] = "0123456789abcdef";
  auto hex = [&](uint32_t value, int digits) {
    for (int i = digits - 1; i >= 0; --i) out += kHex[(value >> (4 * i)) & 15];
  };
  out += '"';
  for (size_t at = 0; at < text.size();) {
    CodePoint c = decode_utf8(text, at);
    std::string_view raw = text.substr(at, c.length);
    at += c.length;
    if (c.length == 1 && c.value == kReplacement) {
      out += "\\x";
      hex(static_cast<unsigned char>(raw[0]), 2);
      continue;
    }
    switch (c.value) {
      case '"':
      case '\\':
        out += '\\';
        out += static_cast<char>(c.value);
        continue;
      case '\a':
        out += "\\a";
        continue;
      case '\b':
        out += "\\b";
        continue;
      case '\f':
        out += "\\f";
        continue;
      case '\n':
        out += "\\n";
        continue;
      case '\r':
        out += "\\r";
        continue;
      case '\t':
        out += "\\t";
        continue;
      case '\v':
        out += "\\v";
        continue;
      default:
        break;
    }
    auto value = static_cast<uint32_t>(c.value);
    if (is_print(c.value) && (!ascii || value < 0x80)) {
      out += raw;
    } else if (value < ' ' || value == 0x7F) {
      out += "\\x";
      hex(value, 2);
    } else if (value < 0x10000) {
      out += "\\u";
      hex(value, 4);
    } else {
      out += "\\U";
      hex(value, 8);
    }
  }
  out += '"';
}

std::string_view safe_prefix(std::string_view text) {
  if (text.empty()) return text;
  // Single characters that never join with what follows, and that often end a known prefix.
  static constexpr std::string_view kSafe = "-_:;/\\,.(){}[]|?!~ \t@#$%^&*+\"'";
  if (kSafe.find(text.back()) != std::string_view::npos) return text;
  size_t last = 0;
  for (size_t at = 0; at < text.size(); at = next_grapheme(text, at)) last = at;
  return text.substr(0, last);
}

}  // namespace pravo
