// Files of other projects, where they are at hand: PRAVO_SHARED names the folder.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "frontend/hcl/testing.h"
#include "frontend/hcl/tree_check.h"

using namespace pravo;
using namespace pravo::hcl;
using namespace pravo::hcl::testing;
namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The folder, or empty with a message when it is absent.
fs::path shared() {
  const char* path = std::getenv("PRAVO_SHARED");
  if (path != nullptr && fs::is_directory(path)) return path;
  MESSAGE("skipped: PRAVO_SHARED names no folder");
  return {};
}

NodeId child_named(const Parsed& parsed, NodeId parent, std::string_view name) {
  for (uint32_t i = 0; i < parsed.tree.child_count(parent); ++i) {
    NodeId item = parsed.tree.child(parent, i);
    if (parsed.sources.text(parsed.tree.range(parsed.tree.child(item, 0))) == name) return parsed.tree.child(item, 1);
  }
  return {};
}

}  // namespace

TEST_CASE("every file of the Terraform language has the verdict that Terraform gives its syntax") {
  fs::path root = shared();
  if (root.empty()) return;
  // The only ones that Terraform 1.11.4 cannot parse.
  const std::set<std::string> faulty = {
      "conformance/configs/tofu-invalid-files-interp_in_rsrc_label_tf/interp-in-rsrc-label.tf",
      "conformance/configs/tofu-invalid-files-json_as_native_syntax_tf/json-as-native-syntax.tf",
      "conformance/configs/tofu-invalid-files-native_syntax_as_json_tf_json/native-syntax-as-json.tf.json",
      "conformance/configs/tofu-invalid-files-provider_syntax_tf/provider-syntax.tf",
      "conformance/configs/tofu-invalid-files-zerolen_tf_json/zerolen.tf.json",
      "conformance/configs/tofu-invalid-modules-multiple-required-providers-with-syntax-error/other.tf",
      "conformance/hcl/specsuite/structure/attributes/singleline_bad.hcl",
      "conformance/hcl/specsuite/structure/blocks/single_oneline_invalid.hcl",
      "conformance/hcl/specsuite/structure/blocks/single_unclosed.hcl",
  };
  size_t files = 0;
  std::set<std::string> seen;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    std::string name = entry.path().filename().string();
    auto ends = [&](std::string_view suffix) { return name.ends_with(suffix); };
    bool json = ends(".tf.json") || ends(".tfvars.json") || ends(".hcl.json");
    bool native = ends(".tf") || ends(".tfvars") || ends(".hcl") || ends(".hcldec") || ends(".tofu");
    // Where Terraform tries its formatter on texts that are no configuration.
    std::string relative = fs::relative(entry.path(), root).generic_string();
    if (!entry.is_regular_file() || (!json && !native)) continue;
    ++files;
    Entry how = !json ? Entry::Native : ends(".tfvars.json") ? Entry::JsonLiteral : Entry::Json;
    Parsed parsed(read(entry.path()), how);
    CAPTURE(relative);
    CAPTURE(parsed.messages());
    CHECK(parsed.diags.empty() != faulty.contains(relative));
    if (faulty.contains(relative)) seen.insert(relative);
    TreeChecker checker(parsed.sources, parsed.tree);
    CHECK(checker.run() == "");
    CHECK((checker.errors() == 0 || !parsed.diags.empty()));
  }
  MESSAGE("files: ", files);
  CHECK(files > 1000);
  CHECK(seen == faulty);
}

TEST_CASE("faults of the HCL specification suite") {
  fs::path root = shared();
  if (root.empty()) return;
  root /= "conformance/hcl/specsuite/structure";
  CHECK(Parsed(read(root / "attributes/singleline_bad.hcl")).places() == "1:14-1:15 missing-newline\n");
  CHECK(Parsed(read(root / "blocks/single_unclosed.hcl")).places() == "1:3-1:4 unclosed-bracket\n");
  CHECK(Parsed(read(root / "blocks/single_oneline_invalid.hcl")).places() ==
        "1:14-1:15 one-line-block\n2:14-3:1 one-line-block\n4:14-5:1 one-line-block\n6:14-7:1 one-line-block\n"
        "9:5-9:8 one-line-block\n");
}

TEST_CASE("heredocs of the HCL specification suite") {
  fs::path root = shared();
  if (root.empty()) return;
  Parsed source(read(root / "conformance/hcl/specsuite/expressions/heredoc.hcl"));
  Parsed expected(read(root / "conformance/hcl/specsuite/expressions/heredoc.t"));
  REQUIRE(source.diags.empty());
  REQUIRE(expected.diags.empty());
  NodeId result = child_named(expected, expected.tree.root, "result");
  REQUIRE(result.valid());
  size_t compared = 0;
  for (std::string_view group : {"normal", "flush"}) {
    NodeId texts = child_named(source, source.tree.root, group);
    NodeId wanted = child_named(expected, result, group);
    REQUIRE(texts.valid());
    REQUIRE(wanted.valid());
    for (uint32_t i = 0; i < source.tree.child_count(texts); ++i) {
      NodeId item = source.tree.child(texts, i);
      std::string_view name = source.sources.text(source.tree.range(source.tree.child(item, 0)));
      std::string text;
      for (const TemplatePart& part : template_parts(source.sources, source.tree, source.tree.child(item, 1))) {
        // The suite defines these two variables.
        if (part.node.valid())
          text += source.sources.text(part.range) == "${bar}" ? "Bar" : "  Bar";
        else
          text += part.text;
      }
      NodeId value = child_named(expected, wanted, name);
      REQUIRE(value.valid());
      std::string literal;
      REQUIRE(literal_text(expected.sources, expected.tree, value, &literal));
      CAPTURE(name);
      CHECK(text == literal);
      ++compared;
    }
  }
  CHECK(compared == 18);
}
