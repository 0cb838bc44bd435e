// Types that cannot fit, whatever the values are.
#include "frontend/lower/body.h"

#include "ir/convert.h"
#include "ir/diagnostics/lower.h"
#include "ir/misfit.h"

namespace pravo::lower {

TypeId BodyLowering::element_hint(InstId id) const {
  auto it = element_hints_.find(id.index);
  return it == element_hints_.end() ? types_.any : it->second;
}

void BodyLowering::set_element_hint(InstId id, TypeId element) {
  if (element != types_.any) element_hints_[id.index] = element;
}

bool BodyLowering::declared(InstId id) const {
  // A cycle of locals that is not reported yet must not hold this up.
  constexpr unsigned kMaxSteps = 100'000;
  for (unsigned step = 0; step < kMaxSteps; ++step) {
    const Inst& inst = body_.inst(id);
    switch (inst.kind) {
      case OpKind::Variable:
      case OpKind::Resource:
      case OpKind::Data:
      case OpKind::Ephemeral:
        return true;
      case OpKind::Local:
      case OpKind::Attr:
      case OpKind::Index:
      case OpKind::At:
      case OpKind::Collect:
      case OpKind::Each:
      case OpKind::ExpandForEach:
      case OpKind::ForList:
      case OpKind::ForObject:
      case OpKind::Splat:
      case OpKind::MarkAdd:
      case OpKind::MarkRemove:
        if (inst.operand_count == 0) return false;
        id = body_.operand(id, 0);
        continue;
      case OpKind::Const:
      case OpKind::Env:
      case OpKind::Meta:
      case OpKind::Unknown:
      case OpKind::Call:
      case OpKind::Binary:
      case OpKind::Unary:
      case OpKind::Template:
      case OpKind::TemplateJoin:
      case OpKind::Convert:
      case OpKind::Object:
      case OpKind::ObjectKeyed:
      case OpKind::Tuple:
      case OpKind::Blocks:
      case OpKind::Cond:
      case OpKind::Yield:
      case OpKind::ExpandCount:
      case OpKind::Key:
      case OpKind::ModuleInstance:
      case OpKind::ModuleArg:
      case OpKind::ModuleOut:
      case OpKind::Provider:
      case OpKind::ProviderCall:
      case OpKind::Output:
      case OpKind::Check:
      case OpKind::Condition:
      case OpKind::Use:
        return false;
    }
    PRAVOC_UNREACHABLE();
  }
  return false;
}

bool BodyLowering::has_elements(InstId id) const {
  constexpr unsigned kMaxSteps = 1000;
  for (unsigned step = 0; step < kMaxSteps; ++step) {
    const Inst& inst = body_.inst(id);
    if (inst.kind == OpKind::Tuple || inst.kind == OpKind::Object || inst.kind == OpKind::ObjectKeyed)
      return inst.operand_count > 0;
    // A conversion keeps at least one.
    std::string_view called = inst.kind == OpKind::Call ? text(NameId(inst.payload)) : std::string_view();
    bool same = inst.kind == OpKind::Local || called == "toset" || called == "tolist" || called == "tomap";
    if (!same || inst.operand_count == 0) return false;
    id = body_.operand(id, 0);
  }
  return false;
}

bool BodyLowering::tests_for_faults(hcl::NodeId n) const {
  llvm::SmallVector<hcl::NodeId, 16> todo{n};
  while (!todo.empty()) {
    hcl::NodeId at = todo.pop_back_val();
    if (tree_->kind(at) == hcl::NodeKind::Call) {
      std::optional<FunctionId> function = find_function(text(tree_->child(at, 0)));
      if (function && function_info(*function).lazy) return true;
    }
    for (uint32_t i = 0; i < tree_->child_count(at); ++i) todo.push_back(tree_->child(at, i));
  }
  return false;
}

bool BodyLowering::is_resource_path(InstId id) const {
  while (body_.inst(id).kind == OpKind::Attr || body_.inst(id).kind == OpKind::At) id = body_.operand(id, 0);
  OpKind kind = body_.inst(id).kind;
  return kind == OpKind::Resource || kind == OpKind::Data || kind == OpKind::Ephemeral;
}

TypeId BodyLowering::attribute_type(Ref base, std::string_view name, SourceRange step, bool* fault) {
  *fault = false;
  TypeId base_type = type_of(base);
  if (base_type == types_.any) return types_.any;
  if (std::optional<TypeId> type = types_.attribute(base_type, name)) return *type;
  if (!reports_types(base) && !is_resource_path(base.id)) return types_.any;
  *fault = true;
  const Type& type = types_.get(base_type);
  if (type.kind() != TypeKind::Object) {
    auto builder = report(step, diag::NoAttributes, type.friendly_name(), name);
    if (type.kind() == TypeKind::List || type.kind() == TypeKind::Tuple || type.kind() == TypeKind::Set)
      builder.help(fmt::format("did you mean `[*].{}`, the attribute of each element?", name));
    return types_.any;
  }
  std::vector<std::string_view> names;
  if (shared_.may_look(type.keys().size()))
    for (const Str& key : type.keys().all()) names.push_back(key.view());
  std::string help = suggestion(name, names, "");
  if (help.empty()) help = attributes_of(base, name, names);
  report(step, diag::NoSuchAttribute, name).help(help);
  return types_.any;
}

// What an object has instead of the attribute it was asked for.
std::string BodyLowering::attributes_of(Ref base, std::string_view asked,
                                        std::span<const std::string_view> names) const {
  const Inst& inst = body_.inst(base.id);
  const bool remote_state =
      inst.kind == OpKind::Data && std::find(names.begin(), names.end(), "outputs") != names.end();
  if (remote_state) return fmt::format("what the other configuration gives out is in `outputs`: `outputs.{}`", asked);
  constexpr size_t kMostNames = 8;
  if (names.empty()) return {};
  std::string list;
  for (size_t i = 0; i < names.size() && i < kMostNames; ++i)
    list += fmt::format("{}`{}`", i == 0 ? "" : ", ", names[i]);
  if (names.size() > kMostNames) list += fmt::format(" and {} more", names.size() - kMostNames);
  return fmt::format("it has {}", list);
}

TypeId BodyLowering::index_type(Ref base, Ref key, SourceRange step, bool* fault) {
  *fault = false;
  TypeId base_type = type_of(base);
  // A key that is a literal.
  const Value* literal = nullptr;
  if (body_.inst(key.id).kind == OpKind::Const) {
    literal = &body_.constant(key.id);
    if (literal->is_null()) literal = nullptr;
  }
  switch (types_.get(base_type).kind()) {
    case TypeKind::Dynamic:
      return element_hint(base.id);
    case TypeKind::List:
      want(key, types_.number, "the index of a list");
      return types_.element(base_type);
    case TypeKind::Map:
      want(key, types_.string, "the key of a map");
      return types_.element(base_type);
    case TypeKind::Tuple: {
      want(key, types_.number, "the index of a tuple");
      if (literal == nullptr || literal->kind() != ValueKind::Number) return types_.element(base_type);
      std::optional<int64_t> index = literal->as_number().to_int64();
      // Out of range is a fault of the value, which a condition around it may exclude: folding reports it.
      if (!index || *index < 0) return types_.any;
      return types_.element(base_type, static_cast<uint64_t>(*index)).value_or(types_.any);
    }
    case TypeKind::Object:
      want(key, types_.string, "the key of an object");
      if (literal == nullptr || literal->kind() != ValueKind::String) return types_.element(base_type);
      return attribute_type(base, literal->as_string(), step, fault);
    case TypeKind::Bool:
    case TypeKind::Number:
    case TypeKind::String:
    case TypeKind::Set:
      break;
  }
  if (!reports_types(base) && !(literal != nullptr && is_resource_path(base.id))) return types_.any;
  *fault = true;
  auto builder = report(step, diag::NoElements, types_.get(base_type).friendly_name());
  if (types_.get(base_type).kind() == TypeKind::Set)
    builder.help("elements of a set have no index; `tolist()` gives them one, `one()` takes the only one");
  return types_.any;
}

Types::Step BodyLowering::iteration_type(Ref source, bool splat) {
  TypeId type = type_of(source);
  TypeKind kind = types_.get(type).kind();
  if (kind == TypeKind::Dynamic) return {types_.any, element_hint(source.id)};
  // A splat makes a list of whatever is none.
  if (splat && kind != TypeKind::List && kind != TypeKind::Set && kind != TypeKind::Tuple) return {types_.number, type};
  if (std::optional<Types::Step> step = types_.iterate(type)) return *step;
  if (reports_types(source)) report(source.range, diag::NotIterable, types_.get(type).friendly_name());
  return {types_.any, types_.any};
}

void BodyLowering::want(Ref operand, TypeId wanted, std::string_view what) {
  TypeId given = type_of(operand);
  if (given == wanted || given == types_.any || wanted == types_.any || !types_.certain(given)) return;
  const Type& from = types_.get(given);
  const Type& to = types_.get(wanted);
  if (can_convert(from, to)) return;
  if (!reports_types(operand)) return;
  report(operand.range, diag::WrongType, what, described(to), described(from));
}

// What is known of a value before anything is evaluated: constants are there, all else is an unknown of its type.
Value BodyLowering::abstract_value(InstId id, unsigned depth) const {
  constexpr unsigned kMaxAbstractDepth = 32;
  const Inst& inst = body_.inst(id);
  if (depth < kMaxAbstractDepth) {
    if (inst.kind == OpKind::Const) return body_.constant(id);
    if (inst.kind == OpKind::Tuple) {
      std::vector<Value> elements;
      elements.reserve(inst.operand_count);
      for (uint32_t i = 0; i < inst.operand_count; ++i)
        elements.push_back(abstract_value(body_.operand(id, i), depth + 1));
      return Value::tuple(std::move(elements));
    }
    if (inst.kind == OpKind::Object) {
      std::vector<std::pair<Str, Value>> fields;
      fields.reserve(inst.operand_count);
      for (uint32_t i = 0; i < inst.operand_count; ++i)
        fields.emplace_back(Str(text(body_.fields(id)[i])), abstract_value(body_.operand(id, i), depth + 1));
      return Value::object(std::move(fields));
    }
  }
  return Value::unknown(types_.get(inst.type));
}

std::optional<std::string> BodyLowering::misfit(Ref value, const TypeConstraint& wanted) {
  if (wanted.type.is_dynamic() || type_of(value) == types_.any || !reports_types(value)) return std::nullopt;
  Result<Value> converted = convert_with_defaults(abstract_value(value.id, 0), wanted);
  if (converted.ok()) return std::nullopt;
  // No type and no constant here is secret: they are the source's own.
  return converted.error().text();
}

void BodyLowering::want_constraint(Ref value, const TypeConstraint& wanted, std::string_view what) {
  if (std::optional<std::string> fault = misfit(value, wanted))
    report(value.range, diag::UnsuitableArgument, what, *fault);
}

}  // namespace pravo::lower
