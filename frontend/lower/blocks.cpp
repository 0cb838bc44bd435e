// Bodies: arguments and nested blocks, against a schema where one is known. The object of a body has a field for
// each argument and one for each type of nested block, which holds all blocks of that type.
#include "frontend/lower/body.h"

#include <iterator>

#include "ir/diagnostics/load.h"
#include "ir/diagnostics/lower.h"

namespace pravo::lower {

namespace {

// What every resource may have beside what its schema says.
constexpr std::string_view kMetaArguments[] = {"count", "for_each", "depends_on", "provider"};
constexpr std::string_view kMetaBlocks[] = {"lifecycle", "connection", "provisioner", "dynamic"};

}  // namespace

std::string BodyLowering::shown(Subject subject) const {
  if (!subject.name.valid()) return std::string(subject.kind);
  return fmt::format("{} `{}`", subject.kind, text(subject.name));
}

Ref BodyLowering::lower_body(const load::Body& body, const SchemaBlock* schema, Subject subject, const Context& context,
                             InstId user) {
  BodyBuild build(body, schema, subject, context, user);
  const Context* outer = std::exchange(context_, &context);
  for (const load::Attribute& attribute : body.attributes) add_attribute(build, attribute);
  for (const load::Block& block : body.blocks) add_block(build, block);
  if (schema != nullptr) check_missing(build);
  Ref object = finish_body(build);
  context_ = outer;
  return object;
}

void BodyLowering::add_attribute(BodyBuild& build, const load::Attribute& attribute) {
  std::string_view name = text(attribute.name.id);
  const SchemaAttribute* known = nullptr;
  if (build.schema != nullptr) {
    known = build.schema->attribute(name);
    if (known == nullptr) {
      if (const SchemaNestedBlock* nested = build.schema->block(name)) {
        if (attribute.value.tree->json) {
          add_json_blocks(build, attribute, *nested);
          return;
        }
        report_certain(attribute.name.range, diag::ArgumentIsBlock, name);
      } else {
        std::vector<std::string_view> names;
        for (const SchemaAttribute& a : build.schema->attributes)
          if (!a.computed_only()) names.push_back(a.name);
        for (const SchemaNestedBlock& b : build.schema->blocks) names.push_back(b.name);
        if (build.subject.resource) names.insert(names.end(), std::begin(kMetaArguments), std::end(kMetaArguments));
        report_certain(attribute.name.range, diag::UnknownArgument, name, shown(build.subject))
            .help(suggestion(name, names, ""));
      }
      lower(attribute.value, build.context);
      return;
    }
  }
  Ref value = lower(attribute.value, build.context);
  if (known != nullptr) {
    if (known->computed_only()) {
      report_certain(attribute.name.range, diag::ReadOnlyArgument, name);
      return;
    }
    // Where the schema takes any value there is nothing to look at, nor to name.
    if (const Type& wanted = constraint_type(*known); !wanted.is_dynamic())
      want_constraint(value, {wanted, {}}, fmt::format("`{}`", name));
  }
  build.names.push_back(attribute.name.id);
  build.values.push_back(value);
}

const SchemaNestedBlock* BodyLowering::nested_schema(const BodyBuild& build, const load::Name& type, bool* fault) {
  *fault = false;
  if (build.schema == nullptr) return nullptr;
  std::string_view name = text(type.id);
  if (const SchemaNestedBlock* nested = build.schema->block(name)) return nested;
  *fault = true;
  if (build.schema->attribute(name) != nullptr) {
    report_certain(type.range, diag::BlockIsArgument, name);
    return nullptr;
  }
  std::vector<std::string_view> names;
  for (const SchemaNestedBlock& b : build.schema->blocks) names.push_back(b.name);
  if (build.subject.resource) names.insert(names.end(), std::begin(kMetaBlocks), std::end(kMetaBlocks));
  report_certain(type.range, diag::UnknownBlock, name, shown(build.subject)).help(suggestion(name, names, ""));
  return nullptr;
}

BodyLowering::BlockGroup& BodyLowering::group(BodyBuild& build, const load::Name& type,
                                              const SchemaNestedBlock* schema) {
  auto [it, inserted] = build.group_ids.try_emplace(type.id.index, build.groups.size());
  if (inserted) {
    build.groups.emplace_back();
    build.groups.back().type = type;
    build.groups.back().schema = schema;
  }
  return build.groups[it->second];
}

void BodyLowering::add_block(BodyBuild& build, const load::Block& block) {
  if (block.type.id == shared_.known.dynamic) {
    add_dynamic(build, block);
    return;
  }
  bool fault = false;
  const SchemaNestedBlock* schema = nested_schema(build, block.type, &fault);
  if (schema != nullptr) {
    size_t wanted = schema->nesting == NestingMode::Map ? 1 : 0;
    if (block.labels.size() != wanted) {
      report_certain(block.labels.size() > wanted ? block.labels[wanted].range : block.header, diag::BlockLabels,
                     text(block.type.id), wanted == 0 ? "no label" : "one label");
      fault = true;
    }
  }
  Ref value = lower_body(block.body, schema == nullptr ? nullptr : &schema->block, {"block", block.type.id},
                         build.context, build.user);
  if (fault) return;
  BlockGroup& blocks = group(build, block.type, schema);
  blocks.values.push_back({value.id, block.header});
  blocks.spread.push_back(false);
  blocks.labels.push_back(block.labels.empty() ? NameId() : block.labels.front().id);
}

void BodyLowering::add_dynamic(BodyBuild& build, const load::Block& block) {
  const KnownNames& known = shared_.known;
  if (block.labels.size() != 1) {
    report_certain(block.header, diag::DynamicBlock, "it has one label, the type of block that it makes");
    return;
  }
  const load::Name& type = block.labels.front();
  bool fault = false;
  const SchemaNestedBlock* schema = nested_schema(build, type, &fault);
  const load::Attribute* for_each = nullptr;
  const load::Attribute* labels = nullptr;
  NameId iterator = type.id;
  for (const load::Attribute& attribute : block.body.attributes) {
    if (attribute.name.id == known.for_each) {
      for_each = &attribute;
    } else if (attribute.name.id == known.labels) {
      labels = &attribute;
    } else if (attribute.name.id == known.iterator) {
      hcl::NodeId name = attribute.value.node;
      if (attribute.value.tree->kind(name) == hcl::NodeKind::Variable) {
        iterator = this->name(text(attribute.value.range()));
      } else if (std::string literal; attribute.value.tree->json &&
                                      hcl::literal_text(shared_.sources, *attribute.value.tree, name, &literal)) {
        iterator = this->name(literal);
      } else {
        report_certain(attribute.value.range(), diag::DynamicBlock, "`iterator` is a single name");
      }
    } else {
      report_certain(attribute.name.range, diag::UnknownArgument, text(attribute.name.id), "a `dynamic` block")
          .help("a `dynamic` block has `for_each`, `iterator`, `labels` and a `content` block");
    }
  }
  const load::Block* content = nullptr;
  for (const load::Block& inner : block.body.blocks) {
    if (inner.type.id == known.content && content == nullptr)
      content = &inner;
    else
      report_certain(inner.type.range, diag::DynamicBlock, "it has one nested block, `content`");
  }
  if (content == nullptr) report_certain(block.header, diag::DynamicBlock, "it has no `content` block");
  if (for_each == nullptr) {
    report_certain(block.header, diag::DynamicBlock, "it has no `for_each`");
    return;
  }
  Ref source = lower(for_each->value, build.context);
  Types::Step step = iteration_type(source, /*splat=*/false);
  InstId use = add(OpKind::Use, types_.any, {source}, source.range, build.user.index);
  body_.inst(use).flags = static_cast<uint16_t>(UseKind::BlockExpand);
  if (content == nullptr) return;

  const bool keyed = schema != nullptr && schema->nesting == NestingMode::Map;
  Ref list{add(keyed ? OpKind::ForObject : OpKind::ForList, types_.any, {source}, block.header), block.header};
  RegionId region = builder_.open_region(list.id);
  const bool latent = !has_elements(source.id);
  latent_ += latent ? 1 : 0;
  bindings_.push_back({Binding::Kind::Iterator, iterator, list.id, step.key, step.value});
  Refs yielded;
  if (labels != nullptr || keyed) {
    // Only a block that is keyed by its label has a use for it.
    const load::Expr expr = labels == nullptr ? load::Expr() : labels->value;
    const bool one =
        expr && expr.tree->kind(expr.node) == hcl::NodeKind::Tuple && expr.tree->child_count(expr.node) == 1;
    if (keyed && !one) {
      report_certain(expr ? expr.range() : block.header, diag::BlockLabels, text(type.id), "one label");
      yielded.push_back(unknown(block.header));
    } else if (keyed) {
      yielded.push_back(lower({expr.tree, expr.tree->child(expr.node, 0)}, build.context));
    } else {
      lower(expr, build.context);
    }
  }
  yielded.push_back(lower_body(content->body, schema == nullptr ? nullptr : &schema->block, {"block", type.id},
                               build.context, build.user));
  bindings_.pop_back();
  latent_ -= latent ? 1 : 0;
  close_region(region, yielded, content->header);
  if (fault) return;
  BlockGroup& blocks = group(build, type, schema);
  blocks.values.push_back(list);
  blocks.spread.push_back(true);
  blocks.labels.push_back(NameId());
}

// In JSON a nested block is a property: an object, or an array of objects; one more level of objects for a label.
void BodyLowering::add_json_blocks(BodyBuild& build, const load::Attribute& attribute,
                                   const SchemaNestedBlock& schema) {
  const hcl::SyntaxTree& tree = *attribute.value.tree;
  hcl::NodeId n = attribute.value.node;
  if (schema.nesting == NestingMode::Map && tree.kind(n) == hcl::NodeKind::Object) {
    for (uint32_t i = 0; i < tree.child_count(n); ++i) {
      hcl::NodeId item = tree.child(n, i);
      std::string label;
      hcl::literal_text(shared_.sources, tree, tree.child(item, 0), &label);
      add_json_block(build, attribute.name, schema, {&tree, tree.child(item, 1)}, name(label));
    }
    return;
  }
  if (tree.kind(n) == hcl::NodeKind::Tuple && schema.nesting != NestingMode::Map) {
    for (uint32_t i = 0; i < tree.child_count(n); ++i)
      add_json_block(build, attribute.name, schema, {&tree, tree.child(n, i)}, NameId());
    return;
  }
  add_json_block(build, attribute.name, schema, attribute.value, NameId());
}

void BodyLowering::add_json_block(BodyBuild& build, const load::Name& type, const SchemaNestedBlock& schema,
                                  load::Expr value, NameId label) {
  const hcl::SyntaxTree& tree = *value.tree;
  if (tree.kind(value.node) != hcl::NodeKind::Object) {
    report_certain(value.range(), diag::BlockShape, text(type.id));
    return;
  }
  load::Body body;
  body.json = true;
  body.range = value.range();
  for (uint32_t i = 0; i < tree.child_count(value.node); ++i) {
    hcl::NodeId item = tree.child(value.node, i);
    std::string property;
    hcl::literal_text(shared_.sources, tree, tree.child(item, 0), &property);
    if (property == "//") continue;
    body.attributes.push_back(
        {{name(property), tree.range(tree.child(item, 0))}, {&tree, tree.child(item, 1)}, tree.range(item)});
  }
  Ref object = lower_body(body, &schema.block, {"block", type.id}, build.context, build.user);
  BlockGroup& blocks = group(build, type, &schema);
  blocks.values.push_back(object);
  blocks.spread.push_back(false);
  blocks.labels.push_back(label);
}

void BodyLowering::check_missing(const BodyBuild& build) {
  for (const SchemaAttribute& attribute : build.schema->attributes) {
    if (!attribute.required) continue;
    NameId id = shared_.names.find(attribute.name);
    if (id.valid() && build.body.find(id) != nullptr) continue;
    report_certain(build.body.range, diag::MissingArgument, attribute.name, shown(build.subject));
  }
  for (const SchemaNestedBlock& nested : build.schema->blocks) {
    size_t count = 0;
    bool open = false;  // a dynamic block makes any number
    SourceRange last = build.body.range;
    for (const BlockGroup& group : build.groups) {
      if (group.schema != &nested) continue;
      count = group.values.size();
      last = group.values.back().range;
      for (bool spread : group.spread) open |= spread;
    }
    if (open) continue;
    if (count < nested.min_items)
      report_certain(build.body.range, diag::BlockCount, nested.name, "at least", nested.min_items, count);
    else if (nested.max_items != 0 && count > nested.max_items)
      report_certain(last, diag::BlockCount, nested.name, "at most", nested.max_items, count);
  }
}

Ref BodyLowering::finish_group(const BlockGroup& group, SourceRange range) {
  const SchemaNestedBlock* schema = group.schema;
  if (schema != nullptr && schema->nesting == NestingMode::Map) {
    // Keyed by label: an object of the blocks that are written out, merged with what dynamic blocks make.
    Refs fixed;
    Refs parts;
    llvm::SmallVector<NameId, 6> labels;
    for (size_t i = 0; i < group.values.size(); ++i) {
      if (group.spread[i]) continue;
      fixed.push_back(group.values[i]);
      labels.push_back(group.labels[i]);
    }
    Ref object = object_of(labels, fixed, range);
    if (fixed.size() == group.values.size()) return object;
    parts.push_back(object);
    for (size_t i = 0; i < group.values.size(); ++i)
      if (group.spread[i]) parts.push_back(group.values[i]);
    return {add(OpKind::Call, types_.any, parts, range, name("merge").index), range};
  }
  llvm::SmallVector<InstId, 6> ids;
  for (const Ref& value : group.values) ids.push_back(value.id);
  builder_.set_range(range);
  InstId blocks = builder_.blocks(types_.any, group.spread, ids);
  note_uses(blocks, group.values);
  return {blocks, range};
}

Ref BodyLowering::finish_body(BodyBuild& build) {
  for (const BlockGroup& group : build.groups) {
    Ref blocks = finish_group(group, group.values.front().range);
    build.names.push_back(group.type.id);
    build.values.push_back(blocks);
  }
  // What is an argument here and a block there, or stands twice in JSON.
  keep_last(build.names, build.values);
  if (build.schema != nullptr) return object_of(build.names, build.values, build.body.range);
  // Without a schema what is written may be converted to anything.
  llvm::SmallVector<InstId, 8> ids;
  for (const Ref& value : build.values) ids.push_back(value.id);
  builder_.set_range(build.body.range);
  InstId object = builder_.object(types_.any, build.names, ids);
  note_uses(object, build.values);
  return {object, build.body.range};
}

}  // namespace pravo::lower
