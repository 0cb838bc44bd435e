// What the blocks of a module and of a test file say, each block on its own. Expressions stay syntax.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/hcl/syntax.h"
#include "ir/convert.h"
#include "ir/names.h"
#include "ir/source.h"
#include "ir/type.h"

namespace pravo::load {

// An expression: a node of a file's tree. Invalid where an optional argument is absent.
struct Expr {
  const hcl::SyntaxTree* tree = nullptr;
  hcl::NodeId node;

  bool valid() const { return tree != nullptr; }
  explicit operator bool() const { return valid(); }
  SourceRange range() const { return tree == nullptr ? SourceRange{} : tree->range(node); }
};

// A name with its place.
struct Name {
  NameId id;
  SourceRange range;
  bool valid() const { return id.valid(); }
};

struct Attribute {
  Name name;
  Expr value;
  SourceRange range;  // `name = value`
};

// What is left of a block's body for a provider's or module's schema to say: arguments and nested blocks in
// source order. `dynamic "x" {}` stays a block of type `dynamic` here; that of JSON has its `content` as a block,
// too. A body that an override file of the other syntax was merged into mixes both: `value.tree->json` says which
// one an argument is of.
struct Block;
struct Body {
  std::vector<Attribute> attributes;
  std::vector<Block> blocks;
  SourceRange range;  // where a missing argument is reported: the opening brace, in JSON the closing one
  bool json = false;  // in JSON a nested block cannot be told from an attribute without a schema: all properties of a
                      // JSON body are attributes, except `dynamic`; one name may come more than once
  const Attribute* find(NameId name) const {
    for (const Attribute& a : attributes)
      if (a.name.id == name) return &a;
    return nullptr;
  }
};
struct Block {
  Name type;
  std::vector<Name> labels;
  SourceRange header;  // type and labels
  Body body;
};

// `condition` and `error_message` of a validation, precondition, postcondition or assert block.
struct CheckRule {
  Expr condition;
  Expr error_message;
  SourceRange range;  // the block's header
};

struct Variable {
  Name name;
  SourceRange header;
  Expr type_expr;       // absent: any
  TypeConstraint type;  // dynamic when absent or wrong
  Expr default_value;   // absent: required
  std::optional<std::string> description;
  bool sensitive = false;
  bool ephemeral = false;
  bool nullable = true;
  SourceRange sensitive_range;  // the argument, where given
  SourceRange ephemeral_range;
  SourceRange nullable_range;
  std::vector<CheckRule> validations;
};

struct Local {
  Name name;
  Expr value;
  SourceRange range;
};

struct Output {
  Name name;
  SourceRange header;
  Expr value;
  std::optional<std::string> description;
  bool sensitive = false;
  bool ephemeral = false;
  SourceRange sensitive_range;
  SourceRange ephemeral_range;
  std::vector<Expr> depends_on;
  SourceRange depends_on_range;
  std::vector<CheckRule> preconditions;
};

// `aws` or `aws.east`, as written in a `provider` argument or in a module call's `providers`.
struct ProviderRef {
  Name local_name;
  Name alias;  // may be invalid
  SourceRange range;
};

struct ProviderConfig {
  Name local_name;
  Name alias;  // invalid: the default configuration
  SourceRange alias_range;
  SourceRange header;
  bool has_version = false;  // the deprecated argument
  Body config;
};

struct RequiredProvider {
  Name local_name;
  std::string source;  // canonical address, host/namespace/type
  std::vector<std::string> version_constraints;
  std::vector<ProviderRef> configuration_aliases;
  SourceRange range;
};

struct Provisioner {
  Name type;
  SourceRange header;
  bool on_destroy = false;
  bool continue_on_failure = false;
  Body config;
  std::optional<Body> connection;
};

enum class ResourceMode : uint8_t { Managed, Data, Ephemeral };

struct Resource {
  ResourceMode mode = ResourceMode::Managed;
  Name type;
  Name name;
  SourceRange header;
  Expr count;
  Expr for_each;
  std::optional<ProviderRef> provider;
  std::vector<Expr> depends_on;
  SourceRange depends_on_range;
  Body config;
  std::optional<uint32_t> check;  // index in Module::checks of the check block that it stands in

  // lifecycle
  SourceRange lifecycle_range;  // valid when there is a lifecycle block
  bool create_before_destroy = false;
  bool create_before_destroy_set = false;
  bool prevent_destroy = false;
  bool prevent_destroy_set = false;
  bool ignore_all_changes = false;
  std::vector<Expr> ignore_changes;
  SourceRange ignore_changes_range;  // the argument, where given
  std::vector<Expr> replace_triggered_by;
  SourceRange replace_triggered_by_range;
  std::vector<CheckRule> preconditions;
  std::vector<CheckRule> postconditions;

  std::optional<Body> connection;
  std::vector<Provisioner> provisioners;
};

enum class ModuleStatus : uint8_t {
  Loaded,        // `target` is valid
  NotInstalled,  // a warning was given; outputs are unknown
  Broken,        // an error was given (missing directory, cycle)
};

struct ModuleCall {
  Name name;
  SourceRange header;
  SourceRange complaint_range;  // where a missing argument is reported
  std::string source;
  SourceRange source_range;
  bool source_broken = false;  // missing or wrong, which was reported
  std::string version;
  Expr count;
  Expr for_each;
  std::vector<std::pair<ProviderRef, ProviderRef>> providers;  // inner = outer
  SourceRange providers_range;                                 // the argument, where given
  std::vector<Expr> depends_on;
  SourceRange depends_on_range;
  Body arguments;  // everything that is no meta-argument
  ModuleStatus status = ModuleStatus::NotInstalled;
  uint32_t target = UINT32_MAX;  // index in Configuration::modules
};

struct Check {
  Name name;
  SourceRange header;
  std::optional<uint32_t> data_resource;  // index in Module::resources of the nested data block
  std::vector<CheckRule> asserts;
};

struct Import {
  SourceRange header;
  Expr to;
  Expr id;
  Expr identity;
  Expr for_each;
  std::optional<ProviderRef> provider;
  SourceRange provider_range;
};

struct Moved {
  SourceRange header;
  Expr from;
  Expr to;
};

struct Removed {
  SourceRange header;
  Expr from;
  bool destroy = true;
  std::optional<Body> connection;
  std::vector<Provisioner> provisioners;
};

struct Backend {
  std::string type;  // "local", "s3", ...; "cloud" for a cloud block
  SourceRange header;
  Body config;
};

}  // namespace pravo::load
