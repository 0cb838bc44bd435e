#include "tools/pravoc/compile.h"

#include <cstdlib>

#include "frontend/lower/lower.h"

namespace pravo::cli {

namespace {

// The prefix that makes names relative to the current directory: none for the current directory itself.
std::string display_prefix(std::string directory) {
  while (directory.starts_with("./")) directory.erase(0, 2);
  while (directory.size() > 1 && directory.ends_with('/')) directory.pop_back();
  if (directory.empty() || directory == ".") return "";
  return directory + "/";
}

}  // namespace

size_t Compilation::resource_count() const {
  size_t count = 0;
  for (const load::Module& module : configuration.modules) count += module.resources.size();
  return count;
}

std::unique_ptr<Compilation> compile(const CompileOptions& options) {
  auto result = std::make_unique<Compilation>();
  result->prefix = display_prefix(options.directory);
  load::LoadOptions load_options;
  load_options.directory = options.directory;
  load_options.threads = options.threads;
  if (const char* data = std::getenv("TF_DATA_DIR"); data != nullptr && *data != '\0')
    load_options.data_directory = data;
  result->configuration = load::load_configuration(load_options, result->sources, result->names, result->diags);
  if (result->configuration.modules.empty()) return result;
  auto read_variables = [&] {
    if (!options.read_variables) return;
    // Nobody should type answers for a configuration that is refused.
    const load::VariableAsker nobody;
    result->inputs =
        load::load_variable_values(result->configuration, load_options, options.variables, result->sources,
                                   result->names, result->diags, result->diags.has_errors() ? nobody : options.ask);
  };
  if (!options.ask || !options.run_lowering) read_variables();
  if (!options.run_lowering) {
    result->diags.sort(result->sources);
    return result;
  }
  result->program.emplace(
      lower::lower(result->configuration, result->sources, result->names, result->diags, lower::LowerOptions{}));
  if (options.run_passes) result->facts.emplace(passes::check(*result->program, result->sources, result->diags));
  if (options.ask) read_variables();
  result->diags.sort(result->sources);
  return result;
}

std::string enclosing_block(const Compilation& compilation, SourceRange range) {
  if (!range.valid()) return "";
  for (const hcl::SyntaxTree& tree : compilation.configuration.trees) {
    if (tree.file != range.file || tree.json || !tree.root.valid()) continue;
    for (uint32_t i = 0; i < tree.child_count(tree.root); ++i) {
      hcl::NodeId item = tree.child(tree.root, i);
      SourceRange whole = tree.range(item);
      if (whole.end < range.begin) continue;
      if (whole.begin > range.begin) return "";
      if (tree.kind(item) != hcl::NodeKind::Block) return "";
      hcl::NodeId body = tree.child(item, tree.child_count(item) - 1);
      std::string_view header = compilation.sources.text(SourceRange{tree.file, whole.begin, tree.range(body).begin});
      size_t end = header.find('{');
      header = header.substr(0, end);
      while (!header.empty() && (header.back() == ' ' || header.back() == '\t')) header.remove_suffix(1);
      return std::string(header);
    }
  }
  return "";
}

}  // namespace pravo::cli
