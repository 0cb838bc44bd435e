#include "tools/pravoc/ask.h"

#include <csignal>
#include <cstdlib>
#include <iostream>

#include <fmt/format.h>
#include <termios.h>
#include <unistd.h>

#include "tools/pravoc/input_lines.h"

namespace pravo::cli {

namespace {

termios g_before_hiding;  // for the handler of signals

extern "C" void show_again_and_end(int signal) {
  ::tcsetattr(STDIN_FILENO, TCSANOW, &g_before_hiding);
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

// The terminal does not echo while this lives.
class HiddenInput {
 public:
  HiddenInput() {
    if (::tcgetattr(STDIN_FILENO, &g_before_hiding) != 0) return;
    active_ = true;
    for (int i = 0; i < 2; ++i) old_[i] = std::signal(kSignals[i], show_again_and_end);
    termios quiet = g_before_hiding;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet);
  }
  ~HiddenInput() {
    if (!active_) return;
    // What was typed or pasted after the answer belongs to the next question.
    ::tcsetattr(STDIN_FILENO, TCSANOW, &g_before_hiding);
    for (int i = 0; i < 2; ++i) std::signal(kSignals[i], old_[i]);
  }
  HiddenInput(const HiddenInput&) = delete;
  HiddenInput& operator=(const HiddenInput&) = delete;

 private:
  static constexpr int kSignals[2] = {SIGINT, SIGTERM};
  void (*old_[2])(int) = {nullptr, nullptr};
  bool active_ = false;
};

}  // namespace

std::optional<std::string> read_answer(const std::function<void()>& prompt, bool hidden) {
  std::optional<HiddenInput> hide;
  if (hidden) hide.emplace();
  prompt();
  std::string line;
  if (read_line(std::cin, line) != InputEnd::None) return std::nullopt;
  return line;
}

load::VariableAsker variable_asker(Session& session, bool allowed) {
  // Terraform's TF_INPUT: `0` or `false` forbids questions.
  if (const char* input = std::getenv("TF_INPUT"))
    if (std::string_view(input) == "0" || std::string_view(input) == "false") allowed = false;
  if (!allowed || ::isatty(STDIN_FILENO) == 0) return {};
  return [&session](const load::Variable& variable, std::string_view name) -> std::optional<std::string> {
    const bool hidden = variable.sensitive || variable.ephemeral;
    std::string question = session.out().paint(Style::Bold, fmt::format("var.{}", name)) + "\n";
    if (variable.description) question += fmt::format("  {}\n", printable(*variable.description));
    std::optional<std::string> answer = read_answer(
        [&] { session.out().write(fmt::format("{}\n  A value{}: ", question, hidden ? " (it is not shown)" : "")); },
        hidden);
    session.out().write(hidden || !answer ? "\n\n" : "\n");
    return answer;
  };
}

}  // namespace pravo::cli
