#include "ir/text.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "ir/builder.h"
#include "ir/diagnostics/text.h"
#include "ir/testing/equivalence.h"
#include "ir/testing/random_program.h"
#include "ir/testing/text.h"
#include "ir/text_format.h"
#include "ir/verify.h"

namespace pravo {
namespace {

using testing::in_root;
using testing::Parsed;

// Lines that use the op and need nothing else. Exhaustive: a new op without an example does not compile.
std::string_view example(OpKind kind) {
  switch (kind) {
    case OpKind::Const:
      return "%a = const \"x\\n\\\"\" : string\n"
             "%b = const null : list(any)\n"
             "%c = const [1,\"b\",[true]] : tuple([number,string,tuple([bool])])\n"
             "%d = const {\"a b\":-0.5} : object({\"a b\"=number})\n"
             "%e = const 123456789012345678901234567890 : number\n"
             "%f = const false : bool";
    case OpKind::Variable:
      return "%d = const \"x\" : string\n"
             "%v = variable \"v\" ephemeral sensitive not_nullable (%d) : string\n"
             "%w = variable \"w\" {constraint = object({a=optional(string,\"x\"),b=optional(any,1:number),"
             "c=list(object({d=optional(bool)}))})} : any\n"
             "%x = variable \"x\" {validations = [%c]} : bool\n"
             "%c = condition validation of %x (%x, %d)\n"
             "%y = variable \"y\" : object({a=list(string),b=map(number),c=set(bool)})";
    case OpKind::Env:
      return "%a = env \"TF_VAR_a\" : string";
    case OpKind::Meta:
      return "%a = meta \"path.module\" : string";
    case OpKind::Unknown:
      return "%a = unknown : any";
    case OpKind::Local:
      return "%a = local \"a\" (%b) : any\n%b = unknown : any";
    case OpKind::Call:
      return "%a = unknown : any\n%b = call timestamp() : string\n%c = call concat(%a, %a...) : any";
    case OpKind::Binary:
      return "%a = const 1 : number\n"
             "%b = binary %a % %a : number\n%c = binary %a <= %a : bool\n%d = binary %a - %a : number\n"
             "%e = binary %c && %c : bool";
    case OpKind::Unary:
      return "%a = const 1 : number\n%b = unary -%a : number\n%c = const true : bool\n%d = unary !%c : bool";
    case OpKind::Template:
      return "%a = unknown : string\n%b = template (%a, %a) : string\n%c = template quoted (%a) : string\n"
             "%d = template () : string";
    case OpKind::TemplateJoin:
      return "%a = unknown : list(string)\n%b = template.join %a : string";
    case OpKind::Index:
      return "%a = unknown : list(string)\n%b = const 0 : number\n%c = index %a[%b] : string";
    case OpKind::Attr:
      return "%a = unknown : any\n%b = attr %a .name : any\n%c = attr %a .\"a b\" : any";
    case OpKind::Splat:
      return "%a = unknown : any\n"
             "%b = splat full %a {\n  %e = each %b : any\n  %k = key %b : number\n  %n = attr %e .name : any\n"
             "  yield %n\n} : any\n"
             "%c = splat %a {\n  yield %a\n} : any";
    case OpKind::Convert:
      return "%a = unknown : any\n%b = convert %a : set(string)";
    case OpKind::Object:
      return "%a = unknown : any\n%b = object {a = %a, \"b c\" = %b.2} : any\n%b.2 = object {} : object({})";
    case OpKind::ObjectKeyed:
      return "%a = unknown : any\n%b = object.keyed (%a, %a) : any";
    case OpKind::Tuple:
      return "%a = tuple () : tuple([])\n%b = tuple (%a, %a) : tuple([tuple([]),tuple([])])";
    case OpKind::Blocks:
      return "%a = unknown : any\n%b = blocks (%a..., %a, %a...) : any";
    case OpKind::Cond:
      return "%c = unknown : bool\n"
             "%r = cond %c {\n  %a = cond %c {\n    yield %c\n  } else {\n    yield %c\n  } : bool\n  yield %a\n"
             "} else {\n  yield %c\n} : bool";
    case OpKind::ForList:
      return "%a = unknown : any\n"
             "%f = for.list %a {\n  %k = key %f : any\n  %e = each %f : any\n  yield %e, %k\n} : any\n"
             "%g = for.list %f {\n  yield %a\n} : any";
    case OpKind::ForObject:
      return "%a = unknown : any\n"
             "%f = for.object grouped %a {\n  %k = key %f : any\n  %e = each %f : any\n  yield %k, %e, %k\n} : any";
    case OpKind::Yield:
      return "%a = unknown : any\n%f = for.object %a {\n  yield %a, %a\n} : any";
    case OpKind::ExpandCount:
      return "%n = const 3 : number\n%d = expand.count %n\n%i = key %d : number\n%j = binary %i + %n over %d : number";
    case OpKind::ExpandForEach:
      return "%m = unknown : map(string)\n%d = expand.for_each %m";
    case OpKind::Key:
      return "%m = unknown : map(string)\n%d = expand.for_each %m\n%k = key %d : string";
    case OpKind::Each:
      return "%m = unknown : map(string)\n%d = expand.for_each %m\n%v = each %d : string\n"
             "%f = for.list %v over %d {\n  %e = each %f over %d : any\n  yield %e over %d\n} : any";
    case OpKind::At:
      return "%m = unknown : map(string)\n%d = expand.for_each %m\n%v = each %d : string\n%k = const \"a\" : string\n"
             "%o = at %v[%k] : string\n%d2 = expand.for_each %m\n%k2 = key %d2 : string\n"
             "%p = at %v[%k2] over %d2 : string";
    case OpKind::Collect:
      return "%m = unknown : map(string)\n%d = expand.for_each %m\n%v = each %d : string\n"
             "%all = collect %v over %d : map(string)";
    case OpKind::ModuleInstance:
      return "%m = unknown : set(string)\n%d = expand.for_each %m\n"
             "%vpc = module.instance \"vpc\" over %d after(%m) {object = %all, providers = {\"aws\" = \"aws.east\"}}\n"
             "%key = key %d : string\n%arg = module.arg \"cidr\" (%key, %vpc) over %d : string\n"
             "%out = module.out \"id\" (%vpc) over %d : any\n%all = collect %out over %d : map(any)\n"
             "%one = module.instance \"one\"";
    case OpKind::ModuleArg:
      return "%m = module.instance \"m\"\n%v = unknown : any\n%a = module.arg \"a b\" (%v, %m) : any";
    case OpKind::ModuleOut:
      return "%m = module.instance \"m\"\n%o = module.out \"id\" (%m) : any";
    case OpKind::Provider:
      return "%c = object {} : object({})\n"
             "%aws = provider \"aws\" (%c) {alias = \"east\", address = \"registry.terraform.io/hashicorp/aws\"}\n"
             "%gcp = provider \"gcp\" (%c)\n"
             "%db = resource \"aws_db.main\" using %aws (%c) : any";
    case OpKind::Resource:
      return "%names = variable \"names\" : set(string)\n"
             "%aws = provider \"aws\" (%names) {address = \"h/n/aws\"}\n"
             "%d = expand.for_each %names\n"
             "%key = key %d : string\n"
             "%c = object {name = %key} over %d : object({name=string})\n"
             "%db = resource \"aws_db.main\" over %d using %aws (%c) after(%names, %aws) {collect = %all, "
             "provider_alias = \"east\", lifecycle, create_before_destroy, prevent_destroy, ignore_all_changes, "
             "ignore_changes = [.tags[\"a b\"], .list[0].x, .\"b c\"], replace_triggered_by = [%names], "
             "conditions = [%pre, %post], provisioners = [{type = \"local-exec\", config = %names, "
             "connection = %aws, on_destroy, continue_on_failure}, {type = \"file\", config = %names}], in_check} : "
             "any\n"
             "%all = collect %db over %d : map(any)\n"
             "%pre = condition precondition of %db (%names, %names)\n"
             "%post = condition postcondition of %db (%names, %key) over %d\n"
             "%other = resource \"aws_db.other\" using %aws (%names) {provider_address = \"\", provider_name = none} : "
             "any\n"
             "%single = resource \"aws_db.single\" (%names) {provider_address = \"a/b/c\", provider_name = \"c\"} : "
             "any";
    case OpKind::Data:
      return "%c = object {} : object({})\n%a = data \"aws_ami.x\" (%c) after(%c) : any";
    case OpKind::Ephemeral:
      return "%c = object {} : object({})\n%a = ephemeral \"vault_secret.db\" (%c) : any";
    case OpKind::ProviderCall:
      return "%a = unknown : any\n%b = provider.call provider::aws::arn_parse(%a) : any\n"
             "%c = provider.call \"odd name\"(%a...) : any";
    case OpKind::Output:
      return "%a = unknown : any\n"
             "output \"a\" (%a)\n"
             "%o = output \"b\" ephemeral sensitive (%a) after(%a, %o) {preconditions = [%c]}\n"
             "%c = condition precondition of %o (%a, %a)";
    case OpKind::Check:
      return "%a = unknown : any\n%1 = condition assert (%a, %a)\ncheck \"health\" (%1)\ncheck \"none\" ()";
    case OpKind::Condition:
      return "%a = unknown : any\ncondition postcondition of %a (%a, %a)";
    case OpKind::Use:
      return "%a = unknown : any\nuse provisioner (%a)\nuse connection of %a (%a)\nuse replace_trigger (%a)\n"
             "use import_id (%a)\nuse import_for_each (%a)\nuse depends_on (%a)\nuse block_expand (%a)";
    case OpKind::MarkAdd:
      return "%a = unknown : any\n%b = mark.add ephemeral %a : any\n%c = mark.add sensitive %a : any";
    case OpKind::MarkRemove:
      return "%a = unknown : any\n%b = mark.remove ephemeral sensitive %a : any";
  }
  return {};
}

std::string indented(std::string_view lines) {
  std::string out = "  ";
  for (char c : lines) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out;
}

// The text, its program and the text printed from that agree; returns what is printed.
std::string round_trip(const std::string& text) {
  Parsed first(text);
  REQUIRE_MESSAGE(first.ok, first.messages() << text);
  for (const std::string& problem : verify(first.program)) FAIL_CHECK(problem);
  std::string printed = print_program(first.program);
  Parsed second(printed);
  REQUIRE_MESSAGE(second.ok, second.messages() << printed);
  CHECK(testing::difference(first.program, second.program) == "");
  CHECK(print_program(second.program) == printed);
  return printed;
}

TEST_CASE("op table") {
  for (unsigned i = 0; i < kOpCount; ++i) {
    auto kind = static_cast<OpKind>(i);
    CHECK(find_op(op_info(kind).text) == kind);
  }
  CHECK(!find_op("nothing"));
  CHECK(!find_op(""));
  CHECK(!find_op("~"));
}

TEST_CASE("every op: its text is its printed form") {
  for (unsigned i = 0; i < kOpCount; ++i) {
    auto kind = static_cast<OpKind>(i);
    CAPTURE(op_info(kind).text);
    std::string text = in_root(indented(example(kind)));
    CHECK(text.find(std::string(op_info(kind).text)) != std::string::npos);
    CHECK(round_trip(text) == text);
  }
}

TEST_CASE("every op is in the reference") {
  const char* source = std::getenv("PRAVO_SOURCE_DIR");
  std::ifstream in(std::string(source == nullptr ? "." : source) + "/docs/ir.md");
  std::string page{std::istreambuf_iterator<char>(in), {}};
  REQUIRE(!page.empty());
  for (unsigned i = 0; i < kOpCount; ++i) {
    std::string entry = "\n`" + std::string(op_info(static_cast<OpKind>(i)).text) + "` \xE2\x80\x94 ";
    CHECK_MESSAGE(page.find(entry) != std::string::npos, "docs/ir.md has no paragraph that starts with" << entry);
  }
}

TEST_CASE("modules, imports and what plan refuses") {
  std::string text =
      "module @root {\n"
      "  %vpc = module.instance \"vpc\" @\"./modules/vpc\"\n"
      "  %dns = module.instance \"dns\" @dns\n"
      "  %id = const \"i\" : string\n"
      "  import \"aws_db.main\" {id = %id}\n"
      "  import \"aws_db.x[each.key]\" {id = %id, for_each = %id}\n"
      "  unsupported \"moved block\"\n"
      "}\n"
      "\n"
      "module @\"./modules/vpc\" {\n"
      "}\n"
      "\n"
      "module @dns directory \"../dns\" {\n"
      "}\n";
  CHECK(round_trip(text) == text);
}

TEST_CASE("names: hints, numbers, and hints that look like either") {
  Names names;
  Program program(names);
  program.bodies.push_back(std::make_unique<ModuleBody>());
  program.bodies[0]->label = "root";
  program.bodies[0]->directory = ".";
  program.bodies[0]->root = true;
  Builder b(program, ModuleId(0));
  for (const char* hint : {"a", "a", "a.2", "a", "1", "", "x y", "for", "a.b-c", "a.", "\xC3\xA9"}) {
    InstId id = b.add(OpKind::Unknown, TypeId(), {});
    b.hint(id, b.name(hint));
  }
  b.add(OpKind::Unknown, TypeId(), {});
  std::string text = print_program(program);
  CHECK(text ==
        "module @root {\n  %a = unknown\n  %a.2 = unknown\n  %a.2.2 = unknown\n  %a.3 = unknown\n  %\"1\" = unknown\n"
        "  %\"\" = unknown\n  %\"x y\" = unknown\n  %for = unknown\n  %a.b-c = unknown\n  %\"a.\" = unknown\n"
        "  %\"\xC3\xA9\" = unknown\n  %11 = unknown\n}\n");
  CHECK(round_trip(text) == text);
  CHECK(print_name(program, ModuleId(0), InstId(1)) == "%a.2");
}

TEST_CASE("text that is written by hand: blanks, comments, trailing commas, other numbers") {
  std::string printed = round_trip(
      "; a comment\nmodule   @root\n{ %7=const \"a\" ; rest\n %x = object{ a=%7 ,  b = %\"7\", }\n"
      "%\"7\" = call   max ( %7 ,%x )\n %o=const{\"a\":[1,null]}\n}");
  CHECK(printed ==
        "module @root {\n  %0 = const \"a\" : string\n  %x = object {a = %0, b = %\"7\"}\n  %\"7\" = call max(%0, %x)\n"
        "  %o = const {\"a\":[1,null]} : object({a=tuple([number,any])})\n}\n");
}

TEST_CASE("types print as the language writes them") {
  for (const Type& type : {Type::dynamic(), Type::list(Type::set(Type::map(Type::boolean()))),
                           Type::tuple({Type::number(), Type::string()}), Type::object(std::vector<Type::Attribute>{}),
                           Type::object({{std::string_view("a"), Type::string(), true},
                                         {std::string_view("b-c"), Type::tuple({}), false}})}) {
    std::string text;
    text::append_type(text, type);
    CHECK(text == type.to_string());
  }
}

TEST_CASE("comments and a selection of instructions") {
  Parsed parsed(in_root(
      "  %t = variable \"t\" ephemeral : string\n  %o = object {a = %t} : any\n  %c = cond %t {\n    %in = attr %o .a\n"
      "    yield %in\n  } else {\n    yield %t\n  } : any"));
  REQUIRE(parsed.ok);
  PrintOptions options;
  options.comment = [&](ModuleId, InstId id) {
    return parsed.program.body(ModuleId(0)).inst(id).kind == OpKind::Object ? "marks .a: eph" : "";
  };
  options.only = {"%o", "%in"};
  CHECK(print_program(parsed.program, options) ==
        "  %o = object {a = %t} : any   ; marks .a: eph\n    %in = attr %o .a\n");
  options.only = {"%c"};
  CHECK(print_program(parsed.program, options) ==
        "  %c = cond %t {\n    %in = attr %o .a\n    yield %in\n  } else {\n    yield %t\n  } : any\n");
  options.only.clear();
  std::string all = print_program(parsed.program, options);
  CHECK(all.find("%o = object {a = %t} : any   ; marks .a: eph\n") != std::string::npos);
  CHECK(Parsed(all).ok);
}

TEST_CASE("places: instructions and rows have the range of their text") {
  Parsed parsed(in_root("  %a = unknown : any\n  output \"o\" (%a)"));
  REQUIRE(parsed.ok);
  const ModuleBody& body = parsed.program.body(ModuleId(0));
  CHECK(parsed.sources.text(body.range(InstId(0))) == "%a = unknown");
  CHECK(parsed.sources.text(body.outputs[0].range) == "output \"o\" (%a)");
  CHECK(body.use_range(InstId(1), 0).begin == body.range(InstId(1)).end - 3);
}

TEST_CASE("errors of the text, each with its place") {
  struct Case {
    const char* lines;
    const char* messages;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"%a = unknwon", "2:6: there is no op `unknwon` [ir-unknown-op]\n"},
           {"%a unknown", "2:4: expected `=`, found `unknown` [ir-syntax]\n"},
           {"%a = ", "2:6: expected an op, found the end of the line [ir-syntax]\n"},
           {"%a = attr %b .c", "2:11: `%b` is not defined in this module [ir-unknown-name]\n"},
           {"%a = attr %a c", "2:14: expected `.`, found `c` [ir-syntax]\n"},
           {"%a = unknown\n%a = unknown",
            "3:1: `%a` is defined twice [ir-repeated-name]\n2:1: note: first defined here\n"},
           {"% = unknown", "2:2: expected a name behind `%`, found a blank [ir-syntax]\n"},
           {"%1a = unknown", "2:2: expected a name behind `%`, found `1a` [ir-syntax]\n"},
           {"%a = const \"\\q\" : string", "2:12: the string has a malformed escape sequence [ir-bad-string]\n"},
           {"%a = const \"x : string",
            "2:23: expected `\"` to close the string, found the end of the line [ir-syntax]\n"},
           {"%a = const [1 : string", "2:23: expected the end of a constant, found the end of the line [ir-syntax]\n"},
           {"%a = const 1 : strong", "2:16: expected a type, found `strong` [ir-syntax]\n"},
           {"%a = variable x", "2:15: expected a string, found `x` [ir-syntax]\n"},
           {"%a = resource \"x\" (%a)", "2:15: expected `\"TYPE.NAME\"`, found `\"x\"` [ir-syntax]\n"},
           {"%a = resource \"x.y\" (%a) {colour}", "2:27: `resource` has no field `colour` [ir-unknown-field]\n"},
           {"%a = resource \"x.y\" (%a) {in_check prevent_destroy}",
            "2:36: expected `,` or `}`, found `prevent_destroy` [ir-syntax]\n"},
           {"%a = resource \"x.y\" (%a) {ignore_changes = [x]}",
            "2:45: expected a path such as `.a[\"k\"]`, found `x` [ir-syntax]\n"},
           {"%a = resource \"x.y\" (%a) {ignore_changes = [.x[99999999999999999999]]}",
            "2:67: expected a smaller number, found `9` [ir-syntax]\n"},
           {"use nothing (%a)", "2:5: expected a kind of use, found `nothing` [ir-syntax]\n"},
           {"condition (%a, %a)", "2:11: expected a kind of condition, found `(` [ir-syntax]\n"},
           {"%a = binary %a ? %a", "2:16: expected an operator, found `?` [ir-syntax]\n"},
           {"%a = call f(%a..., %a)",
            "2:23: expected `...` on no other argument than the last, found the end of the line [ir-syntax]\n"},
           {"%a = call f(%a %a)", "2:16: expected `,` or `)`, found `%` [ir-syntax]\n"},
           {"%a = tuple %a", "2:12: expected `(`, found `%` [ir-syntax]\n"},
           {"%a = module.instance \"m\" @other", "2:27: there is no module `@other` [ir-unknown-module]\n"},
           {"%a = cond %a {\n  yield %a\n}\n%b = unknown",
            "4:2: expected `else`, found the end of the line [ir-syntax]\n"},
           {") x", "2:1: expected an instruction or `}`, found `)` [ir-syntax]\n"},
           {"%a = splat %a {\n  import \"x\"\n  yield %a\n}",
            "3:10: expected an instruction or `}`, found `\"` [ir-syntax]\n"},
           {"}", "3:1: expected `module`, found `}` [ir-syntax]\n"},
           // Several faults are all reported; names that a line in error defines are not missed.
           {"%a = what\n%b = attr %a .x\n%c = how",
            "2:6: there is no op `what` [ir-unknown-op]\n4:6: there is no op `how` [ir-unknown-op]\n"},
           // A region whose owner is in error is still a region.
           {"%a = what %b {\n  yield %b\n}\n%c = how",
            "2:6: there is no op `what` [ir-unknown-op]\n5:6: there is no op `how` [ir-unknown-op]\n"},
       }) {
    CAPTURE(c.lines);
    Parsed parsed(in_root(c.lines));
    CHECK(!parsed.ok);
    CHECK(parsed.messages() == c.messages);
  }
  CHECK(Parsed("").messages() == "1:1: expected `module`, found the end of the text [ir-syntax]\n");
  CHECK(Parsed("module @a {").messages() ==
        "1:12: expected `}` to close the module, found the end of the text [ir-syntax]\n");
  CHECK(Parsed("module @a {}\nmodule @a {}").messages() == "2:9: `@a` is defined twice [ir-repeated-name]\n");
  Parsed bad_constant(in_root("%a = const \"x\" : number"));
  REQUIRE(bad_constant.diags.all().size() == 1);
  CHECK(bad_constant.diags.all()[0].kind == diag::IrBadConstant.kind);
  CHECK(bad_constant.messages().starts_with("2:12: the constant is no value of type `number`: "));
}

TEST_CASE("bad text of any kind ends with an answer") {
  std::string deep_type = "%a = unknown : ";
  for (int i = 0; i < 100000; ++i) deep_type += "list(";
  Parsed deep(in_root(deep_type));
  CHECK(deep.diags.all().at(0).kind == diag::IrTypeDepth.kind);

  std::string regions;
  for (int i = 0; i < 100000; ++i) regions += "%" + std::to_string(i) + " = cond %x {\n";
  CHECK(!Parsed(in_root(regions)).ok);

  // Every prefix, and every text with one character replaced.
  std::string text = in_root(indented(example(OpKind::Resource)));
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    CHECK(!Parsed(text.substr(0, i)).ok);
    for (char c : {'\0', '"', '%', '}', '\n', '\xFF'}) {
      std::string changed = text;
      changed[i] = c;
      Parsed parsed(changed);
      if (parsed.ok) static_cast<void>(verify(parsed.program));
    }
  }
}

TEST_CASE("deep regions") {
  Names names;
  Program program(names);
  program.bodies.push_back(std::make_unique<ModuleBody>());
  program.bodies[0]->label = "root";
  program.bodies[0]->directory = ".";
  program.bodies[0]->root = true;
  Builder b(program, ModuleId(0));
  InstId value = b.add(OpKind::Unknown, TypeId(), {});
  std::vector<RegionId> open;
  for (int i = 0; i < 2000; ++i) open.push_back(b.open_region(b.add(OpKind::ForList, TypeId(), {value})));
  for (; !open.empty(); open.pop_back()) b.close_region(open.back(), std::span(&value, 1));
  CHECK(verify(program).empty());
  CHECK(round_trip(print_program(program)).size() > 2000);
}

TEST_CASE("random programs: verify, and print -> parse -> print is the identity") {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    Names names;
    Program program = testing::RandomProgram(names, seed, static_cast<int>(seed % 60)).take();
    std::vector<std::string> problems = verify(program);
    REQUIRE_MESSAGE(problems.empty(), problems[0]);
    std::string text = print_program(program);
    Parsed parsed(text);
    REQUIRE_MESSAGE(parsed.ok, parsed.messages() << text);
    REQUIRE(testing::difference(program, parsed.program) == "");
    REQUIRE(print_program(parsed.program) == text);
  }
}

}  // namespace
}  // namespace pravo
