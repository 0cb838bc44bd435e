// Version numbers and constraints as module authors write them: ">= 1.2, < 2.0", "~> 3.1".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pravo::load {

// The language that pravo reads is that of this Terraform; `required_version` is judged by it.
inline constexpr std::string_view kLanguageVersion = "1.11.4";

struct Version {
  std::vector<uint64_t> segments;  // as many as written
  std::string prerelease;          // "beta1"; build metadata is dropped
};

struct VersionConstraint {
  enum class Op : uint8_t { Equal, NotEqual, Greater, GreaterEqual, Less, LessEqual, Pessimistic } op = Op::Equal;
  Version version;
};

std::optional<Version> parse_version(std::string_view text);

// A comma-separated list; nothing where a part is malformed.
std::optional<std::vector<VersionConstraint>> parse_version_constraints(std::string_view text);

// Whether a version without prerelease satisfies a constraint without prerelease.
bool satisfies(const Version& version, const VersionConstraint& constraint);

}  // namespace pravo::load
