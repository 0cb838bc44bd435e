// Constants of the configuration: expressions that are evaluated while it is read, where neither variables nor
// functions are known. Everything else of the language works in them: operators, templates, `for`, splats.
#pragma once

#include <optional>
#include <string>

#include "frontend/load/config.h"
#include "ir/diagnostics.h"
#include "ir/source.h"
#include "ir/value.h"

namespace pravo::load {

// Names what `evaluate_constant` may not quote: a value of a variable file is a secret until its variable's
// declaration says otherwise.
enum class Quote : bool { No, Yes };

// The value, or nothing after saying why. In JSON a string is the text that it holds: no `${}` is seen.
std::optional<Value> evaluate_constant(const SourceManager& sources, Expr expr, Diagnostics& diags,
                                       Quote quote = Quote::Yes);

// The same converted to what an argument of a block needs; null is refused. `what` names the argument.
std::optional<std::string> constant_string(const SourceManager& sources, Expr expr, Diagnostics& diags);
std::optional<bool> constant_bool(const SourceManager& sources, Expr expr, Diagnostics& diags);

}  // namespace pravo::load
