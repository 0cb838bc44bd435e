#include "frontend/hcl/text_parser.h"

#include "frontend/hcl/foreign_text.h"
#include "frontend/hcl/parser.h"
#include "frontend/hcl/syntax_errors.h"
#include "ir/check.h"
#include "ir/diagnostics/syntax.h"

namespace pravo::hcl {

namespace {

// What a thread keeps from text to text.
struct Workspace {
  Lexer lexer;
  TokenList tokens;
  BuilderStacks stacks;
};

// Files with faults share the memory of a thread, too; that of a large one is given back.
constexpr size_t kMaxKeptTokens = 1U << 15;

NodeId parse_strictly(std::string_view text, TextKind kind, TemplateForm file_form, Words& words,
                      Workspace& workspace) {
  // The tree of a usual configuration has less than a word for each byte. What is not used is never touched.
  words.reserve(words.size() + text.size());
  workspace.lexer.start(text, kind, workspace.tokens);
  return parse_strict({text, kind, file_form, workspace.tokens, workspace.stacks, words}, workspace.lexer);
}

void report_result(std::string_view text, const Words& words, const BuildResult& result, SyntaxErrors& errors) {
  for (const BuildResult::Repetition& repetition : result.repeated_attributes) {
    uint32_t begin = words[repetition.second + NodeLayout::kBegin];
    uint32_t end = words[repetition.second + NodeLayout::kEnd];
    errors.emit(begin, end, diag::AttributeRedefined, text.substr(begin, end - begin))
        .note(errors.range(words[repetition.first + NodeLayout::kBegin], words[repetition.first + NodeLayout::kEnd]),
              "set here first");
  }
  if (result.too_tall)
    errors.emit(result.too_tall_begin, result.too_tall_end, diag::ExpressionTooLong, kMaxChainHeight);
}

}  // namespace

NodeId parse_text(std::string_view text, TextKind kind, TemplateForm file_form, Words& words, SyntaxErrors& errors) {
  thread_local Workspace workspace;
  const std::string_view whole = text;
  const size_t first_word = words.size();
  NodeId root = parse_strictly(text, kind, file_form, words, workspace);
  if (!root.valid()) {
    words.truncate(first_word);
    std::vector<TokenSpan> conflicts;
    std::string one_side = without_conflicts(text, conflicts);
    if (!conflicts.empty()) text = one_side;
    workspace.lexer.run(text, kind, workspace.tokens, errors);
    errors.sort_covered();
    for (const TokenSpan& marker : conflicts) errors.emit(marker.begin, marker.end, diag::MergeConflict);
    root = parse_tolerant({text, kind, file_form, workspace.tokens, workspace.stacks, words}, workspace.lexer, errors);
    // Otherwise the two parsers do not agree.
    PRAVOC_CHECK(errors.count() > 0 || workspace.stacks.result.too_tall);
  }
  report_result(whole, words, workspace.stacks.result, errors);
  if (workspace.tokens.capacity() > kMaxKeptTokens) workspace = Workspace();
  return root;
}

}  // namespace pravo::hcl
