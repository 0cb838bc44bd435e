// Compiles text that only a run can see: the templates of templatefile and templatestring, and variable files for
// decode_tfvars. The front end ends at the IR, so the runtime asks for a program and runs it as it runs every other.
#pragma once

#include "runtime/run.h"

namespace pravo::cli {

class TemplateCompiler : public runtime::SourceCompiler {
 public:
  Result<std::shared_ptr<const Program>> compile_template(std::string_view text, std::string_view name,
                                                          std::span<const std::string> variables) override;
  Result<Value> parse_variables(std::string_view text) override;
};

}  // namespace pravo::cli
