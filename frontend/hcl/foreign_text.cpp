#include "frontend/hcl/foreign_text.h"

#include <algorithm>

namespace pravo::hcl {

bool is_utf16(std::string_view text) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return true;
  if (text.size() < 4) return false;
  auto zero = [&](size_t i) { return text[i] == '\0'; };
  return (zero(1) && zero(3) && !zero(0) && !zero(2)) || (zero(0) && zero(2) && !zero(1) && !zero(3));
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
