// Where the values of root input variables come from, in Terraform's order: environment TF_VAR_NAME,
// terraform.tfvars, terraform.tfvars.json, *.auto.tfvars and *.auto.tfvars.json in lexical order, then -var and
// -var-file in the order of the command line. Later wins.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/load/config.h"
#include "ir/diagnostics.h"
#include "ir/value.h"

namespace pravo::load {

enum class VariableOrigin : uint8_t { Environment, TerraformTfvars, AutoTfvars, VarFile, VarOption, Answer };

struct InputValue {
  Value value;  // converted to the variable's type constraint with defaults applied; carries its marks
  Value given;  // before that, as the source has it; carries the same marks
  VariableOrigin origin;
  SourceRange range;  // invalid for environment and -var
};

// One -var or -var-file of the command line, in order.
struct VarArgument {
  bool is_file = false;
  std::string text;  // `name=value`, or a path
};

// Asks a user for the value of a variable that has none and no default: text as -var takes it, or nothing where
// there is no answer. Called in the order of names.
using VariableAsker = std::function<std::optional<std::string>(const Variable& variable, std::string_view name)>;

// Reads all sources for the root module's variables. Values of undeclared variables are reported as Terraform
// does (an error for -var, a warning for files, nothing for the environment). A value of the wrong type is an
// error at its place; no message quotes a value. Variables without a value are absent from the result.
std::map<NameId, InputValue> load_variable_values(const Configuration& configuration, const LoadOptions& options,
                                                  const std::vector<VarArgument>& arguments, SourceManager& sources,
                                                  Names& names, Diagnostics& diags, const VariableAsker& ask = {});

}  // namespace pravo::load
