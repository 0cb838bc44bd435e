#include "tools/pravoc/run_support.h"

#include <csignal>
#include <cstdlib>

#include <fmt/format.h>

namespace pravo::cli {

namespace {

std::atomic<int> interrupts{0};
int interrupts_shown = 0;

// The third ends the program as if nobody watched: output may be stuck in a pipe that nobody reads.
extern "C" void count_interrupt(int signal) {
  if (interrupts.fetch_add(1, std::memory_order_relaxed) < 2) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::string elapsed_text(std::chrono::steady_clock::duration elapsed) {
  auto seconds = std::chrono::duration_cast<std::chrono::seconds>(elapsed).count();
  if (seconds < 60) return fmt::format("{}s", seconds);
  return fmt::format("{}m{}s", seconds / 60, seconds % 60);
}

std::string label_of(const runtime::Observer::Event& event) {
  std::string label = event.address.to_string();
  if (!event.deposed.empty()) label += fmt::format(" (deposed object {})", event.deposed);
  return label;
}

struct Words {
  std::string_view doing;
  std::string_view done;
};

Words words(runtime::Observer::Operation operation) {
  using Operation = runtime::Observer::Operation;
  switch (operation) {
    case Operation::Refresh:
      return {"Refreshing state...", "Refresh complete"};
    case Operation::Read:
      return {"Reading...", "Read complete"};
    case Operation::Create:
      return {"Creating...", "Creation complete"};
    case Operation::Update:
      return {"Modifying...", "Modifications complete"};
    case Operation::Delete:
      return {"Destroying...", "Destruction complete"};
  }
  return {};
}

}  // namespace

InterruptWatch::InterruptWatch() {
  interrupts = 0;
  interrupts_shown = 0;
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

void ProgressLines::started(const Event& event) {
  std::string label = label_of(event);
  Words text = words(event.operation);
  std::string id = event.id.empty() ? "" : fmt::format(" [id={}]", printable(event.id));
  session_.out().write(fmt::format("{}: {}{}\n", session_.out().paint(Style::Bold, label), text.doing, id));
  running_.push_back({std::move(label), text.doing, std::chrono::steady_clock::now()});
}

void ProgressLines::completed(const Event& event) {
  std::string label = label_of(event);
  std::erase_if(running_, [&](const Running& r) { return r.label == label; });
  // That an object is still there is no news.
  if (event.operation == Operation::Refresh) return;
  std::string id =
      event.id.empty() || event.operation == Operation::Delete ? "" : fmt::format(" [id={}]", printable(event.id));
  session_.out().write(fmt::format("{}: {} after {}{}\n", session_.out().paint(Style::Bold, label),
                                   words(event.operation).done, elapsed_text(event.elapsed), id));
}

void ProgressLines::errored(const Event& event) {
  std::string label = label_of(event);
  std::erase_if(running_, [&](const Running& r) { return r.label == label; });
  session_.out().write(fmt::format("{}: {} after {}\n", session_.out().paint(Style::Bold, label),
                                   session_.out().paint(Style::Error, "Failed"), elapsed_text(event.elapsed)));
}

void ProgressLines::tick() {
  int count = interrupts.load();
  if (count > interrupts_said_) {
    interrupts_said_ = count;
    session_.err().write(count == 1 ? "\nInterrupted: nothing new is started, what runs is waited for. Interrupt again "
                                      "to ask providers to stop.\n"
                                    : "\nInterrupted again: providers are asked to stop. Once more ends the program as "
                                      "it stands: the next `pravoc apply` recovers what it did from its journal.\n");
  }
  auto now = std::chrono::steady_clock::now();
  for (Running& running : running_) {
    auto elapsed = std::chrono::duration_cast<std::chrono::seconds>(now - running.since);
    if (elapsed < running.shown + std::chrono::seconds(10)) continue;
    running.shown = elapsed;
    session_.out().write(fmt::format(
        "{}: Still {} [{} elapsed]\n", running.label,
        static_cast<char>(running.verb[0] + ('a' - 'A')) + std::string(running.verb.substr(1)), elapsed_text(elapsed)));
  }
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
