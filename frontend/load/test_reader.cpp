#include "frontend/load/test_reader.h"

#include "frontend/load/decode.h"
#include "frontend/load/files.h"
#include "frontend/load/parse_files.h"
#include "ir/diagnostics/load.h"

namespace pravo::load {

namespace {

constexpr std::string_view kDefaultTestDirectory = "tests";

class TestReader {
 public:
  TestReader(const std::string& path, const LoadOptions& options, Configuration& configuration, SourceManager& sources,
             Names& names, Diagnostics& diags)
      : path_(path),
        options_(options),
        configuration_(configuration),
        sources_(sources),
        names_(names),
        diags_(diags) {}

  void read() {
    std::vector<std::string> names = file_names();
    if (names.empty()) return;
    std::vector<ParsedFile> parsed = parse(path_, configuration_.root().directory, names);
    for (size_t i = 0; i < names.size(); ++i) {
      if (parsed[i].tree == nullptr) continue;
      TestFile& test = configuration_.tests.emplace_back();
      test.name = names[i];
      FileContext context = context_of(parsed[i]);
      decode_test_file(context, test);
      for (TestProvider& provider : test.providers)
        if (!provider.source.empty()) read_mock_data(provider);
    }
  }

 private:
  // Those of the directory itself come first.
  std::vector<std::string> file_names() {
    std::vector<std::string> names = configuration_.root_tests;
    std::string beside = join_path(".", options_.test_directory);
    if (beside == ".") return names;
    DirectoryFiles files = list_directory(join_path(path_, beside));
    if (!files.error.empty() && options_.test_directory != kDefaultTestDirectory)
      diags_.emit({}, diag::TestDirectoryMissing, options_.test_directory, files.error);
    for (const std::string& name : files.tests) names.push_back(join_path(beside, name));
    return names;
  }

  std::vector<ParsedFile> parse(const std::string& path, const std::string& shown,
                                const std::vector<std::string>& names) {
    return parse_files(path, shown, names, false, options_.threads, configuration_.trees, sources_, diags_);
  }

  FileContext context_of(const ParsedFile& file) {
    FileContext context{sources_, names_, diags_, *file.tree};
    context.test_file = true;
    return context;
  }

  void read_mock_data(TestProvider& provider) {
    std::string directory = join_path(path_, provider.source);
    DirectoryFiles files = list_directory(directory);
    if (!files.error.empty()) {
      diags_.emit(provider.config.header, diag::MockDataUnreadable, provider.source, files.error);
      return;
    }
    for (const ParsedFile& file :
         parse(directory, join_path(configuration_.root().directory, provider.source), files.mocks)) {
      if (file.tree == nullptr) continue;
      FileContext context = context_of(file);
      decode_mock_data(context, provider.shared);
    }
  }

  const std::string& path_;
  const LoadOptions& options_;
  Configuration& configuration_;
  SourceManager& sources_;
  Names& names_;
  Diagnostics& diags_;
};

}  // namespace

void read_tests(const std::string& path, const LoadOptions& options, Configuration& configuration,
                SourceManager& sources, Names& names, Diagnostics& diags) {
  TestReader(path, options, configuration, sources, names, diags).read();
}

}  // namespace pravo::load
