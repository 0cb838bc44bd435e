// Values of root variables: where they come from, who wins, and that no message shows one.
#include <doctest/doctest.h>

#include "frontend/load/testing.h"

namespace pravo::load {

using testing::Files;
using testing::Loaded;

namespace {

// Sets an environment variable for one test.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~Environment() { ::unsetenv(name_); }

 private:
  const char* name_;
};

const Value* find(const std::map<NameId, InputValue>& values, const Loaded& loaded, std::string_view name) {
  auto at = values.find(loaded.names.find(name));
  return at == values.end() ? nullptr : &at->second.value;
}

std::string shown(const std::map<NameId, InputValue>& values, const Loaded& loaded, std::string_view name) {
  const Value* value = find(values, loaded, name);
  return value == nullptr ? "absent" : debug_string(*value);
}

VarArgument option(std::string text) { return {false, std::move(text)}; }
VarArgument file(std::string path) { return {true, std::move(path)}; }

}  // namespace

TEST_CASE("later sources win") {
  Loaded loaded(Files{{"main.tf",
                       "variable \"a\" {}\nvariable \"b\" {}\nvariable \"c\" {}\nvariable \"d\" {}\n"
                       "variable \"e\" {}\nvariable \"f\" {}\n"},
                      {"terraform.tfvars", "b = 2\nc = 2\nd = 2\ne = 2\nf = 2\n"},
                      {"terraform.tfvars.json", "{\"c\": 3, \"d\": 3, \"e\": 3, \"f\": 3}"},
                      {"b.auto.tfvars", "d = 5\ne = 5\nf = 5\n"},
                      {"a.auto.tfvars.json", "{\"d\": 4, \"e\": 4, \"f\": 4}"},
                      {".c.auto.tfvars", "d = 9\n"},
                      {"x.tfvars", "e = 6\nf = 6\n"}});
  loaded.load();
  Environment environment_a("TF_VAR_a", "1");
  Environment environment_b("TF_VAR_b", "1");
  std::string path = (loaded.folder.path() / "x.tfvars").string();
  auto values = loaded.values({option("f=5"), file(path), option("f=7")});
  CHECK(loaded.report() == "");
  CHECK(shown(values, loaded, "a") == "\"1\"");
  CHECK(shown(values, loaded, "b") == "2");
  CHECK(shown(values, loaded, "c") == "3");
  CHECK(shown(values, loaded, "d") == "5");
  CHECK(shown(values, loaded, "e") == "6");
  CHECK(shown(values, loaded, "f") == "\"7\"");
  CHECK(values.at(loaded.names.find("a")).origin == VariableOrigin::Environment);
  CHECK(values.at(loaded.names.find("b")).origin == VariableOrigin::TerraformTfvars);
  CHECK(values.at(loaded.names.find("d")).origin == VariableOrigin::AutoTfvars);
  CHECK(values.at(loaded.names.find("e")).origin == VariableOrigin::VarFile);
  CHECK(values.at(loaded.names.find("f")).origin == VariableOrigin::VarOption);
}

TEST_CASE("text is a value or an expression, as the type says") {
  Loaded loaded(Files{{"main.tf", R"(
variable "untyped" {}
variable "text" { type = string }
variable "number" { type = number }
variable "bool" { type = bool }
variable "list" { type = list(string) }
variable "any" { type = any }
variable "object" { type = object({ n = number, d = optional(string, "x") }) }
)"}});
  loaded.load();
  auto values = loaded.values({option("untyped=[1]"), option("text=\"q\""), option("number=12"), option("bool=true"),
                               option("list=[1, \"b\"]"), option("any={ a = 1 }"), option("object={ n = \"5\" }")});
  CHECK(loaded.report() == "");
  CHECK(shown(values, loaded, "untyped") == "\"[1]\"");
  CHECK(shown(values, loaded, "text") == "\"\\\"q\\\"\"");
  CHECK(shown(values, loaded, "number") == "12");
  CHECK(shown(values, loaded, "bool") == "true");
  CHECK(find(values, loaded, "list")->type() == Type::list(Type::string()));
  CHECK(find(values, loaded, "any")->find("a")->as_number().to_string() == "1");
  CHECK(find(values, loaded, "object")->find("n")->has_type(TypeKind::Number));
  CHECK(find(values, loaded, "object")->find("d")->as_string() == "x");
}

TEST_CASE("values carry the marks of their variables") {
  Loaded loaded(
      Files{{"main.tf", "variable \"s\" {\n  sensitive = true\n}\nvariable \"e\" {\n  ephemeral = true\n}\n"}});
  loaded.load();
  auto values = loaded.values({option("s=1"), option("e=2")});
  CHECK(find(values, loaded, "s")->marks() == MarkSet::Sensitive);
  CHECK(find(values, loaded, "e")->marks() == MarkSet::Ephemeral);
}

TEST_CASE("null asks for the default where null is not allowed") {
  Loaded loaded(Files{{"main.tf", R"(
variable "a" {
  nullable = false
  default  = 1
}
variable "b" {
  nullable = false
}
variable "c" {
  type = string
}
)"},
                      {"terraform.tfvars", "a = null\nb = null\nc = null\n"}});
  loaded.load();
  auto values = loaded.values();
  CHECK(loaded.report() ==
        "terraform.tfvars:2:5 error: invalid value for `var.b`: null is not allowed "
        "[invalid-variable-value]\n");
  CHECK(shown(values, loaded, "a") == "absent");
  CHECK(find(values, loaded, "c")->is_null());
}

TEST_CASE("undeclared variables") {
  Loaded loaded(Files{{"main.tf", "variable \"region\" {}\n"}, {"terraform.tfvars", "reigon = 1\n"}});
  loaded.load();
  Environment environment("TF_VAR_reigon_of_another", "1");
  loaded.values({option("other=1")});
  CHECK(loaded.report() ==
        "error: `-var` sets variable `other`, which the root module does not declare [undeclared-var-option]\n"
        "terraform.tfvars:1:1 warning: the root module does not declare a variable `reigon` "
        "[undeclared-variable-value]\n");
  CHECK(loaded.diags.all().back().help == "did you mean `region`?");
}

TEST_CASE("options that are none") {
  Loaded loaded(Files{{"main.tf", "variable \"a\" {}\n"}});
  loaded.load();
  loaded.values({option("a"), option("a =1"), option(" a=1"), file("/nowhere/x.tfvars")});
  CHECK(loaded.report() ==
        "error: `-var` takes NAME=VALUE: there is no `=` [invalid-var-option]\n"
        "error: `-var` takes NAME=VALUE: there is a space beside the name [invalid-var-option]\n"
        "error: `-var` takes NAME=VALUE: there is a space beside the name [invalid-var-option]\n"
        "/nowhere/x.tfvars:1:1 error: cannot read `/nowhere/x.tfvars`: no such file or directory [file-unreadable]\n");
}

TEST_CASE("a value of the wrong type is told where it stands") {
  Loaded loaded(Files{{"main.tf", R"(
variable "l" {
  type = list(string)
}
variable "o" {
  type = object({ n = number, m = map(list(bool)) })
}
variable "missing" {
  type = object({ a = string })
}
variable "json" {
  type = object({ n = number })
}
variable "env" {
  type = number
}
variable "option" {
  type = list(number)
}
)"},
                      {"terraform.tfvars",
                       "l = \"foobar\"\no = {\n  n = \"hunter2\"\n  m = { k = [true, \"hunter2\"] }\n}\n"
                       "missing = {\n  b = \"hunter2\"\n}\n"},
                      {"terraform.tfvars.json", "{\n  \"json\": {\n    \"n\": \"hunter2\"\n  }\n}\n"}});
  loaded.load();
  Environment environment("TF_VAR_env", "hunter2");
  loaded.values({option("option=[\"hunter2\"]")});
  loaded.diags.sort(loaded.sources);
  std::string report = loaded.report();
  CHECK(report.find("hunter2") == std::string::npos);
  CHECK(report ==
        "error: invalid value for `var.env`: in the environment, a number is required, but this is a string "
        "[invalid-variable-value]\n"
        "error: invalid value for `var.option`: in `-var`, `[0]`: a number is required, but this is a string "
        "[invalid-variable-value]\n"
        "terraform.tfvars:1:5 error: invalid value for `var.l`: a list of string is required, but this is a string "
        "[invalid-variable-value]\n"
        "terraform.tfvars:3:7 error: invalid value for `var.o`: `n`: a number is required, but this is a string "
        "[invalid-variable-value]\n"
        "terraform.tfvars:4:20 error: invalid value for `var.o`: `m[\"k\"][1]`: a bool is required, but this is a "
        "string other than `true` and `false` [invalid-variable-value]\n"
        "terraform.tfvars:6:11 error: invalid value for `var.missing`: attribute `a` is required "
        "[invalid-variable-value]\n"
        "terraform.tfvars.json:3:10 error: invalid value for `var.json`: `n`: a number is required, but this is a "
        "string [invalid-variable-value]\n");
}

TEST_CASE("of a secret that does not fit only what is declared is named") {
  Loaded loaded(Files{{"main.tf", R"(
variable "s" {
  type      = object({ m = map(object({ n = number })), l = list(number), a = optional(string), t = map(any) })
  sensitive = true
}
)"},
                      {"terraform.tfvars",
                       "s = { m = { hunter2 = { n = \"x\" } }, l = [1, \"hunter2\"], a = [], "
                       "t = { hunter3 = 1, hunter4 = [] } }\n"}});
  loaded.load();
  loaded.values({});
  loaded.diags.sort(loaded.sources);
  std::string report = loaded.report();
  CHECK(report.find("hunter") == std::string::npos);
  CHECK(report ==
        "terraform.tfvars:1:29 error: invalid value for `var.s`: `m`: a map of object is required "
        "[invalid-variable-value]\n"
        "terraform.tfvars:1:46 error: invalid value for `var.s`: `l`: a list of number is required "
        "[invalid-variable-value]\n"
        "terraform.tfvars:1:62 error: invalid value for `var.s`: `a`: a string is required "
        "[invalid-variable-value]\n"
        "terraform.tfvars:1:70 error: invalid value for `var.s`: `t`: a map of any single type is required "
        "[invalid-variable-value]\n");
}

TEST_CASE("nothing is near to a name of one letter") {
  Loaded loaded(Files{{"main.tf", "variable \"a\" {}\n"}, {"terraform.tfvars", "b = 1\n"}});
  loaded.load();
  loaded.values({});
  CHECK(loaded.diags.all().back().help == "");
}

TEST_CASE("a wrong value that another one replaces is no fault") {
  Loaded loaded(Files{{"main.tf", "variable \"a\" {\n  type = number\n}\n"}, {"terraform.tfvars", "a = \"x\"\n"}});
  loaded.load();
  auto values = loaded.values({option("a=1")});
  CHECK(loaded.report() == "");
  CHECK(shown(values, loaded, "a") == "1");
}

TEST_CASE("files of values hold constants only") {
  Loaded loaded(Files{{"main.tf", "variable \"a\" {}\nvariable \"b\" {}\nvariable \"c\" {}\nvariable \"d\" {}\n"},
                      {"terraform.tfvars",
                       "a = var.b\nb = upper(\"x\")\nc = \"n${1 + 1}\"\nd = [for x in [1] : x]\n"
                       "variable \"a\" {\n}\nother {\n}\n"}});
  loaded.load();
  auto values = loaded.values();
  loaded.diags.sort(loaded.sources);
  CHECK(loaded.report() ==
        "terraform.tfvars:1:5 error: a variable cannot be used here [not-constant]\n"
        "terraform.tfvars:2:5 error: a function cannot be used here [not-constant]\n"
        "terraform.tfvars:5:1 error: a block in a file of values [block-in-values]\n"
        "terraform.tfvars:7:1 error: a block in a file of values [block-in-values]\n");
  CHECK(shown(values, loaded, "c") == "\"n2\"");
}

TEST_CASE("a file of values that is no text is one error") {
  std::string encrypted("\0GITCRYPT\0", 10);
  for (int i = 0; i < 500; ++i) encrypted += fmt::format("hunter2 = {{ {}\n", static_cast<char>(i % 256));
  Loaded loaded(Files{{"main.tf", "variable \"a\" {}\n"},
                      {"terraform.tfvars", encrypted},
                      {"b.auto.tfvars.json", encrypted},
                      {"c.auto.tfvars", std::string("\xFF\xFE"
                                                    "a\0=\0\1\0",
                                                    8)}});
  loaded.load();
  loaded.values();
  CHECK(loaded.report() ==
        "terraform.tfvars:1:1 error: `terraform.tfvars` is not a text file [file-not-text]\n"
        "b.auto.tfvars.json:1:1 error: `b.auto.tfvars.json` is not a text file [file-not-text]\n"
        "c.auto.tfvars:1:1 error: the file is encoded in UTF-16 [utf-16]\n");
}

TEST_CASE("strings of JSON values are what they say") {
  Loaded loaded(
      Files{{"main.tf", "variable \"a\" {}\n"}, {"terraform.tfvars.json", R"({"a": "${x} \u00e9", "//": 1})"}});
  loaded.load();
  auto values = loaded.values();
  CHECK(loaded.report() == "");
  CHECK(find(values, loaded, "a")->as_string() == "${x} é");
}

TEST_CASE("a syntax error shows nothing of the file") {
  for (std::string_view name : {"terraform.tfvars", "terraform.tfvars.json"}) {
    for (std::string_view text :
         {"a = hunter2 hunter2\n", "{\"a\": hunter2}", "{\"a\": 0hunter2}", "a = \"\\hunter2\"\n", "hunter2",
          "a = [\n  hunter2\n", "{\"a\": \"hunter2", "a = \"hunter2\n", "a = 'hunter2'\n", "a == hunter2\n",
          "hunter2 {{\n", "{\"a\": \"\\hunter2\"}"}) {
      Loaded loaded(Files{{"main.tf", "variable \"a\" {}\n"}, {std::string(name), std::string(text)}});
      loaded.load();
      loaded.values();
      CAPTURE(text);
      CHECK(loaded.diags.has_errors());
      for (const Diagnostic& d : loaded.diags.all()) {
        CHECK(d.message.find("hunter2") == std::string::npos);
        CHECK(d.help.find("hunter2") == std::string::npos);
        CHECK(loaded.sources.secret(d.range.file));
        for (const DiagnosticNote& note : d.notes) CHECK(note.message.find("hunter2") == std::string::npos);
        for (const FixEdit& fix : d.fixes) CHECK(fix.replacement.find("hunter2") == std::string::npos);
      }
    }
  }
}

}  // namespace pravo::load
