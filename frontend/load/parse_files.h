// Files of a directory, read and parsed.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "frontend/hcl/syntax.h"
#include "frontend/load/files.h"
#include "ir/diagnostics.h"
#include "ir/source.h"

namespace pravo::load {

struct ParsedFile {
  FileId file;
  hcl::SyntaxTree* tree = nullptr;  // null where there is no text to parse, which was reported
};

// What was read of a file as a source that is shown as `name`. Nothing, after saying why, where it could not be read or
// is no text. `secret`: as SourceManager::add has it.
std::optional<FileId> add_file(FileText read, std::string name, bool secret, SourceManager& sources,
                               Diagnostics& diags);

// The files `names` of the directory `path`, shown as files of `shown`. Those that end in `.json` are JSON.
// `regular`: they are known to be regular files.
std::vector<ParsedFile> parse_files(const std::string& path, const std::string& shown,
                                    const std::vector<std::string>& names, bool regular, unsigned threads,
                                    std::deque<hcl::SyntaxTree>& trees, SourceManager& sources, Diagnostics& diags);

}  // namespace pravo::load
