// What a killed run did, from its journal into the state (docs/state.md).
#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <unistd.h>

#include "ir/diagnostics/runtime.h"
#include "runtime/state/digest.h"
#include "runtime/state/local_state.h"
#include "runtime/state/unconfirmed.h"

namespace pravo::runtime {

namespace {

using Kind = JournalRecord::Kind;

constexpr size_t kNowhere = SIZE_MAX;
constexpr size_t kMostNotes = 20;

// Objects that are carried from one file to another have no values, so nobody asks for a schema.
class NoSchemas : public StateSchemas {
 public:
  const SchemaBlock* find(const StateResource&) override { return nullptr; }
};

// Where the records begin that a state with this digest does not have; kNowhere: it is none of those that the journal
// knows.
size_t first_missing(const JournalContents& journal, const std::string& digest) {
  size_t start = journal.header.digest == digest ? 0 : kNowhere;
  for (size_t i = 0; i < journal.records.size(); ++i)
    if (journal.records[i].kind == Kind::Checkpoint && journal.records[i].digest == digest) start = i + 1;
  return start;
}

// What is known of each instance at the end.
using Results = std::map<std::string, const JournalRecord*>;

Results last_results(const JournalContents& journal, size_t start) {
  Results out;
  for (size_t i = start; i < journal.records.size(); ++i)
    if (journal.records[i].kind == Kind::Result) out[journal.records[i].address] = &journal.records[i];
  return out;
}

// Changes that were begun and of which nobody knows how they ended.
std::vector<const JournalRecord*> open_intents(const JournalContents& journal) {
  std::map<std::pair<std::string, std::string>, const JournalRecord*> open;
  for (const JournalRecord& record : journal.records) {
    if (record.kind == Kind::Intent) open[{record.address, record.deposed}] = &record;
    if (record.kind == Kind::Result) open.erase({record.address, record.deposed});
  }
  std::vector<const JournalRecord*> out;
  for (const auto& [key, record] : open) out.push_back(record);
  return out;
}

std::string_view past(Action action) {
  switch (action) {
    case Action::Create:
    case Action::DeleteThenCreate:
    case Action::CreateThenDelete:
      return "created";
    case Action::Delete:
      return "destroyed";
    case Action::Update:
      return "changed";
    case Action::Read:
    case Action::NoOp:
    case Action::Forget:
      return "recorded";
  }
  PRAVOC_UNREACHABLE();
}

std::string label(const JournalRecord& record) {
  return record.deposed.empty() ? fmt::format("`{}`", record.address)
                                : fmt::format("`{}` (deposed object {})", record.address, record.deposed);
}

// Notes, a line each; of many only the first.
class Notes {
 public:
  explicit Notes(Diagnostics::Builder& builder) : builder_(builder) {}
  void add(std::string text) {
    if (++count_ <= kMostNotes) builder_.note({}, std::move(text));
  }
  void end() {
    if (count_ > kMostNotes) builder_.note({}, fmt::format("and {} more", count_ - kMostNotes));
  }

 private:
  Diagnostics::Builder& builder_;
  size_t count_ = 0;
};

// Puts the results into a state. What it has already is left alone. Nothing, with the reason, when one is damaged.
class Replay {
 public:
  Replay(State& state, const Results& results) : state_(state), results_(results) {}

  bool read(std::string& why) {
    std::vector<std::string_view> texts;
    for (const auto& [address, record] : results_)
      if (!record->resource.empty()) texts.push_back(record->resource);
    std::optional<State> recorded = parse_resources(texts, why);
    if (!recorded) return false;
    recorded_ = std::move(*recorded);
    for (const auto& [address, record] : results_) {
      std::optional<InstanceAddress> where = InstanceAddress::parse(address);
      if (!where || (!record->resource.empty() && recorded_.find(*where) == nullptr)) {
        why = fmt::format("what it says of `{}` is not understood", address);
        return false;
      }
      if (!has(*where)) missing_.emplace_back(std::move(*where), record);
    }
    return true;
  }

  void carry_out() {
    for (auto& [where, record] : missing_) {
      const StateResource* source = recorded_.find(where.resource);
      const StateInstance* now = source == nullptr ? nullptr : source->find(where.key);
      if (now != nullptr) {
        StateResource& resource = state_.get(where.resource, source->provider);
        resource.provider = source->provider;
        resource.get(where.key) = *now;
      } else if (StateResource* resource = state_.find(where.resource)) {
        if (StateInstance* gone = resource->find(where.key)) {
          gone->current.reset();
          gone->deposed.clear();
        }
      }
    }
    state_.compact();
  }

  const std::vector<std::pair<InstanceAddress, const JournalRecord*>>& missing() const { return missing_; }

 private:
  // Whether the state says of an instance what the journal does.
  bool has(const InstanceAddress& where) {
    const StateInstance* now = recorded_.find(where);
    const StateInstance* before = state_.find(where);
    if (now == nullptr || before == nullptr) return now == before;
    return format_instance(*recorded_.find(where.resource), *now, schemas_) ==
           format_instance(*state_.find(where.resource), *before, schemas_);
  }

  State& state_;
  const Results& results_;
  State recorded_;
  NoSchemas schemas_;
  std::vector<std::pair<InstanceAddress, const JournalRecord*>> missing_;
};

// Takes away what write_file_atomic() had begun beside this file when its run was killed: it holds secrets, and nobody
// else would.
void remove_unfinished(const std::string& path) {
  namespace fs = std::filesystem;
  const std::string prefix = fmt::format(".{}.new-", base_name_of(path));
  std::error_code error;
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_of(path), error)) {
    std::string name = entry.path().filename();
    if (name.starts_with(prefix) && name.size() == prefix.size() + 6) found.push_back(entry.path());
  }
  for (const fs::path& name : found) fs::remove(name, error);
}

}  // namespace

// Objects that an earlier recovery could not find out about.
void LocalState::tell_unconfirmed(const State& state, Diagnostics& diags) const {
  if (is_special()) return;
  FileError error;
  for (const UnconfirmedObject& object : read_unconfirmed(unconfirmed_path(), error)) {
    if (object.lineage != state.lineage) continue;
    diags.emit({}, diag::PossiblyCreated, object.address, unconfirmed_path())
        .address(object.address)
        .note({}, fmt::format("begun at {} by {}", object.begun, object.who));
  }
  if (error.code != 0) diags.emit({}, diag::StateUnreadable, error.what);
}

bool LocalState::recover(State& state, Recovery recovery, Diagnostics& diags) {
  if (is_special()) return true;
  bool alive = false;
  FileError error;
  std::optional<std::string> text = read_dead_journal(journal_path(), alive, error);
  if (alive) {
    // Only who went past the lock of the state comes here.
    if (recovery != Recovery::Written) return true;
    diags.emit({}, diag::StateLocked, paths_.write).note({}, fmt::format("its run writes `{}`", journal_path()));
    return false;
  }
  if (error.code != 0) {
    diags.emit({}, diag::StateUnreadable, error.what);
    return recovery == Recovery::None;
  }
  if (!text) {
    if (recovery != Recovery::None) tell_unconfirmed(state, diags);
    return true;
  }
  if (recovery == Recovery::None) {
    diags.emit({}, diag::JournalLeft, journal_path());
    return true;
  }
  std::string why;
  std::optional<JournalContents> journal = parse_journal(*text, why);
  if (!journal) {
    diags.emit({}, diag::JournalDamaged, journal_path(), why);
    return false;
  }
  // Killed before anything was begun.
  if (journal->header.lineage.empty()) {
    if (recovery == Recovery::Written && ::unlink(journal_path().c_str()) != 0) {
      diags.emit({}, diag::StateWriteFailed, fmt::format("cannot remove `{}`", journal_path()));
      return false;
    }
    tell_unconfirmed(state, diags);
    return true;
  }

  size_t start = first_missing(*journal, original_ ? sha256_hex(*original_) : std::string());
  const bool known = start != kNowhere;
  Results results = last_results(*journal, known ? start : 0);
  Replay replay(state, results);
  if (!replay.read(why)) {
    diags.emit({}, diag::JournalDamaged, journal_path(), why);
    return false;
  }
  std::vector<const JournalRecord*> open = open_intents(*journal);
  // A state that nobody knows, but that has everything: somebody else put it there.
  if (!known && !replay.missing().empty()) {
    auto report = diags.emit({}, diag::JournalOfOtherState, paths_.write, journal_path(), journal->header.who,
                             journal->header.begun);
    report.note(
        {}, state.lineage == journal->header.lineage || state.lineage.empty()
                ? fmt::format("it builds on serial {}, the state has serial {}", journal->header.serial, state.serial)
                : "the state has another lineage than the one that it builds on");
    Notes notes(report);
    for (const auto& [where, record] : replay.missing())
      notes.add(fmt::format("not in the state: {} {}", past(record->action), label(*record)));
    for (const JournalRecord* intent : open) notes.add(fmt::format("begun and never confirmed: {}", label(*intent)));
    notes.end();
    return false;
  }

  const bool changed = !replay.missing().empty();
  replay.carry_out();
  if (state.lineage.empty()) state.lineage = journal->header.lineage;
  if (changed || !open.empty()) {
    auto report =
        diags.emit({}, diag::StateRecovered, journal->header.who, journal->header.begun,
                   recovery == Recovery::Written ? fmt::format("`{}` has it all now", paths_.write)
                                                 : "this run knows it; the next `pravoc apply` writes it to the state");
    Notes notes(report);
    for (const auto& [where, record] : replay.missing())
      notes.add(fmt::format("recovered: {} {}", past(record->action), label(*record)));
    for (const JournalRecord* intent : open)
      notes.add(fmt::format("begun and never confirmed: {} {}", label(*intent),
                            intent->action == Action::Create   ? "may be created"
                            : intent->action == Action::Delete ? "may be destroyed"
                                                               : "may be changed"));
    notes.end();
  }
  if (recovery == Recovery::Written) {
    if (!record_recovery(state, *journal, changed, diags)) return false;
  } else {
    // As it will be written, so that a plan that is saved now can be applied then.
    if (changed) ++state.serial;
    lineage_ = state.lineage;
  }
  tell_unconfirmed(state, diags);
  if (recovery == Recovery::InMemory)
    for (const JournalRecord* intent : open)
      if (intent->action == Action::Create)
        diags.emit({}, diag::PossiblyCreated, intent->address, unconfirmed_path())
            .address(intent->address)
            .note({}, fmt::format("begun at {} by {}", intent->time, journal->header.who));
  return true;
}

// Each step may be the last one of a run that is killed, too: the journal goes when all else is on the disk.
bool LocalState::record_recovery(State& state, const JournalContents& journal, bool changed, Diagnostics& diags) {
  FileError error;
  std::unique_ptr<Journal> file = Journal::reopen(journal_path(), journal.length, error);
  std::vector<UnconfirmedObject> unconfirmed;
  for (const JournalRecord* intent : open_intents(journal))
    if (intent->action == Action::Create)
      unconfirmed.push_back({intent->address, intent->time, journal.header.who, state.lineage});
  if (file == nullptr || !add_unconfirmed(unconfirmed_path(), unconfirmed, mode_of_new_files(), error)) {
    diags.emit({}, diag::StateWriteFailed, error.what);
    return false;
  }
  if (changed) {
    NoSchemas schemas;
    lineage_ = state.lineage;
    if (!write(state, schemas, true, diags, file.get())) return false;
    // What is written from here on has this state as its backup.
    original_ = on_disk_;
    serial_ = state.serial;
    backup_written_ = false;
  }
  file->remove();
  for (const std::string& path : {paths_.write, paths_.backup, unconfirmed_path(), lock_info_path()})
    remove_unfinished(path);
  return true;
}

}  // namespace pravo::runtime
