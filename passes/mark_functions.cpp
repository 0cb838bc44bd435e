#include "passes/mark_functions.h"

#include <algorithm>

#include "ir/check.h"

namespace pravo::passes {

namespace {

using Arguments = std::span<const CallArgument>;

// A constant index, or nothing.
std::optional<int64_t> constant_index(const CallArgument& argument) {
  if (argument.constant == nullptr || argument.constant->kind() != ValueKind::Number) return std::nullopt;
  return argument.constant->as_number().to_int64();
}

MarkTreeId union_of(MarkTrees& trees, Arguments arguments) {
  MarkTreeId result = trees.clean();
  for (const CallArgument& argument : arguments) result = trees.join(result, trees.deep(argument.tree));
  return result;
}

MarkTreeId own_of_all(MarkTrees& trees, Arguments arguments) {
  MarkTreeId result = trees.clean();
  for (const CallArgument& argument : arguments) result = trees.join(result, trees.own(argument.tree));
  return result;
}

// Same order, reversed or a part of it, where the argument is a tuple whose elements can be told apart.
MarkTreeId elements(MarkTrees& trees, FunctionId function, Arguments arguments) {
  const CallArgument& list = arguments[0];
  MarkTreeId own = trees.own(list.tree);
  for (const CallArgument& other : arguments.subspan(1)) own = trees.join(own, trees.deep(other.tree));
  if (function == FunctionId::Chunklist)
    return trees.join(own, trees.with_each(trees.with_each(trees.raw_any_child(list.tree))));
  std::optional<size_t> length = known_length(list.type);
  std::optional<int64_t> start = 0;
  bool reversed = function == FunctionId::Reverse;
  if (function == FunctionId::Slice) start = arguments.size() > 1 ? constant_index(arguments[1]) : std::nullopt;
  const MarkNode& node = trees[list.tree];
  bool told_apart = (reversed || function == FunctionId::Slice) && length && start && *start >= 0 &&
                    list.type.kind() == TypeKind::Tuple && node.symbols.empty();
  if (!told_apart) return trees.join(own, trees.with_each(trees.raw_any_child(list.tree)));
  MarkFields fields;
  for (const auto& [key, child] : node.fields) {
    if (!key.is_index()) continue;
    int64_t at = reversed ? static_cast<int64_t>(*length) - 1 - key.index() : key.index() - *start;
    if (at >= 0) fields.emplace_back(index_key(static_cast<uint64_t>(at)), child);
  }
  return trees.join(own, trees.make(MarkSet::None, std::move(fields), node.each));
}

MarkTreeId element(MarkTrees& trees, Arguments arguments) {
  const CallArgument& list = arguments[0];
  std::optional<size_t> length = known_length(list.type);
  std::optional<int64_t> index = arguments.size() > 1 ? constant_index(arguments[1]) : std::nullopt;
  MarkTreeId result;
  if (length && *length > 0 && index && *index >= 0)
    result = trees.child(list.tree, index_key(static_cast<uint64_t>(*index) % *length));
  else
    result = trees.any_child(list.tree);
  if (arguments.size() > 1) result = trees.join(result, trees.deep(arguments[1].tree));
  return result;
}

MarkTreeId lookup(MarkTrees& trees, Names& names, Arguments arguments) {
  if (arguments.size() < 2) return union_of(trees, arguments);
  const CallArgument& map = arguments[0];
  const CallArgument& key = arguments[1];
  MarkTreeId result;
  std::optional<FieldKey> field;
  if (key.constant != nullptr) field = constant_key(names, *key.constant);
  result = field ? trees.child(map.tree, *field) : trees.any_child(map.tree);
  result = trees.join(result, trees.deep(key.tree));
  for (const CallArgument& fallback : arguments.subspan(2)) result = trees.join(result, fallback.tree);
  return result;
}

// Whether an object type has an attribute of this key.
bool has_attribute(const Type& type, FieldKey key, const Names& names) {
  if (key.is_index()) return type.find(std::to_string(key.index())) != Type::npos;
  return type.find(names.text(key.name())) != Type::npos;
}

MarkTreeId merge(MarkTrees& trees, const Names& names, Arguments arguments) {
  MarkTreeId merged = trees.clean();
  for (const CallArgument& argument : arguments) {
    MarkTreeId children = trees.below(argument.tree);
    // A null object leaves what was before it, so its attributes only win where it certainly is none.
    bool wins = !argument.repeated && argument.never_null && argument.type.kind() == TypeKind::Object;
    if (!wins) {
      merged = trees.join(merged, children);
      continue;
    }
    const MarkNode& before = trees[merged];
    const MarkNode& after = trees[children];
    MarkFields fields = before.fields;
    for (auto& [key, child] : fields)
      if (has_attribute(argument.type, key, names)) child = trees.stored_child(children, key);
    for (const auto& [key, child] : after.fields)
      if (has_attribute(argument.type, key, names)) fields.emplace_back(key, child);
    if (!trees.is_clean(before.each) || !trees.is_clean(after.each)) {
      for (const Str& attribute : argument.type.keys().all()) {
        NameId name = names.find(attribute.view());
        if (!name.valid()) continue;
        FieldKey key = field_key(names, name);
        fields.emplace_back(key, trees.stored_child(children, key));
      }
    }
    std::vector<SymbolId> symbols = before.symbols;
    symbols.insert(symbols.end(), after.symbols.begin(), after.symbols.end());
    merged = trees.make(MarkSet::None, std::move(fields), before.each, std::move(symbols));
  }
  return trees.join(merged, own_of_all(trees, arguments));
}

MarkTreeId concat(MarkTrees& trees, Arguments arguments) {
  // Beyond this many, elements in front of a list of unknown length are not told apart from it.
  constexpr size_t kMaxPrefix = 64;
  MarkFields fields;
  MarkTreeId each = trees.clean();
  size_t offset = 0;
  bool offset_known = true;
  for (const CallArgument& argument : arguments) {
    MarkTreeId children = trees.below(argument.tree);
    const MarkNode& node = trees[children];
    bool told_apart = offset_known && !argument.repeated && argument.type.kind() == TypeKind::Tuple &&
                      trees.is_clean(node.each) && node.symbols.empty();
    if (told_apart) {
      for (const auto& [key, child] : node.fields)
        if (key.is_index()) fields.emplace_back(index_key(offset + key.index()), child);
      offset += argument.type.elements().size();
      continue;
    }
    each = trees.join(each, trees.any_child(children));
    offset_known = false;
  }
  // The elements in front of the first list of unknown length keep their places.
  if (!trees.is_clean(each) && offset <= kMaxPrefix) {
    MarkTreeId so_far = trees.make(MarkSet::None, fields, trees.clean());
    for (size_t i = 0; i < offset; ++i) fields.emplace_back(index_key(i), trees.stored_child(so_far, index_key(i)));
  }
  MarkTreeId result = trees.make(MarkSet::None, std::move(fields), each);
  return trees.join(result, own_of_all(trees, arguments));
}

MarkTreeId values(MarkTrees& trees, const Names& names, const CallArgument& map) {
  const MarkNode& node = trees[map.tree];
  MarkTreeId own = trees.own(map.tree);
  if (map.type.kind() != TypeKind::Object || !node.symbols.empty())
    return trees.join(own, trees.with_each(trees.raw_any_child(map.tree)));
  MarkFields fields;
  for (const auto& [key, child] : node.fields) {
    size_t i = map.type.find(key.is_index() ? std::to_string(key.index()) : std::string(names.text(key.name())));
    if (i != Type::npos) fields.emplace_back(index_key(i), child);
  }
  return trees.join(own, trees.make(MarkSet::None, std::move(fields), node.each));
}

MarkTreeId zipmap(MarkTrees& trees, Arguments arguments) {
  if (arguments.size() < 2) return union_of(trees, arguments);
  const CallArgument& keys = arguments[0];
  const CallArgument& list = arguments[1];
  MarkTreeId own = trees.join(trees.deep(keys.tree), trees.own(list.tree));
  if (keys.keys.empty() || list.type.kind() != TypeKind::Tuple)
    return trees.join(own, trees.with_each(trees.raw_any_child(list.tree)));
  MarkFields fields;
  for (size_t i = 0; i < keys.keys.size(); ++i)
    fields.emplace_back(keys.keys[i], trees.raw_child(list.tree, index_key(i)));
  return trees.join(own, trees.make(MarkSet::None, std::move(fields), trees.clean()));
}

MarkTreeId product(MarkTrees& trees, Arguments arguments) {
  bool may_be_set = false;
  MarkFields parts;
  MarkTreeId any = trees.clean();
  bool repeated = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    TypeKind kind = arguments[i].type.kind();
    may_be_set |= kind != TypeKind::List && kind != TypeKind::Tuple;
    repeated |= arguments[i].repeated;
    MarkTreeId part = trees.raw_any_child(arguments[i].tree);
    any = trees.join(any, part);
    parts.emplace_back(index_key(i), part);
  }
  if (may_be_set) return union_of(trees, arguments);
  MarkTreeId tuple = repeated ? trees.with_each(any) : trees.make(MarkSet::None, std::move(parts), trees.clean());
  return trees.join(trees.with_each(tuple), own_of_all(trees, arguments));
}

}  // namespace

std::optional<size_t> known_length(const Type& type) {
  if (type.kind() == TypeKind::Tuple || type.kind() == TypeKind::Object) return type.elements().size();
  return std::nullopt;
}

MarkTreeId call_marks(MarkTrees& trees, Names& names, const FunctionInfo& function, Arguments arguments,
                      const Type& result) {
  if (arguments.empty()) return trees.clean();
  bool positions_known = true;
  for (const CallArgument& argument : arguments) positions_known &= !argument.repeated;
  switch (function.marks) {
    case MarkTransfer::Clean:
      return trees.clean();
    case MarkTransfer::Union:
      return union_of(trees, arguments);
    case MarkTransfer::Merge:
      return merge(trees, names, arguments);
    case MarkTransfer::Concat:
      return concat(trees, arguments);
    case MarkTransfer::Product:
      return product(trees, arguments);
    // These look at instructions (mark_propagate.cpp); what has none of them joins everything.
    case MarkTransfer::Flatten:
    case MarkTransfer::Try:
      return union_of(trees, arguments);
    case MarkTransfer::Convert:
    case MarkTransfer::Elements:
    case MarkTransfer::Element:
    case MarkTransfer::Lookup:
    case MarkTransfer::Own:
    case MarkTransfer::Values:
    case MarkTransfer::Zipmap:
    case MarkTransfer::AddSensitive:
    case MarkTransfer::RemoveSensitive:
    case MarkTransfer::RemoveEphemeral:
    case MarkTransfer::Second:
      break;
  }
  // The others look at arguments by position, which an expanded list of unknown length leaves open.
  if (!positions_known) return union_of(trees, arguments);
  const CallArgument& first = arguments[0];
  switch (function.marks) {
    case MarkTransfer::Convert:
      return trees.convert(first.tree, first.type, result.is_dynamic() ? function.result : result);
    case MarkTransfer::Elements:
      return elements(trees, function.id, arguments);
    case MarkTransfer::Element:
      return element(trees, arguments);
    case MarkTransfer::Lookup:
      return lookup(trees, names, arguments);
    case MarkTransfer::Own:
      return trees.own(first.tree);
    case MarkTransfer::Values:
      return values(trees, names, first);
    case MarkTransfer::Zipmap:
      return zipmap(trees, arguments);
    case MarkTransfer::AddSensitive:
      return trees.with_whole(first.tree, MarkSet::Sensitive);
    case MarkTransfer::RemoveSensitive:
      return trees.without_own(first.tree, MarkSet::Sensitive);
    case MarkTransfer::Second:
      return arguments.size() > 1 ? arguments[1].tree : trees.clean();
    case MarkTransfer::RemoveEphemeral:
      return trees.without(first.tree, MarkSet::Ephemeral);
    case MarkTransfer::Clean:
    case MarkTransfer::Union:
    case MarkTransfer::Merge:
    case MarkTransfer::Concat:
    case MarkTransfer::Product:
    case MarkTransfer::Flatten:
    case MarkTransfer::Try:
      break;
  }
  PRAVOC_UNREACHABLE();
}

}  // namespace pravo::passes
