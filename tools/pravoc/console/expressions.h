// Expressions typed by a user against the configuration, variables and state of a directory: what `eval` and
// `console` share.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/lower/expression_scope.h"
#include "runtime/expressions.h"
#include "tools/pravoc/compile.h"
#include "tools/pravoc/session.h"
#include "tools/pravoc/template_compiler.h"

namespace pravo::cli {

struct ExpressionOptions {
  std::vector<load::VarArgument> variables;
  std::string state_path;
};

// What an expression is about: its value, or with `type(...)`, which only a prompt has, the type of its value.
struct Answer {
  Value value;
  bool of_type = false;
  // The value's type was made from marked values: `{ (var.token) = 1 }`.
  bool secret_type = false;

  // As `terraform console` prints it.
  std::string text() const;
  // The type as JSON; `dynamic` where it is secret.
  std::string type_json() const;
};

class ExpressionSession {
 public:
  // Reads the current directory. Null after errors, which are in `problems`.
  static std::unique_ptr<ExpressionSession> open(const ExpressionOptions& options, Diagnostics& problems,
                                                 std::unique_ptr<Compilation>& compilation);

  // Nothing: the faults were added to `diags`; places in them are of `sources()`.
  std::optional<Answer> evaluate(std::string text, Diagnostics& diags);

  Compilation& compilation() { return *compilation_; }
  const SourceManager& sources() const { return compilation_->sources; }
  lower::ExpressionScope& scope() { return *scope_; }
  const Program& program() const { return scope_->program(); }
  // The root variables' values, workspace and so on, for a program of this configuration.
  runtime::RunContext context(const Program& program);
  const runtime::State& state() const { return state_; }

  // An expression's text, read.
  struct Parsed {
    hcl::SyntaxTree tree;
    hcl::NodeId root;  // the argument of `type(...)`
    bool of_type = false;
  };
  std::optional<Parsed> parse(std::string text, Diagnostics& diags);
  // What an instruction of the root module gave.
  static Answer answer(const Program& program, InstId inst, Value value, bool of_type);

 private:
  explicit ExpressionSession(std::unique_ptr<Compilation> compilation) : compilation_(std::move(compilation)) {}
  bool prepare(const ExpressionOptions& options, Diagnostics& problems);

  std::unique_ptr<Compilation> compilation_;
  std::optional<lower::ExpressionScope> scope_;
  std::string workspace_;
  runtime::State state_;
  TemplateCompiler templates_;
  std::optional<runtime::RunContext> context_;
  std::optional<provider::Registry> providers_;
  std::optional<runtime::Expressions> expressions_;
};

// The name that an expression's text has in diagnostics.
inline constexpr std::string_view kConsoleInput = "<console-input>";

}  // namespace pravo::cli
