#include "runtime/state/state_text.h"

#include <doctest/doctest.h>

#include "ir/builtin_schemas.h"

using namespace pravo;
using namespace pravo::runtime;

namespace {

class BuiltinSchemas : public StateSchemas {
 public:
  const SchemaBlock* find(const StateResource& resource) override {
    const ProviderSchema* provider = find_builtin_provider(kBuiltinProvider);
    const auto& table = resource.address.mode == ResourceMode::Data ? provider->data_sources : provider->resources;
    auto found = table.find(resource.address.type);
    return found == table.end() ? nullptr : &found->second.block;
  }
};

// As Terraform 1.11.4 wrote it.
constexpr std::string_view kWritten = R"({
  "version": 4,
  "terraform_version": "1.11.4",
  "serial": 8,
  "lineage": "e3f13627-0941-af5b-4177-edf64610609f",
  "outputs": {
    "html": {
      "value": "\u003ca \u0026 b\u003e",
      "type": "string",
      "sensitive": true
    },
    "o": {
      "value": {
        "a": 1,
        "b": [
          true,
          null
        ],
        "e": [],
        "m": {}
      },
      "type": [
        "object",
        {
          "a": "number",
          "b": [
            "tuple",
            [
              "bool",
              "dynamic"
            ]
          ],
          "e": [
            "tuple",
            []
          ],
          "m": [
            "object",
            {}
          ]
        }
      ]
    }
  },
  "resources": [
    {
      "mode": "data",
      "type": "terraform_remote_state",
      "name": "rs",
      "provider": "provider[\"terraform.io/builtin/terraform\"]",
      "instances": [
        {
          "schema_version": 0,
          "attributes": {
            "backend": "local",
            "config": {
              "value": {
                "path": "./other.tfstate"
              },
              "type": [
                "object",
                {
                  "path": "string"
                }
              ]
            },
            "defaults": null,
            "outputs": null,
            "workspace": null
          },
          "sensitive_attributes": []
        }
      ]
    },
    {
      "mode": "managed",
      "type": "terraform_data",
      "name": "a",
      "provider": "provider[\"terraform.io/builtin/terraform\"]",
      "instances": [
        {
          "index_key": 0,
          "status": "tainted",
          "schema_version": 0,
          "attributes": {
            "id": "a371d845-db46-8d71-0ad5-a4ef2b60588a",
            "input": {
              "value": {
                "n": 12345678901234567890.5,
                "pw": "hunter2"
              },
              "type": [
                "object",
                {
                  "n": "number",
                  "pw": "string"
                }
              ]
            },
            "output": null,
            "triggers_replace": null
          },
          "sensitive_attributes": [
            [
              {
                "type": "get_attr",
                "value": "input"
              },
              {
                "type": "get_attr",
                "value": "pw"
              }
            ]
          ],
          "private": "AAEC",
          "dependencies": [
            "module.m.terraform_data.q",
            "terraform_data.b"
          ],
          "create_before_destroy": true
        },
        {
          "index_key": "k",
          "deposed": "0123abcd",
          "schema_version": 0,
          "attributes": {
            "id": "x",
            "input": null,
            "output": null,
            "triggers_replace": null
          },
          "sensitive_attributes": []
        }
      ]
    },
    {
      "module": "module.m[\"x\"]",
      "mode": "managed",
      "type": "terraform_data",
      "name": "q",
      "provider": "provider[\"terraform.io/builtin/terraform\"]",
      "instances": [
        {
          "schema_version": 0,
          "attributes": {
            "id": "y",
            "input": null,
            "output": null,
            "triggers_replace": null
          },
          "sensitive_attributes": []
        }
      ]
    }
  ],
  "check_results": [
    {
      "object_kind": "resource",
      "config_addr": "terraform_data.a",
      "status": "fail",
      "objects": [
        {
          "object_addr": "terraform_data.a[0]",
          "status": "fail",
          "failure_messages": [
            "over the limit"
          ]
        }
      ]
    }
  ]
}
)";

std::string errors_of(std::string_view text) {
  Diagnostics diags;
  std::optional<State> state = parse_state(text, "terraform.tfstate", diags);
  if (state) return "";
  REQUIRE(diags.error_count() == 1);
  return std::string(diagnostic_id(diags.all()[0].kind)) + ": " + diags.all()[0].message;
}

}  // namespace

TEST_CASE("a state is written byte for byte as it was read") {
  Diagnostics diags;
  std::optional<State> state = parse_state(kWritten, "terraform.tfstate", diags);
  REQUIRE(state.has_value());
  BuiltinSchemas schemas;
  CHECK(format_state(*state, schemas) == kWritten);

  // Also when every value goes through the value model and back.
  for (const StateResource* r : state->file_order()) {
    const SchemaBlock* schema = schemas.find(*r);
    for (StateInstance& instance : state->find(r->address)->instances) {
      auto decode = [&](InstanceObject& object) {
        Result<Value> value = decode_object(object, *schema);
        REQUIRE(value.ok());
        object.value = *value;
        object.attributes_json.clear();
        object.sensitive.clear();
      };
      if (instance.current) decode(*instance.current);
      for (auto& [key, object] : instance.deposed) decode(object);
    }
  }
  CHECK(format_state(*state, schemas) == kWritten);
}

TEST_CASE("what a state says") {
  Diagnostics diags;
  std::optional<State> state = parse_state(kWritten, "terraform.tfstate", diags);
  REQUIRE(state.has_value());
  CHECK(state->serial == 8);
  CHECK(state->resource_count() == 3);
  CHECK(any(state->outputs.at("html").value.marks() & MarkSet::Sensitive));
  const StateInstance* a = state->find(*InstanceAddress::parse("terraform_data.a[0]"));
  REQUIRE(a != nullptr);
  REQUIRE(a->current.has_value());
  CHECK(a->current->tainted);
  CHECK(a->current->private_data == std::string("\0\1\2", 3));
  CHECK(a->current->dependencies->size() == 2);
  BuiltinSchemas schemas;
  Result<Value> value =
      decode_object(*a->current, *schemas.find(*state->find(InstanceAddress::parse("terraform_data.a[0]")->resource)));
  REQUIRE(value.ok());
  CHECK(any(value->find("input")->find("pw")->marks() & MarkSet::Sensitive));
  CHECK_FALSE(any(value->find("input")->find("n")->marks()));
  CHECK(state->find(*InstanceAddress::parse("terraform_data.a[\"k\"]"))->deposed.size() == 1);
  CHECK(state->find(*InstanceAddress::parse("terraform_data.a[1]")) == nullptr);
}

TEST_CASE("damaged, truncated and newer states are refused") {
  CHECK(errors_of("") == "");
  CHECK(errors_of("  \n") == "");
  CHECK(errors_of(R"({"version":5,"anything":{"new":1}})")
            .starts_with("state-version: `terraform.tfstate` is a state of format version 5"));
  CHECK(errors_of(R"({"version":3,"modules":[]})").starts_with("state-version"));
  CHECK(errors_of("{").starts_with("state-damaged"));
  CHECK(errors_of("[]").starts_with("state-damaged"));
  CHECK(errors_of("null").starts_with("state-damaged"));
  CHECK(errors_of("{\"version\":4} x").starts_with("state-damaged"));
  for (size_t cut = 3; cut + 2 < kWritten.size(); cut += 37) {
    CAPTURE(cut);
    CHECK(errors_of(kWritten.substr(0, cut)).starts_with("state-damaged"));
  }
  CHECK(errors_of(R"({"version":4,"resources":[{"mode":"odd","type":"t","name":"n","instances":[]}]})")
            .starts_with("state-damaged"));
  CHECK(errors_of(R"({"version":4,"resources":[{"mode":"managed","type":"t","name":"n","instances":[
      {"attributes":{}},{"attributes":{}}]}]})")
            .find("recorded twice") != std::string::npos);
}

TEST_CASE("instances without objects go, at the latest when the state is compacted") {
  State state;
  ResourceAddress resource = InstanceAddress::parse("terraform_data.a")->resource;
  constexpr uint64_t kCount = 100;
  for (uint64_t i = 0; i < kCount; ++i) state.get(resource, "p").get(InstanceKey::at(i)).current.emplace();
  auto drop = [&](uint64_t i) {
    InstanceAddress address{resource, InstanceKey::at(i)};
    state.find(resource)->find(address.key)->current.reset();
    state.prune(address);
  };
  for (uint64_t i = 0; i < 10; ++i) drop(i);
  // A place may be taken again before that.
  state.get(resource, "p").get(InstanceKey::at(3)).current.emplace();
  state.compact();
  CHECK(state.find(resource)->instances.size() == kCount - 9);
  CHECK(state.find(InstanceAddress{resource, InstanceKey::at(3)}) != nullptr);
  CHECK(state.find(InstanceAddress{resource, InstanceKey::at(4)}) == nullptr);
  // An instance that still has an object stays, whoever asks.
  state.prune({resource, InstanceKey::at(50)});
  for (uint64_t i = 10; i < kCount; ++i) drop(i);
  CHECK(state.find(resource)->find(InstanceKey::at(3)) != nullptr);
  drop(3);
  CHECK(state.find(resource) == nullptr);
  CHECK(state.empty());
}
