// Calls of the functions that providers offer.
#pragma once

#include <span>
#include <string_view>

#include "ir/value.h"
#include "runtime/provider/provider.h"

namespace pravo::runtime {

// `name` is provider::LOCAL_NAME::FUNCTION. Arguments are converted, and checked for nulls and unknowns, as the
// function's signature says.
Result<Value> call_provider_function(provider::Registry& providers, std::string_view name,
                                     std::span<const Value> arguments);

}  // namespace pravo::runtime
