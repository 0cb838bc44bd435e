// The journal of a run: what it is about to do to real objects and what came of it, written down as it happens, in a
// file beside the state (docs/state.md). Its cost is that of the changes, whatever the size of the state.
//
// A record is a line: checksum (CRC-32, 8 hex digits), length of the text, the text (a JSON object). What a killed run
// left half written at the end does not fit its checksum and is no record.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "runtime/plan/change.h"
#include "runtime/state/file_io.h"

namespace pravo::runtime {

inline constexpr uint64_t kJournalVersion = 1;

// The state that a journal builds on, and whose run it is.
struct JournalHeader {
  std::string lineage;  // where there was no state: the one that the new state gets
  uint64_t serial = 0;
  std::string digest;  // sha256_hex() of the state file's text; empty: there was none
  std::string who;     // user@host
  std::string begun;   // RFC 3339
};

struct JournalRecord {
  enum class Kind : uint8_t {
    Intent,      // the change is about to be asked for
    Result,      // it was made, or not: `resource` is what there is now
    Checkpoint,  // the state file is about to be replaced by one with this digest, which has all that stands above
  };
  Kind kind = Kind::Intent;
  // Intent, Result
  std::string address;
  std::string deposed;           // the object that it is about; empty: the current one
  Action action = Action::NoOp;  // Create, Update or Delete
  std::string time;              // Intent: RFC 3339
  std::string resource;          // Result: the resource with this instance alone, as the state file has it; or empty
  // Checkpoint
  uint64_t serial = 0;
  std::string digest;
};

// The text of a record, and of the header, as lines of the file.
std::string format_journal_header(const JournalHeader& header);
std::string format_journal_record(const JournalRecord& record);

struct JournalContents {
  JournalHeader header;
  std::vector<JournalRecord> records;
  size_t length = 0;  // bytes of what could be read; behind it is only what was cut off
};

// What is in a journal's text. Nothing, with the reason, when it is damaged. A text whose header was cut off is a
// journal in which nothing was begun: `header.lineage` is empty then.
std::optional<JournalContents> parse_journal(std::string_view text, std::string& why);

// A journal that is being written. It is locked as long as this lives, so that nobody takes it for one of a dead run.
// All but wait_durable() is for one thread.
class Journal {
 public:
  // A new file with its header on the disk. Null, with the error, where it cannot be made or there is one already.
  static std::unique_ptr<Journal> create(const std::string& path, const JournalHeader& header, mode_t mode,
                                         FileError& error);
  // Goes on with one that a dead run left, after `length` bytes. Null, with the error; EAGAIN: its run is alive.
  static std::unique_ptr<Journal> reopen(const std::string& path, size_t length, FileError& error);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // Adds a record. It survives the end of the process, and soon that of the machine. False, with the error, when it
  // is not in the file; then nothing of it is.
  bool append(const JournalRecord& record, FileError& error);
  // Where the last record ends, for wait_durable().
  uint64_t position() const { return size_; }
  // Waits until all up to there is on the disk. Those who wait at the same time share one fsync. False: it cannot be
  // put there. For any thread.
  bool wait_durable(uint64_t position);
  // Takes the file away: all of it is in the state.
  void remove();

  const std::string& path() const { return path_; }

 private:
  Journal(std::string path, FileHandle file, uint64_t size);
  void sync_loop();

  std::string path_;
  FileHandle file_;
  uint64_t size_ = 0;
  bool torn_ = false;  // half a record stands at the end

  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t written_ = 0;  // a copy of size_
  uint64_t wanted_ = 0;   // somebody waits for this
  uint64_t synced_ = 0;
  bool failed_ = false;
  bool removed_ = false;
  bool stopping_ = false;
  std::thread syncer_;
};

// The text of the journal file, after a look whether its run is alive. Nothing when there is none, its run is alive
// (`alive`), or it cannot be read (`error`).
std::optional<std::string> read_dead_journal(const std::string& path, bool& alive, FileError& error);

}  // namespace pravo::runtime
