// Schemas for tests, from files in the shape of `terraform providers schema -json`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/schema.h"

namespace pravo::testing {

// Reads the files; what cannot be read or understood is said in `fault`.
std::unique_ptr<SchemaSource> read_schemas(const std::string& directory, const std::vector<std::string>& files,
                                           std::string& fault);

}  // namespace pravo::testing
