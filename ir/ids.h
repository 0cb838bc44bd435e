// Typed 32-bit ids. Every entity of the IR lives in a store and is named by its index there; the tag type
// keeps an id of one store from being used in another.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace pravo {

template <class Tag>
struct Id {
  static constexpr uint32_t none = UINT32_MAX;
  uint32_t index = none;

  constexpr Id() = default;
  constexpr explicit Id(uint32_t i) : index(i) {}
  constexpr bool valid() const { return index != none; }
  constexpr explicit operator bool() const { return valid(); }
  constexpr auto operator<=>(const Id&) const = default;
};

using FileId = Id<struct FileTag>;          // a source file, in SourceManager
using NameId = Id<struct NameTag>;          // an interned name (identifier, attribute, address part)
using TypeId = Id<struct TypeTag>;          // an interned type of the program
using ConstId = Id<struct ConstTag>;        // a constant value of a module body
using InstId = Id<struct InstTag>;          // an instruction of one module body; an instruction is its value
using RegionId = Id<struct RegionTag>;      // a nested instruction list of one module body
using ModuleId = Id<struct ModuleTag>;      // a module body of the program (one per module source)
using ResourceId = Id<struct ResourceTag>;  // static facts of a resource, data or ephemeral block
using CallId = Id<struct CallTag>;          // static facts of a module call
using MarkTreeId = Id<struct MarkTreeTag>;  // an interned mark tree

}  // namespace pravo

template <class Tag>
struct std::hash<pravo::Id<Tag>> {
  size_t operator()(pravo::Id<Tag> id) const noexcept { return std::hash<uint32_t>()(id.index); }
};
