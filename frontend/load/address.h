// Addresses as text: of providers (`hashicorp/aws`), of modules (`./m`, registry, git), and names.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pravo::load {

inline constexpr std::string_view kDefaultRegistry = "registry.terraform.io";
inline constexpr std::string_view kBuiltinTerraform = "terraform.io/builtin/terraform";

// A name of the language: letters, digits, `_` and `-`, starting with a letter or `_` (UAX #31 identifiers).
bool is_identifier(std::string_view text);

// What is wrong with a provider's local name, or nothing: "must be lower case".
std::optional<std::string> provider_name_fault(std::string_view name);

// A `source` of required_providers.
struct ProviderSource {
  std::string address;  // host/namespace/type in lower case; empty where `fault` says why
  std::string fault;
  std::string suggestion;  // what was probably meant; may be empty
};
ProviderSource parse_provider_source(std::string_view text);

// The address that a name stands for where nothing requires it.
std::string implied_provider_address(std::string_view local_name);
// "hashicorp/aws" of registry.terraform.io/hashicorp/aws: as users write it.
std::string_view short_provider_address(std::string_view address);

// What a module's `source` points to.
struct ModuleSource {
  enum class Kind : uint8_t {
    Local,     // a path relative to the calling module
    Registry,  // [host/]namespace/name/system
    Remote,    // anything that is fetched: git, archives, buckets
    Invalid,
  } kind = Kind::Invalid;
  std::string path;   // Local: with slashes
  std::string fault;  // Invalid
};
// `registry`: a version is given, so nothing but a registry address will do.
ModuleSource parse_module_source(std::string_view text, bool registry);

}  // namespace pravo::load
