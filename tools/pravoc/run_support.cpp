#include "tools/pravoc/run_support.h"

#include <csignal>
#include <cstdlib>

#include <fmt/format.h>

namespace pravo::cli {

namespace {

std::atomic<int> interrupts{0};

// The third ends the program as if nobody watched: output may be stuck in a pipe that nobody reads.
extern "C" void count_interrupt(int signal) {
  if (interrupts.fetch_add(1, std::memory_order_relaxed) < 2) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

InterruptWatch::InterruptWatch() {
  interrupts = 0;
  struct sigaction action {};
  action.sa_handler = count_interrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // The terminal may go away, unless somebody has arranged for that (nohup).
  struct sigaction hangup {};
  if (sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  // Who reads the progress may go away; what is under way must be recorded all the same.
  std::signal(SIGPIPE, SIG_IGN);
  // A file that may not grow any more is an error of its write.
  std::signal(SIGXFSZ, SIG_IGN);
}

InterruptWatch::~InterruptWatch() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGXFSZ, SIG_DFL);
  struct sigaction hangup {};
  if (sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler == count_interrupt) std::signal(SIGHUP, SIG_DFL);
}

const std::atomic<int>& InterruptWatch::count() const { return interrupts; }

int InterruptNews::take() {
  const int count = interrupts.load();
  if (count <= said_) return 0;
  said_ = count;
  return count;
}

namespace {

// Root outputs that are not declared sensitive, but whose values are as far as modules declare it. `check` warns of
// them (declared-sensitive-shown) and refuses all others.
std::vector<NameId> hidden_outputs(const Compilation& compilation) {
  std::vector<NameId> out;
  const passes::MarkFacts& facts = compilation.facts->marks;
  const ModuleBody& root = compilation.program->body(ModuleId(0));
  for (const OutputInfo& info : root.outputs) {
    if (any(root.inst(info.inst).marks & MarkSet::Sensitive)) continue;
    MarkTreeId tree = facts.at(ModuleId(0), root.operand(info.inst, 0));
    if (facts.trees.has(tree, MarkSet::Sensitive)) out.push_back(info.name);
  }
  return out;
}

}  // namespace

runtime::RunContext make_context(const Compilation& compilation, const std::string& workspace,
                                 const RunOptions& options) {
  runtime::RunContext context(*compilation.program);
  for (const auto& [name, input] : compilation.inputs) {
    bool insisted = input.origin == load::VariableOrigin::VarOption || input.origin == load::VariableOrigin::VarFile;
    context.variables.push_back({name, input.value, input.given, insisted});
  }
  if (compilation.facts) context.hidden_outputs = hidden_outputs(compilation);
  context.workspace = workspace;
  std::vector<std::pair<std::string, std::string_view>> files;
  for (const load::Module& module : compilation.configuration.modules)
    for (FileId file : module.files)
      files.emplace_back(std::string(compilation.sources.name(file)), compilation.sources.text(file));
  context.source_digest = runtime::digest_sources(std::move(files));
  context.parallelism = options.parallelism;
  return context;
}

}  // namespace pravo::cli
