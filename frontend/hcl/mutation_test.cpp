// Damaged texts: whatever is done to a text, there is a tree that keeps its promises, and the strict parser accepts
// exactly what the tolerant one finds no fault in (text_parser.cpp checks that).
#include <doctest/doctest.h>

#include <random>

#include "frontend/hcl/testing.h"
#include "frontend/hcl/tree_check.h"

using namespace pravo;
using namespace pravo::hcl;
using namespace pravo::hcl::testing;

namespace {

constexpr std::string_view kNativeText = R"(# comment
terraform {
  required_version = ">= 1.0"
}
resource "a" "b" {
  count = length(var.x) > 0 ? 1 : 0
  name  = "x-${var.name}-%{ if var.y ~} yes %{ else }no%{ endif }"
  tags  = merge(local.tags, { Name = "n", "k" : [1, 2.5e3, -3] }, var.more...)
  list  = [for k, v in var.m : upper(v) if v != null && !contains(["a"], k)]
  map   = { for x in var.l : x.id => x.*.name[0]... }
  text  = <<-EOT
    hello ${~ var.who ~}
      %{ for i in var.l }${i}%{ endfor }
  EOT
  splat = aws_x.y[*].z[0]
  old   = a.0.b
  ns    = provider::p::f(1)
  dynamic "s" {
    for_each = var.z
    content { q = s.value }
  }
}
)";

constexpr std::string_view kJsonText = R"({
  "//": "comment",
  "resource": {"a": {"b": {"count": 1, "name": "x-${var.name}\n\u00e9", "l": [1, -2.5e3, true, null, "${f(\"q\")}"]}}},
  "variable": {"v": {"description": "${", "default": {}}}
})";

constexpr std::string_view kPieces[] = {
    "\"",      "${",       "%{",        "}",     "{",   "(",  ")",    "[",    "]",  "\n", "=",
    "<<",      "E",        "'",         "\\",    "/*",  "*/", "#",    "\0",   "~",  ",",  "...",
    "=>",      "::",       ".",         "*",     "for", "in", " if ", "\xFF", "\r", "é",  "EOT\n",
    "%{else}", "%{endif}", "%{endfor}", "\\u12", "1.2", "?",  ":",    "&",    "|",  "$$"};

std::string mutate(std::string_view original, std::mt19937& random) {
  std::string text(original);
  auto below = [&](size_t n) { return n == 0 ? 0 : random() % n; };
  for (size_t edits = 1 + below(4); edits > 0 && !text.empty(); --edits) {
    size_t at = below(text.size());
    switch (below(5)) {
      case 0:
        text.erase(at, 1 + below(3));
        break;
      case 1:
        text.insert(at, kPieces[below(std::size(kPieces))]);
        break;
      case 2:
        text.replace(at, 1, kPieces[below(std::size(kPieces))]);
        break;
      case 3: {
        std::string copy = text.substr(at, below(30));
        text.insert(below(text.size()), copy);
        break;
      }
      default:
        text.resize(std::max<size_t>(at, 1));
        break;
    }
  }
  return text;
}

void check(const std::string& text, Entry entry) {
  Parsed parsed(text, entry);
  TreeChecker checker(parsed.sources, parsed.tree);
  std::string problem = checker.run();
  bool explained = checker.errors() == 0 || parsed.diags.has_errors();
  bool in_range = true;
  for (const Diagnostic& d : parsed.diags.all())
    in_range = in_range && d.range.begin <= d.range.end && d.range.end <= text.size();
  if (problem.empty() && explained && in_range) return;
  CAPTURE(text);
  CHECK(problem == "");
  CHECK(explained);
  CHECK(in_range);
}

}  // namespace

TEST_CASE("damaged texts") {
  std::mt19937 random(20240607);
  for (int i = 0; i < 6000; ++i) {
    check(mutate(kNativeText, random), Entry::Native);
    if (i % 3 == 0) check(mutate(kJsonText, random), Entry::Json);
    if (i % 6 == 0) check(mutate(kNativeText.substr(kNativeText.find("x-$"), 60), random), Entry::Template);
    if (i % 6 == 1) check(mutate("[for k, v in m : merge(v, { a = \"${k}\" })... if k]", random), Entry::Expression);
  }
}

TEST_CASE("every prefix of a text") {
  for (size_t length = 0; length <= kNativeText.size(); ++length)
    check(std::string(kNativeText.substr(0, length)), Entry::Native);
  for (size_t length = 0; length <= kJsonText.size(); ++length)
    check(std::string(kJsonText.substr(0, length)), Entry::Json);
}

// An argument that is damaged costs the arguments on other lines nothing.
TEST_CASE("a fault on one line leaves the blocks around it") {
  const std::string before = "a \"b\" {\n  c = 1\n}\n";
  const std::string after = "\nd \"e\" {\n  f = 2\n}\n";
  for (std::string_view fault : {"x = ", "x = [1 2]", "x = {a b}", "x = \"y", "x = 'y'", "x = f(,)", "x y", "x = ]",
                                 "x = @", "\"x\" = 1", "x = y ? z", "x = [for a in b]", "x = \"${}\"", "= 1", "x: 1"}) {
    Parsed parsed(before + "g {\n  " + std::string(fault) + "\n  h = 3\n}" + after);
    CAPTURE(fault);
    CHECK(parsed.diags.all().size() == 1);
    REQUIRE(parsed.tree.child_count(parsed.tree.root) == 3);
    NodeId body = parsed.tree.child(parsed.tree.child(parsed.tree.root, 1), 1);
    REQUIRE(parsed.tree.kind(body) == NodeKind::Body);
    uint32_t count = parsed.tree.child_count(body);
    REQUIRE(count > 0);
    NodeId last = parsed.tree.child(body, count - 1);
    CHECK(parsed.sources.text(parsed.tree.range(parsed.tree.child(last, 0))) == "h");
  }
}
