// Calls of built-in functions: those that look at how an argument is written, and the arguments of the others.
#include <algorithm>

#include "ir/functions.h"
#include "passes/mark_transfer.h"

namespace pravo::passes {

bool cannot_fail(const ModuleBody& body, InstId id) {
  switch (body.inst(id).kind) {
    // Nodes: where one of them fails, that is an error of its own.
    case OpKind::Const:
    case OpKind::Variable:
    case OpKind::Env:
    case OpKind::Meta:
    case OpKind::Local:
    case OpKind::Key:
    case OpKind::Each:
    case OpKind::Collect:
    case OpKind::ModuleArg:
    case OpKind::ModuleOut:
    case OpKind::Resource:
    case OpKind::Data:
    case OpKind::Ephemeral:
      return true;
    case OpKind::Unknown:
    case OpKind::Call:
    case OpKind::Binary:
    case OpKind::Unary:
    case OpKind::Template:
    case OpKind::TemplateJoin:
    case OpKind::Index:
    case OpKind::Attr:
    case OpKind::Splat:
    case OpKind::Convert:
    case OpKind::Object:
    case OpKind::ObjectKeyed:
    case OpKind::Tuple:
    case OpKind::Blocks:
    case OpKind::Cond:
    case OpKind::ForList:
    case OpKind::ForObject:
    case OpKind::Yield:
    case OpKind::ExpandCount:
    case OpKind::ExpandForEach:
    case OpKind::At:
    case OpKind::ModuleInstance:
    case OpKind::Provider:
    case OpKind::ProviderCall:
    case OpKind::Output:
    case OpKind::Check:
    case OpKind::Condition:
    case OpKind::Use:
    case OpKind::MarkAdd:
    case OpKind::MarkRemove:
      return false;
  }
  PRAVOC_UNREACHABLE();
}

MarkTreeId BodyMarks::try_first(InstId id) {
  MarkTreeId result = trees_.clean();
  for (uint32_t operand : body_.operand_indexes(id)) {
    result = trees_.join(result, tree(InstId(operand)));
    if (cannot_fail(body_, InstId(operand))) break;
  }
  return result;
}

// Which nested values are sequences is told by how they are written, then by their types, then by their trees.
void BodyMarks::flatten(InstId id, unsigned depth, MarkTreeId& own, MarkTreeId& each) {
  for (unsigned i = 0; i < MarkTrees::kMaxDepth && body_.inst(id).kind == OpKind::Local; ++i) id = body_.operand(id, 0);
  OpKind kind = body_.inst(id).kind;
  if (kind == OpKind::Tuple && depth < MarkTrees::kMaxDepth) {
    for (uint32_t operand : body_.operand_indexes(id)) flatten(InstId(operand), depth + 1, own, each);
  } else if (kind == OpKind::ForList && depth < MarkTrees::kMaxDepth) {
    own = trees_.join(own, trees_.own(tree(id)));
    flatten(body_.operand(yield_of(id, 0), 0), depth + 1, own, each);
  } else if (depth > 0 && (kind == OpKind::Object || kind == OpKind::ObjectKeyed || kind == OpKind::ForObject)) {
    each = trees_.join(each, tree(id));
  } else {
    flatten_tree(tree(id), type_of(id), depth, own, each);
  }
}

void BodyMarks::flatten_tree(MarkTreeId tree, const Type& type, unsigned depth, MarkTreeId& own, MarkTreeId& each) {
  if (trees_.is_clean(tree)) return;
  switch (type.kind()) {
    case TypeKind::Bool:
    case TypeKind::Number:
    case TypeKind::String:
    case TypeKind::Map:
    case TypeKind::Object:
      each = trees_.join(each, tree);
      return;
    case TypeKind::List:
    case TypeKind::Set:
      own = trees_.join(own, trees_.own(tree));
      flatten_tree(trees_.raw_any_child(tree), type.element(), depth + 1, own, each);
      return;
    case TypeKind::Tuple:
      own = trees_.join(own, trees_.own(tree));
      for (size_t i = 0; i < type.elements().size(); ++i)
        flatten_tree(trees_.raw_child(tree, index_key(i)), type.elements()[i], depth + 1, own, each);
      return;
    case TypeKind::Dynamic:
      break;
  }
  // Perhaps a sequence, perhaps not. Named fields tell an object.
  const MarkNode& node = trees_[tree];
  bool object = std::any_of(node.fields.begin(), node.fields.end(), [](const auto& f) { return !f.first.is_index(); });
  if (depth > 0) each = trees_.join(each, tree);
  if (object && depth > 0) return;
  own = trees_.join(own, trees_.own(tree));
  if (!node.symbols.empty()) {
    // Whatever the caller passes may nest further.
    own = trees_.join(own, trees_.deep(tree));
    return;
  }
  MarkTreeId elements = trees_.raw_any_child(tree);
  if (elements != tree) flatten_tree(elements, Type(), depth + 1, own, each);
}

bool BodyMarks::never_null(InstId id) const {
  for (unsigned i = 0; i < MarkTrees::kMaxDepth && body_.inst(id).kind == OpKind::Local; ++i) id = body_.operand(id, 0);
  OpKind kind = body_.inst(id).kind;
  return kind == OpKind::Object || kind == OpKind::ObjectKeyed || kind == OpKind::ForObject;
}

MarkTreeId BodyMarks::call(InstId id) {
  const Inst& inst = body_.inst(id);
  std::optional<FunctionId> function = find_function(program_.text(NameId(inst.payload)));
  // An unknown function is an error of lowering.
  if (!function || inst.operand_count == 0) return union_of_operands(id);
  const FunctionInfo& info = function_info(*function);
  bool expands = (inst.flags & kExpandLast) != 0;
  if (info.marks == MarkTransfer::Clean) return trees_.clean();
  if (info.marks == MarkTransfer::Union) return union_of_operands(id);
  if (info.marks == MarkTransfer::Try && !expands) return try_first(id);
  if (info.marks == MarkTransfer::Flatten && !expands) {
    MarkTreeId own = trees_.own(operand_tree(id, 0));
    MarkTreeId each = trees_.clean();
    flatten(body_.operand(id, 0), 0, own, each);
    return trees_.join(own, trees_.with_each(each));
  }
  std::vector<CallArgument> arguments;
  MarkTreeId expanded = trees_.clean();
  for (uint32_t n = 0; n < inst.operand_count; ++n) {
    InstId operand = body_.operand(id, n);
    CallArgument argument{tree(operand), type_of(operand), nullptr, false, never_null(operand), {}};
    const Inst& value = body_.inst(operand);
    if (value.kind == OpKind::Const) argument.constant = &body_.constant(operand);
    if (value.kind == OpKind::Tuple && info.marks == MarkTransfer::Zipmap) {
      for (uint32_t element : body_.operand_indexes(operand)) {
        std::optional<FieldKey> key;
        if (body_.inst(InstId(element)).kind == OpKind::Const)
          key = constant_key(*program_.names, body_.constant(InstId(element)));
        if (!key) {
          argument.keys.clear();
          break;
        }
        argument.keys.push_back(*key);
      }
    }
    if (!expands || n + 1 < inst.operand_count) {
      arguments.push_back(std::move(argument));
      continue;
    }
    expanded = trees_.own(argument.tree);
    if (argument.type.kind() == TypeKind::Tuple) {
      for (size_t i = 0; i < argument.type.elements().size(); ++i)
        arguments.push_back(
            {trees_.child(argument.tree, index_key(i)), argument.type.elements()[i], nullptr, false, false, {}});
    } else {
      arguments.push_back({trees_.any_child(argument.tree), Type(), nullptr, true, false, {}});
    }
  }
  MarkTreeId result = trees_.join(expanded, call_marks(trees_, *program_.names, info, arguments, type_of(id)));
  // What elements become where they are of several types may be sets, which have no marks of their elements.
  bool may_become_sets = info.marks == MarkTransfer::Convert && type_of(id).has_dynamic();
  return may_become_sets && may_hold_set(body_.operand(id, 0)) ? raised(result) : result;
}

}  // namespace pravo::passes
