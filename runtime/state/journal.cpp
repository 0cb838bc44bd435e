#include "runtime/state/journal.h"

#include <cerrno>
#include <charconv>
#include <chrono>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "ir/json_codec.h"
#include "runtime/state/json_fields.h"

namespace pravo::runtime {

namespace {

uint32_t checksum(std::string_view text) {
  return static_cast<uint32_t>(::crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
}

std::string as_line(std::string_view text) { return fmt::format("{:08x} {} {}\n", checksum(text), text.size(), text); }

class Fields {
 public:
  Fields& text(std::string_view name, std::string_view value) {
    key(name);
    append_json_string(out_, value, true);
    return *this;
  }
  Fields& number(std::string_view name, uint64_t value) {
    key(name);
    out_ += fmt::format_int(value).c_str();
    return *this;
  }
  Fields& json(std::string_view name, std::string_view value) {
    key(name);
    out_ += value;
    return *this;
  }
  std::string line() { return as_line(out_ + '}'); }

 private:
  void key(std::string_view name) {
    out_ += out_.empty() ? '{' : ',';
    append_json_string(out_, name, true);
    out_ += ':';
  }
  std::string out_;
};

bool lock_file(int fd, short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return ::fcntl(fd, F_OFD_SETLK, &lock) == 0;
}

FileError failure(std::string_view verb, const std::string& path, int code) {
  return {code, fmt::format("cannot {} `{}`: {}", verb, path, error_text(code))};
}

// The text of the line at `offset`, which moves behind it. Nothing: there is no whole line.
std::optional<std::string_view> next_line(std::string_view text, size_t& offset) {
  std::string_view rest = text.substr(offset);
  uint32_t expected = 0;
  size_t length = 0;
  if (rest.size() < 10 || rest[8] != ' ') return std::nullopt;
  auto [end, error] = std::from_chars(rest.data(), rest.data() + 8, expected, 16);
  if (error != std::errc() || end != rest.data() + 8) return std::nullopt;
  auto [stop, fault] = std::from_chars(rest.data() + 9, rest.data() + rest.size(), length);
  if (fault != std::errc() || stop == rest.data() + rest.size() || *stop != ' ') return std::nullopt;
  size_t begin = static_cast<size_t>(stop - rest.data()) + 1;
  if (rest.size() - begin < 1 || rest.size() - begin - 1 < length || rest[begin + length] != '\n') return std::nullopt;
  std::string_view line = rest.substr(begin, length);
  if (checksum(line) != expected) return std::nullopt;
  offset += begin + length + 1;
  return line;
}

// Whether a whole line stands somewhere behind `offset`.
bool has_line_after(std::string_view text, size_t offset) {
  for (size_t at = text.find('\n', offset); at != std::string_view::npos; at = text.find('\n', at)) {
    size_t begin = ++at;
    if (next_line(text, begin)) return true;
  }
  return false;
}

bool parse_header(std::string_view line, JournalHeader& header, uint64_t& version) {
  JsonReader reader(line);
  return read_members(reader, [&](std::string_view key) {
    if (key == "journal")
      version = read_count(reader);
    else if (key == "lineage")
      header.lineage = read_text(reader);
    else if (key == "serial")
      header.serial = read_count(reader);
    else if (key == "digest")
      header.digest = read_text(reader);
    else if (key == "who")
      header.who = read_text(reader);
    else if (key == "begun")
      header.begun = read_text(reader);
    else
      reader.skip_value();
  });
}

bool parse_record(std::string_view line, JournalRecord& record) {
  JsonReader reader(line);
  bool known = false;
  auto kind = [&](JournalRecord::Kind k) {
    record.kind = k;
    known = true;
  };
  bool read = read_members(reader, [&](std::string_view key) {
    if (key == "intent") {
      kind(JournalRecord::Kind::Intent);
      record.address = read_text(reader);
    } else if (key == "result") {
      kind(JournalRecord::Kind::Result);
      record.address = read_text(reader);
    } else if (key == "state") {
      kind(JournalRecord::Kind::Checkpoint);
      record.digest = read_text(reader);
    } else if (key == "serial") {
      record.serial = read_count(reader);
    } else if (key == "deposed") {
      record.deposed = read_text(reader);
    } else if (key == "action") {
      std::optional<Action> action = find_action(read_text(reader));
      if (!action) reader.fail("unknown action");
      record.action = action.value_or(Action::NoOp);
    } else if (key == "time") {
      record.time = read_text(reader);
    } else if (key == "resource") {
      record.resource = read_raw(reader, line);
    } else {
      reader.skip_value();
    }
  });
  return read && known;
}

}  // namespace

std::string format_journal_header(const JournalHeader& header) {
  return Fields()
      .number("journal", kJournalVersion)
      .text("lineage", header.lineage)
      .number("serial", header.serial)
      .text("digest", header.digest)
      .text("who", header.who)
      .text("begun", header.begun)
      .line();
}

std::string format_journal_record(const JournalRecord& record) {
  Fields fields;
  auto object = [&](std::string_view name) {
    fields.text(name, record.address).text("action", action_text(record.action));
    if (!record.deposed.empty()) fields.text("deposed", record.deposed);
  };
  switch (record.kind) {
    case JournalRecord::Kind::Intent:
      object("intent");
      return fields.text("time", record.time).line();
    case JournalRecord::Kind::Result:
      object("result");
      if (!record.resource.empty()) fields.json("resource", record.resource);
      return fields.line();
    case JournalRecord::Kind::Checkpoint:
      return fields.text("state", record.digest).number("serial", record.serial).line();
  }
  PRAVOC_UNREACHABLE();
}

std::optional<JournalContents> parse_journal(std::string_view text, std::string& why) {
  JournalContents out;
  size_t offset = 0;
  std::optional<std::string_view> line = next_line(text, offset);
  if (!line) {
    if (!has_line_after(text, 0)) return out;
    why = "its first line is damaged";
    return std::nullopt;
  }
  uint64_t version = 0;
  bool good = parse_header(*line, out.header, version);
  if (version > kJournalVersion) {
    why = fmt::format("it is of format version {}, and this program reads version {}", version, kJournalVersion);
    return std::nullopt;
  }
  if (!good || version == 0 || out.header.lineage.empty()) {
    why = "it does not start as a journal does";
    return std::nullopt;
  }
  out.length = offset;
  while ((line = next_line(text, offset))) {
    JournalRecord record;
    if (!parse_record(*line, record)) {
      why = fmt::format("the record at byte {} is not understood", out.length);
      return std::nullopt;
    }
    out.records.push_back(std::move(record));
    out.length = offset;
  }
  // What was cut off can only be the end.
  if (has_line_after(text, offset)) {
    why = fmt::format("the record at byte {} does not fit its checksum", offset);
    return std::nullopt;
  }
  return out;
}

Journal::Journal(std::string path, FileHandle file, uint64_t size)
    : path_(std::move(path)), file_(std::move(file)), size_(size), written_(size), synced_(size) {
  syncer_ = std::thread([this] { sync_loop(); });
}

Journal::~Journal() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  syncer_.join();
}

std::unique_ptr<Journal> Journal::create(const std::string& path, const JournalHeader& header, mode_t mode,
                                         FileError& error) {
  error = {};
  FileHandle file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600));
  if (!file.valid()) {
    error = failure("make", path, errno);
    return nullptr;
  }
  std::string text = format_journal_header(header);
  if (::fchmod(file.get(), mode) != 0 || !lock_file(file.get(), F_WRLCK) || !write_all(file.get(), text) ||
      ::fsync(file.get()) != 0 || !sync_directory(directory_of(path))) {
    error = failure("write", path, errno);
    ::unlink(path.c_str());
    return nullptr;
  }
  return std::unique_ptr<Journal>(new Journal(path, std::move(file), text.size()));
}

std::unique_ptr<Journal> Journal::reopen(const std::string& path, size_t length, FileError& error) {
  error = {};
  FileHandle file(::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC));
  if (!file.valid()) {
    error = failure("open", path, errno);
    return nullptr;
  }
  if (!lock_file(file.get(), F_WRLCK)) {
    error = failure("lock", path, EAGAIN);
    return nullptr;
  }
  if (::ftruncate(file.get(), static_cast<off_t>(length)) != 0) {
    error = failure("write", path, errno);
    return nullptr;
  }
  return std::unique_ptr<Journal>(new Journal(path, std::move(file), length));
}

bool Journal::append(const JournalRecord& record, FileError& error) {
  error = {};
  std::string line = format_journal_record(record);
  // Half a record must not stand before the next one.
  auto cut = [&] { return ::ftruncate(file_.get(), static_cast<off_t>(size_)) == 0; };
  if ((torn_ && !cut()) || !write_all(file_.get(), line)) {
    error = failure("write", path_, errno);
    torn_ = !cut();
    return false;
  }
  torn_ = false;
  size_ += line.size();
  bool idle = false;
  {
    std::lock_guard lock(mutex_);
    idle = written_ == synced_;
    written_ = size_;
  }
  // It looks for itself whether more has come while it was at work; waking it up for each record would cost more than
  // the record.
  if (idle) changed_.notify_all();
  return true;
}

bool Journal::wait_durable(uint64_t position) {
  std::unique_lock lock(mutex_);
  if (position > wanted_) {
    wanted_ = position;
    changed_.notify_all();
  }
  changed_.wait(lock, [&] { return failed_ || synced_ >= position; });
  return synced_ >= position;
}

// Whoever waits is served at once; what nobody waits for, a few times a second.
void Journal::sync_loop() {
  constexpr auto kPause = std::chrono::milliseconds(100);
  std::unique_lock lock(mutex_);
  auto waited_for = [this] { return stopping_ || (wanted_ > synced_ && !failed_); };
  while (true) {
    changed_.wait(lock, [&] { return waited_for() || (written_ > synced_ && !failed_); });
    if (!waited_for()) changed_.wait_for(lock, kPause, waited_for);
    if (stopping_ && (failed_ || removed_ || written_ == synced_)) return;
    uint64_t target = written_;
    int fd = file_.get();
    lock.unlock();
    bool good = ::fdatasync(fd) == 0;
    lock.lock();
    if (good)
      synced_ = target;
    else
      failed_ = true;
    changed_.notify_all();
  }
}

void Journal::remove() {
  ::unlink(path_.c_str());
  // Nothing of it is needed any more, so nothing is worth a last fsync.
  std::lock_guard lock(mutex_);
  removed_ = true;
}

std::optional<std::string> read_dead_journal(const std::string& path, bool& alive, FileError& error) {
  alive = false;
  error = {};
  FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) {
    if (errno != ENOENT && errno != ENOTDIR) error = failure("read", path, errno);
    return std::nullopt;
  }
  if (!lock_file(file.get(), F_RDLCK)) {
    alive = true;
    return std::nullopt;
  }
  return read_file(path, error);
}

}  // namespace pravo::runtime
