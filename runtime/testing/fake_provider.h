// A provider for tests: a schema, behaviour that a test scripts, and a log of its calls.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/provider/provider.h"

namespace pravo::testing {

// Attributes in a shorthand: "name:r" required, "o" optional, "c" computed, "s" sensitive, "w" write-only, combined
// as in "secret:ocs"; strings unless a type is given.
SchemaAttribute attribute(std::string_view spec, Type type = Type::string());
Schema schema(std::vector<SchemaAttribute> attributes, std::vector<SchemaNestedBlock> blocks = {});
SchemaNestedBlock block(std::string name, NestingMode nesting, std::vector<SchemaAttribute> attributes);

struct FakeBehaviour {
  ProviderSchema schema;
  provider::Capabilities capabilities;
  bool immediate = true;
  // Attributes whose change forces a replacement.
  std::vector<std::string> force_new;
  // Each may change what would be returned otherwise: plans with unknowns for computed attributes that are not set,
  // results that fill them.
  std::function<void(const provider::PlanRequest&, provider::PlanResponse&)> on_plan;
  std::function<void(const provider::ApplyRequest&, provider::ApplyResponse&)> on_apply;
  std::function<void(const provider::ReadRequest&, provider::StateResponse&)> on_read;
  std::function<void(const provider::ConfigRequest&, provider::StateResponse&)> on_read_data;
  std::function<void(const provider::ConfigRequest&, provider::Messages&)> on_validate;
  std::function<void()> on_stop;
};

class FakeLog {
 public:
  void add(std::string line) {
    std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
  }
  std::vector<std::string> take() {
    std::lock_guard lock(mutex_);
    return std::exchange(lines_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

std::unique_ptr<provider::Provider> make_fake_provider(const FakeBehaviour& behaviour, FakeLog& log);

}  // namespace pravo::testing
