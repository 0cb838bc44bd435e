// Types that cannot fit, whatever the values are.
#include <doctest/doctest.h>

#include "frontend/lower/testing.h"

using pravo::lower::testing::Lowered;

TEST_CASE("attributes that no value of the type has") {
  Lowered c(R"(
variable "o" {
  type    = object({ a = string, n = number, l = list(object({ x = string })) })
  default = { a = "x", n = 1, l = [] }
}
variable "flag" {
  type = bool
}
resource "terraform_data" "u" {
  input = "x"
}
locals {
  bad1 = var.flag ? var.o.a : var.o.missing
  bad2 = [for x in [] : var.o.nope]
  bad3 = [for x in split(",", terraform_data.u.id) : x.name]
  good = var.flag ? var.o.a : tostring(var.o.n)
  bad4 = var.o.l[0].y
  bad5 = var.o.l[*].y
  bad6 = var.o.l.x
  bad7 = var.o["nope"]
  bad8 = var.flag[*].foo
  bad9 = { a = 1 }.b
  fine = terraform_data.u.output.anything.at[0].all
}
)");
  CHECK(c.faults() == R"(13:36 .missing [no-such-attribute]
14:30 .nope [no-such-attribute]
15:55 .name [no-attributes]
17:20 .y [no-such-attribute]
18:20 .y [no-such-attribute]
19:17 .x [no-attributes]
20:15 ["nope"] [no-such-attribute]
21:21 .foo [no-attributes]
22:19 .b [no-such-attribute]
)");
}

TEST_CASE("arms behind a test for faults are not judged") {
  Lowered c(R"(
variable "o" {
  type = object({ a = string })
}
locals {
  a = can(var.o.b) ? var.o.b : null
  b = try(var.o.b, null) == null ? true : contains(["x"], var.o.b)
  c = "%{ if can(var.o.b) }${var.o.b}%{ endif }"
  d = var.o.a == "" ? var.o.b : null
}
)");
  CHECK(c.faults(true) == "9:28 .b [no-such-attribute] -- it has `a`\n");
}

TEST_CASE("outputs of another configuration") {
  Lowered c(R"(
data "terraform_remote_state" "net" {
  backend = "local"
}
output "o" {
  value = data.terraform_remote_state.net.vpc_id
}
)");
  CHECK(c.faults(true) ==
        "6:42 .vpc_id [no-such-attribute] -- what the other configuration gives out is in `outputs`: "
        "`outputs.vpc_id`\n");
}

TEST_CASE("what this configuration computes is not judged in an arm that may never be taken") {
  Lowered c(R"(
variable "flag" {
  type = bool
}
locals {
  settings = { a = 1 }
  list     = []
  a        = can(local.settings.b) ? local.settings.b : null
  b        = length(local.list) > 0 ? local.list[0].id : null
  c        = local.settings.b
  d        = "x"
  e        = var.flag ? local.d.id : null
}
)");
  CHECK(c.faults() == "10:28 .b [no-such-attribute]\n");
}

TEST_CASE("operands, conditions, keys, templates and iterations") {
  Lowered c(R"(
variable "s" {
  type = string
}
locals {
  a = [1] + 1
  b = !var.s
  c = -{}
  d = [1] ? 1 : 2
  e = var.s ? 1 : 2
  f = "x ${[1]} ${{ a = 1 }} ${var.s}"
  g = "${[1]}"
  h = [for x in var.s : x]
  i = { (["k"]) = 1 }
  j = { for x in ["a"] : [x] => x }
  k = [for x in ["a"] : x if [x]]
  l = "%{if [1]}x%{endif}"
  m = var.s[0]
  n = toset(["a"])[0]
  o = var.s ? "x" : ["y"]
  p = var.s ? { a = 1 } : null
  q = [1] == "a"
  r = [1]["x"]
}
)");
  CHECK(c.faults() == R"(6:7 [1] [wrong-type]
8:8 {} [wrong-type]
9:7 [1] [wrong-type]
11:12 [1] [wrong-type]
11:19 { a = 1 } [wrong-type]
13:17 var.s [not-iterable]
14:10 ["k"] [wrong-type]
15:26 [x] [wrong-type]
16:30 [x] [wrong-type]
17:13 [1] [wrong-type]
18:12 [0] [no-elements]
19:19 [0] [no-elements]
20:15 "x" : ["y"] [inconsistent-arms]
)");
}

TEST_CASE("count and for_each") {
  Lowered c(R"(
variable "list" {
  type = list(string)
}
variable "numbers" {
  type = set(number)
}
resource "terraform_data" "a" {
  for_each = ["x"]
}
resource "terraform_data" "b" {
  for_each = "x"
}
resource "terraform_data" "c" {
  for_each = var.list
}
resource "terraform_data" "d" {
  for_each = var.numbers
}
resource "terraform_data" "e" {
  count = []
}
resource "terraform_data" "f" {
  for_each = toset(var.list)
  input    = each.value.x
}
module "m" {
  source   = "./m"
  for_each = var.list
}
=== m/main.tf
)");
  CHECK(c.faults(true) == R"(9:14 ["x"] [for-each-type] -- `toset()` makes a set of a list of strings
12:14 "x" [for-each-type]
15:14 var.list [for-each-type] -- `toset()` makes a set of a list of strings
18:14 var.numbers [for-each-type]
21:11 [] [wrong-type]
25:24 .x [no-attributes]
29:14 var.list [for-each-type] -- `toset()` makes a set of a list of strings
)");
}

TEST_CASE("what repeats something says what its elements are") {
  Lowered c(R"(
resource "terraform_data" "a" {
  for_each = { for k, v in { x = 1 } : k => { name = k } }
  input    = [each.value.name, each.value.nme]
}
resource "terraform_data" "b" {
  for_each = terraform_data.a
  input    = [each.value.id, each.value.idd]
}
locals {
  all  = [for r in terraform_data.a : r.idd]
  same = { for k, r in local.through : k => r.idd }
  through = terraform_data.a
}
)");
  CHECK(c.faults() == R"(4:42 .nme [no-such-attribute]
8:40 .idd [no-such-attribute]
11:40 .idd [no-such-attribute]
12:46 .idd [no-such-attribute]
)");
}

TEST_CASE("arguments of modules") {
  Lowered c(R"(
module "m" {
  source = "./m"
  a      = "x"
  b      = [1]
  c      = { x = "q", y = 1 }
  d      = "12"
  e      = { y = "1" }
  f      = null
}
=== m/main.tf
variable "a" {
  type = number
}
variable "b" {
  type = string
}
variable "c" {
  type = object({ x = number, y = string })
}
variable "d" {
  type = number
}
variable "e" {
  type = object({ x = optional(number, 1), y = string })
}
variable "f" {
  type = string
}
)");
  CHECK(c.faults() == R"(4:12 "x" [unsuitable-argument]
5:12 [1] [unsuitable-argument]
6:12 { x = "q", y = 1 } [unsuitable-argument]
)");
}

TEST_CASE("types that sharing makes exponential are not followed") {
  std::string text = "locals {\n  x0 = { a = 1 }\n";
  for (int i = 1; i < 200; ++i) text += fmt::format("  x{0} = {{ a = local.x{1}, b = local.x{1} }}\n", i, i - 1);
  text += "}\n";
  Lowered c(text);
  CHECK(c.faults() == "");
  CHECK(c.broken == "");
}
