#include "frontend/load/module_reader.h"

#include <algorithm>

#include "frontend/load/decode.h"
#include "frontend/load/files.h"
#include "frontend/load/merge.h"
#include "frontend/load/parse_files.h"
#include "ir/diagnostics/load.h"

namespace pravo::load {

namespace {

class ModuleReader {
 public:
  ModuleReader(const std::string& path, unsigned threads, Configuration& configuration, Module& module,
               SourceManager& sources, Names& names, Diagnostics& diags)
      : path_(path),
        threads_(threads),
        configuration_(configuration),
        module_(module),
        sources_(sources),
        names_(names),
        diags_(diags) {}

  void read(bool root) {
    DirectoryFiles files = list_directory(path_);
    if (!files.error.empty()) {
      diags_.emit({}, diag::DirectoryUnreadable, path_, files.error);
      return;
    }
    for (const std::string& name : files.tofu)
      if (!has_twin(files, name)) diags_.emit({}, diag::TofuFile, join_path(module_.directory, name));
    if (files.empty() && files.tofu.empty() && root) diags_.emit({}, diag::NoConfiguration, path_);

    std::vector<std::string> names = std::move(files.primary);
    size_t primaries = names.size();
    names.insert(names.end(), files.overrides.begin(), files.overrides.end());
    if (root) {
      configuration_.root_tests = std::move(files.tests);
      configuration_.root_tfvars = std::move(files.tfvars);
    }
    auto parsed = parse_files(path_, module_.directory, names, files.all_regular, threads_, configuration_.trees,
                              sources_, diags_);
    for (const ParsedFile& file : parsed)
      if (file.tree != nullptr) module_.files.push_back(file.file);
    if (!module_.files.empty()) module_.anywhere = {module_.files.front(), 0, 0};
    decode(parsed, primaries);
  }

 private:
  // Whether `NAME.tf` or `NAME.tf.json` stands beside `NAME.tofu`: what OpenTofu reads in its place is of no concern.
  static bool has_twin(const DirectoryFiles& files, std::string_view tofu) {
    std::string stem(tofu.substr(0, tofu.rfind(".tofu")));
    for (const auto* names : {&files.primary, &files.overrides})
      for (std::string_view ending : {".tf", ".tf.json"})
        if (std::binary_search(names->begin(), names->end(), stem + std::string(ending))) return true;
    return false;
  }

  void decode(const std::vector<ParsedFile>& parsed, size_t primaries) {
    Declarations declarations{module_, {}, {}, {}};
    // Growing by doubling would move them, and leave holes of the size of what was moved.
    size_t resources = 0;
    for (size_t i = 0; i < primaries; ++i)
      if (parsed[i].tree != nullptr) resources += count_resources(*parsed[i].tree);
    module_.resources.reserve(resources);
    for (size_t i = 0; i < primaries; ++i)
      if (parsed[i].tree != nullptr) {
        FileContext context{sources_, names_, diags_, *parsed[i].tree, false};
        decode_file(context, declarations);
      }
    drop_duplicates(module_, names_, diags_);
    for (size_t i = primaries; i < parsed.size(); ++i) {
      if (parsed[i].tree == nullptr) continue;
      Module overriding;
      Declarations over{overriding, {}, {}, {}};
      FileContext context{sources_, names_, diags_, *parsed[i].tree, true};
      decode_file(context, over);
      apply_override(module_, over, sources_, names_, diags_);
    }
  }

  // Of native syntax; other files are few.
  size_t count_resources(const hcl::SyntaxTree& tree) const {
    if (tree.json) return 0;
    size_t count = 0;
    for (uint32_t i = 0; i < tree.child_count(tree.root); ++i) {
      hcl::NodeId child = tree.child(tree.root, i);
      if (tree.kind(child) == hcl::NodeKind::Block && sources_.text(tree.range(tree.child(child, 0))) == "resource")
        ++count;
    }
    return count;
  }

  const std::string& path_;
  unsigned threads_;
  Configuration& configuration_;
  Module& module_;
  SourceManager& sources_;
  Names& names_;
  Diagnostics& diags_;
};

}  // namespace

void read_module(const std::string& path, bool root, unsigned threads, Configuration& configuration, Module& module,
                 SourceManager& sources, Names& names, Diagnostics& diags) {
  ModuleReader(path, threads, configuration, module, sources, names, diags).read(root);
}

}  // namespace pravo::load
