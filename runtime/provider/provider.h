// The interface of a provider, shaped after protocol 6: one method per call, values instead of bytes. What is
// built in implements it directly; the client of provider processes implements it over gRPC. Values carry no marks.
//
// A method may be called from several threads at once, except configure() and stop(), which come first and last.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/diagnostics.h"
#include "ir/result.h"
#include "ir/schema.h"
#include "ir/value.h"

namespace pravo::provider {

// What a provider says: text of its own words, and the attribute it speaks of.
struct Message {
  Severity severity = Severity::Error;
  std::string summary;
  std::string detail;
  Path attribute;
};
using Messages = std::vector<Message>;

bool has_errors(const Messages& messages);

struct Capabilities {
  bool plan_destroy = false;  // wants to be asked before a destroy
  bool move_resource_state = false;
};

struct Deferred {
  enum class Reason : uint8_t { Unknown, ResourceConfigUnknown, ProviderConfigUnknown, AbsentPrerequisite } reason;
};

struct ConfigRequest {
  std::string_view type;  // of the resource, data source or ephemeral; empty for the provider's own
  Value config;
};

struct UpgradeRequest {
  std::string_view type;
  uint64_t version = 0;   // the schema version that the state was written with
  std::string_view json;  // the attributes, as the state file has them
};

struct ReadRequest {
  std::string_view type;
  Value state;
  std::string_view private_data;
};

struct PlanRequest {
  std::string_view type;
  Value prior;
  Value proposed;
  Value config;
  std::string_view prior_private;
};

struct ApplyRequest {
  std::string_view type;
  Value prior;
  Value planned;
  Value config;
  std::string_view planned_private;
};

struct ImportRequest {
  std::string_view type;
  std::string_view id;
};

struct StateResponse {
  Value state;
  std::string private_data;
  Messages messages;
  std::optional<Deferred> deferred;
};

struct PlanResponse {
  Value planned;
  std::vector<Path> requires_replace;
  std::string planned_private;
  bool legacy_type_system = false;
  Messages messages;
  std::optional<Deferred> deferred;
};

struct ApplyResponse {
  // The new state; where the call failed, what is known to exist. Nothing: the provider said nothing of it.
  std::optional<Value> state;
  std::string private_data;
  bool legacy_type_system = false;
  Messages messages;
};

struct ImportResponse {
  struct Object {
    std::string type;
    Value state;
    std::string private_data;
  };
  std::vector<Object> objects;
  Messages messages;
};

struct OpenResponse {
  Value result;
  std::string private_data;
  std::optional<std::chrono::system_clock::time_point> renew_at;
  Messages messages;
  std::optional<Deferred> deferred;
};

struct RenewResponse {
  std::string private_data;
  std::optional<std::chrono::system_clock::time_point> renew_at;
  Messages messages;
};

class Provider {
 public:
  virtual ~Provider() = default;

  // GetProviderSchema; of an unconfigured provider too. Stays as it is.
  virtual const ProviderSchema& schema() = 0;
  virtual Capabilities capabilities() { return {}; }
  // Whether calls return at once, so that nothing is gained by making them on a thread of their own. Such a provider
  // keeps nothing outside of the state: a call that was cut off leaves nothing behind.
  virtual bool immediate() const { return false; }

  virtual Messages validate_provider(const Value& config) = 0;
  virtual Messages configure(const Value& config) = 0;
  // Asks calls that are under way to end soon.
  virtual void stop() {}

  virtual Messages validate_resource(const ConfigRequest& request) = 0;
  virtual StateResponse upgrade_resource_state(const UpgradeRequest& request) = 0;
  virtual StateResponse read_resource(const ReadRequest& request) = 0;
  virtual PlanResponse plan_resource_change(const PlanRequest& request) = 0;
  virtual ApplyResponse apply_resource_change(const ApplyRequest& request) = 0;
  virtual ImportResponse import_resource_state(const ImportRequest& request) = 0;

  virtual Messages validate_data(const ConfigRequest& request) = 0;
  virtual StateResponse read_data(const ConfigRequest& request) = 0;

  virtual Messages validate_ephemeral(const ConfigRequest& request) = 0;
  virtual OpenResponse open_ephemeral(const ConfigRequest& request) = 0;
  virtual RenewResponse renew_ephemeral(std::string_view type, std::string_view private_data) = 0;
  virtual Messages close_ephemeral(std::string_view type, std::string_view private_data) = 0;

  // Of an unconfigured provider; `name` without namespace. An error's `argument` is set where it has one.
  virtual Result<Value> call_function(std::string_view name, std::span<const Value> arguments) = 0;
};

// Providers by address. Each configuration of a provider is an instance of its own.
class Registry {
 public:
  using Factory = std::function<std::unique_ptr<Provider>()>;

  void add(std::string address, Factory factory);
  bool has(std::string_view address) const { return factories_.find(address) != factories_.end(); }
  std::unique_ptr<Provider> create(std::string_view address) const;
  // The schema of a provider, of an instance that is kept for it; null for an unknown address.
  const ProviderSchema* schema(std::string_view address);
  // The instance behind schema(), for functions.
  Provider* unconfigured(std::string_view address);

 private:
  std::map<std::string, Factory, std::less<>> factories_;
  std::map<std::string, std::unique_ptr<Provider>, std::less<>> unconfigured_;
};

}  // namespace pravo::provider
