#include "frontend/load/parse_files.h"

#include "frontend/hcl/foreign_text.h"
#include "frontend/hcl/parse.h"
#include "ir/diagnostics/load.h"

namespace pravo::load {

std::optional<FileId> add_file(FileText read, std::string name, bool secret, SourceManager& sources,
                               Diagnostics& diags) {
  const bool unreadable = !read.error.empty();
  if (!unreadable && !hcl::is_binary(read.text)) return sources.add(std::move(name), std::move(read.text), secret);
  // The file is the place, and nothing in it is worth showing.
  const bool git_crypt = hcl::is_git_crypt(read.text);
  FileId file = sources.add(std::move(name), "", secret);
  SourceRange place{file, 0, 0};
  if (unreadable) {
    diags.emit(place, diag::FileUnreadable, sources.name(file), read.error);
  } else {
    auto report = diags.emit(place, diag::FileNotText, sources.name(file));
    if (git_crypt) report.help("git-crypt has encrypted it; `git-crypt unlock` gives the text back");
  }
  return std::nullopt;
}

// Reading and parsing go in parallel; files join the sources in between, in order.
std::vector<ParsedFile> parse_files(const std::string& path, const std::string& shown,
                                    const std::vector<std::string>& names, bool regular, unsigned threads,
                                    std::deque<hcl::SyntaxTree>& trees, SourceManager& sources, Diagnostics& diags) {
  std::vector<FileText> texts(names.size());
  const auto read = regular ? read_regular_file : read_file;
  parallel_for(names.size(), threads, [&](size_t i) { texts[i] = read(join_path(path, names[i])); });

  std::vector<ParsedFile> parsed(names.size());
  for (size_t i = 0; i < names.size(); ++i) {
    auto file = add_file(std::move(texts[i]), join_path(shown, names[i]), false, sources, diags);
    if (!file) continue;
    parsed[i].file = *file;
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
