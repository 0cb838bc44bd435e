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
  bool test_file = false;

  Expr expr(hcl::NodeId node) const { return {&tree, node}; }
  SourceRange range(hcl::NodeId node) const { return tree.range(node); }
  std::string_view text(hcl::NodeId node) const { return sources.text(tree.range(node)); }
};

// The text in backquotes, or words for one that is empty.
std::string quoted(std::string_view text);

}  // namespace pravo::load
