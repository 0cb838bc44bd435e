#include "tools/pravoc/console/expressions.h"

#include "frontend/hcl/parse.h"
#include "ir/diagnostics/lower.h"
#include "ir/functions.h"
#include "ir/type_shape.h"
#include "runtime/state/local_state.h"
#include "tools/pravoc/run_support.h"
#include "tools/pravoc/workspaces.h"

namespace pravo::cli {

namespace {

// The name in the first call of `plantimestamp` that is written in the expression.
SourceRange find_plan_time(const hcl::SyntaxTree& tree, hcl::NodeId root, const SourceManager& sources) {
  std::vector<hcl::NodeId> todo{root};
  while (!todo.empty()) {
    hcl::NodeId node = todo.back();
    todo.pop_back();
    if (tree.kind(node) == hcl::NodeKind::Call) {
      SourceRange name = tree.range(tree.child(node, 0));
      if (sources.text(name) == "plantimestamp" || sources.text(name) == "core::plantimestamp") return name;
    }
    for (uint32_t i = tree.child_count(node); i > 0; --i) todo.push_back(tree.child(node, i - 1));
  }
  return {};
}

}  // namespace

std::string Answer::text() const {
  if (!of_type) return format_value(value);
  if (secret_type) return any(value.deep_marks() & MarkSet::Ephemeral) ? "(ephemeral value)" : "(sensitive value)";
  return console_type(value);
}

std::string Answer::type_json() const { return (secret_type ? Type::dynamic() : value.type()).to_json(); }

std::unique_ptr<ExpressionSession> ExpressionSession::open(const ExpressionOptions& options, Diagnostics& problems,
                                                           std::unique_ptr<Compilation>& compilation) {
  CompileOptions compile_options;
  compile_options.variables = options.variables;
  compile_options.run_lowering = false;
  std::unique_ptr<ExpressionSession> session(new ExpressionSession(compile(compile_options)));
  if (session->prepare(options, problems)) return session;
  compilation = std::move(session->compilation_);
  return nullptr;
}

bool ExpressionSession::prepare(const ExpressionOptions& options, Diagnostics& problems) {
  Compilation& c = *compilation_;
  problems.append(std::exchange(c.diags, {}));
  if (problems.has_errors() || c.configuration.modules.empty()) return false;
  scope_.emplace(c.configuration, c.sources, c.names, problems, lower::LowerOptions{});
  if (problems.has_errors()) return false;

  workspace_ = current_workspace();
  StateOptions state_options;
  state_options.state_path = options.state_path;
  runtime::StatePaths paths;
  if (!find_state(&c, workspace_, state_options, paths, problems)) return false;
  std::optional<runtime::State> state = runtime::LocalState(std::move(paths)).read(problems);
  if (!state) return false;
  state_ = std::move(*state);

  context_.emplace(context(scope_->program()));
  providers_.emplace(runtime::make_registry(*context_));
  expressions_.emplace(*context_, *providers_, state_);
  return true;
}

runtime::RunContext ExpressionSession::context(const Program& program) {
  runtime::RunContext out(program);
  for (const auto& [name, input] : compilation_->inputs) out.variables.push_back({name, input.value, std::nullopt});
  out.workspace = workspace_;
  out.compiler = &templates_;
  return out;
}

std::optional<ExpressionSession::Parsed> ExpressionSession::parse(std::string text, Diagnostics& diags) {
  Parsed out;
  // The line that closes a heredoc ends with its line break.
  if (text.find('\n') != std::string::npos) text += '\n';
  FileId file = compilation_->sources.add(std::string(kConsoleInput), std::move(text));
  Diagnostics found;
  out.tree = hcl::parse_expression(compilation_->sources, file, found);
  out.root = out.tree.root;
  bool failed = found.has_errors();
  diags.append(std::move(found));
  if (failed || !out.root.valid()) return std::nullopt;
  // Terraform's console has no such function, either.
  if (SourceRange called = find_plan_time(out.tree, out.root, compilation_->sources); called.valid()) {
    diags.emit(called, diag::UnknownFunction, "plantimestamp")
        .help("a prompt plans nothing, so there is no time of a plan; `timestamp()` is the time now");
    return std::nullopt;
  }
  hcl::NodeId whole = out.root;
  while (out.tree.kind(whole) == hcl::NodeKind::Paren) whole = out.tree.child(whole, 0);
  if (out.tree.kind(whole) == hcl::NodeKind::Call && out.tree.child_count(whole) == 2 &&
      !out.tree.has(whole, hcl::kExpand) &&
      compilation_->sources.text(out.tree.range(out.tree.child(whole, 0))) == "type") {
    out.of_type = true;
    out.root = out.tree.child(whole, 1);
  }
  return out;
}

std::optional<Answer> ExpressionSession::evaluate(std::string text, Diagnostics& diags) {
  std::optional<Parsed> parsed = parse(std::move(text), diags);
  if (!parsed) return std::nullopt;
  InstId first(static_cast<uint32_t>(program().body(ModuleId(0)).insts.size()));
  Diagnostics found;
  InstId inst = scope_->add(load::Expr{&parsed->tree, parsed->root}, found);
  bool failed = found.has_errors();
  diags.append(std::move(found));
  if (failed) return std::nullopt;
  std::optional<Value> value = expressions_->evaluate(inst, first, diags);
  if (!value) return std::nullopt;
  return answer(program(), inst, std::move(*value), parsed->of_type);
}

Answer ExpressionSession::answer(const Program& program, InstId inst, Value value, bool of_type) {
  // A type that is declared is no secret, whatever the value is.
  const Type& known = program.type(program.body(ModuleId(0)).inst(inst).type);
  const bool secret = has_marked_shape(value) && known.without_optional() != value.type();
  return {std::move(value), of_type, secret};
}

}  // namespace pravo::cli
