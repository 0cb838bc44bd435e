// Values that need themselves.
#include <doctest/doctest.h>

#include "frontend/lower/testing.h"

using pravo::lower::testing::Lowered;

TEST_CASE("a loop of locals is reported once, whole and in order") {
  Lowered c(R"(
locals {
  a = local.b
  b = [local.c]
  c = { x = local.a }
  d = local.a
}
)");
  CHECK(c.faults() == "3:3 a [reference-cycle]\n");
  CHECK(c.messages() == "values need each other in a circle: `local.a` -> `local.b` -> `local.c` -> `local.a`\n");
  REQUIRE(c.diags.all()[0].notes.size() == 3);
  CHECK(c.diags.all()[0].notes[1].message == "`local.b` needs `local.c`");
  CHECK(c.sources.text(c.diags.all()[0].notes[1].range) == "local.c");
}

TEST_CASE("what needs itself") {
  Lowered c(R"(
resource "terraform_data" "input" {
  input = terraform_data.input.id
}
resource "terraform_data" "instance" {
  count = 2
  input = count.index == 0 ? 1 : terraform_data.instance[0].id
}
resource "terraform_data" "counts" {
  count = length(terraform_data.counts)
}
locals {
  l = local.l
}
resource "terraform_data" "fine" {
  depends_on = [terraform_data.fine]
  connection {
    host = self.id
  }
  provisioner "local-exec" {
    command = terraform_data.fine.id
  }
  lifecycle {
    postcondition {
      condition     = self.id != ""
      error_message = "x"
    }
  }
}
)");
  CHECK(c.faults() == R"(3:11 terraform_data.input [self-reference]
7:34 terraform_data.instance [self-reference]
10:18 terraform_data.counts [self-reference]
13:7 local.l [self-reference]
)");
}

TEST_CASE("conditions, triggers, provisioners and depends_on are needs") {
  Lowered c(R"(
resource "terraform_data" "a1" {
  lifecycle {
    precondition {
      condition     = terraform_data.a2.id == ""
      error_message = "x"
    }
  }
}
resource "terraform_data" "a2" {
  input = terraform_data.a1.id
}
resource "terraform_data" "b1" {
  lifecycle {
    replace_triggered_by = [terraform_data.b2.id]
  }
}
resource "terraform_data" "b2" {
  input = terraform_data.b1.id
}
resource "terraform_data" "c1" {
  provisioner "local-exec" {
    command = terraform_data.c2.id
  }
}
resource "terraform_data" "c2" {
  depends_on = [terraform_data.c1]
}
variable "v" {
  default = 1
  validation {
    condition     = var.v == local.x
    error_message = "x"
  }
}
locals {
  x = var.v
}
)");
  CHECK(c.faults() == R"(2:1 resource "terraform_data" "a1" [reference-cycle]
13:1 resource "terraform_data" "b1" [reference-cycle]
21:1 resource "terraform_data" "c1" [reference-cycle]
29:1 variable "v" [reference-cycle]
)");
}

TEST_CASE("modules that feed each other through different arguments are no loop") {
  const char* module = R"(
=== m/main.tf
variable "in" {}
variable "in2" {}
output "out" {
  value = var.in
}
output "out2" {
  value = terraform_data.t.id
}
resource "terraform_data" "t" {
  input = var.in2
}
)";
  Lowered fine(std::string(R"(
module "a" {
  source = "./m"
  in     = module.b.out
  in2    = module.a.out
}
module "b" {
  source = "./m"
  in     = 1
  in2    = module.a.out2
}
)") + module);
  CHECK(fine.faults() == "");
  CHECK(fine.broken == "");

  Lowered loop(std::string(R"(
module "a" {
  source = "./m"
  in     = module.b.out2
  in2    = module.b.out2
}
module "b" {
  source = "./m"
  in     = 1
  in2    = module.a.out
}
)") + module);
  CHECK(loop.messages() ==
        "values need each other in a circle: `module.a.output.out` -> `module.a.var.in` -> `module.b.output.out2` -> "
        "`module.b.var.in2` -> `module.a.output.out`\n");
}

TEST_CASE("a loop through the provider of a called module") {
  const char* module = R"(
=== m/main.tf
resource "terraform_data" "t" {}
output "uses" {
  value = terraform_data.t.id
}
output "does_not" {
  value = 1
}
)";
  auto root = [&](std::string_view output) {
    return fmt::format(R"(
provider "terraform" {{
  x = module.m.{}
}}
module "m" {{
  source = "./m"
}}
{})",
                       output, module);
  };
  CHECK(Lowered(root("uses")).messages() ==
        "values need each other in a circle: `provider.terraform` -> `module.m.output.uses` -> `provider.terraform`\n");
  CHECK(Lowered(root("does_not")).messages() == "");
}

TEST_CASE("a module that depends on what needs it") {
  Lowered c(R"(
module "a" {
  source     = "./m"
  depends_on = [terraform_data.x]
}
resource "terraform_data" "x" {
  input = module.a.out
}
module "b" {
  source = "./m"
  count  = length(module.b)
}
=== m/main.tf
output "out" {
  value = 1
}
)");
  CHECK(c.faults() == R"(6:1 resource "terraform_data" "x" [reference-cycle]
11:12 length(module.b) [reference-cycle]
)");
}

TEST_CASE("depends_on an output of a module is no dependency on all of the module") {
  const char* module = R"(
=== m/main.tf
variable "in" {}
resource "terraform_data" "uses" {
  input = var.in
}
output "out" {
  value = 1
}
)";
  auto root = [&](std::string_view target) {
    return fmt::format(R"(
resource "terraform_data" "x" {{
  depends_on = [{}]
}}
module "m" {{
  source = "./m"
  in     = terraform_data.x.id
}}
{})",
                       target, module);
  };
  CHECK(Lowered(root("module.m.out")).messages() == "");
  CHECK(Lowered(root("module.m[0].out")).messages() == "");
  CHECK(Lowered(root("module.m")).messages() ==
        "values need each other in a circle: `terraform_data.x` -> `module.m.var.in` -> `terraform_data.x`\n");
}

TEST_CASE("what an output of a module needs that is not installed is not known") {
  Lowered c(R"(
resource "terraform_data" "x" {
  depends_on = [module.m.out]
}
module "m" {
  source = "a/m/aws"
  in     = terraform_data.x.id
}
)");
  CHECK(c.messages().find("circle") == std::string::npos);
}

TEST_CASE("a module that depends on itself") {
  Lowered c(R"(
module "m" {
  source     = "./m"
  depends_on = [module.m]
}
=== m/main.tf
)");
  CHECK(c.messages() == "`module.m` needs itself\n");
}

TEST_CASE("chains are walked, not recursed into") {
  std::string text = "locals {\n  x0 = 1\n";
  for (int i = 1; i < 50000; ++i) text += fmt::format("  x{} = local.x{}\n", i, i - 1);
  text += "}\n";
  Lowered c(text);
  CHECK(c.faults() == "");
  CHECK(c.broken == "");

  std::string loop = "locals {\n  x0 = local.x49999\n";
  for (int i = 1; i < 50000; ++i) loop += fmt::format("  x{} = local.x{}\n", i, i - 1);
  loop += "}\n";
  CHECK(Lowered(loop).faults() == "2:3 x0 [reference-cycle]\n");
}
