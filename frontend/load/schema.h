// What each kind of block may hold: one table a block. The tables are those of Terraform 1.11; rows marked `newer`
// are of later versions and OpenTofu.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace pravo::load {

inline constexpr size_t kMaxArguments = 12;

enum class Presence : uint8_t {
  Optional,
  Required,
  Reserved,   // an error: the language keeps the name for itself
  Newer,      // of an argument an error, of a block a warning: pravo does not look at it
  NewerRead,  // the same, but what can be wrong in it all the same is looked at
};

struct ArgumentRow {
  std::string_view name;
  Presence presence = Presence::Optional;
};

struct BlockRow {
  std::string_view name;
  std::span<const std::string_view> labels = {};
  Presence presence = Presence::Optional;
};

struct BodySchema {
  std::string_view what;  // in messages: "a `variable` block"
  std::span<const ArgumentRow> arguments = {};
  std::span<const BlockRow> blocks = {};
  bool open = false;  // what has no row belongs to somebody else's schema
};

namespace schema {

extern const BodySchema kFile;
extern const BodySchema kTerraform;
extern const BodySchema kVariable;
extern const BodySchema kOutput;
extern const BodySchema kProvider;
extern const BodySchema kResource;
extern const BodySchema kData;
extern const BodySchema kEphemeral;
extern const BodySchema kLifecycle;
extern const BodySchema kProvisioner;
extern const BodySchema kModule;
extern const BodySchema kCheck;
extern const BodySchema kCheckRule;
extern const BodySchema kImport;
extern const BodySchema kMoved;
extern const BodySchema kRemoved;
extern const BodySchema kRemovedLifecycle;
extern const BodySchema kDynamic;
extern const BodySchema kLanguage;
extern const BodySchema kTestFile;
extern const BodySchema kTestRun;
extern const BodySchema kTestPlanOptions;
extern const BodySchema kTestModule;
extern const BodySchema kMockProvider;
extern const BodySchema kMockData;
extern const BodySchema kMock;
extern const BodySchema kOverride;
extern const BodySchema kOverrideModule;

}  // namespace schema

}  // namespace pravo::load
