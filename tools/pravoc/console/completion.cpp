#include "tools/pravoc/console/completion.h"

#include <algorithm>

#include <fmt/format.h>

#include "ir/functions.h"

namespace pravo::cli {

namespace {

class Completer {
 public:
  Completer(const Program& program, std::string_view word) : program_(program), word_(word) {
    size_t dot = word.rfind('.');
    if (dot == std::string_view::npos) return;
    base_ = word.substr(0, dot);
    prefix_ = word.substr(0, dot + 1);
  }

  std::vector<std::string> run() {
    const ModuleBody& root = program_.body(ModuleId(0));
    if (base_.empty()) roots(root);
    if (base_ == "var")
      for (const VariableInfo& variable : root.variables) add(program_.text(variable.name));
    if (base_ == "local")
      for (const auto& [inst, name] : root.hints)
        if (root.inst(inst).kind == OpKind::Local) add(program_.text(name));
    if (base_ == "path")
      for (std::string_view name : {"cwd", "module", "root"}) add(name);
    if (base_ == "terraform")
      for (std::string_view name : {"applying", "workspace"}) add(name);
    for (const ModuleCallInfo& call : root.calls) {
      if (base_ == "module") add(program_.text(call.name));
      if (base_ == fmt::format("module.{}", program_.text(call.name)))
        for (const auto& [output, inst] : call.outs) add(program_.text(output));
    }
    for (const ResourceInfo& resource : root.resources) this->resource(root, resource);
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    return std::move(found_);
  }

 private:
  void add(std::string_view name, std::string_view behind = "") {
    std::string whole = fmt::format("{}{}{}", prefix_, name, behind);
    if (whole.starts_with(word_)) found_.push_back(std::move(whole));
  }

  void roots(const ModuleBody& root) {
    // A prompt plans nothing.
    for (const FunctionInfo& info : all_functions())
      if (info.purity != Purity::PlanClock) add(info.name, "(");
    add("type", "(");
    for (std::string_view word : {"true", "false", "null", "for"}) add(word);
    for (std::string_view object : {"path", "terraform"}) add(object, ".");
    if (!root.variables.empty()) add("var", ".");
    if (!root.calls.empty()) add("module", ".");
    for (const auto& [inst, name] : root.hints)
      if (root.inst(inst).kind == OpKind::Local) return add("local", ".");
  }

  void resource(const ModuleBody& root, const ResourceInfo& resource) {
    std::string_view type = program_.text(resource.type);
    std::string_view name = program_.text(resource.name);
    std::string_view mode = resource.mode == ResourceMode::Managed ? "" : resource_mode_text(resource.mode);
    std::string first = mode.empty() ? std::string(type) : fmt::format("{}.{}", mode, type);
    if (base_.empty()) add(mode.empty() ? type : mode, ".");
    if (!mode.empty() && base_ == mode) add(type, ".");
    if (base_ == first) add(name);
    // With count or for_each the attributes are behind an index.
    if (resource.expand.valid() || base_ != fmt::format("{}.{}", first, name)) return;
    const Type& value = program_.type(root.inst(resource.inst).type);
    if (value.kind() == TypeKind::Object)
      for (const Str& attribute : value.keys().all()) add(attribute.view());
  }

  const Program& program_;
  std::string_view word_;
  std::string_view base_;    // what stands before the last dot
  std::string_view prefix_;  // the same with the dot
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> complete(const Program& program, std::string_view word) {
  return Completer(program, word).run();
}

}  // namespace pravo::cli
