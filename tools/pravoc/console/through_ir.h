// Evaluates expressions the long way round: all are lowered into one program, its certain failures are looked for, it
// is printed, the text is parsed, and the program that comes of that is interpreted, where each mark that a value
// carries must be among those that the static analysis predicts. What comes out must be what evaluating each at once
// gives; the tests of expressions run both ways.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/pravoc/console/expressions.h"

namespace pravo::cli {

struct ThroughIr {
  std::vector<std::optional<Answer>> answers;  // by line
  std::vector<Diagnostics> diags;              // by line
  // Ours: a text that does not print, parse and verify as it should, a mark that was not predicted.
  std::vector<std::string> faults;
};

ThroughIr evaluate_through_ir(ExpressionSession& session, const std::vector<std::string>& lines);

}  // namespace pravo::cli
