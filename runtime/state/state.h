// The state: what exists, as Terraform's state file version 4 records it (docs/state.md). Attribute values stay JSON
// text until someone needs them, since most are only carried from one file to the next.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/schema.h"
#include "ir/value.h"
#include "runtime/address.h"

namespace pravo::runtime {

// What the files say who wrote them: the Terraform version whose format this is.
inline constexpr std::string_view kTerraformVersion = "1.11.4";
inline constexpr uint64_t kStateVersion = 4;

// A list of resources without instance keys (`module.a.t.n`), sorted; instances of a resource share theirs.
using DependencyList = std::shared_ptr<const std::vector<Str>>;

// What is recorded of an object that a provider keeps.
struct InstanceObject {
  bool tainted = false;
  bool create_before_destroy = false;
  uint64_t schema_version = 0;
  // The attributes: as text of the file (typed JSON of the provider's schema), or as a value that carries its
  // sensitive marks. Exactly one of the two is there.
  std::string attributes_json;
  std::optional<Value> value;
  std::vector<PathMarks> sensitive;  // with attributes_json
  std::string private_data;          // bytes of the provider's own
  DependencyList dependencies;       // null: none
  // Identity data of newer Terraform versions, carried along.
  std::optional<uint64_t> identity_schema_version;
  std::string identity_json;
};

struct StateInstance {
  InstanceKey key;
  std::optional<InstanceObject> current;
  // Objects that were replaced and are still to be destroyed, by their 8 hex digits.
  std::map<std::string, InstanceObject> deposed;

  bool empty() const { return !current && deposed.empty(); }
};

struct StateResource {
  ResourceAddress address;
  std::string provider;                  // as ProviderConfigAddress
  std::vector<StateInstance> instances;  // sorted by key; empty ones until compact() takes them out
  size_t emptied = 0;                    // how many may be empty, see State::prune()

  StateInstance* find(const InstanceKey& key);
  const StateInstance* find(const InstanceKey& key) const;
  StateInstance& get(const InstanceKey& key);
};

struct StateOutput {
  Value value;
  bool sensitive = false;
};

// What conditions found, see CheckResult in checks.h; carried as records of the file.
enum class CheckStatus : uint8_t { Unknown, Pass, Fail, Error };
std::string_view check_status_text(CheckStatus status);
enum class CheckKind : uint8_t { Resource, Output, Check, Variable };

struct CheckObject {
  std::string address;
  CheckStatus status = CheckStatus::Unknown;
  std::vector<std::string> messages;
};

struct CheckRecord {
  CheckKind kind = CheckKind::Resource;
  std::string address;  // without instance keys
  CheckStatus status = CheckStatus::Unknown;
  std::vector<CheckObject> objects;
};

class State {
 public:
  State() = default;
  State(State&&) = default;
  State& operator=(State&&) = default;
  State clone() const;

  std::string lineage;  // empty: a state that was never written
  uint64_t serial = 0;
  std::string terraform_version{kTerraformVersion};
  std::map<std::string, StateOutput> outputs;
  std::vector<CheckRecord> checks;

  // Resources by address text; sorted output is sorted_resources().
  StateResource* find(const ResourceAddress& address);
  const StateResource* find(const ResourceAddress& address) const;
  StateResource& get(const ResourceAddress& address, std::string_view provider);
  const StateInstance* find(const InstanceAddress& address) const;
  void remove(const ResourceAddress& address);
  // Takes a resource out, null where there is none, and puts one in at the address that it says, which must be free.
  std::unique_ptr<StateResource> take(const ResourceAddress& address);
  void put(std::unique_ptr<StateResource> resource);
  // Every resource, in no order.
  template <class F>
  void for_each(F&& visit) {
    for (auto& [text, resource] : resources_) visit(*resource);
  }

  // In the file's order: by module text, mode, type, name.
  std::vector<const StateResource*> file_order() const;
  // In the order of InstanceAddress.
  std::vector<const StateResource*> address_order() const;
  size_t resource_count() const { return resources_.size(); }
  // No resources and no outputs.
  bool empty() const { return resources_.empty() && outputs.empty(); }
  bool has_resources() const { return !resources_.empty(); }

  // After the last object of an instance went: takes it out of its resource, and the resource with its last instance,
  // some time. Each at once would move all that come behind it, so that removing many would be quadratic.
  void prune(const InstanceAddress& address);
  // Takes out every instance without objects and every resource without instances; before a state is written or shown.
  void compact();

 private:
  std::unordered_map<std::string, std::unique_ptr<StateResource>> resources_;
};

// The object's value by its schema, with the marks that the state remembers and those of the schema.
Result<Value> decode_object(const InstanceObject& object, const SchemaBlock& schema);

// A lineage: a random UUID.
std::string new_uuid();

}  // namespace pravo::runtime
