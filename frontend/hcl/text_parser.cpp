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

// A large file must not occupy memory for the life of the thread.
constexpr size_t kMaxKeptTokens = 1U << 20;

// The tree of an average configuration has less than this many words a token.
constexpr size_t kWordsPerToken = 4;

NodeId parse_strictly(std::string_view text, TextKind kind, TemplateForm file_form, std::vector<uint32_t>& words,
                      Workspace& workspace) {
  if (!workspace.lexer.run(text, kind, workspace.tokens, nullptr)) return {};
  words.reserve(words.size() + workspace.tokens.size() * kWordsPerToken);
  return parse_strict({text, kind, file_form, workspace.tokens, workspace.stacks, words});
}

void report_result(std::string_view text, const std::vector<uint32_t>& words, const BuildResult& result,
                   SyntaxErrors& errors) {
  for (const BuildResult::Repetition& repetition : result.repeated_attributes) {
    uint32_t begin = words[repetition.second + 1];
    uint32_t end = words[repetition.second + 2];
    errors.emit(begin, end, diag::AttributeRedefined, text.substr(begin, end - begin))
        .note(errors.range(words[repetition.first + 1], words[repetition.first + 2]), "set here first");
  }
  if (result.too_tall)
    errors.emit(result.too_tall_begin, result.too_tall_end, diag::ExpressionTooLong, kMaxChainHeight);
}

}  // namespace

NodeId parse_text(std::string_view text, TextKind kind, TemplateForm file_form, std::vector<uint32_t>& words,
                  SyntaxErrors& errors) {
  thread_local Workspace workspace;
  const std::string_view whole = text;
  const size_t first_word = words.size();
  NodeId root = parse_strictly(text, kind, file_form, words, workspace);
  if (!root.valid()) {
    words.resize(first_word);
    std::vector<TokenSpan> conflicts;
    std::string one_side = without_conflicts(text, conflicts);
    if (!conflicts.empty()) text = one_side;
    workspace.lexer.run(text, kind, workspace.tokens, &errors);
    errors.sort_covered();
    for (const TokenSpan& marker : conflicts) errors.emit(marker.begin, marker.end, diag::MergeConflict);
    root = parse_tolerant({text, kind, file_form, workspace.tokens, workspace.stacks, words}, workspace.tokens,
                          workspace.lexer, errors);
    // Otherwise the two parsers do not agree.
    PRAVOC_CHECK(errors.count() > 0 || workspace.stacks.result.too_tall);
  }
  report_result(whole, words, workspace.stacks.result, errors);
  if (workspace.tokens.kinds.capacity() > kMaxKeptTokens) workspace = Workspace();
  return root;
}

}  // namespace pravo::hcl
