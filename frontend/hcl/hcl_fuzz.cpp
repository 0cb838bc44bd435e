// libFuzzer entry of the parsers. The first byte chooses one; whatever the rest is, there is a tree that keeps its
// promises, and an Error node only where something was reported.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "frontend/hcl/parse.h"
#include "frontend/hcl/tree_check.h"

namespace {

void require(bool condition, const std::string& what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace pravo;
  if (size == 0) return 0;
  SourceManager sources;
  FileId file = sources.add("input", std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  Diagnostics diags;
  hcl::SyntaxTree tree;
  switch (data[0] % 5) {
    case 0:
    case 1:
      tree = hcl::parse_native(sources, file, diags);
      break;
    case 2:
      tree = hcl::parse_expression(sources, file, diags);
      break;
    case 3:
      tree = hcl::parse_template(sources, file, diags);
      break;
    default:
      tree = hcl::parse_json(sources, file, diags);
      break;
  }
  hcl::TreeChecker checker(sources, tree);
  std::string problem = checker.run();
  require(problem.empty(), problem);
  require(checker.height() <= hcl::kMaxTreeHeight, "the tree is too high");
  require(checker.errors() == 0 || diags.has_errors(), "an Error node without a diagnostic");
  for (const Diagnostic& d : diags.all()) {
    require(!d.message.empty(), "a message without text");
    require(d.range.begin <= d.range.end && d.range.end <= size - 1, "the range of a message: " + d.message);
    for (const DiagnosticNote& note : d.notes)
      require(note.range.end <= size - 1, "the range of a note: " + note.message);
    for (const FixEdit& fix : d.fixes) require(fix.range.end <= size - 1, "the range of a fix: " + fix.description);
    static_cast<void>(sources.position(file, d.range.begin));
  }
  return 0;
}
