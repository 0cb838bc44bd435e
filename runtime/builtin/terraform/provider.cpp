#include "runtime/builtin/terraform/provider.h"

#include <fmt/format.h>

#include "ir/builtin_schemas.h"
#include "ir/json_codec.h"

namespace pravo::builtin {

namespace {

using provider::Messages;

Messages unknown_type(std::string_view what, std::string_view type) {
  provider::Message message;
  message.summary = fmt::format("this provider has no {} `{}`", what, type);
  return {message};
}

class TerraformProvider : public provider::Provider {
 public:
  explicit TerraformProvider(TerraformOptions options) : options_(std::move(options)) {}

  const ProviderSchema& schema() override {
    const ProviderSchema* schema = find_builtin_provider(kBuiltinProvider);
    PRAVOC_CHECK(schema != nullptr);
    return *schema;
  }
  bool immediate() const override { return true; }

  Messages validate_provider(const Value&) override { return {}; }
  Messages configure(const Value&) override { return {}; }

  Messages validate_resource(const provider::ConfigRequest& request) override {
    if (request.type != "terraform_data") return unknown_type("resource", request.type);
    return {};
  }

  provider::StateResponse upgrade_resource_state(const provider::UpgradeRequest& request) override {
    provider::StateResponse response;
    const Schema* schema = resource(request.type);
    if (schema == nullptr) {
      response.messages = unknown_type("resource", request.type);
      return response;
    }
    Result<Value> state = decode_typed_json(request.json, schema->block.type);
    if (state.ok())
      response.state = std::move(*state);
    else
      response.messages.push_back(
          {Severity::Error, "the recorded state does not fit the schema", state.error().text(), {}});
    return response;
  }

  // Nothing but this state knows of the object, so it is as recorded.
  provider::StateResponse read_resource(const provider::ReadRequest& request) override {
    provider::StateResponse response;
    response.state = request.state;
    response.private_data = request.private_data;
    return response;
  }

  provider::PlanResponse plan_resource_change(const provider::PlanRequest& request) override {
    if (resource(request.type) != nullptr) return plan_data(request);
    provider::PlanResponse response;
    response.messages = unknown_type("resource", request.type);
    return response;
  }

  provider::ApplyResponse apply_resource_change(const provider::ApplyRequest& request) override {
    if (resource(request.type) != nullptr) return apply_data(request);
    provider::ApplyResponse response;
    response.messages = unknown_type("resource", request.type);
    return response;
  }

  // The id is all that an object has.
  provider::ImportResponse import_resource_state(const provider::ImportRequest& request) override {
    provider::ImportResponse response;
    const Schema* schema = resource(request.type);
    if (schema == nullptr) {
      response.messages = unknown_type("resource", request.type);
      return response;
    }
    Value empty = empty_block(schema->block);
    std::vector<Value> values(empty.elements().begin(), empty.elements().end());
    values[empty.keys().find("id")] = Value::string(request.id);
    response.objects.push_back(
        {std::string(request.type), Value::object(empty.keys(), std::move(values)), std::string()});
    return response;
  }

  Messages validate_data(const provider::ConfigRequest& request) override {
    if (request.type != "terraform_remote_state") return unknown_type("data source", request.type);
    return validate_remote_state(request.config);
  }

  provider::StateResponse read_data(const provider::ConfigRequest& request) override {
    if (request.type == "terraform_remote_state") return read_remote_state(request.config, options_.directory);
    provider::StateResponse response;
    response.messages = unknown_type("data source", request.type);
    return response;
  }

  Messages validate_ephemeral(const provider::ConfigRequest& request) override {
    return unknown_type("ephemeral resource", request.type);
  }
  provider::OpenResponse open_ephemeral(const provider::ConfigRequest& request) override {
    provider::OpenResponse response;
    response.messages = unknown_type("ephemeral resource", request.type);
    return response;
  }
  provider::RenewResponse renew_ephemeral(std::string_view type, std::string_view) override {
    provider::RenewResponse response;
    response.messages = unknown_type("ephemeral resource", type);
    return response;
  }
  Messages close_ephemeral(std::string_view type, std::string_view) override {
    return unknown_type("ephemeral resource", type);
  }

  Result<Value> call_function(std::string_view name, std::span<const Value> arguments) override {
    if (arguments.size() != 1) return fail(EvalErrorKind::Call, fmt::format("`{}` takes one argument", name));
    const Value& argument = arguments[0];
    if (name == "encode_expr") return Value::string(encode_expression(argument));
    if (name == "encode_tfvars") {
      PRAVO_TRY(text, encode_variables(argument));
      return Value::string(text);
    }
    if (name == "decode_tfvars") {
      if (!options_.decode_variables) return fail(EvalErrorKind::Refused, "variable files cannot be read here");
      return options_.decode_variables(argument.as_string());
    }
    return fail(EvalErrorKind::Call, fmt::format("this provider has no function `{}`", name));
  }

 private:
  const Schema* resource(std::string_view type) {
    const auto& resources = schema().resources;
    auto found = resources.find(type);
    return found == resources.end() ? nullptr : &found->second;
  }

  TerraformOptions options_;
};

}  // namespace

std::unique_ptr<provider::Provider> make_terraform_provider(TerraformOptions options) {
  return std::make_unique<TerraformProvider>(std::move(options));
}

}  // namespace pravo::builtin
