// What is said about texts with faults, and what is left of them.
#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "frontend/hcl/foreign_text.h"
#include "frontend/hcl/testing.h"
#include "frontend/hcl/tree_check.h"

using namespace pravo;
using namespace pravo::hcl;
using namespace pravo::hcl::testing;

namespace {

struct Case {
  std::string_view text;
  std::string_view messages;
};

void check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    Parsed parsed{std::string(c.text)};
    CAPTURE(c.text);
    CHECK(parsed.messages() == c.messages);
    TreeChecker checker(parsed.sources, parsed.tree);
    CHECK(checker.run() == "");
  }
}

// The names of all attributes and block types in the tree, in order.
std::string names(const Parsed& parsed) {
  std::string out;
  auto visit = [&](auto& self, NodeId body) -> void {
    for (uint32_t i = 0; i < parsed.tree.child_count(body); ++i) {
      NodeId item = parsed.tree.child(body, i);
      out += std::string(parsed.sources.text(parsed.tree.range(parsed.tree.child(item, 0)))) + " ";
      if (parsed.tree.kind(item) == NodeKind::Block)
        self(self, parsed.tree.child(item, parsed.tree.child_count(item) - 1));
    }
  };
  visit(visit, parsed.tree.root);
  return out;
}

}  // namespace

TEST_CASE("items") {
  check({
      {"a\n", "1:1-1:2 incomplete-item: `a` is neither an argument nor a block\n"},
      {"a b\nc = 1\n", "1:1-1:4 block-header: found no `{` after `a`\n"},
      {"a \"b\"\n{\n  c = 1\n}\n", "2:1-2:2 block-header: found `{` on a line of its own\n"},
      {"a b = 1\n", "1:5-1:6 block-header: found `=` in the header of a block\n"},
      {"a b.c {\n}\n", "1:4-1:5 block-header: found `.` in the header of a block\n"},
      {"a \"x${b}\" {\n}\n", "1:5-1:7 template-in-label: a label is literal text and holds no template sequence\n"},
      {"a.b = 1\n", "1:1-1:4 dotted-argument-name: the name of an argument or a block has no dots\n"},
      {"\"a\" = 1\n", "1:1-1:4 quoted-argument-name: the name of an argument is not quoted\n"},
      {"a: 1\n", "1:2-1:3 wrong-assignment-sign: a value is set with `=`, not with `:`\n"},
      {"a => 1\n", "1:3-1:5 wrong-assignment-sign: a value is set with `=`, not with `=>`\n"},
      {"a == 1\n", "1:3-1:5 wrong-assignment-sign: a value is set with `=`, not with `==`\n"},
      {"a := 1\n", "1:3-1:5 wrong-assignment-sign: a value is set with `=`, not with `:=`\n"},
      {"a += 1\n", "1:3-1:4 unexpected-token: expected `=` or `{` after `a`, found `+`\n"},
      {"{ \"a\": 1 }\n", "1:1-1:2 expected-item: expected an argument or a block, found `{`\n"},
      {"a = 1 b = 2\n", "1:7-1:8 missing-newline: expected a new line after the argument, found `b`\n"},
      {"a = 1, b = 2\n", "1:6-1:7 missing-newline: expected a new line after the argument, found `,`\n"},
      {"a {} b {}\n", "1:6-1:7 missing-newline: expected a new line after the block, found `b`\n"},
      {"a {\n  b = 1 }\n", "2:9-2:10 missing-newline: expected a new line after the argument, found `}`\n"},
      {"a { b = 1, c = 2 }\n", "1:10-1:11 one-line-block: a block on one line holds one argument and nothing else\n"},
      {"a { b = 1\n  c = 2 }\n", "1:10-2:1 one-line-block: a block on one line holds one argument and nothing else\n"},
      {"a { b {} }\n", "1:5-1:8 one-line-block: a block on one line holds one argument and nothing else\n"},
  });
}

TEST_CASE("what other tools leave") {
  check({
      {"\xFF\xFE"
       "a\0 \0",
       "1:1-1:1 utf-16: the file is encoded in UTF-16\n"},
      {std::string_view("a\0 \0=\0", 6), "1:1-1:1 utf-16: the file is encoded in UTF-16\n"},
      {"a {\n<<<<<<< HEAD\n  b = 1\n=======\n  b = 2\n  c = \n>>>>>>> x\n  d = 1\n}\n",
       "2:1-2:13 merge-conflict: a conflict of a merge was left in the file\n"},
  });
  CHECK(names(Parsed("a {\n<<<<<<< HEAD\n  b = 1\n=======\n  c = 2\n>>>>>>> x\n  d = 1\n}\n")) == "a b d ");
}

TEST_CASE("what is no text") {
  std::string every;  // byte, as in what is encrypted or compressed
  for (int i = 0; i < 256; ++i) every += static_cast<char>(i);
  CHECK(is_binary(every));
  CHECK(is_binary(std::string("\0GITCRYPT\0", 10)));
  CHECK_FALSE(is_binary(""));
  CHECK_FALSE(is_binary("a = 1\n"));
  CHECK_FALSE(is_binary(std::string(40, '\t') + "\x1B[0m\r\n\f"));
  std::string slip(100, 'a');
  slip[50] = '\0';
  CHECK_FALSE(is_binary(slip));
  // Other encodings: of one byte for each character, and of two.
  CHECK_FALSE(is_binary(std::string(100, '\xC4')));
  CHECK_FALSE(is_binary("\xFF\xFE" + std::string(200, '\0')));
}

TEST_CASE("expressions") {
  check({
      {"a =\n", "1:4-2:1 expected-expression: expected an expression, found the end of the line\n"},
      {"a = b +\n  c\nd = 1\n", "1:8-2:1 expected-expression: expected an expression, found the end of the line\n"},
      {"a = b\n  ? c : d\n", "2:3-2:4 expected-item: expected an argument or a block, found `?`\n"},
      {"a = * b\n", "1:5-1:6 expected-expression: expected an expression, found `*`\n"},
      {"a = b ** c\n", "1:8-1:9 expected-expression: expected an expression, found `*`\n"},
      {"a = b ?? c\n", "1:8-1:9 expected-expression: expected an expression, found `?`\n"},
      {"a = b++\nc = 1\n", "1:7-1:8 expected-expression: expected an expression, found `+`\n"},
      {"a = if b { 1 } else { 2 }\nc = 1\n",
       "1:8-1:9 missing-newline: expected a new line after the argument, found `b`\n"},
      {"a = b ? f(, 1) : c d\n",
       "1:11-1:12 expected-expression: expected an expression, found `,`\n"
       "1:20-1:21 missing-newline: expected a new line after the argument, found `d`\n"},
      {"a = .5\n", "1:5-1:6 expected-expression: expected an expression, found `.`\n"},
      {"a = 0x1F\n", "1:6-1:9 missing-newline: expected a new line after the argument, found `x1F`\n"},
      {"a = 1.2.3\n", "1:5-1:10 number-with-dots: a number has no second dot\n"},
      {"a = b ? c\n",
       "1:10-2:1 missing-else: expected `:` and the value for a condition that does not hold, found the end of the "
       "line\n"},
      {"a = b.\n", "1:7-2:1 expected-attribute-name: expected a name after `.`, found the end of the line\n"},
      {"a = b.\"c\"\n", "1:7-1:8 expected-attribute-name: expected a name after `.`, found a string\n"},
      {"a = b[]\n", "1:7-1:8 expected-expression: expected an expression, found `]`\n"},
      {"a = b[0, 1]\n", "1:8-1:9 unexpected-token: expected `]` after the index, found `,`\n"},
      {"a = b.*.c.*.d\n", "1:11-1:12 nested-splat: `.*` cannot follow another `.*`\n"},
      {"a = b.0.1\n", "1:9-1:10 legacy-index-chain: two indexes in a row cannot be written with dots\n"},
      {"a = b::c\n", "1:5-1:9 uncalled-function: a name with `::` is that of a function, which is not called here\n"},
      {"a = b::(1)\n", "1:8-1:9 unexpected-token: expected a name after `::`, found `(`\n"},
      {"a = f(1 2)\n", "1:9-1:10 missing-separator: expected `,` or `)` between arguments, found `2`\n"},
      {"a = f(b = 1)\n", "1:9-1:10 missing-separator: expected `,` or `)` between arguments, found `=`\n"},
      {"a = f(b..., c)\n", "1:11-1:12 expansion-not-last: expected `)` after `...`, found `,`\n"},
      {"a = f(b, ...)\n", "1:10-1:13 expected-expression: expected an expression, found `...`\n"},
      {"a = (1, 2)\n", "1:7-1:8 unexpected-token: expected an operator or `)`, found `,`\n"},
      {"a = [1 2]\n", "1:8-1:9 missing-separator: expected `,` or `]` between elements of a list, found `2`\n"},
      {"a = [\n  \"b\"\n  \"c\"\n]\n",
       "3:3-3:4 missing-separator: expected `,` or `]` between elements of a list, found a string\n"},
      {"a = [1,, 2]\n", "1:8-1:9 empty-element: nothing stands before this `,`\n"},
      {"a = { b = 1 c = 2 }\n",
       "1:13-1:14 missing-separator: expected `,`, a new line or `}` between items of an object, found `c`\n"},
      {"a = { b 1 }\n", "1:9-1:10 missing-value: expected `=` and a value after the key, found `1`\n"},
      {"a = { b => 1 }\n", "1:9-1:11 wrong-assignment-sign: a value is set with `=`, not with `=>`\n"},
      {"a = {\n  b \"c\" {\n    d = 1\n  }\n}\n",
       "2:5-2:6 missing-value: expected `=` and a value after the key, found a string\n"},
      {"a = [for x y : x]\n", "1:12-1:13 invalid-for: expected `in` in the `for` expression, found `y`\n"},
      {"a = [for x in y x]\n",
       "1:17-1:18 invalid-for: expected `:` after the collection in the `for` expression, found `x`\n"},
      {"a = [for x in y : x => x]\n",
       "1:21-1:23 invalid-for: expected `if` or `]` in the `for` expression, found `=>`\n"},
      {"a = {for x in y : x}\n",
       "1:20-1:21 invalid-for: expected `=>` and the value in the `for` expression, found `}`\n"},
      {"a = { for = 1 }\n",
       "1:11-1:12 invalid-for: expected the name of a variable in the `for` expression, found `=`\n"},
  });
}

TEST_CASE("strings and characters") {
  check({
      {"a = \"b\nc = 1\n", "1:5-1:7 unterminated-string: the string is not closed on its line\n"},
      {"a = [\"b, \"c\"]\nd = 1\n", "1:12-1:14 unterminated-string: the string is not closed on its line\n"},
      {"a = \"b\nc\"\nd = 1\n", "1:5-1:7 string-spans-lines: the string goes on in the next line\n"},
      {"a = \"b \"c\" d\"\ne = 1\n", "1:9-1:10 missing-newline: expected a new line after the argument, found `c`\n"},
      {"a = \"\\q\"\n", "1:6-1:8 invalid-escape: `\\q` is no escape sequence\n"},
      {"a = \"\\u12\"\n", "1:6-1:10 invalid-escape: `\\u12` is no escape sequence\n"},
      {"a = \"\\${b}\"\n", "1:6-1:8 invalid-escape: `\\$` is no escape sequence\n"},
      {"a = 'b'\n", "1:5-1:6 wrong-quotes: strings are written in double quotes, not in '\n"},
      {"a = \xE2\x80\x9C"
       "b\xE2\x80\x9D\n",
       "1:5-1:6 wrong-quotes: strings are written in double quotes, not in \xE2\x80\x9C\n"},
      {"a = `b`\n", "1:5-1:6 wrong-quotes: strings are written in double quotes, not in `\n"},
      {"a = b & c\n", "1:7-1:8 unknown-operator: there is no operator `&`\n"},
      {"a = b | c\n", "1:7-1:8 unknown-operator: there is no operator `|`\n"},
      {"a = b << 1\n", "1:7-1:9 unknown-operator: there is no operator `<<`\n"},
      {"a = b ^ c\n", "1:7-1:8 invalid-character: `^` has no meaning here\n"},
      {"a = $b\n", "1:5-1:6 invalid-character: `$` has no meaning here\n"},
      {"a = ${b}\nc = 1\n", "1:5-1:7 sequence-outside-string: `${` has a meaning in strings only\n"},
      {"a = 1; b = 2\n", "1:6-1:7 invalid-character: `;` has no meaning here\n"},
      {"a =\xC2\xA0"
       "1\n",
       "1:4-1:5 invalid-character: invisible character U+00A0 has no meaning here\n"},
      {std::string_view("a = 1\0\n", 7), "1:6-1:7 invalid-character: NUL byte has no meaning here\n"},
      {"a = 1\rb = 2\r", "1:6-1:7 invalid-character: carriage return has no meaning here\n"},
      {"a = \"\xFF\"\n", "1:6-1:7 invalid-utf8: the text is not valid UTF-8 here\n"},
      {"# \xFF is accepted in comments\n", ""},
      {"a = 1 /* b\n", "1:7-1:9 unterminated-comment: the comment is not closed\n"},
  });
}

TEST_CASE("heredocs") {
  check({
      {"a = <<EOT\nb\nEOT",
       "3:1-3:4 heredoc-marker-not-alone: the marker `EOT` closes the heredoc only when it is alone on its line\n"},
      {"a = f(<<EOT\nb\nEOT)\nc = 1\n",
       "3:1-3:4 heredoc-marker-not-alone: the marker `EOT` closes the heredoc only when it is alone on its line\n"},
      {"a = <<EOT \nb\nEOT\n",
       "1:5-1:10 invalid-heredoc-marker: the heredoc marker `EOT` must directly follow `<<` or `<<-` and end its line, "
       "without quotes or spaces\n"},
      {"a = <<\"EOT\"\nb\nEOT\n",
       "1:5-1:12 invalid-heredoc-marker: the heredoc marker `EOT` must directly follow `<<` or `<<-` and end its line, "
       "without quotes or spaces\n"},
      {"a = <<<EOT\nb\nEOT\nc = 1\n",
       "1:5-1:11 invalid-heredoc-marker: the heredoc marker `EOT` must directly follow `<<` or `<<-` and end its line, "
       "without quotes or spaces\n"},
      {"a {\n  b = <<EOT\nc\n}\n\nd \"e\" {\n  f = 1\n}\n",
       "2:7-2:12 unterminated-heredoc: no line holds only `EOT` to close the heredoc\n"},
  });
}

TEST_CASE("templates") {
  check({
      {"a = \"${}\"\n",
       "1:8-1:9 expected-expression: expected an expression, found the `}` of the template sequence\n"},
      {"a = \"${b c}\"\n", "1:10-1:11 unexpected-token: expected `}` to end the template sequence, found `c`\n"},
      {"a = \"${b\"\nc = 1\n",
       "1:9-1:10 unclosed-bracket: expected `}` to close the template sequence opened at 1:6\n"},
      {"a = \"%{ foo }\"\n", "1:9-1:12 unknown-directive: there is no template directive `foo`\n"},
      {"a = \"%{ }\"\n", "1:6-1:8 missing-directive: `%{` is followed by no directive\n"},
      {"a = \"%{ if b }c\"\n",
       "1:16-1:17 unexpected-token: expected `%{ endif }` to end the `if` that starts at 1:6, found the end of the "
       "string\n"},
      {"a = \"%{ for b in c }d%{ endif }\"\n",
       "1:22-1:30 unexpected-token: expected `%{ endfor }` to end the `for` that starts at 1:6, found `%{ endif }`\n"},
      {"a = \"%{ if b }%{ else }%{ else }%{ endif }\"\n",
       "1:24-1:31 unbalanced-directive: found a second `%{ else }`\n"},
      {"a = \"b%{ endif }\"\n", "1:7-1:15 unbalanced-directive: found `%{ endif }` without `%{ if }`\n"},
      {"a = \"%{ if b }%{ else if c }%{ endif }\"\n",
       "1:23-1:25 unexpected-token: expected `}` to end the template sequence, found `if`\n"},
  });
}

TEST_CASE("brackets") {
  check({
      {"a = 1 }\n", "1:7-1:8 unexpected-bracket: `}` closes nothing\n"},
      {"a {\n", "1:3-1:4 unclosed-bracket: expected `}` to close the block opened at 1:3\n"},
      {"a = (1\nb = 2\n", "2:1-2:2 unclosed-bracket: expected `)` to close the parenthesis opened at 1:5\n"},
      {"a = f([1, 2)\nb = 2\n", "1:12-1:13 unclosed-bracket: expected `]` to close the list opened at 1:7\n"},
      {"a = [1, 2)\nb = 2\n", "1:10-1:11 unclosed-bracket: expected `]` to close the list opened at 1:5\n"},
      {"a {\n  b = [1, 2}\n  c = 3\n}\n", "2:12-2:13 unclosed-bracket: expected `]` to close the list opened at 2:7\n"},
      {"a = {\n  b = f(1}\n  c = 3\n}\n", "2:10-2:11 unclosed-bracket: expected `)` to close the call opened at 2:8\n"},
      {"a = {\n  b = [1}\n}\n", "2:9-2:10 unclosed-bracket: expected `]` to close the list opened at 2:7\n"},
      {"a = {\n  b = [1 }\nc = 2\n", "2:10-2:11 unclosed-bracket: expected `]` to close the list opened at 2:7\n"},
      {"a = f({\n  b = 1\n)\nc = 2\n", "3:1-3:2 unclosed-bracket: expected `}` to close the object opened at 1:7\n"},
  });
}

TEST_CASE("the layout tells where a brace is missing") {
  Parsed object("a \"b\" {\n  c = {\n    d = 1\n\n  e {\n    f = 2\n  }\n}\n\ng \"h\" {\n  i = 3\n}\n");
  CHECK(object.messages() == "5:3-5:4 unclosed-bracket: expected `}` to close the object opened at 2:7\n");
  CHECK(names(object) == "a c e f g i ");

  Parsed block("a {\n  b {\n    c = 1\n}\n\nd {\n  e = 2\n}\n");
  CHECK(block.messages() == "4:1-4:2 unclosed-bracket: expected `}` to close the block opened at 2:5\n");
  CHECK(names(block) == "a b c d e ");

  Parsed list("a {\n  b = [\n    for k in m : {\n      c = k\n    }\n  d {\n    e = 1\n  }\n}\nf = 1\n");
  CHECK(list.messages() == "6:3-6:4 unclosed-bracket: expected `]` to close the list opened at 2:7\n");
  CHECK(names(list) == "a b d e f ");
}

TEST_CASE("several faults in one file are all reported, and the rest is kept") {
  Parsed parsed(R"(resource "a" "b" {
  c = "d
  e = 1
}
resource "f" "g" {
  h = [1, 2
  i = { j = 1 k = 2 }
  l = var.
}
variable m.n {
  o = string
}
output "p" {
  q: "${var.r"
  s = 't'
}
)");
  CHECK(parsed.places() ==
        "2:7-2:9 unterminated-string\n"
        "7:3-7:4 unclosed-bracket\n"
        "7:15-7:16 missing-separator\n"
        "8:11-9:1 expected-attribute-name\n"
        "10:11-10:12 block-header\n"
        "14:4-14:5 wrong-assignment-sign\n"
        "14:14-14:15 unclosed-bracket\n"
        "15:7-15:8 wrong-quotes\n");
  CHECK(names(parsed) == "resource c e resource h i l variable o output q s ");
  TreeChecker checker(parsed.sources, parsed.tree);
  CHECK(checker.run() == "");
}

TEST_CASE("Error nodes stand for what is missing") {
  CHECK(
      Parsed("a = b + \nc = 1\n").dump() ==
      "(Body (Attribute (Name \"a\") (Binary.Add (Variable \"b\") (Error))) (Attribute (Name \"c\") (Number \"1\")))");
  CHECK(Parsed("a = { b }\n").dump() == "(Body (Attribute (Name \"a\") (Object (ObjectItem (Name \"b\") (Error)))))");
  CHECK(Parsed("a = \"x${}y\"\n").dump() ==
        "(Body (Attribute (Name \"a\") (Template.Quoted (StringPart \"x\") (Interpolation (Error)) (StringPart "
        "\"y\"))))");
  CHECK(Parsed("a = [for x in]\nb = 1\n").dump() ==
        "(Body (Attribute (Name \"a\") (Error)) (Attribute (Name \"b\") (Number \"1\")))");
  CHECK(Parsed("1 +", Entry::Expression).dump() == "(Binary.Add (Number \"1\") (Error))");
  CHECK(Parsed("", Entry::Expression).messages() ==
        "1:1-1:1 expected-expression: expected an expression, found the end of the file\n");
  CHECK(Parsed("a b", Entry::Expression).messages() ==
        "1:3-1:4 unexpected-token: expected an operator or the end of the expression, found `b`\n");
  CHECK(Parsed("${a", Entry::Template).messages() ==
        "1:1-1:3 unclosed-bracket: expected `}` to close the template sequence opened at 1:1\n");
}

TEST_CASE("certain repairs are offered as edits") {
  auto repaired = [](std::string text) {
    Parsed parsed(text);
    REQUIRE(parsed.diags.all().size() == 1);
    const auto& fixes = parsed.diags.all()[0].fixes;
    REQUIRE(fixes.size() == 1);
    text.replace(fixes[0].range.begin, fixes[0].range.end - fixes[0].range.begin, fixes[0].replacement);
    CHECK_MESSAGE(Parsed(text).diags.empty(), Parsed(text).messages());
    return text;
  };
  CHECK(repaired("a: 1\n") == "a= 1\n");
  CHECK(repaired("\"a\" = 1\n") == "a = 1\n");
  CHECK(repaired("a = 'b'\n") == "a = \"b\"\n");
  CHECK(repaired("a = \"b\n") == "a = \"b\"\n");
  CHECK(repaired("a = b & c\n") == "a = b && c\n");
  CHECK(repaired("a = [1 2]\n") == "a = [1, 2]\n");
  CHECK(repaired("a = [1,, 2]\n") == "a = [1, 2]\n");
  CHECK(repaired("a = { b => 1 }\n") == "a = { b = 1 }\n");
  CHECK(repaired("a = <<-EOT \nb\nEOT\n") == "a = <<-EOT\nb\nEOT\n");
  CHECK(repaired("a =\xC2\xA0"
                 "1\n") == "a = 1\n");
}

TEST_CASE("files that must not be quoted are not quoted") {
  for (std::string_view text :
       {"a = hunter2 hunter3\n", "a = 'hunter2'\n", "a = \"\\hunter2\"\n", "a = hunter2 hunter3",
        "a = [hunter2 hunter3]\n", "hunter2\n", "hunter2 hunter3\n", "a = \"%{ hunter2 }\"\n",
        "a = \xE2\x82\xAC hunter2\n", "a = {hunter2 12345}\n", "a = (12345 hunter2)\n", "a = 12345.12345.12345\n",
        "a = \"hunter2\n", "a = f(hunter2 hunter3)\n"}) {
    Parsed parsed(std::string(text), Entry::Native, true);
    REQUIRE(!parsed.diags.empty());
    for (const Diagnostic& d : parsed.diags.all()) {
      std::string all = d.message + d.help;
      for (const DiagnosticNote& note : d.notes) all += note.message;
      for (const FixEdit& fix : d.fixes) all += fix.replacement + fix.description;
      CAPTURE(all);
      CHECK(all.find("hunter") == std::string::npos);
      CHECK(all.find("12345") == std::string::npos);
    }
  }
}
