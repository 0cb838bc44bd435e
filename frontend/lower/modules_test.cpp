// Module calls, and what bodies as a whole look like.
#include <doctest/doctest.h>

#include "frontend/lower/testing.h"

using pravo::lower::testing::Lowered;

TEST_CASE("a called module") {
  Lowered c(R"(
variable "names" {
  type = set(string)
}
module "m" {
  source   = "./m"
  for_each = var.names
  name     = "x-${each.key}"
  token    = null
}
output "all" {
  value = module.m
}
output "one" {
  value = module.m["a"].id
}
=== m/main.tf
variable "name" {
  type = string
}
variable "token" {
  type      = string
  default   = "t"
  ephemeral = true
  sensitive = true
  nullable  = false
}
resource "terraform_data" "r" {
  input = var.name
}
output "id" {
  value     = terraform_data.r.id
  sensitive = true
}
)");
  CHECK(c.faults() == "");
  CHECK(c.print() == R"(module @root {
  %names = variable "names" : set(string)
  %1 = expand.for_each %names : any
  %m = module.instance "m" @m over %1 {object = %5} : any
  %3 = module.out "id" (%m) over %1 : string
  %4 = object {id = %3} over %1 : object({id=string})
  %5 = collect %4 over %1 : any
  output "all" (%5) : any
  output "one" (%15) : string
  %8 = const "x-" : string
  %9 = key %1 : string
  %10 = template quoted (%8, %9) over %1 : string
  %11 = module.arg "name" (%10, %m) over %1 : string
  %12 = const null : any
  %13 = module.arg "token" (%12, %m) over %1 : any
  %14 = const "a" : string
  %15 = at %3[%14] : string
}

module @m {
  %name = variable "name" : string
  %token = variable "token" ephemeral sensitive not_nullable (%4) : string
  %r = resource "terraform_data.r" (%5) {provider_address = "terraform.io/builtin/terraform", provider_name = "terraform"} : object({id=string,input=any,output=any,triggers_replace=any})
  output "id" sensitive (%6) : string
  %4 = const "t" : string
  %5 = object {input = %name} : object({input=string})
  %6 = attr %r .id : string
}
)");
}

TEST_CASE("a module that is not installed takes any argument and has any output") {
  Lowered c(R"(
module "m" {
  source = "terraform-aws-modules/vpc/aws"
  count  = 2
  name   = local.n
}
locals {
  n = "x"
  a = module.m[0].anything.at[1].all
  b = module.m[*].vpc_id
}
)");
  CHECK(c.faults() == "3:12 \"terraform-aws-modules/vpc/aws\" [module-not-installed]\n");
}

TEST_CASE("a repeated module without outputs") {
  Lowered c(R"(
module "m" {
  source = "./m"
  count  = 2
}
output "o" {
  value = length(module.m)
}
=== m/main.tf
locals {
  x = 1
}
)");
  CHECK(c.faults() == "");
  CHECK(c.broken == "");
}

TEST_CASE("conditions, uses and order") {
  Lowered c(R"(
variable "v" {
  type = string
  validation {
    condition     = var.v != ""
    error_message = "empty"
  }
}
resource "terraform_data" "a" {
  count      = 2
  input      = count.index
  depends_on = [terraform_data.b, module.m, local.l]
  lifecycle {
    create_before_destroy = true
    ignore_changes        = [input["x"][0].y]
    replace_triggered_by  = [terraform_data.b.id]
    precondition {
      condition     = var.v != "b"
      error_message = "b"
    }
    postcondition {
      condition     = self.id != var.v
      error_message = self.id
    }
  }
  provisioner "local-exec" {
    when    = destroy
    command = self.id
  }
}
resource "terraform_data" "b" {}
module "m" {
  source = "./m"
}
locals {
  l = 1
}
check "c" {
  assert {
    condition     = terraform_data.b.id != ""
    error_message = "x"
  }
}
import {
  for_each = { a = "1" }
  to       = terraform_data.a[each.key]
  id       = each.value
}
=== m/main.tf
)");
  CHECK(c.print() == R"(module @root {
  %v = variable "v" {validations = [%32]} : string
  %l = local "l" (%9) : number
  %2 = expand.count %10 : any
  %a = resource "terraform_data.a" over %2 using %14 (%12) after(%b, %m, %l) {collect = %4, lifecycle, create_before_destroy, ignore_changes = [.input["x"][0].y], replace_triggered_by = [%24], conditions = [%18, %22], provisioners = [{type = "local-exec", config = %26, on_destroy}]} : object({id=string,input=any,output=any,triggers_replace=any})
  %4 = collect %a over %2 : any
  %b = resource "terraform_data.b" using %14 (%28) : object({id=string,input=any,output=any,triggers_replace=any})
  %m = module.instance "m" @m {object = %7} : any
  %7 = object {} : object({})
  %8 = check "c" (%37) : any
  %9 = const 1 : number
  %10 = const 2 : number
  %11 = key %2 : number
  %12 = object {input = %11} over %2 : object({input=number})
  %13 = object {} : object({})
  %14 = provider "terraform" (%13) {address = "terraform.io/builtin/terraform"} : any
  %15 = const "b" : string
  %16 = binary %v != %15 : bool
  %17 = const "b" : string
  %18 = condition precondition of %a (%16, %17) : any
  %19 = attr %a .id over %2 : string
  %20 = binary %19 != %v over %2 : bool
  %21 = attr %a .id over %2 : string
  %22 = condition postcondition of %a (%20, %21) over %2 : any
  %23 = attr %b .id : string
  %24 = use replace_trigger of %a (%23) : any
  %25 = attr %a .id over %2 : string
  %26 = object {command = %25} over %2 : object({command=string})
  use provisioner of %a (%26) over %2 : any
  %28 = object {} : object({})
  %29 = const "" : string
  %30 = binary %v != %29 : bool
  %31 = const "empty" : string
  %32 = condition validation of %v (%30, %31) : any
  %33 = attr %b .id : string
  %34 = const "" : string
  %35 = binary %33 != %34 : bool
  %36 = const "x" : string
  %37 = condition assert of %8 (%35, %36) : any
  %38 = expand.for_each %40 : any
  %39 = const "1" : string
  %40 = object {a = %39} : object({a=string})
  %41 = use import_for_each (%40) : any
  %42 = each %38 : string
  %43 = use import_id (%42) over %38 : any
  %44 = key %38 : string
  import "terraform_data.a[each.key]" {id = %43, for_each = %41}
  unsupported "provisioner `local-exec`"
  unsupported "`import`"
}

module @m {
}
)");
}

TEST_CASE("an operand remembers where it is named") {
  Lowered c(R"(
variable "v" {}
resource "terraform_data" "r" {}
locals {
  l = var.v
  m = [local.l, "${terraform_data.r.id}-${var.v}"]
}
)");
  const pravo::ModuleBody& body = *c.program.bodies[0];
  std::string uses;
  for (uint32_t i = 0; i < body.insts.size(); ++i)
    for (uint32_t n = 0; n < body.inst(pravo::InstId(i)).operand_count; ++n)
      if (body.operand(pravo::InstId(i), n).index < 4)
        uses += fmt::format("{} {}\n", pravo::op_info(body.inst(pravo::InstId(i)).kind).text,
                            c.sources.text(body.use_range(pravo::InstId(i), n)));
  CHECK(uses == R"(local var.v
attr terraform_data.r
template var.v
tuple local.l
)");
}

TEST_CASE("null for a variable that has to have a value") {
  Lowered c(R"(
module "m" {
  source = "./m"
  must   = null
  may    = null
  other  = null
}
=== m/main.tf
variable "must" {
  nullable = false
}
variable "may" {}
variable "other" {
  nullable = false
  default  = 1
}
)");
  CHECK(c.faults() == "4:12 null [unsuitable-argument]\n");
}
