#include "passes/mark_transfer.h"

#include <algorithm>

namespace pravo::passes {

namespace {

const Type kDynamic;

// Whether a type shows that it holds sets.
bool has_set(const Type& type) {
  if (type.kind() == TypeKind::Set) return true;
  if (type.is_collection()) return has_set(type.element());
  return type.is_structural() && std::any_of(type.elements().begin(), type.elements().end(), has_set);
}

}  // namespace

const Type& BodyMarks::type_of(InstId id) const {
  TypeId type = body_.inst(id).type;
  return type.valid() ? program_.type(type) : kDynamic;
}

MarkTreeId BodyMarks::union_of_operands(InstId id) {
  MarkTreeId result = trees_.clean();
  for (uint32_t operand : body_.operand_indexes(id))
    if (MarkTreeId part = tree(InstId(operand)); !trees_.is_clean(part))
      result = trees_.join(result, trees_.deep(part));
  return result;
}

MarkTreeId BodyMarks::transfer(InstId id) {
  const Inst& inst = body_.inst(id);
  switch (inst.kind) {
    case OpKind::Const:
    case OpKind::Unknown:
    case OpKind::Key:
    case OpKind::Yield:
    case OpKind::ExpandCount:
    case OpKind::ExpandForEach:
    case OpKind::ModuleInstance:
    case OpKind::Provider:
    case OpKind::Check:
    case OpKind::Condition:
    case OpKind::Use:
      return trees_.clean();
    case OpKind::Variable:
      return variable(id);
    case OpKind::Env:
      return trees_.leaf(inst.marks);
    case OpKind::Meta:
      return trees_.leaf(program_.text(NameId(inst.payload)) == "terraform.applying" ? MarkSet::Ephemeral
                                                                                     : MarkSet::None);
    case OpKind::Local:
    case OpKind::ModuleArg:
      return operand_tree(id, 0);
    case OpKind::Output:
      return trees_.with_whole(operand_tree(id, 0), inst.marks);
    case OpKind::Call:
      return call(id);
    case OpKind::Binary:
    case OpKind::Unary:
    case OpKind::Template:
    case OpKind::TemplateJoin:
    case OpKind::ProviderCall:
      return union_of_operands(id);
    case OpKind::Index: {
      InstId key = body_.operand(id, 1);
      MarkTreeId base = operand_tree(id, 0);
      std::optional<FieldKey> field;
      if (body_.inst(key).kind == OpKind::Const) field = constant_key(*program_.names, body_.constant(key));
      MarkTreeId element = field ? trees_.child(base, *field) : trees_.any_child(base);
      return trees_.join(element, trees_.deep(tree(key)));
    }
    case OpKind::Attr:
      return trees_.child(operand_tree(id, 0), field_key(*program_.names, NameId(inst.payload)));
    case OpKind::Splat:
      return splat(id);
    case OpKind::Convert:
      return trees_.convert(operand_tree(id, 0), type_of(body_.operand(id, 0)), type_of(id));
    case OpKind::Object: {
      std::span<const NameId> names = body_.fields(id);
      MarkFields fields;
      for (uint32_t i = 0; i < names.size(); ++i) {
        if (MarkTreeId part = operand_tree(id, i); !trees_.is_clean(part))
          fields.emplace_back(field_key(*program_.names, names[i]), part);
      }
      if (fields.empty()) return trees_.clean();
      return trees_.make(MarkSet::None, std::move(fields), trees_.clean());
    }
    case OpKind::ObjectKeyed:
      return object_keyed(id);
    case OpKind::Tuple: {
      MarkFields fields;
      for (uint32_t i = 0; i < inst.operand_count; ++i)
        if (MarkTreeId part = operand_tree(id, i); !trees_.is_clean(part)) fields.emplace_back(index_key(i), part);
      if (fields.empty()) return trees_.clean();
      return trees_.make(MarkSet::None, std::move(fields), trees_.clean());
    }
    case OpKind::Blocks:
      return blocks(id);
    case OpKind::Cond:
      return conditional(id);
    case OpKind::ForList:
      return for_list(id);
    case OpKind::ForObject:
      return for_object(id);
    case OpKind::Each:
      return each(body_.operand(id, 0));
    case OpKind::At:
      return trees_.join(operand_tree(id, 0), trees_.deep(operand_tree(id, 1)));
    case OpKind::Collect:
      return trees_.with_each(operand_tree(id, 0));
    case OpKind::ModuleOut:
      return module_out(id);
    case OpKind::Resource:
    case OpKind::Data:
    case OpKind::Ephemeral:
      return result(id);
    case OpKind::MarkAdd:
      return trees_.with_whole(operand_tree(id, 0), inst.marks);
    case OpKind::MarkRemove:
      return trees_.without_own(operand_tree(id, 0), inst.marks);
  }
  PRAVOC_UNREACHABLE();
}

MarkTreeId BodyMarks::variable(InstId id) {
  MarkTreeId declared = trees_.leaf(body_.inst(id).marks);
  uint32_t row = facts_.modules[module_].variable_row(id);
  if (body_.root || row == kNoRow) return declared;
  return trees_.join(declared, trees_.symbol(trees_.symbols().input(row)));
}

// An element of what a loop or an expansion iterates over, without the marks of the collection itself: those join the
// loop's result, and an expansion refuses them.
MarkTreeId BodyMarks::each(InstId owner) {
  if (auto it = bindings_.find(owner); it != bindings_.end()) return it->second;
  const Inst& inst = body_.inst(owner);
  if (inst.operand_count == 0 || inst.kind == OpKind::ExpandCount) return trees_.clean();
  MarkTreeId source = operand_tree(owner, 0);
  if (inst.kind != OpKind::Splat || is_sequence(body_.operand(owner, 0))) return trees_.raw_any_child(source);
  // A splat of anything but a sequence has that as its one element.
  if (type_of(body_.operand(owner, 0)).is_dynamic()) return trees_.join(trees_.raw_any_child(source), source);
  return source;
}

bool BodyMarks::is_sequence(InstId id) const {
  TypeKind type = type_of(id).kind();
  if (type != TypeKind::Dynamic) return type == TypeKind::List || type == TypeKind::Set || type == TypeKind::Tuple;
  std::vector<InstId> stack{id};
  for (unsigned steps = 0; !stack.empty(); ++steps) {
    constexpr unsigned kMaxSteps = 32;
    if (steps == kMaxSteps) return false;
    InstId at = stack.back();
    stack.pop_back();
    const Inst& inst = body_.inst(at);
    if (inst.kind == OpKind::Local) {
      stack.push_back(body_.operand(at, 0));
    } else if (inst.kind == OpKind::Cond) {
      for (uint32_t arm = 0; arm < 2; ++arm) stack.push_back(body_.operand(yield_of(at, arm), 0));
    } else if (inst.kind == OpKind::Collect) {
      InstId domain = body_.inst(body_.operand(at, 0)).domain;
      if (!domain.valid() || body_.inst(domain).kind != OpKind::ExpandCount) return false;
    } else if (inst.kind == OpKind::Call) {
      std::optional<FunctionId> function = find_function(program_.text(NameId(inst.payload)));
      if (!function) return false;
      const FunctionInfo& info = function_info(*function);
      TypeKind result = info.result.kind();
      bool sequence = result == TypeKind::List || result == TypeKind::Set || info.marks == MarkTransfer::Concat ||
                      info.marks == MarkTransfer::Values || info.marks == MarkTransfer::Flatten ||
                      info.marks == MarkTransfer::Product || info.marks == MarkTransfer::Elements;
      if (!sequence) return false;
    } else if (inst.kind != OpKind::ForList && inst.kind != OpKind::Tuple && inst.kind != OpKind::Splat) {
      return false;
    }
  }
  return true;
}

bool BodyMarks::may_hold_set(InstId id) const {
  constexpr unsigned kMaxSteps = 1000;
  std::vector<InstId> stack{id};
  auto push_operands = [&](InstId of) {
    for (uint32_t operand : body_.operand_indexes(of)) stack.push_back(InstId(operand));
  };
  for (unsigned steps = 0; !stack.empty() && steps < kMaxSteps; ++steps) {
    InstId at = stack.back();
    stack.pop_back();
    if (has_set(type_of(at))) return true;
    OpKind kind = body_.inst(at).kind;
    if (kind == OpKind::Cond)
      for (uint32_t arm = 0; arm < 2; ++arm) push_operands(yield_of(at, arm));
    else if (kind == OpKind::ForList || kind == OpKind::ForObject || kind == OpKind::Splat)
      push_operands(yield_of(at, 0));
    else if (kind == OpKind::Local || kind == OpKind::Tuple || kind == OpKind::Object || kind == OpKind::ObjectKeyed ||
             kind == OpKind::MarkAdd || kind == OpKind::MarkRemove || kind == OpKind::Call)
      push_operands(at);
  }
  // What was not looked at may hold one.
  return !stack.empty();
}

MarkTreeId BodyMarks::raised(MarkTreeId tree) {
  const MarkNode node = trees_[tree];
  if (node.depth == 0) return tree;
  MarkFields fields = node.fields;
  for (auto& [key, child] : fields) child = raised(child);
  MarkTreeId each = raised(node.each);
  MarkTreeId children = trees_.make(MarkSet::None, std::move(fields), each);
  return trees_.join(children, trees_.deep(tree));
}

MarkTreeId BodyMarks::conditional(InstId id) {
  MarkTreeId result = trees_.deep(operand_tree(id, 0));
  const InstId arms[] = {body_.operand(yield_of(id, 0), 0), body_.operand(yield_of(id, 1), 0)};
  for (InstId value : arms) result = trees_.join(result, trees_.convert(tree(value), type_of(value), type_of(id)));
  if (trees_.is_clean(result)) return result;
  // Where the arms' common type is not known, a set in one of them may make one of the other, and sets have no marks
  // of their elements.
  bool becomes_set = type_of(id).has_dynamic() && (may_hold_set(arms[0]) || may_hold_set(arms[1]));
  return becomes_set ? raised(result) : result;
}

MarkTreeId BodyMarks::for_list(InstId id) {
  InstId yield = yield_of(id, 0);
  MarkTreeId result = trees_.own(operand_tree(id, 0));
  if (body_.inst(yield).operand_count > 1) result = trees_.join(result, trees_.deep(operand_tree(yield, 1)));
  if (auto elements = elementwise(id)) return trees_.join(result, *elements);
  return trees_.join(result, trees_.with_each(operand_tree(yield, 0)));
}

MarkTreeId BodyMarks::for_object(InstId id) {
  InstId yield = yield_of(id, 0);
  InstId key = body_.operand(yield, 0);
  MarkTreeId result = trees_.own(operand_tree(id, 0));
  result = trees_.join(result, trees_.deep(tree(key)));
  if (body_.inst(yield).operand_count > 2) result = trees_.join(result, trees_.deep(operand_tree(yield, 2)));
  if (auto elements = elementwise(id)) return trees_.join(result, *elements);
  MarkTreeId value = operand_tree(yield, 1);
  if ((body_.inst(id).flags & kGrouped) != 0) value = trees_.with_each(value);
  return trees_.join(result, trees_.with_each(value));
}

MarkTreeId BodyMarks::splat(InstId id) {
  MarkTreeId result = trees_.own(operand_tree(id, 0));
  if (auto elements = elementwise(id)) return trees_.join(result, *elements);
  return trees_.join(result, trees_.with_each(operand_tree(yield_of(id, 0), 0)));
}

MarkTreeId BodyMarks::object_keyed(InstId id) {
  MarkTreeId result = trees_.clean();
  MarkFields fields;
  MarkTreeId each = trees_.clean();
  const Inst& inst = body_.inst(id);
  for (uint32_t i = 0; i + 1 < inst.operand_count; i += 2) {
    InstId key = body_.operand(id, i);
    MarkTreeId value = operand_tree(id, i + 1);
    std::optional<FieldKey> field;
    if (body_.inst(key).kind == OpKind::Const) field = constant_key(*program_.names, body_.constant(key));
    if (field)
      fields.emplace_back(*field, value);
    else
      each = trees_.join(each, value);
    result = trees_.join(result, trees_.deep(tree(key)));
  }
  // A computed key may be equal to a constant one, before or after it.
  if (!trees_.is_clean(each))
    for (auto& [key, child] : fields) child = trees_.join(child, each);
  return trees_.join(result, trees_.make(MarkSet::None, std::move(fields), each));
}

MarkTreeId BodyMarks::blocks(InstId id) {
  MarkTreeId result = trees_.clean();
  MarkFields fields;
  MarkTreeId each = trees_.clean();
  std::span<const NameId> spread = body_.fields(id);
  bool counted = true;
  for (uint32_t i = 0; i < spread.size(); ++i) {
    MarkTreeId part = operand_tree(id, i);
    if (spread[i].valid()) {
      counted = false;
      result = trees_.join(result, trees_.own(part));
      each = trees_.join(each, trees_.raw_any_child(part));
    } else if (counted) {
      fields.emplace_back(index_key(i), part);
    } else {
      each = trees_.join(each, part);
    }
  }
  return trees_.join(result, trees_.make(MarkSet::None, std::move(fields), each));
}

MarkTreeId BodyMarks::module_out(InstId id) {
  const Inst& inst = body_.inst(id);
  uint32_t call = body_.inst(body_.operand(id, 0)).payload;
  ModuleId target = body_.calls[call].target;
  // A module that is not installed was warned of: nothing is known of its outputs.
  if (!target.valid()) return trees_.clean();
  uint32_t row = facts_.modules[target].output(NameId(inst.payload));
  if (row == kNoRow) return trees_.clean();
  const OutputSummary& summary = facts_.outputs[target.index][row];
  if (!trees_[summary.tree].symbolic) return summary.tree;
  std::vector<uint32_t> rows = summary.inputs;
  if (summary.all_inputs) {
    rows.clear();
    for (uint32_t i = 0; i < program_.body(target).variables.size(); ++i) rows.push_back(i);
  }
  std::vector<MarkTreeId> inputs = call_inputs(program_, facts_, module_, CallId(call), rows);
  return MarkTrees::Substitution(trees_, inputs)(summary.tree);
}

}  // namespace pravo::passes
