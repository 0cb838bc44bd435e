// What each form of expression becomes.
#include <doctest/doctest.h>

#include "frontend/lower/testing.h"

using pravo::lower::testing::Lowered;

namespace {

// The instructions of one expression, with a variable and a few resources in reach.
std::string lowered(std::string_view expression) {
  Lowered c(fmt::format(R"(
variable "s" {{
  type = string
}}
variable "l" {{
  type = list(object({{ a = string }}))
}}
variable "any" {{}}
resource "terraform_data" "one" {{}}
resource "terraform_data" "counted" {{
  count = 2
}}
resource "terraform_data" "keyed" {{
  for_each = toset(["k"])
}}
locals {{
  n = 1
  x = {}
}}
)",
                        expression));
  return c.faults() + c.value("x");
}

}  // namespace

TEST_CASE("literals and constructors") {
  CHECK(lowered("1.5") == R"(  %0 = const 1.5 : number
)");
  CHECK(lowered("-1") == R"(  %0 = const 1 : number
  %1 = unary -%0 : number
)");
  CHECK(lowered("null") == R"(  %0 = const null : any
)");
  CHECK(lowered("[1, true]") == R"(  %0 = const 1 : number
  %1 = const true : bool
  %2 = tuple (%0, %1) : tuple([number,bool])
)");
  CHECK(lowered("{ a = 1, \"b c\" = 2, a = 3 }") == R"(  %0 = const 2 : number
  %1 = const 3 : number
  %2 = object {"b c" = %0, a = %1} : object({a=number,"b c"=number})
)");
  CHECK(lowered("{ (var.s) = 1, b = 2 }") == R"(  %0 = const 1 : number
  %1 = const "b" : string
  %2 = const 2 : number
  %3 = object.keyed (%s, %0, %1, %2) : any
)");
}

TEST_CASE("operators") {
  CHECK(lowered("1 + 2 * local.n - 3") == R"(  %0 = const 1 : number
  %1 = const 2 : number
  %2 = binary %1 * %n : number
  %3 = binary %0 + %2 : number
  %4 = const 3 : number
  %5 = binary %3 - %4 : number
)");
  CHECK(lowered("!(var.s == \"a\" && true)") == R"(  %0 = const "a" : string
  %1 = binary %s == %0 : bool
  %2 = const true : bool
  %3 = binary %1 && %2 : bool
  %4 = unary !%3 : bool
)");
  CHECK(lowered("var.s == \"\" ? 1 : local.n") == R"(  %0 = const "" : string
  %1 = binary %s == %0 : bool
  %2 = cond %1 {
    %3 = const 1 : number
    yield %3
  } else {
    yield %n
  } : number
)");
}

TEST_CASE("templates") {
  CHECK(lowered("\"plain $${text} \\\"\\u00e9\"") == R"(  %0 = const "plain ${text} \"é" : string
)");
  CHECK(lowered("\"${var.s}\"") == R"(%s
)");
  CHECK(lowered("\"a-${var.s}-${local.n}\"") == R"(  %0 = const "a-" : string
  %1 = const "-" : string
  %2 = template quoted (%0, %s, %1, %n) : string
)");
  CHECK(lowered("\"%{if var.any}y%{else}n%{endif}%{for k, v in var.l}${k}=${v.a};%{endfor}\"") == R"(  %0 = cond %any {
    %1 = const "y" : string
    yield %1
  } else {
    %2 = const "n" : string
    yield %2
  } : string
  %3 = for.list %l {
    %4 = key %3 : number
    %5 = const "=" : string
    %6 = each %3 : object({a=string})
    %7 = attr %6 .a : string
    %8 = const ";" : string
    %9 = template quoted (%4, %5, %7, %8) : string
    yield %9
  } : any
  %10 = template.join %3 : string
  %11 = template quoted (%0, %10) : string
)");
  CHECK(lowered("<<-EOT\n    a ${var.s}\n      b\n  EOT\n") == R"(  %0 = const "a " : string
  %1 = const "\n  b\n" : string
  %2 = template quoted (%0, %s, %1) : string
)");
}

TEST_CASE("traversals") {
  CHECK(lowered("var.any.a[0][\"b\"].c") == R"(  %0 = attr %any .a : any
  %1 = const 0 : number
  %2 = index %0[%1] : any
  %3 = const "b" : string
  %4 = index %2[%3] : any
  %5 = attr %4 .c : any
)");
  CHECK(lowered("var.any.0.a") == R"(  %0 = const 0 : number
  %1 = index %any[%0] : any
  %2 = attr %1 .a : any
)");
  CHECK(lowered("terraform_data.one.output") == R"(  %0 = attr %one .output : any
)");
  CHECK(lowered("[path.module, terraform.workspace, terraform.applying]") == R"(  %0 = meta "path.module" : string
  %1 = meta "terraform.workspace" : string
  %2 = meta "terraform.applying" : bool
  %3 = tuple (%0, %1, %2) : tuple([string,string,bool])
)");
}

TEST_CASE("instances") {
  CHECK(lowered("terraform_data.counted[0].id") == R"(  %0 = const 0 : number
  %1 = at %counted[%0] : object({id=string,input=any,output=any,triggers_replace=any})
  %2 = attr %1 .id : string
)");
  CHECK(lowered("terraform_data.counted[var.any].id") == R"(  %0 = convert %any : number
  %1 = at %counted[%0] : object({id=string,input=any,output=any,triggers_replace=any})
  %2 = attr %1 .id : string
)");
  CHECK(lowered("terraform_data.keyed[\"k\"]") == R"(  %0 = const "k" : string
  %1 = at %keyed[%0] : object({id=string,input=any,output=any,triggers_replace=any})
)");
  CHECK(lowered("terraform_data.keyed[1].id") == R"(  %0 = const 1 : number
  %1 = convert %0 : string
  %2 = at %keyed[%1] : object({id=string,input=any,output=any,triggers_replace=any})
  %3 = attr %2 .id : string
)");
  CHECK(lowered("terraform_data.counted") == R"(  %0 = collect %counted over %1 : any
)");
  CHECK(lowered("terraform_data.counted[*].id") == R"(  %0 = collect %counted over %1 : any
  %2 = splat full %0 {
    %3 = each %2 : object({id=string,input=any,output=any,triggers_replace=any})
    %4 = attr %3 .id : string
    yield %4
  } : any
)");
}

TEST_CASE("for and splats") {
  CHECK(lowered("[for k, v in var.any : v if k != var.s]") == R"(  %0 = for.list %any {
    %1 = each %0 : any
    %2 = key %0 : any
    %3 = binary %2 != %s : bool
    yield %1, %3
  } : any
)");
  CHECK(lowered("{ for o in var.l : o.a => [for p in var.l : p.a == o.a]... if true }") ==
        R"(  %0 = for.object grouped %l {
    %1 = each %0 : object({a=string})
    %2 = attr %1 .a : string
    %3 = for.list %l {
      %4 = each %3 : object({a=string})
      %5 = attr %4 .a : string
      %6 = each %0 : object({a=string})
      %7 = attr %6 .a : string
      %8 = binary %5 == %7 : bool
      yield %8
    } : any
    %9 = const true : bool
    yield %2, %3, %9
  } : any
)");
  CHECK(lowered("var.l[*].a") == R"(  %0 = splat full %l {
    %1 = each %0 : object({a=string})
    %2 = attr %1 .a : string
    yield %2
  } : list(string)
)");
  CHECK(lowered("var.any.*.b[*].c") == R"(  %0 = splat %any {
    %1 = each %0 : any
    %2 = attr %1 .b : any
    yield %2
  } : any
  %3 = splat full %0 {
    %4 = each %3 : any
    %5 = attr %4 .c : any
    yield %5
  } : any
)");
}

TEST_CASE("calls") {
  CHECK(lowered("core::upper(var.s)") == R"(  %0 = call upper(%s) : string
)");
  CHECK(lowered("max([1, 2]...)") == R"(  %0 = const 1 : number
  %1 = const 2 : number
  %2 = tuple (%0, %1) : tuple([number,number])
  %3 = call max(%2...) : number
)");
  CHECK(lowered("nonsensitive(sensitive(var.s))") == R"(  %0 = mark.add sensitive %s : string
  %1 = mark.remove sensitive %0 : string
)");
  CHECK(lowered("try(var.any.x, can(var.any))") == R"(  %0 = attr %any .x : any
  %1 = call can(%any) : bool
  %2 = call try(%0, %1) : any
)");
  CHECK(lowered("toset([var.s])") == R"(  %0 = tuple (%s) : tuple([string])
  %1 = call toset(%0) : set(string)
)");
}
