// What completes a name, and which inputs go on in the next line.
#include <doctest/doctest.h>

#include "ir/text.h"
#include "tools/pravoc/console/answers.h"
#include "tools/pravoc/console/completion.h"
#include "tools/pravoc/console/input.h"

using namespace pravo;
using namespace pravo::cli;

namespace {

constexpr std::string_view kProgram = R"(module @root {
  %name = variable "name" : string
  %network = variable "network" : string
  %region = local "region" (%name) : string
  %1 = object {input = %name} : object({input=string})
  %box = resource "terraform_data.box" (%1) : object({id=string,input=any,output=any,triggers_replace=any})
  %old = data "terraform_remote_state.old" (%1) : object({backend=string,outputs=any})
}
)";

std::string completed(std::string_view word) {
  SourceManager sources;
  Names names;
  Program program(names);
  Diagnostics diags;
  FileId file = sources.add("test.ir", std::string(kProgram));
  bool parsed = parse_program(sources, file, program, diags);
  for (const Diagnostic& diagnostic : diags.all()) MESSAGE(diagnostic.message);
  REQUIRE(parsed);
  std::string out;
  for (const std::string& name : complete(program, word)) out += (out.empty() ? "" : " ") + name;
  return out;
}

}  // namespace

TEST_CASE("names complete one step at a time") {
  CHECK(completed("va") == "values( var.");
  CHECK(completed("var.") == "var.name var.network");
  CHECK(completed("var.net") == "var.network");
  CHECK(completed("local.") == "local.region");
  CHECK(completed("cidrsubnet") == "cidrsubnet( cidrsubnets(");
  CHECK(completed("terraform") == "terraform. terraform_data.");
  CHECK(completed("terraform_data.") == "terraform_data.box");
  CHECK(completed("terraform_data.box.") ==
        "terraform_data.box.id terraform_data.box.input terraform_data.box.output terraform_data.box.triggers_replace");
  CHECK(completed("terraform_data.box.in") == "terraform_data.box.input");
  CHECK(completed("data.") == "data.terraform_remote_state.");
  CHECK(completed("data.terraform_remote_state.o") == "data.terraform_remote_state.old");
  CHECK(completed("path.m") == "path.module");
  CHECK(completed("nothing.like.this") == "");
}

TEST_CASE("an input goes on while something in it is open") {
  for (std::string_view input :
       {"[1,", "{", "{ a = 1,", "max(1,", "\"${", "(1 +", "[for x in [1] :", "<<EOT", "<<EOT\nfoo", "<<-EOT\n  foo\n",
        "[<<EOT\nfoo\nEOT", "/* note", "a[", "max([1,\n2],"}) {
    CAPTURE(input);
    CHECK(wants_more(input));
  }
  for (std::string_view input :
       {"1", "[1]", "1 +", "\"a", "(\"a", ")", "[}", "(1 ]", "a.", "\"%{ if true }", "<<EOT\nfoo\nEOT", "# [", ""}) {
    CAPTURE(input);
    CHECK(!wants_more(input));
  }
}

TEST_CASE("an answer on one line") { CHECK(escape_line("a\\b\n\tc\r") == "a\\\\b\\n\\tc\\r"); }
