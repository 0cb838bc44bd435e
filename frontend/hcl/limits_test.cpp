// Texts at and beyond the limits: always an answer, once, in time.
#include <doctest/doctest.h>

#include "frontend/hcl/testing.h"
#include "frontend/hcl/tree_check.h"

using namespace pravo;
using namespace pravo::hcl;
using namespace pravo::hcl::testing;

namespace {

std::string repeat(std::string_view text, size_t times) {
  std::string out;
  out.reserve(text.size() * times);
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

// Parses, checks the tree, and returns the ids of what was said.
std::string ids(std::string text, Entry entry = Entry::Native) {
  Parsed parsed(std::move(text), entry);
  TreeChecker checker(parsed.sources, parsed.tree);
  CHECK(checker.run() == "");
  CHECK(checker.height() <= kMaxTreeHeight);
  std::string out;
  for (const Diagnostic& d : parsed.diags.all()) out += std::string(diagnostic_id(d.kind)) + " ";
  return out;
}

constexpr size_t kMany = 100'000;

}  // namespace

TEST_CASE("brackets may be nested up to the limit") {
  for (size_t depth : {size_t{10}, size_t{kMaxBracketDepth}}) {
    CHECK(ids("a = " + repeat("[", depth) + repeat("]", depth) + "\n") == "");
    CHECK(ids("a = " + repeat("(", depth) + "1" + repeat(")", depth) + "\n") == "");
    CHECK(ids("a = " + repeat("{a=", depth) + "1" + repeat("}", depth) + "\n") == "");
    CHECK(ids(repeat("a {\n", depth) + repeat("}\n", depth)) == "");
    CHECK(ids("a = " + repeat("\"${", depth / 2) + "1" + repeat("}\"", depth / 2) + "\n") == "");
    CHECK(ids("{\"a\":" + repeat("[", depth - 1) + repeat("]", depth - 1) + "}", Entry::Json) == "");
    // With a fault inside, the other parser goes as deep.
    CHECK(ids("a = " + repeat("f(", depth) + "1 2" + repeat(")", depth) + "\n") == "missing-separator ");
  }
}

TEST_CASE("a hundred thousand nested brackets are one fault") {
  for (std::string_view opener : {"[", "(", "{a=", "f(", "b[", "\"${", "[for x in "}) {
    std::string closer = opener == "\"${" ? "}\"" : opener.ends_with("(") ? ")" : opener == "{a=" ? "}" : "]";
    if (opener.starts_with("[for")) closer = ":1]";
    CAPTURE(opener);
    CHECK(ids("a = " + repeat(opener, kMany) + "1" + repeat(closer, kMany) + "\nb = 1\n") == "nesting-too-deep ");
    CHECK(ids("a = " + repeat(opener, kMany) + "\nb = 1\n") == "nesting-too-deep ");
  }
  CHECK(ids(repeat("a {\n", kMany) + repeat("}\n", kMany)) == "nesting-too-deep ");
  CHECK(ids(repeat("a {\n", kMany)) == "nesting-too-deep ");
  CHECK(ids("{\"a\":" + repeat("[", kMany) + repeat("]", kMany) + "}", Entry::Json) == "nesting-too-deep ");
  CHECK(ids(repeat("[", kMany), Entry::Json) == "nesting-too-deep ");
  Parsed parsed("a = " + repeat("[", kMany) + repeat("]", kMany) + "\nb = 1\n");
  CHECK(parsed.tree.child_count(parsed.tree.root) == 2);
}

TEST_CASE("chains without brackets") {
  CHECK(ids("a = b" + repeat(" + c", kMaxChainHeight - 1) + "\n") == "");
  CHECK(ids("a = b" + repeat(" + c", kMany) + "\nd = 1\n") == "expression-too-long ");
  CHECK(ids("a = b" + repeat(" || c && d", kMany) + "\n") == "expression-too-long ");
  CHECK(ids("a = b" + repeat(".c", kMany) + "\n") == "expression-too-long ");
  CHECK(ids("a = b" + repeat("[0]", kMany) + "\n") == "expression-too-long ");
  CHECK(ids("a = b" + repeat("[*].c", kMany) + "\n") == "expression-too-long ");
  CHECK(ids("a = " + repeat("b ? c : ", kMany) + "d\n") == "expression-too-long ");
  CHECK(ids("a = " + repeat("b ? ", kMany) + "d" + repeat(" : c", kMany) + "\n") == "expression-too-long ");
  CHECK(ids("a = " + repeat("b ? ", kMany) + "\n") == "expression-too-long ");
  CHECK(ids("a = " + repeat("!", kMany) + "b\n") == "expression-too-long ");
  CHECK(ids("a = \"" + repeat("%{if x}", kMany) + repeat("%{endif}", kMany) + "\"\n") == "expression-too-long ");
  CHECK(ids("a = \"" + repeat("%{for x in y}", kMany) + "\"\n") == "expression-too-long ");
}

TEST_CASE("wide texts have no limit") {
  CHECK(ids("a = [" + repeat("1, ", kMany) + "]\n") == "");
  CHECK(ids("a = {\n" + repeat("b = 1\n", kMany) + "}\n") == "");
  CHECK(ids("a = \"" + repeat("x${y}", kMany) + "\"\n") == "");
  CHECK(ids("a " + repeat("\"b\" ", kMany) + "{}\n") == "");
  CHECK(ids("a = <<E\n" + repeat("x ${y}\n", kMany) + "E\n") == "");
  CHECK(ids("a = <<-E\n" + repeat("  %{if x}\n    y\n  %{endif}\n", kMany) + "E\n") == "");
  std::string attributes;
  for (size_t i = 0; i < kMany; ++i) attributes += fmt::format("a{} = 1\n", i);
  CHECK(ids(attributes) == "");
}

// What made lexers or recovery quadratic would take minutes here.
TEST_CASE("many faults take no longer than many lines") {
  for (std::string_view text : {"a = \"\n",
                                "a = 'b\n",
                                "'x",
                                "a = <<E\n",
                                "a = <<E \n",
                                "<< ",
                                "a = (\nb = [\n",
                                "(]",
                                "{[(}",
                                "}",
                                ")",
                                "${",
                                "\"${",
                                "a = \"%{/*",
                                "%{foo}",
                                "\\",
                                ";",
                                "\r",
                                "a ",
                                "a\n",
                                "a.",
                                "a::",
                                "+*",
                                "=",
                                "a = [1 2]\n",
                                "\xFF",
                                "\xE2\x82\xAC",
                                "a {\n",
                                " a {\n  b = {\n",
                                "a = \"x\ny\"\n",
                                "/*",
                                "\xE2\x80\x9C",
                                "a = \"%{else}\"\n"}) {
    std::string many = repeat(text, kMany);
    many.append(1, '\0');
    CAPTURE(text);
    Parsed parsed(many);
    CHECK(!parsed.diags.empty());
    CHECK(parsed.diags.all().size() <= 101);
    CHECK(TreeChecker(parsed.sources, parsed.tree).run() == "");
  }
}

TEST_CASE("a file of more than 256 megabytes is not read") {
  std::string text((size_t{256} << 20) + 1, ' ');
  CHECK(ids(text) == "file-too-large ");
  CHECK(ids(std::move(text), Entry::Json) == "file-too-large ");
}

TEST_CASE("ten megabytes") {
  std::string text;
  for (int i = 0; text.size() < 10'000'000; ++i)
    text += fmt::format(
        "resource \"a\" \"b{0}\" {{\n  count = var.n + {0}\n  name  = \"x-${{local.y[{0}]}}\"\n  tags = {{\n    a = "
        "\"b\"\n  }}\n}}\n",
        i);
  CHECK(ids(text) == "");
  CHECK(ids(text + "a = [1 2]\n") == "missing-separator ");
}
