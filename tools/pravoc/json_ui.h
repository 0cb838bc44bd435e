// What plan, apply and destroy say to programs: Terraform's machine-readable UI (version 1.2), one JSON object a line.
// Each line has `@level`, `@message` (for people), `@module`, `@timestamp` and `type`; a diagnostic has pravoc's
// `code`, `notes`, `trace` and `fixes` in addition. Values of sensitive outputs are never in it.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "tools/pravoc/run_support.h"
#include "tools/pravoc/run_ui.h"
#include "tools/pravoc/running.h"
#include "tools/pravoc/session.h"

namespace pravo::cli {

class JsonUi : public RunUi {
 public:
  // Writes the first line: which programs and formats these are.
  explicit JsonUi(Session& session);

  bool wants_recorded_ids() const override { return true; }
  void started(const Event& event) override;
  void completed(const Event& event) override;
  void errored(const Event& event) override;
  void tick() override;

  void report(const Compilation& compilation, const Diagnostics& diags) override;
  void fault(std::string_view text) override;
  void warning(std::string_view text) override;
  void planned(const runtime::Plan& plan) override;
  void partly_planned(const runtime::Plan& plan) override;
  void saved(std::string_view) override {}
  void applying(const runtime::Plan& plan) override { changes(plan); }
  void refreshing() override { summaries_ = false; }
  void applied(const runtime::ApplyResult& result, bool destroy) override;

 private:
  using Json = nlohmann::ordered_json;
  void say(Severity severity, std::string_view text);
  void changes(const runtime::Plan& plan);
  void write(std::string_view level, const std::string& message, std::string_view type, Json payload);

  Session& session_;
  RunningOperations running_;
  InterruptNews interrupts_;
  bool summaries_ = true;  // a refresh says how outputs are, and nothing of what it changes
};

}  // namespace pravo::cli
