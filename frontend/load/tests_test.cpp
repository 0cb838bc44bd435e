// Test files: what the loader makes of them, and where it looks for them. What it refuses is in cases/tests.cases.
#include <doctest/doctest.h>

#include "frontend/load/testing.h"

namespace pravo::load {

using testing::Files;
using testing::Loaded;

namespace {

const Files kPlain{{"main.tf", "output \"o\" {\n  value = 1\n}\n"}};

Files with(Files files) {
  files.insert(files.begin(), kPlain[0]);
  return files;
}

}  // namespace

TEST_CASE("a test file with everything") {
  Loaded loaded(with({{"all.tftest.hcl", R"(
variables {
  a = 1
}
provider "foo" {
  region = var.a
}
mock_provider "bar" {
  alias           = "b"
  override_during = plan
  mock_resource "bar_x" {
    defaults = { id = "x" }
  }
}
override_module {
  target  = module.m
  outputs = { o = 1 }
}
run "one" {
  command = plan
  plan_options {
    mode    = normal
    refresh = false
    target  = [foo_x.a]
    replace = [foo_x.b[0]]
  }
  variables {
    a = run.zero.b
  }
  module {
    source = "./m"
  }
  providers = {
    foo.x = bar.b
  }
  assert {
    condition     = output.o == 1
    error_message = "No."
  }
  expect_failures = [output.o]
  state_key       = "k"
}
run "two" {}
)"},
                      {"m/main.tf", "output \"p\" {\n  value = 1\n}\nmodule \"m\" {\n  source = \"./n\"\n}\n"},
                      {"m/n/main.tf", ""}}));
  loaded.load();
  CHECK(loaded.report() == "");
  REQUIRE(loaded.configuration.tests.size() == 1);
  const TestFile& file = loaded.configuration.tests[0];
  CHECK(file.name == "all.tftest.hcl");
  REQUIRE(file.variables.size() == 1);
  CHECK(loaded.text(file.variables[0].value) == "1");
  REQUIRE(file.providers.size() == 2);
  CHECK_FALSE(file.providers[0].mocked);
  CHECK(file.providers[0].config.config.attributes.size() == 1);
  const TestProvider& mock = file.providers[1];
  CHECK(mock.mocked);
  CHECK(loaded.text(mock.config.alias.id) == "b");
  CHECK(mock.during_plan == true);
  REQUIRE(mock.data.mocks.size() == 1);
  CHECK(loaded.text(mock.data.mocks[0].type.id) == "bar_x");
  REQUIRE(file.overrides.size() == 1);
  CHECK(file.overrides[0].address == "module.m");

  REQUIRE(file.runs.size() == 2);
  const TestRun& one = file.runs[0];
  CHECK(one.plan_only);
  CHECK_FALSE(one.refresh);
  CHECK_FALSE(one.refresh_only);
  REQUIRE(one.targets.size() == 1);
  CHECK(loaded.text(one.targets[0]) == "foo_x.a");
  REQUIRE(one.replaced.size() == 1);
  CHECK(loaded.text(one.replaced[0]) == "foo_x.b[0]");
  REQUIRE(one.variables.size() == 1);
  REQUIRE(one.providers.size() == 1);
  CHECK(loaded.text(one.providers[0].second.alias.id) == "b");
  CHECK(one.asserts.size() == 1);
  REQUIRE(one.expect_failures.size() == 1);
  CHECK(one.state_key == "k");
  REQUIRE(one.module == 0);
  REQUIRE(loaded.configuration.test_modules.size() == 1);
  const Configuration& tested = *loaded.configuration.test_modules[0];
  REQUIRE(tested.modules.size() == 2);
  CHECK(tested.modules[0].directory == "m");
  CHECK(tested.modules[1].directory == "m/n");
  CHECK(loaded.configuration.modules.size() == 1);

  const TestRun& two = file.runs[1];
  CHECK_FALSE(two.plan_only);
  CHECK(two.refresh);
  CHECK(two.module == UINT32_MAX);
}

TEST_CASE("JSON test files say the same") {
  Loaded loaded(with({{"a.tftest.json", R"({
    "variables": {"a": 1},
    "mock_provider": {"bar": {"override_during": "apply", "mock_data": {"bar_y": {"defaults": {"id": "y"}}}}},
    "override_data": {"target": "data.foo_x.y", "values": {"id": "z"}},
    "run": {"one": {"command": "plan", "expect_failures": ["var.a"], "variables": {"b": "${var.a}"}}}
  })"}}));
  loaded.load();
  CHECK(loaded.report() ==
        "a.tftest.json:4:23 warning: there is no `data.foo_x.y` to override [override-target-missing]\n");
  REQUIRE(loaded.configuration.tests.size() == 1);
  const TestFile& file = loaded.configuration.tests[0];
  CHECK(file.variables.size() == 1);
  REQUIRE(file.providers.size() == 1);
  CHECK(file.providers[0].during_plan == false);
  REQUIRE(file.providers[0].data.mocks.size() == 1);
  CHECK(file.providers[0].data.mocks[0].mode == ResourceMode::Data);
  REQUIRE(file.runs.size() == 1);
  CHECK(file.runs[0].plan_only);
  CHECK(file.runs[0].expect_failures.size() == 1);
  CHECK(file.runs[0].variables.size() == 1);
}

TEST_CASE("where test files are") {
  const Files files = with({{"a.tftest.hcl", "run \"a\" {}"},
                            {"tests/b.tftest.hcl", "run \"b\" {}"},
                            {"tests/deep/c.tftest.hcl", "nothing {}"},
                            {"other/d.tftest.json", "{\"run\": {\"d\": {}}}"}});
  auto names = [](const Loaded& loaded) {
    std::string out;
    for (const TestFile& file : loaded.configuration.tests) out += file.name + " ";
    return out;
  };
  SUBCASE("by themselves in `tests`") {
    Loaded loaded(files);
    CHECK(names(loaded.load()) == "a.tftest.hcl tests/b.tftest.hcl ");
    CHECK(loaded.report() == "");
  }
  SUBCASE("elsewhere on demand") {
    Loaded loaded(files);
    loaded.options.test_directory = "./other/";
    CHECK(names(loaded.load()) == "a.tftest.hcl other/d.tftest.json ");
    CHECK(loaded.report() == "");
  }
  SUBCASE("each once") {
    Loaded loaded(files);
    loaded.options.test_directory = ".";
    CHECK(names(loaded.load()) == "a.tftest.hcl ");
  }
  SUBCASE("in a directory that is not there") {
    Loaded loaded(files);
    loaded.options.test_directory = "nowhere";
    CHECK(names(loaded.load()) == "a.tftest.hcl ");
    CHECK(loaded.report() ==
          "warning: cannot read the test directory `nowhere`: no such file or directory [test-directory-missing]\n");
  }
  SUBCASE("nowhere where tests are not asked for") {
    Loaded loaded(with({{"a.tftest.hcl", "nothing {"}}));
    loaded.options.tests = false;
    CHECK(names(loaded.load()) == "");
    CHECK(loaded.report() == "");
  }
}

TEST_CASE("modules of runs that a registry has") {
  const std::string run = "run \"setup\" {\n  module {\n    source  = \"a/b/c\"\n    version = \"1.0\"\n  }\n}\n";
  SUBCASE("installed") {
    Loaded loaded(with({{"tests/x.tftest.hcl", run},
                        {".terraform/modules/modules.json",
                         R"({"Modules": [{"Key": "test.tests.x.setup", "Dir": ".terraform/modules/q"},
                                         {"Key": "test.tests.x.setup.inner", "Dir": ".terraform/modules/r"}]})"},
                        {".terraform/modules/q/main.tf", "module \"inner\" {\n  source = \"d/e/f\"\n}\n"},
                        {".terraform/modules/r/main.tf", "variable \"v\" {\n  default = 1\n}\n"}}));
    loaded.load();
    CHECK(loaded.report() == "");
    REQUIRE(loaded.configuration.test_modules.size() == 1);
    CHECK(loaded.configuration.test_modules[0]->modules.size() == 2);
  }
  SUBCASE("not installed") {
    Loaded loaded(with({{"x.tftest.hcl", run}}));
    loaded.load();
    CHECK(
        loaded.report() ==
        "x.tftest.hcl:3:5 warning: module `setup` is not installed, so nothing in it is looked at and its outputs are "
        "unknown [module-not-installed]\n");
  }
}

TEST_CASE("a module that several runs and the configuration use is read once") {
  Loaded loaded({{"main.tf", "module \"m\" {\n  source = \"./m\"\n}\n"},
                 {"m/main.tf", "variable \"unused\" {\n  default = 1\n  nothing = 2\n}\n"},
                 {"a.tftest.hcl",
                  "run \"a\" {\n  module {\n    source = \"./m\"\n  }\n}\n"
                  "run \"b\" {\n  module {\n    source = \"./m/../m\"\n  }\n}\n"
                  "run \"c\" {\n  module {\n    source = \"./\"\n  }\n}\n"}});
  loaded.load();
  CHECK(loaded.report() == "m/main.tf:3:3 error: `nothing` is no argument of a `variable` block [unknown-argument]\n");
  CHECK(loaded.configuration.test_modules.size() == 2);
  CHECK(loaded.configuration.trees.size() == 3);
}

}  // namespace pravo::load
