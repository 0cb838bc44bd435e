#include "frontend/lower/lower.h"

#include "frontend/lower/body.h"
#include "frontend/lower/cycles.h"

namespace pravo::lower {

namespace {

// Called modules before their callers, so that a call knows the types of its outputs.
std::vector<uint32_t> bottom_up(const load::Configuration& configuration) {
  const auto count = static_cast<uint32_t>(configuration.modules.size());
  std::vector<uint32_t> order;
  order.reserve(count);
  std::vector<uint8_t> seen(count, 0);
  struct Frame {
    uint32_t module;
    uint32_t next_call;
  };
  std::vector<Frame> stack;
  for (uint32_t root = 0; root < count; ++root) {
    if (seen[root] != 0) continue;
    seen[root] = 1;
    stack.push_back({root, 0});
    while (!stack.empty()) {
      Frame& frame = stack.back();
      const load::Module& module = configuration.modules[frame.module];
      if (frame.next_call == module.calls.size()) {
        order.push_back(frame.module);
        stack.pop_back();
        continue;
      }
      const load::ModuleCall& call = module.calls[frame.next_call++];
      if (call.status != load::ModuleStatus::Loaded || seen[call.target] != 0) continue;
      seen[call.target] = 1;
      stack.push_back({call.target, 0});
    }
  }
  return order;
}

// The nodes of each file, in words.
std::vector<size_t> syntax_sizes(const load::Configuration& configuration, const SourceManager& sources) {
  std::vector<size_t> sizes(sources.size());
  for (const hcl::SyntaxTree& tree : configuration.trees)
    if (tree.file.valid()) sizes[tree.file.index] = tree.words.size();
  return sizes;
}

// Growing by doubling copies the longest lists of a body, and leaves holes as large as they are.
void reserve(ModuleBody& body, size_t words) {
  constexpr size_t kWordsPerInst = 9;  // 8 to 15
  body.ranges.reserve(words / kWordsPerInst);
  body.operand_pool.reserve(words / kWordsPerInst);
}

}  // namespace

std::unique_ptr<BodyLowering> lower_modules(Shared& shared) {
  const load::Configuration& configuration = shared.configuration;
  for (const load::Module& module : configuration.modules) {
    auto body = std::make_unique<ModuleBody>();
    body->root = shared.program.bodies.empty();
    body->label = body->root ? "root" : module.directory;
    body->directory = module.directory;
    shared.program.bodies.push_back(std::move(body));
  }
  shared.bodies.resize(configuration.modules.size());
  const std::vector<size_t> sizes = syntax_sizes(configuration, shared.sources);
  std::unique_ptr<BodyLowering> root;
  for (uint32_t module : bottom_up(configuration)) {
    size_t words = 0;
    for (FileId file : configuration.modules[module].files) words += sizes[file.index];
    reserve(shared.program.body(ModuleId(module)), words);
    auto lowering = std::make_unique<BodyLowering>(shared, module);
    lowering->run();
    report_cycles(shared, module);
    if (module == 0) root = std::move(lowering);
  }
  return root;
}

Program lower(const load::Configuration& configuration, const SourceManager& sources, Names& names, Diagnostics& diags,
              const LowerOptions& options) {
  Shared shared(configuration, sources, names, diags, options);
  lower_modules(shared);
  return std::move(shared.program);
}

}  // namespace pravo::lower
