// What plan, apply and destroy tell as they go, to people or to programs.
#pragma once

#include <string_view>

#include "runtime/run.h"
#include "tools/pravoc/compile.h"

namespace pravo::cli {

class RunUi : public runtime::Observer {
 public:
  // Faults and warnings; what is only about the text of the configuration is for `check` to say.
  virtual void report(const Compilation& compilation, const Diagnostics& diags) = 0;
  // What is wrong with the call of the command: one sentence without its period.
  virtual void fault(std::string_view text) = 0;
  virtual void warning(std::string_view text) = 0;
  virtual void planned(const runtime::Plan& plan) = 0;
  // As far as it got before errors, which are reported next.
  virtual void partly_planned(const runtime::Plan& plan) = 0;
  virtual void saved(std::string_view plan_file) = 0;
  // A saved plan is about to be applied, or what exists read into the state.
  virtual void applying(const runtime::Plan&) {}
  virtual void refreshing() {}
  virtual void applied(const runtime::ApplyResult& result, bool destroy) = 0;
};

}  // namespace pravo::cli
