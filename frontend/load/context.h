// What the decoders of one file share.
#pragma once

#include <string>
#include <string_view>

#include "frontend/hcl/parse.h"
#include "frontend/load/config.h"
#include "ir/diagnostics.h"
#include "ir/names.h"
#include "ir/source.h"

namespace pravo::load {

struct FileContext {
  const SourceManager& sources;
  Names& names;
  Diagnostics& diags;
  // Not const: a reference that JSON writes as a string is parsed into the tree when it is needed.
  hcl::SyntaxTree& tree;
  bool override_file = false;

  Expr expr(hcl::NodeId node) const { return {&tree, node}; }
  SourceRange range(hcl::NodeId node) const { return tree.range(node); }
  std::string_view text(hcl::NodeId node) const { return sources.text(tree.range(node)); }
};

// "main.tf:3": a place in words, for a note or a loop that is spelled out.
std::string place_text(const SourceManager& sources, SourceRange range);

}  // namespace pravo::load
