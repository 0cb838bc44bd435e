#include "tools/pravoc/compile.h"

#include <cstdlib>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_set>

#include "frontend/hcl/parse.h"
#include "frontend/lower/lower.h"
#include "ir/large_pages.h"
#include "tools/pravoc/follow_ups.h"

namespace pravo::cli {

namespace {

// The prefix that makes names relative to the current directory: none for the current directory itself.
std::string display_prefix(std::string directory) {
  while (directory.starts_with("./")) directory.erase(0, 2);
  while (directory.size() > 1 && directory.ends_with('/')) directory.pop_back();
  if (directory.empty() || directory == ".") return "";
  return directory + "/";
}

// Each module once, those of tests, too.
template <class F>
void for_each_module(const load::Configuration& configuration, F visit) {
  std::unordered_set<std::string_view> seen;
  auto visit_all = [&](const load::Configuration& part) {
    for (const load::Module& module : part.modules)
      if (seen.insert(module.canonical).second) visit(module);
  };
  visit_all(configuration);
  for (const auto& tested : configuration.test_modules) visit_all(*tested);
}

// The modules that tests run, each as the root that it is there. What is a module of the configuration itself was
// checked with that; what both have in common is reported once.
void check_test_modules(Compilation& compilation, const CompileOptions& options) {
  load::Configuration& configuration = compilation.configuration;
  std::unordered_set<std::string_view> own;
  for (const load::Module& module : configuration.modules) own.insert(module.canonical);
  for (const auto& tested : configuration.test_modules) {
    if (own.contains(tested->root().canonical)) continue;
    Program program =
        lower::lower(*tested, compilation.sources, compilation.names, compilation.diags, lower::LowerOptions{});
    if (options.run_passes) passes::check(program, compilation.sources, compilation.diags);
  }
}

// A quarter of all memory, which the passes may have.
void release_syntax(load::Configuration& configuration) {
  constexpr size_t kLarge = 1U << 18;
  for (hcl::SyntaxTree& tree : configuration.trees) {
    // Giving back thousands of small ones costs more than it is worth.
    if (tree.words.size() >= kLarge) return_freed_memory();
    tree.root = {};
    // Assigning an empty vector would keep the memory.
    std::destroy_at(&tree.words);
    std::construct_at(&tree.words);
  }
}

void drop_repetitions(Diagnostics& diags) {
  using Key = std::tuple<DiagnosticKind, uint32_t, uint32_t, uint32_t, std::string>;
  std::set<Key> seen;
  Diagnostics unique;
  for (const Diagnostic& d : diags.all()) {
    bool placed = d.range.valid();
    Key key{d.kind, placed ? d.range.file.index : UINT32_MAX, d.range.begin, d.range.end, d.message};
    if (seen.insert(std::move(key)).second) unique.add(d);
  }
  diags = std::move(unique);
}

}  // namespace

size_t Compilation::module_count() const {
  size_t count = 0;
  for_each_module(configuration, [&](const load::Module&) { ++count; });
  return count;
}

size_t Compilation::resource_count() const {
  size_t count = 0;
  for_each_module(configuration, [&](const load::Module& module) { count += module.resources.size(); });
  return count;
}

std::unique_ptr<Compilation> compile(const CompileOptions& options) {
  auto result = std::make_unique<Compilation>();
  result->prefix = display_prefix(options.directory);
  load::LoadOptions load_options;
  load_options.directory = options.directory;
  load_options.threads = options.threads;
  load_options.tests = options.tests;
  load_options.test_directory = options.test_directory;
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
  if (!options.run_lowering) {
    read_variables();
    result->diags.sort(result->sources);
    return result;
  }
  result->program.emplace(
      lower::lower(result->configuration, result->sources, result->names, result->diags, lower::LowerOptions{}));
  if (!options.keep_syntax && result->configuration.test_modules.empty()) release_syntax(result->configuration);
  if (options.run_passes) result->facts.emplace(passes::check(*result->program, result->sources, result->diags));
  read_variables();
  if (!result->configuration.test_modules.empty()) {
    check_test_modules(*result, options);
    drop_repetitions(result->diags);
  }
  drop_follow_ups(result->diags, result->sources);
  result->diags.sort(result->sources);
  return result;
}

namespace {

// A tree whose syntax was given up is parsed again: few files have something to report.
const hcl::SyntaxTree& syntax_of(const Compilation& compilation, const hcl::SyntaxTree& tree) {
  if (tree.root.valid()) return tree;
  auto [at, fresh] = compilation.parsed_again.try_emplace(tree.file);
  if (fresh) {
    Diagnostics reported;
    at->second = hcl::parse_native(compilation.sources, tree.file, reported);
  }
  return at->second;
}

}  // namespace

std::string enclosing_block(const Compilation& compilation, SourceRange range) {
  if (!range.valid()) return "";
  for (const hcl::SyntaxTree& known : compilation.configuration.trees) {
    if (known.file != range.file || known.json) continue;
    const hcl::SyntaxTree& tree = syntax_of(compilation, known);
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
