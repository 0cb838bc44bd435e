#include "tools/pravoc/running.h"

#include <fmt/format.h>

namespace pravo::cli {

std::string object_label(const runtime::InstanceAddress& address, std::string_view deposed) {
  std::string label = address.to_string();
  if (!deposed.empty()) label += fmt::format(" (deposed object {})", deposed);
  return label;
}

void RunningOperations::add(const runtime::Observer::Event& event) {
  running_.push_back(
      {object_label(event.address, event.deposed), event.address, event.operation, std::chrono::steady_clock::now()});
}

void RunningOperations::remove(const runtime::Observer::Event& event) {
  const std::string label = object_label(event.address, event.deposed);
  std::erase_if(running_, [&](const RunningOperation& running) { return running.label == label; });
}

std::vector<RunningOperation> RunningOperations::take_long_ones() {
  constexpr std::chrono::seconds kBetween{10};
  std::vector<RunningOperation> out;
  const auto now = std::chrono::steady_clock::now();
  for (RunningOperation& running : running_) {
    auto elapsed = std::chrono::duration_cast<std::chrono::seconds>(now - running.since);
    if (elapsed < running.told + kBetween) continue;
    running.told = elapsed;
    out.push_back(running);
  }
  return out;
}

}  // namespace pravo::cli
