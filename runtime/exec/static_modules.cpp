#include "runtime/exec/static_modules.h"

namespace pravo::runtime {

StaticModules::StaticModules(const Program& program) : program_(program) {
  StaticModule root;
  root.body = ModuleId(0);
  modules_.push_back(std::move(root));
  for (uint32_t i = 0; i < modules_.size(); ++i) {
    const ModuleBody& body = program.body(modules_[i].body);
    for (uint32_t call = 0; call < body.calls.size(); ++call) {
      const ModuleCallInfo& info = body.calls[call];
      if (!info.target.valid()) {
        modules_[i].children.push_back(UINT32_MAX);
        continue;
      }
      StaticModule child;
      child.body = info.target;
      child.parent = i;
      child.call = call;
      child.address = modules_[i].address;
      if (!child.address.empty()) child.address += '.';
      child.address += "module.";
      child.address += program.text(info.name);
      modules_[i].children.push_back(static_cast<uint32_t>(modules_.size()));
      modules_.push_back(std::move(child));
    }
  }
}

}  // namespace pravo::runtime
