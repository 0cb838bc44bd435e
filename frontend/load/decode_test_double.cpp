// What stands in for real things in tests: mocks of providers, and overrides of resources and modules.
#include <map>

#include "frontend/load/address.h"
#include "frontend/load/decode.h"
#include "frontend/load/literal.h"
#include "frontend/load/static_expr.h"
#include "frontend/load/target.h"
#include "ir/diagnostics/load.h"

namespace pravo::load {

namespace {

TestOverride::Kind kind_of(std::string_view block) {
  if (block == "override_data") return TestOverride::Kind::Data;
  if (block == "override_module") return TestOverride::Kind::Module;
  return TestOverride::Kind::Resource;
}

bool suits(TestOverride::Kind kind, const Target& target) {
  switch (kind) {
    case TestOverride::Kind::Resource:
      return target.resource && target.mode == ResourceMode::Managed;
    case TestOverride::Kind::Data:
      return target.resource && target.mode == ResourceMode::Data;
    case TestOverride::Kind::Module:
      return !target.resource;
  }
  PRAVOC_UNREACHABLE();
}

// The address in `target`; reports one that is none, or that the block does not override.
std::optional<Target> decode_target(FileContext& context, const Attribute& attribute, std::string_view block) {
  Expr view = static_view(context, attribute.value);
  if (!view || context.tree.kind(view.node) == hcl::NodeKind::Error) return std::nullopt;
  auto reference = as_reference(context.sources, view);
  if (!reference) {
    context.diags.emit(attribute.value.range(), diag::InvalidReference, "an address");
    return std::nullopt;
  }
  TargetFault fault;
  auto target = parse_target(*reference, &fault);
  if (!target) {
    context.diags.emit(fault.range, diag::InvalidAddress, fault.fact);
    return std::nullopt;
  }
  if (suits(kind_of(block), *target)) return target;
  context.diags.emit(attribute.range, diag::OverrideKind, block, target->text());
  return std::nullopt;
}

// A constant; where `object`, one with attributes.
void check_constant(FileContext& context, const Attribute& attribute, bool object) {
  if (context.tree.kind(attribute.value.node) == hcl::NodeKind::Error) return;
  auto value = evaluate_constant(context.sources, attribute.value, context.diags);
  if (!value || !object || value->kind() == ValueKind::Object) return;
  context.diags.emit(attribute.range, diag::UnsuitableValue, "an object");
}

void decode_mock(FileContext& context, const RawBlock& block, std::vector<TestMock>& out) {
  Content content = read_body(context, block.body, schema::kMock);
  TestMock mock;
  mock.mode = block.row->name == "mock_data" ? ResourceMode::Data : ResourceMode::Managed;
  mock.type = block.labels[0];
  mock.header = block.header;
  mock.defaults = content.value("defaults");
  if (mock.defaults) check_constant(context, *content.find("defaults"), false);
  mock.during_plan = decode_choice(context, content, "override_during", "plan", "apply");
  out.push_back(std::move(mock));
}

// Keeps the first of those with one key, and reports the others.
template <class T, class KeyOf, class NameOf>
void drop_repeated(FileContext& context, std::vector<T>& list, KeyOf key_of, NameOf name_of) {
  std::map<decltype(key_of(list[0])), SourceRange> seen;
  std::erase_if(list, [&](const T& entry) {
    auto [first, fresh] = seen.try_emplace(key_of(entry), entry.header);
    if (fresh) return false;
    auto [what, name] = name_of(entry);
    context.diags.emit(entry.header, diag::DuplicateDeclaration, what, name).note(first->second, "first declared here");
    return true;
  });
}

std::string_view block_of(TestOverride::Kind kind) {
  switch (kind) {
    case TestOverride::Kind::Resource:
      return "override_resource";
    case TestOverride::Kind::Data:
      return "override_data";
    case TestOverride::Kind::Module:
      return "override_module";
  }
  PRAVOC_UNREACHABLE();
}

void decode_doubles(FileContext& context, const std::vector<RawBlock>& blocks, TestMockData& out) {
  for (const RawBlock& block : blocks)
    if (block.row->name.starts_with("mock_"))
      decode_mock(context, block, out.mocks);
    else
      decode_override(context, block, out.overrides);
  drop_repeated(
      context, out.mocks, [](const TestMock& mock) { return std::pair(mock.mode, mock.type.id.index); },
      [&](const TestMock& mock) {
        return std::pair(mock.mode == ResourceMode::Data ? "mock_data" : "mock_resource",
                         context.names.text(mock.type.id));
      });
  drop_repeated_overrides(context, out.overrides);
}

}  // namespace

void drop_repeated_overrides(FileContext& context, std::vector<TestOverride>& list) {
  drop_repeated(
      context, list, [](const TestOverride& entry) { return std::pair(entry.kind, entry.address); },
      [](const TestOverride& entry) { return std::pair(block_of(entry.kind), std::string_view(entry.address)); });
}

void decode_override(FileContext& context, const RawBlock& block, std::vector<TestOverride>& out) {
  TestOverride made;
  made.kind = kind_of(block.row->name);
  made.header = block.header;
  const bool module = made.kind == TestOverride::Kind::Module;
  Content content = read_body(context, block.body, module ? schema::kOverrideModule : schema::kOverride);
  std::string_view what = content.schema->what;
  if (const Attribute* values = content.find(module ? "outputs" : "values")) {
    made.values = values->value;
    check_constant(context, *values, true);
  }
  made.during_plan = decode_choice(context, content, "override_during", "plan", "apply");
  const Attribute* argument = content.find("target");
  if (argument == nullptr) {
    context.diags.emit(block.header, diag::MissingArgument, "target", what);
    return;
  }
  auto target = decode_target(context, *argument, block.row->name);
  if (!target) return;
  made.target = static_view(context, argument->value);
  made.target_range = argument->range;
  made.address = target->text();
  out.push_back(std::move(made));
}

std::optional<TestProvider> decode_mock_provider(FileContext& context, const RawBlock& block) {
  Content content = read_body(context, block.body, schema::kMockProvider);
  TestProvider provider;
  provider.mocked = true;
  provider.config.local_name = block.labels[0];
  provider.config.header = block.header;
  std::string_view name = context.names.text(provider.config.local_name.id);
  auto fault = provider_name_fault(name);
  if (fault) context.diags.emit(block.header, diag::InvalidProviderName, name, *fault);
  if (const Attribute* alias = content.find("alias"))
    if (auto text = constant_string(context.sources, alias->value, context.diags)) {
      provider.config.alias_range = alias->range;
      provider.config.alias = {context.names.intern(*text), alias->value.range()};
      check_identifier(context, provider.config.alias, "a provider alias");
    }
  provider.source = decode_string(context, content, "source").value_or("");
  provider.during_plan = decode_choice(context, content, "override_during", "plan", "apply");
  decode_doubles(context, content.blocks, provider.data);
  if (fault) return std::nullopt;
  return provider;
}

void decode_mock_data(FileContext& context, TestMockData& out) {
  Content content = read_body(context, file_body(context), schema::kMockData);
  decode_doubles(context, content.blocks, out);
}

}  // namespace pravo::load
