// What plan, apply and destroy share: their options, a compiled configuration turned into what the runtime takes, and
// interrupts.
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
  bool json = false;
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

// Tells of each interrupt once.
class InterruptNews {
 public:
  // How many there are by now, if that is news; else 0.
  int take();

 private:
  int said_ = 0;
};

// The runtime's view of a compiled configuration. `context` refers to the compilation, which must outlive it.
runtime::RunContext make_context(const Compilation& compilation, const std::string& workspace,
                                 const RunOptions& options);

}  // namespace pravo::cli
