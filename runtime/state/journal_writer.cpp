// The writer that keeps a journal beside the state file while a run changes things, and writes the file at intervals
// and at the end.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "ir/diagnostics/runtime.h"
#include "runtime/run.h"
#include "runtime/state/digest.h"
#include "runtime/state/journal.h"

namespace pravo::runtime {

namespace {

class JournalWriter : public StateWriter {
 public:
  JournalWriter(LocalState& file, StateSchemas& schemas) : file_(file), schemas_(schemas) {}

  bool start(Diagnostics& diags) override {
    // Nothing can be kept beside a pipe or a device.
    if (file_.is_special()) return true;
    FileError error;
    journal_ = file_.begin_journal(error);
    if (journal_ == nullptr) diags.emit({}, diag::JournalWriteFailed, error.what).note({}, "nothing was changed");
    return journal_ != nullptr;
  }

  std::optional<Ticket> intent(const InstanceAddress& address, std::string_view deposed, Action action,
                               Diagnostics& diags) override {
    if (journal_ == nullptr) return 0;
    JournalRecord record = record_of(JournalRecord::Kind::Intent, address, deposed, action);
    record.time = format_utc(std::chrono::system_clock::now());
    if (!append(record, diags)) return std::nullopt;
    return journal_->position();
  }

  bool durable(Ticket ticket) override {
    if (journal_ == nullptr || journal_->wait_durable(ticket)) return true;
    lost_ = true;
    return false;
  }

  bool result(const InstanceAddress& address, std::string_view deposed, Action action, const State& state,
              Diagnostics& diags) override {
    if (journal_ == nullptr) return true;
    JournalRecord record = record_of(JournalRecord::Kind::Result, address, deposed, action);
    const StateResource* resource = state.find(address.resource);
    const StateInstance* instance = resource == nullptr ? nullptr : resource->find(address.key);
    if (instance != nullptr && !instance->empty()) record.resource = format_instance(*resource, *instance, schemas_);
    if (!append(record, diags)) return false;
    if (lost_ && !std::exchange(failed_, true))
      diags.emit({}, diag::JournalWriteFailed, fmt::format("`{}` does not reach the disk", journal_->path()));
    return !failed_;
  }

  bool checkpoint(State& state) override {
    auto now = std::chrono::steady_clock::now();
    if (now - last_ < interval_) return true;
    state.compact();
    // The end will tell whether it matters: until then the journal has everything.
    if (!file_.write(state, schemas_, true, checkpoint_failures_, journal_.get())) return false;
    last_ = std::chrono::steady_clock::now();
    // Writing a large state takes its time: it must stay a small part of the run.
    interval_ = std::max<std::chrono::steady_clock::duration>(kShortest, 20 * (last_ - now));
    return true;
  }

  bool finish(State& state, bool changed, Diagnostics& diags) override {
    if (file_.write(state, schemas_, changed, diags, journal_.get())) {
      if (journal_ != nullptr) journal_->remove();
      const bool whole = !checkpoint_failures_.has_errors();
      diags.append(std::move(checkpoint_failures_));
      return whole;
    }
    if (changed) save_elsewhere(state, diags);
    return false;
  }

 private:
  static constexpr std::chrono::steady_clock::duration kShortest = std::chrono::seconds(1);

  static JournalRecord record_of(JournalRecord::Kind kind, const InstanceAddress& address, std::string_view deposed,
                                 Action action) {
    JournalRecord record;
    record.kind = kind;
    record.address = address.to_string();
    record.deposed = deposed;
    record.action = action;
    return record;
  }

  bool append(const JournalRecord& record, Diagnostics& diags) {
    FileError error;
    if (journal_->append(record, error)) return true;
    // Once is enough: on a full disk every result that is still to come has the same fate.
    if (!std::exchange(failed_, true)) diags.emit({}, diag::JournalWriteFailed, error.what);
    return false;
  }

  // What was done must not be forgotten. Nothing is written over: an older file of this name may hold what nobody has
  // put in its place yet.
  void save_elsewhere(State& state, Diagnostics& diags) {
    ++state.serial;
    std::string text = format_state(state, schemas_);
    --state.serial;
    const char* temporary = std::getenv("TMPDIR");
    std::string first_error;
    for (const std::string& directory :
         {std::string(), std::string(temporary != nullptr && *temporary != '\0' ? temporary : "/tmp") + "/"}) {
      std::string path = directory + "errored.tfstate";
      for (unsigned i = 2; ::access(path.c_str(), F_OK) == 0; ++i)
        path = fmt::format("{}errored-{}.tfstate", directory, i);
      FileError error;
      if (write_file_atomic(path, text, WriteOptions(), error)) {
        // Whoever puts it in the place of the state has everything that the journal has.
        if (journal_ != nullptr) {
          JournalRecord record;
          record.kind = JournalRecord::Kind::Checkpoint;
          record.serial = state.serial + 1;
          record.digest = sha256_hex(text);
          FileError ignored;
          journal_->append(record, ignored);
        }
        diags.emit({}, diag::StateSavedElsewhere, path);
        return;
      }
      if (first_error.empty()) first_error = error.what;
    }
    auto report = diags.emit({}, diag::StateWriteFailed, first_error);
    if (journal_ != nullptr)
      report.note({}, fmt::format("what was done is in `{}`; the next `pravoc apply` reads it", journal_->path()));
  }

  LocalState& file_;
  StateSchemas& schemas_;
  std::unique_ptr<Journal> journal_;
  bool failed_ = false;
  std::atomic<bool> lost_ = false;  // an intent did not reach the disk
  Diagnostics checkpoint_failures_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::duration interval_ = kShortest;
};

}  // namespace

std::unique_ptr<StateWriter> make_state_writer(LocalState& file, StateSchemas& schemas) {
  return std::make_unique<JournalWriter>(file, schemas);
}

}  // namespace pravo::runtime
