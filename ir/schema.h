// Schemas: what a provider says of its configuration, resources, data sources and ephemeral resources. The shape is
// that of protocol 6 (nested attributes included); protocol 5 is a subset of it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/keys.h"
#include "ir/type.h"
#include "ir/value.h"

namespace pravo {

// How many objects a nested block or nested attribute stands for, and how they are held. Group is a single block
// that is never absent: left out, it is an object of nulls. Attributes are never Group.
enum class NestingMode : uint8_t { Single, Group, List, Set, Map };

struct SchemaObject;

struct SchemaAttribute {
  std::string name;
  Type type;                                   // of its value; also where `nested` says what is inside
  std::shared_ptr<const SchemaObject> nested;  // null: a plain attribute
  bool required = false;
  bool optional = false;
  bool computed = false;
  bool sensitive = false;
  bool write_only = false;
  bool deprecated = false;
  std::string description;
  // Of built-in providers: the attribute whose value this one repeats, secrets included.
  std::string echo_of;

  bool computed_only() const { return computed && !optional && !required; }
};

struct SchemaNestedBlock;

// The body of a schema, or of a nested block in it. Immutable once finish() was called.
struct SchemaBlock {
  std::vector<SchemaAttribute> attributes;
  std::vector<SchemaNestedBlock> blocks;
  std::string description;
  bool deprecated = false;
  bool computed = false;  // as a nested block: the provider may make up the whole of it

  // --- filled by finish()
  KeySet keys;  // names of attributes and nested blocks, sorted: the keys of the block's object
  Type type;    // the implied type: an object of all of them
  // By key: attribute index i as i, nested block index b as -1 - b.
  std::vector<int32_t> members;

  // Sorts the attributes and blocks and works out what derives from them, also in everything nested.
  void finish();

  const SchemaAttribute* attribute(std::string_view name) const;
  const SchemaNestedBlock* block(std::string_view name) const;
  // Whether some attribute in it, at any depth, is sensitive (or write-only).
  bool any_sensitive = false;
  bool any_write_only = false;
  bool any_echo = false;  // among its own attributes
};

struct SchemaNestedBlock {
  std::string name;
  SchemaBlock block;
  NestingMode nesting = NestingMode::List;
  uint64_t min_items = 0;
  uint64_t max_items = 0;  // 0: no bound
  Type type;               // of the value that stands for all its blocks; filled by finish()
};

// The attributes of an attribute with `nested_type`.
struct SchemaObject {
  SchemaBlock block;  // without nested blocks
  NestingMode nesting = NestingMode::Single;
};

struct Schema {
  uint64_t version = 0;
  SchemaBlock block;
};

struct SchemaParameter {
  std::string name;
  Type type;
  bool nullable = false;
};

struct SchemaFunction {
  std::vector<SchemaParameter> parameters;
  std::optional<SchemaParameter> variadic;
  Type result;
};

// Everything that a provider offers, by name.
struct ProviderSchema {
  SchemaBlock provider;
  std::map<std::string, Schema, std::less<>> resources;
  std::map<std::string, Schema, std::less<>> data_sources;
  std::map<std::string, Schema, std::less<>> ephemeral_resources;
  std::map<std::string, SchemaFunction, std::less<>> functions;
};

// Where schemas come from. Those of built-in providers are in ir/builtin_schemas.h; a source knows others.
class SchemaSource {
 public:
  virtual ~SchemaSource() = default;
  // The schema of the provider with this address (host/namespace/type), or null where nothing is known of it: then
  // nothing is assumed of it either. What is returned stays valid as long as the source.
  virtual const ProviderSchema* find(std::string_view address) = 0;
};

// A nested attribute around `object` (whose block must be finished): its type follows from it.
void set_nested(SchemaAttribute& attribute, SchemaObject object);

// The type that a configuration's value must fit: the attribute's, where in nested attributes all that are not required
// may be left out.
Type constraint_type(const SchemaAttribute& attribute);

// The object that stands for an absent block: attributes null, nested blocks empty.
Value empty_block(const SchemaBlock& block);
// What stands for no nested blocks of this kind.
Value empty_nested(const SchemaNestedBlock& nested);

// The paths of attributes that the schema says are sensitive, as far as they lead somewhere in `value`, an object of
// the block's type.
std::vector<PathMarks> sensitive_paths(const SchemaBlock& block, const Value& value);

// An object of the block's type with the marks that follow from the schema: of attributes that it says are sensitive,
// and of those that repeat another one, as far as that has marks.
Value with_schema_marks(const SchemaBlock& block, Value value);
// Whether a path of marks in such an object follows from another attribute's, and needs no record.
bool is_echo(const SchemaBlock& block, std::span<const PathStep> path);

}  // namespace pravo
