#include "frontend/load/parse_files.h"

#include "frontend/hcl/parse.h"
#include "frontend/load/files.h"
#include "ir/diagnostics/load.h"

namespace pravo::load {

// Reading and parsing go in parallel; files join the sources in between, in order.
std::vector<ParsedFile> parse_files(const std::string& path, const std::string& shown,
                                    const std::vector<std::string>& names, bool regular, unsigned threads,
                                    std::deque<hcl::SyntaxTree>& trees, SourceManager& sources, Diagnostics& diags) {
  std::vector<FileText> texts(names.size());
  const auto read = regular ? read_regular_file : read_file;
  parallel_for(names.size(), threads, [&](size_t i) { texts[i] = read(join_path(path, names[i])); });

  std::vector<ParsedFile> parsed(names.size());
  for (size_t i = 0; i < names.size(); ++i) {
    std::string name = join_path(shown, names[i]);
    if (!texts[i].error.empty()) {
      diags.emit({}, diag::FileUnreadable, name, texts[i].error);
      continue;
    }
    parsed[i].file = sources.add(std::move(name), std::move(texts[i].text));
    parsed[i].tree = &trees.emplace_back();
  }

  std::vector<Diagnostics> faults(names.size());
  parallel_for(names.size(), threads, [&](size_t i) {
    if (parsed[i].tree == nullptr) return;
    bool json = std::string_view(names[i]).ends_with(".json");
    *parsed[i].tree = json ? hcl::parse_json(sources, parsed[i].file, faults[i])
                           : hcl::parse_native(sources, parsed[i].file, faults[i]);
  });
  for (Diagnostics& file : faults) diags.append(std::move(file));
  return parsed;
}

}  // namespace pravo::load
