// Bodies: arguments and nested blocks, with and without a schema.
#include <doctest/doctest.h>

#include "frontend/lower/testing.h"

using pravo::lower::testing::Lowered;

TEST_CASE("arguments that a known schema does not have, or has otherwise") {
  Lowered c(R"(
resource "terraform_data" "x" {
  id     = "x"
  output = 1
  inptu  = 1
  timeouts {
  }
  dynamic "foo" {
    for_each = []
    content {}
  }
  input {
  }
}
data "terraform_remote_state" "x" {
}
data "terraform_remote_state" "y" {
  backend = [1]
  outputs = {}
}
resource "terraform_dat" "x" {
}
ephemeral "terraform_ssh_tunnels" "t" {
  server              = "x"
  auth_methods        = [{ password = ["x"] }]
  tcp_local_to_remote = {}
  tcp_local_to_remote {
    remote = "x"
  }
}
)");
  CHECK(c.faults(true) == R"(3:3 id [read-only-argument] -- remove it
4:3 output [read-only-argument] -- remove it
5:3 inptu [unknown-argument] -- did you mean `input`?
6:3 timeouts [unknown-block]
8:11 "foo" [unknown-block]
12:3 input [block-is-argument] -- write `input = ...`
15:35 { [missing-argument] -- add `backend = ...`
18:13 [1] [unsuitable-argument]
19:3 outputs [read-only-argument] -- remove it
21:10 "terraform_dat" [unknown-resource-type] -- did you mean `terraform_data`?
23:39 { [missing-argument] -- add `username = ...`
25:25 [{ password = ["x"] }] [unsuitable-argument]
26:3 tcp_local_to_remote [argument-is-block] -- write `tcp_local_to_remote { ... }` without the equals sign
27:3 tcp_local_to_remote [block-labels]
)");
}

TEST_CASE("of an unknown provider nothing is assumed") {
  Lowered c(R"(
resource "aws_instance" "web" {
  ami = "ami-1"
  ebs_block_device {
    size = 1
  }
  network {
    id = 1
  }
  ebs_block_device {
    size = 2
  }
  dynamic "setting" {
    for_each = { a = 1 }
    content {
      name  = setting.key
      value = setting.value
      dynamic "inner" {
        for_each = [setting.value]
        iterator = it
        content {
          outer = setting.value
          own   = it.value
          whole = it
        }
      }
    }
  }
}
locals {
  x = aws_instance.web.anything[0].goes
}
)");
  CHECK(c.faults() == "");
  CHECK(c.broken == "");
  CHECK(c.print() == R"(module @root {
  %x = local "x" (%5) : any
  %web = resource "aws_instance.web" using %38 (%36) : any
  %2 = attr %web .anything : any
  %3 = const 0 : number
  %4 = index %2[%3] : any
  %5 = attr %4 .goes : any
  %6 = const "ami-1" : string
  %7 = const 1 : number
  %8 = object {size = %7} : any
  %9 = const 1 : number
  %10 = object {id = %9} : any
  %11 = const 2 : number
  %12 = object {size = %11} : any
  %13 = const 1 : number
  %14 = object {a = %13} : object({a=number})
  use block_expand of %web (%14) : any
  %16 = for.list %14 {
    %17 = key %16 : string
    %18 = each %16 : number
    %19 = each %16 : number
    %20 = tuple (%19) : tuple([number])
    use block_expand of %web (%20) : any
    %22 = for.list %20 {
      %23 = each %16 : number
      %24 = each %22 : number
      %25 = key %22 : number
      %26 = each %22 : number
      %27 = object {key = %25, value = %26} : object({key=number,value=number})
      %28 = object {outer = %23, own = %24, whole = %27} : any
      yield %28
    } : any
    %30 = blocks (%22...) : any
    %31 = object {name = %17, value = %18, inner = %30} : any
    yield %31
  } : any
  %33 = blocks (%8, %12) : any
  %34 = blocks (%10) : any
  %35 = blocks (%16...) : any
  %36 = object {ami = %6, ebs_block_device = %33, network = %34, setting = %35} : any
  %37 = object {} : object({})
  %38 = provider "aws" (%37) {address = "registry.terraform.io/hashicorp/aws"} : any
}
)");
}

TEST_CASE("dynamic blocks that are wrong") {
  Lowered c(R"(
resource "aws_instance" "web" {
  dynamic "a" {
    content {}
  }
  dynamic "b" {
    for_each = []
  }
  dynamic "c" {
    for_each = []
    iterator = "x"
    nope     = 1
    content {}
    content {}
    other {}
  }
  dynamic "d" {
    for_each = "x"
    content {
      a = d.nope
      b = e.value
    }
  }
}
)");
  CHECK(c.faults() == R"(3:3 dynamic "a" [dynamic-block]
6:3 dynamic "b" [dynamic-block]
11:16 "x" [dynamic-block]
12:5 nope [unknown-argument]
14:5 content [dynamic-block]
15:5 other [dynamic-block]
18:16 "x" [not-iterable]
20:12 .nope [latent-fault]
21:11 e.value [latent-fault]
)");
}

TEST_CASE("an attribute that the iterator of a dynamic block lacks, inside of try") {
  Lowered c(R"(
resource "aws_instance" "web" {
  dynamic "block" {
    for_each = ["a"]
    content {
      a = try(block.size, null)
      b = can(block.value.size)
    }
  }
}
)");
  CHECK(c.faults(true) == "6:20 .size [caught-iterator-attribute] -- did you mean `block.value.size`?\n");
}

TEST_CASE("what is wrong in a dynamic block is an error only where the block is made") {
  Lowered c(R"(
variable "list" {
  type = list(object({ a = string }))
}
locals {
  two = toset(["a", "b"])
}
resource "aws_instance" "web" {
  dynamic "assume_role_with_web_identity" {
    for_each = var.list
    content {
      role_arn = assume_role.value.role_arn
      a        = assume_role_with_web_identity.value.b
      b        = local.nope
      c        = upper([])
    }
  }
  dynamic "made" {
    for_each = local.two
    content {
      a = assume_role.value
      dynamic "not_made" {
        for_each = []
        content {
          b = local.nope
        }
      }
      c = local.nope
    }
  }
}
)");
  CHECK(
      c.faults(true) ==
      R"(12:18 assume_role.value [latent-fault] -- the iterator of this `dynamic` block is `assume_role_with_web_identity`: did you mean `assume_role_with_web_identity.value`?
13:53 .b [latent-fault] -- it has `a`
14:18 local.nope [latent-fault]
15:24 [] [latent-fault]
21:11 assume_role.value [undeclared-resource] -- the iterator of this `dynamic` block is `made`: did you mean `made.value`?
25:15 local.nope [latent-fault]
28:11 local.nope [undeclared-local]
)");
  CHECK(c.messages().starts_with(
      "there is no resource `assume_role.value` in this module; the `dynamic` block fails once it makes a block\n"));
}

TEST_CASE("blocks that are keyed by their label are an object") {
  Lowered c(R"(
ephemeral "terraform_ssh_tunnels" "t" {
  server       = "x"
  username     = "x"
  auth_methods = [{ password = "x" }]
  tcp_local_to_remote "consul" {
    remote = "127.0.0.1:8500"
  }
  tcp_local_to_remote "vault" {
    remote = "127.0.0.1:8200"
  }
}
locals {
  consul = ephemeral.terraform_ssh_tunnels.t.tcp_to_remote["consul"].local
  wrong  = ephemeral.terraform_ssh_tunnels.t.tcp_to_remote["consul"].remot
}
)");
  CHECK(c.faults() == "15:69 .remot [no-such-attribute]\n");
}

TEST_CASE("provisioners and connections") {
  Lowered c(R"(
resource "terraform_data" "x" {
  connection {
    host = "x"
    typ  = "ssh"
  }
  provisioner "local-exec" {
  }
  provisioner "local-exec" {
    command = [1]
    bar {}
  }
  provisioner "file" {
    destination = "x"
  }
  provisioner "remote-exec" {
    inline = []
    script = "x"
    connection {
      port = "abc"
    }
  }
}
)");
  CHECK(c.faults() == R"(5:5 typ [unknown-argument]
7:28 { [missing-argument]
10:15 [1] [unsuitable-argument]
11:5 bar [unknown-block]
13:3 provisioner "file" [one-argument-of]
16:3 provisioner "remote-exec" [one-argument-of]
19:16 { [missing-argument]
20:14 "abc" [unsuitable-argument]
)");
}

TEST_CASE("a connection that no provisioner uses may lack what one would need") {
  Lowered c(R"(
resource "terraform_data" "x" {
  connection {
    user = local.nope
  }
}
)");
  CHECK(c.faults() == "4:12 local.nope [undeclared-local]\n");
}

TEST_CASE("what plan does not do yet is written down") {
  Lowered c(R"(
resource "terraform_data" "x" {
  lifecycle {
    prevent_destroy = true
  }
  provisioner "local-exec" {
    command = "x"
  }
}
moved {
  from = terraform_data.w
  to   = terraform_data.x
}
removed {
  from = terraform_data.v
}
import {
  to = terraform_data.x
  id = "x"
}
)");
  CHECK(c.faults() == "");
  std::string all;
  for (const std::string& what : c.program.bodies[0]->unsupported_what) all += what + "\n";
  CHECK(all == R"(provisioner `local-exec`
`import`
`moved`
`removed`
)");
}

TEST_CASE("JSON: blocks are found by the schema, references are text") {
  Lowered c(R"(
=== main.tf.json
{
  "ephemeral": {
    "terraform_ssh_tunnels": {
      "t": {
        "server": "${local.x}",
        "username": "u",
        "auth_methods": [{ "password": "p" }],
        "tcp_local_to_remote": {
          "consul": { "remote": "r" },
          "vault": { "remot": "r" }
        }
      }
    }
  },
  "resource": {
    "terraform_data": {
      "r": {
        "for_each": "${toset([\"a\"])}",
        "input": { "a": "x-${each.key}", "b": "${terraform_data.nope.id}" },
        "depends_on": ["local.x"]
      }
    }
  },
  "locals": { "x": "y" }
}
)");
  CHECK(c.faults() == R"(main.tf.json:10:20 { "remot": "r" } [missing-argument]
main.tf.json:10:22 "remot" [unknown-argument]
main.tf.json:19:50 terraform_data.nope [undeclared-resource]
)");
}
