#include "ir/schema.h"

#include <algorithm>

namespace pravo {

namespace {

// A collection of `element` cannot be a list or map when the dynamic type is inside, since its elements may then
// differ: the type of the whole is dynamic and its value a tuple or an object.
Type collection_type(NestingMode nesting, const Type& element) {
  switch (nesting) {
    case NestingMode::Single:
    case NestingMode::Group:
      return element;
    case NestingMode::List:
      return element.has_dynamic() ? Type::dynamic() : Type::list(element);
    case NestingMode::Set:
      return Type::set(element);
    case NestingMode::Map:
      return element.has_dynamic() ? Type::dynamic() : Type::map(element);
  }
  PRAVOC_UNREACHABLE();
}

template <class T>
const T* find_sorted(const std::vector<T>& list, std::string_view name) {
  auto at = std::lower_bound(list.begin(), list.end(), name,
                             [](const T& item, std::string_view key) { return item.name < key; });
  return at != list.end() && at->name == name ? &*at : nullptr;
}

void collect_sensitive(const SchemaBlock& block, const Value& value, Path& path, std::vector<PathMarks>& out);

void collect_nested(NestingMode nesting, const SchemaBlock& block, const Value& value, Path& path,
                    std::vector<PathMarks>& out) {
  if (value.is_null() || value.is_unknown()) return;
  switch (nesting) {
    case NestingMode::Single:
    case NestingMode::Group:
      collect_sensitive(block, value, path, out);
      return;
    case NestingMode::List:
      for (size_t i = 0; i < value.length(); ++i) {
        path.push_back(PathStep::at(i));
        collect_sensitive(block, value.element(i), path, out);
        path.pop_back();
      }
      return;
    case NestingMode::Map:
      for (size_t i = 0; i < value.length(); ++i) {
        path.push_back(value.kind() == ValueKind::Map ? PathStep::key(value.key(i))
                                                      : PathStep::attribute(value.key(i)));
        collect_sensitive(block, value.element(i), path, out);
        path.pop_back();
      }
      return;
    case NestingMode::Set:
      // Elements of a set have no marks of their own: the set as a whole is sensitive when one of them is.
      for (const Value& element : value.elements()) {
        std::vector<PathMarks> inner;
        Path none;
        collect_sensitive(block, element, none, inner);
        if (inner.empty()) continue;
        out.push_back({path, MarkSet::Sensitive});
        return;
      }
      return;
  }
}

void collect_sensitive(const SchemaBlock& block, const Value& value, Path& path, std::vector<PathMarks>& out) {
  if (!block.any_sensitive || value.is_null() || value.is_unknown()) return;
  for (const SchemaAttribute& attribute : block.attributes) {
    if (!attribute.sensitive && attribute.nested == nullptr) continue;
    const Value* part = value.find(attribute.name);
    if (part == nullptr) continue;
    path.push_back(PathStep::attribute(Str(attribute.name)));
    if (attribute.sensitive)
      out.push_back({path, MarkSet::Sensitive});
    else
      collect_nested(attribute.nested->nesting, attribute.nested->block, *part, path, out);
    path.pop_back();
  }
  for (const SchemaNestedBlock& nested : block.blocks) {
    if (!nested.block.any_sensitive) continue;
    const Value* part = value.find(nested.name);
    if (part == nullptr) continue;
    path.push_back(PathStep::attribute(Str(nested.name)));
    collect_nested(nested.nesting, nested.block, *part, path, out);
    path.pop_back();
  }
}

}  // namespace

void SchemaBlock::finish() {
  auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
  std::sort(attributes.begin(), attributes.end(), by_name);
  std::sort(blocks.begin(), blocks.end(), by_name);
  any_sensitive = false;
  any_write_only = false;
  any_echo = false;
  std::vector<std::pair<std::string_view, int32_t>> names;
  for (size_t i = 0; i < attributes.size(); ++i) {
    const SchemaAttribute& attribute = attributes[i];
    names.emplace_back(attribute.name, static_cast<int32_t>(i));
    any_sensitive |= attribute.sensitive || (attribute.nested != nullptr && attribute.nested->block.any_sensitive);
    any_echo |= !attribute.echo_of.empty();
    any_write_only |= attribute.write_only || (attribute.nested != nullptr && attribute.nested->block.any_write_only);
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    SchemaNestedBlock& nested = blocks[i];
    nested.block.finish();
    nested.type = collection_type(nested.nesting, nested.block.type);
    names.emplace_back(nested.name, -1 - static_cast<int32_t>(i));
    any_sensitive |= nested.block.any_sensitive;
    any_write_only |= nested.block.any_write_only;
  }
  std::sort(names.begin(), names.end());
  std::vector<Str> sorted;
  std::vector<Type> types;
  members.clear();
  for (const auto& [name, member] : names) {
    sorted.emplace_back(name);
    members.push_back(member);
    types.push_back(member >= 0 ? attributes[static_cast<size_t>(member)].type
                                : blocks[static_cast<size_t>(-1 - member)].type);
  }
  keys = KeySet(std::move(sorted));
  type = Type::object(keys, std::move(types));
}

const SchemaAttribute* SchemaBlock::attribute(std::string_view name) const { return find_sorted(attributes, name); }

const SchemaNestedBlock* SchemaBlock::block(std::string_view name) const { return find_sorted(blocks, name); }

void set_nested(SchemaAttribute& attribute, SchemaObject object) {
  attribute.type = collection_type(object.nesting, object.block.type);
  attribute.nested = std::make_shared<const SchemaObject>(std::move(object));
}

Type constraint_type(const SchemaAttribute& attribute) {
  if (attribute.nested == nullptr) return attribute.type;
  std::vector<Type::Attribute> inner;
  for (const SchemaAttribute& a : attribute.nested->block.attributes)
    inner.emplace_back(a.name, constraint_type(a), !a.required);
  return collection_type(attribute.nested->nesting, Type::object(std::move(inner)));
}

Value empty_nested(const SchemaNestedBlock& nested) {
  switch (nested.nesting) {
    case NestingMode::Single:
      return Value::null(nested.type);
    case NestingMode::Group:
      return empty_block(nested.block);
    case NestingMode::List:
      return nested.type.is_dynamic() ? Value::empty_tuple() : Value::list(nested.block.type, {});
    case NestingMode::Set:
      return Value::set(nested.block.type, {});
    case NestingMode::Map:
      return nested.type.is_dynamic() ? Value::empty_object() : Value::map(nested.block.type, KeySet(), {});
  }
  PRAVOC_UNREACHABLE();
}

Value empty_block(const SchemaBlock& block) {
  std::vector<Value> values;
  values.reserve(block.members.size());
  for (int32_t member : block.members) {
    if (member >= 0)
      values.push_back(Value::null(block.attributes[static_cast<size_t>(member)].type));
    else
      values.push_back(empty_nested(block.blocks[static_cast<size_t>(-1 - member)]));
  }
  return Value::object(block.keys, std::move(values));
}

std::vector<PathMarks> sensitive_paths(const SchemaBlock& block, const Value& value) {
  std::vector<PathMarks> out;
  Path path;
  collect_sensitive(block, value, path, out);
  return out;
}

Value with_schema_marks(const SchemaBlock& block, Value value) {
  if (value.is_null() || value.is_unknown()) return value;
  if (block.any_sensitive) value = value.mark_with_paths(sensitive_paths(block, value));
  if (!block.any_echo) return value;
  for (const SchemaAttribute& attribute : block.attributes) {
    if (attribute.echo_of.empty()) continue;
    const Value* source = value.find(attribute.echo_of);
    const Value* echo = value.find(attribute.name);
    if (source == nullptr || echo == nullptr || !any(source->deep_marks())) continue;
    Str name(attribute.name);
    // Of what is not known nobody can tell which part is the secret one.
    if (echo->is_unknown()) {
      PathMarks whole{{PathStep::attribute(name)}, source->deep_marks()};
      value = value.mark_with_paths({&whole, 1});
      continue;
    }
    std::vector<PathMarks> marks = source->unmark_with_paths().second;
    for (PathMarks& m : marks) m.path.insert(m.path.begin(), PathStep::attribute(name));
    value = value.mark_with_paths(marks);
  }
  return value;
}

bool is_echo(const SchemaBlock& block, std::span<const PathStep> path) {
  if (!block.any_echo || path.empty() || path[0].kind != PathStep::Kind::Attribute) return false;
  const SchemaAttribute* attribute = block.attribute(path[0].name.view());
  return attribute != nullptr && !attribute->echo_of.empty();
}

}  // namespace pravo
