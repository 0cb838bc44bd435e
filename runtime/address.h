// Addresses of instances as users, states and plans spell them: module.a["k"].terraform_data.x[0]. A module
// instance's path is parsed once and shared.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/program.h"

namespace pravo::runtime {

// Which of the instances of a resource or module call: none for a single one, a number for count, a string for
// for_each. Ordered none < numbers < strings.
struct InstanceKey {
  enum class Kind : uint8_t { None, Number, String } kind = Kind::None;
  uint64_t number = 0;
  Str text;

  static InstanceKey none() { return {}; }
  static InstanceKey at(uint64_t n) { return {Kind::Number, n, {}}; }
  static InstanceKey named(Str name) { return {Kind::String, 0, std::move(name)}; }
  static InstanceKey named(std::string_view name) { return named(Str(name)); }

  bool is_none() const { return kind == Kind::None; }
  bool operator==(const InstanceKey& other) const {
    return kind == other.kind && number == other.number && text == other.text;
  }
  std::strong_ordering operator<=>(const InstanceKey& other) const;
  // `[0]`, `["k"]`, or nothing.
  std::string to_string() const;
  // The value that `count.index` or `each.key` has; null for none.
  Value to_value() const;
};

// Appends a string in quotes as addresses have it: `"`, `\` and line breaks escaped, `${` and `%{` doubled.
void append_quoted(std::string& out, std::string_view text);

// A module instance: the steps from the root to it.
class ModulePath {
 public:
  struct Step {
    std::string name;
    InstanceKey key;
  };

  ModulePath() = default;
  explicit ModulePath(std::vector<Step> steps);

  static std::optional<ModulePath> parse(std::string_view text);

  const std::vector<Step>& steps() const { return steps_; }
  bool is_root() const { return steps_.empty(); }
  // `module.a["k"].module.b`; empty for the root.
  const std::string& text() const { return text_; }
  // The same without keys, as configuration addresses are written.
  std::string static_text() const;
  ModulePath child(std::string_view name, const InstanceKey& key) const;
  ModulePath parent() const;
  // Whether `other` is this module instance, or lies in it.
  bool contains(const ModulePath& other) const;

  // Shallower modules first, then by names and keys: the order of Terraform's lists of changes.
  std::strong_ordering operator<=>(const ModulePath& other) const;
  bool operator==(const ModulePath& other) const { return text_ == other.text_; }

 private:
  std::vector<Step> steps_;
  std::string text_;
};

using ModulePathRef = std::shared_ptr<const ModulePath>;
ModulePathRef root_module_path();

// A resource in a module instance, or, with a key, one instance of it.
struct ResourceAddress {
  ModulePathRef module = root_module_path();
  ResourceMode mode = ResourceMode::Managed;
  std::string type;
  std::string name;

  // `module.a[0].data.t.n`
  std::string to_string() const;
  // Without instance keys of modules: how states name dependencies.
  std::string static_text() const;
  // `data.t.n` inside its module.
  std::string local_text() const;
  std::strong_ordering operator<=>(const ResourceAddress& other) const;
  bool operator==(const ResourceAddress& other) const { return (*this <=> other) == 0; }
};

struct InstanceAddress {
  ResourceAddress resource;
  InstanceKey key;

  std::string to_string() const { return resource.to_string() + key.to_string(); }
  // Data sources before managed resources, in the order of ModulePath.
  std::strong_ordering operator<=>(const InstanceAddress& other) const;
  bool operator==(const InstanceAddress& other) const { return (*this <=> other) == 0; }

  static std::optional<InstanceAddress> parse(std::string_view text);
};

// What a user names of a state: a module instance with everything in it, a resource with all its instances, or one
// instance.
struct StateAddress {
  enum class Kind : uint8_t { Module, Resource, Instance } kind = Kind::Module;
  ModulePathRef module = root_module_path();  // of a module: its own path
  ResourceAddress resource;                   // of the other two
  InstanceKey key;                            // of an instance, never none

  static std::optional<StateAddress> parse(std::string_view text);
  std::string to_string() const;
};

// `registry.terraform.io/hashicorp/aws` of `provider["registry.terraform.io/hashicorp/aws"].alias`, as states name a
// provider configuration; with a `module.x.` prefix where it stands in a module.
struct ProviderConfigAddress {
  std::string module;  // static module path, may be empty
  std::string provider;
  std::string alias;

  std::string to_string() const;
  static std::optional<ProviderConfigAddress> parse(std::string_view text);
};

}  // namespace pravo::runtime
