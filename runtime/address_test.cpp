#include "runtime/address.h"

#include <algorithm>

#include <doctest/doctest.h>

using namespace pravo;
using namespace pravo::runtime;

TEST_CASE("addresses read back as they are written") {
  for (const char* text : {"terraform_data.a", "data.terraform_remote_state.b[3]", "terraform_data.a[\"k\"]",
                           "module.m.terraform_data.a", "module.m[0].module.n[\"x.y\"].data.t.n[\"q\\\"q\"]",
                           "terraform_data.a[\"$${x}\"]", "terraform_data.a[\"a\\nb\\\\c\"]", "ephemeral.t.n"}) {
    CAPTURE(text);
    auto parsed = InstanceAddress::parse(text);
    REQUIRE(parsed.has_value());
    CHECK(parsed->to_string() == text);
  }
  CHECK(InstanceAddress::parse("terraform_data.a[\"$${x}\"]")->key.text.view() == "${x}");
}

TEST_CASE("what is no address is refused") {
  for (const char* text : {"", "terraform_data", "terraform_data.", "terraform_data.a[", "terraform_data.a[x]",
                           "terraform_data.a[0", "terraform_data.a[\"x]", "module.m", "module.m.", "module..a.b",
                           "terraform_data.a.b", "terraform_data.a[99999999999999999999999]"}) {
    CAPTURE(text);
    CHECK_FALSE(InstanceAddress::parse(text).has_value());
  }
}

TEST_CASE("addresses sort as Terraform lists changes") {
  std::vector<std::string> sorted = {"data.b.b",
                                     "terraform_data.c[0]",
                                     "terraform_data.c[2]",
                                     "terraform_data.c[10]",
                                     "terraform_data.f[\"a\"]",
                                     "module.b.data.t.n",
                                     "module.b.terraform_data.p",
                                     "module.mc[0].terraform_data.p",
                                     "module.mf[\"p\"].terraform_data.p",
                                     "module.a.module.k[0].terraform_data.p"};
  std::vector<InstanceAddress> addresses;
  for (const std::string& text : sorted) addresses.push_back(*InstanceAddress::parse(text));
  std::reverse(addresses.begin(), addresses.end());
  std::sort(addresses.begin(), addresses.end());
  std::vector<std::string> got;
  for (const InstanceAddress& a : addresses) got.push_back(a.to_string());
  CHECK(got == sorted);
}

TEST_CASE("module paths") {
  auto path = ModulePath::parse("module.a[\"k\"].module.b");
  REQUIRE(path.has_value());
  CHECK(path->steps().size() == 2);
  CHECK(path->static_text() == "module.a.module.b");
  CHECK(path->parent().text() == "module.a[\"k\"]");
  CHECK(path->child("c", InstanceKey::at(1)).text() == "module.a[\"k\"].module.b.module.c[1]");
  CHECK(ModulePath::parse("")->is_root());
  CHECK_FALSE(ModulePath::parse("module.a.").has_value());
  CHECK_FALSE(ModulePath::parse("a").has_value());
}

TEST_CASE("provider configurations") {
  for (const char* text :
       {"provider[\"terraform.io/builtin/terraform\"]", "provider[\"registry.terraform.io/hashicorp/aws\"].east",
        "module.m.provider[\"registry.terraform.io/hashicorp/aws\"]"}) {
    CAPTURE(text);
    auto parsed = ProviderConfigAddress::parse(text);
    REQUIRE(parsed.has_value());
    CHECK(parsed->to_string() == text);
  }
  CHECK_FALSE(ProviderConfigAddress::parse("provider[aws]").has_value());
}

TEST_CASE("what a user names is a module, a resource or an instance") {
  using Kind = StateAddress::Kind;
  for (auto [text, kind] : {std::pair("module.m", Kind::Module),
                            {"module.m[\"k\"].module.n[0]", Kind::Module},
                            {"terraform_data.a", Kind::Resource},
                            {"module.m[0].data.t.n", Kind::Resource},
                            {"terraform_data.a[0]", Kind::Instance},
                            {"module.m.t.n[\"a.b\"]", Kind::Instance}}) {
    CAPTURE(text);
    auto parsed = StateAddress::parse(text);
    REQUIRE(parsed.has_value());
    CHECK(parsed->kind == kind);
    CHECK(parsed->to_string() == text);
  }
  for (const char* text : {"", "module.", "module.m.", "t", "t.n[*]", "module.m[*]", "t.n.x", "t.n[k]", "!!"}) {
    CAPTURE(text);
    CHECK_FALSE(StateAddress::parse(text).has_value());
  }
}

TEST_CASE("a module holds itself and what lies in it") {
  auto path = [](const char* text) { return *ModulePath::parse(text); };
  CHECK(path("").contains(path("module.a")));
  CHECK(path("module.a").contains(path("module.a")));
  CHECK(path("module.a[0]").contains(path("module.a[0].module.b[1]")));
  CHECK_FALSE(path("module.a[0]").contains(path("module.a[1].module.b")));
  CHECK_FALSE(path("module.a.module.b").contains(path("module.a")));
  CHECK_FALSE(path("module.a").contains(path("module.ab")));
}
