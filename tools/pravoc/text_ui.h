// What plan, apply and destroy tell people: the plan with its differences, progress as lines (for terminals and logs
// alike), what came of it.
#pragma once

#include <string_view>

#include "tools/pravoc/run_support.h"
#include "tools/pravoc/run_ui.h"
#include "tools/pravoc/running.h"
#include "tools/pravoc/session.h"

namespace pravo::cli {

class TextUi : public RunUi {
 public:
  explicit TextUi(Session& session) : session_(session) {}

  void started(const Event& event) override;
  void completed(const Event& event) override;
  void errored(const Event& event) override;
  void tick() override;

  void report(const Compilation& compilation, const Diagnostics& diags) override;
  void fault(std::string_view text) override;
  void warning(std::string_view text) override;
  void planned(const runtime::Plan& plan) override;
  void partly_planned(const runtime::Plan& plan) override;
  void saved(std::string_view plan_file) override;
  void applied(const runtime::ApplyResult& result, bool destroy) override;

 private:
  Session& session_;
  RunningOperations running_;
  InterruptNews interrupts_;
};

}  // namespace pravo::cli
