#include "passes/mark_tree.h"

#include <algorithm>

#include "ir/check.h"

namespace pravo::passes {

namespace {

uint64_t mix(uint64_t hash, uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
  return hash;
}

uint64_t hash_node(const MarkNode& node) {
  uint64_t hash = mix(static_cast<uint64_t>(node.whole), node.each.index);
  for (const auto& [key, child] : node.fields) hash = mix(mix(hash, key.raw()), child.index);
  hash = mix(hash, 0xabcdef);
  for (SymbolId id : node.symbols) hash = mix(hash, id.index);
  return hash;
}

bool same_node(const MarkNode& a, const MarkNode& b) {
  return a.whole == b.whole && a.each == b.each && a.fields == b.fields && a.symbols == b.symbols;
}

void sort_symbols(std::vector<SymbolId>& symbols) {
  std::sort(symbols.begin(), symbols.end());
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
}

}  // namespace

FieldKey index_key(uint64_t index) {
  return FieldKey::index(static_cast<uint32_t>(std::min<uint64_t>(index, FieldKey::kMaxIndex)));
}

namespace {

// The index that a text of digits spells, as the language would write it.
std::optional<uint32_t> parse_index(std::string_view text) {
  if (text.empty() || text.size() > 9 || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  uint32_t value = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<uint32_t>(c - '0');
  }
  return value;
}

}  // namespace

FieldKey field_key(const Names& names, NameId name) {
  std::optional<uint32_t> index = parse_index(names.text(name));
  return index ? FieldKey::index(*index) : FieldKey::name(name);
}

std::optional<FieldKey> known_key(const Names& names, std::string_view text) {
  if (std::optional<uint32_t> index = parse_index(text)) return FieldKey::index(*index);
  NameId name = names.find(text);
  return name.valid() ? std::optional<FieldKey>(FieldKey::name(name)) : std::nullopt;
}

std::optional<FieldKey> constant_key(Names& names, const Value& value) {
  if (value.kind() == ValueKind::String) {
    std::optional<uint32_t> index = parse_index(value.as_string());
    return index ? FieldKey::index(*index) : FieldKey::name(names.intern(value.as_string()));
  }
  if (value.kind() == ValueKind::Number) {
    std::optional<int64_t> index = value.as_number().to_int64();
    if (index && *index >= 0) return index_key(static_cast<uint64_t>(*index));
  }
  return std::nullopt;
}

MarkTrees::MarkTrees(Names& names) : names_(&names) {
  // The leaves have the ids that leaf() computes.
  for (uint32_t marks = 0; marks < 4; ++marks) {
    MarkNode node;
    node.whole = static_cast<MarkSet>(marks);
    node.deep = node.whole;
    node.each = clean();
    MarkTreeId id = nodes_.add(node);
    PRAVOC_CHECK(id == leaf(node.whole));
    ids_.emplace(hash_node(node), id);
  }
}

MarkTreeId MarkTrees::intern(MarkNode node) {
  uint64_t hash = hash_node(node);
  auto [begin, end] = ids_.equal_range(hash);
  for (auto it = begin; it != end; ++it)
    if (same_node(nodes_[it->second], node)) return it->second;
  node.deep = node.whole;
  node.symbolic = !node.symbols.empty();
  node.depth = 0;
  auto below = [&](MarkTreeId child) {
    const MarkNode& c = nodes_[child];
    node.deep |= c.deep;
    node.symbolic |= c.symbolic;
    node.depth = std::max(node.depth, static_cast<uint8_t>(c.depth + 1));
  };
  for (const auto& [key, child] : node.fields) below(child);
  if (node.each != clean()) below(node.each);
  MarkTreeId id = nodes_.add(std::move(node));
  ids_.emplace(hash, id);
  return id;
}

MarkTreeId* MarkTrees::memo(Memo what, MarkTreeId id, unsigned argument) {
  uint64_t key = uint64_t{id.index} << 16 | uint64_t{argument} << 8 | static_cast<uint64_t>(what);
  return &memo_[key];  // invalid: not known yet
}

MarkTreeId MarkTrees::symbol(SymbolId id) {
  if (!id.valid()) return clean();
  return make(MarkSet::None, {}, clean(), {id});
}

MarkTreeId MarkTrees::make(MarkSet whole, MarkFields fields, MarkTreeId each, std::vector<SymbolId> symbols) {
  auto by_key = [](const auto& a, const auto& b) { return a.first < b.first; };
  if (!std::is_sorted(fields.begin(), fields.end(), by_key)) std::stable_sort(fields.begin(), fields.end(), by_key);
  size_t kept = 0;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (i + 1 < fields.size() && fields[i].first == fields[i + 1].first) continue;
    if (fields[i].second == each) continue;
    fields[kept++] = fields[i];
  }
  fields.resize(kept);
  if (fields.size() > kMaxFields) {
    for (const auto& [key, child] : fields) each = join(each, child);
    fields.clear();
  }
  sort_symbols(symbols);
  if (symbols.size() > kMaxSymbols) symbols = {symbols_.all_inputs()};
  for (auto& [key, child] : fields) child = truncate(child, kMaxDepth - 1);
  each = truncate(each, kMaxDepth - 1);
  MarkNode node;
  node.whole = whole;
  node.each = each;
  node.fields = std::move(fields);
  node.symbols = std::move(symbols);
  return intern(std::move(node));
}

MarkTreeId MarkTrees::truncate(MarkTreeId id, unsigned depth) {
  const MarkNode& node = nodes_[id];
  if (node.depth <= depth) return id;
  if (depth == 0) return deep(id);
  if (MarkTreeId known = *memo(Memo::Truncate, id, depth); known.valid()) return known;
  MarkFields fields = node.fields;
  for (auto& [key, child] : fields) child = truncate(child, depth - 1);
  MarkTreeId each = truncate(node.each, depth - 1);
  MarkTreeId result = make(node.whole, std::move(fields), each, node.symbols);
  *memo(Memo::Truncate, id, depth) = result;
  return result;
}

MarkTreeId MarkTrees::join(MarkTreeId a, MarkTreeId b) {
  if (a == b || is_clean(b)) return a;
  if (is_clean(a)) return b;
  if (b < a) std::swap(a, b);
  uint64_t key = uint64_t{a.index} << 32 | b.index;
  if (auto it = joins_.find(key); it != joins_.end()) return it->second;
  const MarkNode& left = nodes_[a];
  const MarkNode& right = nodes_[b];
  MarkTreeId each = join(left.each, right.each);
  MarkFields fields;
  fields.reserve(std::max(left.fields.size(), right.fields.size()));
  auto l = left.fields.begin();
  auto r = right.fields.begin();
  while (l != left.fields.end() || r != right.fields.end()) {
    if (r == right.fields.end() || (l != left.fields.end() && l->first < r->first)) {
      fields.emplace_back(l->first, join(l->second, right.each));
      ++l;
    } else if (l == left.fields.end() || r->first < l->first) {
      fields.emplace_back(r->first, join(left.each, r->second));
      ++r;
    } else {
      fields.emplace_back(l->first, join(l->second, r->second));
      ++l;
      ++r;
    }
  }
  std::vector<SymbolId> symbols;
  symbols.reserve(left.symbols.size() + right.symbols.size());
  std::set_union(left.symbols.begin(), left.symbols.end(), right.symbols.begin(), right.symbols.end(),
                 std::back_inserter(symbols));
  MarkTreeId result = make(left.whole | right.whole, std::move(fields), each, std::move(symbols));
  joins_.emplace(key, result);
  return result;
}

MarkTreeId MarkTrees::stored_child(MarkTreeId id, FieldKey key) const {
  const MarkNode& node = nodes_[id];
  auto it = std::lower_bound(node.fields.begin(), node.fields.end(), key,
                             [](const auto& field, FieldKey k) { return field.first < k; });
  return it != node.fields.end() && it->first == key ? it->second : node.each;
}

MarkTreeId MarkTrees::child(MarkTreeId id, FieldKey key) {
  if (is_clean(id)) return id;
  const MarkNode& node = nodes_[id];
  MarkTreeId result = join(stored_child(id, key), leaf(node.whole));
  if (node.symbols.empty()) return result;
  std::vector<SymbolId> symbols;
  for (SymbolId s : node.symbols) symbols.push_back(symbols_.child(s, key));
  return join(result, make(MarkSet::None, {}, clean(), std::move(symbols)));
}

MarkTreeId MarkTrees::raw_child(MarkTreeId id, FieldKey key) { return child(below(id), key); }

MarkTreeId MarkTrees::any_child(MarkTreeId id) {
  const MarkNode& node = nodes_[id];
  if (node.fields.empty() && node.symbols.empty()) return join(node.each, leaf(node.whole));
  if (MarkTreeId known = *memo(Memo::Any, id, 0); known.valid()) return known;
  MarkTreeId result = node.each;
  for (const auto& [key, child] : node.fields) result = join(result, child);
  std::vector<SymbolId> symbols;
  for (SymbolId s : node.symbols) symbols.push_back(symbols_.any(s));
  result = join(result, make(node.whole, {}, clean(), std::move(symbols)));
  *memo(Memo::Any, id, 0) = result;
  return result;
}

MarkTreeId MarkTrees::raw_any_child(MarkTreeId id) { return any_child(below(id)); }

MarkTreeId MarkTrees::own(MarkTreeId id) {
  const MarkNode& node = nodes_[id];
  if (node.symbols.empty()) return leaf(node.whole);
  std::vector<SymbolId> symbols;
  for (SymbolId s : node.symbols)
    if (SymbolId own = symbols_.own(s); own.valid()) symbols.push_back(own);
  return make(node.whole, {}, clean(), std::move(symbols));
}

MarkTreeId MarkTrees::deep(MarkTreeId id) {
  const MarkNode& node = nodes_[id];
  if (!node.symbolic) return leaf(node.deep);
  if (MarkTreeId known = *memo(Memo::Deep, id, 0); known.valid()) return known;
  std::vector<SymbolId> symbols;
  for (SymbolId s : node.symbols) symbols.push_back(symbols_.deep(s));
  MarkTreeId result = make(node.whole, {}, clean(), std::move(symbols));
  for (const auto& [key, child] : node.fields) result = join(result, deep(child));
  result = join(result, deep(node.each));
  *memo(Memo::Deep, id, 0) = result;
  return result;
}

MarkTreeId MarkTrees::below(MarkTreeId id) {
  const MarkNode& node = nodes_[id];
  if (node.whole == MarkSet::None && node.symbols.empty()) return id;
  return without_own(id, MarkSet::Both);
}

MarkTreeId MarkTrees::without_own(MarkTreeId id, MarkSet marks) {
  const MarkNode& node = nodes_[id];
  bool drop_symbols = contains(marks, MarkSet::Sensitive) && !node.symbols.empty();
  if (!any(node.whole & marks) && !drop_symbols) return id;
  std::vector<SymbolId> symbols;
  for (SymbolId s : node.symbols) {
    SymbolId kept = drop_symbols ? symbols_.below(s) : s;
    if (kept.valid()) symbols.push_back(kept);
  }
  return make(node.whole & ~marks, node.fields, node.each, std::move(symbols));
}

MarkTreeId MarkTrees::without(MarkTreeId id, MarkSet marks) {
  const MarkNode& node = nodes_[id];
  bool drop_symbols = contains(marks, MarkSet::Sensitive) && node.symbolic;
  if (!any(node.deep & marks) && !drop_symbols) return id;
  auto argument = static_cast<unsigned>(marks);
  if (MarkTreeId known = *memo(Memo::Without, id, argument); known.valid()) return known;
  MarkFields fields = node.fields;
  for (auto& [key, child] : fields) child = without(child, marks);
  MarkTreeId each = without(node.each, marks);
  MarkTreeId result =
      make(node.whole & ~marks, std::move(fields), each, drop_symbols ? std::vector<SymbolId>() : node.symbols);
  *memo(Memo::Without, id, argument) = result;
  return result;
}

}  // namespace pravo::passes
