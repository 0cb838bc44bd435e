#include "passes/mark_symbols.h"

#include "ir/check.h"

namespace pravo::passes {

SymbolId MarkSymbols::add(SymbolStep step, SymbolId parent, uint32_t payload) {
  Key key{step, parent.index, payload};
  auto it = ids_.find(key);
  if (it != ids_.end()) return it->second;
  uint8_t depth = parent.valid() ? static_cast<uint8_t>(symbols_[parent.index].depth + 1) : uint8_t{0};
  SymbolId id(static_cast<uint32_t>(symbols_.size()));
  symbols_.push_back({step, depth, parent, payload});
  ids_.emplace(key, id);
  return id;
}

bool MarkSymbols::is_mark(SymbolId id) const {
  switch (symbols_[id.index].step) {
    case SymbolStep::AllInputs:
    case SymbolStep::Own:
    case SymbolStep::Deep:
      return true;
    case SymbolStep::Input:
    case SymbolStep::Child:
    case SymbolStep::Any:
    case SymbolStep::Below:
    case SymbolStep::Convert:
      return false;
  }
  PRAVOC_UNREACHABLE();
}

uint32_t MarkSymbols::input_of(SymbolId id) const {
  while (symbols_[id.index].parent.valid()) id = symbols_[id.index].parent;
  const Symbol& root = symbols_[id.index];
  return root.step == SymbolStep::Input ? root.payload : UINT32_MAX;
}

SymbolId MarkSymbols::input(uint32_t index) { return add(SymbolStep::Input, SymbolId(), index); }

SymbolId MarkSymbols::all_inputs() { return add(SymbolStep::AllInputs, SymbolId(), 0); }

SymbolId MarkSymbols::child(SymbolId parent, FieldKey key) {
  if (is_mark(parent)) return parent;
  if (symbols_[parent.index].depth >= kMaxDepth) return deep(parent);
  return add(SymbolStep::Child, parent, key.raw());
}

SymbolId MarkSymbols::any(SymbolId parent) {
  if (is_mark(parent)) return parent;
  if (symbols_[parent.index].depth >= kMaxDepth) return deep(parent);
  return add(SymbolStep::Any, parent, 0);
}

SymbolId MarkSymbols::below(SymbolId parent) {
  if (is_mark(parent)) return SymbolId();
  if (symbols_[parent.index].step == SymbolStep::Below) return parent;
  if (symbols_[parent.index].depth >= kMaxDepth) return deep(parent);
  return add(SymbolStep::Below, parent, 0);
}

SymbolId MarkSymbols::own(SymbolId parent) {
  if (is_mark(parent)) return parent;
  if (symbols_[parent.index].step == SymbolStep::Below) return SymbolId();
  return add(SymbolStep::Own, parent, 0);
}

SymbolId MarkSymbols::deep(SymbolId parent) {
  if (is_mark(parent)) return parent;
  return add(SymbolStep::Deep, parent, 0);
}

SymbolId MarkSymbols::convert(SymbolId parent, const Type& type) {
  if (is_mark(parent) || type.is_dynamic() || type.is_primitive()) return parent;
  if (symbols_[parent.index].depth >= kMaxDepth) return deep(parent);
  auto [it, fresh] = type_ids_.emplace(type, static_cast<uint32_t>(types_.size()));
  if (fresh) types_.push_back(type);
  return add(SymbolStep::Convert, parent, it->second);
}

}  // namespace pravo::passes
