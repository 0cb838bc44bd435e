#include "frontend/hcl/foreign_text.h"

#include <algorithm>

namespace pravo::hcl {

bool is_utf16(std::string_view text) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return true;
  if (text.size() < 4) return false;
  auto zero = [&](size_t i) { return text[i] == '\0'; };
  return (zero(1) && zero(3) && !zero(0) && !zero(2)) || (zero(0) && zero(2) && !zero(1) && !zero(3));
}

bool is_git_crypt(std::string_view text) { return text.starts_with(std::string_view("\0GITCRYPT\0", 10)); }

bool is_binary(std::string_view text) {
  if (is_git_crypt(text)) return true;
  // Of too few bytes nothing can be said.
  constexpr size_t kLeast = 32;
  constexpr size_t kMost = 4096;
  if (text.size() < kLeast || is_utf16(text)) return false;
  text = text.substr(0, kMost);
  auto controls = std::count_if(text.begin(), text.end(), [](char c) {
    return (c >= 0 && c < ' ' && !(c >= '\t' && c <= '\r') && c != '\x1B') || c == '\x7F';
  });
  // One byte of ten where all are equally likely.
  constexpr size_t kText = 32;
  return static_cast<size_t>(controls) * kText > text.size();
}

std::string without_conflicts(std::string_view text, std::vector<TokenSpan>& markers) {
  constexpr std::string_view kOpen = "<<<<<<< ";
  constexpr std::string_view kBase = "||||||| ";
  constexpr std::string_view kMiddle = "=======";
  constexpr std::string_view kClose = ">>>>>>> ";
  if (text.find(kClose) == std::string_view::npos || text.find(kOpen) == std::string_view::npos) return {};
  std::string out(text);
  enum class Side { None, Kept, Dropped } side = Side::None;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    bool drop = side == Side::Dropped;
    if (side == Side::None && line.starts_with(kOpen)) {
      markers.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
      side = Side::Kept;
      drop = true;
    } else if (side == Side::Kept && (line.starts_with(kMiddle) || line.starts_with(kBase))) {
      side = Side::Dropped;
      drop = true;
    } else if (side != Side::None && line.starts_with(kClose)) {
      side = Side::None;
      drop = true;
    }
    if (drop)
      std::fill(out.begin() + static_cast<std::ptrdiff_t>(begin), out.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    begin = end + 1;
  }
  // What never ends is no conflict.
  if (side != Side::None) markers.clear();
  return markers.empty() ? std::string() : out;
}

}  // namespace pravo::hcl
