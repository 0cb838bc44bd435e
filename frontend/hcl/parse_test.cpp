// Shapes of trees of native syntax.
#include <doctest/doctest.h>

#include "frontend/hcl/testing.h"

using namespace pravo;
using namespace pravo::hcl;
using namespace pravo::hcl::testing;

namespace {

std::string dump(std::string_view text) {
  Parsed parsed{std::string(text)};
  CHECK_MESSAGE(parsed.diags.empty(), parsed.messages());
  return parsed.dump();
}

}  // namespace

TEST_CASE("empty files") {
  CHECK(dump("") == "(Body)");
  CHECK(dump("\n\n") == "(Body)");
  CHECK(dump("# only a comment") == "(Body)");
  CHECK(dump("/* a\nb */ // c\n") == "(Body)");
  CHECK(dump("\xEF\xBB\xBF") == "(Body)");
}

TEST_CASE("attributes and blocks") {
  CHECK(dump("a = 1") == "(Body (Attribute (Name \"a\") (Number \"1\")))");
  CHECK(dump("\xEF\xBB\xBF"
             "a = 1\r\nb = 2\r\n") ==
        "(Body (Attribute (Name \"a\") (Number \"1\")) (Attribute (Name \"b\") (Number \"2\")))");
  CHECK(dump("a {}") == "(Body (Block (Name \"a\") (Body)))");
  CHECK(dump("a {\n}\n") == "(Body (Block (Name \"a\") (Body)))");
  CHECK(dump("a \"b\" c \"\" { d = 1 }") ==
        "(Body (Block (Name \"a\") (Template.Quoted (StringPart \"b\")) (Name \"c\") (Template.Quoted) "
        "(Body (Attribute (Name \"d\") (Number \"1\")))))");
  CHECK(dump("a { # c\n\n  b {}\n  c = 1 // d\n} /* e */ # f\n") ==
        "(Body (Block (Name \"a\") (Body (Block (Name \"b\") (Body)) (Attribute (Name \"c\") (Number \"1\")))))");
  CHECK(dump("for = 1\nin = 2\nif = 3\n") ==
        "(Body (Attribute (Name \"for\") (Number \"1\")) (Attribute (Name \"in\") (Number \"2\")) "
        "(Attribute (Name \"if\") (Number \"3\")))");
}

TEST_CASE("identifiers") {
  CHECK(dump("\xC3\xA9-1_\xE6\x97\xA5 = a-b") ==
        "(Body (Attribute (Name \"\xC3\xA9-1_\xE6\x97\xA5\") (Variable \"a-b\")))");
  CHECK(dump("a\xC2\xB7"
             "b = _c") ==
        "(Body (Attribute (Name \"a\xC2\xB7"
        "b\") (Variable \"_c\")))");
}

TEST_CASE("literals") {
  CHECK(expression_dump("1.50e+3") == "(Number \"1.50e+3\")");
  CHECK(expression_dump("true") == "(Bool.true)");
  CHECK(expression_dump("false") == "(Bool.false)");
  CHECK(expression_dump("null") == "(Null)");
  CHECK(expression_dump("true.x") == "(GetAttr (Bool.true) (Name \"x\"))");
  CHECK(expression_dump("true()") == "(Call (Name \"true\"))");
  CHECK(expression_dump("nulls") == "(Variable \"nulls\")");
}

TEST_CASE("precedence") {
  CHECK(expression_dump("a + b * c - d") ==
        "(Binary.Subtract (Binary.Add (Variable \"a\") (Binary.Multiply (Variable \"b\") (Variable \"c\"))) "
        "(Variable \"d\"))");
  CHECK(expression_dump("a || b && c == d < e + f % g") ==
        "(Binary.Or (Variable \"a\") (Binary.And (Variable \"b\") (Binary.Equal (Variable \"c\") (Binary.Less "
        "(Variable \"d\") (Binary.Add (Variable \"e\") (Binary.Modulo (Variable \"f\") (Variable \"g\")))))))");
  CHECK(expression_dump("a / b / c") ==
        "(Binary.Divide (Binary.Divide (Variable \"a\") (Variable \"b\")) (Variable \"c\"))");
  CHECK(expression_dump("a != b >= c > d <= e") ==
        "(Binary.NotEqual (Variable \"a\") (Binary.LessEqual (Binary.Greater (Binary.GreaterEqual (Variable \"b\") "
        "(Variable \"c\")) (Variable \"d\")) (Variable \"e\")))");
  CHECK(expression_dump("!-a.b + c") ==
        "(Binary.Add (Unary.Not (Unary.Negate (GetAttr (Variable \"a\") (Name \"b\")))) (Variable \"c\"))");
  CHECK(expression_dump("(a + b) * c") ==
        "(Binary.Multiply (Paren (Binary.Add (Variable \"a\") (Variable \"b\"))) (Variable \"c\"))");
  CHECK(expression_dump("a ? b : c ? d : e") ==
        "(Conditional (Variable \"a\") (Variable \"b\") (Conditional (Variable \"c\") (Variable \"d\") "
        "(Variable \"e\")))");
  CHECK(expression_dump("a ? b ? c : d : e") ==
        "(Conditional (Variable \"a\") (Conditional (Variable \"b\") (Variable \"c\") (Variable \"d\")) "
        "(Variable \"e\"))");
  CHECK(expression_dump("a || b ? c + 1 : !d") ==
        "(Conditional (Binary.Or (Variable \"a\") (Variable \"b\")) (Binary.Add (Variable \"c\") (Number \"1\")) "
        "(Unary.Not (Variable \"d\")))");
}

TEST_CASE("traversals and splats") {
  CHECK(expression_dump("a.b[\"c\"].d[0]") ==
        "(Index (GetAttr (Index (GetAttr (Variable \"a\") (Name \"b\")) (Template.Quoted (StringPart \"c\"))) "
        "(Name \"d\")) (Number \"0\"))");
  CHECK(expression_dump("a.0.b") == "(GetAttr (LegacyIndex (Variable \"a\") (Number \"0\")) (Name \"b\"))");
  CHECK(expression_dump("a . b [ 0 ]") == "(Index (GetAttr (Variable \"a\") (Name \"b\")) (Number \"0\"))");
  CHECK(expression_dump("a.for.if") == "(GetAttr (GetAttr (Variable \"a\") (Name \"for\")) (Name \"if\"))");
  CHECK(expression_dump("a[*].b[0]") ==
        "(Splat.Full (Variable \"a\") (Index (GetAttr (SplatItem) (Name \"b\")) (Number \"0\")))");
  CHECK(expression_dump("a[*]") == "(Splat.Full (Variable \"a\") (SplatItem))");
  CHECK(expression_dump("a.*.b.0.c[0].d") ==
        "(GetAttr (Index (Splat.Attribute (Variable \"a\") (GetAttr (LegacyIndex (GetAttr (SplatItem) (Name \"b\")) "
        "(Number \"0\")) (Name \"c\"))) (Number \"0\")) (Name \"d\"))");
  CHECK(expression_dump("a[*].b[*].c") ==
        "(Splat.Full (Variable \"a\") (Splat.Full (GetAttr (SplatItem) (Name \"b\")) (GetAttr (SplatItem) "
        "(Name \"c\"))))");
  CHECK(expression_dump("a[*].b[c.*.d].e") ==
        "(Splat.Full (Variable \"a\") (GetAttr (Index (GetAttr (SplatItem) (Name \"b\")) (Splat.Attribute "
        "(Variable \"c\") (GetAttr (SplatItem) (Name \"d\")))) (Name \"e\")))");
  CHECK(expression_dump("a[*] + b[*].c") ==
        "(Binary.Add (Splat.Full (Variable \"a\") (SplatItem)) (Splat.Full (Variable \"b\") (GetAttr (SplatItem) "
        "(Name \"c\"))))");
  CHECK(expression_dump("f(a)[*].b") ==
        "(Splat.Full (Call (Name \"f\") (Variable \"a\")) (GetAttr (SplatItem) (Name \"b\")))");
}

TEST_CASE("calls") {
  CHECK(expression_dump("f()") == "(Call (Name \"f\"))");
  CHECK(expression_dump("f(a, b,)") == "(Call (Name \"f\") (Variable \"a\") (Variable \"b\"))");
  CHECK(expression_dump("f(\na\n,\nb...\n)") == "(Call expand (Name \"f\") (Variable \"a\") (Variable \"b\"))");
  CHECK(expression_dump("provider::x::f(1)") == "(Call (Name \"provider::x::f\") (Number \"1\"))");
  CHECK(expression_dump("f (g(1))") == "(Call (Name \"f\") (Call (Name \"g\") (Number \"1\")))");
}

TEST_CASE("collections") {
  CHECK(expression_dump("[]") == "(Tuple)");
  CHECK(expression_dump("[\n1,\n[2], # c\n]") == "(Tuple (Number \"1\") (Tuple (Number \"2\")))");
  CHECK(expression_dump("{}") == "(Object)");
  CHECK(expression_dump("{\n\n}") == "(Object)");
  CHECK(expression_dump("{ a = 1, \"b\" : 2\n(c) = 3, true = 4,\n\n4 = 5 }") ==
        "(Object (ObjectItem (Name \"a\") (Number \"1\")) (ObjectItem (Template.Quoted (StringPart \"b\")) "
        "(Number \"2\")) (ObjectItem (Paren (Variable \"c\")) (Number \"3\")) (ObjectItem (Name \"true\") "
        "(Number \"4\")) (ObjectItem (Number \"4\") (Number \"5\")))");
  CHECK(expression_dump("{ a.b = 1 }") ==
        "(Object (ObjectItem (GetAttr (Variable \"a\") (Name \"b\")) (Number \"1\")))");
  CHECK(expression_dump("[{ a = 1\nb = 2 }]") ==
        "(Tuple (Object (ObjectItem (Name \"a\") (Number \"1\")) (ObjectItem (Name \"b\") (Number \"2\"))))");
}

TEST_CASE("for expressions") {
  CHECK(expression_dump("[for x in y : x]") == "(ForTuple (Name \"x\") (Variable \"y\") (Variable \"x\"))");
  CHECK(expression_dump("[for in in in : in if if]") ==
        "(ForTuple condition (Name \"in\") (Variable \"in\") (Variable \"in\") (Variable \"if\"))");
  CHECK(expression_dump("{\nfor k, v\nin m :\nk => v...\nif v != null\n}") ==
        "(ForObject key condition group (Name \"k\") (Name \"v\") (Variable \"m\") (Variable \"k\") (Variable \"v\") "
        "(Binary.NotEqual (Variable \"v\") (Null)))");
  CHECK(expression_dump("[for x in y : x.*.if if x]") ==
        "(ForTuple condition (Name \"x\") (Variable \"y\") (Splat.Attribute (Variable \"x\") (GetAttr (SplatItem) "
        "(Name \"if\"))) (Variable \"x\"))");
  CHECK(expression_dump("[for x in [for y in z : y] : { for a, b in x : a => b }]") ==
        "(ForTuple (Name \"x\") (ForTuple (Name \"y\") (Variable \"z\") (Variable \"y\")) (ForObject key "
        "(Name \"a\") (Name \"b\") (Variable \"x\") (Variable \"a\") (Variable \"b\")))");
  CHECK(expression_dump("[for x in y : a ? b : c if d]") ==
        "(ForTuple condition (Name \"x\") (Variable \"y\") (Conditional (Variable \"a\") (Variable \"b\") "
        "(Variable \"c\")) (Variable \"d\"))");
  CHECK(expression_dump("a[for]") == "(Index (Variable \"a\") (Variable \"for\"))");
}

TEST_CASE("templates") {
  CHECK(expression_dump("\"\"") == "(Template.Quoted)");
  CHECK(expression_dump("\"a $${b} %%{c} \\\"d\\\" $ % $\"") ==
        "(Template.Quoted (StringPart \"a $${b} %%{c} \\\\\\\"d\\\\\\\" $ % $\"))");
  CHECK(expression_dump("\"a${~ b ~}c\"") ==
        "(Template.Quoted (StringPart \"a\") (Interpolation strip-left strip-right (Variable \"b\")) "
        "(StringPart \"c\"))");
  CHECK(expression_dump("\"${\"x${\"y\"}\"}\"") ==
        "(Template.Quoted (Interpolation (Template.Quoted (StringPart \"x\") (Interpolation (Template.Quoted "
        "(StringPart \"y\"))))))");
  CHECK(expression_dump("\"${ {\na = \"}\"\n} }\"") ==
        "(Template.Quoted (Interpolation (Object (ObjectItem (Name \"a\") (Template.Quoted (StringPart \"}\"))))))");
  CHECK(expression_dump("\"%{ if a ~}b%{~ else }c%{ endif ~}\"") ==
        "(Template.Quoted (TemplateIf strip-right else-strip-left end-strip-right (Variable \"a\") (TemplateBody "
        "strip-left strip-right (StringPart \"b\")) (TemplateBody (StringPart \"c\"))))");
  CHECK(expression_dump("\"%{\nfor k, v in m /* c */ ~}${k}%{endfor}\"") ==
        "(Template.Quoted (TemplateFor strip-right key (Name \"k\") (Name \"v\") (Variable \"m\") (TemplateBody "
        "strip-left (Interpolation (Variable \"k\")))))");
  CHECK(expression_dump("\"%{if a}%{for b in c}d%{endfor}%{endif}\"") ==
        "(Template.Quoted (TemplateIf (Variable \"a\") (TemplateBody (TemplateFor (Name \"b\") (Variable \"c\") "
        "(TemplateBody (StringPart \"d\"))))))");
}

TEST_CASE("heredocs") {
  CHECK(expression_dump("<<EOT\nEOT") == "(Template.Heredoc)");
  CHECK(expression_dump("<<-E-1\n  a ${b} \"c\\n\"\n  E-1  ") ==
        "(Template.HeredocFlush (StringPart \"  a \") (Interpolation (Variable \"b\")) "
        "(StringPart \" \\\"c\\\\n\\\"\\n\"))");
  CHECK(expression_dump("f(<<A\nx\nA\n, <<B\ny\nB\n)") ==
        "(Call (Name \"f\") (Template.Heredoc (StringPart \"x\\n\")) (Template.Heredoc (StringPart \"y\\n\")))");
  CHECK(expression_dump("<<A\n  A b\n${<<A\nA\n}A\n${x}A\nA") ==
        "(Template.Heredoc (StringPart \"  A b\\n\") (Interpolation (Template.Heredoc)) (StringPart \"A\\n\") "
        "(Interpolation (Variable \"x\")) (StringPart \"A\\n\"))");
}

TEST_CASE("a lone expression and a template file") {
  CHECK(Parsed("\n1 +\n 2\n", Entry::Expression).dump() == "(Binary.Add (Number \"1\") (Number \"2\"))");
  CHECK(Parsed("", Entry::Template).dump() == "(Template.Heredoc)");
  CHECK(Parsed("a \"b\"\\n ${c}\n", Entry::Template).dump() ==
        "(Template.Heredoc (StringPart \"a \\\"b\\\"\\\\n \") (Interpolation (Variable \"c\")) (StringPart \"\\n\"))");
}

TEST_CASE("ranges") {
  Parsed parsed("a = b[*].c + -(d)\nx \"y\" {\n  z = <<E\n  w\n  E\n}\n");
  CHECK(to_text(parsed.sources, parsed.tree, parsed.tree.root, true) ==
        "(Body 0-46 (Attribute 0-17 (Name 0-1 \"a\") (Binary.Add 4-17 (Splat.Full 4-10 (Variable 4-5 \"b\") "
        "(GetAttr 5-10 (SplatItem 5-8) (Name 9-10 \"c\"))) (Unary.Negate 13-17 (Paren 14-17 (Variable 15-16 \"d\"))))) "
        "(Block 18-45 (Name 18-19 \"x\") (Template.Quoted 20-23 (StringPart 21-22 \"y\")) (Body 24-45 (Attribute "
        "28-43 (Name 28-29 \"z\") (Template.Heredoc 32-43 (StringPart 36-40 \"  w\\n\"))))))");
}

TEST_CASE("attributes that are set twice") {
  Parsed parsed("a = 1\nb {\n  a = 1\n  c = 2\n  a = 3\n}\nb {}\na = 4\n");
  CHECK(parsed.messages() ==
        "5:3-5:4 attribute-redefined: argument `a` is set twice\n"
        "8:1-8:2 attribute-redefined: argument `a` is set twice\n");
  CHECK(parsed.place(parsed.diags.all()[0].notes.at(0).range) == "3:3-3:4");
  // Beyond a few they are found by hashing.
  std::string many;
  for (int i = 0; i < 100; ++i) many += fmt::format("a{} = 1\n", i);
  CHECK(Parsed(many).diags.empty());
  CHECK(Parsed(many + "a7 = 2\n").places() == "101:1-101:3 attribute-redefined\n");
}
