// The JSON syntax: trees, places, faults.
#include <doctest/doctest.h>

#include <vector>

#include "frontend/hcl/testing.h"
#include "frontend/hcl/tree_check.h"

using namespace pravo;
using namespace pravo::hcl;
using namespace pravo::hcl::testing;

namespace {

// The dump without the flag that all nodes have.
std::string dump(const std::string& text, Entry entry = Entry::Json) {
  Parsed parsed(text, entry);
  CHECK_MESSAGE(parsed.diags.empty(), parsed.messages());
  std::string out = parsed.dump();
  for (size_t at; (at = out.find(" json")) != std::string::npos;) out.erase(at, 5);
  return out;
}

// The value of {"a": TEXT}.
NodeId value_of(const Parsed& parsed) { return parsed.tree.child(parsed.tree.child(parsed.tree.root, 0), 1); }

}  // namespace

TEST_CASE("json values") {
  CHECK(dump("{}") == "(Object)");
  CHECK(dump("[{}]") == "(Tuple (Object))");
  CHECK(dump(R"({"a": [1, -1.5E-3, true, false, null, "b", {}]})") ==
        "(Object (ObjectItem (Template.Json (StringPart \"a\")) (Tuple (Number \"1\") (Number \"-1.5E-3\") "
        "(Bool.true) (Bool.false) (Null) (Template.Json (StringPart \"b\")) (Object))))");
  CHECK(dump("{\"a\":1,\"a\":2}") ==
        "(Object (ObjectItem (Template.Json (StringPart \"a\")) (Number \"1\")) "
        "(ObjectItem (Template.Json (StringPart \"a\")) (Number \"2\")))");
}

TEST_CASE("json strings are templates") {
  CHECK(dump(R"({"a": "x${b.c}y"})") ==
        "(Object (ObjectItem (Template.Json (StringPart \"a\")) (Template.Json (StringPart \"x\") (Interpolation "
        "(GetAttr (Variable \"b\") (Name \"c\"))) (StringPart \"y\"))))");
  // Names are not, nor what Terraform never evaluates.
  CHECK(dump(R"({"${a}": 1})") == "(Object (ObjectItem (Template.Json (StringPart \"${a}\")) (Number \"1\")))");
  CHECK(dump(R"({"//": "${", "variable": {"x": {"description": "${"}}})").find("Interpolation") == std::string::npos);
  CHECK(dump(R"({"a": "${b}"})", Entry::JsonLiteral) ==
        "(Object (ObjectItem (Template.Json (StringPart \"a\")) (Template.Json (StringPart \"${b}\"))))");
}

TEST_CASE("places in json strings are mapped back through escapes") {
  const std::string text = R"({"a": "\u00e9\t${f(\"q\\n\", bad)}\n"})";
  Parsed parsed(text);
  Parsed json(text, Entry::Json);
  REQUIRE(json.diags.empty());
  std::vector<std::string> seen;
  auto visit = [&](auto& self, NodeId n) -> void {
    NodeKind kind = json.tree.kind(n);
    if (kind == NodeKind::Name || kind == NodeKind::Variable || kind == NodeKind::StringPart)
      seen.emplace_back(json.sources.text(json.tree.range(n)));
    for (uint32_t i = 0; i < json.tree.child_count(n); ++i) self(self, json.tree.child(n, i));
  };
  visit(visit, json.tree.root);
  CHECK(seen == std::vector<std::string>{"a", R"(\u00e9\t)", "f", R"(q\\n)", "bad", R"(\n)"});

  auto parts = template_parts(json.sources, json.tree, value_of(json));
  REQUIRE(parts.size() == 3);
  CHECK(parts[0].text == "\xC3\xA9\t");
  CHECK(parts[2].text == "\n");
  NodeId call = json.tree.child(parts[1].node, 0);
  std::string quoted;
  CHECK(literal_text(json.sources, json.tree, json.tree.child(call, 1), &quoted));
  CHECK(quoted == "q\n");

  CHECK(Parsed(R"({"a": "\u0024{b c}"})", Entry::Json).messages() ==
        "1:17-1:18 unexpected-token: expected `}` to end the template sequence, found `c`\n");
  CHECK(Parsed("{\"a\":\n \"\\n\\n${\"}", Entry::Json).messages() ==
        "2:7-2:9 unclosed-bracket: expected `}` to close the template sequence opened at 2:7\n");
}

TEST_CASE("texts of json strings") {
  Parsed parsed(R"({"a\u0062": "x$${y} \"\/\ud83d\ude00\ud800"})", Entry::Json);
  NodeId item = parsed.tree.child(parsed.tree.root, 0);
  std::string text;
  CHECK(literal_text(parsed.sources, parsed.tree, parsed.tree.child(item, 0), &text));
  CHECK(text == "ab");
  CHECK(literal_text(parsed.sources, parsed.tree, value_of(parsed), &text));
  CHECK(text == "x${y} \"/\xF0\x9F\x98\x80\xEF\xBF\xBD");
  CHECK(json_string_text(parsed.sources, parsed.tree, value_of(parsed)) == "x$${y} \"/\xF0\x9F\x98\x80\xEF\xBF\xBD");
}

TEST_CASE("a json string as an expression, a name as a template") {
  Parsed parsed(R"_({"a${b}": "list(\"x\", y)"})_", Entry::Json);
  NodeId item = parsed.tree.child(parsed.tree.root, 0);
  NodeId expression = parse_json_string_as_expression(parsed.sources, parsed.tree, value_of(parsed), parsed.diags);
  REQUIRE(expression.valid());
  CHECK(to_text(parsed.sources, parsed.tree, expression, true) ==
        "(Call json 11-25 (Name json 11-15 \"list\") (Template.Quoted json 16-21 (StringPart json 18-19 \"x\")) "
        "(Variable json 23-24 \"y\"))");
  NodeId name = parse_json_string_as_template(parsed.sources, parsed.tree, parsed.tree.child(item, 0), parsed.diags);
  CHECK(to_text(parsed.sources, parsed.tree, name) ==
        "(Template.Json json (StringPart json \"a\") (Interpolation json (Variable json \"b\")))");
  CHECK(parsed.diags.empty());

  Parsed wrong(R"({"a": "list(x"})", Entry::Json);
  CHECK_FALSE(parse_json_string_as_expression(wrong.sources, wrong.tree, value_of(wrong), wrong.diags).valid());
  CHECK(wrong.messages() == "1:12-1:13 unclosed-bracket: expected `)` to close the call opened at 1:12\n");
}

TEST_CASE("json faults") {
  struct Case {
    std::string_view text;
    std::string_view messages;
  };
  const std::vector<Case> cases = {
      {"", "1:1-1:1 unexpected-token: expected a value, found the end of the file\n"},
      {"1", "1:1-1:2 json-root: the file does not hold a JSON object\n"},
      {"\xEF\xBB\xBF{}", "1:1-1:1 json-byte-order-mark: JSON must not start with a byte order mark\n"},
      {"{\"a\":01}", "1:6-1:8 json-number: `01` is no number of JSON\n"},
      {"{\"a\":+1}", "1:6-1:8 json-number: `+1` is no number of JSON\n"},
      {"{\"a\":1.}", "1:6-1:8 json-number: `1.` is no number of JSON\n"},
      {"{\"a\":True}", "1:6-1:10 json-word: `True` is no value of JSON\n"},
      {"{\"a\":\"\t\"}",
       "1:7-1:8 json-control-character: control character U+0009 must be written as an escape sequence in a JSON "
       "string\n"},
      {"{\"a\":\"\\q\"}", "1:7-1:9 invalid-escape: `\\q` is no escape sequence\n"},
      {"{\"a\":\"\xFF\"}", "1:7-1:8 invalid-utf8: the text is not valid UTF-8 here\n"},
      {"{\"a\":\"b\n}", "1:6-1:8 unterminated-string: the string is not closed on its line\n"},
      {"{\"a\":1,}", "1:7-1:8 json-trailing-comma: nothing follows `,` before `}`\n"},
      {"{\"a\":[1,]}", "1:8-1:9 json-trailing-comma: nothing follows `,` before `]`\n"},
      {"{\"a\":[1 2]}", "1:9-1:10 unexpected-token: expected `,` or `]` after an element, found `2`\n"},
      {"{\"a\" 1}", "1:6-1:7 unexpected-token: expected `:` after the name of a property, found `1`\n"},
      {"{a:1}", "1:2-1:3 unexpected-token: expected the name of a property, in double quotes, found `a`\n"},
      {"{\"a\":}", "1:6-1:7 unexpected-token: expected a value, found `}`\n"},
      {"{\"a\":1", "1:1-1:2 unclosed-bracket: expected `}` to close the object opened at 1:1\n"},
      {"{\"a\":[1}", "1:8-1:9 unclosed-bracket: expected `]` to close the array opened at 1:6\n"},
      {"{\"a\":1]", "1:7-1:8 unclosed-bracket: expected `}` to close the object opened at 1:1\n"},
      {"{} x", "1:4-1:5 unexpected-token: expected the end of the file, found `x`\n"},
      {"{ // b\n}", "1:3-1:7 json-comment: JSON has no comments\n"},
      {"{\"a\": ,\n\"b\": tru,\n\"c\": 1 \"d\": 2}",
       "1:7-1:8 unexpected-token: expected a value, found `,`\n"
       "2:6-2:9 json-word: `tru` is no value of JSON\n"
       "3:8-3:9 unexpected-token: expected `,` or `}` after a property, found a string\n"},
  };
  for (const Case& c : cases) {
    Parsed parsed(std::string(c.text), Entry::Json);
    CAPTURE(c.text);
    CHECK(parsed.messages() == c.messages);
    CHECK(TreeChecker(parsed.sources, parsed.tree).run() == "");
  }
}

TEST_CASE("json that must not be quoted is not quoted") {
  for (std::string_view text : {"{\"a\": hunter2}", "{\"a\": 12345x}", "{\"a\": \"\\hunter2\"}", "{\"a\" hunter2}"}) {
    Parsed parsed(std::string(text), Entry::Json, true);
    REQUIRE(!parsed.diags.empty());
    CHECK(parsed.messages().find("hunter2") == std::string::npos);
    CHECK(parsed.messages().find("12345") == std::string::npos);
  }
}
