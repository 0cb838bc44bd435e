// What plan, apply and destroy share: a compiled configuration turned into what the runtime takes, interrupts, and
// progress as lines.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/run.h"
#include "tools/pravoc/arguments.h"
#include "tools/pravoc/compile.h"
#include "tools/pravoc/session.h"
#include "tools/pravoc/state_place.h"

namespace pravo::cli {

// Options that plan, apply and destroy share.
struct RunOptions : StateOptions {
  std::vector<load::VarArgument> variables;
  std::vector<std::string> replace;
  std::vector<std::string> targets;
  std::vector<std::string> excludes;
  bool input = true;
  bool refresh = true;
  bool refresh_only = false;
  bool destroy = false;
  bool auto_approve = false;
  bool detailed_exitcode = false;
  unsigned parallelism = 10;
  std::string out;
  std::string plan_file;
};

// Counts SIGINT, SIGTERM and SIGHUP while it lives.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  const std::atomic<int>& count() const;
};

// Progress as lines, for terminals and logs alike.
class ProgressLines : public runtime::Observer {
 public:
  explicit ProgressLines(Session& session) : session_(session) {}
  void started(const Event& event) override;
  void completed(const Event& event) override;
  void errored(const Event& event) override;
  void tick() override;

 private:
  struct Running {
    std::string label;
    std::string_view verb;
    std::chrono::steady_clock::time_point since;
    std::chrono::seconds shown{0};
  };
  Session& session_;
  std::vector<Running> running_;
  int interrupts_said_ = 0;
};

// The runtime's view of a compiled configuration. `context` refers to the compilation, which must outlive it.
runtime::RunContext make_context(const Compilation& compilation, const std::string& workspace,
                                 const RunOptions& options);

}  // namespace pravo::cli
