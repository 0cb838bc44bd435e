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

namespace pravo {

// A moment: seconds since 1970-01-01T00:00:00Z and nanoseconds of the second.
struct Moment {
  int64_t seconds = 0;
  uint32_t nanoseconds = 0;
};

class EvalHost {
 public:
  virtual ~EvalHost() = default;

  // A path is what the user wrote, `~` expanded already; relative ones are relative to the root module's directory
  // (as Terraform: the working directory). Errors have the kind Host and say why in words, without the path.
  virtual Result<std::string> read_file(std::string_view path) = 0;
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
  // variables only, an object or map; they carry their marks. `name` is for diagnostics. `recursive` is false where
  // templatefile and templatestring are not to be called from inside.
  virtual Result<Value> render_template(std::string_view text, std::string_view name, const Value& variables,
                                        bool recursive) = 0;

  // Where true, functions that are not pure (timestamp, uuid, bcrypt) give unknown values, as at plan.
  virtual bool defer_impure() const = 0;
};

// Refuses with EvalErrorKind::Refused.
class RefusingHost : public EvalHost {
 public:
  Result<std::string> read_file(std::string_view path) override;
  Result<FileKind> file_kind(std::string_view path) override;
  Result<std::vector<std::string>> list_files(std::string_view directory, int pattern_depth) override;
  Result<std::string> working_directory() override;
  Result<std::string> home_directory() override;
  Result<Moment> now() override;
  Result<Moment> plan_timestamp() override;
  Result<bool> random(std::span<uint8_t> bytes) override;
  Result<Value> render_template(std::string_view text, std::string_view name, const Value& variables,
                                bool recursive) override;
  bool defer_impure() const override { return true; }
};

}  // namespace pravo
