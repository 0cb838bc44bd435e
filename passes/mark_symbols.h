// Symbols stand for the sensitive marks that a caller's arguments bring into a module body, so that one body is
// analysed once for all of its calls. A symbol names a tree that is known only at a call: the tree of an input, or
// what a chain of steps makes of it ("input t, its attribute a, everything inside as one mark"). At a call the chain
// is run on the argument's tree (MarkTrees::substitute).
//
// Ephemeral marks are never symbolic: they are cut at declared variables and outputs.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ir/ids.h"
#include "ir/type.h"

namespace pravo::passes {

using SymbolId = Id<struct MarkSymbolTag>;

// Names a child of a value: an attribute or map key, or an index. A key of decimal digits and the index it spells are
// one (`m["0"]`, `l[0]`), since the language converts between them.
class FieldKey {
 public:
  constexpr FieldKey() = default;
  static constexpr FieldKey index(uint32_t i) { return FieldKey(i | kIndexBit); }
  static constexpr FieldKey name(NameId id) { return FieldKey(id.index); }
  static constexpr FieldKey from_raw(uint32_t raw) { return FieldKey(raw); }
  static constexpr uint32_t kMaxIndex = 0x7ffffffe;

  constexpr bool is_index() const { return (raw_ & kIndexBit) != 0; }
  constexpr uint32_t index() const { return raw_ & ~kIndexBit; }
  constexpr NameId name() const { return NameId(raw_); }
  constexpr uint32_t raw() const { return raw_; }
  constexpr auto operator<=>(const FieldKey&) const = default;

 private:
  static constexpr uint32_t kIndexBit = 0x80000000;
  constexpr explicit FieldKey(uint32_t raw) : raw_(raw) {}
  uint32_t raw_ = 0;
};

enum class SymbolStep : uint8_t {
  Input,      // the tree of an input; payload: its index among the body's variables
  AllInputs,  // everything that any input brings, as one mark: where there were too many symbols to tell apart
  Child,      // of the parent's tree the child with a key; payload: FieldKey
  Any,        // the join of the parent's children
  Below,      // the parent's tree without its own mark
  Own,        // the parent's own mark only
  Deep,       // all marks of the parent's tree as one mark
  Convert,    // the parent's tree after a type conversion; payload: an index of a type
};

struct Symbol {
  SymbolStep step = SymbolStep::Input;
  uint8_t depth = 0;
  SymbolId parent;
  uint32_t payload = 0;
};

// Interned symbols: equal chains have equal ids.
class MarkSymbols {
 public:
  const Symbol& operator[](SymbolId id) const { return symbols_[id.index]; }
  const Type& type(uint32_t payload) const { return types_[payload]; }

  SymbolId input(uint32_t index);
  SymbolId all_inputs();
  SymbolId child(SymbolId parent, FieldKey key);
  SymbolId any(SymbolId parent);
  // Invalid where nothing is left: a mark without children.
  SymbolId below(SymbolId parent);
  SymbolId own(SymbolId parent);  // invalid where there is none
  SymbolId deep(SymbolId parent);
  SymbolId convert(SymbolId parent, const Type& type);

  // A single mark without children (own, deep, all inputs).
  bool is_mark(SymbolId id) const;
  // The index of the input that it stands for; none for AllInputs.
  uint32_t input_of(SymbolId id) const;

 private:
  SymbolId add(SymbolStep step, SymbolId parent, uint32_t payload);

  // Longer chains become the Deep of what they reach, so that there are finitely many.
  static constexpr unsigned kMaxDepth = 16;

  struct Key {
    SymbolStep step;
    uint32_t parent;
    uint32_t payload;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const noexcept {
      uint64_t h = key.parent * 0x9e3779b97f4a7c15ULL ^ (uint64_t{key.payload} << 8) ^ static_cast<uint64_t>(key.step);
      return static_cast<size_t>(h ^ (h >> 29));
    }
  };
  std::vector<Symbol> symbols_;
  std::unordered_map<Key, SymbolId, KeyHash> ids_;
  std::vector<Type> types_;
  std::unordered_map<Type, uint32_t> type_ids_;
};

}  // namespace pravo::passes

template <>
struct std::hash<pravo::passes::FieldKey> {
  size_t operator()(pravo::passes::FieldKey key) const noexcept { return std::hash<uint32_t>()(key.raw()); }
};
