#include "runtime/state/local_state.h"

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ir/diagnostics/runtime.h"
#include "runtime/state/digest.h"
#include "runtime/state/json_fields.h"

namespace pravo::runtime {

namespace {

// A lock of the open file, not of the process: closing another descriptor of the same file does not drop it, and
// it excludes the locks that Terraform takes all the same.
bool lock_descriptor(int fd) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return ::fcntl(fd, F_OFD_SETLK, &lock) == 0;
}

std::string format_lock(const LockInfo& info, std::string_view path) {
  return format_text_fields({{"ID", info.id},
                             {"Operation", info.operation},
                             {"Info", ""},
                             {"Who", info.who},
                             {"Version", kTerraformVersion},
                             {"Created", info.created},
                             {"Path", path}});
}

LockInfo parse_lock(std::string_view text) {
  LockInfo info;
  JsonReader reader(text);
  read_text_fields(reader,
                   {{"ID", info.id}, {"Operation", info.operation}, {"Who", info.who}, {"Created", info.created}});
  return info;
}

}  // namespace

std::string user_at_host() {
  char host[256] = "localhost";
  ::gethostname(host, sizeof host - 1);
  const passwd* user = ::getpwuid(::geteuid());
  return fmt::format("{}@{}", user == nullptr ? std::to_string(::geteuid()) : user->pw_name, host);
}

std::string format_utc(std::chrono::system_clock::time_point time) {
  std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

LocalState::LocalState(StatePaths paths) : paths_(std::move(paths)) {
  if (paths_.write.empty()) paths_.write = paths_.read;
  if (paths_.backup.empty()) paths_.backup = paths_.write + ".backup";
}

LocalState::~LocalState() { unlock(); }

std::string LocalState::lock_info_path() const {
  return fmt::format("{}/.{}.lock.info", directory_of(paths_.write), base_name_of(paths_.write));
}

// A workspace that is used for the first time has no directory yet. Where none can be made, what needs it says so.
void LocalState::make_directory() const {
  std::error_code ignored;
  std::filesystem::create_directories(directory_of(paths_.write), ignored);
}

bool LocalState::try_lock(std::string_view operation, LockInfo& holder, FileError& error) {
  error = {};
  holder = {};
  make_directory();
  FileHandle fd(::open(paths_.write.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  bool created = fd.valid();
  if (!created && errno == EEXIST) fd = FileHandle(::open(paths_.write.c_str(), O_RDWR | O_CLOEXEC));
  if (!fd.valid()) {
    error = {errno, fmt::format("cannot open `{}`: {}", paths_.write, error_text(errno))};
    return false;
  }
  if (!lock_descriptor(fd.get())) {
    FileError ignored;
    if (std::optional<std::string> text = read_file(lock_info_path(), ignored)) holder = parse_lock(*text);
    return false;
  }
  // Who held the lock before may have put another file in its place meanwhile: then this lock guards nothing.
  struct stat mine {};
  struct stat there {};
  if (::fstat(fd.get(), &mine) != 0 || ::stat(paths_.write.c_str(), &there) != 0 || mine.st_ino != there.st_ino ||
      mine.st_dev != there.st_dev)
    return false;
  // Who ends in order takes this file away before the lock.
  FileError ignored;
  if (std::optional<std::string> text = read_file(lock_info_path(), ignored)) holder = parse_lock(*text);
  LockInfo info{new_uuid(), std::string(operation), user_at_host(), format_utc(std::chrono::system_clock::now())};
  WriteOptions options;
  if (!write_file_atomic(lock_info_path(), format_lock(info, paths_.write), options, error)) return false;
  lock_ = std::move(fd);
  created_ = created;
  return true;
}

bool LocalState::lock(std::string_view operation, std::chrono::milliseconds timeout, Diagnostics& diags) {
  PRAVOC_CHECK(!locked());
  auto deadline = std::chrono::steady_clock::now() + timeout;
  while (true) {
    LockInfo holder;
    FileError error;
    if (try_lock(operation, holder, error)) {
      if (!holder.id.empty())
        diags.emit({}, diag::LockLeftBehind, paths_.write, holder.who, holder.created, holder.operation);
      return true;
    }
    if (error.code != 0) {
      diags.emit({}, diag::StateLockFailed, error.what);
      return false;
    }
    auto now = std::chrono::steady_clock::now();
    if (now >= deadline) {
      auto report = diags.emit({}, diag::StateLocked, paths_.write);
      if (!holder.id.empty())
        report.note({}, fmt::format("held by {} since {} for {}, id {}", holder.who, holder.created, holder.operation,
                                    holder.id));
      return false;
    }
    std::this_thread::sleep_for(
        std::min<std::chrono::steady_clock::duration>(std::chrono::milliseconds(200), deadline - now));
  }
}

std::optional<LockInfo> LocalState::holder() const {
  FileHandle fd(::open(paths_.write.c_str(), O_RDWR | O_CLOEXEC));
  if (!fd.valid()) return std::nullopt;
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  if (::fcntl(fd.get(), F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) return std::nullopt;
  FileError ignored;
  std::optional<std::string> text = read_file(lock_info_path(), ignored);
  return text ? parse_lock(*text) : LockInfo();
}

void LocalState::unlock() {
  if (!locked()) return;
  ::unlink(lock_info_path().c_str());
  // An empty file that only the lock needed goes with it.
  struct stat info {};
  if (created_ && ::fstat(lock_.get(), &info) == 0 && info.st_size == 0) ::unlink(paths_.write.c_str());
  lock_.reset();
}

std::optional<State> LocalState::read_file_as_it_is(Diagnostics& diags) {
  FileError error;
  std::optional<std::string> text = read_file(paths_.read, error);
  if (error.code != 0) {
    diags.emit({}, diag::StateUnreadable, error.what);
    return std::nullopt;
  }
  std::optional<State> state = parse_state(text ? *text : std::string(), paths_.read, diags);
  if (!state) return std::nullopt;
  original_ = std::move(text);
  if (original_ && original_->empty()) original_.reset();
  on_disk_ = paths_.read == paths_.write && original_ ? *original_ : std::string();
  backup_written_ = false;
  lineage_ = state->lineage;
  serial_ = state->serial;
  return state;
}

std::optional<State> LocalState::read(Diagnostics& diags, Recovery recovery) {
  std::optional<State> state = read_file_as_it_is(diags);
  if (state && !recover(*state, recovery, diags)) return std::nullopt;
  return state;
}

mode_t LocalState::mode_of_new_files() const {
  struct stat info {};
  return original_ && ::stat(paths_.write.c_str(), &info) == 0 && S_ISREG(info.st_mode) ? info.st_mode & 0777 : 0600;
}

std::unique_ptr<Journal> LocalState::begin_journal(FileError& error) {
  make_directory();
  if (lineage_.empty()) lineage_ = new_uuid();
  JournalHeader header;
  header.lineage = lineage_;
  header.serial = serial_;
  if (original_) header.digest = sha256_hex(*original_);
  header.who = user_at_host();
  header.begun = format_utc(std::chrono::system_clock::now());
  return Journal::create(journal_path(), header, mode_of_new_files(), error);
}

bool LocalState::unchanged(const State& state, StateSchemas& schemas) const {
  if (!original_) return state.empty() && state.checks.empty();
  if (format_state(state, schemas) == *original_) return true;
  // Another program may have written the same state in other words.
  Diagnostics ignored;
  std::optional<State> before = parse_state(*original_, paths_.read, ignored);
  return before && format_state(*before, schemas) == format_state(state, schemas);
}

bool LocalState::write_backup(Diagnostics& diags) {
  if (backup_written_ || !original_ || paths_.backup == "-" || paths_.read != paths_.write) return true;
  WriteOptions options;
  options.new_mode = mode_of_new_files();
  FileError error;
  if (!write_file_atomic(paths_.backup, *original_, options, error)) {
    diags.emit({}, diag::StateWriteFailed, error.what);
    return false;
  }
  backup_written_ = true;
  return true;
}

bool LocalState::write(State& state, StateSchemas& schemas, bool changed, Diagnostics& diags, Journal* journal) {
  if (!changed && unchanged(state, schemas)) return true;
  if (lineage_.empty()) lineage_ = state.lineage.empty() ? new_uuid() : state.lineage;
  if (state.lineage.empty()) state.lineage = lineage_;
  FileError error;
  // A pipe or a device keeps nothing that could have been changed; reading it may never end.
  std::optional<std::string> now;
  const bool special = is_special_file(paths_.write);
  if (!special) now = read_file(paths_.write, error);
  if (error.code != 0) {
    diags.emit({}, diag::StateWriteFailed, error.what);
    return false;
  }
  if (journal == nullptr && !special && ::access(journal_path().c_str(), F_OK) == 0) {
    diags.emit({}, diag::JournalPending, journal_path());
    return false;
  }
  if (!special && paths_.read == paths_.write && (now ? *now : std::string()) != on_disk_) {
    diags.emit({}, diag::StateReplaced, paths_.write);
    return false;
  }
  if (!write_backup(diags)) return false;
  make_directory();
  ++state.serial;
  state.terraform_version = kTerraformVersion;
  std::string text = format_state(state, schemas);
  if (journal != nullptr) {
    JournalRecord record;
    record.kind = JournalRecord::Kind::Checkpoint;
    record.serial = state.serial;
    record.digest = sha256_hex(text);
    // Without this record a recovery finds out all the same that the state has everything; it only takes longer.
    FileError ignored;
    journal->append(record, ignored);
  }
  WriteOptions options;
  // The lock goes over to the file that takes the old one's place.
  if (locked()) {
    options.prepare = lock_descriptor;
    options.keep = &lock_;
  }
  bool written = write_file_atomic(paths_.write, text, options, error);
  if (!written) {
    --state.serial;
    diags.emit({}, diag::StateWriteFailed, error.what);
    return false;
  }
  on_disk_ = std::move(text);
  return true;
}

bool LocalState::same_contents(const State& state, StateSchemas& schemas) const {
  if (!original_) return false;
  Diagnostics ignored;
  std::optional<State> before = parse_state(*original_, paths_.read, ignored);
  if (!before) return false;
  State other = state.clone();
  other.lineage = before->lineage;
  other.serial = before->serial;
  other.terraform_version = before->terraform_version = kTerraformVersion;
  return format_state(*before, schemas) == format_state(other, schemas);
}

bool LocalState::replace(State& state, StateSchemas& schemas, Diagnostics& diags) {
  const bool same = same_contents(state, schemas);
  // write() counts one on.
  if (same || !found()) --state.serial;
  if (same) backup_written_ = true;  // there is nothing to keep
  return write(state, schemas, true, diags);
}

}  // namespace pravo::runtime
