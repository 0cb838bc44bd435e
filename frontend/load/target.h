// Addresses of modules and resources as `moved`, `removed` and `import` blocks write them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/load/config.h"
#include "frontend/load/static_expr.h"

namespace pravo::load {

struct Target {
  struct Step {
    std::string name;
    std::optional<std::string> key;  // as written: `0`, `"a"`; `*` where it is computed
    SourceRange key_range;
  };
  std::vector<Step> modules;  // module.a["x"].module.b
  bool resource = false;      // else it is the last of the modules
  ResourceMode mode = ResourceMode::Managed;
  std::string type;
  Step name;
  SourceRange range;

  std::string text() const;  // canonical
};

struct TargetFault {
  SourceRange range;
  std::string fact;
};

// Reads an address; a fault where the reference is none.
std::optional<Target> parse_target(const Reference& reference, TargetFault* fault);

}  // namespace pravo::load
