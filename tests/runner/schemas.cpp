#include "tests/runner/schemas.h"

#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pravo::testing {

namespace {

using Json = nlohmann::json;

// Keeps the first fault; what is read after it is of no interest.
class Reader {
 public:
  explicit Reader(std::string& fault) : fault_(fault) {}

  ProviderSchema provider(const Json& json) {
    ProviderSchema out;
    if (json.contains("provider")) block(json["provider"]["block"], out.provider);
    out.provider.finish();
    schemas(json, "resource_schemas", out.resources);
    schemas(json, "data_source_schemas", out.data_sources);
    schemas(json, "ephemeral_resource_schemas", out.ephemeral_resources);
    for (const auto& [name, function] : member(json, "functions").items())
      out.functions.emplace(name, this->function(function));
    return out;
  }

 private:
  static const Json& member(const Json& json, const char* name) {
    static const Json kEmpty = Json::object();
    auto it = json.find(name);
    return it == json.end() ? kEmpty : *it;
  }
  static std::string text(const Json& json, const char* name) {
    auto it = json.find(name);
    return it != json.end() && it->is_string() ? it->get<std::string>() : "";
  }
  static bool flag(const Json& json, const char* name) {
    auto it = json.find(name);
    return it != json.end() && it->is_boolean() && it->get<bool>();
  }

  void schemas(const Json& json, const char* name, std::map<std::string, Schema, std::less<>>& out) {
    for (const auto& [type, schema] : member(json, name).items()) {
      Schema read;
      read.version = schema.value("version", uint64_t{0});
      block(member(schema, "block"), read.block);
      read.block.finish();
      out.emplace(type, std::move(read));
    }
  }

  Type type(const Json& json) {
    Result<Type> read = Type::from_json(json.dump());
    if (read) return *std::move(read);
    fail("type " + json.dump());
    return {};
  }

  NestingMode nesting(const Json& json) {
    std::string mode = text(json, "nesting_mode");
    if (mode == "single") return NestingMode::Single;
    if (mode == "group") return NestingMode::Group;
    if (mode == "list") return NestingMode::List;
    if (mode == "set") return NestingMode::Set;
    if (mode == "map") return NestingMode::Map;
    fail("nesting mode `" + mode + "`");
    return NestingMode::Single;
  }

  void attributes(const Json& json, std::vector<SchemaAttribute>& out) {
    for (const auto& [name, value] : json.items()) {
      SchemaAttribute a;
      a.name = name;
      a.required = flag(value, "required");
      a.optional = flag(value, "optional");
      a.computed = flag(value, "computed");
      a.sensitive = flag(value, "sensitive");
      a.write_only = flag(value, "write_only");
      a.deprecated = flag(value, "deprecated");
      a.description = text(value, "description");
      if (value.contains("nested_type")) {
        SchemaObject object;
        object.nesting = nesting(value["nested_type"]);
        attributes(member(value["nested_type"], "attributes"), object.block.attributes);
        object.block.finish();
        set_nested(a, std::move(object));
      } else {
        a.type = type(member(value, "type"));
      }
      out.push_back(std::move(a));
    }
  }

  void block(const Json& json, SchemaBlock& out) {
    out.description = text(json, "description");
    out.deprecated = flag(json, "deprecated");
    attributes(member(json, "attributes"), out.attributes);
    for (const auto& [name, value] : member(json, "block_types").items()) {
      SchemaNestedBlock nested;
      nested.name = name;
      nested.nesting = nesting(value);
      nested.min_items = value.value("min_items", uint64_t{0});
      nested.max_items = value.value("max_items", uint64_t{0});
      block(member(value, "block"), nested.block);
      out.blocks.push_back(std::move(nested));
    }
  }

  SchemaFunction function(const Json& json) {
    SchemaFunction out;
    out.result = type(member(json, "return_type"));
    auto parameter = [&](const Json& p) {
      return SchemaParameter{text(p, "name"), type(member(p, "type")), flag(p, "is_nullable")};
    };
    for (const Json& p : member(json, "parameters")) out.parameters.push_back(parameter(p));
    if (json.contains("variadic_parameter")) out.variadic = parameter(json["variadic_parameter"]);
    return out;
  }

  void fail(const std::string& what) {
    if (fault_.empty()) fault_ = "unknown " + what;
  }

  std::string& fault_;
};

class Files : public SchemaSource {
 public:
  const ProviderSchema* find(std::string_view address) override {
    auto it = providers.find(address);
    return it == providers.end() ? nullptr : &it->second;
  }
  std::map<std::string, ProviderSchema, std::less<>> providers;
};

}  // namespace

std::unique_ptr<SchemaSource> read_schemas(const std::string& directory, const std::vector<std::string>& files,
                                           std::string& fault) {
  auto out = std::make_unique<Files>();
  for (const std::string& name : files) {
    std::filesystem::path path = std::filesystem::path(directory) / name;
    std::ifstream in(path, std::ios::binary);
    Json json = Json::parse(in, nullptr, false);
    if (!in.is_open() || json.is_discarded() || !json.is_object() || !json.contains("provider_schemas")) {
      fault = "cannot read schemas from " + path.string();
      return out;
    }
    for (const auto& [address, provider] : json["provider_schemas"].items()) {
      std::string unknown;
      out->providers.emplace(address, Reader(unknown).provider(provider));
      if (!unknown.empty()) fault = fmt::format("{}: {}: {}", path.string(), address, unknown);
    }
  }
  return out;
}

}  // namespace pravo::testing
