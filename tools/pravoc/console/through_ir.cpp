#include "tools/pravoc/console/through_ir.h"

#include <unordered_map>

#include <fmt/format.h>

#include "ir/text.h"
#include "ir/verify.h"
#include "passes/fold.h"
#include "passes/mark_propagate.h"
#include "passes/module_index.h"

namespace pravo::cli {

namespace {

std::string name_of(size_t line) { return fmt::format("expression-{}", line + 1); }

// The text parsed, or nothing where it does not give the same text again.
std::unique_ptr<Program> reread(const std::string& text, Names& names, SourceManager& sources,
                                std::vector<std::string>& faults) {
  auto program = std::make_unique<Program>(names);
  Diagnostics diags;
  FileId file = sources.add("expressions.ir", text);
  if (!parse_program(sources, file, *program, diags)) {
    for (const Diagnostic& diagnostic : diags.all()) {
      LineColumn at = sources.position(diagnostic.range.file, diagnostic.range.begin);
      faults.push_back(fmt::format("the printed IR does not parse: {}:{}: {}", at.line, at.column, diagnostic.message));
    }
    return nullptr;
  }
  for (const std::string& fault : verify(*program)) faults.push_back("the parsed IR is not sound: " + fault);
  if (print_program(*program) != text) faults.push_back("the parsed IR prints as another text");
  return faults.empty() ? std::move(program) : nullptr;
}

// Looks for values with marks that nothing predicted. Sensitive marks that a state remembers cannot be predicted.
class Predictions : public runtime::MarkOracle {
 public:
  Predictions(const Program& program, bool with_state, std::vector<std::string>& faults)
      : program_(program),
        facts_(passes::propagate_marks(program)),
        bits_(with_state ? MarkSet::Ephemeral : MarkSet::Both),
        faults_(faults) {}

  bool covers(ModuleId module, InstId inst, const Value& value) override {
    if (!passes::predicts(facts_.trees, *program_.names, facts_.at(module, inst), value, bits_))
      faults_.push_back(
          fmt::format("line {}: not all marks of {} were predicted", line, print_name(program_, module, inst)));
    return true;
  }

  size_t line = 0;  // that is being evaluated

 private:
  const Program& program_;
  passes::MarkFacts facts_;
  MarkSet bits_;
  std::vector<std::string>& faults_;
};

}  // namespace

ThroughIr evaluate_through_ir(ExpressionSession& session, const std::vector<std::string>& lines) {
  ThroughIr out;
  out.answers.resize(lines.size());
  out.diags.resize(lines.size());
  std::vector<bool> failed(lines.size(), false);
  std::vector<bool> of_type(lines.size(), false);
  std::unordered_map<uint32_t, size_t> line_of_file;
  for (size_t i = 0; i < lines.size(); ++i) {
    std::optional<ExpressionSession::Parsed> parsed = session.parse(lines[i], out.diags[i]);
    failed[i] = !parsed;
    if (!parsed) continue;
    of_type[i] = parsed->of_type;
    line_of_file.emplace(parsed->tree.file.index, i);
    Diagnostics found;
    session.scope().add_local(name_of(i), load::Expr{&parsed->tree, parsed->root}, found);
    failed[i] = found.has_errors();
    out.diags[i].append(std::move(found));
  }

  const Program& lowered = session.program();
  for (const std::string& fault : verify(lowered)) out.faults.push_back("the IR is not sound: " + fault);
  if (!out.faults.empty()) return out;
  Diagnostics certain;
  passes::report_certain_failures(lowered, passes::index_modules(lowered), certain);
  for (const Diagnostic& diagnostic : certain.all()) {
    auto line = line_of_file.find(diagnostic.range.file.index);
    if (line == line_of_file.end()) continue;
    failed[line->second] = true;
    out.diags[line->second].add(diagnostic);
  }

  SourceManager sources;
  Names names;
  std::unique_ptr<Program> program = reread(print_program(lowered), names, sources, out.faults);
  if (!program) return out;

  Predictions predictions(*program, session.state().has_resources(), out.faults);
  runtime::RunContext context = session.context(*program);
  context.oracle = &predictions;
  for (runtime::RootVariable& variable : context.variables) variable.name = names.intern(lowered.text(variable.name));
  provider::Registry providers = runtime::make_registry(context);
  runtime::Expressions expressions(context, providers, session.state());
  const ModuleBody& root = program->body(ModuleId(0));
  std::unordered_map<std::string_view, InstId> locals;
  for (uint32_t i = 0; i < root.insts.size(); ++i)
    if (const Inst& inst = root.inst(InstId(i)); inst.kind == OpKind::Local)
      locals[program->text(NameId(inst.payload))] = InstId(i);
  InstId end(static_cast<uint32_t>(root.insts.size()));
  for (size_t i = 0; i < lines.size(); ++i) {
    if (failed[i]) continue;
    predictions.line = i + 1;
    Diagnostics found;
    const InstId local = locals.at(name_of(i));
    std::optional<Value> value = expressions.evaluate(local, end, found);
    if (value) out.answers[i] = ExpressionSession::answer(*program, local, std::move(*value), of_type[i]);
    // Places in the printed text say nothing to anyone.
    for (Diagnostic diagnostic : found.all()) {
      diagnostic.range = {};
      diagnostic.notes.clear();
      out.diags[i].add(std::move(diagnostic));
    }
  }
  return out;
}

}  // namespace pravo::cli
