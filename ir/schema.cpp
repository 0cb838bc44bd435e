#include "ir/schema.h"

#include <algorithm>
#include <utility>

namespace pravo {

namespace {

template <class T>
const T* find_by_name(const std::vector<T>& list, std::string_view name) {
  auto it = std::lower_bound(list.begin(), list.end(), name,
                             [](const T& entry, std::string_view wanted) { return entry.name < wanted; });
  return it != list.end() && it->name == name ? &*it : nullptr;
}

template <class T>
void sort_by_name(std::vector<T>& list) {
  std::sort(list.begin(), list.end(), [](const T& a, const T& b) { return a.name < b.name; });
}

Type nested_type(NestingMode nesting, Type object) {
  switch (nesting) {
    case NestingMode::Single:
    case NestingMode::Group:
      return object;
    // A nested object with a dynamic part differs from its siblings in type, so there is no list or map of them.
    case NestingMode::List:
      return object.has_dynamic() ? Type::dynamic() : Type::list(std::move(object));
    case NestingMode::Set:
      return Type::set(std::move(object));
    case NestingMode::Map:
      return object.has_dynamic() ? Type::dynamic() : Type::map(std::move(object));
  }
  PRAVOC_UNREACHABLE();
}

void finish_attributes(std::vector<AttributeSchema>& attributes) {
  sort_by_name(attributes);
  for (AttributeSchema& attribute : attributes) {
    if (!attribute.nested) continue;
    auto nested = std::make_shared<NestedAttributes>(*attribute.nested);
    finish_attributes(nested->attributes);
    std::vector<Type::Attribute> fields;
    fields.reserve(nested->attributes.size());
    for (const AttributeSchema& inner : nested->attributes)
      fields.emplace_back(inner.name, inner.type, !inner.required);
    attribute.type = nested_type(nested->nesting, Type::object(std::move(fields)));
    attribute.nested = std::move(nested);
  }
}

}  // namespace

const AttributeSchema* BlockSchema::attribute(std::string_view name) const { return find_by_name(attributes, name); }

const NestedBlockSchema* BlockSchema::block(std::string_view name) const { return find_by_name(blocks, name); }

Type BlockSchema::implied_type() const {
  std::vector<Type::Attribute> fields;
  fields.reserve(attributes.size() + blocks.size());
  for (const AttributeSchema& attribute : attributes)
    fields.emplace_back(attribute.name, attribute.type.without_optional());
  for (const NestedBlockSchema& nested : blocks)
    fields.emplace_back(nested.name, nested_type(nested.nesting, nested.block.implied_type()));
  return Type::object(std::move(fields));
}

void finish_schema(BlockSchema& block) {
  finish_attributes(block.attributes);
  for (NestedBlockSchema& nested : block.blocks) finish_schema(nested.block);
  sort_by_name(block.blocks);
}

}  // namespace pravo
