// What `-target` and `-exclude` name: a module, a resource or an instance, with everything below it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/address.h"

namespace pravo::runtime {

struct TargetAddress {
  ModulePathRef module = root_module_path();
  bool whole_module = false;  // then the rest is empty
  ResourceMode mode = ResourceMode::Managed;
  std::string type;
  std::string name;
  InstanceKey key;

  // `module.a["k"]`, `module.a.data.t.n`, `t.n[0]`: where a key may stand and does not, every key is meant.
  static std::optional<TargetAddress> parse(std::string_view text);
  std::string to_string() const;

  bool contains(const InstanceAddress& instance) const;
  // Whether it contains some instance of a resource (`module.a.t.n`, without keys).
  bool touches(std::string_view resource) const;
  // Whether it names single instances, of the resource or of a module around it.
  bool has_keys() const;
};

}  // namespace pravo::runtime
