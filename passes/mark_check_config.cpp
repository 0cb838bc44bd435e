// The configuration of managed resources and data sources: what is in it is stored, but for write-only attributes.
#include <fmt/format.h>

#include "ir/diagnostics/passes.h"
#include "passes/mark_sinks.h"

namespace pravo::passes {

void MarkChecker::resource(ModuleId module, InstId id) {
  const ModuleBody& body = this->body(module);
  InstId config = body.operand(id, 0);
  if (!ephemeral(module, config)) return;
  const ResourceInfo& info = body.resources[body.inst(id).payload];
  block(module, info, config, find_schema(program_, info, schemas_), "", 0);
}

// Deeper nested blocks than anyone writes are looked at as one attribute.
static constexpr unsigned kMaxBlockDepth = 200;

void MarkChecker::block(ModuleId module, const ResourceInfo& info, InstId config, const SchemaBlock* schema,
                        const std::string& path, unsigned depth) {
  const ModuleBody& body = this->body(module);
  if (body.inst(config).kind != OpKind::Object) return;
  std::span<const NameId> names = body.fields(config);
  for (uint32_t i = 0; i < names.size(); ++i) {
    InstId value = body.operand(config, i);
    if (!ephemeral(module, value)) continue;
    if (body.inst(value).kind != OpKind::Blocks || depth == kMaxBlockDepth) {
      attribute(module, info, config, i, schema, path);
      continue;
    }
    std::string_view name = program_.text(names[i]);
    const SchemaNestedBlock* nested = schema == nullptr ? nullptr : schema->block(name);
    std::string inner = fmt::format("{}{}.", path, name);
    std::span<const NameId> spread = body.fields(value);
    for (uint32_t b = 0; b < spread.size(); ++b) {
      InstId content = body.operand(value, b);
      // The for_each of a dynamic block is a place of its own (UseKind::BlockExpand).
      if (spread[b].valid() && body.inst(content).kind == OpKind::ForList)
        content = body.operand(body.region(RegionId(body.inst(content).payload)).yield, 0);
      block(module, info, content, nested == nullptr ? nullptr : &nested->block, inner, depth + 1);
    }
  }
}

// Whether a value of an attribute with nested attributes has an ephemeral mark where nothing takes one.
bool MarkChecker::refused(MarkTreeId tree, const SchemaObject& object) const {
  const MarkTrees& trees = facts_.trees;
  if (!trees.has(tree, MarkSet::Ephemeral)) return false;
  if (trees.has_own(tree, MarkSet::Ephemeral)) return true;
  auto inside = [&](MarkTreeId one) {
    if (trees.has_own(one, MarkSet::Ephemeral)) return true;
    const MarkNode& node = trees[one];
    if (trees.has(node.each, MarkSet::Ephemeral)) return true;
    for (const auto& [key, child] : node.fields) {
      if (!trees.has(child, MarkSet::Ephemeral)) continue;
      const SchemaAttribute* attribute = key.is_index() ? nullptr : object.block.attribute(program_.text(key.name()));
      if (attribute == nullptr) return true;
      if (attribute->write_only) continue;
      if (attribute->nested == nullptr || refused(child, *attribute->nested)) return true;
    }
    return false;
  };
  switch (object.nesting) {
    case NestingMode::Single:
    case NestingMode::Group:
      return inside(tree);
    case NestingMode::List:
    case NestingMode::Set:
    case NestingMode::Map:
      break;
  }
  if (inside(trees[tree].each)) return true;
  for (const auto& [key, child] : trees[tree].fields)
    if (inside(child)) return true;
  return false;
}

void MarkChecker::attribute(ModuleId module, const ResourceInfo& info, InstId config, uint32_t field,
                            const SchemaBlock* schema, const std::string& path) {
  const ModuleBody& body = this->body(module);
  std::string_view name = program_.text(body.fields(config)[field]);
  InstId value = body.operand(config, field);
  std::string address = resource_address(program_, info);
  Leak leak;
  leak.module = module;
  leak.inst = value;
  leak.range = body.use_range(config, field);
  leak.address = address;
  std::string attribute_path = fmt::format("{}{}", path, name);
  if (schema != nullptr) {
    if (const SchemaAttribute* attribute = schema->attribute(name)) {
      // At and below a write-only attribute everything is accepted.
      if (attribute->write_only) return;
      if (attribute->nested != nullptr && attribute->nested->block.any_write_only &&
          !refused(tree(module, value), *attribute->nested))
        return;
    }
  } else if (is_write_only_name(name)) {
    diags_.emit(leak.range, diag::AssumedWriteOnly, attribute_path, program_.text(info.type))
        .address(explainer_.address_prefix(kAnyCall, module) + address);
    return;
  }
  // Where only one part of the value is ephemeral, say which.
  std::vector<Demand> places = find_places(facts_.trees, tree(module, value), MarkSet::Ephemeral, 2);
  if (places.size() == 1) attribute_path += place_text(places[0], *program_.names);
  leak.arrives = fmt::format("into attribute `{}` of `{}`", attribute_path, address);
  if (info.mode == ResourceMode::Data)
    report(std::move(leak), diag::EphemeralInData, attribute_path);
  else
    report(std::move(leak), diag::EphemeralInResource, attribute_path);
}

}  // namespace pravo::passes
