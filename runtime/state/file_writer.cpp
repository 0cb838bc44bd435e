// The writer that keeps the state in one file, written whole.
#include <chrono>

#include "ir/diagnostics/runtime.h"
#include "runtime/run.h"

namespace pravo::runtime {

namespace {

class FileWriter : public StateWriter {
 public:
  FileWriter(LocalState& file, StateSchemas& schemas) : file_(file), schemas_(schemas) {}

  bool intent(const InstanceAddress&, std::string_view, Action, Diagnostics&) override { return true; }
  bool result(const InstanceAddress&, std::string_view, const State&, Diagnostics&) override { return true; }

  bool checkpoint(State& state, Diagnostics& diags) override {
    auto now = std::chrono::steady_clock::now();
    if (now - last_ < interval_) return true;
    state.compact();
    if (!file_.write(state, schemas_, true, diags)) return false;
    last_ = std::chrono::steady_clock::now();
    // Writing a large state takes its time: it must stay a small part of the run.
    interval_ = std::max<std::chrono::steady_clock::duration>(kShortest, 20 * (last_ - now));
    return true;
  }

  bool finish(State& state, bool changed, Diagnostics& diags) override {
    if (file_.write(state, schemas_, changed, diags)) return true;
    if (!changed) return false;
    // What was done must not be forgotten.
    FileError error;
    WriteOptions options;
    if (write_file_atomic("errored.tfstate", format_state(state, schemas_), options, error))
      diags.emit({}, diag::StateSavedElsewhere, "errored.tfstate");
    else
      diags.emit({}, diag::StateWriteFailed, error.what);
    return false;
  }

 private:
  static constexpr std::chrono::steady_clock::duration kShortest = std::chrono::seconds(1);

  LocalState& file_;
  StateSchemas& schemas_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::duration interval_ = kShortest;
};

}  // namespace

std::unique_ptr<StateWriter> make_state_writer(LocalState& file, StateSchemas& schemas) {
  return std::make_unique<FileWriter>(file, schemas);
}

}  // namespace pravo::runtime
