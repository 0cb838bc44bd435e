// The two mark bits of a value (design.md section 1).
#pragma once

#include <cstdint>

namespace pravo {

// A set of marks, ordered by inclusion: the lattice of subsets of {ephemeral, sensitive}.
enum class MarkSet : uint8_t { None = 0, Ephemeral = 1, Sensitive = 2, Both = 3 };

constexpr MarkSet operator|(MarkSet a, MarkSet b) {
  return static_cast<MarkSet>(static_cast<uint8_t>(a) | static_cast<uint8_t>(b));
}
constexpr MarkSet operator&(MarkSet a, MarkSet b) {
  return static_cast<MarkSet>(static_cast<uint8_t>(a) & static_cast<uint8_t>(b));
}
constexpr MarkSet operator~(MarkSet a) { return static_cast<MarkSet>(~static_cast<uint8_t>(a) & 3); }
constexpr MarkSet& operator|=(MarkSet& a, MarkSet b) { return a = a | b; }
constexpr bool any(MarkSet a) { return a != MarkSet::None; }
constexpr bool contains(MarkSet set, MarkSet part) { return (set & part) == part; }

}  // namespace pravo
