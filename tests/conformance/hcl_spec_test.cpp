// The HCL specification suite: NAME.t says what decoding NAME.hcl by NAME.hcldec gives, a value or faults with their
// places.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "ir/convert.h"
#include "tests/conformance/hcl_spec.h"

using namespace pravo;
using namespace pravo::testing;
namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string places(const SourceManager& sources, const std::vector<SourceRange>& ranges) {
  std::string out;
  for (SourceRange range : ranges) {
    LineColumn from = sources.position(range.file, range.begin);
    LineColumn to = sources.position(range.file, range.end);
    out += fmt::format("{}:{}@{}-{}:{}@{}\n", from.line, from.column, range.begin, to.line, to.column, range.end);
  }
  return out;
}

// What `diagnostics { error { from {...} to {...} } }` expects.
std::string expected_places(HclSuite& suite, const HclFile& file) {
  std::string out;
  for (hcl::NodeId diagnostics : suite.blocks(file, file.tree.root, "diagnostics")) {
    hcl::NodeId body = suite.body(file, diagnostics);
    CHECK(suite.blocks(file, body, "error").size() == file.tree.child_count(body));
    for (hcl::NodeId error : suite.blocks(file, body, "error")) {
      std::string ends[2];
      for (int i = 0; i < 2; ++i) {
        std::vector<hcl::NodeId> place = suite.blocks(file, suite.body(file, error), i == 0 ? "from" : "to");
        REQUIRE(place.size() == 1);
        auto number = [&](std::string_view name) {
          hcl::NodeId value = suite.argument(file, suite.body(file, place[0]), name);
          REQUIRE(value.valid());
          return std::string(suite.sources().text(file.tree.range(value)));
        };
        ends[i] = fmt::format("{}:{}@{}", number("line"), number("column"), number("byte"));
      }
      out += fmt::format("{}-{}\n", ends[0], ends[1]);
    }
  }
  return out;
}

void run(const fs::path& expectation, const fs::path& source) {
  CAPTURE(source.string());
  HclSuite suite;
  fs::path specification = expectation;
  specification.replace_extension(".hcldec");
  HclFile wanted = suite.parse("test.t", read(expectation), false);
  HclFile spec_file = suite.parse("test.hcldec", read(specification), false);
  REQUIRE(!suite.diags().has_errors());
  HclSuite::Specification spec = suite.read_specification(spec_file);
  REQUIRE(!suite.diags().has_errors());

  HclFile input = suite.parse("test.hcl", read(source), source.extension() == ".json");
  std::vector<SourceRange> faults;
  HclSuite::Decoded decoded;
  for (const Diagnostic& diagnostic : suite.diags().all()) faults.push_back(diagnostic.range);
  // What cannot be parsed is not decoded.
  bool parsed = faults.empty();
  if (parsed) {
    decoded = suite.decode(input, spec);
    faults = decoded.faults;
  }
  CHECK(places(suite.sources(), faults) == expected_places(suite, wanted));

  if (hcl::NodeId result = suite.argument(wanted, wanted.tree.root, "result"); result.valid() && parsed) {
    Value value = suite.evaluate(wanted, result, {});
    hcl::NodeId type = suite.argument(wanted, wanted.tree.root, "result_type");
    Result<Value> converted = convert(value, type.valid() ? suite.type(wanted, type) : Type());
    REQUIRE(converted.ok());
    // Without a type the expectation's own is that of its literals.
    Result<Value> compared = type.valid() ? Result<Value>(decoded.value) : convert(decoded.value, value.type());
    REQUIRE(compared.ok());
    CHECK(debug_string(*compared) == debug_string(*converted));
    CHECK(compared->equals_raw(*converted));
  }
  for (hcl::NodeId traversals : suite.blocks(wanted, wanted.tree.root, "traversals"))
    CHECK(decoded.traversals == wanted.tree.child_count(suite.body(wanted, traversals)));
}

}  // namespace

TEST_CASE("the HCL specification suite") {
  const char* shared = std::getenv("PRAVO_SHARED");
  fs::path root = fs::path(shared == nullptr ? "" : shared) / "conformance/hcl/specsuite";
  if (shared == nullptr || !fs::is_directory(root)) {
    MESSAGE("skipped: PRAVO_SHARED names no folder with the suite");
    return;
  }
  size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".t") continue;
    for (std::string_view extension : {".hcl", ".hcl.json"}) {
      fs::path source = entry.path();
      source.replace_extension(extension);
      if (!fs::exists(source)) continue;
      run(entry.path(), source);
      ++count;
    }
  }
  MESSAGE("cases: ", count);
  CHECK(count >= 16);
}
