// One module: its directory's files read, parsed, decoded and put together.
#pragma once

#include <string>

#include "frontend/load/config.h"

namespace pravo::load {

// Reads the directory `path` into `module`, whose names are set. Files are shown as `module.directory` says; a
// module may be empty unless `root`.
void read_module(const std::string& path, bool root, unsigned threads, Configuration& configuration, Module& module,
                 SourceManager& sources, Names& names, Diagnostics& diags);

}  // namespace pravo::load
