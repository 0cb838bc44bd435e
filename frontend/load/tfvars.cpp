// Values of root variables. What is in these files, on the command line and in the environment may be secret, so
// no message holds a word of it: neither a value nor the text of its source.
#include "frontend/load/variables.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include <unistd.h>

#include "frontend/hcl/parse.h"
#include "frontend/load/checks.h"
#include "frontend/load/files.h"
#include "frontend/load/literal.h"
#include "frontend/load/parse_files.h"
#include "frontend/load/static_expr.h"
#include "frontend/load/typeexpr.h"
#include "ir/convert.h"
#include "ir/diagnostics/load.h"
#include "ir/diagnostics/runtime.h"
#include "ir/diagnostics/syntax.h"
#include "ir/unicode.h"

extern char** environ;

namespace pravo::load {

using hcl::NodeId;
using hcl::NodeKind;

namespace {

constexpr std::string_view kEnvironmentPrefix = "TF_VAR_";

// What the parser may say of a file whose text is secret: kinds whose messages hold nothing of it.
bool is_plain(DiagnosticKind kind) {
  constexpr DiagnosticKind kPlain[] = {
      diag::AttributeRedefined.kind, diag::UnclosedBracket.kind, diag::NestingTooDeep.kind, diag::InvalidUtf8.kind,
      diag::FileTooLarge.kind,       diag::JsonRoot.kind,        diag::Utf16.kind,
  };
  return std::find(std::begin(kPlain), std::end(kPlain), kind) != std::end(kPlain);
}

void append_without_text(Diagnostics& diags, const Diagnostics& faults) {
  for (const Diagnostic& fault : faults.all()) {
    if (is_plain(fault.kind)) {
      diags.add(fault);
      continue;
    }
    Diagnostic hidden(fault.kind, fault.range);
    hidden.message = "the syntax is wrong here";
    hidden.help = "what stands there is not shown, since it may be secret";
    diags.add(std::move(hidden));
  }
}

class ValueReader {
 public:
  ValueReader(const Configuration& configuration, const LoadOptions& options, SourceManager& sources, Names& names,
              Diagnostics& diags)
      : configuration_(configuration), options_(options), sources_(sources), names_(names), diags_(diags) {
    if (configuration.modules.empty()) return;
    for (const Variable& variable : configuration.root().variables) variables_.emplace(variable.name.id, &variable);
  }

  std::map<NameId, InputValue> read(const std::vector<VarArgument>& arguments, const VariableAsker& ask) {
    read_environment();
    read_default_files();
    for (const VarArgument& argument : arguments) {
      if (argument.is_file)
        read_file_of_values(argument.text, argument.text, VariableOrigin::VarFile);
      else
        read_option(argument.text);
    }
    if (ask) ask_for_missing(ask);
    // Only what wins in the end is looked at, so a wrong value that another one replaces is no fault.
    for (const auto& [name, given] : given_) evaluate(name, given);
    return std::move(values_);
  }

 private:
  // A value as it was given: an expression in a file, or text.
  struct Given {
    VariableOrigin origin;
    Expr expr;
    SourceRange name_range;
    std::string text;
  };

  const Variable* find(std::string_view name) const {
    NameId id = names_.find(name);
    if (!id.valid()) return nullptr;
    auto at = variables_.find(id);
    return at == variables_.end() ? nullptr : at->second;
  }

  // --- the environment

  void read_environment() {
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
      std::string_view text = *entry;
      if (!text.starts_with(kEnvironmentPrefix)) continue;
      text.remove_prefix(kEnvironmentPrefix.size());
      size_t equals = text.find('=');
      if (equals == std::string_view::npos) continue;
      std::string name = normalize_nfc(text.substr(0, equals));
      // One that is not declared is for another configuration.
      if (find(name) != nullptr)
        given_[name] = {VariableOrigin::Environment, {}, {}, std::string(text.substr(equals + 1))};
    }
  }

  // --- files

  void read_default_files() {
    const std::string& directory = options_.directory;
    for (std::string_view name : {"terraform.tfvars", "terraform.tfvars.json"}) {
      std::string path = join_path(directory, name);
      if (access(path.c_str(), F_OK) == 0)
        read_file_of_values(path, std::string(name), VariableOrigin::TerraformTfvars);
    }
    for (const std::string& name : configuration_.root_tfvars)
      read_file_of_values(join_path(directory, name), name, VariableOrigin::AutoTfvars);
  }

  void read_file_of_values(const std::string& path, std::string shown, VariableOrigin origin) {
    bool json = shown.ends_with(".json");
    auto added = add_file(read_file(path), std::move(shown), true, sources_, diags_);
    if (!added) return;
    FileId file = *added;
    Diagnostics faults;
    hcl::SyntaxTree& tree = trees_.emplace_back();
    tree = json ? hcl::parse_json(sources_, file, faults, hcl::JsonStrings::Literal)
                : hcl::parse_native(sources_, file, faults);
    append_without_text(diags_, faults);
    if (!tree.root.valid()) return;
    if (json)
      read_json_values(tree, origin);
    else
      read_native_values(tree, origin);
  }

  void read_native_values(const hcl::SyntaxTree& tree, VariableOrigin origin) {
    for (uint32_t i = 0; i < tree.child_count(tree.root); ++i) {
      NodeId child = tree.child(tree.root, i);
      if (tree.kind(child) == NodeKind::Block) {
        diags_.emit(tree.range(tree.child(child, 0)), diag::BlockInValues);
      } else if (tree.kind(child) == NodeKind::Attribute) {
        SourceRange name = tree.range(tree.child(child, 0));
        given_[normalize_nfc(sources_.text(name))] = {origin, {&tree, tree.child(child, 1)}, name, {}};
      }
    }
  }

  void read_json_values(const hcl::SyntaxTree& tree, VariableOrigin origin) {
    if (tree.kind(tree.root) != NodeKind::Object) {
      diags_.emit(tree.range(tree.root), diag::JsonShape, "a file of values", "an object");
      return;
    }
    std::unordered_map<std::string, SourceRange> seen;
    for (uint32_t i = 0; i < tree.child_count(tree.root); ++i) {
      NodeId item = tree.child(tree.root, i);
      if (tree.kind(item) != NodeKind::ObjectItem) continue;
      NodeId key = tree.child(item, 0);
      std::string name = normalize_nfc(hcl::json_string_text(sources_, tree, key));
      if (name == "//") continue;
      auto [first, fresh] = seen.try_emplace(name, tree.range(key));
      if (!fresh)
        diags_.emit(tree.range(key), diag::DuplicateArgument, name).note(first->second, "first set here");
      else
        given_[name] = {origin, {&tree, tree.child(item, 1)}, tree.range(key), {}};
    }
  }

  // --- the command line

  void read_option(const std::string& text) {
    size_t equals = text.find('=');
    auto invalid = [&](std::string_view fact) { diags_.emit({}, diag::InvalidVarOption, fact); };
    if (equals == std::string::npos) return invalid("there is no `=`");
    std::string name = normalize_nfc(text.substr(0, equals));
    if (name.find_first_not_of(' ') == std::string::npos) return invalid("there is no name before the `=`");
    if (name.ends_with(' ') || name.starts_with(' ')) return invalid("there is a space beside the name");
    given_[name] = {VariableOrigin::VarOption, {}, {}, text.substr(equals + 1)};
  }

  // --- the user

  void ask_for_missing(const VariableAsker& ask) {
    std::vector<const Variable*> missing;
    for (const auto& [id, variable] : variables_)
      if (!variable->default_value && !given_.contains(std::string(names_.text(id)))) missing.push_back(variable);
    auto name_of = [&](const Variable* variable) { return names_.text(variable->name.id); };
    std::sort(missing.begin(), missing.end(),
              [&](const Variable* a, const Variable* b) { return name_of(a) < name_of(b); });
    for (const Variable* variable : missing)
      if (std::optional<std::string> answer = ask(*variable, name_of(variable)))
        given_[std::string(name_of(variable))] = {VariableOrigin::Answer, {}, {}, std::move(*answer)};
  }

  // --- what a value is

  void evaluate(const std::string& name, const Given& given) {
    const Variable* variable = find(name);
    if (variable == nullptr) return report_undeclared(name, given);
    if (given.expr) {
      auto value = evaluate_constant(sources_, given.expr, diags_, Quote::No);
      if (value) accept(*variable, *value, given.expr, given.expr.range(), given.origin);
      return;
    }
    // Of a primitive type text is the value, else it is an expression.
    if (takes_plain_text(variable->type_expr, variable->type.type)) {
      accept(*variable, Value::string(given.text), {}, {}, given.origin);
      return;
    }
    std::string place = given.origin == VariableOrigin::Environment ? fmt::format("<{}{}>", kEnvironmentPrefix, name)
                        : given.origin == VariableOrigin::Answer    ? fmt::format("<answer for {}>", name)
                                                                    : fmt::format("<var.{} in -var>", name);
    FileId file = sources_.add(std::move(place), given.text, true);
    Diagnostics faults;
    hcl::SyntaxTree& tree = trees_.emplace_back();
    tree = hcl::parse_expression(sources_, file, faults);
    append_without_text(diags_, faults);
    if (faults.has_errors() || !tree.root.valid()) return;
    Expr expr{&tree, tree.root};
    auto value = evaluate_constant(sources_, expr, diags_, Quote::No);
    if (value) accept(*variable, *value, expr, {}, given.origin);
  }

  void report_undeclared(std::string_view name, const Given& given) {
    std::vector<std::string_view> candidates;
    if (guesses_.afford(variables_.size()))
      for (const auto& [id, variable] : variables_) candidates.push_back(names_.text(id));
    std::sort(candidates.begin(), candidates.end());
    auto closest = closest_name(name, candidates);
    auto built = given.origin == VariableOrigin::VarOption
                     ? diags_.emit({}, diag::UndeclaredVarOption, name)
                     : diags_.emit(given.name_range, diag::UndeclaredVariableValue, name);
    if (!closest.empty()) built.help(fmt::format("did you mean `{}`?", closest));
  }

  void accept(const Variable& variable, const Value& given, Expr expr, SourceRange range, VariableOrigin origin) {
    std::string_view name = names_.text(variable.name.id);
    if (given.is_null() && !variable.nullable) {
      // Null asks for the default.
      if (variable.default_value) return;
      diags_.emit(range, diag::InvalidVariableValue, name, "null is not allowed")
          .note(variable.header, "declared here");
      return;
    }
    auto converted = convert_with_defaults(given, variable.type);
    if (!converted.ok()) {
      for (const PlacedMisfit& part : find_misfits(sources_, expr, given, variable.type.type)) {
        // Text of the command line or the environment is no place that one could look at.
        SourceRange place = range.valid() ? part.place.range() : SourceRange{};
        bool secret = variable.sensitive || variable.ephemeral;
        std::string fact = secret ? part.fault.text_of_secret(variable.type.type) : part.fault.text();
        auto report = diags_.emit(place, diag::InvalidVariableValue, name, origin_text(origin) + fact);
        report.note(variable.header, "declared here");
        if (!part.fault.missing.empty())
          report.help(fmt::format("add it to the object, as in `{{ \"{}\": ... }}`", part.fault.missing.front()));
      }
      return;
    }
    MarkSet marks = MarkSet::None;
    if (variable.sensitive) marks |= MarkSet::Sensitive;
    if (variable.ephemeral) marks |= MarkSet::Ephemeral;
    values_[variable.name.id] = {std::move(converted).value().with_marks(marks), given.with_marks(marks), origin,
                                 range};
  }

  static std::string origin_text(VariableOrigin origin) {
    switch (origin) {
      case VariableOrigin::Environment:
        return "in the environment, ";
      case VariableOrigin::VarOption:
        return "in `-var`, ";
      case VariableOrigin::Answer:
        return "in the answer, ";
      case VariableOrigin::TerraformTfvars:
      case VariableOrigin::AutoTfvars:
      case VariableOrigin::VarFile:
        return "";
    }
    PRAVOC_UNREACHABLE();
  }

  const Configuration& configuration_;
  const LoadOptions& options_;
  SourceManager& sources_;
  Names& names_;
  Diagnostics& diags_;
  Guesses guesses_;
  std::map<NameId, const Variable*> variables_;
  std::map<std::string, Given> given_;
  std::deque<hcl::SyntaxTree> trees_;
  std::map<NameId, InputValue> values_;
};

}  // namespace

std::map<NameId, InputValue> load_variable_values(const Configuration& configuration, const LoadOptions& options,
                                                  const std::vector<VarArgument>& arguments, SourceManager& sources,
                                                  Names& names, Diagnostics& diags, const VariableAsker& ask) {
  return ValueReader(configuration, options, sources, names, diags).read(arguments, ask);
}

}  // namespace pravo::load
