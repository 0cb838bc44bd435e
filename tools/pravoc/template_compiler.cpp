#include "tools/pravoc/template_compiler.h"

#include <fmt/format.h>

#include "frontend/hcl/parse.h"
#include "frontend/load/config.h"
#include "frontend/load/literal.h"
#include "frontend/lower/lower.h"

namespace pravo::cli {

namespace {

// A program and everything that it refers to.
struct Compiled {
  SourceManager sources;
  Names names;
  load::Configuration configuration;
  std::optional<Program> program;
};

// A template's text may be secret, so a message says where, never what.
std::unique_ptr<EvalError> first_error(const SourceManager& sources, const Diagnostics& diags, std::string_view name) {
  for (const Diagnostic& d : diags.all()) {
    if (d.severity != Severity::Error) continue;
    std::string place = std::string(name);
    if (d.range.valid()) {
      LineColumn at = sources.position(d.range.file, d.range.begin);
      place += fmt::format(":{}:{}", at.line, at.column);
    }
    return fail(EvalErrorKind::Value, fmt::format("{}: {}", place, d.message));
  }
  return fail(EvalErrorKind::Value, fmt::format("{} cannot be read", name));
}

bool calls_templates(const SourceManager& sources, const hcl::SyntaxTree& tree) {
  std::vector<hcl::NodeId> todo{tree.root};
  while (!todo.empty()) {
    hcl::NodeId n = todo.back();
    todo.pop_back();
    if (tree.kind(n) == hcl::NodeKind::Call) {
      std::string_view called = sources.text(tree.range(tree.child(n, 0)));
      if (called.starts_with("core::")) called.remove_prefix(6);
      if (called == "templatefile" || called == "templatestring") return true;
    }
    for (uint32_t i = 0; i < tree.child_count(n); ++i) todo.push_back(tree.child(n, i));
  }
  return false;
}

}  // namespace

Result<std::shared_ptr<const Program>> TemplateCompiler::compile_template(std::string_view text, std::string_view name,
                                                                          std::span<const std::string> variables) {
  auto compiled = std::make_shared<Compiled>();
  Diagnostics diags;
  FileId file = compiled->sources.add(std::string(name), std::string(text), true);
  compiled->configuration.trees.push_back(hcl::parse_template(compiled->sources, file, diags));
  const hcl::SyntaxTree& tree = compiled->configuration.trees.back();
  if (diags.has_errors() || !tree.root.valid()) return first_error(compiled->sources, diags, name);
  if (calls_templates(compiled->sources, tree))
    return fail(EvalErrorKind::Value, fmt::format("{} renders a template itself, which templates may not", name));

  load::Module& module = compiled->configuration.modules.emplace_back();
  module.is_template = true;
  module.directory.assign(1, '.');
  module.files.push_back(file);
  module.anywhere = tree.range(tree.root);
  for (const std::string& variable : variables) {
    load::Variable& declared = module.variables.emplace_back();
    declared.name = {compiled->names.intern(variable), module.anywhere};
    declared.header = module.anywhere;
  }
  load::Output& output = module.outputs.emplace_back();
  output.name = {compiled->names.intern("result"), module.anywhere};
  output.header = module.anywhere;
  output.value = load::Expr{&tree, tree.root};
  compiled->program.emplace(lower::lower(compiled->configuration, compiled->sources, compiled->names, diags, {}));
  if (diags.has_errors()) return first_error(compiled->sources, diags, name);
  return std::shared_ptr<const Program>(compiled, &*compiled->program);
}

Result<Value> TemplateCompiler::parse_variables(std::string_view text) {
  SourceManager sources;
  Diagnostics diags;
  FileId file = sources.add("the text", std::string(text), true);
  hcl::SyntaxTree tree = hcl::parse_native(sources, file, diags);
  std::vector<std::pair<Str, Value>> attributes;
  for (uint32_t i = 0; !diags.has_errors() && i < tree.child_count(tree.root); ++i) {
    hcl::NodeId item = tree.child(tree.root, i);
    if (tree.kind(item) != hcl::NodeKind::Attribute) return fail(EvalErrorKind::Value, "a variable file has no blocks");
    std::optional<Value> value =
        load::evaluate_constant(sources, load::Expr{&tree, tree.child(item, 1)}, diags, load::Quote::No);
    if (!value) break;
    attributes.emplace_back(Str(sources.text(tree.range(tree.child(item, 0)))), std::move(*value));
  }
  if (diags.has_errors()) return first_error(sources, diags, "the text");
  return Value::object(std::move(attributes));
}

}  // namespace pravo::cli
