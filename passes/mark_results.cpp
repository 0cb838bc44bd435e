// What a provider gives back: the result of a resource carries the sensitive marks of its configuration at the same
// paths, as Terraform does, and those of its schema. Ephemeral marks never come out of a managed or data resource;
// everything that an ephemeral resource gives is ephemeral.
#include "ir/builtin_schemas.h"
#include "passes/mark_transfer.h"

namespace pravo::passes {

MarkTreeId BodyMarks::result(InstId id) {
  const ResourceInfo& info = body_.resources[body_.inst(id).payload];
  const SchemaBlock* schema = find_schema(program_, info, schemas_);
  MarkTreeId result = trees_.without(recorded(body_.operand(id, 0), schema, 0), MarkSet::Ephemeral);
  // Terraform loses the marks of attributes that repeat others (docs/marks.md).
  if (schema != nullptr && schema->any_echo && !trees_.is_clean(result)) {
    for (const SchemaAttribute& attribute : schema->attributes) {
      if (attribute.echo_of.empty()) continue;
      MarkTreeId value = trees_.raw_child(result, FieldKey::name(program_.names->intern(attribute.echo_of)));
      FieldKey key = FieldKey::name(program_.names->intern(attribute.name));
      result = trees_.join(result, trees_.make(MarkSet::None, {{key, value}}, trees_.clean()));
    }
  }
  if (schema != nullptr && schema->any_sensitive) result = trees_.join(result, schema_marks(*schema));
  if (info.mode == ResourceMode::Ephemeral) result = trees_.with_whole(result, MarkSet::Ephemeral);
  return result;
}

// All blocks of a type as the result holds them, from the tree of one.
MarkTreeId BodyMarks::nested(NestingMode nesting, MarkTreeId one) {
  switch (nesting) {
    case NestingMode::Single:
    case NestingMode::Group:
      return one;
    case NestingMode::List:
    case NestingMode::Map:
      return trees_.with_each(one);
    case NestingMode::Set:
      return trees_.deep(one);
  }
  PRAVOC_UNREACHABLE();
}

// The attributes that the schema calls sensitive.
MarkTreeId BodyMarks::schema_marks(const SchemaBlock& block) {
  if (auto it = schema_marks_.find(&block); it != schema_marks_.end()) return it->second;
  auto key = [&](const std::string& name) { return field_key(*program_.names, program_.names->intern(name)); };
  MarkFields fields;
  for (const SchemaAttribute& attribute : block.attributes) {
    if (attribute.sensitive)
      fields.emplace_back(key(attribute.name), trees_.leaf(MarkSet::Sensitive));
    else if (attribute.nested != nullptr && attribute.nested->block.any_sensitive)
      fields.emplace_back(key(attribute.name),
                          nested(attribute.nested->nesting, schema_marks(attribute.nested->block)));
  }
  for (const SchemaNestedBlock& inner : block.blocks)
    if (inner.block.any_sensitive)
      fields.emplace_back(key(inner.name), nested(inner.nesting, schema_marks(inner.block)));
  MarkTreeId result = trees_.make(MarkSet::None, std::move(fields), trees_.clean());
  schema_marks_.emplace(&block, result);
  return result;
}

// The configuration as the result holds it.
MarkTreeId BodyMarks::recorded(InstId config, const SchemaBlock* schema, unsigned depth) {
  if (body_.inst(config).kind != OpKind::Object || depth > MarkTrees::kMaxDepth) return tree(config);
  std::span<const NameId> names = body_.fields(config);
  MarkFields fields;
  for (uint32_t i = 0; i < names.size(); ++i) {
    InstId value = body_.operand(config, i);
    if (trees_.is_clean(tree(value))) continue;
    std::string_view name = program_.text(names[i]);
    MarkTreeId part = tree(value);
    if (body_.inst(value).kind == OpKind::Blocks) {
      part = recorded_blocks(value, schema == nullptr ? nullptr : schema->block(name), depth + 1);
    } else if (schema != nullptr) {
      const SchemaAttribute* attribute = schema->attribute(name);
      if (attribute != nullptr)
        part = attribute->write_only ? trees_.clean() : trees_.convert(part, type_of(value), attribute->type);
    }
    fields.emplace_back(field_key(*program_.names, names[i]), part);
  }
  return trees_.make(MarkSet::None, std::move(fields), trees_.clean());
}

MarkTreeId BodyMarks::recorded_blocks(InstId blocks, const SchemaNestedBlock* schema, unsigned depth) {
  const SchemaBlock* body = schema == nullptr ? nullptr : &schema->block;
  MarkFields fields;
  MarkTreeId each = trees_.clean();
  std::span<const NameId> spread = body_.fields(blocks);
  bool counted = true;
  for (uint32_t i = 0; i < spread.size(); ++i) {
    InstId block = body_.operand(blocks, i);
    if (spread[i].valid()) {
      counted = false;
      bool loop = body_.inst(block).kind == OpKind::ForList;
      each = trees_.join(
          each, loop ? recorded(body_.operand(yield_of(block, 0), 0), body, depth) : trees_.raw_any_child(tree(block)));
    } else if (counted) {
      fields.emplace_back(index_key(i), recorded(block, body, depth));
    } else {
      each = trees_.join(each, recorded(block, body, depth));
    }
  }
  MarkTreeId list = trees_.make(MarkSet::None, std::move(fields), each);
  list = trees_.join(trees_.own(tree(blocks)), list);
  MarkTreeId one = trees_.join(trees_.own(list), trees_.raw_any_child(list));
  if (schema == nullptr) {
    // Nobody knows whether they come out as a list (`x.b[0].a`) or as one object (`x.b.a`): good for both.
    return trees_.join(list, one);
  }
  return schema->nesting == NestingMode::List ? list : nested(schema->nesting, one);
}

}  // namespace pravo::passes
