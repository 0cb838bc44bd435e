#include "ir/type.h"

#include <algorithm>

#include "ir/check.h"
#include "ir/type_node.h"
#include "ir/unicode.h"

namespace pravo {

namespace {

// Makers refuse what is deeper than kMaxDepth by themselves; the slack is for what wraps a value in passing.
constexpr unsigned kHardDepth = kMaxDepth + 64;

TypeNode* primitive_node(TypeKind kind) {
  auto* node = new TypeNode;
  node->kind = kind;
  node->immortal = true;
  return node;
}

void adopt_facts(TypeNode& node) {
  unsigned depth = 0;
  uint64_t weight = sizeof(TypeNode) / kWeightUnit + node.keys.size();
  for (const Type& t : node.elements) {
    weight += t.node() == nullptr ? 1 : t.node()->weight;
    depth = std::max(depth, t.depth());
    node.has_dynamic |= t.has_dynamic();
    node.has_optional |= t.has_optional();
  }
  PRAVOC_CHECK(depth < kHardDepth);
  node.depth = static_cast<uint16_t>(depth + 1);
  node.weight = static_cast<uint32_t>(std::min<uint64_t>(weight, UINT32_MAX));
}

Type collection(TypeKind kind, Type element) {
  auto* node = new TypeNode;
  node->kind = kind;
  node->elements.push_back(std::move(element));
  adopt_facts(*node);
  return Type::adopt(node);
}

}  // namespace

void Type::retain() const noexcept {
  if (node_ != nullptr && !node_->immortal) node_->refs.fetch_add(1, std::memory_order_relaxed);
}

void Type::release() const noexcept {
  if (node_ != nullptr && !node_->immortal && node_->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) delete node_;
}

Type Type::boolean() {
  static const TypeNode* node = primitive_node(TypeKind::Bool);
  return Type(node);
}

Type Type::number() {
  static const TypeNode* node = primitive_node(TypeKind::Number);
  return Type(node);
}

Type Type::string() {
  static const TypeNode* node = primitive_node(TypeKind::String);
  return Type(node);
}

Type Type::list(Type element) { return collection(TypeKind::List, std::move(element)); }
Type Type::set(Type element) { return collection(TypeKind::Set, std::move(element)); }
Type Type::map(Type element) { return collection(TypeKind::Map, std::move(element)); }

Type Type::tuple(std::vector<Type> elements) {
  auto* node = new TypeNode;
  node->kind = TypeKind::Tuple;
  node->elements = std::move(elements);
  adopt_facts(*node);
  return Type(node);
}

Type Type::object(KeySet keys, std::vector<Type> types, std::vector<bool> optional) {
  PRAVOC_CHECK(keys.size() == types.size());
  PRAVOC_CHECK(optional.empty() || optional.size() == types.size());
  auto* node = new TypeNode;
  node->kind = TypeKind::Object;
  node->keys = std::move(keys);
  node->elements = std::move(types);
  if (std::find(optional.begin(), optional.end(), true) != optional.end()) {
    node->optional = std::move(optional);
    node->has_optional = true;
  }
  adopt_facts(*node);
  return Type(node);
}

Type Type::object(std::vector<Attribute> attributes) {
  for (Attribute& a : attributes)
    if (!is_surely_normal(a.name.view())) a.name = normalized(std::move(a.name));
  std::stable_sort(attributes.begin(), attributes.end(),
                   [](const Attribute& a, const Attribute& b) { return a.name.view() < b.name.view(); });
  std::vector<Str> keys;
  std::vector<Type> types;
  std::vector<bool> optional;
  keys.reserve(attributes.size());
  types.reserve(attributes.size());
  for (size_t i = 0; i < attributes.size(); ++i) {
    if (i + 1 < attributes.size() && attributes[i].name == attributes[i + 1].name) continue;
    keys.push_back(std::move(attributes[i].name));
    types.push_back(std::move(attributes[i].type));
    optional.push_back(attributes[i].optional);
  }
  return object(KeySet(std::move(keys)), std::move(types), std::move(optional));
}

TypeKind Type::kind() const { return node_ == nullptr ? TypeKind::Dynamic : node_->kind; }

bool Type::is_primitive() const {
  TypeKind k = kind();
  return k == TypeKind::Bool || k == TypeKind::Number || k == TypeKind::String;
}

bool Type::is_collection() const {
  TypeKind k = kind();
  return k == TypeKind::List || k == TypeKind::Set || k == TypeKind::Map;
}

bool Type::is_structural() const {
  TypeKind k = kind();
  return k == TypeKind::Tuple || k == TypeKind::Object;
}

const Type& Type::element() const {
  PRAVOC_CHECK(is_collection());
  return node_->elements[0];
}

std::span<const Type> Type::elements() const {
  PRAVOC_CHECK(is_structural());
  return node_->elements;
}

const KeySet& Type::keys() const {
  PRAVOC_CHECK(kind() == TypeKind::Object);
  return node_->keys;
}

bool Type::is_optional(size_t i) const {
  PRAVOC_CHECK(kind() == TypeKind::Object);
  return !node_->optional.empty() && node_->optional[i];
}

size_t Type::find(std::string_view attribute) const {
  PRAVOC_CHECK(kind() == TypeKind::Object);
  return node_->keys.find(attribute);
}

bool Type::has_dynamic() const { return node_ == nullptr || node_->has_dynamic; }
bool Type::has_optional() const { return node_ != nullptr && node_->has_optional; }
unsigned Type::depth() const { return node_ == nullptr ? 1 : node_->depth; }

Type Type::without_optional() const {
  if (!has_optional()) return *this;
  switch (kind()) {
    case TypeKind::List:
      return list(element().without_optional());
    case TypeKind::Set:
      return set(element().without_optional());
    case TypeKind::Map:
      return map(element().without_optional());
    case TypeKind::Tuple:
    case TypeKind::Object: {
      std::vector<Type> plain;
      plain.reserve(node_->elements.size());
      for (const Type& t : node_->elements) plain.push_back(t.without_optional());
      return kind() == TypeKind::Tuple ? tuple(std::move(plain)) : object(node_->keys, std::move(plain));
    }
    case TypeKind::Dynamic:
    case TypeKind::Bool:
    case TypeKind::Number:
    case TypeKind::String:
      return *this;
  }
  PRAVOC_UNREACHABLE();
}

size_t Type::hash() const {
  if (node_ == nullptr) return 1;
  uint64_t hash = node_->hash.load(std::memory_order_relaxed);
  if (hash != 0) return hash;
  hash = static_cast<uint64_t>(node_->kind) + 0x9E3779B97F4A7C15;
  auto mix = [&](uint64_t word) {
    hash = (hash ^ word) * 0xFF51AFD7ED558CCD;
    hash ^= hash >> 31;
  };
  for (const Type& t : node_->elements) mix(t.hash());
  if (node_->kind == TypeKind::Object) mix(node_->keys.hash());
  for (bool o : node_->optional) mix(o ? 3 : 5);
  hash |= 1;
  node_->hash.store(hash, std::memory_order_relaxed);
  return hash;
}

bool Type::equal(const Type& a, const Type& b) {
  const TypeNode* x = a.node_;
  const TypeNode* y = b.node_;
  if (x == y) return true;
  if (x == nullptr || y == nullptr || x->kind != y->kind || x->depth != y->depth || x->weight != y->weight ||
      x->has_dynamic != y->has_dynamic)
    return false;
  // Two types that were hashed before and differ there need no walk.
  uint64_t hash_x = x->hash.load(std::memory_order_relaxed);
  uint64_t hash_y = y->hash.load(std::memory_order_relaxed);
  if (hash_x != 0 && hash_y != 0 && hash_x != hash_y) return false;
  return x->elements.size() == y->elements.size() && x->keys == y->keys && x->optional == y->optional &&
         std::equal(x->elements.begin(), x->elements.end(), y->elements.begin());
}

}  // namespace pravo
