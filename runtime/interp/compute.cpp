// What each instruction without regions does with operands that are there.
#include "runtime/interp/machine.h"

namespace pravo::runtime {

const Value& Interpreter::Machine::Operands::operator[](uint32_t n) const {
  InstId operand = module.body().operand(inst, n);
  if (frame != nullptr) return machine.part_value(*frame, operand);
  return machine.value(module, operand, row);
}

uint32_t Interpreter::Machine::Operands::count() const { return module.body().inst(inst).operand_count; }

namespace {

BinaryOp binary_op(uint32_t payload) {
  switch (static_cast<BinaryKind>(payload)) {
    case BinaryKind::Or:
      return BinaryOp::Or;
    case BinaryKind::And:
      return BinaryOp::And;
    case BinaryKind::Equal:
      return BinaryOp::Equal;
    case BinaryKind::NotEqual:
      return BinaryOp::NotEqual;
    case BinaryKind::Less:
      return BinaryOp::Less;
    case BinaryKind::Greater:
      return BinaryOp::Greater;
    case BinaryKind::LessEqual:
      return BinaryOp::LessEqual;
    case BinaryKind::GreaterEqual:
      return BinaryOp::GreaterEqual;
    case BinaryKind::Add:
      return BinaryOp::Add;
    case BinaryKind::Subtract:
      return BinaryOp::Subtract;
    case BinaryKind::Multiply:
      return BinaryOp::Multiply;
    case BinaryKind::Divide:
      return BinaryOp::Divide;
    case BinaryKind::Modulo:
      return BinaryOp::Modulo;
  }
  PRAVOC_UNREACHABLE();
}

UnaryOp unary_op(uint32_t payload) {
  switch (static_cast<UnaryKind>(payload)) {
    case UnaryKind::Negate:
      return UnaryOp::Negate;
    case UnaryKind::Not:
      return UnaryOp::Not;
  }
  PRAVOC_UNREACHABLE();
}

}  // namespace

Result<Value> Interpreter::Machine::compute(const Operands& operands) {
  const ModuleBody& body = operands.module.body();
  const Inst& inst = body.inst(operands.inst);
  switch (inst.kind) {
    case OpKind::Const:
      return body.constant(operands.inst);
    case OpKind::Local:
    case OpKind::ModuleArg:
    case OpKind::Provider:
    case OpKind::Use:
      return operands[0];
    case OpKind::Env:
      return fail(EvalErrorKind::Refused, "values of the environment are not available here");
    case OpKind::Meta:
      return meta(operands.module, in_.program_.text(NameId(inst.payload)));
    case OpKind::Unknown:
      return Value::unknown(inst.type.valid() ? in_.program_.type(inst.type) : Type());
    case OpKind::Call:
      return call(operands);
    case OpKind::ProviderCall:
      return provider_call(operands);
    case OpKind::Binary:
      return binary(binary_op(inst.payload), operands[0], operands[1]);
    case OpKind::Unary:
      return unary(unary_op(inst.payload), operands[0]);
    case OpKind::Template: {
      std::vector<Value> parts;
      parts.reserve(operands.count());
      for (uint32_t i = 0; i < operands.count(); ++i) parts.push_back(operands[i]);
      // A template of one directive is a string all the same.
      if (parts.size() == 1 && (inst.flags & kFromSyntax) != 0) parts.push_back(Value::string(""));
      return join_template(parts);
    }
    case OpKind::TemplateJoin:
      return join_strings(operands[0]);
    case OpKind::Index:
      return index(operands[0], operands[1]);
    case OpKind::Attr:
      return attribute(operands[0], in_.program_.text(NameId(inst.payload)));
    case OpKind::Convert:
      return convert(operands[0], in_.program_.type(inst.type));
    case OpKind::Object:
      return build_object(operands);
    case OpKind::ObjectKeyed: {
      std::vector<std::pair<Value, Value>> entries;
      entries.reserve(operands.count() / 2);
      for (uint32_t i = 0; i + 1 < operands.count(); i += 2) entries.emplace_back(operands[i], operands[i + 1]);
      return make_object(std::move(entries));
    }
    case OpKind::Tuple: {
      std::vector<Value> elements;
      elements.reserve(operands.count());
      for (uint32_t i = 0; i < operands.count(); ++i) elements.push_back(operands[i]);
      return make_tuple(std::move(elements));
    }
    case OpKind::Blocks:
      return build_blocks(operands);
    case OpKind::MarkAdd:
      return operands[0].with_marks(inst.marks);
    case OpKind::MarkRemove:
      return operands[0].without_marks(inst.marks);
    case OpKind::Key: {
      InstId owner = body.operand(operands.inst, 0);
      return operands.module.domains[operands.module.layout->domain_of_expand(owner)].domain.key_value(operands.row);
    }
    case OpKind::Each: {
      InstId owner = body.operand(operands.inst, 0);
      const Domain& domain = operands.module.domains[operands.module.layout->domain_of_expand(owner)].domain;
      if (domain.kind != Domain::Kind::ForEach)
        return fail(EvalErrorKind::Type, "`each.value` is there only with `for_each`");
      return domain.each_value(operands.row);
    }
    case OpKind::Variable:
    case OpKind::Splat:
    case OpKind::Cond:
    case OpKind::ForList:
    case OpKind::ForObject:
    case OpKind::Yield:
    case OpKind::ExpandCount:
    case OpKind::ExpandForEach:
    case OpKind::At:
    case OpKind::Collect:
    case OpKind::ModuleInstance:
    case OpKind::ModuleOut:
    case OpKind::Resource:
    case OpKind::Data:
    case OpKind::Ephemeral:
    case OpKind::Output:
    case OpKind::Check:
    case OpKind::Condition:
      break;
  }
  PRAVOC_UNREACHABLE();
}

Result<Value> Interpreter::Machine::meta(ModuleInstance& module, std::string_view name) {
  if (name == "path.module") return Value::string(module.body().directory);
  if (name == "path.root") return Value::string(in_.options_.root_directory);
  if (name == "path.cwd") return Value::string(in_.options_.working_directory);
  if (name == "terraform.workspace") return Value::string(in_.options_.workspace);
  if (name == "terraform.applying") return Value::boolean(in_.options_.applying).with_marks(MarkSet::Ephemeral);
  return fail(EvalErrorKind::Missing, fmt::format("there is no `{}`", name));
}

Result<Value> Interpreter::Machine::build_object(const Operands& operands) {
  const ModuleBody& body = operands.module.body();
  const KeySetOrder& order = in_.object_order(body, operands.inst);
  std::vector<Value> values;
  values.reserve(order.operands.size());
  for (uint32_t operand : order.operands) values.push_back(operands[operand]);
  return make_object(order.keys, std::move(values));
}

// A spread operand stands for any number of blocks, each other one for itself.
Result<Value> Interpreter::Machine::build_blocks(const Operands& operands) {
  const ModuleBody& body = operands.module.body();
  std::span<const NameId> spread = body.fields(operands.inst);
  std::vector<Value> blocks;
  MarkSet marks = MarkSet::None;
  bool unknown = false;
  for (uint32_t i = 0; i < operands.count(); ++i) {
    const Value& v = operands[i];
    if (!spread[i].valid()) {
      blocks.push_back(v);
      continue;
    }
    marks |= v.marks();
    if (v.is_unknown() || v.is_null()) {
      unknown = true;
      continue;
    }
    for (const Value& element : v.elements()) blocks.push_back(element);
  }
  if (unknown) return Value::unknown().with_marks(marks);
  PRAVO_TRY(out, make_tuple(std::move(blocks)));
  return out.with_marks(marks);
}

// The elements of what stands before `...`, each with its marks; nothing where that is not known, and then its marks
// are lost, as in Terraform.
Result<std::optional<std::vector<Value>>> Interpreter::Machine::expanded(const Value& list, uint32_t operand) {
  if (list.is_null()) return fail(EvalErrorKind::Null, "the argument before `...` is null", static_cast<int>(operand));
  Type type = list.type();
  bool sequence = type.kind() == TypeKind::List || type.kind() == TypeKind::Set || type.kind() == TypeKind::Tuple;
  if (!sequence && !type.is_dynamic())
    return fail(EvalErrorKind::Type, "the argument before `...` must be a list, set or tuple",
                static_cast<int>(operand));
  if (list.is_unknown()) return std::optional<std::vector<Value>>();
  std::vector<Value> elements;
  for (const Value& element : list.elements()) elements.push_back(element.with_marks(list.marks()));
  return std::optional<std::vector<Value>>(std::move(elements));
}

// The arguments of a call. With `list...` the elements of the last operand take its place, marked as the list is;
// `unknown` where it is not known how many there are.
Result<std::vector<Value>> Interpreter::Machine::arguments(const Operands& operands, bool& unknown) {
  const Inst& inst = operands.module.body().inst(operands.inst);
  std::vector<Value> out;
  out.reserve(operands.count());
  bool expand_last = (inst.flags & kExpandLast) != 0;
  for (uint32_t i = 0; i < operands.count(); ++i) {
    const Value& v = operands[i];
    if (!expand_last || i + 1 != operands.count()) {
      out.push_back(v);
      continue;
    }
    PRAVO_TRY(elements, expanded(v, i));
    unknown = !elements;
    if (unknown) continue;
    out.insert(out.end(), elements->begin(), elements->end());
  }
  return out;
}

Result<Value> Interpreter::Machine::call(const Operands& operands) {
  const Inst& inst = operands.module.body().inst(operands.inst);
  std::optional<FunctionId> function = in_.function(inst);
  if (!function)
    return fail(EvalErrorKind::Call, fmt::format("there is no function `{}`", in_.program_.text(NameId(inst.payload))));
  bool unknown = false;
  PRAVO_TRY(args, arguments(operands, unknown));
  if (unknown) return Value::unknown();
  Result<Value> result = call_function(*function, args, in_.host_);
  if (!result.ok()) {
    // Elements of an expanded list have no place of their own.
    std::unique_ptr<EvalError> error = result.take_error();
    if (error->argument >= static_cast<int>(operands.count())) error->argument = static_cast<int>(operands.count()) - 1;
    return error;
  }
  return result;
}

Result<Value> Interpreter::Machine::lazy_call(const Inst& inst, llvm::function_ref<Result<Value>(size_t)> argument) {
  size_t count = inst.operand_count;
  std::vector<Value> rest;
  // The list itself is no argument: that it fails is not caught.
  if ((inst.flags & kExpandLast) != 0) {
    PRAVO_TRY(list, argument(--count));
    PRAVO_TRY(elements, expanded(list, static_cast<uint32_t>(count)));
    if (!elements) return Value::unknown();
    rest = std::move(*elements);
  }
  auto any_argument = [&](size_t i) -> Result<Value> { return i < count ? argument(i) : rest[i - count]; };
  size_t total = count + rest.size();
  if (in_.function(inst) != FunctionId::Can) return evaluate_try(total, any_argument);
  if (total != 1) return fail(EvalErrorKind::Call, fmt::format("`can` takes one argument, not {}", total));
  return evaluate_can([&] { return any_argument(0); });
}

Result<Value> Interpreter::Machine::provider_call(const Operands& operands) {
  MarkSet marks = MarkSet::None;
  bool unknown = false;
  PRAVO_TRY(args, arguments(operands, unknown));
  // Providers know nothing of marks: they get values without, and everything that was marked marks the result.
  for (Value& arg : args) {
    marks |= arg.deep_marks();
    arg = arg.without_deep_marks();
  }
  if (unknown) return Value::unknown().with_marks(marks);
  std::string_view name = in_.program_.text(NameId(operands.module.body().inst(operands.inst).payload));
  PRAVO_TRY(result, in_.effects_.call_provider_function(name, args));
  return result.with_marks(marks);
}

Interpreter::Machine::Row Interpreter::Machine::find_row(const ModuleInstance& module, InstId base,
                                                         const Domain& domain, const Value& key) {
  Row out{Row::State::Error};
  if (key.is_unknown()) {
    out.state = Row::State::Unknown;
    return out;
  }
  bool count = domain.kind == Domain::Kind::Count;
  std::string_view what =
      module.body().inst(base).kind == OpKind::ModuleOut || module.body().inst(base).kind == OpKind::Object
          ? "module call"
          : "resource";
  out.error.argument = 1;
  if (key.is_null()) {
    out.error.kind = EvalErrorKind::Null;
    out.error.message = "the instance key is null";
    return out;
  }
  Result<Value> converted = convert(key.without_marks(), count ? Type::number() : Type::string());
  if (!converted.ok()) {
    out.error.kind = EvalErrorKind::Type;
    out.error.message = count ? fmt::format("the {} uses `count`, so its instance keys are numbers", what)
                              : fmt::format("the {} uses `for_each`, so its instance keys are strings", what);
    return out;
  }
  InstanceKey wanted;
  bool usable = true;
  if (count) {
    std::optional<int64_t> number = converted->as_number().to_int64();
    usable = number && *number >= 0;
    if (usable) wanted = InstanceKey::at(static_cast<uint64_t>(*number));
  } else {
    wanted = InstanceKey::named(converted->as_str());
  }
  if (usable) out.row = domain.find(wanted);
  if (!usable || out.row == kNoIndex) {
    out.error.kind = EvalErrorKind::Missing;
    // A key that is marked may not be shown.
    out.error.message = any(key.deep_marks()) || !usable
                            ? fmt::format("the {} has no instance with this key", what)
                            : fmt::format("the {} has no instance `{}`", what, wanted.to_string());
    return out;
  }
  out.state = Row::State::Found;
  return out;
}

}  // namespace pravo::runtime
