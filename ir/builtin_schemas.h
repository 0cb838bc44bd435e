// Schemas that need no provider process: the provider that is part of the program, and the provisioners.
#pragma once

#include <string_view>
#include <vector>

#include "ir/schema.h"

namespace pravo {

// The address of the provider that is part of the program.
inline constexpr std::string_view kBuiltinProvider = "terraform.io/builtin/terraform";

// The schema of a built-in provider by address, or null.
const ProviderSchema* find_builtin_provider(std::string_view address);

// The arguments of a provisioner ("local-exec", "remote-exec", "file"), or null where there is none of that name.
const SchemaBlock* find_provisioner_schema(std::string_view type);
std::vector<std::string_view> provisioner_names();

// The arguments of a `connection` block.
const SchemaBlock& connection_schema();

}  // namespace pravo
