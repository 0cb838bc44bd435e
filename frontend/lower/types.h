// Static types of values, as far as they are certain: a value has this type whatever the inputs are. The dynamic
// type `any` says that nothing is known. Types here are small by construction (see kMaxWeight), since sharing lets
// the text of a configuration spell types of exponential size.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/functions.h"
#include "ir/program.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

namespace pravo::lower {

class Types {
 public:
  explicit Types(Program& program);

  TypeId any;
  TypeId boolean;
  TypeId number;
  TypeId string;

  const Type& get(TypeId id) const { return program_.type(id); }
  // Of a type that the text or a schema spells; any where it is too large.
  TypeId intern(const Type& type);
  bool certain(TypeId id) const { return !get(id).has_dynamic(); }

  TypeId object(std::span<const NameId> names, std::span<const TypeId> fields);
  TypeId tuple(std::span<const TypeId> elements);
  TypeId of_unary(UnaryKind kind) const;
  TypeId of_binary(BinaryKind kind) const;
  // Of `c ? a : b`. Nothing: the arms can never agree.
  std::optional<TypeId> conditional(TypeId when_true, TypeId when_false);

  // The attribute of an object or the element of a map; nothing where the type has no such attribute.
  std::optional<TypeId> attribute(TypeId base, std::string_view name);
  // An element of a collection or structure by a key of no known value; any where elements differ.
  TypeId element(TypeId base);
  // The element with this number, of a tuple or list; nothing where the tuple is shorter.
  std::optional<TypeId> element(TypeId base, uint64_t index);

  // What iterating yields.
  struct Step {
    TypeId key;
    TypeId value;
  };
  // Nothing: values of this type cannot be iterated over.
  std::optional<Step> iterate(TypeId base);

  // The result of a function, or why arguments of these types can never be right.
  struct CallType {
    TypeId result;
    std::string fault;  // empty: none
    int argument = -1;  // at fault
  };
  const CallType& call(FunctionId function, std::span<const TypeId> arguments);

 private:
  // The size of a type, counted with everything inside; never more than kMaxWeight + 1.
  uint32_t weight(TypeId id);

  using Key = llvm::SmallVector<uint32_t, 8>;
  struct KeyHash {
    size_t operator()(const Key& key) const {
      uint64_t hash = key.size();
      for (uint32_t word : key) {
        hash = (hash ^ word) * 0x9E3779B97F4A7C15;
        hash ^= hash >> 29;
      }
      return hash;
    }
  };

  Program& program_;
  std::vector<uint32_t> weights_;                    // by TypeId; 0: not computed
  std::unordered_map<Key, TypeId, KeyHash> shapes_;  // of objects and tuples, by their parts
  std::unordered_map<Key, TypeId, KeyHash> elements_;
  std::unordered_map<Key, CallType, KeyHash> calls_;
};

}  // namespace pravo::lower
