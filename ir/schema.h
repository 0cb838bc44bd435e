// Provider schemas: what a provider, a resource type or a provisioner takes and gives. The shape is that of
// `providers schema -json`, so that a schema that was read from a provider and one that is built in are the same
// thing. Lowering checks arguments with it and types results; the mark pass asks it what is sensitive or write-only.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/type.h"

namespace pravo {

// How often a nested block or nested attribute may stand, and what its value then is.
enum class NestingMode : uint8_t {
  Single,  // one, or null
  Group,   // one, never null: an object of nulls where it is absent
  List,
  Set,
  Map,  // keyed: by the label of a block, by the key of an attribute's map
};

struct AttributeSchema;

// The object (or collection of objects) that an attribute with a structure of its own takes.
struct NestedAttributes {
  NestingMode nesting = NestingMode::Single;
  std::vector<AttributeSchema> attributes;  // sorted by name
};

struct AttributeSchema {
  std::string name;
  Type type;                                       // with `nested`: what that implies
  std::shared_ptr<const NestedAttributes> nested;  // may be null
  bool required = false;
  bool optional = false;
  bool computed = false;
  bool sensitive = false;
  bool write_only = false;
  bool deprecated = false;

  // Whether a configuration may set it.
  bool settable() const { return required || optional; }
};

struct NestedBlockSchema;

struct BlockSchema {
  std::vector<AttributeSchema> attributes;  // sorted by name
  std::vector<NestedBlockSchema> blocks;    // sorted by name

  const AttributeSchema* attribute(std::string_view name) const;
  const NestedBlockSchema* block(std::string_view name) const;
  // The object type of a value of this block. With the names of all attributes and nested blocks.
  Type implied_type() const;
};

struct NestedBlockSchema {
  std::string name;
  NestingMode nesting = NestingMode::List;
  uint64_t min_items = 0;
  uint64_t max_items = 0;  // 0: no bound
  BlockSchema block;
};

struct ResourceSchema {
  uint64_t version = 0;
  BlockSchema block;
};

struct FunctionParameterSchema {
  std::string name;
  Type type;
  bool nullable = false;
};

struct FunctionSchema {
  std::vector<FunctionParameterSchema> parameters;
  std::optional<FunctionParameterSchema> variadic;
  Type result;
};

// Everything that a provider offers, by name.
struct ProviderSchema {
  BlockSchema provider;
  std::map<std::string, ResourceSchema, std::less<>> resources;
  std::map<std::string, ResourceSchema, std::less<>> data_sources;
  std::map<std::string, ResourceSchema, std::less<>> ephemeral_resources;
  std::map<std::string, FunctionSchema, std::less<>> functions;
};

// Where schemas come from. Built-in providers are known to everyone (ir/builtin_schemas.h); a source says more.
class SchemaSource {
 public:
  virtual ~SchemaSource() = default;
  // The schema of the provider with this address (host/namespace/type), or null where nothing is known of it: then
  // nothing is assumed either. What is returned stays valid as long as the source.
  virtual const ProviderSchema* find(std::string_view address) = 0;
};

// Sorts the lists of a block, at every depth, and derives the types of nested attributes. For whoever builds one.
void finish_schema(BlockSchema& block);

}  // namespace pravo
