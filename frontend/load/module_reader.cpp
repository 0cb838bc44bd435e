#include "frontend/load/module_reader.h"

#include "frontend/load/decode.h"
#include "frontend/load/files.h"
#include "frontend/load/merge.h"
#include "frontend/load/version.h"
#include "ir/diagnostics/load.h"

namespace pravo::load {

namespace {

struct ParsedFile {
  FileId file;
  hcl::SyntaxTree* tree = nullptr;
};

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
    for (const std::string& name : files.tofu) diags_.emit({}, diag::TofuFile, join_path(module_.directory, name));
    if (files.empty() && files.tofu.empty() && root) diags_.emit({}, diag::NoConfiguration, path_);

    std::vector<std::string> names = std::move(files.primary);
    size_t primaries = names.size();
    names.insert(names.end(), files.overrides.begin(), files.overrides.end());
    auto parsed = parse(names);
    decode(parsed, primaries);
    if (root) check_tests(std::move(files.tests));
  }

 private:
  // Test files of the root module stand beside it or in `tests`.
  void check_tests(std::vector<std::string> names) {
    for (const std::string& name : list_directory(join_path(path_, "tests")).tests) names.push_back("tests/" + name);
    if (names.empty()) return;
    std::vector<FileId> own = module_.files;
    for (ParsedFile& file : parse(names))
      if (file.tree != nullptr) {
        FileContext context{sources_, names_, diags_, *file.tree, false};
        check_test_file(context);
      }
    module_.files = std::move(own);
  }

  // Reading and parsing go in parallel; files join the sources in between, in order.
  std::vector<ParsedFile> parse(const std::vector<std::string>& names) {
    std::vector<FileText> texts(names.size());
    parallel_for(names.size(), threads_, [&](size_t i) { texts[i] = read_file(join_path(path_, names[i])); });

    std::vector<ParsedFile> parsed(names.size());
    for (size_t i = 0; i < names.size(); ++i) {
      std::string shown = join_path(module_.directory, names[i]);
      if (!texts[i].error.empty()) {
        diags_.emit({}, diag::FileUnreadable, shown, texts[i].error);
        continue;
      }
      parsed[i].file = sources_.add(std::move(shown), std::move(texts[i].text));
      parsed[i].tree = &configuration_.trees.emplace_back();
      module_.files.push_back(parsed[i].file);
    }
    if (!module_.files.empty()) module_.anywhere = {module_.files.front(), 0, 0};

    std::vector<Diagnostics> faults(names.size());
    parallel_for(names.size(), threads_, [&](size_t i) {
      if (parsed[i].tree == nullptr) return;
      bool json = std::string_view(names[i]).ends_with(".json");
      *parsed[i].tree = json ? hcl::parse_json(sources_, parsed[i].file, faults[i])
                             : hcl::parse_native(sources_, parsed[i].file, faults[i]);
    });
    for (Diagnostics& file : faults) diags_.append(std::move(file));
    return parsed;
  }

  void decode(const std::vector<ParsedFile>& parsed, size_t primaries) {
    Declarations declarations{module_, {}, {}, {}};
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
    check_required_versions();
  }

  void check_required_versions() {
    for (const auto& [text, range] : module_.required_versions) {
      auto constraints = parse_version_constraints(text);
      if (!constraints) continue;
      static const Version kLanguage = *parse_version(kLanguageVersion);
      bool met = true;
      for (const VersionConstraint& constraint : *constraints) {
        if (!constraint.version.prerelease.empty()) {
          diags_.emit(range, diag::PrereleaseConstraint, text);
          met = true;
          break;
        }
        met = met && satisfies(kLanguage, constraint);
      }
      if (!met) diags_.emit(range, diag::UnsupportedVersion, text, kLanguageVersion);
    }
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
