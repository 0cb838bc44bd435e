#include "runtime/builtin/terraform/provider.h"

#include <doctest/doctest.h>

#include "ir/builtin_schemas.h"

using namespace pravo;
using namespace pravo::builtin;

namespace {

const SchemaBlock& data_schema() {
  return find_builtin_provider(kBuiltinProvider)->resources.find("terraform_data")->second.block;
}

Value data(Value id, Value input, Value output, Value triggers) {
  return Value::object({{Str("id"), std::move(id)},
                        {Str("input"), std::move(input)},
                        {Str("output"), std::move(output)},
                        {Str("triggers_replace"), std::move(triggers)}});
}

Value s(const char* text) { return Value::string(text); }

provider::PlanResponse plan(const Value& prior, const Value& proposed) {
  provider::PlanRequest request;
  request.type = "terraform_data";
  request.prior = prior;
  request.proposed = proposed;
  request.config = proposed;
  return plan_data(request);
}

}  // namespace

TEST_CASE("terraform_data: what a plan knows") {
  Value none = Value::null();
  Value absent = Value::null(data_schema().type);

  auto created = plan(absent, data(Value::null(Type::string()), s("a"), none, none));
  CHECK(created.planned.find("id")->is_unknown());
  CHECK(created.planned.find("id")->refinements().not_null);
  CHECK(created.planned.find("output")->is_unknown());
  CHECK(created.planned.find("output")->type() == Type::string());
  CHECK(created.requires_replace.empty());

  // Without an input there is no output to wait for.
  CHECK(plan(absent, data(Value::null(Type::string()), none, none, none)).planned.find("output")->is_null());

  Value prior = data(s("1"), s("a"), s("a"), none);
  CHECK(plan(prior, prior).planned.equals_raw(prior));
  auto updated = plan(prior, data(s("1"), Value::number(1), s("a"), none));
  CHECK(updated.planned.find("id")->as_string() == "1");
  CHECK(updated.planned.find("output")->is_unknown());
  CHECK(updated.planned.find("output")->type() == Type::number());
  CHECK(updated.requires_replace.empty());
  CHECK(plan(prior, data(s("1"), none, s("a"), none)).planned.find("output")->is_null());

  auto replaced = plan(prior, data(s("1"), s("a"), s("a"), s("t")));
  REQUIRE(replaced.requires_replace.size() == 1);
  CHECK(path_to_string(replaced.requires_replace[0]) == ".triggers_replace");
  CHECK(replaced.planned.find("id")->is_unknown());
  CHECK(replaced.planned.find("output")->is_unknown());

  // Another type is another value.
  CHECK(plan(data(s("1"), s("1"), s("1"), none), data(s("1"), Value::number(1), s("1"), none))
            .planned.find("output")
            ->is_unknown());
  CHECK(plan(prior, absent).planned.is_null());
}

TEST_CASE("terraform_data: apply fills what was unknown") {
  provider::ApplyRequest request;
  request.type = "terraform_data";
  request.prior = Value::null(data_schema().type);
  request.planned = data(Value::unknown(Type::string()), s("a"), Value::unknown(Type::string()), Value::null());
  auto response = apply_data(request);
  REQUIRE(response.state.has_value());
  CHECK(response.state->find("id")->as_string().size() == 36);
  CHECK(response.state->find("output")->as_string() == "a");
  CHECK(response.state->is_wholly_known());
  request.planned = Value::null(data_schema().type);
  CHECK(apply_data(request).state->is_null());
}

TEST_CASE("expressions and variable files as text") {
  Value inner =
      Value::tuple({Value::object({{Str("z"), Value::number(1)}}), Value::object({{Str("z"), Value::number(2)}})});
  Value h = Value::object({{Str("1x"), Value::number(2)}, {Str("a b"), Value::number(1)}, {Str("ok"), inner}});
  Value value = Value::object(
      {{Str("a"), Value::number(1)},
       {Str("big"), s("x\"y${z}%{q}\nw")},
       {Str("d-e"),
        Value::object({{Str("f"), Value::empty_object()}, {Str("g"), Value::empty_tuple()}, {Str("h"), h}})},
       {Str("n"), Value::null()}});
  CHECK(encode_variables(value).value() ==
        "a   = 1\n"
        "big = \"x\\\"y$${z}%%{q}\\nw\"\n"
        "d-e = {\n"
        "  f = {}\n"
        "  g = []\n"
        "  h = {\n"
        "    \"1x\"  = 2\n"
        "    \"a b\" = 1\n"
        "    ok = [{\n"
        "      z = 1\n"
        "      }, {\n"
        "      z = 2\n"
        "    }]\n"
        "  }\n"
        "}\n"
        "n = null\n");
  CHECK(encode_expression(s("a")) == "\"a\"");
  CHECK(encode_expression(Value::tuple({Value::number(1), Value::object({{Str("a"), Value::number(2)}})})) ==
        "[1, {\n  a = 2\n}]");
  CHECK(encode_expression(Value::empty_object()) == "{}");
  CHECK(encode_variables(Value::empty_object()).value().empty());
  CHECK_FALSE(encode_variables(s("x")).ok());
  CHECK_FALSE(encode_variables(Value::object({{Str("a b"), s("x")}})).ok());
}

TEST_CASE("remote state: settings that make no sense are refused") {
  auto config = [](Value backend, Value settings) {
    return Value::object({{Str("backend"), std::move(backend)},
                          {Str("config"), std::move(settings)},
                          {Str("defaults"), Value::null()},
                          {Str("outputs"), Value::null()},
                          {Str("workspace"), Value::null(Type::string())}});
  };
  CHECK(validate_remote_state(config(s("local"), Value::object({{Str("path"), s("x")}}))).empty());
  CHECK(validate_remote_state(config(s("local"), Value::unknown())).empty());
  CHECK(validate_remote_state(config(s("s3"), Value::null())).size() == 1);
  CHECK(validate_remote_state(config(s("local"), Value::object({{Str("pth"), s("x")}}))).size() == 1);
  CHECK(validate_remote_state(config(s("local"), Value::object({{Str("path"), Value::number(1)}}))).size() == 1);
  CHECK(validate_remote_state(config(s("local"), s("x"))).size() == 1);
  auto missing = read_remote_state(config(s("local"), Value::object({{Str("path"), s("/nowhere/at/all")}})), "");
  REQUIRE(missing.messages.size() == 1);
  CHECK(missing.messages[0].summary == "there is no remote state");
}
