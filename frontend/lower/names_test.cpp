// What names mean, and what is said of those that mean nothing.
#include <doctest/doctest.h>

#include "frontend/hcl/parse.h"
#include "frontend/lower/testing.h"

using pravo::lower::testing::Lowered;

TEST_CASE("one fault for each reference that leads nowhere, at the reference") {
  Lowered c(R"(
variable "v" {
  type    = string
  default = "x"
}
locals {
  l = var.v
}
resource "terraform_data" "r" {
  input = local.l
}
resource "terraform_data" "bad" {
  count = 1
  input = [
    local.nope,
    var.nope,
    module.nope.x,
    data.nope.x.id,
    terraform_data.no.id,
    each.key,
    count.index,
    terraform_data.r.input,
    terraform_data.r.nope,
    path.nope,
    terraform.nope,
    self.id,
    ephemeral.foo.bar.x,
    resource.terraform_data.no.id,
    resource.terraform_data.r.id,
  ]
}
)");
  CHECK(c.faults() == R"(15:5 local.nope [undeclared-local]
16:5 var.nope [undeclared-variable]
17:5 module.nope.x [undeclared-module]
18:5 data.nope.x [undeclared-resource]
19:5 terraform_data.no [undeclared-resource]
20:5 each.key [each-outside]
23:21 .nope [no-such-attribute]
24:5 path.nope [unknown-meta-attribute]
25:5 terraform.nope [unknown-meta-attribute]
26:5 self [self-outside]
27:5 ephemeral.foo.bar [undeclared-resource]
28:5 resource.terraform_data.no [undeclared-resource]
)");
}

TEST_CASE("references that stop too early, or go on wrongly") {
  Lowered c(R"(
locals {
  a = data.nope
  b = data
  c = foo
  d = template.x
  e = var["v"]
  f = var
  g = ephemeral.foo
  h = resource.foo
  i = terraform
  j = foo_bar.x[0]
}
)");
  CHECK(c.faults() == R"(3:7 data.nope [incomplete-reference]
4:7 data [incomplete-reference]
5:7 foo [incomplete-reference]
6:7 template [reserved-reference]
7:10 ["v"] [incomplete-reference]
8:7 var [incomplete-reference]
9:7 ephemeral.foo [incomplete-reference]
10:7 resource.foo [incomplete-reference]
11:7 terraform [incomplete-reference]
12:7 foo_bar.x [undeclared-resource]
)");
}

TEST_CASE("what was probably meant") {
  Lowered c(R"(
variable "region" {}
locals {
  prefix = "p"
}
data "terraform_remote_state" "net" {
  backend = "local"
}
resource "terraform_data" "server" {}
module "app" {
  source = "./app"
}
locals {
  a = var.regoin
  b = local.prefxi
  c = region
  d = prefix
  e = terraform_remote_state.net.outputs
  f = data.terraform_data.server.id
  g = terraform_data.servr.id
  h = terraform_dat.server.id
  i = module.ap.id
  j = module.app.iid
  k = app.id
  l = uper("x")
  m = terraform.env
  n = vra.region
  o = loacl.prefix
  p = moduel.app
  q = loacl.other
}
=== app/main.tf
output "id" {
  value = 1
}
)");
  CHECK(c.faults(true) == R"(14:7 var.regoin [undeclared-variable] -- did you mean `var.region`?
15:7 local.prefxi [undeclared-local] -- did you mean `local.prefix`?
16:7 region [incomplete-reference] -- did you mean `var.region`?
17:7 prefix [incomplete-reference] -- did you mean `local.prefix`?
18:7 terraform_remote_state.net [undeclared-resource] -- did you mean `data.terraform_remote_state.net`?
19:7 data.terraform_data.server [undeclared-resource] -- did you mean `terraform_data.server`?
20:7 terraform_data.servr [undeclared-resource] -- did you mean `terraform_data.server`?
21:7 terraform_dat.server [undeclared-resource] -- did you mean `terraform_data.server`?
22:7 module.ap.id [undeclared-module] -- did you mean `module.app`?
23:17 .iid [undeclared-output] -- did you mean `id`?
24:7 app.id [undeclared-resource] -- did you mean `module.app.id`?
25:7 uper [unknown-function] -- did you mean `upper`?
26:7 terraform.env [unknown-meta-attribute] -- `terraform.env` was removed: write `terraform.workspace`
27:7 vra.region [undeclared-resource] -- did you mean `var.region`?
28:7 loacl.prefix [undeclared-resource] -- did you mean `local.prefix`?
29:7 moduel.app [undeclared-resource] -- did you mean `module.app`?
30:7 loacl.other [undeclared-resource]
)");
}

TEST_CASE("keys of instances") {
  Lowered c(R"(
resource "terraform_data" "one" {}
resource "terraform_data" "counted" {
  count = 2
}
resource "terraform_data" "keyed" {
  for_each = toset(["a"])
}
locals {
  a = terraform_data.one[0].id
  b = terraform_data.one["a"]
  c = terraform_data.counted.id
  d = terraform_data.keyed.id
  e = terraform_data.counted[0].nope
  f = terraform_data.keyed["a"].nope
  g = terraform_data.counted[*].nope
  h = terraform_data.counted.*.id
  i = [for r in terraform_data.counted : r.nope]
  j = terraform_data.counted[[1]]
  k = terraform_data.counted[local.n].id
  l = terraform_data.keyed[local.n].id
  m = terraform_data.one[local.name]
  n = 0
  name = "id"
}
)");
  CHECK(c.faults() == R"(10:7 terraform_data.one[0] [unexpected-instance-key]
11:7 terraform_data.one["a"] [unexpected-instance-key]
12:7 terraform_data.counted [missing-instance-key]
13:7 terraform_data.keyed [missing-instance-key]
14:32 .nope [no-such-attribute]
15:32 .nope [no-such-attribute]
16:32 .nope [no-such-attribute]
18:43 .nope [no-such-attribute]
19:30 [1] [wrong-type]
)");
}

TEST_CASE("each, count and self are known where the language has them") {
  Lowered c(R"(
locals {
  a = each.key
  b = count.index
  c = self.id
}
output "o" {
  value = each.value
}
resource "terraform_data" "plain" {
  input = [each.key, count.index]
  connection {
    host = self.id
    user = self.nope
  }
  lifecycle {
    precondition {
      condition     = self.id == ""
      error_message = "x"
    }
    postcondition {
      condition     = self.id == self.nope
      error_message = self.id
    }
  }
}
resource "terraform_data" "keyed" {
  for_each = { a = { x = 1 } }
  input    = [each.key, each.value.x, each.value.y, each.nope, count.index]
  provisioner "local-exec" {
    command = each.key
  }
}
resource "terraform_data" "own_each" {
  for_each = each.value
}
resource "terraform_data" "own_count" {
  count = count.index
}
)");
  CHECK(c.faults() == R"(3:7 each.key [each-outside]
4:7 count.index [count-outside]
5:7 self [self-outside]
8:11 each.value [each-outside]
11:12 each.key [each-outside]
11:22 count.index [count-outside]
14:16 .nope [no-such-attribute]
18:23 self [self-outside]
22:38 .nope [no-such-attribute]
29:49 .y [no-such-attribute]
29:53 each.nope [unknown-meta-attribute]
29:64 count.index [count-outside]
35:14 each.value [each-outside]
38:11 count.index [count-outside]
)");
}

TEST_CASE("names that an expression binds hide all others, for as long as it is") {
  Lowered c(R"(
locals {
  a = [for local in [{ x = 1 }] : local.x]
  b = [for path in ["a"] : path]
  c = [for k, v in { a = 1 } : k]
  d = [for v in [1] : k]
  e = { for var in [{ x = 1 }] : var.x => [for var in ["a"] : upper(var)] }
  f = "%{for x in [1]}${x}%{endfor}${x}"
}
)");
  CHECK(c.faults() == R"(6:23 k [incomplete-reference]
8:38 x [incomplete-reference]
)");
}

TEST_CASE("data of a check is seen in that check alone") {
  Lowered c(R"(
check "one" {
  data "terraform_remote_state" "s" {
    backend = "local"
    config  = data.terraform_remote_state.s.config
  }
  assert {
    condition     = data.terraform_remote_state.s.outputs == 1
    error_message = data.terraform_remote_state.s.nope
  }
}
check "two" {
  assert {
    condition     = data.terraform_remote_state.s.outputs == 1
    error_message = "x"
  }
}
output "o" {
  value = data.terraform_remote_state.s
}
)");
  CHECK(c.faults() == R"(5:15 data.terraform_remote_state.s [scoped-data]
9:50 .nope [no-such-attribute]
14:21 data.terraform_remote_state.s [scoped-data]
19:11 data.terraform_remote_state.s [scoped-data]
)");
}

TEST_CASE("try and can forgive what evaluating finds, not what names mean") {
  Lowered c(R"(
variable "o" {
  type = object({ a = string })
}
resource "terraform_data" "r" {}
locals {
  a = try(var.o.nope, 1)
  b = can(var.o.a.b)
  c = try(local.nope, 1)
  d = try(terraform_data.nope.id, 1)
  e = [try([for x in "abc" : x], []), upper([])]
}
)");
  CHECK(c.faults() == R"(9:11 local.nope [undeclared-local]
10:11 terraform_data.nope [undeclared-resource]
11:45 [] [argument-type]
)");
}

TEST_CASE("functions: names, number and types of arguments") {
  Lowered c(R"(
terraform {
  required_providers {
    terraform = {
      source = "terraform.io/builtin/terraform"
    }
  }
}
locals {
  a = nope(1)
  b = upper()
  c = upper("a", "b")
  d = core::upper("x")
  e = core::nope("x")
  f = foo::bar("x")
  g = upper([])
  h = upper(["x"]...)
  i = keys("x")
  j = sensitive()
  k = provider::terraform::encode_tfvars({ a = 1 })
  l = provider::terraform::nope()
  m = provider::other::f()
  n = provider::terraform::encode_tfvars()
  o = max(1, 2)
}
)");
  CHECK(c.faults() == R"(10:7 nope [unknown-function]
11:13 ) [argument-count]
12:18 "b" [argument-count]
14:7 core::nope [unknown-function]
15:7 foo::bar [unknown-function]
16:13 [] [argument-type]
18:12 "x" [argument-type]
19:17 ) [argument-count]
21:7 provider::terraform::nope [unknown-function]
22:7 provider::other::f [unknown-function]
23:42 ) [argument-count]
)");
}

TEST_CASE("a template knows the names that it is given, and no others") {
  pravo::SourceManager sources;
  pravo::Names names;
  pravo::Diagnostics diags;
  pravo::load::Configuration configuration;
  pravo::FileId file = sources.add("motd.tftpl", "${name} of ${ownr}: ${var.x}", true);
  configuration.trees.push_back(pravo::hcl::parse_template(sources, file, diags));
  const pravo::hcl::SyntaxTree& tree = configuration.trees.back();
  pravo::load::Module& module = configuration.modules.emplace_back();
  module.is_template = true;
  module.files.push_back(file);
  module.anywhere = tree.range(tree.root);
  for (std::string_view given : {"name", "owner"}) {
    pravo::load::Variable& variable = module.variables.emplace_back();
    variable.name = {names.intern(given), module.anywhere};
    variable.header = module.anywhere;
  }
  pravo::load::Output& output = module.outputs.emplace_back();
  output.name = {names.intern("result"), module.anywhere};
  output.header = module.anywhere;
  output.value = pravo::load::Expr{&tree, tree.root};
  pravo::lower::lower(configuration, sources, names, diags, {});
  std::string found;
  for (const pravo::Diagnostic& d : diags.all())
    found += fmt::format("{}: {}\n", sources.text(d.range), pravo::diagnostic_id(d.kind));
  CHECK(found == "ownr: undeclared-template-variable\nvar: undeclared-template-variable\n");
}

TEST_CASE("keys of modules that are too many or missing fail only when they are read") {
  Lowered c(R"(
module "one" {
  source = "./m"
}
module "many" {
  source = "./m"
  count  = 2
}
locals {
  a = try(module.one[0].i, null)
  b = can(module.many.i)
  c = module.one[0].i
  d = module.many.i
}
=== m/main.tf
output "i" {
  value = 1
}
)");
  CHECK(c.faults() == R"(12:7 module.one[0] [unexpected-instance-key]
13:7 module.many [missing-instance-key]
)");
}
