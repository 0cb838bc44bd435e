// Module calls: cycles, arguments, and what stands in the wrong kind of module.
#include <memory>

#include "frontend/load/checks.h"
#include "ir/diagnostics/load.h"

#include <llvm/ADT/DenseSet.h>

namespace pravo::load {

namespace {

// Depth first over modules, with a stack of its own: local modules may nest as deep as the disk has room.
class CycleSearch {
 public:
  CycleSearch(Configuration& configuration, Diagnostics& diags)
      : configuration_(configuration), diags_(diags), state_(configuration.modules.size()) {}

  void search() {
    for (uint32_t i = 0; i < state_.size(); ++i)
      if (state_[i] == State::Unseen) visit(i);
  }

 private:
  enum class State : uint8_t { Unseen, Open, Done };
  struct Frame {
    uint32_t module;
    size_t next_call = 0;
  };

  void visit(uint32_t start) {
    state_[start] = State::Open;
    stack_.push_back({start});
    while (!stack_.empty()) {
      Frame& frame = stack_.back();
      auto& calls = configuration_.modules[frame.module].calls;
      if (frame.next_call == calls.size()) {
        state_[frame.module] = State::Done;
        stack_.pop_back();
        continue;
      }
      ModuleCall& call = calls[frame.next_call++];
      if (call.status != ModuleStatus::Loaded) continue;
      switch (state_[call.target]) {
        case State::Done:
          break;
        case State::Open:
          report(call);
          break;
        case State::Unseen:
          state_[call.target] = State::Open;
          stack_.push_back({call.target});
          break;
      }
    }
  }

  void report(ModuleCall& call) {
    size_t first = stack_.size() - 1;
    while (stack_[first].module != call.target) --first;
    auto built = diags_.emit(call.source_range, diag::ModuleCycle, configuration_.modules[call.target].directory);
    for (size_t i = first; i < stack_.size(); ++i) {
      const Module& module = configuration_.modules[stack_[i].module];
      const ModuleCall& step = module.calls[stack_[i].next_call - 1];
      built.note(step.header,
                 fmt::format("`{}` calls `{}` here", module.directory, configuration_.modules[step.target].directory));
    }
    call.status = ModuleStatus::Broken;
  }

  Configuration& configuration_;
  Diagnostics& diags_;
  std::vector<State> state_;
  std::vector<Frame> stack_;
};

class ArgumentCheck {
 public:
  ArgumentCheck(const Configuration& configuration, const Names& names, Diagnostics& diags)
      : configuration_(configuration), names_(names), diags_(diags), variables_(configuration.modules.size()) {}

  void check() {
    for (const Module& module : configuration_.modules)
      for (const ModuleCall& call : module.calls)
        if (call.status == ModuleStatus::Loaded) check_call(call);
  }

 private:
  using Index = llvm::DenseSet<uint32_t>;

  const Index& variables_of(uint32_t module) {
    auto& index = variables_[module];
    if (!index) {
      index = std::make_unique<Index>();
      for (const Variable& variable : configuration_.modules[module].variables) index->insert(variable.name.id.index);
    }
    return *index;
  }

  void check_call(const ModuleCall& call) {
    const Module& target = configuration_.modules[call.target];
    const Index& declared = variables_of(call.target);
    Index given;
    for (const Attribute& argument : call.arguments.attributes) {
      given.insert(argument.name.id.index);
      if (!declared.contains(argument.name.id.index)) report_unknown(argument.name, target, call);
    }
    for (const Block& block : call.arguments.blocks) {
      auto built = diags_.emit(block.type.range, diag::UnknownBlock, names_.text(block.type.id), "a `module` block");
      if (declared.contains(block.type.id.index))
        built.help(fmt::format("`{0}` is an argument: write `{0} = ...`", names_.text(block.type.id)));
    }
    for (const Variable& variable : target.variables)
      if (!variable.default_value && !given.contains(variable.name.id.index))
        diags_
            .emit(call.complaint_range, diag::MissingModuleArgument, names_.text(variable.name.id),
                  names_.text(call.name.id))
            .note(variable.header, "declared here without a default");
  }

  void report_unknown(const Name& argument, const Module& target, const ModuleCall& call) {
    std::string_view name = names_.text(argument.id);
    auto built = diags_.emit(argument.range, diag::UnknownModuleArgument, names_.text(call.name.id), name);
    if (!guesses_.afford(target.variables.size())) return;
    std::vector<std::string_view> candidates;
    for (const Variable& variable : target.variables) candidates.push_back(names_.text(variable.name.id));
    auto closest = closest_name(name, candidates);
    if (closest.empty()) return;
    built.help(fmt::format("did you mean `{}`?", closest));
    if (!call.arguments.json) built.fix(argument.range, std::string(closest), fmt::format("rename to `{}`", closest));
  }

  const Configuration& configuration_;
  const Names& names_;
  Diagnostics& diags_;
  Guesses guesses_;
  std::vector<std::unique_ptr<Index>> variables_;
};

}  // namespace

void check_call_cycles(Configuration& configuration, Diagnostics& diags) { CycleSearch(configuration, diags).search(); }

void check_call_arguments(const Configuration& configuration, const Names& names, Diagnostics& diags) {
  ArgumentCheck(configuration, names, diags).check();
}

void check_places(const Configuration& configuration, const Names& names, Diagnostics& diags) {
  for (const Output& output : configuration.root().outputs)
    if (output.ephemeral) diags.emit(output.header, diag::EphemeralRootOutput, names.text(output.name.id));
  for (size_t i = 1; i < configuration.modules.size(); ++i) {
    const Module& module = configuration.modules[i];
    for (const Import& import : module.imports) diags.emit(import.header, diag::ImportOutsideRoot);
    if (module.backend) diags.emit(module.backend->header, diag::BackendIgnored);
  }
}

}  // namespace pravo::load
