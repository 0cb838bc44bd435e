// The local backend: a state file, its backup, and the lock that keeps other runs away. Locks are those of
// Terraform's local backend, so that the two programs respect each other's: a POSIX lock on the file, and
// `.NAME.lock.info` beside it that says who holds it.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "ir/diagnostics.h"
#include "runtime/state/file_io.h"
#include "runtime/state/journal.h"
#include "runtime/state/state.h"
#include "runtime/state/state_text.h"

namespace pravo::runtime {

struct StatePaths {
  std::string read = "terraform.tfstate";
  std::string write;   // empty: `read`
  std::string backup;  // empty: `write` + ".backup"; "-": none
};

// What a lock says of its holder.
struct LockInfo {
  std::string id;
  std::string operation;  // "OperationTypePlan", "OperationTypeApply"
  std::string who;        // user@host
  std::string created;    // RFC 3339
};

// What reading a state does about the journal of a run that was killed.
enum class Recovery : uint8_t {
  None,      // only tells that there is one
  InMemory,  // what is read has the journal's changes; no file does
  Written,   // they are written to the state, and the journal goes; for who holds the lock and is about to change it
};

class LocalState {
 public:
  explicit LocalState(StatePaths paths);
  ~LocalState();
  LocalState(const LocalState&) = delete;
  LocalState& operator=(const LocalState&) = delete;

  // Takes the lock, trying again until `timeout` has passed. False, after a diagnostic that names the holder.
  bool lock(std::string_view operation, std::chrono::milliseconds timeout, Diagnostics& diags);
  void unlock();
  bool locked() const { return lock_.valid(); }
  // Who else holds the lock now. Nothing: nobody. An information file that a dead process left says nothing.
  std::optional<LockInfo> holder() const;

  // Reads the state; an absent file is an empty state. Nothing, after a diagnostic, when it cannot be used.
  std::optional<State> read(Diagnostics& diags, Recovery recovery = Recovery::None);

  // Writes the state when it differs from what the file says (`changed`: it certainly does): gives it a lineage if it
  // has none and the next serial, and keeps what the file held before this object's first write as the backup.
  // Refuses, when somebody else changed the file since it was read, or a killed run left a journal that nobody
  // recovered. False, after a diagnostic, when it is not on the disk. `journal` is that of this run, if it has one.
  bool write(State& state, StateSchemas& schemas, bool changed, Diagnostics& diags, Journal* journal = nullptr);

  // Starts the journal of a run that builds on the state as it was read. Null, with the error, where there can be none.
  std::unique_ptr<Journal> begin_journal(FileError& error);

  // Writes a state that comes from elsewhere with its own lineage and serial; the serial is one more where it takes the
  // place of a state with other contents, which becomes the backup. Returns as write() does.
  bool replace(State& state, StateSchemas& schemas, Diagnostics& diags);

  // Whether the last read found a file with something in it.
  bool found() const { return original_.has_value(); }
  // Whether a state has the same contents as what was read, whatever its lineage and serial.
  bool same_contents(const State& state, StateSchemas& schemas) const;
  const std::string& read_path() const { return paths_.read; }
  const std::string& write_path() const { return paths_.write; }
  // `.journal` and `.unconfirmed` beside the state that is written.
  std::string journal_path() const { return paths_.write + ".journal"; }
  std::string unconfirmed_path() const { return paths_.write + ".unconfirmed"; }
  // Whether the state goes to a pipe or a device, beside which nothing can be kept.
  bool is_special() const { return is_special_file(paths_.write); }

 private:
  bool try_lock(std::string_view operation, LockInfo& holder, FileError& error);
  bool write_backup(Diagnostics& diags);
  std::optional<State> read_file_as_it_is(Diagnostics& diags);
  bool recover(State& state, Recovery recovery, Diagnostics& diags);
  bool record_recovery(State& state, const JournalContents& journal, bool changed, Diagnostics& diags);
  void tell_unconfirmed(const State& state, Diagnostics& diags) const;
  mode_t mode_of_new_files() const;
  bool unchanged(const State& state, StateSchemas& schemas) const;
  void make_directory() const;
  std::string lock_info_path() const;

  StatePaths paths_;
  FileHandle lock_;
  bool created_ = false;                 // the lock made an empty file
  std::optional<std::string> original_;  // the file's text when it was read
  std::string lineage_;                  // of the state that was read, or is to be written
  uint64_t serial_ = 0;                  // of the state that was read
  std::string on_disk_;                  // what the last read or write left there
  bool backup_written_ = false;
};

// "alice@host" of this process.
std::string user_at_host();

// "2026-11-30T03:21:31Z"
std::string format_utc(std::chrono::system_clock::time_point time);

}  // namespace pravo::runtime
