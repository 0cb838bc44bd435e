#include "runtime/interp/machine.h"

#include <algorithm>

#include "ir/diagnostics/runtime.h"
#include "ir/walk.h"

namespace pravo::runtime {

namespace {

// Whether a condition's value lets things pass: true, or not known yet.
bool any_true(const Value& condition) {
  if (condition.is_unknown()) return true;
  Result<Value> flag = convert(condition.without_marks(), Type::boolean());
  return flag.ok() && !flag->is_null() && flag->as_bool();
}

}  // namespace

Evaluated Interpreter::Machine::run(ModuleInstance& module, InstId inst, uint32_t row) {
  PRAVOC_CHECK(stack_.empty());
  ++in_.attempt_;
  in_.waiting_.clear();
  Found found = demand(module, inst, row);
  while (!stack_.empty()) {
    if (in_.waiting_truncated()) {
      abandon();
      break;
    }
    step();
  }
  if (found.state == Slot::State::Empty) found = demand(module, inst, row);
  Evaluated out;
  out.state = found.state;
  if (found.state == Slot::State::Ready && !is_expand(module.body().inst(inst).kind))
    out.value = value(module, inst, row);
  if (found.state == Slot::State::Fault) out.fault = found.fault;
  return out;
}

// Leaves every value that is being computed for a later attempt.
void Interpreter::Machine::abandon() {
  while (!stack_.empty()) finish_pending();
}

Slot& Interpreter::Machine::slot(ModuleInstance& module, InstId inst, uint32_t row) {
  const BodyLayout& layout = *module.layout;
  DomainIndex domain = layout.domain(inst);
  uint32_t column = layout.column(inst);
  if (domain == kNoIndex) return module.top[column];
  DomainState& state = module.domains[domain];
  PRAVOC_CHECK(row < state.rows.size());
  std::unique_ptr<Slot[]>& slots = state.rows[row];
  if (!slots) slots = std::make_unique<Slot[]>(layout.domain_columns(domain));
  return slots[column];
}

const Value& Interpreter::Machine::value(ModuleInstance& module, InstId inst, uint32_t row) {
  const ModuleBody& body = module.body();
  if (body.inst(inst).kind == OpKind::Const) return body.constant(inst);
  return slot(module, inst, row).value;
}

Interpreter::Machine::Found Interpreter::Machine::demand(ModuleInstance& module, InstId inst, uint32_t row) {
  OpKind kind = module.body().inst(inst).kind;
  if (kind == OpKind::Const) return {Slot::State::Ready};
  // Who asks may be over a domain that this value is not over: it has one row then.
  if (module.layout->domain(inst) == kNoIndex) row = 0;
  Slot::State* state;
  uint32_t* detail;
  if (is_expand(kind)) {
    DomainState& domain = module.domains[module.layout->domain_of_expand(inst)];
    state = &domain.state;
    detail = &domain.detail;
  } else {
    Slot& s = slot(module, inst, row);
    state = &s.state;
    detail = &s.detail;
  }
  switch (*state) {
    case Slot::State::Ready:
      return {Slot::State::Ready};
    case Slot::State::Fault:
      return {Slot::State::Fault, *detail};
    case Slot::State::Working: {
      return {Slot::State::Fault,
              add_fault(make_diagnostic(module.body().range(inst), module.path->text(), diag::ValueCycle))};
    }
    case Slot::State::Pending:
      if (*detail == in_.attempt_) return {Slot::State::Pending};
      break;
    case Slot::State::Empty:
      break;
  }
  *state = Slot::State::Working;
  stack_.push_back({&module, inst, row});
  return {Slot::State::Empty};
}

bool Interpreter::Machine::note(Activation& a, Found found) {
  switch (found.state) {
    case Slot::State::Ready:
      return true;
    case Slot::State::Pending:
      a.pending = true;
      return true;
    case Slot::State::Fault:
      a.fault = a.fault == kNoIndex ? found.fault : join_faults(a.fault, found.fault);
      return true;
    case Slot::State::Empty:
    case Slot::State::Working:
      return false;
  }
  PRAVOC_UNREACHABLE();
}

// --- ends of a computation: the activation on top of the stack is done

void Interpreter::Machine::finish(Result<Value> result) {
  if (result.ok()) {
    finish_ready(std::move(result).value());
    return;
  }
  const Activation& a = stack_.back();
  finish_fault(add_fault(*a.module, a.inst, result.error()));
}

void Interpreter::Machine::finish_ready(Value value) {
  const Activation a = stack_.back();
  stack_.pop_back();
  check_marks(*a.module, a.inst, value);
  Slot& s = slot(*a.module, a.inst, a.row);
  s.value = std::move(value);
  s.state = Slot::State::Ready;
}

void Interpreter::Machine::finish_pending() {
  const Activation a = stack_.back();
  stack_.pop_back();
  if (is_expand(a.module->body().inst(a.inst).kind)) {
    DomainState& domain = a.module->domains[a.module->layout->domain_of_expand(a.inst)];
    domain.state = Slot::State::Pending;
    domain.detail = in_.attempt_;
    return;
  }
  Slot& s = slot(*a.module, a.inst, a.row);
  s.state = Slot::State::Pending;
  s.detail = in_.attempt_;
}

void Interpreter::Machine::finish_fault(FaultIndex fault) {
  const Activation a = stack_.back();
  stack_.pop_back();
  if (is_expand(a.module->body().inst(a.inst).kind)) {
    DomainState& domain = a.module->domains[a.module->layout->domain_of_expand(a.inst)];
    domain.state = Slot::State::Fault;
    domain.detail = fault;
    return;
  }
  Slot& s = slot(*a.module, a.inst, a.row);
  s.state = Slot::State::Fault;
  s.detail = fault;
}

// Something that the value needs is not there: then neither is the value.
bool Interpreter::Machine::finish_if_blocked() {
  const Activation& a = stack_.back();
  if (a.pending) {
    finish_pending();
    return true;
  }
  if (a.fault != kNoIndex) {
    finish_fault(a.fault);
    return true;
  }
  return false;
}

void Interpreter::Machine::wait_for(uint32_t what) {
  auto& waiting = in_.waiting_;
  if (waiting.size() < kMaxWaiting && std::find(waiting.begin(), waiting.end(), what) == waiting.end())
    waiting.push_back(what);
}

// --- steps, by kind of instruction

void Interpreter::Machine::step() {
  EvalHost::Budget budget(in_.host_);
  const Activation& a = stack_.back();
  const Inst& inst = a.module->body().inst(a.inst);
  switch (inst.kind) {
    case OpKind::Local:
    case OpKind::Binary:
    case OpKind::Unary:
    case OpKind::Template:
    case OpKind::TemplateJoin:
    case OpKind::Index:
    case OpKind::Attr:
    case OpKind::Convert:
    case OpKind::Object:
    case OpKind::ObjectKeyed:
    case OpKind::Tuple:
    case OpKind::Blocks:
    case OpKind::MarkAdd:
    case OpKind::MarkRemove:
    case OpKind::Provider:
    case OpKind::ProviderCall:
    case OpKind::ModuleArg:
    case OpKind::Use:
    case OpKind::Key:
    case OpKind::Each:
    case OpKind::Env:
    case OpKind::Meta:
    case OpKind::Unknown:
      return step_operands();
    case OpKind::Call:
      return in_.is_lazy(inst) ? step_lazy() : step_operands();
    case OpKind::Variable:
      return step_variable();
    case OpKind::Cond:
    case OpKind::ForList:
    case OpKind::ForObject:
    case OpKind::Splat:
      return step_regions();
    case OpKind::ExpandCount:
    case OpKind::ExpandForEach:
      return step_expand();
    case OpKind::At:
      return step_at();
    case OpKind::Collect:
      return step_collect();
    case OpKind::ModuleOut:
      return step_module_out();
    case OpKind::Resource:
    case OpKind::Data:
    case OpKind::Ephemeral:
      return step_effect();
    case OpKind::Output:
      return step_output();
    // A constant has no slot; a yield belongs to its region; the others have no value: whoever wants a condition
    // asks for its operands.
    case OpKind::Const:
    case OpKind::Yield:
    case OpKind::ModuleInstance:
    case OpKind::Check:
    case OpKind::Condition:
      break;
  }
  PRAVOC_UNREACHABLE();
}

void Interpreter::Machine::step_operands() {
  const ModuleBody& body = stack_.back().module->body();
  const Inst& inst = body.inst(stack_.back().inst);
  // The second operand of a module.arg is the instance that it belongs to, no value.
  uint32_t count = inst.kind == OpKind::ModuleArg ? 1 : inst.operand_count;
  while (true) {
    Activation& a = stack_.back();
    if (a.cursor == count) break;
    InstId operand = body.operand(a.inst, a.cursor);
    Found found = demand(*a.module, operand, a.row);
    if (found.state == Slot::State::Empty) return;
    note(a, found);
    ++a.cursor;
  }
  if (finish_if_blocked()) return;
  const Activation& a = stack_.back();
  finish(compute(Operands{*this, *a.module, a.row, a.inst, nullptr}));
}

// try(...) and can(...): an argument that fails is no fault of theirs, and try looks at no argument after the first
// that does not.
void Interpreter::Machine::step_lazy() {
  const ModuleBody& body = stack_.back().module->body();
  InstId id = stack_.back().inst;
  uint32_t count = body.inst(id).operand_count;
  while (true) {
    Activation& a = stack_.back();
    if (a.cursor == count) break;
    Found found = demand(*a.module, body.operand(id, a.cursor), a.row);
    if (found.state == Slot::State::Empty) return;
    if (found.state == Slot::State::Pending) {
      a.pending = true;
      break;
    }
    ++a.cursor;
    // An expanded list is looked at first, whatever the others are.
    if (found.state == Slot::State::Ready && (body.inst(id).flags & kExpandLast) == 0) break;
  }
  if (finish_if_blocked()) return;
  const Activation& a = stack_.back();
  auto argument = [&](size_t i) -> Result<Value> {
    InstId operand = body.operand(id, static_cast<uint32_t>(i));
    if (body.inst(operand).kind == OpKind::Const) return body.constant(operand);
    const Slot& s = slot(*a.module, operand, a.row);
    if (s.state == Slot::State::Ready) return s.value;
    return fail(EvalErrorKind::Value, std::string(in_.fault_message(s.detail)));
  };
  // An argument that failed because an operation did is no fault of the expression: nothing can be said.
  for (uint32_t i = 0; i < a.cursor; ++i) {
    Found found = demand(*a.module, body.operand(id, i), a.row);
    if (found.state == Slot::State::Fault && in_.faults_[found.fault].silent) return finish_fault(found.fault);
  }
  finish(lazy_call(body.inst(id), argument));
}

// The value, and then the validations: they see the variable's value already, which nobody else does before they
// all hold.
void Interpreter::Machine::step_variable() {
  if (stack_.back().cursor > 0) return step_validations();
  Activation& a = stack_.back();
  ModuleInstance& module = *a.module;
  const ModuleBody& body = module.body();
  const Inst& inst = body.inst(a.inst);
  uint32_t index = module.layout->variable_index(a.inst);
  PRAVOC_CHECK(index != kNoIndex);
  const VariableInfo& info = body.variables[index];

  std::optional<Value> given;
  SourceRange given_range = info.range;
  if (module.parent == nullptr) {
    auto found = in_.inputs_.find(info.name);
    if (found != in_.inputs_.end()) given = *found->second;
    if (given && in_.options_.inputs_as_given) return finish_ready(std::move(*given));
  } else {
    const BodyLayout& caller = *module.parent->layout;
    const ModuleCallInfo& call = caller.body().calls[module.call];
    InstId argument = caller.argument(call, info.name);
    if (argument.valid()) {
      Found found = demand(*module.parent, argument, module.row);
      if (!note(stack_.back(), found)) return;
      if (finish_if_blocked()) return;
      given = value(*module.parent, argument, module.row);
      given_range = caller.body().use_range(argument, 0);
    }
  }

  auto refuse = [&](std::string message) {
    finish_fault(add_fault(make_diagnostic(given_range, module.path->text(), diag::InvalidVariableValue,
                                           in_.program_.text(info.name), message)));
  };
  bool not_nullable = (inst.flags & kNotNullable) != 0;
  bool has_default = (inst.flags & kHasDefault) != 0;
  bool is_default = false;
  if (!given || (not_nullable && given->is_null() && has_default)) {
    is_default = true;
    if (has_default) {
      given = body.constant(body.operand(a.inst, 0));
    } else if (given) {
      // refused below
    } else {
      given = module.parent == nullptr ? Value::null(info.type.type.without_optional())
                                       : Value::unknown(info.type.type.without_optional());
    }
  }
  if (not_nullable && given->is_null() && !is_default) return refuse("it must not be null");
  if (any(given->deep_marks() & MarkSet::Ephemeral) && !any(inst.marks & MarkSet::Ephemeral))
    return refuse("an ephemeral value is given to a variable that is not declared `ephemeral`");
  Result<Value> converted = convert_with_defaults(*given, info.type);
  if (!converted.ok()) return refuse(converted.error().text());
  Value result = std::move(converted).value().with_marks(inst.marks);
  if (info.validations.empty() || in_.options_.validations == nullptr) return finish_ready(std::move(result));
  Activation& b = stack_.back();
  Slot& s = slot(module, b.inst, b.row);
  check_marks(module, b.inst, result);
  s.value = std::move(result);
  s.state = Slot::State::Ready;
  b.cursor = 1;
}

// Two steps for each: its condition (odd), and its message where that is false (even).
void Interpreter::Machine::step_validations() {
  Activation& a = stack_.back();
  ModuleInstance& module = *a.module;
  const ModuleBody& body = module.body();
  uint32_t index = module.layout->variable_index(a.inst);
  const std::vector<InstId>& validations = body.variables[index].validations;
  uint32_t at = (a.cursor - 1) / 2;
  if (at == validations.size()) {
    if (a.fault != kNoIndex) return finish_fault(a.fault);
    stack_.pop_back();
    return;
  }
  InstId condition = validations[at];
  bool message_step = a.cursor % 2 == 0;
  InstId operand = body.operand(condition, message_step ? 1 : 0);
  Found found = demand(module, operand, 0);
  if (found.state == Slot::State::Empty) return;
  if (found.state == Slot::State::Pending) {
    stack_.back().fault = kNoIndex;
    stack_.back().cursor = 0;
    return finish_pending();
  }
  auto evaluated = [&](InstId part, Found state) {
    Evaluated out;
    out.state = state.state;
    out.fault = state.fault;
    if (state.state == Slot::State::Ready) out.value = value(module, part, 0);
    return out;
  };
  InstId tested = body.operand(condition, 0);
  Evaluated held = evaluated(tested, message_step ? demand(module, tested, 0) : found);
  bool refused = held.ready() && !any_true(held.value);
  Activation& b = stack_.back();
  if (!message_step && refused) {
    ++b.cursor;
    return;
  }
  Evaluated message;
  if (message_step) message = evaluated(operand, found);
  std::optional<Diagnostic> fault =
      in_.options_.validations->validated(module, index, condition, held, message_step ? &message : nullptr);
  FaultIndex failed = held.failed() ? held.fault : kNoIndex;
  if (fault) failed = add_fault(std::move(*fault));
  if (failed != kNoIndex) b.fault = b.fault == kNoIndex ? failed : join_faults(b.fault, failed);
  b.cursor = 1 + 2 * (at + 1);
}

void Interpreter::Machine::step_output() {
  Activation& a = stack_.back();
  ModuleInstance& module = *a.module;
  const ModuleBody& body = module.body();
  const Inst& inst = body.inst(a.inst);
  InstId operand = body.operand(a.inst, 0);
  Found found = demand(module, operand, a.row);
  if (!note(stack_.back(), found)) return;
  if (finish_if_blocked()) return;
  const Value& v = value(module, operand, stack_.back().row);
  if (any(v.deep_marks() & MarkSet::Ephemeral) && !any(inst.marks & MarkSet::Ephemeral)) {
    return finish_fault(
        add_fault(make_diagnostic(body.use_range(stack_.back().inst, 0), module.path->text(), diag::EphemeralNotAllowed,
                                  "an output that is not declared `ephemeral`")));
  }
  finish_ready(v.with_marks(inst.marks));
}

void Interpreter::Machine::step_effect() {
  const Activation& a = stack_.back();
  EffectResult result = in_.effects_.instance(*a.module, a.module->body().inst(a.inst).payload, a.row);
  switch (result.state) {
    case EffectResult::State::Ready:
      return finish_ready(std::move(result.value));
    case EffectResult::State::Pending:
      wait_for(result.waits_for);
      return finish_pending();
    case EffectResult::State::Failed:
      return finish_fault(silent_fault());
  }
}

void Interpreter::Machine::step_module_out() {
  Activation& a = stack_.back();
  ModuleInstance& module = *a.module;
  const ModuleBody& body = module.body();
  const Inst& inst = body.inst(a.inst);
  uint32_t call_index = module.layout->call_of(body.operand(a.inst, 0));
  const ModuleCallInfo& call = body.calls[call_index];
  if (!call.target.valid()) return finish_ready(Value::unknown());
  if (call.expand.valid()) {
    Found found = demand(module, call.expand, 0);
    if (!note(stack_.back(), found)) return;
    if (finish_if_blocked()) return;
  }
  make_children(module, call_index);
  ModuleInstance& child = *module.children[call_index][stack_.back().row];
  uint32_t output = child.layout->output_index(NameId(inst.payload));
  if (output == kNoIndex) return finish_ready(Value::unknown());
  InstId out = child.body().outputs[output].inst;
  Found found = demand(child, out, 0);
  if (!note(stack_.back(), found)) return;
  if (finish_if_blocked()) return;
  finish_ready(value(child, out, 0));
}

Interpreter::Machine::Found Interpreter::Machine::demand_external(Activation& a, InstId external) {
  ModuleInstance& module = *a.module;
  const ModuleBody& body = module.body();
  const Inst& inst = body.inst(external);
  InstId own = body.inst(a.inst).domain;
  if (is_expand(inst.kind)) return demand(module, external, 0);
  // An instance, whose value nobody reads by itself.
  if (inst.kind == OpKind::ModuleInstance) return {Slot::State::Ready};
  if (!inst.domain.valid() || inst.domain == own) return demand(module, external, a.row);
  Found found = demand(module, inst.domain, 0);
  if (found.state != Slot::State::Ready || is_effect(inst.kind)) return found;
  return demand_rows(module, external);
}

void Interpreter::Machine::step_regions() {
  const ModuleBody& body = stack_.back().module->body();
  InstId id = stack_.back().inst;
  const Inst& inst = body.inst(id);
  std::span<const InstId> externals = stack_.back().module->layout->externals(id);
  auto total = inst.operand_count + static_cast<uint32_t>(externals.size());
  while (true) {
    Activation& a = stack_.back();
    if (a.cursor == total) break;
    if (a.cursor < inst.operand_count) {
      Found found = demand(*a.module, body.operand(id, a.cursor), a.row);
      if (!note(a, found)) return;
    } else {
      Found found = demand_external(a, externals[a.cursor - inst.operand_count]);
      if (found.state == Slot::State::Empty) return;
      // A fault counts only where the region really uses the value.
      if (found.state == Slot::State::Pending) stack_.back().pending = true;
    }
    ++stack_.back().cursor;
  }
  if (finish_if_blocked()) return;
  const Activation& a = stack_.back();
  uint32_t first = body.regions[inst.payload].begin.index;
  uint32_t last = body.regions[inst.payload + static_cast<uint32_t>(op_info(inst.kind).regions) - 1].end.index;
  frame_.module = a.module;
  frame_.row = a.row;
  frame_.first = first;
  frame_.registers.assign(last - first, Slot());
  frame_.loops.clear();
  Slot result = run_owner(frame_, id);
  frame_.registers.clear();
  switch (result.state) {
    case Slot::State::Ready:
      return finish_ready(std::move(result.value));
    case Slot::State::Pending:
      return finish_pending();
    case Slot::State::Fault:
      return finish_fault(result.detail);
    case Slot::State::Empty:
    case Slot::State::Working:
      break;
  }
  PRAVOC_UNREACHABLE();
}

}  // namespace pravo::runtime
