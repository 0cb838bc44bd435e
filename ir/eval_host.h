// EvalHost: what functions need from the world. The runtime implements it; folding's host refuses everything, so
// that a pass never reads a file or a clock.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/result.h"
#include "ir/value.h"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace pravo {

// A moment: seconds since 1970-01-01T00:00:00Z and nanoseconds of the second.
struct Moment {
  int64_t seconds = 0;
  uint32_t nanoseconds = 0;
};

class EvalHost {
 public:
  virtual ~EvalHost() = default;

  // What one expression may do, so that nested loops end: steps are instructions that loops execute and what
  // functions read and make. The outermost Budget begins anew; what evaluates inside it (a template) draws on it.
  class Budget {
   public:
    explicit Budget(EvalHost& host);
    ~Budget();
    Budget(const Budget&) = delete;
    Budget& operator=(const Budget&) = delete;

   private:
    EvalHost& host_;
  };
  // False: there are not so many steps left, nor will there be any.
  bool spend(uint64_t steps) {
    steps_left_ = steps > steps_left_ ? 0 : steps_left_ - steps;
    return steps_left_ > 0;
  }

  // A path is what the user wrote, `~` expanded already; relative ones are relative to the root module's directory
  // (as Terraform: the working directory). Errors have the kind Host and say why in words, without the path.
  // Files are handed over in parts: nobody has to hold a large one. `take` says whether it wants more.
  using TakePart = llvm::function_ref<bool(std::string_view)>;
  virtual Result<bool> read_file(std::string_view path, TakePart take) = 0;
  enum class FileKind : uint8_t { None, Regular, Directory, Other };
  virtual Result<FileKind> file_kind(std::string_view path) = 0;
  // All regular files below `directory`, relative to it with `/`, symbolic links to files included; unsorted.
  // `pattern_depth` bounds the descent: 0 lists `directory` only, -1 everything.
  virtual Result<std::vector<std::string>> list_files(std::string_view directory, int pattern_depth) = 0;
  virtual Result<std::string> working_directory() = 0;
  virtual Result<std::string> home_directory() = 0;

  virtual Result<Moment> now() = 0;             // timestamp(): unknown at plan is the caller's affair
  virtual Result<Moment> plan_timestamp() = 0;  // plantimestamp(): one moment for the whole run
  virtual Result<bool> random(std::span<uint8_t> bytes) = 0;

  // Parses `text` as a template (a file's contents, without quotes around it) and evaluates it in a scope of these
  // variables only, an object or map; they carry their marks. `name` is for diagnostics. templatefile and
  // templatestring cannot be called from inside.
  virtual Result<Value> render_template(std::string_view text, std::string_view name, const Value& variables) = 0;

  // Where true, functions that are not pure (timestamp, uuid, bcrypt) give unknown values, as at plan.
  virtual bool defer_impure() const = 0;

 private:
  uint64_t steps_left_ = UINT64_MAX;  // outside of any Budget nothing is counted
  unsigned budgets_ = 0;
};

// Refuses with EvalErrorKind::Refused.
class RefusingHost : public EvalHost {
 public:
  Result<bool> read_file(std::string_view path, TakePart take) override;
  Result<FileKind> file_kind(std::string_view path) override;
  Result<std::vector<std::string>> list_files(std::string_view directory, int pattern_depth) override;
  Result<std::string> working_directory() override;
  Result<std::string> home_directory() override;
  Result<Moment> now() override;
  Result<Moment> plan_timestamp() override;
  Result<bool> random(std::span<uint8_t> bytes) override;
  Result<Value> render_template(std::string_view text, std::string_view name, const Value& variables) override;
  bool defer_impure() const override { return true; }
};

}  // namespace pravo
