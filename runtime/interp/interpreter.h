// The interpreter over IR: computes the values of module instances on demand, each once.
//
// It has a stack of its own, so chains of any length need no recursion; only the nesting of regions in the source
// recurses. Instances of resources, data sources and ephemerals are not computed here: an EffectSource says what
// they are. When one is not there yet, evaluation goes on where it can, collects all that it waits for, and is
// asked for again later: what was computed meanwhile is kept.
//
// Not thread safe: one thread evaluates, others may carry out the operations of providers.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/diagnostics.h"
#include "ir/functions.h"
#include "ir/operators.h"
#include "runtime/interp/instance.h"

namespace pravo::runtime {

// What is known of an instance's operation.
struct EffectResult {
  enum class State : uint8_t {
    Ready,    // `value` is there
    Pending,  // its operation has not finished; `waits_for` names it to the scheduler
    Failed,   // it failed or was skipped, and that was reported
  } state = State::Failed;
  Value value;
  uint32_t waits_for = 0;
};

class EffectSource {
 public:
  virtual ~EffectSource() = default;
  // The value of an instance of a resource, data source or ephemeral.
  virtual EffectResult instance(ModuleInstance& module, uint32_t resource, uint32_t row) = 0;
  // Whether all `rows` instances of a resource have finished; where not, the one thing to wait for. It spares
  // asking for each.
  virtual EffectResult all_instances(ModuleInstance& module, uint32_t resource) = 0;
  // All instances of a resource with `count` or `for_each` as one value, from a source that knows them whatever the
  // configuration says now; then its expansion is not evaluated.
  virtual std::optional<Value> collection(ModuleInstance&, uint32_t /*resource*/) { return std::nullopt; }
  // Whether an instance that the configuration has is not part of the run and does not exist either: a resource with
  // `for_each` has no element for it.
  virtual bool absent(ModuleInstance&, uint32_t /*resource*/, uint32_t /*row*/) { return false; }
  // A function of a provider.
  virtual Result<Value> call_provider_function(std::string_view name, std::span<const Value> arguments) = 0;
};

// A value of a root input variable.
struct RootInput {
  NameId name;
  Value value;
};

// The mark bits that the static analysis predicts, to check what evaluation finds (design.md section 1).
class MarkOracle {
 public:
  virtual ~MarkOracle() = default;
  // Called with each computed value of a module body; true when its marks are covered.
  virtual bool covers(ModuleId module, InstId inst, const Value& value) = 0;
};

struct Fault {
  std::optional<Diagnostic> diagnostic;  // none where there are causes, and when silent
  std::vector<FaultIndex> causes;        // of a value that several faults keep from being computed
  bool silent = false;                   // the cause was reported elsewhere (an operation failed)
  bool reported = false;
};

// The result of asking for a value.
struct Evaluated {
  Slot::State state = Slot::State::Empty;  // Ready, Pending or Fault
  Value value;
  FaultIndex fault = 0;

  bool ready() const { return state == Slot::State::Ready; }
  bool pending() const { return state == Slot::State::Pending; }
  bool failed() const { return state == Slot::State::Fault; }
};

// What becomes of a variable's validations. They are evaluated with the variable, before anyone else gets its value.
class ValidationSink {
 public:
  virtual ~ValidationSink() = default;
  // A condition's value and, where it is false, its message (else null). What is returned fails the variable.
  virtual std::optional<Diagnostic> validated(ModuleInstance& module, uint32_t variable, InstId condition,
                                              const Evaluated& value, const Evaluated* message) = 0;
};

// The operands of an `object` instruction in the order of its keys.
struct KeySetOrder {
  KeySet keys;
  std::vector<uint32_t> operands;
};

struct InterpreterOptions {
  std::vector<RootInput> inputs;  // variables without one have their default, or are null
  std::string workspace = "default";
  std::string root_directory = ".";  // path.root
  std::string working_directory;     // path.cwd
  bool applying = false;             // terraform.applying
  bool inputs_as_given = false;      // no conversion and no check of marks: the variables of a template
  MarkOracle* oracle = nullptr;
  ValidationSink* validations = nullptr;  // null: variables are not validated
  // Called when the instances of a module call were made.
  std::function<void(ModuleInstance& parent, uint32_t call)> on_expanded;
};

class Interpreter {
 public:
  Interpreter(const Program& program, EffectSource& effects, EvalHost& host, InterpreterOptions options);
  ~Interpreter();

  const Program& program() const { return program_; }
  ModuleInstance& root() { return *modules_[0]; }
  size_t module_count() const { return modules_.size(); }
  ModuleInstance& module(uint32_t index) { return *modules_[index]; }

  // The value of an instruction outside regions; `row` is that of its domain, 0 where it has none.
  Evaluated evaluate(ModuleInstance& module, InstId inst, uint32_t row = 0);
  // The rows of an expansion (invalid: a single one). Null when pending or failed, as `result` says.
  const Domain* expand(ModuleInstance& module, InstId expand, Evaluated& result);
  // Makes the instances of a module call, if its expansion is known.
  Evaluated expand_call(ModuleInstance& module, uint32_t call);

  // What the last Pending result waits for, each once. When there is very much, only its beginning.
  const std::vector<uint32_t>& waiting() const { return waiting_; }
  bool waiting_truncated() const { return waiting_.size() >= kMaxWaiting; }
  static constexpr size_t kMaxWaiting = 64;

  // Takes note of instructions that were added to the root's body since the last call or the start, all of them without
  // a domain.
  void extend_root();
  // Forgets the values of the root's instructions from `first` on.
  void forget_root(InstId first);

  // Forgets the values of one row, when nothing will ask for them again (they would be computed anew).
  void release_row(ModuleInstance& module, InstId expand, uint32_t row);

  // Adds a fault's diagnostic, the first time it is asked for.
  void report(FaultIndex fault, Diagnostics& diags);
  const Fault& fault(FaultIndex fault) const { return faults_[fault]; }
  // What the first of its causes says; empty for a silent fault.
  std::string_view fault_message(FaultIndex fault) const;

  // The instance key of a row, for addresses.
  InstanceKey key_of(ModuleInstance& module, InstId expand, uint32_t row);

 private:
  struct Activation;
  struct Frame;
  class Machine;
  friend class Machine;

  ModuleInstance& add_module(ModuleInstance* parent, uint32_t call, uint32_t row, ModuleId target, ModulePathRef path);
  const BodyLayout& layout(ModuleId module);
  // Nothing for a function that does not exist: `try` and `can` may hold a call of one.
  std::optional<FunctionId> function(const Inst& call);
  bool is_lazy(const Inst& call) {
    std::optional<FunctionId> id = function(call);
    return id && function_info(*id).lazy;
  }
  // Forgets all faults but the first ones. Nothing may name the others any more.
  void forget_faults(size_t keep) {
    faults_.resize(keep);
    if (silent_ != kNoIndex && silent_ >= keep) silent_ = kNoIndex;
  }
  const KeySetOrder& object_order(const ModuleBody& body, InstId object);

  const Program& program_;
  EffectSource& effects_;
  EvalHost& host_;
  InterpreterOptions options_;
  std::vector<std::unique_ptr<BodyLayout>> layouts_;  // by ModuleId, made when first needed
  std::vector<std::unique_ptr<ModuleInstance>> modules_;
  std::deque<Fault> faults_;
  std::vector<uint32_t> waiting_;
  uint32_t attempt_ = 0;
  std::unordered_map<NameId, const Value*> inputs_;
  std::unordered_map<NameId, std::optional<FunctionId>> functions_;
  std::map<std::pair<const ModuleBody*, uint32_t>, KeySetOrder> orders_;
  FaultIndex silent_ = kNoIndex;  // the one for operations that failed
  std::unique_ptr<Machine> machine_;
};

}  // namespace pravo::runtime
