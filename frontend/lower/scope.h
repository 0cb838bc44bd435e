// What names mean at a place: the declarations of the module, and what the enclosing block adds to them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frontend/load/config.h"
#include "ir/program.h"

#include <llvm/ADT/DenseMap.h>

namespace pravo::lower {

// The declarations of a module, by name. Values are indexes into the module's lists; of equal names the first.
class Declarations {
 public:
  explicit Declarations(const load::Module& module);

  std::optional<uint32_t> variable(NameId name) const { return find(variables_, name); }
  std::optional<uint32_t> local(NameId name) const { return find(locals_, name); }
  std::optional<uint32_t> call(NameId name) const { return find(calls_, name); }
  std::optional<uint32_t> resource(load::ResourceMode mode, NameId type, NameId name) const;
  // A provider block; an invalid alias is the default configuration.
  std::optional<uint32_t> provider(NameId local_name, NameId alias) const;
  // Whether some resource of this mode has this type.
  bool has_type(load::ResourceMode mode, NameId type) const;
  // The check block that a nested data block belongs to.
  std::optional<uint32_t> check_of(uint32_t resource) const;

 private:
  using ByName = llvm::DenseMap<uint32_t, uint32_t>;
  static std::optional<uint32_t> find(const ByName& map, NameId name) {
    // The map keeps this key for itself.
    if (!name.valid()) return std::nullopt;
    auto it = map.find(name.index);
    return it == map.end() ? std::nullopt : std::optional<uint32_t>(it->second);
  }

  ByName variables_;
  ByName locals_;
  ByName calls_;
  ByName types_[3];                                  // by mode
  ByName checks_;                                    // by resource index
  llvm::DenseMap<uint64_t, uint32_t> resources_[3];  // by mode
  llvm::DenseMap<uint64_t, uint32_t> providers_;
};

inline constexpr uint32_t kNone = UINT32_MAX;

// "resource", "data source", "ephemeral resource".
std::string_view mode_text(load::ResourceMode mode);

// What the block around an expression adds to, or takes from, the module's names.
struct Context {
  enum class Kind : uint8_t {
    Module,      // locals, outputs, provider configurations: nothing but the module's names
    Repetition,  // the `count` or `for_each` itself
    Block,       // the body of a resource or module call, its conditions
    Destroy,     // a provisioner that runs at destroy
  };
  Kind kind = Kind::Module;
  InstId each;                // the expand.for_each whose key and value `each` is
  InstId count;               // the expand.count whose index `count` is
  InstId self;                // the resource that `self` is
  uint32_t resource = kNone;  // the block is, or lies in, this resource ...
  uint32_t call = kNone;      // ... or this module call
  uint32_t check = kNone;     // nested data of this check block is in reach
};

// A name that an expression or a dynamic block binds, and what it stands for.
struct Binding {
  enum class Kind : uint8_t {
    Key,       // `k` of `for k, v in`
    Value,     // `v`
    Iterator,  // a dynamic block's: an object of key and value
  };
  Kind kind;
  NameId name;
  InstId owner;  // the for.list or for.object
  TypeId key;
  TypeId value;
};

}  // namespace pravo::lower
