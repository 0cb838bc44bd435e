// The provider terraform.io/builtin/terraform: resource terraform_data, data source terraform_remote_state,
// functions encode_tfvars, decode_tfvars and encode_expr.
#pragma once

#include <functional>
#include <string>

#include "runtime/provider/provider.h"

namespace pravo::builtin {

struct TerraformOptions {
  std::string directory;  // what relative paths of remote states start from; empty: the current directory
  // The object that the text of a variable file holds, with the front end's parser. Empty: decode_tfvars is refused.
  std::function<Result<Value>(std::string_view text)> decode_variables;
};

std::unique_ptr<provider::Provider> make_terraform_provider(TerraformOptions options);

// --- parts, for tests

// terraform_data: what of the proposed new state is known, and whether the object must be replaced.
provider::PlanResponse plan_data(const provider::PlanRequest& request);
provider::ApplyResponse apply_data(const provider::ApplyRequest& request);

// terraform_remote_state with the local backend.
provider::Messages validate_remote_state(const Value& config);
provider::StateResponse read_remote_state(const Value& config, const std::string& directory);

// The text of an expression that gives `value`, laid out as formatted source; wholly known, without marks.
std::string encode_expression(const Value& value);
// The attributes of an object as a variable file.
Result<std::string> encode_variables(const Value& value);

}  // namespace pravo::builtin
