// The text of templates. What is expected was asked of Terraform 1.11.4.
#include <doctest/doctest.h>

#include <vector>

#include "frontend/hcl/testing.h"

using namespace pravo;
using namespace pravo::hcl;
using namespace pravo::hcl::testing;

namespace {

// The text of a template with `<name>` for `${name}`, `<if name: ...>` and the like for directives.
std::string flat(const Parsed& parsed, NodeId node) {
  std::string out;
  for (const TemplatePart& part : template_parts(parsed.sources, parsed.tree, node)) {
    if (!part.node.valid()) {
      out += part.text;
      continue;
    }
    const SyntaxTree& tree = parsed.tree;
    auto text = [&](uint32_t child) {
      return std::string(parsed.sources.text(tree.range(tree.child(part.node, child))));
    };
    switch (tree.kind(part.node)) {
      case NodeKind::Interpolation:
        out += "<" + text(0) + ">";
        break;
      case NodeKind::TemplateIf:
        out += "<if " + text(0) + ":" + flat(parsed, tree.child(part.node, 1));
        if (tree.child_count(part.node) == 3) out += "|" + flat(parsed, tree.child(part.node, 2));
        out += ">";
        break;
      default:
        out += "<for:" + flat(parsed, tree.child(part.node, tree.child_count(part.node) - 1)) + ">";
        break;
    }
  }
  return out;
}

std::string value(const std::string& text) {
  Parsed parsed("a = " + text + "\n");
  CHECK_MESSAGE(parsed.diags.empty(), parsed.messages());
  return flat(parsed, parsed.tree.child(parsed.tree.child(parsed.tree.root, 0), 1));
}

}  // namespace

TEST_CASE("escapes of quoted templates") {
  CHECK(value(R"("a\tb\"\\\n\r")") == "a\tb\"\\\n\r");
  CHECK(value(R"("\u00e9\U0001F600\u0024{")") == "\xC3\xA9\xF0\x9F\x98\x80${");
  CHECK(value(R"("$${b} $$${b} $$$${b}")") == "${b} $${b} $$${b}");
  CHECK(value(R"("%%{if} %%%{if}")") == "%{if} %%{if}");
  CHECK(value(R"("a$$b $ $$ % %%")") == "a$$b $ $$ % %%");
  CHECK(value(R"("$%{if b}x%{endif}")") == "$<if b:x>");
  CHECK(value(R"("%${b} $$%{if b}x%{endif}")") == "%<b> $$<if b:x>");
}

TEST_CASE("strip markers take the white space next to them") {
  CHECK(value(R"("  ${~ b ~}  y")") == "<b>y");
  CHECK(value(R"("a\n  ${~ b ~}  \n b")") == "a<b>b");
  CHECK(value(R"("a %{~ if b ~} x %{~ else ~} y %{~ endif ~} c")") == "a<if b:x|y>c");
  CHECK(value(R"("a %{~ for x in b ~} x${x} %{~ endfor ~} c")") == "a<for:x<x>>c");
  CHECK(value(R"(" ${b ~} ${~ c} ")") == " <b><c> ");
  CHECK(value("<<EOT\na\n\n  ${~ b ~}\n\n  c\nEOT") == "a\n\n<b>\n  c\n");
  CHECK(value("<<EOT\na \n \n ${~ b ~} \n \n c\nEOT") == "a \n \n<b> \n c\n");
  CHECK(value("<<EOT\na\n%{~ if b }\nx\n%{~ endif }\nc\nEOT") == "a<if b:\nx>\nc\n");
  CHECK(value("<<EOT\n\n\n${~b}\nEOT") == "\n<b>\n");
  CHECK(value("<<EOT\n%{~ for x in b ~}\n\n x \n\n%{~ endfor ~}\nEOT") == "<for:\n x \n>");
}

TEST_CASE("heredocs keep their text") {
  CHECK(value("<<EOT\nEOT") == "");
  CHECK(value("<<EOT\n\nEOT") == "\n");
  CHECK(value("<<EOT\n  a\r\n\r\n    b\r\n  EOT\r") == "  a\r\n\r\n    b\r\n");
  CHECK(value("<<EOT\nx$${b} \\n \"q\" \\\\ %%{if}\nEOT") == "x${b} \\n \"q\" \\\\ %{if}\n");
}

TEST_CASE("indentation of flush heredocs") {
  CHECK(value("<<-EOT\n  a\n    b\n  EOT") == "a\n  b\n");
  CHECK(value("<<-EOT\n    a\n\n  b\n  EOT") == "  a\n\nb\n");
  CHECK(value("<<-EOT\n    a\n \n  b\n  EOT") == "  a\n \nb\n");
  CHECK(value("<<-EOT\n    a\n      \n  b\n  EOT") == "  a\n      \nb\n");
  CHECK(value("<<-EOT\n \ta\n\t b\n EOT") == "a\nb\n");
  CHECK(value("<<-EOT\n\xC2\xA0\xC2\xA0"
              "a\n\xC2\xA0 b\n EOT") == "a\nb\n");
  CHECK(value("<<-EOT\n\xE3\x80\x80"
              "a\n\xE3\x80\x80"
              "b\n EOT") == "a\nb\n");
  CHECK(value("<<-EOT\n  a\r\n    b\r\n  EOT\r") == "a\r\n  b\r\n");
  CHECK(value("<<-EOT\n  a\n  ${b}\n  c\n EOT") == "a\n<b>\nc\n");
  CHECK(value("<<-EOT\n  a\n${b}\n  c\n EOT") == "  a\n<b>\n  c\n");
  CHECK(value("<<-EOT\n  ${b} ${c}\n     ${d}\n EOT") == "<b> <c>\n   <d>\n");
  CHECK(value("<<-EOT\n\n\n  ${b}\n    x\n  EOT") == "\n\n<b>\n  x\n");
  CHECK(value("<<-EOT\n   \n  ${b}\n    x\n  EOT") == "   \n<b>\n  x\n");
  CHECK(value("<<-EOT\n    EOTx\n  y EOT\n EOT") == "  EOTx\ny EOT\n");
}

TEST_CASE("indentation and directives") {
  CHECK(value("<<-EOT\n  %{ if b }\n    c\n  %{ endif }\n EOT") == "<if b:\n  c\n>\n");
  CHECK(value("<<-EOT\n  %{ if b ~}\n    c\n  %{ endif ~}\n EOT") == "<if b:    c\n>");
  CHECK(value("<<-EOT\n    %{~ if b ~}\n    c\n    d\n  %{ endif ~}\n EOT") == "<if b:    c\n    d\n  >");
  CHECK(value("<<-EOT\n    %{ for x in b ~}\n      x ${x}\n    %{ endfor ~}\n    z\nEOT") ==
        "<for:      x <x>\n>    z\n");
  CHECK(value("<<-EOT\n    a\n  %{ if b }c%{ endif }\n      d\nEOT") == "  a\n<if b:c>\n    d\n");
  CHECK(value("<<-EOT\n    a\n%{ if b }  c%{ endif }\n      d\nEOT") == "    a\n<if b:  c>\n      d\n");
  CHECK(value("<<-EOT\n    a\n    %{ if b }\n  b\n     %{ else }\n c\n%{ endif }\n      d\nEOT") ==
        "    a\n    <if b:\n  b\n     |\n c\n>\n      d\n");
  // Deep bodies know the indentation of the whole.
  CHECK(value("<<-EOT\n    %{ if b }\n      %{ if c }\n        d\n      %{ endif }\n    %{ endif }\nEOT") ==
        "<if b:\n  <if c:\n    d\n  >\n>\n");
}

TEST_CASE("template files") {
  Parsed parsed("%{ if true ~}\n  z\n%{ endif ~}\n\n w", Entry::Template);
  CHECK(flat(parsed, parsed.tree.root) == "<if true:  z\n>\n w");
}

TEST_CASE("literal_text") {
  Parsed parsed("a \"b\\n\" { c = \"x${y}\" }\nd = x :: y :: f()\ne = <<-E\n  f\n  E\n");
  const SyntaxTree& tree = parsed.tree;
  NodeId block = tree.child(tree.root, 0);
  std::string text;
  CHECK(literal_text(parsed.sources, tree, tree.child(block, 0), &text));
  CHECK(text == "a");
  CHECK(literal_text(parsed.sources, tree, tree.child(block, 1), &text));
  CHECK(text == "b\n");
  NodeId attribute = tree.child(tree.child(block, 2), 0);
  CHECK_FALSE(literal_text(parsed.sources, tree, tree.child(attribute, 1), &text));
  NodeId call = tree.child(tree.child(tree.root, 1), 1);
  CHECK(literal_text(parsed.sources, tree, tree.child(call, 0), &text));
  CHECK(text == "x::y::f");
  CHECK(literal_text(parsed.sources, tree, tree.child(tree.child(tree.root, 2), 1), &text));
  CHECK(text == "f\n");
}
