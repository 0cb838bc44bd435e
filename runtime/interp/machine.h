// The machine behind Interpreter::evaluate(): a stack of values being computed.
#pragma once

#include <vector>

#include "runtime/diagnose.h"
#include "runtime/interp/interpreter.h"

namespace pravo::runtime {

// Whether a value comes from a provider, and so from the EffectSource.
inline bool is_effect(OpKind kind) {
  return kind == OpKind::Resource || kind == OpKind::Data || kind == OpKind::Ephemeral;
}

// A value that is being computed. `cursor` counts what it needs and has looked at.
struct Interpreter::Activation {
  ModuleInstance* module;
  InstId inst;
  uint32_t row;
  uint32_t cursor = 0;
  uint32_t inner = 0;           // rows looked at of one of them
  bool pending = false;         // something that it needs is pending
  FaultIndex fault = kNoIndex;  // of something that it needs
};

// Registers of the regions of one instruction. Nested loops use the same window anew in each iteration.
struct Interpreter::Frame {
  ModuleInstance* module = nullptr;
  uint32_t row = 0;
  uint32_t first = 0;  // the window's first instruction
  std::vector<Slot> registers;
  struct Loop {
    InstId owner;
    const Iteration* over;  // null: of no element at all
    size_t index;
  };
  std::vector<Loop> loops;
  unsigned arms = 0;  // arms of conditionals around what is being computed: there a value that failed is asked for

  bool holds(InstId id) const { return id.index >= first && id.index - first < registers.size(); }
  Slot& at(InstId id) { return registers[id.index - first]; }
};

class Interpreter::Machine {
 public:
  explicit Machine(Interpreter& interpreter) : in_(interpreter) {}

  Evaluated run(ModuleInstance& module, InstId inst, uint32_t row);
  // Makes the instances of a call whose expansion is known. False: there was nothing to make.
  bool make_children(ModuleInstance& module, uint32_t call);

 private:
  // What asking for a value found; Empty: its activation was pushed, ask again.
  struct Found {
    Slot::State state;
    FaultIndex fault = kNoIndex;
  };

  // --- machine.cpp: the stack
  void step();
  Found demand(ModuleInstance& module, InstId inst, uint32_t row);
  Found demand_rows(ModuleInstance& module, InstId base);
  Found demand_external(Activation& a, InstId external);
  // Takes note of a part's state; false: it was pushed, stop for now.
  bool note(Activation& a, Found found);
  void finish(Result<Value> result);
  void finish_ready(Value value);
  void finish_pending();
  void finish_fault(FaultIndex fault);
  bool finish_if_blocked();
  void abandon();
  Slot& slot(ModuleInstance& module, InstId inst, uint32_t row);
  const Value& value(ModuleInstance& module, InstId inst, uint32_t row);

  void step_operands();
  void step_lazy();
  void step_variable();
  void step_validations();
  void step_expand();
  struct Header {
    SourceRange range;
    std::string text;
  };
  std::string address_of_expand(const ModuleInstance& module, InstId expand) const;
  Header header_of_expand(const ModuleBody& body, InstId expand) const;
  void step_at();
  void step_collect();
  void step_module_out();
  void step_effect();
  void step_output();
  void step_regions();

  // --- compute.cpp: one operation on operands that are there
  struct Operands {
    Machine& machine;
    ModuleInstance& module;
    uint32_t row;
    InstId inst;
    Frame* frame;
    const Value& operator[](uint32_t n) const;
    uint32_t count() const;
  };
  Result<Value> compute(const Operands& operands);
  Result<Value> call(const Operands& operands);
  static Result<std::optional<std::vector<Value>>> expanded(const Value& list, uint32_t operand);
  // try() and can(), whose arguments may have failed.
  Result<Value> lazy_call(const Inst& inst, llvm::function_ref<Result<Value>(size_t)> argument);
  Result<Value> provider_call(const Operands& operands);
  Result<Value> build_object(const Operands& operands);
  Result<Value> build_blocks(const Operands& operands);
  Result<std::vector<Value>> arguments(const Operands& operands, bool& unknown);
  Result<Value> meta(ModuleInstance& module, std::string_view name);
  // The row that a key names in a domain.
  struct Row {
    enum class State : uint8_t { Found, Unknown, Error } state;
    uint32_t row = 0;
    EvalError error{};
  };
  Row find_row(const ModuleInstance& module, InstId base, const Domain& domain, const Value& key);

  // --- regions.cpp
  Slot run_owner(Frame& frame, InstId owner);
  void run_region(Frame& frame, const Region& region);
  Slot run_instruction(Frame& frame, InstId id);
  Slot run_at(Frame& frame, InstId id);
  Slot run_lazy(Frame& frame, InstId id);
  Value stand_in(Frame& frame, InstId id);
  Slot run_cond(Frame& frame, InstId owner, const Value& condition);
  Slot run_for(Frame& frame, InstId owner, const Value& source);
  Slot run_splat(Frame& frame, InstId owner, const Value& source);
  Value failed_splat(Frame& frame, InstId owner, const Value& source);
  // The state of an operand of an instruction in a region; fills `fault`.
  Slot::State part_state(Frame& frame, InstId part, FaultIndex& fault);
  const Value& part_value(Frame& frame, InstId part);

  // --- faults
  FaultIndex add_fault(const ModuleInstance& module, InstId inst, const EvalError& error);
  FaultIndex add_fault(Diagnostic diagnostic);
  FaultIndex add_fault(Fault fault);
  FaultIndex silent_fault();
  FaultIndex join_faults(FaultIndex a, FaultIndex b);
  void wait_for(uint32_t what);
  void check_marks(ModuleInstance& module, InstId inst, const Value& value);
  Slot ready(Value value) { return {std::move(value), Slot::State::Ready, 0}; }
  // In a region, what failed still has a value for what is around it.
  Slot faulty(FaultIndex fault, Value stand_in = Value::unknown()) {
    return {std::move(stand_in), Slot::State::Fault, fault};
  }
  Slot pending() { return {Value(), Slot::State::Pending, in_.attempt_}; }

  Interpreter& in_;
  std::vector<Activation> stack_;
  Frame frame_;
};

}  // namespace pravo::runtime
