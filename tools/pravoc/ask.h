// Questions on the terminal.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "frontend/load/variables.h"
#include "tools/pravoc/session.h"

namespace pravo::cli {

// One line that the user types after `prompt` was called, without its newline; nothing at the end of input. With
// `hidden` the terminal shows nothing from before the prompt on, and what was typed earlier is dropped. Ctrl-C ends the
// program as usual, with the terminal as it was.
std::optional<std::string> read_answer(const std::function<void()>& prompt, bool hidden);

// Asks for values of variables on the terminal. Empty where nobody can answer: `allowed` is false, TF_INPUT says so,
// or standard input is no terminal.
load::VariableAsker variable_asker(Session& session, bool allowed);

}  // namespace pravo::cli
