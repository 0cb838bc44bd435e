// MarkTree: the marks of a value, structured like the value. A node holds the marks of the value itself (`whole`),
// the trees of named children (`fields`) and one tree for all children that are not named (`each`):
//
//   {name = "x", pw = var.secret}   ->  {whole: -, fields: {pw: sens}, each: -}
//
// Reading a child joins the marks of what it is read from: who may not see an object may not see its parts. Sets have
// no children: their elements' marks are the set's own. A node also holds symbols, which stand for what a caller's
// arguments bring (passes/mark_symbols.h).
//
// Trees are interned: equal trees have equal ids, joins are remembered. Depth, width and the number of symbols are
// bounded, so that the lattice is finite; what exceeds a bound becomes a coarser tree with at least the same marks.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/ids.h"
#include "ir/marks.h"
#include "ir/names.h"
#include "ir/store.h"
#include "ir/type.h"
#include "ir/value.h"
#include "passes/mark_symbols.h"

namespace pravo::passes {

using MarkFields = std::vector<std::pair<FieldKey, MarkTreeId>>;  // sorted by key, each key once

struct MarkNode {
  MarkSet whole = MarkSet::None;
  MarkSet deep = MarkSet::None;   // whole and everything below; symbols not counted
  bool symbolic = false;          // symbols here or below
  uint8_t depth = 0;              // 0: no children
  MarkTreeId each;                // clean when there is nothing to say
  MarkFields fields;              // without those that are equal to each
  std::vector<SymbolId> symbols;  // sorted
};

class MarkTrees {
 public:
  // Bounds. Beyond the depth a subtree is one mark; beyond the width all fields are `each`; beyond the number of
  // symbols one stands for them all.
  static constexpr unsigned kMaxDepth = 24;
  static constexpr size_t kMaxFields = 4096;
  static constexpr size_t kMaxSymbols = 1024;

  // Names of attributes of types are interned there when a tree has to tell them apart.
  explicit MarkTrees(Names& names);

  MarkSymbols& symbols() { return symbols_; }
  const MarkSymbols& symbols() const { return symbols_; }

  // --- making
  MarkTreeId clean() const { return MarkTreeId(0); }
  MarkTreeId leaf(MarkSet marks) const { return MarkTreeId(static_cast<uint32_t>(marks)); }
  MarkTreeId symbol(SymbolId id);
  // A node of these parts, not necessarily sorted or unique; of equal keys the last counts. Applies the bounds.
  MarkTreeId make(MarkSet whole, MarkFields fields, MarkTreeId each, std::vector<SymbolId> symbols = {});
  MarkTreeId with_each(MarkTreeId each) { return make(MarkSet::None, {}, each); }

  MarkTreeId join(MarkTreeId a, MarkTreeId b);
  // `own`'s own marks and symbols (not its children) join those of `tree` itself.
  MarkTreeId with_own(MarkTreeId tree, MarkTreeId own) { return join(tree, this->own(own)); }
  MarkTreeId with_whole(MarkTreeId tree, MarkSet marks) { return join(tree, leaf(marks)); }

  // --- looking
  const MarkNode& operator[](MarkTreeId id) const { return nodes_[id]; }
  bool is_clean(MarkTreeId id) const { return id.index == 0; }
  // Any of these marks anywhere in the tree; symbols not counted.
  bool has(MarkTreeId id, MarkSet marks) const { return any(nodes_[id].deep & marks); }
  bool has_own(MarkTreeId id, MarkSet marks) const { return any(nodes_[id].whole & marks); }
  size_t size() const { return nodes_.size(); }

  // The child as the tree holds it, without what reading it joins (symbols of the node are not followed).
  MarkTreeId stored_child(MarkTreeId id, FieldKey key) const;

  // --- what reading gives
  MarkTreeId child(MarkTreeId id, FieldKey key);      // joined with the node's own marks
  MarkTreeId raw_child(MarkTreeId id, FieldKey key);  // without them
  MarkTreeId any_child(MarkTreeId id);                // the join of all children and the node's own marks
  MarkTreeId raw_any_child(MarkTreeId id);
  MarkTreeId own(MarkTreeId id);    // the own marks as a leaf
  MarkTreeId deep(MarkTreeId id);   // all marks as a leaf
  MarkTreeId below(MarkTreeId id);  // the node without its own marks

  // --- transforming
  MarkTreeId without_own(MarkTreeId id, MarkSet marks);
  // Removes these marks everywhere (symbols too if sensitive is among them).
  MarkTreeId without(MarkTreeId id, MarkSet marks);
  // After a conversion of a value of type `from` (dynamic if unknown) to `to`: what the target has no place for
  // takes its marks along; a set takes its elements' marks on itself.
  MarkTreeId convert(MarkTreeId id, const Type& from, const Type& to);
  // Symbols replaced by what the inputs are at a call. `inputs` holds a tree for each input of the callee.
  class Substitution;

  // `.a: eph, .b[*]: sens`, `eph|sens`, or empty when clean. `input` names the inputs.
  std::string print(MarkTreeId id, const std::function<std::string(uint32_t)>& input) const;

 private:
  MarkTreeId intern(MarkNode node);
  MarkTreeId truncate(MarkTreeId id, unsigned depth);
  MarkTreeId convert_children(MarkTreeId id, const Type& from, const Type& to);
  std::string print_symbol(SymbolId id, const std::function<std::string(uint32_t)>& input) const;

  // Remembered results of the operations on one tree, by what the operation is.
  enum class Memo : uint8_t { Deep, Any, Truncate, Without };
  MarkTreeId* memo(Memo what, MarkTreeId id, unsigned argument);

  Names* names_;
  MarkSymbols symbols_;
  ChunkedStore<MarkTreeId, MarkNode> nodes_;
  std::unordered_multimap<uint64_t, MarkTreeId> ids_;
  std::unordered_map<uint64_t, MarkTreeId> joins_;
  std::unordered_map<uint64_t, MarkTreeId> memo_;
};

// At one call: remembers what it has already replaced.
class MarkTrees::Substitution {
 public:
  Substitution(MarkTrees& trees, std::span<const MarkTreeId> inputs) : trees_(trees), inputs_(inputs) {}
  MarkTreeId operator()(MarkTreeId tree);
  // What a symbol is at this call.
  MarkTreeId symbol(SymbolId id);

 private:
  MarkTrees& trees_;
  std::span<const MarkTreeId> inputs_;
  std::unordered_map<uint32_t, MarkTreeId> trees_done_;
  std::unordered_map<uint32_t, MarkTreeId> symbols_done_;
};

// The key that a name, an index or a constant key of an `index` means. Names of digits become indexes.
FieldKey field_key(const Names& names, NameId name);
FieldKey index_key(uint64_t index);
// Of a constant of the configuration's text: a string or a whole number, else nothing.
std::optional<FieldKey> constant_key(Names& names, const Value& value);
// Of a key of a value, which is not interned: nothing where no name is like it.
std::optional<FieldKey> known_key(const Names& names, std::string_view text);
// As it follows a value: `.a`, `["a b"]`, `[0]`.
std::string key_text(FieldKey key, const Names& names);

}  // namespace pravo::passes
