// The tree of module calls without instances: what configuration addresses (module.a.module.b) name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/program.h"

namespace pravo::runtime {

struct StaticModule {
  ModuleId body;
  uint32_t parent = UINT32_MAX;    // index; the root is 0 and has none
  uint32_t call = UINT32_MAX;      // in the parent's body
  std::vector<uint32_t> children;  // by call of this body; UINT32_MAX: not installed
  std::string address;             // `module.a.module.b`; empty for the root
};

class StaticModules {
 public:
  explicit StaticModules(const Program& program);

  const Program& program() const { return program_; }
  uint32_t size() const { return static_cast<uint32_t>(modules_.size()); }
  const StaticModule& operator[](uint32_t index) const { return modules_[index]; }
  const ModuleBody& body(uint32_t index) const { return program_.body(modules_[index].body); }

 private:
  const Program& program_;
  std::vector<StaticModule> modules_;
};

}  // namespace pravo::runtime
