// The operations on objects that are under way, for those who show progress.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/run.h"

namespace pravo::cli {

// How an object is named: its address, and its key where it is a deposed one.
std::string object_label(const runtime::InstanceAddress& address, std::string_view deposed);

struct RunningOperation {
  std::string label;
  runtime::InstanceAddress address;
  runtime::Observer::Operation operation;
  std::chrono::steady_clock::time_point since;
  std::chrono::seconds told{0};  // how long it had run when that was last told
};

class RunningOperations {
 public:
  void add(const runtime::Observer::Event& event);
  void remove(const runtime::Observer::Event& event);
  // Those that have run for another ten seconds since they were last told of. `told` is how long by now.
  std::vector<RunningOperation> take_long_ones();

 private:
  std::vector<RunningOperation> running_;
};

}  // namespace pravo::cli
