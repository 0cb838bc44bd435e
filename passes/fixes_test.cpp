#include "passes/fixes.h"

#include <doctest/doctest.h>

namespace pravo::passes {

namespace {

// `text` after adding `ephemeral = true` to its block, or empty where that is not certain.
std::string fixed(std::string text, std::string_view header, std::string name = "m.tf") {
  SourceManager sources;
  FileId file = sources.add(std::move(name), text);
  auto begin = static_cast<uint32_t>(text.find(header));
  auto fix = declare(sources, {file, begin, begin + static_cast<uint32_t>(header.size())}, "ephemeral", "d");
  if (!fix) return "";
  return text.replace(fix->range.begin, fix->range.end - fix->range.begin, fix->replacement);
}

}  // namespace

TEST_CASE("an argument is added behind the opening brace") {
  CHECK(fixed("variable \"a\" {\n  type = string\n}\n", "variable \"a\"") ==
        "variable \"a\" {\n  ephemeral = true\n  type = string\n}\n");
  CHECK(fixed("variable \"a\" { # why\n  type = string\n}\n", "variable \"a\"") ==
        "variable \"a\" { # why\n  ephemeral = true\n  type = string\n}\n");
  CHECK(fixed("variable \"a\" {\r\n}\r\n", "variable \"a\"") == "variable \"a\" {\n  ephemeral = true\r\n}\r\n");
  CHECK(fixed("variable \"a\" {}", "variable \"a\"") == "variable \"a\" { ephemeral = true }");
  CHECK(fixed("variable \"a\" { type = string }\n", "variable \"a\"") ==
        "variable \"a\" {\n  type = string\n  ephemeral = true\n}\n");
}

TEST_CASE("no fix where there is doubt") {
  CHECK(fixed("variable \"a\" {\n  ephemeral = false\n}\n", "variable \"a\"").empty());
  CHECK(fixed("variable \"a\" { type = object({ a = string }) }\n", "variable \"a\"").empty());
  CHECK(fixed("variable \"a\" { description = \"x } y\" }\n", "variable \"a\"").empty());
  CHECK(fixed("variable \"a\"\n{\n}\n", "variable \"a\"").empty());
  CHECK(fixed("variable \"a\" {\n", "variable \"a\"").empty());
  CHECK(fixed("variable \"a\" {\n}\n", "variable \"a\"", "m.tf.json").empty());
  SourceManager sources;
  CHECK_FALSE(declare(sources, {}, "ephemeral", "d"));
}

}  // namespace pravo::passes
