#include "frontend/hcl/json_text.h"

#include <algorithm>

#include "frontend/hcl/char_class.h"

namespace pravo::hcl {

namespace {

// The four hexadecimal digits at `at`, or 0 where the text ends before.
uint32_t hex4(std::string_view raw, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) {
    char c = at + i < raw.size() ? raw[at + i] : '0';
    value = value << 4 | static_cast<uint32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return value;
}

}  // namespace

std::string decode_json_text(std::string_view raw, std::vector<uint32_t>* offsets) {
  std::string out;
  out.reserve(raw.size());
  for (size_t i = 0; i < raw.size();) {
    size_t start = i;
    size_t before = out.size();
    char c = raw[i++];
    if (c != '\\' || i == raw.size()) {
      out.push_back(c);
    } else {
      switch (raw[i++]) {
        case 'b':
          out.push_back('\b');
          break;
        case 'f':
          out.push_back('\f');
          break;
        case 'n':
          out.push_back('\n');
          break;
        case 'r':
          out.push_back('\r');
          break;
        case 't':
          out.push_back('\t');
          break;
        case 'u': {
          char32_t point = hex4(raw, i);
          i = std::min(i + 4, raw.size());
          if (point >= 0xD800 && point < 0xDC00 && i + 6 <= raw.size() && raw[i] == '\\' && raw[i + 1] == 'u') {
            char32_t low = hex4(raw, i + 2);
            if (low >= 0xDC00 && low < 0xE000) {
              point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
              i += 6;
            }
          }
          // Half a surrogate pair is no character.
          append_utf8(out, point >= 0xD800 && point < 0xE000 ? U'\uFFFD' : point);
          break;
        }
        default:
          out.push_back(raw[i - 1]);
          break;  // `"`, `\`, `/`
      }
    }
    if (offsets != nullptr) offsets->resize(offsets->size() + out.size() - before, static_cast<uint32_t>(start));
  }
  if (offsets != nullptr) offsets->push_back(static_cast<uint32_t>(raw.size()));
  return out;
}

}  // namespace pravo::hcl
