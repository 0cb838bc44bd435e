#include "runtime/interp/machine.h"

#include <algorithm>

#include "ir/diagnostics/runtime.h"
#include "ir/walk.h"

namespace pravo::runtime {

namespace {

// More instances than this are refused, before memory is gone.
constexpr uint64_t kMaxRows = 1'000'000;

// Whether a condition's value lets things pass: true, or not known yet.
bool any_true(const Value& condition) {
  if (condition.is_unknown()) return true;
  Result<Value> flag = convert(condition.without_marks(), Type::boolean());
  return flag.ok() && !flag->is_null() && flag->as_bool();
}

bool is_effect(OpKind kind) { return kind == OpKind::Resource || kind == OpKind::Data || kind == OpKind::Ephemeral; }

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

// The resource or module call that an expansion repeats.
std::string Interpreter::Machine::address_of_expand(const ModuleInstance& module, InstId expand) const {
  const ModuleBody& body = module.body();
  std::string scope = module.path->text();
  if (!scope.empty()) scope += '.';
  for (const ResourceInfo& info : body.resources) {
    if (info.expand != expand) continue;
    std::string_view mode = info.mode == ResourceMode::Data        ? "data."
                            : info.mode == ResourceMode::Ephemeral ? "ephemeral."
                                                                   : "";
    return fmt::format("{}{}{}.{}", scope, mode, in_.program_.text(info.type), in_.program_.text(info.name));
  }
  for (const ModuleCallInfo& call : body.calls)
    if (call.expand == expand) return fmt::format("{}module.{}", scope, in_.program_.text(call.name));
  return module.path->text();
}

void Interpreter::Machine::step_expand() {
  Activation& a = stack_.back();
  ModuleInstance& module = *a.module;
  const ModuleBody& body = module.body();
  const Inst& inst = body.inst(a.inst);
  InstId operand = body.operand(a.inst, 0);
  Found found = demand(module, operand, a.row);
  if (!note(stack_.back(), found)) return;
  if (finish_if_blocked()) return;

  bool count = inst.kind == OpKind::ExpandCount;
  InstId id = stack_.back().inst;
  auto refuse = [&](std::string_view why) {
    SourceRange range = body.use_range(id, 0);
    std::string address = address_of_expand(module, id);
    finish_fault(add_fault(count ? make_diagnostic(range, address, diag::InvalidCount, why)
                                 : make_diagnostic(range, address, diag::InvalidForEach, why)));
  };
  const Value& v = value(module, operand, 0);
  Domain domain;
  if (any(v.deep_marks() & MarkSet::Ephemeral) && (count || any(v.marks() & MarkSet::Ephemeral)))
    return refuse("it is an ephemeral value, and the number of instances must be the same in every phase");
  if (count) {
    domain.kind = Domain::Kind::Count;
    if (v.is_unknown())
      return refuse(
          "it depends on values that are known only after apply, so the number of instances cannot be planned");
    if (v.is_null()) return refuse("it is null");
    Result<Value> number = convert(v.without_marks(), Type::number());
    if (!number.ok()) return refuse("a whole number is required");
    if (number->is_unknown()) return refuse("it depends on values that are known only after apply");
    std::optional<int64_t> rows = number->as_number().to_int64();
    if (!rows || *rows < 0) return refuse("a whole number that is not negative is required");
    if (static_cast<uint64_t>(*rows) > kMaxRows) return refuse(fmt::format("more than {} instances", kMaxRows));
    domain.rows = static_cast<uint32_t>(*rows);
  } else {
    domain.kind = Domain::Kind::ForEach;
    if (any(v.marks() & MarkSet::Sensitive))
      return refuse("it is a sensitive value, and instance keys are shown and recorded");
    if (v.is_unknown())
      return refuse("it depends on values that are known only after apply, so its keys cannot be planned");
    if (v.is_null()) return refuse("it is null");
    switch (v.kind()) {
      case ValueKind::Map:
      case ValueKind::Object:
        domain.keys = v.keys();
        break;
      case ValueKind::Set: {
        std::vector<Str> keys;
        keys.reserve(v.length());
        for (const Value& element : v.elements()) {
          if (element.is_unknown())
            return refuse("the set has elements that are known only after apply, so its keys cannot be planned");
          if (element.is_null()) return refuse("the set has a null element");
          if (element.kind() != ValueKind::String) return refuse("a set must be one of strings");
          keys.push_back(element.as_str());
        }
        PRAVOC_CHECK(
            std::is_sorted(keys.begin(), keys.end(), [](const Str& x, const Str& y) { return x.view() < y.view(); }));
        domain.keys = KeySet(std::move(keys));
        break;
      }
      case ValueKind::Null:
      case ValueKind::Unknown:
      case ValueKind::Bool:
      case ValueKind::Number:
      case ValueKind::String:
      case ValueKind::List:
      case ValueKind::Tuple:
        return refuse(
            fmt::format("a map, an object or a set of strings is required, not {}", v.type().friendly_name()));
    }
    if (v.length() > kMaxRows) return refuse(fmt::format("more than {} instances", kMaxRows));
    domain.rows = static_cast<uint32_t>(v.length());
    domain.source = v;
  }
  stack_.pop_back();
  DomainState& state = module.domains[module.layout->domain_of_expand(id)];
  state.domain = std::move(domain);
  state.rows.resize(state.domain.rows);
  state.state = Slot::State::Ready;
}

void Interpreter::Machine::step_at() {
  Activation& a = stack_.back();
  ModuleInstance& module = *a.module;
  const ModuleBody& body = module.body();
  InstId base = body.operand(a.inst, 0);
  InstId key = body.operand(a.inst, 1);
  InstId expand = body.inst(base).domain;
  PRAVOC_CHECK(expand.valid());
  if (a.cursor == 0) {
    Found found = demand(module, key, a.row);
    if (!note(stack_.back(), found)) return;
    stack_.back().cursor = 1;
  }
  if (is_effect(body.inst(base).kind)) {
    if (std::optional<Value> all = in_.effects_.collection(module, body.inst(base).payload)) {
      if (finish_if_blocked()) return;
      return finish(index(*all, value(module, key, stack_.back().row)));
    }
  }
  if (stack_.back().cursor == 1) {
    Found found = demand(module, expand, 0);
    if (!note(stack_.back(), found)) return;
    stack_.back().cursor = 2;
  }
  if (finish_if_blocked()) return;
  Activation& b = stack_.back();
  const Value& key_value = value(module, key, b.row);
  const Domain& domain = module.domains[module.layout->domain_of_expand(expand)].domain;
  Row row = find_row(module, base, domain, key_value);
  switch (row.state) {
    case Row::State::Error:
      return finish_fault(add_fault(module, b.inst, row.error));
    case Row::State::Unknown:
      return finish_ready(Value::unknown().with_marks(key_value.marks()));
    case Row::State::Found:
      break;
  }
  Found found = demand(module, base, row.row);
  if (!note(stack_.back(), found)) return;
  if (finish_if_blocked()) return;
  finish_ready(value(module, base, row.row).with_marks(value(module, key, stack_.back().row).marks()));
}

void Interpreter::Machine::step_collect() {
  Activation& a = stack_.back();
  ModuleInstance& module = *a.module;
  const ModuleBody& body = module.body();
  InstId base = body.operand(a.inst, 0);
  InstId expand = body.inst(base).domain;
  PRAVOC_CHECK(expand.valid());
  if (a.cursor == 0 && is_effect(body.inst(base).kind)) {
    if (std::optional<Value> all = in_.effects_.collection(module, body.inst(base).payload))
      return finish_ready(std::move(*all));
  }
  if (a.cursor == 0) {
    Found found = demand(module, expand, 0);
    if (!note(stack_.back(), found)) return;
    if (finish_if_blocked()) return;
    stack_.back().cursor = 1;
    if (is_effect(body.inst(base).kind)) {
      EffectResult all = in_.effects_.all_instances(module, body.inst(base).payload);
      if (all.state == EffectResult::State::Pending) {
        wait_for(all.waits_for);
        return finish_pending();
      }
      if (all.state == EffectResult::State::Failed) return finish_fault(silent_fault());
    }
  }
  const Domain& domain = module.domains[module.layout->domain_of_expand(expand)].domain;
  while (true) {
    Activation& b = stack_.back();
    uint32_t row = b.cursor - 1;
    if (row == domain.rows || in_.waiting_truncated()) break;
    Found found = demand(module, base, row);
    if (!note(b, found)) return;
    ++b.cursor;
  }
  if (finish_if_blocked()) return;
  std::vector<Value> values;
  values.reserve(domain.rows);
  const bool keyed = domain.kind == Domain::Kind::ForEach;
  auto absent = [&](uint32_t row) {
    return keyed && is_effect(body.inst(base).kind) && in_.effects_.absent(module, body.inst(base).payload, row);
  };
  for (uint32_t row = 0; row < domain.rows; ++row)
    if (!absent(row)) values.push_back(value(module, base, row));
  if (keyed && values.size() < domain.rows) {
    std::vector<Str> keys;
    for (uint32_t row = 0; row < domain.rows; ++row)
      if (!absent(row)) keys.push_back(domain.keys.str(row));
    finish(make_object(KeySet(std::move(keys)), std::move(values)));
  } else if (keyed) {
    finish(make_object(domain.keys, std::move(values)));
  } else {
    finish(make_tuple(std::move(values)));
  }
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

bool Interpreter::Machine::make_children(ModuleInstance& module, uint32_t call_index) {
  std::vector<ModuleInstance*>& children = module.children[call_index];
  const ModuleCallInfo& call = module.body().calls[call_index];
  if (!children.empty() || !call.target.valid()) return false;
  Domain single;
  const Domain& domain =
      call.expand.valid() ? module.domains[module.layout->domain_of_expand(call.expand)].domain : single;
  if (domain.rows == 0) return false;
  std::string_view name = in_.program_.text(call.name);
  for (uint32_t row = 0; row < domain.rows; ++row) {
    auto path = std::make_shared<const ModulePath>(module.path->child(name, domain.key(row)));
    children.push_back(&in_.add_module(&module, call_index, row, call.target, std::move(path)));
  }
  if (in_.options_.on_expanded) in_.options_.on_expanded(module, call_index);
  return true;
}

// All rows of a value over another domain, which a region reads with a key that it computes itself.
Interpreter::Machine::Found Interpreter::Machine::demand_rows(ModuleInstance& module, InstId base) {
  InstId expand = module.body().inst(base).domain;
  DomainState& state = module.domains[module.layout->domain_of_expand(expand)];
  if (std::find(state.complete.begin(), state.complete.end(), base) != state.complete.end())
    return {Slot::State::Ready};
  bool pending = false;
  while (stack_.back().inner < state.domain.rows && !in_.waiting_truncated()) {
    Found found = demand(module, base, stack_.back().inner);
    if (found.state == Slot::State::Empty) return found;
    pending |= found.state == Slot::State::Pending;
    ++stack_.back().inner;
  }
  stack_.back().inner = 0;
  if (pending) return {Slot::State::Pending};
  state.complete.push_back(base);
  return {Slot::State::Ready};
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
