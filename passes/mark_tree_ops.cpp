// Conversions, substitution at a call and printing of mark trees.
#include <algorithm>

#include <fmt/format.h>

#include "ir/check.h"
#include "passes/mark_tree.h"

namespace pravo::passes {

namespace {

// The type of a child, dynamic where it is not known.
Type child_type(const Type& type, FieldKey key, const Names& names) {
  switch (type.kind()) {
    case TypeKind::List:
    case TypeKind::Set:
    case TypeKind::Map:
      return type.element();
    case TypeKind::Tuple:
      if (key.is_index() && key.index() < type.elements().size()) return type.elements()[key.index()];
      return Type();
    case TypeKind::Object: {
      size_t i = key.is_index() ? type.find(std::to_string(key.index())) : type.find(names.text(key.name()));
      return i == Type::npos ? Type() : type.elements()[i];
    }
    case TypeKind::Dynamic:
    case TypeKind::Bool:
    case TypeKind::Number:
    case TypeKind::String:
      return Type();
  }
  PRAVOC_UNREACHABLE();
}

Type element_type(const Type& type) { return type.is_collection() ? type.element() : Type(); }

}  // namespace

MarkTreeId MarkTrees::convert(MarkTreeId id, const Type& from, const Type& to) {
  if (is_clean(id) || to.is_dynamic() || from == to) return id;
  if (to.kind() != TypeKind::Set) return convert_children(id, from, to);
  MarkTreeId children = convert_children(id, from, Type::list(to.element()));
  return deep(children);
}

MarkTreeId MarkTrees::convert_children(MarkTreeId id, const Type& from, const Type& to) {
  const MarkNode& node = nodes_[id];
  std::vector<SymbolId> symbols;
  for (SymbolId s : node.symbols) symbols.push_back(symbols_.convert(s, to));
  MarkFields fields;
  MarkTreeId each = clean();
  switch (to.kind()) {
    case TypeKind::Dynamic:
      PRAVOC_UNREACHABLE();
    case TypeKind::Bool:
    case TypeKind::Number:
    case TypeKind::String:
      break;
    case TypeKind::Set:
    case TypeKind::List:
    case TypeKind::Map:
      for (const auto& [key, child] : node.fields)
        fields.emplace_back(key, convert(child, child_type(from, key, *names_), to.element()));
      each = convert(node.each, element_type(from), to.element());
      break;
    case TypeKind::Tuple:
      for (uint32_t i = 0; i < to.elements().size(); ++i) {
        MarkTreeId child = stored_child(id, index_key(i));
        if (is_clean(child)) continue;
        fields.emplace_back(index_key(i), convert(child, child_type(from, index_key(i), *names_), to.elements()[i]));
      }
      break;
    case TypeKind::Object: {
      if (is_clean(node.each)) {
        for (const auto& [key, child] : node.fields) {
          size_t i = key.is_index() ? to.find(std::to_string(key.index())) : to.find(names_->text(key.name()));
          if (i == Type::npos) continue;
          fields.emplace_back(key, convert(child, child_type(from, key, *names_), to.elements()[i]));
        }
        break;
      }
      for (size_t i = 0; i < to.keys().size(); ++i) {
        FieldKey key = field_key(*names_, names_->intern(to.keys()[i]));
        fields.emplace_back(key, convert(stored_child(id, key), child_type(from, key, *names_), to.elements()[i]));
      }
      break;
    }
  }
  return make(node.whole, std::move(fields), each, std::move(symbols));
}

MarkTreeId MarkTrees::Substitution::operator()(MarkTreeId tree) {
  const MarkNode& node = trees_[tree];
  if (!node.symbolic) return tree;
  if (auto it = trees_done_.find(tree.index); it != trees_done_.end()) return it->second;
  MarkFields fields = node.fields;
  for (auto& [key, child] : fields) child = (*this)(child);
  MarkTreeId each = (*this)(node.each);
  MarkTreeId result = trees_.make(node.whole, std::move(fields), each);
  for (SymbolId s : node.symbols) result = trees_.join(result, symbol(s));
  trees_done_.emplace(tree.index, result);
  return result;
}

MarkTreeId MarkTrees::Substitution::symbol(SymbolId id) {
  if (auto it = symbols_done_.find(id.index); it != symbols_done_.end()) return it->second;
  Symbol symbol = trees_.symbols()[id];
  // A chain is at most MarkSymbols::kMaxDepth long and some, so this does not run deep.
  MarkTreeId parent = symbol.parent.valid() ? this->symbol(symbol.parent) : trees_.clean();
  MarkTreeId result = trees_.clean();
  switch (symbol.step) {
    case SymbolStep::Input:
      if (symbol.payload < inputs_.size()) result = inputs_[symbol.payload];
      break;
    case SymbolStep::AllInputs:
      for (MarkTreeId input : inputs_) result = trees_.join(result, trees_.deep(input));
      break;
    case SymbolStep::Child:
      result = trees_.child(parent, FieldKey::from_raw(symbol.payload));
      break;
    case SymbolStep::Any:
      result = trees_.any_child(parent);
      break;
    case SymbolStep::Below:
      result = trees_.below(parent);
      break;
    case SymbolStep::Own:
      result = trees_.own(parent);
      break;
    case SymbolStep::Deep:
      result = trees_.deep(parent);
      break;
    case SymbolStep::Convert:
      result = trees_.convert(parent, Type(), Type(trees_.symbols().type(symbol.payload)));
      break;
  }
  symbols_done_.emplace(id.index, result);
  return result;
}

namespace {

bool is_identifier(std::string_view text) {
  if (text.empty()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    bool later = (c >= '0' && c <= '9') || c == '-';
    if (!letter && (i == 0 || !later)) return false;
  }
  return true;
}

std::string_view mark_text(MarkSet marks) {
  switch (marks) {
    case MarkSet::None:
      return "";
    case MarkSet::Ephemeral:
      return "eph";
    case MarkSet::Sensitive:
      return "sens";
    case MarkSet::Both:
      return "eph|sens";
  }
  PRAVOC_UNREACHABLE();
}

}  // namespace

std::string key_text(FieldKey key, const Names& names) {
  if (key.is_index()) return fmt::format("[{}]", key.index());
  std::string_view name = names.text(key.name());
  return is_identifier(name) ? fmt::format(".{}", name) : fmt::format("[\"{}\"]", name);
}

std::string MarkTrees::print_symbol(SymbolId id, const std::function<std::string(uint32_t)>& input) const {
  const Symbol& symbol = symbols_[id];
  std::string parent = symbol.parent.valid() ? print_symbol(symbol.parent, input) : std::string();
  switch (symbol.step) {
    case SymbolStep::Input:
      return input(symbol.payload);
    case SymbolStep::AllInputs:
      return "inputs";
    case SymbolStep::Child:
      return parent + key_text(FieldKey::from_raw(symbol.payload), *names_);
    case SymbolStep::Any:
      return parent + "[*]";
    case SymbolStep::Below:
      return fmt::format("below({})", parent);
    case SymbolStep::Own:
      return fmt::format("own({})", parent);
    case SymbolStep::Deep:
      return fmt::format("deep({})", parent);
    case SymbolStep::Convert:
      return fmt::format("as({}, {})", parent, symbols_.type(symbol.payload).to_string());
  }
  PRAVOC_UNREACHABLE();
}

std::string MarkTrees::print(MarkTreeId id, const std::function<std::string(uint32_t)>& input) const {
  std::vector<std::string> parts;
  auto walk = [&](auto& self, MarkTreeId tree, const std::string& path, bool shown) -> void {
    const MarkNode& node = nodes_[tree];
    std::string marks(mark_text(node.whole));
    std::vector<std::string> symbols;
    for (SymbolId s : node.symbols) symbols.push_back(print_symbol(s, input));
    std::sort(symbols.begin(), symbols.end());
    for (const std::string& s : symbols) {
      if (!marks.empty()) marks += '|';
      marks += s;
    }
    // A clean field is worth a word where the others are not.
    if (marks.empty() && shown && tree == clean()) marks = "clean";
    if (!marks.empty()) parts.push_back(path.empty() ? marks : fmt::format("{}: {}", path, marks));
    std::vector<std::pair<std::string, std::pair<FieldKey, MarkTreeId>>> fields;
    for (const auto& field : node.fields) {
      std::string order = field.first.is_index() ? fmt::format("{:010}", field.first.index())
                                                 : fmt::format("a{}", names_->text(field.first.name()));
      fields.emplace_back(std::move(order), field);
    }
    std::sort(fields.begin(), fields.end());
    for (const auto& [order, field] : fields) self(self, field.second, path + key_text(field.first, *names_), true);
    if (node.each != clean()) self(self, node.each, path + "[*]", false);
  };
  walk(walk, id, "", false);
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace pravo::passes
