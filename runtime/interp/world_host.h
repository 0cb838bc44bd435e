// The world that functions see at run time: files, clock, random numbers, templates.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "ir/eval_host.h"
#include "ir/program.h"

namespace pravo::runtime {

class SourceCompiler;

class WorldHost : public EvalHost {
 public:
  struct Options {
    std::string directory = ".";         // where relative paths start
    SourceCompiler* compiler = nullptr;  // null: templates are refused
    Moment plan_moment;                  // plantimestamp()
    bool defer_impure = true;            // clock and random numbers stay unknown
  };
  explicit WorldHost(Options options) : options_(std::move(options)) {}

  Result<bool> read_file(std::string_view path, TakePart take) override;
  Result<FileKind> file_kind(std::string_view path) override;
  Result<std::vector<std::string>> list_files(std::string_view directory, int pattern_depth) override;
  Result<std::string> working_directory() override;
  Result<std::string> home_directory() override;
  Result<Moment> now() override;
  Result<Moment> plan_timestamp() override { return options_.plan_moment; }
  Result<bool> random(std::span<uint8_t> bytes) override;
  Result<Value> render_template(std::string_view text, std::string_view name, const Value& variables) override;
  bool defer_impure() const override { return options_.defer_impure; }

 private:
  std::string resolve(std::string_view path) const;

  Options options_;
  // Templates that were compiled, by text and names of variables: many instances render the same one.
  std::unordered_map<std::string, std::shared_ptr<const Program>> templates_;
};

}  // namespace pravo::runtime
