#include "runtime/state/journal.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "runtime/state/digest.h"
#include "runtime/state/local_state.h"
#include "runtime/state/unconfirmed.h"
#include "runtime/testing/temp_directory.h"

using namespace pravo;
using namespace pravo::runtime;
using pravo::runtime::testing::TempDirectory;
namespace fs = std::filesystem;

namespace {

JournalHeader header(std::string digest = "") { return {"l", 1, std::move(digest), "me@here", "2025-01-31T12:00:00Z"}; }

JournalRecord intent(std::string address, Action action = Action::Create, std::string deposed = "") {
  JournalRecord record;
  record.address = std::move(address);
  record.action = action;
  record.deposed = std::move(deposed);
  record.time = "2025-01-31T12:00:01Z";
  return record;
}

// `resource`: the attributes of the one instance; empty: there is none.
JournalRecord result(std::string name, std::string attributes, Action action = Action::Create) {
  JournalRecord record;
  record.kind = JournalRecord::Kind::Result;
  record.address = "t." + name;
  record.action = action;
  if (!attributes.empty())
    record.resource = R"({"mode":"managed","type":"t","name":")" + name +
                      R"(","provider":"provider[\"p\"]","instances":[{"schema_version":0,"attributes":)" + attributes +
                      R"(,"sensitive_attributes":[]}]})";
  return record;
}

JournalRecord checkpoint(std::string digest) {
  JournalRecord record;
  record.kind = JournalRecord::Kind::Checkpoint;
  record.digest = std::move(digest);
  record.serial = 2;
  return record;
}

std::string state_text(std::string_view resources, unsigned serial = 1, std::string_view lineage = "l") {
  return fmt::format(R"({{"version":4,"serial":{},"lineage":"{}","outputs":{{}},"resources":[{}]}})", serial, lineage,
                     resources);
}

std::string slurp(const std::string& path) {
  FileError error;
  return read_file(path, error).value_or("(none)");
}

std::string ids(const Diagnostics& diags) {
  std::string out;
  for (const Diagnostic& d : diags.all()) out += std::string(diagnostic_id(d.kind)) + " ";
  return out;
}

// A directory with a state and a journal of a dead run, which is read as an apply does.
struct Left {
  TempDirectory dir;
  Diagnostics diags;
  std::string path = dir.file("s");

  Left(const std::string& state, const JournalHeader& head, const std::vector<JournalRecord>& records) {
    if (!state.empty()) std::ofstream(path) << state;
    std::ofstream file(path + ".journal");
    file << format_journal_header(head);
    for (const JournalRecord& record : records) file << format_journal_record(record);
  }
  std::optional<State> read(Recovery recovery) {
    LocalState local({path, "", ""});
    return local.read(diags, recovery);
  }
  bool journal_there() const { return fs::exists(path + ".journal"); }
};

const StateInstance* find(const std::optional<State>& state, std::string_view address) {
  return state ? state->find(*InstanceAddress::parse(address)) : nullptr;
}

}  // namespace

TEST_CASE("a journal is read as it was written; what was cut off is no record") {
  std::string text = format_journal_header(header("d"));
  for (const JournalRecord& record :
       {intent("t.a[\"x y\"]"), result("a", R"({"id":"1"})"), intent("t.b", Action::Delete, "0123abcd"),
        result("b", "", Action::Delete), checkpoint("e")})
    text += format_journal_record(record);
  std::string why;
  std::optional<JournalContents> read = parse_journal(text, why);
  REQUIRE(read.has_value());
  CHECK(read->header.digest == "d");
  CHECK(read->header.who == "me@here");
  REQUIRE(read->records.size() == 5);
  CHECK(read->records[0].address == "t.a[\"x y\"]");
  CHECK(read->records[1].resource.find(R"({"id":"1"})") != std::string::npos);
  CHECK(read->records[2].action == Action::Delete);
  CHECK(read->records[2].deposed == "0123abcd");
  CHECK(read->records[3].resource.empty());
  CHECK(read->records[4].digest == "e");
  CHECK(read->length == text.size());
  // Wherever it is cut, what stands before is read.
  size_t most = 0;
  for (size_t length = 0; length < text.size(); ++length) {
    std::optional<JournalContents> part = parse_journal(std::string_view(text).substr(0, length), why);
    REQUIRE(part.has_value());
    CHECK(part->records.size() >= most);
    CHECK(part->records.size() < 5);
    CHECK(part->length <= length);
    most = part->records.size();
  }
  CHECK(most == 4);
}

TEST_CASE("damage before the end is found") {
  std::string text =
      format_journal_header(header()) + format_journal_record(intent("t.a")) + format_journal_record(intent("t.b"));
  std::string why;
  for (size_t at : {size_t{3}, text.find("t.a")}) {
    std::string damaged = text;
    damaged[at] ^= 1;
    why.clear();
    CHECK_FALSE(parse_journal(damaged, why).has_value());
    CHECK(why.find("damaged") + why.find("checksum") != std::string::npos);
  }
  CHECK(parse_journal("nonsense", why).has_value());                                  // a header that was cut off
  CHECK_FALSE(parse_journal(format_journal_record(intent("t.a")), why).has_value());  // a record in its place
}

TEST_CASE("a journal that is written is locked, durable on request, and there but once") {
  TempDirectory dir;
  FileError error;
  std::string path = dir.file("s.journal");
  {
    std::unique_ptr<Journal> journal = Journal::create(path, header(), 0640, error);
    REQUIRE(journal != nullptr);
    struct stat info {};
    REQUIRE(::stat(path.c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0640);
    CHECK(Journal::create(path, header(), 0600, error) == nullptr);
    CHECK(error.code == EEXIST);
    CHECK(journal->append(intent("t.a"), error));
    std::vector<std::thread> waiting;
    std::atomic<int> good = 0;
    for (int i = 0; i < 4; ++i)
      waiting.emplace_back([&, at = journal->position()] { good += journal->wait_durable(at) ? 1 : 0; });
    for (std::thread& thread : waiting) thread.join();
    CHECK(good == 4);
    bool alive = false;
    CHECK_FALSE(read_dead_journal(path, alive, error).has_value());
    CHECK(alive);
    CHECK(Journal::reopen(path, 10, error) == nullptr);
  }
  bool alive = true;
  std::optional<std::string> text = read_dead_journal(path, alive, error);
  REQUIRE(text.has_value());
  CHECK_FALSE(alive);
  std::string why;
  std::optional<JournalContents> read = parse_journal(*text, why);
  REQUIRE(read.has_value());
  CHECK(read->records.size() == 1);
  std::unique_ptr<Journal> again = Journal::reopen(path, read->length, error);
  REQUIRE(again != nullptr);
  CHECK(again->append(intent("t.b"), error));
  CHECK(parse_journal(slurp(path), why)->records.size() == 2);
  again->remove();
  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("what a killed run did is recovered, in memory or into the state") {
  std::string old = state_text(result("b", R"({"id":"2"})").resource + "," + result("c", R"({"id":"3"})").resource);
  std::vector<JournalRecord> records = {intent("t.a"), result("a", R"({"id":"1"})"), intent("t.b", Action::Delete),
                                        result("b", "", Action::Delete), intent("t.d")};
  for (Recovery how : {Recovery::None, Recovery::InMemory, Recovery::Written}) {
    Left left(old, header(sha256_hex(old)), records);
    std::optional<State> state = left.read(how);
    REQUIRE(state.has_value());
    const bool recovered = how != Recovery::None;
    CHECK((find(state, "t.a") != nullptr) == recovered);
    CHECK((find(state, "t.b") == nullptr) == recovered);
    CHECK(find(state, "t.c") != nullptr);
    CHECK(ids(left.diags) == (recovered ? "state-recovered possibly-created " : "journal-left "));
    CHECK(left.journal_there() == (how != Recovery::Written));
    CHECK(state->serial == (recovered ? 2 : 1));
    if (how != Recovery::Written) {
      CHECK(slurp(left.path) == old);
      CHECK_FALSE(fs::exists(left.path + ".unconfirmed"));
      continue;
    }
    CHECK(slurp(left.path + ".backup") == old);
    // Known until somebody has looked.
    left.diags = Diagnostics();
    state = left.read(Recovery::Written);
    CHECK(find(state, "t.a") != nullptr);
    CHECK(ids(left.diags) == "possibly-created ");
    fs::remove(left.path + ".unconfirmed");
    left.diags = Diagnostics();
    REQUIRE(left.read(Recovery::Written).has_value());
    CHECK(left.diags.empty());
  }
}

TEST_CASE("a journal of a run that found no state gives the new one its lineage") {
  Left left("", header(), {result("a", R"({"id":"1"})")});
  std::optional<State> state = left.read(Recovery::Written);
  REQUIRE(state.has_value());
  CHECK(state->lineage == "l");
  CHECK(state->serial == 1);
  CHECK(slurp(left.path).find("\"lineage\": \"l\"") != std::string::npos);
}

TEST_CASE("what a checkpoint wrote is not replayed") {
  std::string old = state_text("");
  std::string half = state_text(result("a", R"({"id":"1"})").resource, 2);
  Left left(half, header(sha256_hex(old)),
            {result("a", R"({"id":"1"})"), result("b", R"({"id":"2"})"), result("b", "", Action::Delete),
             checkpoint(sha256_hex(half)), result("c", R"({"id":"3"})")});
  std::optional<State> state = left.read(Recovery::Written);
  CHECK(find(state, "t.a") != nullptr);
  CHECK(find(state, "t.b") == nullptr);
  CHECK(find(state, "t.c") != nullptr);
  REQUIRE(left.diags.all().size() == 1);
  CHECK(left.diags.all()[0].notes.size() == 1);
}

TEST_CASE("a journal is not replayed over a state that it does not build on, unless that has everything") {
  std::string old = state_text("");
  std::vector<JournalRecord> records = {intent("t.a"), result("a", R"({"id":"1"})"), intent("t.d")};
  {
    Left left(state_text("", 2), header(sha256_hex(old)), records);
    for (Recovery how : {Recovery::InMemory, Recovery::Written}) {
      CHECK_FALSE(left.read(how).has_value());
      CHECK(ids(left.diags) == "journal-of-other-state ");
      left.diags = Diagnostics();
    }
    CHECK(left.journal_there());
    CHECK(slurp(left.path) == state_text("", 2));
    // Nor is the state written over.
    class NoSchemas : public StateSchemas {
      const SchemaBlock* find(const StateResource&) override { return nullptr; }
    } schemas;
    LocalState local({left.path, "", ""});
    std::optional<State> state = local.read(left.diags);
    CHECK_FALSE(local.write(*state, schemas, true, left.diags));
    CHECK(ids(left.diags) == "journal-left journal-pending ");
  }
  {
    Left left(state_text(result("a", R"({"id":"1"})").resource, 9), header(sha256_hex(old)), records);
    CHECK(left.read(Recovery::Written).has_value());
    CHECK(ids(left.diags) == "state-recovered possibly-created ");
    CHECK_FALSE(left.journal_there());
  }
}

TEST_CASE("a damaged journal keeps everything from starting; one in which nothing was begun goes") {
  Left damaged("", header(), {intent("t.a"), intent("t.b")});
  std::string text = slurp(damaged.path + ".journal");
  text[text.find("t.a")] = 'x';
  std::ofstream(damaged.path + ".journal") << text;
  CHECK_FALSE(damaged.read(Recovery::Written).has_value());
  CHECK(ids(damaged.diags) == "journal-damaged ");
  std::ofstream(damaged.path + ".journal") << text.substr(0, 20);
  damaged.diags = Diagnostics();
  CHECK(damaged.read(Recovery::Written).has_value());
  CHECK(damaged.diags.empty());
  CHECK_FALSE(damaged.journal_there());
}

TEST_CASE("objects that may exist are kept once each") {
  TempDirectory dir;
  FileError error;
  std::string path = dir.file("s.unconfirmed");
  UnconfirmedObject a{"t.a[\"k\"]", "2025", "me@here", "l"};
  UnconfirmedObject b{"t.b", "2025", "me@here", "l"};
  CHECK(add_unconfirmed(path, {a}, 0600, error));
  CHECK(add_unconfirmed(path, {a, b}, 0600, error));
  CHECK(read_unconfirmed(path, error) == std::vector<UnconfirmedObject>{a, b});
}
