#include "tools/pravoc/text_ui.h"

#include <fmt/format.h>

#include "ir/diagnostics/lint.h"
#include "runtime/show/show.h"
#include "tools/pravoc/arguments.h"
#include "tools/pravoc/render_text.h"

namespace pravo::cli {

namespace {

std::string elapsed_text(std::chrono::steady_clock::duration elapsed) {
  auto seconds = std::chrono::duration_cast<std::chrono::seconds>(elapsed).count();
  if (seconds < 60) return fmt::format("{}s", seconds);
  return fmt::format("{}m{}s", seconds / 60, seconds % 60);
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

// --- what is done

void TextUi::started(const Event& event) {
  std::string label = object_label(event.address, event.deposed);
  Words text = words(event.operation);
  std::string id = event.id.empty() ? "" : fmt::format(" [id={}]", printable(event.id));
  session_.out().write(fmt::format("{}: {}{}\n", session_.out().paint(Style::Bold, label), text.doing, id));
  running_.add(event);
}

void TextUi::completed(const Event& event) {
  std::string label = object_label(event.address, event.deposed);
  running_.remove(event);
  // That an object is still there is no news.
  if (event.operation == Operation::Refresh) return;
  std::string id =
      event.id.empty() || event.operation == Operation::Delete ? "" : fmt::format(" [id={}]", printable(event.id));
  session_.out().write(fmt::format("{}: {} after {}{}\n", session_.out().paint(Style::Bold, label),
                                   words(event.operation).done, elapsed_text(event.elapsed), id));
}

void TextUi::errored(const Event& event) {
  std::string label = object_label(event.address, event.deposed);
  running_.remove(event);
  session_.out().write(fmt::format("{}: {} after {}\n", session_.out().paint(Style::Bold, label),
                                   session_.out().paint(Style::Error, "Failed"), elapsed_text(event.elapsed)));
}

void TextUi::tick() {
  if (int count = interrupts_.take(); count > 0)
    session_.err().write(count == 1 ? "\nInterrupted: nothing new is started, what runs is waited for. Interrupt again "
                                      "to ask providers to stop.\n"
                                    : "\nInterrupted again: providers are asked to stop. Once more ends the program as "
                                      "it stands: the next `pravoc apply` recovers what it did from its journal.\n");
  for (const RunningOperation& running : running_.take_long_ones()) {
    std::string doing(words(running.operation).doing);
    doing[0] = static_cast<char>(doing[0] + ('a' - 'A'));
    session_.out().write(fmt::format("{}: Still {} [{} elapsed]\n", running.label, doing, elapsed_text(running.told)));
  }
}

// --- what was planned and what came of it

void TextUi::report(const Compilation& compilation, const Diagnostics& diags) {
  RenderContext context{compilation.sources, compilation.prefix, session_.err()};
  std::string out;
  for (const Diagnostic& diagnostic : diags.all())
    if (!is_lint(diagnostic.kind)) out += render_text(context, diagnostic) + "\n";
  if (!out.empty()) session_.err().write(out);
}

void TextUi::fault(std::string_view text) { session_.err().write(fmt::format("error: {}\n", text)); }

void TextUi::warning(std::string_view text) { session_.err().write(fmt::format("warning: {}\n", text)); }

void TextUi::planned(const runtime::Plan& plan) {
  session_.out().write(runtime::render_plan(plan, runtime::RenderOptions{session_.out().color()}));
}

void TextUi::partly_planned(const runtime::Plan& plan) {
  session_.out().write("There is no plan, because of errors. This much could be planned before them:\n\n");
  planned(plan);
  session_.out().write("\n");
}

void TextUi::saved(std::string_view plan_file) {
  session_.out().write(
      fmt::format("\nSaved the plan to {0}. To do exactly this: pravoc apply {0}\n", printable(plan_file)));
}

void TextUi::applied(const runtime::ApplyResult& result, bool destroy) {
  Terminal& out = session_.out();
  std::string counts =
      destroy ? fmt::format("{} destroyed", result.destroyed)
              : fmt::format("{} added, {} changed, {} destroyed", result.added, result.changed, result.destroyed);
  std::string_view verdict = !result.ok           ? "Apply stopped after errors."
                             : result.interrupted ? "Apply interrupted."
                             : destroy            ? "Destroy complete!"
                                                  : "Apply complete!";
  out.write(fmt::format("\n{} Resources: {}.\n",
                        out.paint(result.ok && !result.interrupted ? Style::Add : Style::Error, verdict), counts));
  if (!result.ok || destroy) return;
  std::string outputs = runtime::render_outputs(result.state);
  if (!outputs.empty()) out.write("\nOutputs:\n\n" + outputs);
}

}  // namespace pravo::cli
