// How many instances a resource or a module call has, with which keys, and their values together.
#include <algorithm>

#include <fmt/format.h>

#include "ir/diagnostics/runtime.h"
#include "runtime/diagnose.h"
#include "runtime/interp/machine.h"

namespace pravo::runtime {

namespace {

// More instances than this are refused, before memory is gone.
constexpr uint64_t kMaxRows = 1'000'000;

// The domain that a value of `count` or `for_each` gives, or why it gives none.
struct Expansion {
  Domain domain;
  std::string refused;
  bool unknown = false;  // refused because nobody knows the value yet
};

Expansion refusal(std::string why) { return {{}, std::move(why), false}; }

Expansion not_known(std::string why) { return {{}, std::move(why), true}; }

Expansion count_domain(const Value& v) {
  if (any(v.deep_marks() & MarkSet::Ephemeral))
    return refusal("it is an ephemeral value, and the number of instances must be the same in every phase");
  if (v.is_unknown())
    return not_known(
        "it depends on values that are known only after apply, so the number of instances cannot be planned");
  if (v.is_null()) return refusal("it is null");
  Result<Value> number = convert(v.without_marks(), Type::number());
  if (!number.ok()) return refusal("a whole number is required");
  if (number->is_unknown()) return not_known("it depends on values that are known only after apply");
  std::optional<int64_t> rows = number->as_number().to_int64();
  if (!rows || *rows < 0) return refusal("a whole number that is not negative is required");
  if (static_cast<uint64_t>(*rows) > kMaxRows) return refusal(fmt::format("more than {} instances", kMaxRows));
  Expansion out;
  out.domain.kind = Domain::Kind::Count;
  out.domain.rows = static_cast<uint32_t>(*rows);
  return out;
}

Expansion for_each_domain(const Value& v) {
  if (any(v.marks() & MarkSet::Ephemeral))
    return refusal("it is an ephemeral value, and the number of instances must be the same in every phase");
  if (any(v.marks() & MarkSet::Sensitive))
    return refusal("it is a sensitive value, and instance keys are shown and recorded");
  if (v.is_unknown())
    return not_known("it depends on values that are known only after apply, so its keys cannot be planned");
  if (v.is_null()) return refusal("it is null");
  Expansion out;
  out.domain.kind = Domain::Kind::ForEach;
  if (v.kind() == ValueKind::Map || v.kind() == ValueKind::Object) {
    out.domain.keys = v.keys();
  } else if (v.kind() == ValueKind::Set) {
    std::vector<Str> keys;
    keys.reserve(v.length());
    for (const Value& element : v.elements()) {
      if (element.is_unknown())
        return not_known("the set has elements that are known only after apply, so its keys cannot be planned");
      if (element.is_null()) return refusal("the set has a null element");
      if (element.kind() != ValueKind::String) return refusal("a set must be one of strings");
      keys.push_back(element.as_str());
    }
    PRAVOC_CHECK(
        std::is_sorted(keys.begin(), keys.end(), [](const Str& x, const Str& y) { return x.view() < y.view(); }));
    out.domain.keys = KeySet(std::move(keys));
  } else {
    return refusal(fmt::format("a map, an object or a set of strings is required, not {}", v.type().friendly_name()));
  }
  if (v.length() > kMaxRows) return refusal(fmt::format("more than {} instances", kMaxRows));
  out.domain.rows = static_cast<uint32_t>(v.length());
  out.domain.source = v;
  return out;
}

}  // namespace

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

// What the block is that an expansion belongs to, as it is written: `resource "t" "n"`.
Interpreter::Machine::Header Interpreter::Machine::header_of_expand(const ModuleBody& body, InstId expand) const {
  const Program& program = in_.program_;
  for (const ResourceInfo& info : body.resources)
    if (info.expand == expand) {
      std::string_view block = info.mode == ResourceMode::Managed ? "resource" : resource_mode_text(info.mode);
      return {info.range, fmt::format("{} \"{}\" \"{}\"", block, program.text(info.type), program.text(info.name))};
    }
  for (const ModuleCallInfo& call : body.calls)
    if (call.expand == expand) return {call.range, fmt::format("module \"{}\"", program.text(call.name))};
  return {};
}

void Interpreter::Machine::step_expand() {
  Activation& a = stack_.back();
  ModuleInstance& module = *a.module;
  const ModuleBody& body = module.body();
  InstId id = a.inst;
  InstId operand = body.operand(id, 0);
  Found found = demand(module, operand, a.row);
  if (!note(stack_.back(), found)) return;
  if (finish_if_blocked()) return;

  const bool count = body.inst(id).kind == OpKind::ExpandCount;
  const Value& v = value(module, operand, 0);
  Expansion expansion = count ? count_domain(v) : for_each_domain(v);
  if (!expansion.refused.empty()) {
    SourceRange range = body.use_range(id, 0);
    std::string address = address_of_expand(module, id);
    Diagnostic fault = count ? make_diagnostic(range, address, diag::InvalidCount, expansion.refused)
                             : make_diagnostic(range, address, diag::InvalidForEach, expansion.refused);
    if (Header header = header_of_expand(body, id); expansion.unknown && header.range.valid()) {
      fault.notes.push_back({header.range, fmt::format("the instances of `{}` must be known at plan", header.text)});
      fault.help = count ? "count something that the configuration says itself, or apply first what makes the number "
                           "known: `-target` plans a part"
                         : "keys that the configuration says itself can be planned, also with values that are known "
                           "later; or apply first what makes them known: `-target` plans a part";
    }
    return finish_fault(add_fault(std::move(fault)));
  }
  stack_.pop_back();
  DomainState& state = module.domains[module.layout->domain_of_expand(id)];
  state.domain = std::move(expansion.domain);
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

}  // namespace pravo::runtime
