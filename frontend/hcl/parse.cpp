#include "frontend/hcl/parse.h"

#include "frontend/hcl/foreign_text.h"
#include "frontend/hcl/json_parser.h"
#include "frontend/hcl/json_text.h"
#include "frontend/hcl/lexer.h"
#include "frontend/hcl/syntax_errors.h"
#include "frontend/hcl/text_parser.h"
#include "ir/check.h"
#include "ir/diagnostics/syntax.h"

namespace pravo::hcl {

namespace {

// Nodes are named by 32-bit indexes; this leaves room for the densest text.
constexpr size_t kMaxMegabytes = 256;

// Whether the file can be parsed at all. Reports it otherwise.
bool check_text(const SourceManager& sources, FileId file, Diagnostics& diags) {
  if (is_utf16(sources.text(file))) {
    diags.emit({file, 0, 0}, diag::Utf16);
    return false;
  }
  if (sources.text(file).size() <= kMaxMegabytes << 20) return true;
  diags.emit({file, 0, 0}, diag::FileTooLarge, kMaxMegabytes);
  return false;
}

// Trees are kept, and a configuration may have thousands of them: those of small files give back what they were given
// for a start. Of a large one that is memory which was never touched.
constexpr size_t kMaxFittedWords = 1U << 16;

void fit(Words& words) {
  if (words.size() <= kMaxFittedWords && words.capacity() > words.size()) words = Words(words.begin(), words.end());
}

SyntaxTree parse_file(const SourceManager& sources, FileId file, TextKind kind, Diagnostics& diags) {
  SyntaxTree tree;
  tree.file = file;
  if (!check_text(sources, file, diags)) {
    NodeKind root = kind == TextKind::Body       ? NodeKind::Body
                    : kind == TextKind::Template ? NodeKind::Template
                                                 : NodeKind::Error;
    tree.root = tree.add(root, 0, 0, 0, 0, {});
    return tree;
  }
  SyntaxErrors errors(sources, file, diags, nullptr);
  tree.root = parse_text(sources.text(file), kind, TemplateForm::Heredoc, tree.words, errors);
  fit(tree.words);
  return tree;
}

}  // namespace

SyntaxTree parse_native(const SourceManager& sources, FileId file, Diagnostics& diags) {
  return parse_file(sources, file, TextKind::Body, diags);
}

SyntaxTree parse_expression(const SourceManager& sources, FileId file, Diagnostics& diags) {
  return parse_file(sources, file, TextKind::Expression, diags);
}

SyntaxTree parse_template(const SourceManager& sources, FileId file, Diagnostics& diags) {
  return parse_file(sources, file, TextKind::Template, diags);
}

SyntaxTree parse_json(const SourceManager& sources, FileId file, Diagnostics& diags, JsonStrings strings) {
  SyntaxTree tree;
  tree.file = file;
  tree.json = true;
  if (!check_text(sources, file, diags)) {
    tree.root = tree.add(NodeKind::Object, 0, kJson, 0, 0, {});
    return tree;
  }
  tree.root = parse_json_text(sources, tree, strings, diags);
  NodeKind kind = tree.kind(tree.root);
  if (kind == NodeKind::Object || kind == NodeKind::Tuple) return tree;
  SourceRange range = tree.range(tree.root);
  if (kind != NodeKind::Error) diags.emit(range, diag::JsonRoot);
  tree.root = tree.add(NodeKind::Object, 0, kJson, range.begin, range.end, {});
  return tree;
}

namespace {

// The place of a JSON string's content: the node's range has the quotes, of which the closing one may be missing.
SourceRange json_content(const SourceManager& sources, const SyntaxTree& tree, NodeId string) {
  PRAVOC_CHECK(tree.kind(string) == NodeKind::Template && tree.has(string, kJson));
  SourceRange range = tree.range(string);
  std::string_view text = sources.text(range);
  bool closed = text.size() > 1 && text.back() == '"';
  return {range.file, range.begin + 1, closed ? range.end - 1 : range.end};
}

}  // namespace

NodeId parse_json_string_as_expression(const SourceManager& sources, SyntaxTree& tree, NodeId string,
                                       Diagnostics& diags) {
  JsonContent content =
      parse_json_content(sources, tree, json_content(sources, tree, string), TextKind::Expression, diags);
  return content.fine ? content.root : NodeId{};
}

NodeId parse_json_string_as_template(const SourceManager& sources, SyntaxTree& tree, NodeId string,
                                     Diagnostics& diags) {
  return parse_json_content(sources, tree, json_content(sources, tree, string), TextKind::Template, diags).root;
}

std::string json_string_text(const SourceManager& sources, const SyntaxTree& tree, NodeId string) {
  return decode_json_text(sources.text(json_content(sources, tree, string)));
}

}  // namespace pravo::hcl
