#include "runtime/state/local_state.h"
#include "runtime/testing/temp_directory.h"

#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace pravo;
using namespace pravo::runtime;
using pravo::runtime::testing::TempDirectory;
namespace fs = std::filesystem;

namespace {

class NoSchemas : public StateSchemas {
 public:
  const SchemaBlock* find(const StateResource&) override { return nullptr; }
};

std::string slurp(const std::string& path) {
  FileError error;
  return read_file(path, error).value_or("(none)");
}

mode_t mode_of(const std::string& path) {
  struct stat info {};
  REQUIRE(::stat(path.c_str(), &info) == 0);
  return info.st_mode & 0777;
}

// Whether another process gets a POSIX lock, as Terraform takes it.
bool other_process_can_lock(const std::string& path) {
  pid_t child = ::fork();
  if (child == 0) {
    int fd = ::open(path.c_str(), O_RDWR);
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    ::_exit(fd >= 0 && ::fcntl(fd, F_SETLK, &lock) == 0 ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("a new state gets a lineage, a serial and mode 0600; the next write makes a backup") {
  TempDirectory dir;
  Diagnostics diags;
  NoSchemas schemas;
  LocalState local({dir.file("terraform.tfstate"), "", ""});
  std::optional<State> state = local.read(diags);
  REQUIRE(state.has_value());
  CHECK(local.write(*state, schemas, false, diags));
  CHECK_FALSE(fs::exists(dir.file("terraform.tfstate")));  // nothing to say

  state->outputs["o"] = {Value::string("x"), false};
  CHECK(local.write(*state, schemas, false, diags));
  CHECK(state->serial == 1);
  CHECK(state->lineage.size() == 36);
  CHECK(mode_of(dir.file("terraform.tfstate")) == 0600);
  CHECK_FALSE(fs::exists(dir.file("terraform.tfstate.backup")));
  std::string first = slurp(dir.file("terraform.tfstate"));

  ::chmod(dir.file("terraform.tfstate").c_str(), 0644);
  LocalState again({dir.file("terraform.tfstate"), "", ""});
  state = again.read(diags);
  REQUIRE(state.has_value());
  CHECK(again.write(*state, schemas, false, diags));
  CHECK(state->serial == 1);  // unchanged: not written
  CHECK_FALSE(fs::exists(dir.file("terraform.tfstate.backup")));
  state->outputs["o"].value = Value::string("y");
  CHECK(again.write(*state, schemas, false, diags));
  state->outputs["o"].value = Value::string("z");
  CHECK(again.write(*state, schemas, true, diags));
  CHECK(state->serial == 3);
  CHECK(slurp(dir.file("terraform.tfstate.backup")) == first);
  CHECK(mode_of(dir.file("terraform.tfstate")) == 0644);
  CHECK(mode_of(dir.file("terraform.tfstate.backup")) == 0644);
  CHECK(diags.empty());
}

TEST_CASE("a state that another program formatted is not written again for that") {
  TempDirectory dir;
  std::ofstream(dir.file("s"))
      << R"({"version":4,"serial":7,"lineage":"l","outputs":{"o":{"type":"string","value":"x"}}})";
  Diagnostics diags;
  NoSchemas schemas;
  LocalState local({dir.file("s"), "", ""});
  std::optional<State> state = local.read(diags);
  REQUIRE(state.has_value());
  CHECK(local.write(*state, schemas, false, diags));
  CHECK(state->serial == 7);
}

TEST_CASE("a state that somebody replaced is not written over") {
  TempDirectory dir;
  std::ofstream(dir.file("s")) << R"({"version":4,"serial":7,"lineage":"l"})";
  Diagnostics diags;
  NoSchemas schemas;
  LocalState local({dir.file("s"), "", ""});
  std::optional<State> state = local.read(diags);
  REQUIRE(state.has_value());
  std::ofstream(dir.file("s")) << R"({"version":4,"serial":8,"lineage":"l"})";
  state->outputs["o"] = {Value::string("x"), false};
  CHECK_FALSE(local.write(*state, schemas, true, diags));
  REQUIRE(diags.error_count() == 1);
  CHECK(diagnostic_id(diags.all()[0].kind) == "state-replaced");
  CHECK(slurp(dir.file("s")) == R"({"version":4,"serial":8,"lineage":"l"})");
}

TEST_CASE("symbolic links are followed, and another output file leaves the input alone") {
  TempDirectory dir;
  std::ofstream(dir.file("real")) << R"({"version":4,"serial":7,"lineage":"l"})";
  fs::create_symlink("real", dir.file("link"));
  Diagnostics diags;
  NoSchemas schemas;
  {
    LocalState local({dir.file("link"), "", ""});
    std::optional<State> state = local.read(diags);
    state->outputs["o"] = {Value::string("x"), false};
    CHECK(local.write(*state, schemas, true, diags));
    CHECK(fs::is_symlink(dir.file("link")));
  }
  std::string before = slurp(dir.file("real"));
  LocalState local({dir.file("real"), dir.file("out"), ""});
  std::optional<State> state = local.read(diags);
  state->outputs["o"].value = Value::string("y");
  CHECK(local.write(*state, schemas, true, diags));
  CHECK(slurp(dir.file("real")) == before);
  CHECK(slurp(dir.file("out")).find("\"y\"") != std::string::npos);
}

TEST_CASE("the lock keeps others away, also after the file was replaced") {
  TempDirectory dir;
  std::string path = dir.file("terraform.tfstate");
  Diagnostics diags;
  NoSchemas schemas;
  LocalState local({path, "", ""});
  REQUIRE(local.lock("OperationTypeApply", std::chrono::milliseconds(0), diags));
  CHECK(fs::exists(dir.file(".terraform.tfstate.lock.info")));
  CHECK_FALSE(other_process_can_lock(path));

  LocalState other({path, "", ""});
  CHECK_FALSE(other.lock("OperationTypePlan", std::chrono::milliseconds(10), diags));
  REQUIRE(diags.error_count() == 1);
  CHECK(diagnostic_id(diags.all()[0].kind) == "state-locked");
  REQUIRE(diags.all()[0].notes.size() == 1);
  CHECK(diags.all()[0].notes[0].message.find("OperationTypeApply") != std::string::npos);

  std::optional<State> state = local.read(diags);
  REQUIRE(state.has_value());
  CHECK_FALSE(other_process_can_lock(path));  // reading does not drop it
  state->outputs["o"] = {Value::string("x"), false};
  REQUIRE(local.write(*state, schemas, true, diags));
  CHECK_FALSE(other_process_can_lock(path));
  local.unlock();
  CHECK(other_process_can_lock(path));
  CHECK_FALSE(fs::exists(dir.file(".terraform.tfstate.lock.info")));
}

TEST_CASE("a lock that came to nothing leaves nothing") {
  TempDirectory dir;
  Diagnostics diags;
  {
    LocalState local({dir.file("s"), "", ""});
    REQUIRE(local.lock("OperationTypePlan", std::chrono::milliseconds(0), diags));
  }
  CHECK(fs::is_empty(dir.path));
  std::ofstream(dir.file("file")) << "x";
  LocalState none({dir.file("file/s"), "", ""});
  CHECK_FALSE(none.lock("OperationTypePlan", std::chrono::milliseconds(0), diags));
  REQUIRE(diags.error_count() == 1);
  CHECK(diagnostic_id(diags.all()[0].kind) == "state-lock-failed");
}

TEST_CASE("the directory of a state is made when it is first needed") {
  TempDirectory dir;
  Diagnostics diags;
  NoSchemas schemas;
  LocalState local({dir.file("a/b/s"), "", ""});
  CHECK(local.lock("OperationTypeApply", std::chrono::milliseconds(0), diags));
  State state;
  state.outputs["o"] = {Value::string("x"), false};
  CHECK(local.write(state, schemas, true, diags));
  CHECK(diags.empty());
  CHECK(fs::exists(dir.file("a/b/s")));
}

TEST_CASE("a state that cannot be read, and one that cannot be written") {
  TempDirectory dir;
  std::ofstream(dir.file("file")) << "x";
  NoSchemas schemas;
  {
    Diagnostics diags;
    LocalState local({dir.path, "", ""});
    CHECK_FALSE(local.read(diags).has_value());
    REQUIRE(diags.error_count() == 1);
    CHECK(diagnostic_id(diags.all()[0].kind) == "state-unreadable");
  }
  {
    Diagnostics diags;
    LocalState local({dir.file("s"), dir.file("file/s"), ""});
    std::optional<State> state = local.read(diags);
    REQUIRE(state.has_value());
    CHECK_FALSE(local.write(*state, schemas, true, diags));
    REQUIRE(diags.error_count() == 1);
    CHECK(diagnostic_id(diags.all()[0].kind) == "state-write-failed");
  }
}

TEST_CASE("a directory that takes no new file") {
  TempDirectory dir;
  std::ofstream(dir.file("s")) << "old";
  ::chmod(dir.path.c_str(), 0500);
  // Permissions do not bind root, so the case runs as somebody else.
  bool root = ::geteuid() == 0;
  constexpr uid_t kNobody = 65534;
  if (root) {
    REQUIRE(::chown(dir.path.c_str(), kNobody, static_cast<gid_t>(-1)) == 0);
    REQUIRE(::chown(dir.file("s").c_str(), kNobody, static_cast<gid_t>(-1)) == 0);
    REQUIRE(::seteuid(kNobody) == 0);
  }
  FileError error;
  CHECK(write_file_atomic(dir.file("s"), "new", {}, error));
  CHECK(slurp(dir.file("s")) == "new");
  CHECK_FALSE(write_file_atomic(dir.file("t"), "new", {}, error));
  CHECK(error.code == EACCES);
  if (root) REQUIRE(::seteuid(0) == 0);
  ::chmod(dir.path.c_str(), 0700);
}
