// Regions: what the instructions with regions of their own do. Everything outside that they need was computed
// before, so a region runs through; only regions nested in regions recurse, as deep as the source nests them.
#include "runtime/interp/machine.h"

#include <algorithm>

#include "ir/limits.h"

namespace pravo::runtime {

namespace {

// Most operations take about as long whatever their operands are; a call counts for itself.
template <class Operands>
uint64_t steps_of(OpKind kind, const Operands& operands, const Value& result) {
  switch (kind) {
    case OpKind::Template:
    case OpKind::TemplateJoin:
    case OpKind::Convert:
      return steps_to_make(result, operands[0]);
    case OpKind::Binary:  // comparing
      return std::min(steps_to_read(operands[0]), steps_to_read(operands[1]));
    default:
      return 0;
  }
}

}  // namespace

Slot::State Interpreter::Machine::part_state(Frame& frame, InstId part, FaultIndex& fault) {
  const ModuleBody& body = frame.module->body();
  const Inst& inst = body.inst(part);
  if (inst.kind == OpKind::Const) return Slot::State::Ready;
  const Slot& s = frame.holds(part) ? frame.at(part) : slot(*frame.module, part, frame.row);
  if (s.state == Slot::State::Fault) fault = fault == kNoIndex ? s.detail : join_faults(fault, s.detail);
  PRAVOC_CHECK(s.state != Slot::State::Empty && s.state != Slot::State::Working);
  return s.state;
}

const Value& Interpreter::Machine::part_value(Frame& frame, InstId part) {
  const ModuleBody& body = frame.module->body();
  if (body.inst(part).kind == OpKind::Const) return body.constant(part);
  if (frame.holds(part)) return frame.at(part).value;
  static const Value unknown = Value::unknown();
  const Slot& s = slot(*frame.module, part, frame.row);
  return s.state == Slot::State::Fault ? unknown : s.value;
}

void Interpreter::Machine::run_region(Frame& frame, const Region& region) {
  for_each_in_region(frame.module->body(), region, [&](InstId id) {
    OpKind kind = frame.module->body().inst(id).kind;
    if (kind == OpKind::Yield || kind == OpKind::Const) return;
    Slot result = run_instruction(frame, id);
    if (result.state == Slot::State::Ready) check_marks(*frame.module, id, result.value);
    frame.at(id) = std::move(result);
  });
}

Slot Interpreter::Machine::run_instruction(Frame& frame, InstId id) {
  const ModuleBody& body = frame.module->body();
  const Inst& inst = body.inst(id);
  bool element = inst.kind == OpKind::Key || inst.kind == OpKind::Each;
  if (element) {
    InstId owner = body.operand(id, 0);
    for (size_t i = frame.loops.size(); i-- > 0;) {
      const Frame::Loop& loop = frame.loops[i];
      if (loop.owner != owner) continue;
      if (loop.over == nullptr) return ready(Value::unknown());
      return ready(inst.kind == OpKind::Key ? loop.over->key(loop.index) : loop.over->value(loop.index));
    }
    // Not of a loop: of an expansion, below.
  }
  if (inst.kind == OpKind::At) return run_at(frame, id);
  if (op_info(inst.kind).regions > 0) {
    FaultIndex fault = kNoIndex;
    Slot::State state = part_state(frame, body.operand(id, 0), fault);
    if (state == Slot::State::Pending) return pending();
    // Of what a splat goes over nothing is known then.
    if (state == Slot::State::Fault && (frame.arms == 0 || inst.kind == OpKind::Splat)) return faulty(fault);
    Slot result = run_owner(frame, id);
    if (state != Slot::State::Fault || result.state == Slot::State::Pending) return result;
    return faulty(fault, std::move(result.value));
  }
  if (inst.kind == OpKind::Call && in_.is_lazy(inst)) return run_lazy(frame, id);
  if (!element) {
    FaultIndex fault = kNoIndex;
    bool waits = false;
    for (uint32_t operand : body.operand_indexes(id))
      waits |= part_state(frame, InstId(operand), fault) == Slot::State::Pending;
    if (waits) return pending();
    if (fault != kNoIndex) return faulty(fault, stand_in(frame, id));
  }
  Operands operands{*this, *frame.module, frame.row, id, &frame};
  Result<Value> result = compute(operands);
  if (result.ok() && !in_.host_.spend(steps_of(inst.kind, operands, *result))) result = too_many_steps();
  if (result.ok()) return ready(std::move(result).value());
  FaultIndex fault = add_fault(*frame.module, id, result.error());
  return faulty(fault, stand_in(frame, id));
}

Slot Interpreter::Machine::run_lazy(Frame& frame, InstId id) {
  const ModuleBody& body = frame.module->body();
  bool expands = (body.inst(id).flags & kExpandLast) != 0;
  for (uint32_t i = 0; i < body.inst(id).operand_count; ++i) {
    FaultIndex fault = kNoIndex;
    Slot::State state = part_state(frame, body.operand(id, i), fault);
    if (state == Slot::State::Pending) return pending();
    if (state == Slot::State::Ready && !expands) break;
    if (state == Slot::State::Fault && in_.faults_[fault].silent) return faulty(fault);
  }
  auto argument = [&](size_t i) -> Result<Value> {
    FaultIndex fault = kNoIndex;
    InstId part = body.operand(id, static_cast<uint32_t>(i));
    if (part_state(frame, part, fault) == Slot::State::Ready) return part_value(frame, part);
    return fail(EvalErrorKind::Value, std::string(in_.fault_message(fault)));
  };
  Result<Value> result = lazy_call(body.inst(id), argument);
  if (result.ok()) return ready(std::move(result).value());
  return faulty(add_fault(*frame.module, id, result.error()));
}

Slot Interpreter::Machine::run_at(Frame& frame, InstId id) {
  ModuleInstance& module = *frame.module;
  const ModuleBody& body = module.body();
  InstId base = body.operand(id, 0);
  InstId key = body.operand(id, 1);
  FaultIndex fault = kNoIndex;
  Slot::State state = part_state(frame, key, fault);
  if (state == Slot::State::Pending) return pending();
  if (state == Slot::State::Fault) return faulty(fault);
  if (is_effect(body.inst(base).kind)) {
    if (std::optional<Value> all = in_.effects_.collection(module, body.inst(base).payload)) {
      Result<Value> found = index(*all, part_value(frame, key));
      return found.ok() ? ready(std::move(*found)) : faulty(add_fault(module, id, found.error()));
    }
  }
  DomainState& domain = module.domains[module.layout->domain_of_expand(body.inst(base).domain)];
  if (domain.state == Slot::State::Fault) return faulty(domain.detail);
  PRAVOC_CHECK(domain.state == Slot::State::Ready);
  const Value& key_value = part_value(frame, key);
  Row row = find_row(module, base, domain.domain, key_value);
  if (row.state == Row::State::Error) return faulty(add_fault(module, id, row.error));
  if (row.state == Row::State::Unknown) return ready(Value::unknown().with_marks(key_value.marks()));
  if (is_effect(body.inst(base).kind)) {
    EffectResult result = in_.effects_.instance(module, body.inst(base).payload, row.row);
    switch (result.state) {
      case EffectResult::State::Ready:
        return ready(std::move(result.value).with_marks(key_value.marks()));
      case EffectResult::State::Pending:
        wait_for(result.waits_for);
        return pending();
      case EffectResult::State::Failed:
        return faulty(silent_fault());
    }
  }
  const Slot& s = slot(module, base, row.row);
  if (s.state != Slot::State::Ready) return s;
  return ready(s.value.with_marks(key_value.marks()));
}

Slot Interpreter::Machine::run_owner(Frame& frame, InstId owner) {
  const ModuleBody& body = frame.module->body();
  // The operand's value is copied: registers of the window may be written over while the region runs.
  const Value operand = part_value(frame, body.operand(owner, 0));
  OpKind kind = body.inst(owner).kind;
  if (kind == OpKind::Cond) return run_cond(frame, owner, operand);
  if (kind == OpKind::Splat) return run_splat(frame, owner, operand);
  PRAVOC_CHECK(kind == OpKind::ForList || kind == OpKind::ForObject);
  return run_for(frame, owner, operand);
}

// The value of an instruction that failed, or has an operand that did, for what is around it: an arm of a conditional
// that is not taken must fit the other one all the same. Constructors take what failed as it is, operators and
// templates tell at least the type.
Value Interpreter::Machine::stand_in(Frame& frame, InstId id) {
  if (frame.arms == 0) return Value::unknown();
  const ModuleBody& body = frame.module->body();
  const Inst& inst = body.inst(id);
  if (inst.kind == OpKind::Binary || inst.kind == OpKind::Unary) return Value::unknown(in_.program_.type(inst.type));
  Operands operands{*this, *frame.module, frame.row, id, &frame};
  if (inst.kind == OpKind::Template) {
    // What cannot be part of a text is left out of it.
    std::vector<Value> parts{Value::string(""), Value::string("")};
    for (uint32_t i = 0; i < operands.count(); ++i) {
      const Value& part = operands[i];
      bool fits = part.is_unknown() || (!part.is_null() && convert(part.without_marks(), Type::string()).ok());
      if (fits) parts.push_back(part);
    }
    Result<Value> text = join_template(parts);
    return text.ok() ? std::move(text).value() : Value::unknown(Type::string());
  }
  if (inst.kind == OpKind::TemplateJoin) {
    Value text = Value::unknown(Type::string());
    for (uint32_t i = 0; i < operands.count(); ++i) text = text.with_marks(operands[i].marks());
    return text;
  }
  bool goes_on = inst.kind == OpKind::Tuple || inst.kind == OpKind::Object || inst.kind == OpKind::ObjectKeyed ||
                 inst.kind == OpKind::Attr || inst.kind == OpKind::Index;
  if (!goes_on) return Value::unknown();
  Result<Value> result = compute(operands);
  return result.ok() ? std::move(result).value() : Value::unknown();
}

// Both arms are computed, since the result's type and marks depend on both; a fault counts only in the arm that is
// taken. As long as it is not known which that is, nothing has failed.
Slot Interpreter::Machine::run_cond(Frame& frame, InstId owner, const Value& condition) {
  const ModuleBody& body = frame.module->body();
  uint32_t regions = body.inst(owner).payload;
  Slot arms[2];
  ++frame.arms;
  for (uint32_t i = 0; i < 2; ++i) {
    const Region& region = body.regions[regions + i];
    run_region(frame, region);
    InstId result = body.operand(region.yield, 0);
    FaultIndex fault = kNoIndex;
    arms[i].state = part_state(frame, result, fault);
    arms[i].detail = fault;
    if (arms[i].state != Slot::State::Pending) arms[i].value = part_value(frame, result);
  }
  --frame.arms;
  if (arms[0].state == Slot::State::Pending || arms[1].state == Slot::State::Pending) return pending();
  // Nothing but the type that the arms have in common, where the condition failed or an arm cannot become that.
  auto of_either_arm = [&] {
    if (frame.arms == 0) return Value::unknown();
    Result<Value> result = conditional(Choice{Choice::Arm::Unknown, MarkSet::None}, arms[0].value, arms[1].value);
    return result.ok() ? Value::unknown(result->type()) : Value::unknown();
  };
  Result<Choice> choice = choose(condition);
  if (!choice.ok()) {
    FaultIndex fault = add_fault(*frame.module, owner, choice.error());
    return faulty(fault, of_either_arm());
  }
  Slot& taken = arms[choice->arm == Choice::Arm::False ? 1 : 0];
  bool failed = choice->arm != Choice::Arm::Unknown && taken.state == Slot::State::Fault;
  if (failed && frame.arms == 0) return taken;
  Result<Value> result = conditional(*choice, arms[0].value, arms[1].value);
  if (failed) return faulty(taken.detail, result.ok() ? std::move(result).value() : of_either_arm());
  if (result.ok() && !in_.host_.spend(steps_to_make(*result, taken.value))) result = too_many_steps();
  if (result.ok()) return ready(std::move(result).value());
  FaultIndex fault = add_fault(*frame.module, owner, result.error());
  return faulty(fault, of_either_arm());
}

Slot Interpreter::Machine::run_for(Frame& frame, InstId owner, const Value& source) {
  const ModuleBody& body = frame.module->body();
  const Inst& inst = body.inst(owner);
  Result<Iteration> over = iterate(source);
  if (!over.ok()) return faulty(add_fault(*frame.module, owner, over.error()));
  const Region& region = body.regions[inst.payload];
  bool object = inst.kind == OpKind::ForObject;
  uint32_t results = object ? 2 : 1;  // yielded before the condition
  bool has_condition = body.inst(region.yield).operand_count > results;

  ForList list(*over);
  ForObject map(*over, (inst.flags & kGrouped) != 0);
  FaultIndex fault = kNoIndex;
  bool waits = false;
  bool unusable = false;  // what was yielded made the result unknown
  // The state of what an iteration yields. What failed ends the loop, unless its value is asked for all the same.
  auto yielded = [&](uint32_t n) {
    FaultIndex part = kNoIndex;
    Slot::State state = part_state(frame, body.operand(region.yield, n), part);
    waits |= state == Slot::State::Pending;
    if (state == Slot::State::Fault && fault == kNoIndex) fault = part;
    return state;
  };
  auto ends = [&] { return fault != kNoIndex && frame.arms == 0; };
  // Faults that `try` and `can` of an iteration dealt with concern nobody after it.
  const size_t faults_before = in_.faults_.size();
  if (has_condition && !source.has_type(TypeKind::Dynamic)) {
    // A condition that is wrong for whatever element is wrong even if there is none.
    frame.loops.push_back({owner, nullptr, 0});
    run_region(frame, region);
    frame.loops.pop_back();
    Slot::State state = yielded(results);
    if (state == Slot::State::Pending) return pending();
    if (state == Slot::State::Fault) return faulty(fault);
    if (auto error = ForList::wrong_condition(part_value(frame, body.operand(region.yield, results))))
      return faulty(add_fault(*frame.module, region.yield, *error));
    // Its marks count where nothing else is asked.
    if (over->unknown) {
      MarkSet marks = part_value(frame, body.operand(region.yield, results)).marks();
      return ready(Value::unknown().with_marks(over->marks | marks));
    }
  }
  frame.loops.push_back({owner, &*over, 0});
  for (size_t i = 0; i < over->size() && !in_.waiting_truncated() && !ends(); ++i) {
    frame.loops.back().index = i;
    if (!in_.host_.spend(region.end.index - region.begin.index)) {
      fault = add_fault(*frame.module, owner, *too_many_steps());
      break;
    }
    if (fault == kNoIndex) in_.forget_faults(faults_before);
    run_region(frame, region);
    if (has_condition) {
      if (yielded(results) == Slot::State::Pending) continue;
      if (ends()) break;
      const Value& v = part_value(frame, body.operand(region.yield, results));
      Result<bool> accepted = object ? map.accept(v) : list.accept(v);
      if (!accepted.ok()) {
        if (fault == kNoIndex) fault = add_fault(*frame.module, region.yield, accepted.error());
        unusable = true;
        if (ends()) break;
        continue;
      }
      if (!*accepted) continue;
    }
    if (yielded(0) == Slot::State::Pending) continue;
    if (ends()) break;
    const Value& first = part_value(frame, body.operand(region.yield, 0));
    // Without a key the value is not looked at.
    if (object && ForObject::is_key(first)) {
      if (yielded(1) == Slot::State::Pending) continue;
      if (ends()) break;
    }
    Result<bool> added = object ? map.add(first, part_value(frame, body.operand(region.yield, 1))) : list.add(first);
    if (!added.ok()) {
      if (fault == kNoIndex) fault = add_fault(*frame.module, region.yield, added.error());
      unusable = true;
    }
  }
  frame.loops.pop_back();
  if (unusable) return faulty(fault, Value::unknown().with_marks(object ? map.marks() : list.marks()));
  if (ends()) return faulty(fault);
  if (waits || in_.waiting_truncated()) return pending();
  Result<Value> result = object ? map.finish() : std::move(list).finish();
  if (result.ok() && fault == kNoIndex) return ready(std::move(result).value());
  if (fault == kNoIndex) fault = add_fault(*frame.module, owner, result.error());
  if (!result.ok() && object && frame.arms > 0) result = map.finish(true);
  return faulty(fault, result.ok() ? std::move(result).value() : Value::unknown());
}

Slot Interpreter::Machine::run_splat(Frame& frame, InstId owner, const Value& source) {
  const ModuleBody& body = frame.module->body();
  Result<Iteration> over = iterate_splat(source);
  if (!over.ok()) return faulty(add_fault(*frame.module, owner, over.error()));
  const Region& region = body.regions[body.inst(owner).payload];
  InstId yielded = body.operand(region.yield, 0);
  std::vector<Value> results;
  results.reserve(over->size());
  FaultIndex fault = kNoIndex;
  bool waits = false;
  SizeCount size;
  auto faulty_loop = [&](const std::unique_ptr<EvalError>& error) {
    frame.loops.pop_back();
    return faulty(add_fault(*frame.module, owner, *error));
  };
  frame.loops.push_back({owner, &*over, 0});
  for (size_t i = 0; i < over->size() && !in_.waiting_truncated() && fault == kNoIndex; ++i) {
    frame.loops.back().index = i;
    if (!in_.host_.spend(region.end.index - region.begin.index)) return faulty_loop(too_many_steps());
    run_region(frame, region);
    Slot::State state = part_state(frame, yielded, fault);
    waits |= state == Slot::State::Pending;
    if (state != Slot::State::Ready) continue;
    results.push_back(part_value(frame, yielded));
    if (!size.add(results.back())) return faulty_loop(too_large_value());
  }
  frame.loops.pop_back();
  if (fault != kNoIndex) return faulty(fault, failed_splat(frame, owner, source));
  if (waits || in_.waiting_truncated()) return pending();
  Result<Value> result = splat_result(*over, std::move(results));
  if (result.ok()) return ready(std::move(result).value());
  return faulty(add_fault(*frame.module, owner, result.error()));
}

// What a splat is whose results failed: as for a source of which the type alone is known.
Value Interpreter::Machine::failed_splat(Frame& frame, InstId owner, const Value& source) {
  if (frame.arms == 0) return Value::unknown();
  const ModuleBody& body = frame.module->body();
  Type type = source.type();
  bool sequence = type.kind() == TypeKind::List || type.kind() == TypeKind::Set || type.kind() == TypeKind::Tuple;
  if (!sequence) type = Type::tuple({type});
  Result<Iteration> over = iterate_splat(Value::unknown(type).with_marks(source.marks()));
  if (!over.ok()) return Value::unknown();
  const Region& region = body.regions[body.inst(owner).payload];
  std::vector<Value> results;
  frame.loops.push_back({owner, &*over, 0});
  for (size_t i = 0; i < over->size(); ++i) {
    frame.loops.back().index = i;
    run_region(frame, region);
    results.push_back(part_value(frame, body.operand(region.yield, 0)));
  }
  frame.loops.pop_back();
  Result<Value> result = splat_result(*over, std::move(results));
  return result.ok() ? std::move(result).value() : Value::unknown();
}

}  // namespace pravo::runtime
