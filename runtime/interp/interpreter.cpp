#include "runtime/interp/interpreter.h"

#include <algorithm>

#include "ir/diagnostics/runtime.h"
#include "runtime/interp/machine.h"

namespace pravo::runtime {

InstanceKey Domain::key(uint32_t row) const {
  switch (kind) {
    case Kind::Single:
      return InstanceKey::none();
    case Kind::Count:
      return InstanceKey::at(row);
    case Kind::ForEach:
      return InstanceKey::named(keys.str(row));
  }
  PRAVOC_UNREACHABLE();
}

uint32_t Domain::find(const InstanceKey& key) const {
  switch (kind) {
    case Kind::Single:
      return key.is_none() ? 0 : kNoIndex;
    case Kind::Count:
      return key.kind == InstanceKey::Kind::Number && key.number < rows ? static_cast<uint32_t>(key.number) : kNoIndex;
    case Kind::ForEach: {
      if (key.kind != InstanceKey::Kind::String) return kNoIndex;
      size_t found = keys.find(key.text.view());
      return found == KeySet::npos ? kNoIndex : static_cast<uint32_t>(found);
    }
  }
  PRAVOC_UNREACHABLE();
}

Value Domain::key_value(uint32_t row) const { return key(row).to_value(); }

Interpreter::Interpreter(const Program& program, EffectSource& effects, EvalHost& host, InterpreterOptions options)
    : program_(program), effects_(effects), host_(host), options_(std::move(options)) {
  PRAVOC_CHECK(!program.bodies.empty());
  layouts_.resize(program.bodies.size());
  for (const RootInput& input : options_.inputs) inputs_.emplace(input.name, &input.value);
  machine_ = std::make_unique<Machine>(*this);
  add_module(nullptr, kNoIndex, 0, ModuleId(0), root_module_path());
}

Interpreter::~Interpreter() = default;

const BodyLayout& Interpreter::layout(ModuleId module) {
  std::unique_ptr<BodyLayout>& layout = layouts_[module.index];
  if (!layout) layout = std::make_unique<BodyLayout>(program_, module);
  return *layout;
}

ModuleInstance& Interpreter::add_module(ModuleInstance* parent, uint32_t call, uint32_t row, ModuleId target,
                                        ModulePathRef path) {
  auto module = std::make_unique<ModuleInstance>();
  module->index = static_cast<uint32_t>(modules_.size());
  module->parent = parent;
  module->call = call;
  module->row = row;
  module->layout = &layout(target);
  module->path = std::move(path);
  module->top.resize(module->layout->top_columns());
  module->domains.resize(module->layout->domain_count());
  module->children.resize(module->body().calls.size());
  modules_.push_back(std::move(module));
  return *modules_.back();
}

std::optional<FunctionId> Interpreter::function(const Inst& call) {
  NameId name(call.payload);
  auto found = functions_.find(name);
  if (found != functions_.end()) return found->second;
  std::optional<FunctionId> id = find_function(program_.text(name));
  functions_.emplace(name, id);
  return id;
}

const KeySetOrder& Interpreter::object_order(const ModuleBody& body, InstId object) {
  auto [found, added] = orders_.try_emplace({&body, object.index});
  KeySetOrder& order = found->second;
  if (!added) return order;
  std::span<const NameId> fields = body.fields(object);
  std::vector<std::pair<std::string_view, uint32_t>> named;
  for (uint32_t i = 0; i < fields.size(); ++i) named.emplace_back(program_.text(fields[i]), i);
  std::sort(named.begin(), named.end());
  std::vector<Str> keys;
  for (size_t i = 0; i < named.size(); ++i) {
    // Of equal names the last stays.
    if (i + 1 < named.size() && named[i].first == named[i + 1].first) continue;
    keys.emplace_back(named[i].first);
    order.operands.push_back(named[i].second);
  }
  order.keys = KeySet(std::move(keys));
  return order;
}

Evaluated Interpreter::evaluate(ModuleInstance& module, InstId inst, uint32_t row) {
  return machine_->run(module, inst, row);
}

const Domain* Interpreter::expand(ModuleInstance& module, InstId expand, Evaluated& result) {
  static const Domain single;
  if (!expand.valid()) {
    result = {Slot::State::Ready, Value(), 0};
    return &single;
  }
  result = machine_->run(module, expand, 0);
  if (!result.ready()) return nullptr;
  return &module.domains[module.layout->domain_of_expand(expand)].domain;
}

Evaluated Interpreter::expand_call(ModuleInstance& module, uint32_t call) {
  Evaluated result;
  if (expand(module, module.body().calls[call].expand, result) == nullptr) return result;
  machine_->make_children(module, call);
  return result;
}

void Interpreter::extend_root() {
  layouts_[0]->extend();
  root().top.resize(root().layout->top_columns());
}

void Interpreter::forget_root(InstId first) {
  const BodyLayout& layout = *root().layout;
  for (uint32_t i = first.index; i < layout.size(); ++i)
    if (layout.column(InstId(i)) != kNoIndex) root().top[layout.column(InstId(i))] = Slot();
}

void Interpreter::release_row(ModuleInstance& module, InstId expand, uint32_t row) {
  if (!expand.valid()) return;
  DomainState& state = module.domains[module.layout->domain_of_expand(expand)];
  if (row < state.rows.size()) state.rows[row].reset();
}

void Interpreter::report(FaultIndex index, Diagnostics& diags) {
  // Faults join other faults, so this is a walk over a graph.
  std::vector<FaultIndex> todo{index};
  while (!todo.empty()) {
    Fault& fault = faults_[todo.back()];
    todo.pop_back();
    if (fault.reported) continue;
    fault.reported = true;
    if (fault.causes.empty()) {
      if (fault.diagnostic) diags.add(*fault.diagnostic);
      continue;
    }
    todo.insert(todo.end(), fault.causes.rbegin(), fault.causes.rend());
  }
}

std::string_view Interpreter::fault_message(FaultIndex index) const {
  const Fault* fault = &faults_[index];
  while (!fault->causes.empty()) fault = &faults_[fault->causes.front()];
  return fault->diagnostic ? std::string_view(fault->diagnostic->message) : std::string_view();
}

InstanceKey Interpreter::key_of(ModuleInstance& module, InstId expand, uint32_t row) {
  if (!expand.valid()) return InstanceKey::none();
  return module.domains[module.layout->domain_of_expand(expand)].domain.key(row);
}

// --- faults

FaultIndex Interpreter::Machine::add_fault(Fault fault) {
  in_.faults_.push_back(std::move(fault));
  return static_cast<FaultIndex>(in_.faults_.size() - 1);
}

FaultIndex Interpreter::Machine::add_fault(const ModuleInstance& module, InstId inst, const EvalError& error) {
  const ModuleBody& body = module.body();
  SourceRange range = body.range(inst);
  if (error.argument >= 0) {
    auto operand = static_cast<uint32_t>(error.argument);
    if (body.inst(inst).kind == OpKind::ObjectKeyed) operand *= 2;
    if (operand < body.inst(inst).operand_count) {
      SourceRange use = body.use_range(inst, operand);
      if (use.valid()) range = use;
    }
  }
  return add_fault(make_diagnostic(range, module.path->text(), diag::EvaluationFailed, error.text()));
}

FaultIndex Interpreter::Machine::add_fault(Diagnostic diagnostic) {
  Fault fault;
  fault.diagnostic = std::move(diagnostic);
  return add_fault(std::move(fault));
}

FaultIndex Interpreter::Machine::silent_fault() {
  if (in_.silent_ == kNoIndex) {
    Fault fault;
    fault.silent = true;
    in_.silent_ = add_fault(std::move(fault));
  }
  return in_.silent_;
}

FaultIndex Interpreter::Machine::join_faults(FaultIndex a, FaultIndex b) {
  if (a == b) return a;
  Fault fault;
  fault.causes = {a, b};
  // What an operation's failure has a part in cannot be judged by itself.
  fault.silent = in_.faults_[a].silent || in_.faults_[b].silent;
  return add_fault(std::move(fault));
}

void Interpreter::Machine::check_marks(ModuleInstance& module, InstId inst, const Value& value) {
  if (in_.options_.oracle != nullptr) PRAVOC_CHECK(in_.options_.oracle->covers(module.layout->module(), inst, value));
}

}  // namespace pravo::runtime
