// What the tests of this folder share.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "frontend/hcl/dump.h"
#include "frontend/hcl/parse.h"
#include "ir/diagnostics.h"
#include "ir/source.h"

namespace pravo::hcl::testing {

enum class Entry { Native, Expression, Template, Json, JsonLiteral };

// A text with its tree and what was said about it.
struct Parsed {
  explicit Parsed(std::string text, Entry entry = Entry::Native, bool secret = false) {
    FileId file = sources.add("test", std::move(text), secret);
    switch (entry) {
      case Entry::Native:
        tree = parse_native(sources, file, diags);
        break;
      case Entry::Expression:
        tree = parse_expression(sources, file, diags);
        break;
      case Entry::Template:
        tree = parse_template(sources, file, diags);
        break;
      case Entry::Json:
        tree = parse_json(sources, file, diags);
        break;
      case Entry::JsonLiteral:
        tree = parse_json(sources, file, diags, JsonStrings::Literal);
        break;
    }
  }

  std::string dump() const { return to_text(sources, tree); }

  // One line a diagnostic: "2:5-2:6 missing-newline: expected ...", in order.
  std::string messages() const {
    std::string out;
    for (const Diagnostic& d : diags.all()) out += line(d) + "\n";
    return out;
  }
  // The same without the sentences: "2:5-2:6 missing-newline".
  std::string places() const {
    std::string out;
    for (const Diagnostic& d : diags.all()) out += fmt::format("{} {}\n", place(d.range), diagnostic_id(d.kind));
    return out;
  }

  std::string line(const Diagnostic& d) const {
    return fmt::format("{} {}: {}", place(d.range), diagnostic_id(d.kind), d.message);
  }
  std::string place(SourceRange range) const {
    LineColumn begin = sources.position(range.file, range.begin);
    LineColumn end = sources.position(range.file, range.end);
    return fmt::format("{}:{}-{}:{}", begin.line, begin.column, end.line, end.column);
  }

  SourceManager sources;
  Diagnostics diags;
  SyntaxTree tree;
};

// The tree of `a = TEXT` without the attribute around it.
inline std::string expression_dump(std::string_view text) {
  Parsed parsed(fmt::format("a = {}\n", text));
  if (!parsed.diags.empty()) return parsed.messages();
  NodeId attribute = parsed.tree.child(parsed.tree.root, 0);
  return to_text(parsed.sources, parsed.tree, parsed.tree.child(attribute, 1));
}

}  // namespace pravo::hcl::testing
