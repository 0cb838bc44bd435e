#include "tools/pravoc/console/line_editor.h"

#include <poll.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// After <cstdio>, which it needs and does not include.
#include <readline/history.h>
#include <readline/readline.h>

#include "ir/check.h"

namespace pravo::cli {

namespace {

// Readline calls back into plain functions.
struct State {
  LineEditor::Completer completer;
  std::vector<std::string> candidates;
  bool done = false;
  std::optional<std::string> line;
};
State* state = nullptr;
volatile std::sig_atomic_t interrupted = 0;

extern "C" void note_interrupt(int) { interrupted = 1; }

extern "C" void take_line(char* text) {
  state->done = true;
  if (text != nullptr) state->line.emplace(text);
  std::free(text);
  rl_callback_handler_remove();
}

extern "C" char* next_candidate(const char*, int index) {
  auto i = static_cast<size_t>(index);
  static size_t at = 0;
  if (i == 0) at = 0;
  return at < state->candidates.size() ? ::strdup(state->candidates[at++].c_str()) : nullptr;
}

extern "C" char** find_candidates(const char* word, int, int) {
  // Names of files are never meant, whatever is found.
  rl_attempted_completion_over = 1;
  rl_completion_append_character = '\0';
  state->candidates = state->completer(word);
  return state->candidates.empty() ? nullptr : rl_completion_matches(word, next_candidate);
}

char application[] = "pravoc";
char word_breaks[] = " \t\n\"\\'`@$><=;|&{}()[]+*/%!?:,~";

}  // namespace

LineEditor::LineEditor(Completer completer) {
  PRAVOC_CHECK(state == nullptr);
  state = new State;
  state->completer = std::move(completer);
  rl_readline_name = application;
  rl_attempted_completion_function = find_candidates;
  rl_completer_word_break_characters = word_breaks;
  rl_catch_signals = 0;
  ::using_history();
  ::stifle_history(1000);
}

LineEditor::~LineEditor() {
  ::clear_history();
  delete state;
  state = nullptr;
}

LineEditor::Line LineEditor::read(std::string_view prompt) {
  // The signal is let in only while waiting, so that it cannot come between the look at the flag and the wait.
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = note_interrupt;
  sigemptyset(&action.sa_mask);
  sigset_t blocked;
  sigset_t outside;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGINT);
  sigprocmask(SIG_BLOCK, &blocked, &outside);
  sigaction(SIGINT, &action, &before);
  interrupted = 0;
  state->done = false;
  state->line.reset();

  Line out;
  std::string shown(prompt);
  rl_callback_handler_install(shown.c_str(), take_line);
  while (!state->done) {
    pollfd terminal{::fileno(rl_instream), POLLIN, 0};
    int ready = ::ppoll(&terminal, 1, nullptr, &outside);
    if (interrupted != 0) {
      out.kind = Line::Kind::Interrupted;
      out.text = rl_line_buffer == nullptr ? "" : rl_line_buffer;
      rl_free_line_state();
      rl_callback_handler_remove();
      std::fputs("^C\n", rl_outstream);
      std::fflush(rl_outstream);
      break;
    }
    if (ready > 0) rl_callback_read_char();
  }
  sigaction(SIGINT, &before, nullptr);
  sigprocmask(SIG_SETMASK, &outside, nullptr);
  if (out.kind == Line::Kind::Interrupted) return out;
  if (state->line)
    out.text = std::move(*state->line);
  else
    out.kind = Line::Kind::End;
  return out;
}

void LineEditor::remember(const std::string& input) {
  const HIST_ENTRY* last = ::history_length > 0 ? ::history_get(::history_base + ::history_length - 1) : nullptr;
  if (last == nullptr || input != last->line) ::add_history(input.c_str());
}

}  // namespace pravo::cli
