#include "runtime/exec/provider_functions.h"

#include <fmt/format.h>

#include "ir/convert.h"

namespace pravo::runtime {

Result<Value> call_provider_function(provider::Registry& providers, std::string_view name,
                                     std::span<const Value> arguments) {
  // provider::LOCAL_NAME::FUNCTION; only the built-in provider has its local name for an address.
  size_t first = name.find("::");
  size_t second = first == std::string_view::npos ? first : name.find("::", first + 2);
  if (second == std::string_view::npos)
    return fail(EvalErrorKind::Call, fmt::format("there is no function `{}`", name));
  std::string_view local = name.substr(first + 2, second - first - 2);
  std::string_view function = name.substr(second + 2);
  std::string_view address;
  if (local == "terraform") address = "terraform.io/builtin/terraform";
  provider::Provider* provider = address.empty() ? nullptr : providers.unconfigured(address);
  if (provider == nullptr) return fail(EvalErrorKind::Call, fmt::format("the provider of `{}` is not available", name));
  const auto& functions = provider->schema().functions;
  auto found = functions.find(function);
  if (found == functions.end()) return fail(EvalErrorKind::Call, fmt::format("there is no function `{}`", name));
  const SchemaFunction& schema = found->second;
  std::vector<Value> converted;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const SchemaParameter* parameter = i < schema.parameters.size() ? &schema.parameters[i]
                                       : schema.variadic            ? &*schema.variadic
                                                                    : nullptr;
    int index = static_cast<int>(i);
    if (parameter == nullptr) return fail(EvalErrorKind::Call, fmt::format("too many arguments for `{}`", name), index);
    if (!arguments[i].is_wholly_known()) return Value::unknown(schema.result);
    if (arguments[i].is_null() && !parameter->nullable)
      return fail(EvalErrorKind::Null, fmt::format("the argument `{}` must not be null", parameter->name), index);
    Result<Value> value = convert(arguments[i], parameter->type);
    if (!value.ok()) return fail(EvalErrorKind::Type, value.error().text(), index);
    converted.push_back(std::move(*value));
  }
  if (converted.size() < schema.parameters.size())
    return fail(EvalErrorKind::Call, fmt::format("too few arguments for `{}`", name));
  return provider->call_function(function, converted);
}

}  // namespace pravo::runtime
