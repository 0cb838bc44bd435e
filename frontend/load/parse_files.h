// Files of a directory, read and parsed.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "frontend/hcl/syntax.h"
#include "ir/diagnostics.h"
#include "ir/source.h"

namespace pravo::load {

struct ParsedFile {
  FileId file;
  hcl::SyntaxTree* tree = nullptr;  // null where the file cannot be read, which was reported
};

// The files `names` of the directory `path`, shown as files of `shown`. Those that end in `.json` are JSON.
// `regular`: they are known to be regular files.
std::vector<ParsedFile> parse_files(const std::string& path, const std::string& shown,
                                    const std::vector<std::string>& names, bool regular, unsigned threads,
                                    std::deque<hcl::SyntaxTree>& trees, SourceManager& sources, Diagnostics& diags);

}  // namespace pravo::load
