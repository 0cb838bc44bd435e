// Type: the types of the language, as cty has them. A handle of 8 bytes on an immutable, shared node; equality
// is structural. Types are not interned here, since the attribute names of an object may come from values
// (jsondecode of a secret).
#pragma once

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/keys.h"
#include "ir/result.h"

namespace pravo {

enum class TypeKind : uint8_t { Dynamic, Bool, Number, String, List, Set, Map, Tuple, Object };

// How deeply types and values may nest. What makes them refuses more with an error (see too_deep()), so that
// every recursive walk is safe.
inline constexpr unsigned kMaxDepth = 1000;

struct TypeNode;

class Type {
 public:
  struct Attribute;

  // The dynamic type: "any", not known yet.
  Type() noexcept = default;
  Type(const Type& other) noexcept : node_(other.node_) { retain(); }
  Type(Type&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  Type& operator=(const Type& other) noexcept {
    Type copy(other);
    std::swap(node_, copy.node_);
    return *this;
  }
  Type& operator=(Type&& other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~Type() { release(); }

  static Type dynamic() { return Type(); }
  static Type boolean();
  static Type number();
  static Type string();
  static Type list(Type element);
  static Type set(Type element);
  static Type map(Type element);
  static Type tuple(std::vector<Type> elements);
  // Sorts the attributes. Of equal names the last stays.
  static Type object(std::vector<Attribute> attributes);
  // `optional` is empty (none are) or has an entry for each key.
  static Type object(KeySet keys, std::vector<Type> types, std::vector<bool> optional = {});

  TypeKind kind() const;
  bool is_dynamic() const { return kind() == TypeKind::Dynamic; }
  bool is_primitive() const;   // bool, number, string
  bool is_collection() const;  // list, set, map
  bool is_structural() const;  // tuple, object

  // Of a list, set or map.
  const Type& element() const;
  // Of a tuple: its element types. Of an object: its attribute types in key order.
  std::span<const Type> elements() const;
  // Of an object: its attribute names, sorted bytewise.
  const KeySet& keys() const;
  // Of an object: whether attribute i may be left out (type constraints only).
  bool is_optional(size_t i) const;
  // Of an object: the attribute's index, or npos.
  static constexpr size_t npos = SIZE_MAX;
  size_t find(std::string_view attribute) const;

  bool has_dynamic() const;   // the dynamic type somewhere inside
  bool has_optional() const;  // an optional attribute somewhere inside
  Type without_optional() const;
  unsigned depth() const;  // 1 for a primitive

  size_t hash() const;
  bool operator==(const Type& other) const { return node_ == other.node_ || equal(*this, other); }

  // As a type constraint is written: `object({ a = string, b = optional(list(any)) })` on one line.
  std::string to_string() const;
  // Reads what to_string() writes (names are plain or quoted); "any" and "dynamic" are the dynamic type.
  static Result<Type> parse(std::string_view text);
  // As the console's type() shows it, over several lines: `object({\n    a: string,\n})`.
  std::string to_console_string() const;
  // For messages: "list of string", "object", "dynamic".
  std::string friendly_name() const;
  // The same where the type is a constraint: the dynamic type is "any type", its collections "list of any single type".
  std::string friendly_constraint() const;

  // cty's JSON encoding: `"string"`, `["object",{"a":"string"}]`, with a third element for optional names.
  std::string to_json() const;
  static Result<Type> from_json(std::string_view text);

  // For containers that hold a bare node (Value). The caller owns one reference.
  const TypeNode* detach() && { return std::exchange(node_, nullptr); }
  const TypeNode* detach_copy() const {
    retain();
    return node_;
  }
  static Type adopt(const TypeNode* node) { return Type(node); }
  static Type share(const TypeNode* node) {
    Type type(node);
    type.retain();
    return type;
  }
  const TypeNode* node() const { return node_; }

 private:
  explicit Type(const TypeNode* node) noexcept : node_(node) {}
  void retain() const noexcept;
  void release() const noexcept;
  static bool equal(const Type& a, const Type& b);

  const TypeNode* node_ = nullptr;  // null: the dynamic type
};

struct Type::Attribute {
  Str name;
  Type type;
  bool optional = false;
  Attribute(Str n, Type t, bool o = false) : name(std::move(n)), type(std::move(t)), optional(o) {}
  Attribute(std::string_view n, Type t, bool o = false) : name(n), type(std::move(t)), optional(o) {}
};

}  // namespace pravo

template <>
struct std::hash<pravo::Type> {
  size_t operator()(const pravo::Type& t) const noexcept { return t.hash(); }
};
