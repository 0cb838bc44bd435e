#include "runtime/testing/fake_provider.h"

#include <algorithm>

#include <fmt/format.h>

#include "ir/json_codec.h"

namespace pravo::testing {

SchemaAttribute attribute(std::string_view spec, Type type) {
  SchemaAttribute out;
  size_t colon = spec.find(':');
  out.name = spec.substr(0, colon);
  out.type = std::move(type);
  for (char c : colon == std::string_view::npos ? std::string_view() : spec.substr(colon + 1)) {
    out.required |= c == 'r';
    out.optional |= c == 'o';
    out.computed |= c == 'c';
    out.sensitive |= c == 's';
    out.write_only |= c == 'w';
  }
  return out;
}

Schema schema(std::vector<SchemaAttribute> attributes, std::vector<SchemaNestedBlock> blocks) {
  Schema out;
  out.block.attributes = std::move(attributes);
  out.block.blocks = std::move(blocks);
  out.block.finish();
  return out;
}

SchemaNestedBlock block(std::string name, NestingMode nesting, std::vector<SchemaAttribute> attributes) {
  SchemaNestedBlock out;
  out.name = std::move(name);
  out.nesting = nesting;
  out.block.attributes = std::move(attributes);
  return out;
}

namespace {

using provider::Messages;

std::string show(const Value& value) { return debug_string(value); }

class FakeProvider : public provider::Provider {
 public:
  FakeProvider(const FakeBehaviour& behaviour, FakeLog& log) : b_(behaviour), log_(log) {}

  const ProviderSchema& schema() override { return b_.schema; }
  provider::Capabilities capabilities() override { return b_.capabilities; }
  bool immediate() const override { return b_.immediate; }
  Messages validate_provider(const Value&) override { return {}; }
  Messages configure(const Value&) override {
    log_.add("configure");
    return {};
  }
  void stop() override {
    log_.add("stop");
    if (b_.on_stop) b_.on_stop();
  }

  Messages validate_resource(const provider::ConfigRequest& request) override { return validate(request); }
  Messages validate_data(const provider::ConfigRequest& request) override { return validate(request); }
  Messages validate_ephemeral(const provider::ConfigRequest& request) override { return validate(request); }

  provider::StateResponse upgrade_resource_state(const provider::UpgradeRequest& request) override {
    provider::StateResponse response;
    Result<Value> state = decode_typed_json(request.json, block(request.type).type);
    if (state.ok())
      response.state = std::move(*state);
    else
      response.messages.push_back({Severity::Error, "not of the schema", state.error().text(), {}});
    return response;
  }

  provider::StateResponse read_resource(const provider::ReadRequest& request) override {
    provider::StateResponse response;
    response.state = request.state;
    response.private_data = request.private_data;
    if (b_.on_read) b_.on_read(request, response);
    return response;
  }

  provider::PlanResponse plan_resource_change(const provider::PlanRequest& request) override {
    provider::PlanResponse response;
    response.planned_private = request.prior_private;
    response.planned = plan(request, response.requires_replace);
    if (b_.on_plan) b_.on_plan(request, response);
    return response;
  }

  provider::ApplyResponse apply_resource_change(const provider::ApplyRequest& request) override {
    provider::ApplyResponse response;
    log_.add(fmt::format("{} {}: {}",
                         request.planned.is_null() ? "delete"
                         : request.prior.is_null() ? "create"
                                                   : "update",
                         request.type, show(request.planned.is_null() ? request.prior : request.planned)));
    response.state = request.planned.is_null() ? request.planned : fill(request.type, request.planned);
    response.private_data = request.planned_private;
    if (b_.on_apply) b_.on_apply(request, response);
    return response;
  }

  provider::ImportResponse import_resource_state(const provider::ImportRequest&) override { return {}; }

  provider::StateResponse read_data(const provider::ConfigRequest& request) override {
    provider::StateResponse response;
    log_.add(fmt::format("read {}", request.type));
    Value unknown = Value::unknown(block(request.type).type);
    response.state = fill(request.type, request.config);
    if (b_.on_read_data) b_.on_read_data(request, response);
    return response;
  }

  provider::OpenResponse open_ephemeral(const provider::ConfigRequest&) override { return {}; }
  provider::RenewResponse renew_ephemeral(std::string_view, std::string_view) override { return {}; }
  Messages close_ephemeral(std::string_view, std::string_view) override { return {}; }
  Result<Value> call_function(std::string_view name, std::span<const Value>) override {
    return fail(EvalErrorKind::Call, fmt::format("no function `{}`", name));
  }

 private:
  Messages validate(const provider::ConfigRequest& request) {
    Messages messages;
    if (b_.on_validate) b_.on_validate(request, messages);
    return messages;
  }

  const SchemaBlock& block(std::string_view type) {
    for (const auto* table : {&b_.schema.resources, &b_.schema.data_sources, &b_.schema.ephemeral_resources})
      if (auto found = table->find(type); found != table->end()) return found->second.block;
    PRAVOC_UNREACHABLE();
  }

  // Computed attributes that are not set become unknown when the object is made or changed; write-only ones vanish.
  Value plan(const provider::PlanRequest& request, std::vector<Path>& replace) {
    if (request.proposed.is_null()) return request.proposed;
    const SchemaBlock& schema = block(request.type);
    bool changes = request.prior.is_null();
    std::vector<Value> values(request.proposed.elements().begin(), request.proposed.elements().end());
    for (size_t i = 0; i < values.size(); ++i) {
      if (schema.members[i] >= 0 && schema.attributes[static_cast<size_t>(schema.members[i])].write_only)
        values[i] = Value::null(schema.attributes[static_cast<size_t>(schema.members[i])].type);
      if (!request.prior.is_null() && !values[i].equals_raw(request.prior.element(i))) {
        changes = true;
        std::string name(schema.keys[i]);
        if (std::find(b_.force_new.begin(), b_.force_new.end(), name) != b_.force_new.end())
          replace.push_back({PathStep::attribute(Str(name))});
      }
    }
    if (changes)
      for (size_t i = 0; i < values.size(); ++i) {
        if (schema.members[i] < 0) continue;
        const SchemaAttribute& attribute = schema.attributes[static_cast<size_t>(schema.members[i])];
        bool keeps = !request.prior.is_null() && attribute.name == "id" && replace.empty();
        if (attribute.computed && request.config.element(i).is_null() && !keeps)
          values[i] = Value::unknown(attribute.type);
      }
    return Value::object(schema.keys, std::move(values));
  }

  // Unknown strings become "made-N", other unknowns null.
  Value fill(std::string_view type, const Value& planned) {
    const SchemaBlock& schema = block(type);
    std::vector<Value> values(planned.elements().begin(), planned.elements().end());
    for (size_t i = 0; i < values.size(); ++i) {
      bool computed = schema.members[i] >= 0 && schema.attributes[static_cast<size_t>(schema.members[i])].computed;
      if (values[i].is_unknown() || (computed && values[i].is_null() && planned.is_wholly_known()))
        values[i] =
            schema.members[i] >= 0 && schema.attributes[static_cast<size_t>(schema.members[i])].type == Type::string()
                ? Value::string(fmt::format("made-{}", schema.keys[i]))
                : values[i].unknown_as_null();
      else
        values[i] = values[i].unknown_as_null();
    }
    return Value::object(schema.keys, std::move(values));
  }

  const FakeBehaviour& b_;
  FakeLog& log_;
};

}  // namespace

std::unique_ptr<provider::Provider> make_fake_provider(const FakeBehaviour& behaviour, FakeLog& log) {
  return std::make_unique<FakeProvider>(behaviour, log);
}

}  // namespace pravo::testing
