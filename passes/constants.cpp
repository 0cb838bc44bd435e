#include "passes/constants.h"

#include <algorithm>
#include <array>

#include "ir/check.h"
#include "ir/convert.h"
#include "ir/limits.h"
#include "ir/walk.h"
#include "passes/module_index.h"

namespace pravo::passes {

namespace {

constexpr size_t kMaxWeight = 1024;
constexpr size_t kMaxString = 1024;
constexpr uint64_t kMaxBytes = 64 * kMaxWeight + kMaxString * kMaxWeight;
// Of instructions that wait for each other; what is deeper is not looked at.
constexpr uint32_t kMaxDepth = 200;

constexpr std::array<std::string_view, 6> kAmplifiers = {"format",     "formatlist",     "indent",
                                                         "setproduct", "templatestring", "yamldecode"};

}  // namespace

bool is_small(const Value& value) {
  if (value.kind() == ValueKind::Number || value.kind() == ValueKind::Bool) return true;
  if (value.kind() == ValueKind::String) return value.as_string().size() <= kMaxString;
  // Also counts the types of what is empty, null or unknown.
  if (size_of(value) > kMaxBytes) return false;
  size_t weight = 0;
  bool small = true;
  value.walk([&](std::span<const PathStep>, const Value& part) {
    weight += 1;
    if (part.kind() == ValueKind::String && part.as_string().size() > kMaxString) small = false;
    small = small && weight <= kMaxWeight;
    return small;
  });
  return small;
}

bool may_amplify(std::string_view function, std::span<const Value> arguments) {
  if (std::find(kAmplifiers.begin(), kAmplifiers.end(), function) == kAmplifiers.end()) return false;
  // Only a width makes text grow, and that is a number.
  return function != "format" || arguments.empty() || arguments[0].kind() != ValueKind::String ||
         arguments[0].as_string().find_first_of("0123456789*") != std::string_view::npos;
}

// What this pass cannot look at is unknown to it, and no fault of the expression.
ModuleConstants::Outcome ModuleConstants::settle(InstId id, Result<Value> result) const {
  if (result.ok()) {
    if (is_small(*result)) return {std::move(*result), nullptr, id};
    return {Value::unknown().with_marks(result->deep_marks()), nullptr, id};
  }
  bool refused = result.error().kind == EvalErrorKind::Refused || result.error().kind == EvalErrorKind::Host;
  if (refused) return {Value::unknown(), nullptr, id};
  return {Value::unknown(), std::shared_ptr<const EvalError>(result.take_error()), id};
}

const ModuleConstants::Outcome& ModuleConstants::evaluate(InstId id) {
  auto known = outcomes_.find(id);
  return known != outcomes_.end() ? known->second : evaluate_again(id);
}

const ModuleConstants::Outcome& ModuleConstants::evaluate_again(InstId id) {
  // Unknown is also what a value that waits for itself finds.
  Outcome& entry = outcomes_.insert_or_assign(id, Outcome{Value::unknown(), nullptr, id}).first->second;
  if (depth_ >= kMaxDepth || budget_.steps == 0) return entry;
  --budget_.steps;
  ++depth_;
  Outcome outcome = compute(id);
  --depth_;
  entry = std::move(outcome);
  return entry;
}

ModuleConstants::Outcome ModuleConstants::compute(InstId id) {
  const Inst& inst = body_.inst(id);
  switch (inst.kind) {
    case OpKind::Const:
      return settle(id, body_.constant(id));
    case OpKind::Variable:
      return settle(id, variable(id));
    case OpKind::Local:
    case OpKind::ModuleArg:
      return inst.domain.valid() ? Outcome{} : evaluate(body_.operand(id, 0));
    case OpKind::Call: {
      auto function = find_function(program_.text(NameId(inst.payload)));
      if (!function || inst.domain.valid()) return {};
      return function_info(*function).lazy ? lazy(id) : compute_operands(id);
    }
    case OpKind::Binary:
      return inst.domain.valid() ? Outcome{} : binary_of(id);
    case OpKind::Unary:
    case OpKind::Template:
    case OpKind::TemplateJoin:
    case OpKind::Index:
    case OpKind::Attr:
    case OpKind::Convert:
    case OpKind::Object:
    case OpKind::ObjectKeyed:
    case OpKind::Tuple:
    case OpKind::MarkAdd:
    case OpKind::MarkRemove:
      return inst.domain.valid() ? Outcome{} : compute_operands(id);
    case OpKind::Key:
    case OpKind::Each:
      return element(id);
    case OpKind::Cond:
      return inst.domain.valid() ? Outcome{} : cond(id);
    case OpKind::ForList:
    case OpKind::ForObject:
      return inst.domain.valid() ? Outcome{} : loop(id);
    case OpKind::Splat:
      return inst.domain.valid() ? Outcome{} : splat(id);
    case OpKind::Env:
    case OpKind::Meta:
    case OpKind::Unknown:
    case OpKind::Blocks:
    case OpKind::Yield:
    case OpKind::ExpandCount:
    case OpKind::ExpandForEach:
    case OpKind::At:
    case OpKind::Collect:
    case OpKind::ModuleInstance:
    case OpKind::ModuleOut:
    case OpKind::Provider:
    case OpKind::Resource:
    case OpKind::Data:
    case OpKind::Ephemeral:
    case OpKind::ProviderCall:
    case OpKind::Output:
    case OpKind::Check:
    case OpKind::Condition:
    case OpKind::Use:
      return {};
  }
  PRAVOC_UNREACHABLE();
}

// A variable is what the call gives it, or its default. A value that does not fit is reported elsewhere.
Value ModuleConstants::variable(InstId id) {
  const Inst& inst = body_.inst(id);
  const VariableInfo& info = *variable_of(body_, id);
  Value unknown = Value::unknown(info.type.type.without_optional()).with_marks(inst.marks);
  if (parent_ == nullptr) return unknown;
  const bool has_default = (inst.flags & kHasDefault) != 0;
  std::optional<Value> given;
  if (InstId argument = find_argument(*call_, info.name); argument.valid()) {
    const Outcome& outcome = parent_->evaluate(argument);
    if (outcome.failed()) return unknown;
    given = outcome.value;
    if (given->is_null() && (inst.flags & kNotNullable) != 0) given.reset();
  }
  if (!given && !has_default) return unknown;
  if (!given) {
    const Outcome& fallback = evaluate(body_.operand(id, 0));
    if (fallback.failed()) return unknown;
    given = fallback.value;
  }
  Result<Value> converted = convert_with_defaults(*given, info.type);
  return converted.ok() ? converted->with_marks(inst.marks) : unknown;
}

// Terraform 1.11 evaluates both operands of `&&` and `||`; later versions leave out the second where the first decides,
// and modules rely on it: `var.x == null || var.x.size > 0`. What only the former refuses is left to plan.
ModuleConstants::Outcome ModuleConstants::binary_of(InstId id) {
  auto kind = static_cast<BinaryKind>(body_.inst(id).payload);
  if (kind == BinaryKind::And || kind == BinaryKind::Or) {
    const Outcome left = evaluate(body_.operand(id, 0));
    if (!left.failed() && evaluate(body_.operand(id, 1)).failed()) {
      Result<Value> flag = convert(left.value, Type::boolean());
      if (!flag.ok() || flag->is_null()) return compute_operands(id);
      if (flag->is_unknown()) return {};
      if (flag->as_bool() == (kind == BinaryKind::Or)) return settle(id, std::move(flag));
    }
  }
  return compute_operands(id);
}

ModuleConstants::Outcome ModuleConstants::compute_operands(InstId id) {
  std::vector<Value> operands;
  operands.reserve(body_.inst(id).operand_count);
  for (uint32_t operand : body_.operand_indexes(id)) {
    const Outcome& outcome = evaluate(InstId(operand));
    if (outcome.failed()) return outcome;
    operands.push_back(outcome.value);
  }
  return settle(id, apply(id, std::move(operands)));
}

Result<Value> ModuleConstants::apply(InstId id, std::vector<Value> operands) {
  const Inst& inst = body_.inst(id);
  switch (inst.kind) {
    case OpKind::Call:
      return call_with(inst, std::move(operands));
    case OpKind::Binary:
      return binary(static_cast<BinaryOp>(inst.payload), operands[0], operands[1]);
    case OpKind::Unary:
      return unary(static_cast<UnaryOp>(inst.payload), operands[0]);
    case OpKind::Template:
      // A template of one directive is a string all the same.
      if (operands.size() == 1 && (inst.flags & kFromSyntax) != 0) operands.push_back(Value::string(""));
      return join_template(operands);
    case OpKind::TemplateJoin:
      return join_strings(operands[0]);
    case OpKind::Index:
      return index(operands[0], operands[1]);
    case OpKind::Attr:
      return attribute(operands[0], program_.text(NameId(inst.payload)));
    case OpKind::Convert:
      return inst.type.valid() ? convert(operands[0], program_.type(inst.type)) : Result<Value>(Value::unknown());
    case OpKind::Tuple:
      return make_tuple(std::move(operands));
    case OpKind::Object: {
      std::vector<std::pair<Value, Value>> entries;
      std::span<const NameId> names = body_.fields(id);
      for (size_t n = 0; n < operands.size(); ++n)
        entries.emplace_back(Value::string(program_.text(names[n])), std::move(operands[n]));
      return make_object(std::move(entries));
    }
    case OpKind::ObjectKeyed: {
      std::vector<std::pair<Value, Value>> entries;
      for (size_t n = 0; n + 1 < operands.size(); n += 2)
        entries.emplace_back(std::move(operands[n]), std::move(operands[n + 1]));
      return make_object(std::move(entries));
    }
    case OpKind::MarkAdd:
      return operands[0].with_marks(inst.marks);
    case OpKind::MarkRemove:
      return operands[0].without_marks(inst.marks);
    case OpKind::Const:
    case OpKind::Variable:
    case OpKind::Env:
    case OpKind::Meta:
    case OpKind::Unknown:
    case OpKind::Local:
    case OpKind::Splat:
    case OpKind::Blocks:
    case OpKind::Cond:
    case OpKind::ForList:
    case OpKind::ForObject:
    case OpKind::Yield:
    case OpKind::ExpandCount:
    case OpKind::ExpandForEach:
    case OpKind::Key:
    case OpKind::Each:
    case OpKind::At:
    case OpKind::Collect:
    case OpKind::ModuleInstance:
    case OpKind::ModuleArg:
    case OpKind::ModuleOut:
    case OpKind::Provider:
    case OpKind::Resource:
    case OpKind::Data:
    case OpKind::Ephemeral:
    case OpKind::ProviderCall:
    case OpKind::Output:
    case OpKind::Check:
    case OpKind::Condition:
    case OpKind::Use:
      break;
  }
  PRAVOC_UNREACHABLE();
}

// With `list...` the elements of the last operand take its place.
Result<Value> ModuleConstants::call_with(const Inst& inst, std::vector<Value> operands) {
  std::string_view name = program_.text(NameId(inst.payload));
  FunctionId function = *find_function(name);
  if ((inst.flags & kExpandLast) != 0 && !operands.empty()) {
    Value last = std::move(operands.back());
    operands.pop_back();
    if (last.is_null() || !last.is_compound()) return Value::unknown();
    for (const Value& element : last.elements()) operands.push_back(element.with_marks(last.marks()));
  }
  if (function_info(function).purity != Purity::Pure || may_amplify(name, operands)) return Value::unknown();
  return call_function(function, operands, host_);
}

ModuleConstants::Outcome ModuleConstants::lazy(InstId id) {
  auto argument = [&](size_t i) -> Result<Value> {
    const Outcome& outcome = evaluate(body_.operand(id, static_cast<uint32_t>(i)));
    if (outcome.failed()) return *outcome.error;
    return outcome.value;
  };
  if ((body_.inst(id).flags & kExpandLast) != 0) return {};
  FunctionId function = *find_function(program_.text(NameId(body_.inst(id).payload)));
  if (function == FunctionId::Can) return settle(id, evaluate_can([&] { return argument(0); }));
  return settle(id, evaluate_try(body_.inst(id).operand_count, argument));
}

ModuleConstants::Outcome ModuleConstants::element(InstId id) {
  InstId owner = body_.operand(id, 0);
  for (size_t i = loops_.size(); i-- > 0;) {
    const Loop& loop = loops_[i];
    if (loop.owner != owner) continue;
    bool key = body_.inst(id).kind == OpKind::Key;
    return settle(id, key ? loop.over->key(loop.index) : loop.over->value(loop.index));
  }
  return {};
}

// Regions nest as deep as the source nests them; what is outside a region is asked for by name.
void ModuleConstants::run_region(RegionId region) {
  for (InstId id : region_insts(body_, region))
    if (body_.inst(id).kind != OpKind::Yield) evaluate_again(id);
}

// Both arms are computed, since the result's type and marks depend on both.
ModuleConstants::Outcome ModuleConstants::cond(InstId id) {
  const Outcome condition = evaluate(body_.operand(id, 0));
  if (condition.failed()) return condition;
  Result<Choice> choice = choose(condition.value);
  if (!choice.ok()) return settle(id, choice.take_error());
  Outcome arms[2];
  for (uint32_t i = 0; i < 2; ++i) {
    RegionId region = regions_of(body_, id)[i];
    run_region(region);
    arms[i] = evaluate(body_.operand(body_.region(region).yield, 0));
    Choice::Arm other = i == 0 ? Choice::Arm::False : Choice::Arm::True;
    if (!arms[i].failed()) continue;
    // Where it is not known which arm is taken, a failure is not certain.
    if (choice->arm == Choice::Arm::Unknown) return {};
    if (choice->arm != other) return arms[i];
    // The type of what failed must fit all the same; of a call nothing is known.
    if (body_.inst(body_.operand(body_.region(region).yield, 0)).kind != OpKind::Call) return {};
    arms[i].value = Value::unknown();
  }
  return settle(id, conditional(*choice, arms[0].value, arms[1].value));
}

ModuleConstants::Outcome ModuleConstants::loop(InstId id) {
  const Outcome source = evaluate(body_.operand(id, 0));
  if (source.failed()) return source;
  Result<Iteration> over = iterate(source.value);
  if (!over.ok()) return settle(id, over.take_error());
  const Inst& inst = body_.inst(id);
  RegionId region(inst.payload);
  InstId yield = body_.region(region).yield;
  const bool object = inst.kind == OpKind::ForObject;
  const uint32_t results = object ? 2 : 1;  // yielded before the condition
  const bool has_condition = body_.inst(yield).operand_count > results;

  ForList list(*over);
  ForObject map(*over, (inst.flags & kGrouped) != 0);
  loops_.push_back({id, &*over, 0});
  std::optional<Outcome> failure;
  for (size_t i = 0; i < over->size() && !failure; ++i) {
    loops_.back().index = i;
    run_region(region);
    if (has_condition) {
      const Outcome condition = evaluate(body_.operand(yield, results));
      if (condition.failed()) {
        failure = condition;
        break;
      }
      Result<bool> accepted = object ? map.accept(condition.value) : list.accept(condition.value);
      if (!accepted.ok()) {
        failure = settle(yield, accepted.take_error());
        break;
      }
      if (!*accepted) continue;
    }
    const Outcome first = evaluate(body_.operand(yield, 0));
    // Without a key the value is not looked at.
    const bool looked_at = object && !first.failed() && ForObject::is_key(first.value);
    const Outcome second = looked_at ? evaluate(body_.operand(yield, 1)) : Outcome{};
    if (first.failed() || second.failed()) {
      failure = first.failed() ? first : second;
    } else {
      Result<bool> added = object ? map.add(first.value, second.value) : list.add(first.value);
      if (!added.ok()) failure = settle(yield, added.take_error());
    }
  }
  loops_.pop_back();
  if (failure) return *failure;
  return settle(id, object ? map.finish() : std::move(list).finish());
}

ModuleConstants::Outcome ModuleConstants::splat(InstId id) {
  const Outcome source = evaluate(body_.operand(id, 0));
  if (source.failed()) return source;
  Result<Iteration> over = iterate_splat(source.value);
  if (!over.ok()) return settle(id, over.take_error());
  RegionId region(body_.inst(id).payload);
  InstId yielded = body_.operand(body_.region(region).yield, 0);
  std::vector<Value> results;
  std::optional<Outcome> failure;
  loops_.push_back({id, &*over, 0});
  for (size_t i = 0; i < over->size() && !failure; ++i) {
    loops_.back().index = i;
    run_region(region);
    const Outcome& outcome = evaluate(yielded);
    if (outcome.failed())
      failure = outcome;
    else
      results.push_back(outcome.value);
  }
  loops_.pop_back();
  if (failure) return *failure;
  return settle(id, splat_result(*over, std::move(results)));
}

}  // namespace pravo::passes
