#include "ir/value.h"

#include <algorithm>
#include <cstddef>
#include <new>

#include <fmt/format.h>

#include "ir/check.h"
#include "ir/number_rep.h"
#include "ir/unicode.h"
#include "ir/value_node.h"

namespace pravo {

namespace {

constexpr unsigned kHardDepth = kMaxDepth + 64;

TypeKind compound_kind(ValueKind kind) {
  switch (kind) {
    case ValueKind::List:
      return TypeKind::List;
    case ValueKind::Set:
      return TypeKind::Set;
    case ValueKind::Map:
      return TypeKind::Map;
    case ValueKind::Tuple:
      return TypeKind::Tuple;
    case ValueKind::Object:
      return TypeKind::Object;
    case ValueKind::Null:
    case ValueKind::Unknown:
    case ValueKind::Bool:
    case ValueKind::Number:
    case ValueKind::String:
      break;
  }
  PRAVOC_UNREACHABLE();
}

void free_compound(const CompoundData* data) noexcept {
  auto* mine = const_cast<CompoundData*>(data);
  if (mine->wipe.load(std::memory_order_relaxed)) {
    for (const Value& v : mine->all()) ValueAccess::wipe(v);
    if (mine->keys != nullptr) KeySet::share(mine->keys).wipe_on_free();
  }
  for (uint32_t i = 0; i < mine->count; ++i) mine->elements()[i].~Value();
  if (mine->keys != nullptr) KeySet::adopt(mine->keys);  // gives up its reference
  if (const TypeNode* type = mine->type.load(std::memory_order_relaxed)) Type::adopt(type);
  mine->~CompoundData();
  ::operator delete(mine);
}

// The elements of a tuple or object one by one; equal neighbours share a node.
std::vector<Type> element_types(std::span<const Value> elements) {
  std::vector<Type> types;
  types.reserve(elements.size());
  for (const Value& v : elements) {
    if (!types.empty() && v.is_compound() && has_exact_type(v, types.back()))
      types.push_back(types.back());
    else
      types.push_back(v.type());
  }
  return types;
}

std::pair<KeySet, std::vector<Value>> sort_entries(std::vector<std::pair<Str, Value>> entries) {
  for (auto& [key, value] : entries)
    if (!is_surely_normal(key.view())) key = normalized(std::move(key));
  auto less = [](const auto& a, const auto& b) { return a.first.view() < b.first.view(); };
  if (!std::is_sorted(entries.begin(), entries.end(), less)) std::stable_sort(entries.begin(), entries.end(), less);
  std::vector<Str> keys;
  std::vector<Value> values;
  keys.reserve(entries.size());
  values.reserve(entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i + 1 < entries.size() && entries[i].first == entries[i + 1].first) continue;
    keys.push_back(std::move(entries[i].first));
    values.push_back(std::move(entries[i].second));
  }
  return {KeySet(std::move(keys)), std::move(values)};
}

}  // namespace

// --- life

static_assert(offsetof(StrData, refs) == 0 && offsetof(TypeNode, refs) == 0 && offsetof(BigNumber, refs) == 0 &&
              offsetof(UnknownData, refs) == 0 && offsetof(CompoundData, refs) == 0);

void Value::destroy() noexcept {
  switch (kind_) {
    case ValueKind::Null:
      delete payload_.type;
      break;
    case ValueKind::Unknown:
      if (big_)
        delete payload_.unknown;
      else
        delete payload_.type;
      break;
    case ValueKind::Bool:
      break;
    case ValueKind::Number:
      delete payload_.number.big;
      break;
    case ValueKind::String:
      StrData::free(payload_.string);
      break;
    case ValueKind::List:
    case ValueKind::Set:
    case ValueKind::Map:
    case ValueKind::Tuple:
    case ValueKind::Object:
      free_compound(payload_.compound);
      break;
  }
}

void ValueAccess::wipe(const Value& v) {
  if (!v.heap_) return;
  if (v.kind_ == ValueKind::String) {
    v.payload_.string->wipe.store(true, std::memory_order_relaxed);
  } else if (v.is_compound()) {
    v.payload_.compound->wipe.store(true, std::memory_order_relaxed);
  } else if (v.kind_ == ValueKind::Unknown && v.big_) {
    v.payload_.unknown->refinements.prefix.wipe_on_free();
  }
}

void ValueAccess::share_type(const Value& v, const Type& type) {
  if (v.kind_ != ValueKind::Tuple && v.kind_ != ValueKind::Object) return;
  auto& slot = v.payload_.compound->type;
  if (slot.load(std::memory_order_acquire) != nullptr) return;
  const TypeNode* node = Type(type).detach_copy();
  const TypeNode* expected = nullptr;
  if (!slot.compare_exchange_strong(expected, node, std::memory_order_acq_rel)) Type::adopt(node);
}

// --- making values

Value Value::null(Type type) {
  Value v(ValueKind::Null);
  v.heap_ = type.node() != nullptr && !type.node()->immortal;
  v.payload_.type = std::move(type).detach();
  return v;
}

Value Value::unknown(Type type) {
  Value v(ValueKind::Unknown);
  v.heap_ = type.node() != nullptr && !type.node()->immortal;
  v.payload_.type = std::move(type).detach();
  return v;
}

Value Value::boolean(bool value) {
  Value v(ValueKind::Bool);
  v.payload_.boolean = value;
  return v;
}

Value Value::number(Number value) {
  Value v(ValueKind::Number);
  v.precision_ = value.precision();
  v.big_ = v.heap_ = !value.is_small();
  v.payload_.number = std::move(value).detach();
  return v;
}

Value Value::string(Str normal) {
  Value v(ValueKind::String);
  v.heap_ = normal.data() != nullptr;
  v.payload_.string = std::move(normal).detach();
  return v;
}

Value Value::string(std::string_view text) { return string(normalized(text)); }
Value Value::string_normal(std::string_view text) { return string(Str(text)); }

Value ValueAccess::make(ValueKind kind, const TypeNode* adopted_type, KeySet keys, std::vector<Value> elements) {
  PRAVOC_CHECK(elements.size() < UINT32_MAX);
  void* memory = ::operator new(sizeof(CompoundData) + elements.size() * sizeof(Value));
  auto* data = new (memory) CompoundData;
  data->count = static_cast<uint32_t>(elements.size());
  data->type.store(adopted_type, std::memory_order_relaxed);
  data->keys = std::move(keys).detach();
  unsigned depth = 0;
  MarkSet element_marks = MarkSet::None;
  bool wholly_known = true;
  uint64_t weight = sizeof(CompoundData) / kWeightUnit;
  for (const Str& key : KeySet::view(data->keys)) weight += 1 + key.size() / kWeightUnit;
  // An empty list takes as much as its type.
  if (elements.empty() && adopted_type != nullptr) weight += adopted_type->weight;
  for (size_t i = 0; i < elements.size(); ++i) {
    const Value& v = elements[i];
    element_marks |= v.deep_marks();
    wholly_known &= v.is_wholly_known();
    depth = std::max(depth, v.depth());
    weight += weight_of(v);
    new (data->elements() + i) Value(std::move(elements[i]));
  }
  // An empty list may still be of a deep type.
  if (adopted_type != nullptr) depth = std::max(depth, adopted_type->depth - 1u);
  PRAVOC_CHECK(depth < kHardDepth);
  data->depth = static_cast<uint16_t>((depth + 1) & 0x1fff);
  data->element_marks = element_marks;
  data->wholly_known = wholly_known;
  data->weight = static_cast<uint32_t>(std::min<uint64_t>(weight, UINT32_MAX));
  Value v(kind);
  v.heap_ = true;
  v.payload_.compound = data;
  return v;
}

Value Value::list(Type element, std::vector<Value> elements) {
  for (const Value& v : elements) {
    PRAVOC_CHECK(has_exact_type(v, element));
    ValueAccess::share_type(v, element);
  }
  return ValueAccess::make(ValueKind::List, Type::list(std::move(element)).detach_copy(), KeySet(),
                           std::move(elements));
}

Value Value::set(Type element, std::vector<Value> elements) {
  MarkSet marks = MarkSet::None;
  for (Value& v : elements) {
    PRAVOC_CHECK(has_exact_type(v, element));
    ValueAccess::share_type(v, element);
    if (any(v.deep_marks())) {
      marks |= v.deep_marks();
      v = v.without_deep_marks();
    }
  }
  return make_sorted_set(element, std::move(elements)).with_marks(marks);
}

Value Value::map(Type element, KeySet keys, std::vector<Value> values) {
  PRAVOC_CHECK(keys.size() == values.size());
  for (const Value& v : values) {
    PRAVOC_CHECK(has_exact_type(v, element));
    ValueAccess::share_type(v, element);
  }
  return ValueAccess::make(ValueKind::Map, Type::map(std::move(element)).detach_copy(), std::move(keys),
                           std::move(values));
}

Value Value::map(Type element, std::vector<std::pair<Str, Value>> entries) {
  auto [keys, values] = sort_entries(std::move(entries));
  return map(std::move(element), std::move(keys), std::move(values));
}

Value Value::tuple(std::vector<Value> elements) {
  return ValueAccess::make(ValueKind::Tuple, nullptr, KeySet(), std::move(elements));
}

Value Value::object(KeySet keys, std::vector<Value> values) {
  PRAVOC_CHECK(keys.size() == values.size());
  return ValueAccess::make(ValueKind::Object, nullptr, std::move(keys), std::move(values));
}

Value Value::object(std::vector<std::pair<Str, Value>> entries) {
  auto [keys, values] = sort_entries(std::move(entries));
  return object(std::move(keys), std::move(values));
}

Value Value::empty_tuple() {
  static const Value empty = tuple({});
  return empty;
}

Value Value::empty_object() {
  static const Value empty = object(KeySet(), {});
  return empty;
}

// --- what it is

bool Value::is_wholly_known() const {
  if (is_unknown()) return false;
  return !is_compound() || payload_.compound->wholly_known;
}

Type Value::type() const {
  switch (kind_) {
    case ValueKind::Null:
      return Type::share(payload_.type);
    case ValueKind::Unknown:
      return big_ ? payload_.unknown->type : Type::share(payload_.type);
    case ValueKind::Bool:
      return Type::boolean();
    case ValueKind::Number:
      return Type::number();
    case ValueKind::String:
      return Type::string();
    case ValueKind::List:
    case ValueKind::Set:
    case ValueKind::Map:
      return Type::share(payload_.compound->type.load(std::memory_order_acquire));
    case ValueKind::Tuple:
    case ValueKind::Object: {
      const CompoundData* data = payload_.compound;
      if (const TypeNode* have = data->type.load(std::memory_order_acquire)) return Type::share(have);
      std::vector<Type> types = element_types(data->all());
      Type made = kind_ == ValueKind::Tuple ? Type::tuple(std::move(types))
                                            : Type::object(KeySet::share(data->keys), std::move(types));
      ValueAccess::share_type(*this, made);
      return made;
    }
  }
  PRAVOC_UNREACHABLE();
}

bool Value::has_type(TypeKind kind) const {
  switch (kind_) {
    case ValueKind::Null:
    case ValueKind::Unknown:
      return type().kind() == kind;
    case ValueKind::Bool:
      return kind == TypeKind::Bool;
    case ValueKind::Number:
      return kind == TypeKind::Number;
    case ValueKind::String:
      return kind == TypeKind::String;
    case ValueKind::List:
    case ValueKind::Set:
    case ValueKind::Map:
    case ValueKind::Tuple:
    case ValueKind::Object:
      return compound_kind(kind_) == kind;
  }
  PRAVOC_UNREACHABLE();
}

bool has_exact_type(const Value& v, const Type& type) {
  if (v.kind() != ValueKind::Tuple && v.kind() != ValueKind::Object) {
    if (v.kind() == ValueKind::Bool) return type.kind() == TypeKind::Bool;
    if (v.kind() == ValueKind::Number) return type.kind() == TypeKind::Number;
    if (v.kind() == ValueKind::String) return type.kind() == TypeKind::String;
    return v.type() == type;
  }
  const CompoundData* data = ValueAccess::compound(v);
  if (const TypeNode* have = data->type.load(std::memory_order_acquire)) return Type::share(have) == type;
  if (type.kind() != compound_kind(v.kind()) || type.has_optional()) return false;
  std::span<const Type> types = type.elements();
  if (types.size() != data->count) return false;
  if (v.kind() == ValueKind::Object && !(KeySet::share(data->keys) == type.keys())) return false;
  for (size_t i = 0; i < types.size(); ++i)
    if (!has_exact_type(data->elements()[i], types[i])) return false;
  return true;
}

unsigned Value::depth() const {
  if (is_compound()) return payload_.compound->depth;
  return heap_ && (is_null() || is_unknown()) ? type().depth() : 1;
}

bool Value::is_definitely_not_null() const {
  if (is_unknown()) return refinements().not_null;
  return !is_null();
}

// --- parts

std::string_view Value::str_view() const {
  PRAVOC_CHECK(kind_ == ValueKind::String);
  return payload_.string == nullptr ? std::string_view("", 0)
                                    : std::string_view(payload_.string->data(), payload_.string->size);
}

Str Value::as_str() const {
  PRAVOC_CHECK(kind_ == ValueKind::String);
  return Str::share(payload_.string);
}

size_t Value::length() const {
  PRAVOC_CHECK(is_compound());
  return payload_.compound->count;
}

std::span<const Value> Value::elements() const {
  PRAVOC_CHECK(is_compound());
  return payload_.compound->all();
}

KeySet Value::keys() const {
  PRAVOC_CHECK(kind_ == ValueKind::Map || kind_ == ValueKind::Object);
  return KeySet::share(payload_.compound->keys);
}

const Str& Value::key(size_t i) const {
  PRAVOC_CHECK(kind_ == ValueKind::Map || kind_ == ValueKind::Object);
  return KeySet::view(payload_.compound->keys)[i];
}

const Value* Value::find(std::string_view key) const {
  size_t i = keys().find(key);
  return i == KeySet::npos ? nullptr : payload_.compound->elements() + i;
}

// --- marks of this value; the rest is in value_marks.cpp

MarkSet Value::deep_marks() const { return is_compound() ? marks_ | payload_.compound->element_marks : marks_; }

Value Value::with_marks(MarkSet add) const& {
  Value copy(*this);
  return std::move(copy).with_marks(add);
}

Value Value::with_marks(MarkSet add) && {
  if (!contains(marks_, add)) {
    marks_ |= add;
    if (contains(add, MarkSet::Ephemeral)) ValueAccess::wipe(*this);
  }
  return std::move(*this);
}

Value Value::without_marks() const {
  Value copy(*this);
  copy.marks_ = MarkSet::None;
  return copy;
}

Value Value::without_marks(MarkSet drop) const {
  Value copy(*this);
  copy.marks_ = marks_ & ~drop;
  return copy;
}

}  // namespace pravo
