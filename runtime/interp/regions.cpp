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

bool is_effect(OpKind kind) { return kind == OpKind::Resource || kind == OpKind::Data || kind == OpKind::Ephemeral; }

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
  if (frame.holds(part)) {
    const ModuleBody& body = frame.module->body();
    return body.inst(part).kind == OpKind::Const ? body.constant(part) : frame.at(part).value;
  }
  return value(*frame.module, part, frame.row);
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
    if (state == Slot::State::Fault) return faulty(fault);
    return run_owner(frame, id);
  }
  if (inst.kind == OpKind::Call && in_.is_lazy(inst)) return run_lazy(frame, id);
  if (!element) {
    FaultIndex fault = kNoIndex;
    bool waits = false;
    for (uint32_t operand : body.operand_indexes(id))
      waits |= part_state(frame, InstId(operand), fault) == Slot::State::Pending;
    if (waits) return pending();
    if (fault != kNoIndex) return faulty(fault);
  }
  Operands operands{*this, *frame.module, frame.row, id, &frame};
  Result<Value> result = compute(operands);
  if (result.ok() && !in_.host_.spend(steps_of(inst.kind, operands, *result))) result = too_many_steps();
  if (result.ok()) return ready(std::move(result).value());
  return faulty(add_fault(*frame.module, id, result.error()));
}

Slot Interpreter::Machine::run_lazy(Frame& frame, InstId id) {
  const ModuleBody& body = frame.module->body();
  uint32_t count = body.inst(id).operand_count;
  for (uint32_t i = 0; i < count; ++i) {
    FaultIndex fault = kNoIndex;
    Slot::State state = part_state(frame, body.operand(id, i), fault);
    if (state == Slot::State::Pending) return pending();
    if (state == Slot::State::Ready) break;
    if (in_.faults_[fault].silent) return faulty(fault);
  }
  auto argument = [&](size_t i) -> Result<Value> {
    FaultIndex fault = kNoIndex;
    InstId part = body.operand(id, static_cast<uint32_t>(i));
    if (part_state(frame, part, fault) == Slot::State::Ready) return part_value(frame, part);
    return fail(EvalErrorKind::Value, std::string(in_.fault_message(fault)));
  };
  Result<Value> result = in_.function(body.inst(id)) == FunctionId::Can ? evaluate_can([&] { return argument(0); })
                                                                        : evaluate_try(count, argument);
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

// What is known of a value that cannot be computed: operators and templates tell at least the type.
Value Interpreter::Machine::failed_value(const ModuleBody& body, InstId id) const {
  OpKind kind = body.inst(id).kind;
  bool typed = kind == OpKind::Binary || kind == OpKind::Unary || kind == OpKind::Template;
  return typed ? Value::unknown(in_.program_.type(body.inst(id).type)) : Value::unknown();
}

// Both arms are computed, since the result's type and marks depend on both; a fault counts only in the arm that is
// taken. As long as it is not known which that is, nothing has failed.
Slot Interpreter::Machine::run_cond(Frame& frame, InstId owner, const Value& condition) {
  const ModuleBody& body = frame.module->body();
  Result<Choice> choice = choose(condition);
  if (!choice.ok()) return faulty(add_fault(*frame.module, owner, choice.error()));
  uint32_t regions = body.inst(owner).payload;
  Slot arms[2];
  for (uint32_t i = 0; i < 2; ++i) {
    const Region& region = body.regions[regions + i];
    run_region(frame, region);
    InstId result = body.operand(region.yield, 0);
    FaultIndex fault = kNoIndex;
    arms[i].state = part_state(frame, result, fault);
    arms[i].detail = fault;
    if (arms[i].state == Slot::State::Ready) arms[i].value = part_value(frame, result);
  }
  if (arms[0].state == Slot::State::Pending || arms[1].state == Slot::State::Pending) return pending();
  for (uint32_t i = 0; i < 2; ++i) {
    if (arms[i].state != Slot::State::Fault) continue;
    if (choice->arm == (i == 0 ? Choice::Arm::True : Choice::Arm::False)) return arms[i];
    arms[i].value = failed_value(body, body.operand(body.regions[regions + i].yield, 0));
  }
  Result<Value> result = conditional(*choice, arms[0].value, arms[1].value);
  const Value& taken = arms[choice->arm == Choice::Arm::False ? 1 : 0].value;
  if (result.ok() && !in_.host_.spend(steps_to_make(*result, taken))) result = too_many_steps();
  if (result.ok()) return ready(std::move(result).value());
  return faulty(add_fault(*frame.module, owner, result.error()));
}

namespace {

// One iteration's yielded parts.
struct Yields {
  Slot::State state = Slot::State::Ready;
  FaultIndex fault = kNoIndex;
};

}  // namespace

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
  // Faults that `try` and `can` of an iteration dealt with concern nobody after it.
  const size_t faults_before = in_.faults_.size();
  if (has_condition && over->size() == 0 && !over->unknown) {
    // Without an element the condition is wrong all the same where it could accept none.
    frame.loops.push_back({owner, nullptr, 0});
    run_region(frame, region);
    frame.loops.pop_back();
    InstId condition = body.operand(region.yield, results);
    FaultIndex part = kNoIndex;
    Slot::State state = part_state(frame, condition, part);
    if (state == Slot::State::Pending) return pending();
    if (state == Slot::State::Fault) return faulty(part);
    Result<bool> accepted = ForList(*over).accept(part_value(frame, condition));
    if (!accepted.ok()) return faulty(add_fault(*frame.module, region.yield, accepted.error()));
  }
  frame.loops.push_back({owner, &*over, 0});
  for (size_t i = 0; i < over->size() && !in_.waiting_truncated(); ++i) {
    frame.loops.back().index = i;
    if (!in_.host_.spend(region.end.index - region.begin.index)) {
      fault = add_fault(*frame.module, owner, *too_many_steps());
      break;
    }
    in_.forget_faults(faults_before);
    run_region(frame, region);
    if (has_condition) {
      InstId condition = body.operand(region.yield, results);
      FaultIndex part = kNoIndex;
      Slot::State state = part_state(frame, condition, part);
      if (state == Slot::State::Pending) {
        waits = true;
        continue;
      }
      if (state == Slot::State::Fault) {
        fault = part;
        break;
      }
      const Value& v = part_value(frame, condition);
      Result<bool> accepted = object ? map.accept(v) : list.accept(v);
      if (!accepted.ok()) {
        fault = add_fault(*frame.module, region.yield, accepted.error());
        break;
      }
      if (!*accepted) continue;
    }
    Yields yields;
    for (uint32_t n = 0; n < results; ++n) {
      Slot::State state = part_state(frame, body.operand(region.yield, n), yields.fault);
      if (state == Slot::State::Pending) yields.state = state;
      if (state == Slot::State::Fault && yields.state != Slot::State::Pending) yields.state = state;
    }
    if (yields.state == Slot::State::Pending) {
      waits = true;
      continue;
    }
    if (yields.state == Slot::State::Fault) {
      fault = yields.fault;
      break;
    }
    const Value& first = part_value(frame, body.operand(region.yield, 0));
    Result<bool> added = object ? map.add(first, part_value(frame, body.operand(region.yield, 1))) : list.add(first);
    if (!added.ok()) {
      fault = add_fault(*frame.module, region.yield, added.error());
      break;
    }
  }
  frame.loops.pop_back();
  if (fault != kNoIndex) return faulty(fault);
  if (waits || in_.waiting_truncated()) return pending();
  Result<Value> result = object ? std::move(map).finish() : std::move(list).finish();
  if (result.ok()) return ready(std::move(result).value());
  return faulty(add_fault(*frame.module, owner, result.error()));
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
  if (fault != kNoIndex) return faulty(fault);
  if (waits || in_.waiting_truncated()) return pending();
  Result<Value> result = splat_result(*over, std::move(results));
  if (result.ok()) return ready(std::move(result).value());
  return faulty(add_fault(*frame.module, owner, result.error()));
}

}  // namespace pravo::runtime
