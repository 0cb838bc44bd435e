#include "passes/module_index.h"

#include <algorithm>

#include <fmt/format.h>

namespace pravo::passes {

namespace {

// Each body after those it calls, without recursion. Bodies never call themselves (verifier, 8); should one, it counts
// as not called.
std::vector<ModuleId> order_bottom_up(const Program& program) {
  enum class State : uint8_t { New, Open, Done };
  std::vector<State> states(program.bodies.size(), State::New);
  std::vector<ModuleId> order;
  std::vector<std::pair<ModuleId, size_t>> stack;
  for (uint32_t root = 0; root < program.bodies.size(); ++root) {
    if (states[root] != State::New) continue;
    states[root] = State::Open;
    stack.emplace_back(ModuleId(root), 0);
    while (!stack.empty()) {
      auto& [module, next] = stack.back();
      const std::vector<ModuleCallInfo>& calls = program.body(module).calls;
      if (next == calls.size()) {
        states[module.index] = State::Done;
        order.push_back(module);
        stack.pop_back();
        continue;
      }
      ModuleId target = calls[next++].target;
      if (!target.valid() || states[target.index] != State::New) continue;
      states[target.index] = State::Open;
      stack.emplace_back(target, 0);
    }
  }
  return order;
}

}  // namespace

ModuleIndex index_modules(const Program& program) {
  ModuleIndex index;
  index.bodies.resize(program.bodies.size());
  for (uint32_t m = 0; m < program.bodies.size(); ++m) {
    const ModuleBody& body = *program.bodies[m];
    BodyIndex& entry = index.bodies[m];
    for (uint32_t i = 0; i < body.variables.size(); ++i) {
      entry.variables.emplace(body.variables[i].name, i);
      entry.variable_of.emplace(body.variables[i].inst, i);
    }
    for (uint32_t i = 0; i < body.outputs.size(); ++i) entry.outputs.emplace(body.outputs[i].name, i);
    for (uint32_t c = 0; c < body.calls.size(); ++c) {
      ModuleId target = body.calls[c].target;
      if (target.valid()) index.bodies[target.index].callers.emplace_back(ModuleId(m), CallId(c));
    }
  }
  index.bottom_up = order_bottom_up(program);
  return index;
}

InstId find_argument(const ModuleCallInfo& call, NameId variable) {
  auto it = std::lower_bound(call.args.begin(), call.args.end(), variable,
                             [](const auto& arg, NameId name) { return arg.first < name; });
  return it != call.args.end() && it->first == variable ? it->second : InstId();
}

std::string call_text(const Program& program, const ModuleCallInfo& call) {
  return fmt::format("module `{}`", program.text(call.name));
}

std::string resource_address(const Program& program, const ResourceInfo& info) {
  std::string address = fmt::format("{}.{}", program.text(info.type), program.text(info.name));
  switch (info.mode) {
    case ResourceMode::Managed:
      return address;
    case ResourceMode::Data:
      return "data." + address;
    case ResourceMode::Ephemeral:
      return "ephemeral." + address;
  }
  PRAVOC_UNREACHABLE();
}

}  // namespace pravo::passes
