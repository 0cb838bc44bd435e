// What the loader makes of configurations, and of directories that hold none. What it refuses is in cases/.
#include <doctest/doctest.h>

#include <sys/stat.h>

#include "frontend/load/testing.h"

namespace pravo::load {

using testing::Files;
using testing::Loaded;
namespace fs = std::filesystem;

namespace {

const Resource& resource(const Loaded& loaded, size_t i) { return loaded.configuration.root().resources.at(i); }

}  // namespace

TEST_CASE("a variable with everything") {
  Loaded loaded(Files{{"main.tf", R"(
variable "a" {
  type        = object({ n = number, s = optional(string, "d") })
  default     = { n = 1 }
  description = "what it is for"
  sensitive   = true
  ephemeral   = true
  nullable    = false
  validation {
    condition     = var.a.n > 0
    error_message = "Too small."
  }
}
)"}});
  loaded.load();
  CHECK(loaded.report() == "");
  const Variable& a = loaded.configuration.root().variables.at(0);
  CHECK(loaded.text(a.name.id) == "a");
  CHECK(a.type.type.to_string() == "object({n=number,s=optional(string)})");
  REQUIRE(a.type.defaults.values.size() == 1);
  CHECK(a.type.defaults.values[0].first.view() == "s");
  CHECK(loaded.text(a.default_value) == "{ n = 1 }");
  CHECK(a.description == "what it is for");
  CHECK(a.sensitive);
  CHECK(a.ephemeral);
  CHECK_FALSE(a.nullable);
  CHECK(loaded.sources.text(a.sensitive_range) == "sensitive   = true");
  REQUIRE(a.validations.size() == 1);
  CHECK(loaded.text(a.validations[0].condition) == "var.a.n > 0");
}

TEST_CASE("a resource with everything") {
  Loaded loaded(Files{{"main.tf", R"(
resource "x_thing" "a" {
  count      = 2
  provider   = x.east
  depends_on = [x_thing.b, module.m]
  name       = "n"
  block {
    inner = 1
  }
  dynamic "other" {
    for_each = [1]
    content {
      v = other.value
    }
  }
  lifecycle {
    create_before_destroy = true
    prevent_destroy       = "true"
    ignore_changes        = [name, tags["k"]]
    replace_triggered_by  = [x_thing.b.id]
    precondition {
      condition     = x_thing.b.id != ""
      error_message = "No."
    }
  }
  connection {
    host = "h"
  }
  provisioner "local-exec" {
    when       = destroy
    on_failure = continue
    command    = "x"
    connection {
      host = self.id
    }
  }
  _ {
    count = 7
  }
}
resource "x_thing" "b" {
  provider = x.east
}
provider "x" {
  alias = "east"
}
module "m" {
  source = "./m"
}
)"},
                      {"m/main.tf", ""}});
  loaded.load();
  CHECK(loaded.report() == "");
  const Resource& a = resource(loaded, 0);
  CHECK(a.mode == ResourceMode::Managed);
  CHECK(loaded.text(a.count) == "2");
  CHECK_FALSE(a.for_each.valid());
  REQUIRE(a.provider.has_value());
  CHECK(loaded.text(a.provider->local_name.id) == "x");
  CHECK(loaded.text(a.provider->alias.id) == "east");
  REQUIRE(a.depends_on.size() == 2);
  CHECK(loaded.text(a.depends_on[1]) == "module.m");
  // The escape block's count is the provider's argument.
  REQUIRE(a.config.attributes.size() == 2);
  CHECK(loaded.text(a.config.attributes[0].name.id) == "name");
  CHECK(loaded.text(a.config.attributes[1].name.id) == "count");
  REQUIRE(a.config.blocks.size() == 2);
  CHECK(loaded.text(a.config.blocks[1].type.id) == "dynamic");
  CHECK(loaded.text(a.config.blocks[1].labels[0].id) == "other");
  CHECK(a.config.blocks[1].body.blocks.size() == 1);
  CHECK(a.create_before_destroy);
  CHECK(a.prevent_destroy);
  CHECK(a.ignore_changes.size() == 2);
  CHECK(a.replace_triggered_by.size() == 1);
  CHECK(a.preconditions.size() == 1);
  CHECK(a.connection.has_value());
  REQUIRE(a.provisioners.size() == 1);
  CHECK(a.provisioners[0].on_destroy);
  CHECK(a.provisioners[0].continue_on_failure);
  CHECK(a.provisioners[0].connection.has_value());
  CHECK(a.provisioners[0].config.attributes.size() == 1);
}

TEST_CASE("JSON says the same as native syntax") {
  Loaded loaded(Files{{"main.tf.json", R"json({
  "//": "a comment",
  "variable": { "v": { "type": "list(string)", "default": ["a ${b}"] } },
  "locals": { "l": "${var.v}", "//": "another" },
  "resource": {
    "x_thing": {
      "a": {
        "//": "a third",
        "count": "${1 + 1}",
        "name": "n",
        "depends_on": ["x_thing.b[0]"],
        "lifecycle": { "ignore_changes": "all", "replace_triggered_by": ["x_thing.b"] },
        "dynamic": { "d": { "for_each": [1], "content": { "v": 1 } } },
        "provisioner": [{ "local-exec": { "command": "x", "when": "destroy" } }]
      },
      "b": [{ "count": 1 }]
    }
  },
  "output": [{ "o": { "value": "${local.l}" } }, { "p": { "value": 1, "sensitive": true } }]
})json"}});
  loaded.load();
  CHECK(loaded.report() == "");
  const Module& root = loaded.configuration.root();
  REQUIRE(root.variables.size() == 1);
  CHECK(root.variables[0].type.type.to_string() == "list(string)");
  CHECK(root.locals.size() == 1);
  REQUIRE(root.resources.size() == 2);
  const Resource& a = root.resources[0];
  CHECK(loaded.text(a.count) == "\"${1 + 1}\"");
  REQUIRE(a.depends_on.size() == 1);
  CHECK(a.depends_on[0].tree->kind(a.depends_on[0].node) == hcl::NodeKind::Index);
  CHECK(a.ignore_all_changes);
  REQUIRE(a.config.attributes.size() == 1);
  CHECK(a.config.json);
  REQUIRE(a.config.blocks.size() == 1);
  CHECK(loaded.text(a.config.blocks[0].labels[0].id) == "d");
  REQUIRE(a.config.blocks[0].body.blocks.size() == 1);
  CHECK(loaded.text(a.config.blocks[0].body.blocks[0].type.id) == "content");
  REQUIRE(a.provisioners.size() == 1);
  CHECK(a.provisioners[0].on_destroy);
  CHECK(root.outputs.size() == 2);
  CHECK(root.outputs[1].sensitive);
}

TEST_CASE("an override file changes arguments one by one") {
  Loaded loaded(Files{{"main.tf", R"(
variable "v" {
  type    = string
  default = "x"
}
locals {
  l = 1
}
resource "x_thing" "a" {
  for_each = {}
  name     = "n"
  size     = 1
  tag {
    k = "a"
  }
  dynamic "tag" {
    for_each = []
    content {}
  }
  disk {
  }
  lifecycle {
    create_before_destroy = true
    ignore_changes        = [name]
  }
  provisioner "local-exec" {
    command = "one"
  }
  provisioner "local-exec" {
    command = "two"
  }
}
terraform {
  required_version = ">= 9"
  required_providers {
    x = { source = "a/x" }
    y = { source = "a/y" }
  }
  backend "s3" {
  }
}
module "m" {
  source = "./nothing"
  a      = 1
}
)"},
                      {"a_override.tf", R"(
variable "v" {
  default = "y"
}
locals {
  l = 2
}
resource "x_thing" "a" {
  count = 3
  size  = 2
  tag {
    k = "b"
  }
  lifecycle {
    prevent_destroy = true
  }
  provisioner "local-exec" {
    command = "three"
  }
}
terraform {
  required_version = ">= 1"
  required_providers {
    x = { source = "b/x" }
    z = { source = "b/z" }
  }
  cloud {
  }
}
)"},
                      {"override.tf.json", R"({ "module": { "m": { "source": "./m", "a": 2 } } })"},
                      {"m/main.tf", "variable \"a\" {}\n"}});
  loaded.load();
  CHECK(loaded.report() == "");
  const Module& root = loaded.configuration.root();
  CHECK(loaded.text(root.variables[0].default_value) == "\"y\"");
  CHECK(loaded.text(root.locals[0].value) == "2");
  const Resource& a = root.resources[0];
  CHECK(loaded.text(a.count) == "3");
  CHECK_FALSE(a.for_each.valid());
  REQUIRE(a.config.attributes.size() == 2);
  CHECK(loaded.text(a.config.attributes[1].value) == "2");
  // Both kinds of `tag` are gone, `disk` stays.
  REQUIRE(a.config.blocks.size() == 2);
  CHECK(loaded.text(a.config.blocks[0].type.id) == "disk");
  CHECK(loaded.text(a.config.blocks[1].body.attributes[0].value) == "\"b\"");
  CHECK(a.create_before_destroy);
  CHECK(a.prevent_destroy);
  CHECK(a.ignore_changes.size() == 1);
  REQUIRE(a.provisioners.size() == 1);
  CHECK(loaded.text(a.provisioners[0].config.attributes[0].value) == "\"three\"");
  CHECK(root.required_versions.size() == 1);
  REQUIRE(root.required_providers.size() == 3);
  CHECK(root.required_providers[0].source == "registry.terraform.io/b/x");
  CHECK(root.backend->type == "cloud");
  CHECK(root.calls[0].source == "./m");
  CHECK(loaded.text(root.calls[0].arguments.attributes[0].value) == "2");
}

TEST_CASE("provider addresses") {
  Loaded loaded(Files{{"main.tf", R"(
terraform {
  required_providers {
    mine = { source = "Example.COM/Me/Thing", version = "~> 1.0, != 1.2" }
    old  = "~> 2.0"
  }
}
)"}});
  loaded.load();
  CHECK(loaded.report() == "");
  const Module& root = loaded.configuration.root();
  CHECK(root.provider_address("mine", loaded.names) == "example.com/me/thing");
  CHECK(root.provider_address("old", loaded.names) == "registry.terraform.io/hashicorp/old");
  CHECK(root.provider_address("aws", loaded.names) == "registry.terraform.io/hashicorp/aws");
  CHECK(root.provider_address("terraform", loaded.names) == "terraform.io/builtin/terraform");
  CHECK(root.required_providers[0].version_constraints == std::vector<std::string>{"~> 1.0, != 1.2"});
}

TEST_CASE("calls of one directory share a module") {
  Loaded loaded(Files{{"main.tf", R"(
module "a" {
  source = "./m"
}
module "b" {
  source = "./m/../m/"
}
module "c" {
  source = "./link"
}
)"},
                      {"m/main.tf", "module \"n\" {\n  source = \"../n\"\n}\n"},
                      {"n/main.tf", "locals {\n  x = 1\n}\n"}});
  fs::create_directory_symlink("m", loaded.folder.path() / "link");
  loaded.load();
  CHECK(loaded.report() == "");
  REQUIRE(loaded.configuration.modules.size() == 3);
  for (const ModuleCall& call : loaded.configuration.root().calls) CHECK(call.target == 1);
  CHECK(loaded.configuration.root().directory == ".");
  CHECK(loaded.configuration.modules[1].directory == "m");
  CHECK(loaded.configuration.modules[2].directory == "n");
  CHECK(loaded.sources.name(loaded.configuration.modules[2].files[0]) == "n/main.tf");
}

TEST_CASE("installed modules come from the manifest") {
  Loaded loaded(Files{{"main.tf",
                       "module \"vpc\" {\n  source  = \"a/vpc/aws\"\n  version = \"1.0\"\n}\n"
                       "module \"other\" {\n  source = \"a/other/aws\"\n}\n"},
                      {".terraform/modules/modules.json",
                       R"({"Modules":[{"Key":"","Source":"","Dir":"."},
                      {"Key":"vpc","Source":"registry.terraform.io/a/vpc/aws","Version":"1.0","Dir":".terraform/modules/vpc"},
                      {"Key":"vpc.sub","Source":"a/sub/aws","Dir":".terraform/modules/vpc.sub/inner"}]})"},
                      {".terraform/modules/vpc/main.tf",
                       "module \"sub\" {\n  source = \"a/sub/aws\"\n}\nmodule \"own\" {\n  source = \"./own\"\n}\n"},
                      {".terraform/modules/vpc/own/main.tf", ""},
                      {".terraform/modules/vpc.sub/inner/main.tf", "output \"o\" {\n  value = 1\n}\n"}});
  loaded.load();
  CHECK(loaded.report() ==
        "main.tf:6:12 warning: module `other` is not installed, so nothing in it is looked at and its outputs are "
        "unknown [module-not-installed]\n");
  REQUIRE(loaded.configuration.modules.size() == 4);
  CHECK(loaded.configuration.modules[1].directory == ".terraform/modules/vpc");
  CHECK(loaded.configuration.modules[2].outputs.size() == 1);
  CHECK(loaded.configuration.root().calls[1].status == ModuleStatus::NotInstalled);
}

TEST_CASE("a module that was installed for another source or version is not looked at") {
  auto report = [](std::string call, std::string source, std::string version) {
    Loaded loaded(Files{{"main.tf", "module \"m\" {\n  " + call + "\n}\n"},
                        {".terraform/modules/modules.json", R"({"Modules":[{"Key":"m","Source":")" + source +
                                                                R"(","Version":")" + version + R"(","Dir":"m"}]})"},
                        {"m/main.tf", ""}});
    loaded.load();
    std::string all = loaded.report();
    size_t name = all.find("module `m` ");
    return name == std::string::npos ? all : all.substr(name + 11, all.find(',') - name - 11);
  };
  const std::string vpc = "registry.terraform.io/a/vpc/aws";
  CHECK(report("source = \"a/vpc/aws\"", vpc, "1.2.3") == "");
  CHECK(report("source = \"registry.terraform.io/a/vpc/aws\"", "a/vpc/aws", "1.2.3") == "");
  CHECK(report("source = \"a/vpc/aws//sub\"", vpc, "1.2.3") == "was installed from `" + vpc + "`");
  CHECK(report("source = \"b/vpc/aws\"", vpc, "1.2.3") == "was installed from `" + vpc + "`");
  CHECK(report("source = \"a/vpc/aws\"\n  version = \"~> 1.2\"", vpc, "1.2.3") == "");
  CHECK(report("source = \"a/vpc/aws\"\n  version = \">= 2\"", vpc, "1.2.3") == "was installed in version 1.2.3");
  const std::string git = "git::https://github.com/a/b.git";
  CHECK(report("source = \"github.com/a/b\"", git, "") == "");
  CHECK(report("source = \"git@github.com:a/b.git//c?ref=v1\"", "git::ssh://git@github.com/a/b.git//c?ref=v1", "") ==
        "");
  CHECK(report("source = \"github.com/a/b?ref=v2\"", git + "?ref=v1", "") == "was installed from `" + git + "?ref=v1`");
  CHECK(report("source = \"a/vpc/aws\"", git, "") == "was installed from `" + git + "`");
  CHECK(report("source = \"https://example.com/m.zip\"", "https://example.com/m.zip?archive=zip", "") == "");
}

TEST_CASE("a damaged manifest is a warning") {
  Loaded loaded(Files{{"main.tf", ""}, {".terraform/modules/modules.json", "{"}});
  loaded.load();
  CHECK(loaded.report() ==
        "warning: cannot read `DIRECTORY/.terraform/modules/modules.json`: it is no manifest of modules "
        "[manifest-unreadable]\n");
}

TEST_CASE("modules that call each other") {
  Loaded loaded(Files{{"main.tf", "module \"a\" {\n  source = \"./a\"\n}\n"},
                      {"a/main.tf", "module \"b\" {\n  source = \"../b\"\n}\n"},
                      {"b/main.tf", "module \"c\" {\n  source = \"../a\"\n}\n"}});
  loaded.load();
  CHECK(loaded.report() == "b/main.tf:2:12 error: module `a` calls itself [module-cycle]\n");
  const auto& notes = loaded.diags.all()[0].notes;
  REQUIRE(notes.size() == 2);
  CHECK(notes[0].message == "`a` calls `b` here");
  CHECK(notes[1].message == "`b` calls `a` here");
  CHECK(loaded.configuration.modules[2].calls[0].status == ModuleStatus::Broken);
}

TEST_CASE("a long chain of modules") {
  Files files{{"main.tf", "module \"m\" {\n  source = \"./0\"\n}\n"}};
  for (int i = 0; i < 300; ++i)
    files.emplace_back(fmt::format("{}/main.tf", i), fmt::format("module \"m\" {{\n  source = \"../{}\"\n}}\n", i + 1));
  files.emplace_back("300/main.tf", "");
  Loaded loaded(files);
  loaded.load();
  CHECK(loaded.report() == "");
  CHECK(loaded.configuration.modules.size() == 302);
}

TEST_CASE("directories that hold no configuration") {
  SUBCASE("empty") {
    Loaded loaded(Files{});
    loaded.load();
    CHECK(loaded.report() == "warning: directory `DIRECTORY` has no configuration files [no-configuration]\n");
    CHECK(loaded.configuration.modules.size() == 1);
  }
  SUBCASE("absent") {
    Loaded loaded(Files{});
    loaded.options.directory += "/nowhere";
    loaded.load();
    CHECK(loaded.report() ==
          "error: cannot read directory `DIRECTORY`: no such file or directory [directory-unreadable]\n");
  }
  SUBCASE("a file") {
    Loaded loaded(Files{{"x", ""}});
    loaded.options.directory += "/x";
    loaded.load();
    CHECK(loaded.report() == "error: cannot read directory `DIRECTORY`: not a directory [directory-unreadable]\n");
  }
  SUBCASE("only files of OpenTofu") {
    Loaded loaded(Files{{"main.tofu", "x"}, {"a.tofu.json", "{}"}});
    loaded.load();
    CHECK(loaded.report() ==
          "warning: `a.tofu.json` is a file of OpenTofu, and nothing in it is looked at [tofu-file]\n"
          "warning: `main.tofu` is a file of OpenTofu, and nothing in it is looked at [tofu-file]\n");
  }
  SUBCASE("files of OpenTofu in the place of others") {
    Loaded loaded(Files{{"main.tofu", "x"},
                        {"main.tf", ""},
                        {"a.tofu.json", "x"},
                        {"a.tf.json", "{}"},
                        {"b.tofu", "x"},
                        {"b.tf.json", "{}"},
                        {"c_override.tofu", "x"},
                        {"c_override.tf", ""},
                        {"d.tofu", "x"},
                        {"dd.tf", ""}});
    loaded.load();
    CHECK(loaded.report() == "warning: `d.tofu` is a file of OpenTofu, and nothing in it is looked at [tofu-file]\n");
  }
  SUBCASE("a module whose source is a file") {
    Loaded loaded(Files{{"main.tf", "module \"m\" {\n  source = \"./x\"\n}\n"}, {"x", ""}});
    loaded.load();
    CHECK(loaded.report() ==
          "main.tf:2:12 error: cannot read the module's directory `x`: not a directory [module-directory-missing]\n");
  }
}

TEST_CASE("files that are none") {
  Loaded loaded(Files{{"main.tf", "locals {\n  a = 1\n}\n"}, {".hidden.tf", "nope {}"}, {"x.tf~", "nope {}"}});
  fs::create_directory(loaded.folder.path() / "dir.tf");
  fs::create_symlink("nowhere", loaded.folder.path() / "dangling.tf");
  fs::create_symlink("main.tf", loaded.folder.path() / "zlink.tf");
  ::mkfifo((loaded.folder.path() / "loop.txt").c_str(), 0600);
  loaded.load();
  CHECK(loaded.report() ==
        "dangling.tf:1:1 error: cannot read `dangling.tf`: it is a symbolic link to `nowhere`, which does not exist "
        "[file-unreadable]\n"
        "zlink.tf:2:3 error: local value `a` is declared twice [duplicate-declaration]\n");
}

TEST_CASE("files that are no text") {
  std::string encrypted = std::string("\0GITCRYPT\0", 10) + "x = {";
  std::string program;
  for (int i = 0; i < 200; ++i)
    program += std::string(
        "\x7F"
        "ELF\0\x01{\xFF",
        8);
  Loaded loaded(Files{{"a.tf", encrypted}, {"b.tf", program}, {"c.tf.json", program}, {"d.tf", "x = \x01\n"}});
  loaded.load();
  CHECK(loaded.report() ==
        "a.tf:1:1 error: `a.tf` is not a text file [file-not-text]\n"
        "b.tf:1:1 error: `b.tf` is not a text file [file-not-text]\n"
        "c.tf.json:1:1 error: `c.tf.json` is not a text file [file-not-text]\n"
        "d.tf:1:1 error: `x` is no argument of a configuration file [unknown-argument]\n"
        "d.tf:1:5 error: control character U+0001 has no meaning here [invalid-character]\n");
  CHECK(loaded.diags.all()[0].help == "git-crypt has encrypted it; `git-crypt unlock` gives the text back");
}

TEST_CASE("a version that several modules refuse") {
  Files files{{"main.tf", "terraform {\n  required_version = \"> 2\"\n}\n"}};
  for (int i = 0; i < 8; ++i) {
    files[0].second += fmt::format("module \"m{}\" {{\n  source = \"./{}\"\n}}\n", i, i);
    files.emplace_back(fmt::format("{}/main.tf", i),
                       fmt::format("terraform {{\n  required_version = \"> 2.{}\"\n}}\n", i));
  }
  files.emplace_back("7/main.tf", "terraform {\n  required_version = \"> 1\"\n}\n");
  Loaded loaded(files);
  loaded.load();
  CHECK(loaded.report() ==
        "main.tf:2:3 error: the configuration requires Terraform `> 2`; this is the language of version 1.11.4 "
        "[unsupported-version]\n");
  const auto& notes = loaded.diags.all()[0].notes;
  REQUIRE(notes.size() == 6);
  CHECK(notes[0].message == "`> 2.0` is required here");
  CHECK(loaded.sources.name(notes[4].range.file) == "4/main.tf");
  CHECK(notes[5].message == "2 more modules require what this version is not");
}

TEST_CASE("a resource dropped as a repetition leaves the indexes of checks right") {
  Loaded loaded(Files{{"main.tf", R"(
data "x_y" "a" {}
data "x_y" "a" {}
check "c" {
  data "x_y" "b" {}
  assert {
    condition     = data.x_y.b.id != ""
    error_message = "No."
  }
}
)"}});
  loaded.load();
  CHECK(loaded.report() == "main.tf:3:1 error: data source `x_y.a` is declared twice [duplicate-declaration]\n");
  const Module& root = loaded.configuration.root();
  REQUIRE(root.checks[0].data_resource.has_value());
  CHECK(loaded.text(root.resources.at(*root.checks[0].data_resource).name.id) == "b");
  CHECK(root.resources[1].check == 0);
}

TEST_CASE("many declarations in many files take linear time") {
  Files files;
  for (int i = 0; i < 2000; ++i)
    files.emplace_back(fmt::format("f{}.tf", i),
                       fmt::format("resource \"x_y\" \"r{0}\" {{\n  a = {0}\n}}\nvariable \"v{0}\" {{}}\n", i));
  Loaded loaded(files);
  loaded.load();
  CHECK(loaded.report() == "");
  CHECK(loaded.configuration.root().resources.size() == 2000);
  CHECK(loaded.configuration.root().files.size() == 2000);
}

}  // namespace pravo::load
