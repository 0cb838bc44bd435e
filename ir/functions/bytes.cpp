#include "ir/functions/bytes.h"

#include <array>

namespace pravo::functions {

namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<signed char, 256> reverse_alphabet() {
  std::array<signed char, 256> table{};
  for (auto& entry : table) entry = -1;
  for (size_t i = 0; i < kAlphabet.size(); ++i)
    table[static_cast<unsigned char>(kAlphabet[i])] = static_cast<signed char>(i);
  return table;
}
constexpr auto kReverse = reverse_alphabet();

}  // namespace

void append_base64(StrBuilder& out, std::string_view bytes) {
  out.reserve(out.size() + (bytes.size() + 2) / 3 * 4);
  auto byte = [&](size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u; };
  for (size_t at = 0; at < bytes.size(); at += 3) {
    unsigned group = byte(at) << 16 | byte(at + 1) << 8 | byte(at + 2);
    char text[4] = {kAlphabet[group >> 18], kAlphabet[group >> 12 & 63],
                    at + 1 < bytes.size() ? kAlphabet[group >> 6 & 63] : '=',
                    at + 2 < bytes.size() ? kAlphabet[group & 63] : '='};
    out.append(std::string_view(text, 4));
  }
}

std::optional<Str> decode_base64(std::string_view text) {
  StrBuilder out;
  out.reserve(text.size() / 4 * 3 + 3);
  unsigned group = 0;
  int count = 0;
  int padding = 0;
  for (char c : text) {
    if (c == '\n' || c == '\r') continue;
    if (c == '=') {
      // Only where it completes a group of four.
      if (count + padding < 2 || ++padding + count > 4) return std::nullopt;
      continue;
    }
    int value = kReverse[static_cast<unsigned char>(c)];
    if (value < 0 || padding > 0) return std::nullopt;
    group = group << 6 | static_cast<unsigned>(value);
    if (++count < 4) continue;
    char bytes[3] = {static_cast<char>(group >> 16), static_cast<char>(group >> 8), static_cast<char>(group)};
    out.append(std::string_view(bytes, 3));
    group = 0;
    count = 0;
  }
  if ((count + padding) % 4 != 0) return std::nullopt;
  if (count == 2) {
    out += static_cast<char>(group >> 4);
  } else if (count == 3) {
    out += static_cast<char>(group >> 10);
    out += static_cast<char>(group >> 2);
  }
  return std::move(out).finish();
}

void append_hex(StrBuilder& out, std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  for (char c : bytes) {
    auto byte = static_cast<unsigned char>(c);
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
}

}  // namespace pravo::functions
