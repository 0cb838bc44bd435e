// What a name that a user began to type at the prompt may become.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/program.h"

namespace pravo::cli {

// Every whole name that starts with `word`, sorted: functions (with their opening parenthesis), variables, local
// values, resources and their attributes, modules and their outputs. One step at a time: `va` becomes `var.`, `var.n`
// becomes `var.name`.
std::vector<std::string> complete(const Program& program, std::string_view word);

}  // namespace pravo::cli
