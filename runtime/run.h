// Plan and apply, for the command line: compiled program in, plan or new state out. Nothing is printed here; what
// happens is told to an observer as it happens.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ir/diagnostics.h"
#include "ir/program.h"
#include "runtime/interp/interpreter.h"
#include "runtime/plan/plan.h"
#include "runtime/provider/provider.h"
#include "runtime/state/local_state.h"

namespace pravo::runtime {

// A root input variable that has a value from outside: files, environment, command line.
struct RootVariable {
  NameId name;
  Value value;                    // converted to the declared type, with its marks
  std::optional<Value> as_given;  // before that, where the loader kept it
  bool insisted = false;          // named on the command line, so that a saved plan must agree with it
};

// What happens, in the order in which it happens. All calls come on the thread that called plan() or apply().
class Observer {
 public:
  // What is done to an object.
  enum class Operation : uint8_t { Refresh, Read, Create, Update, Delete };
  struct Event {
    const InstanceAddress& address;
    std::string_view deposed;
    Operation operation;
    std::string_view id;  // the object's `id` attribute, empty where there is none (or it is sensitive)
    std::chrono::steady_clock::duration elapsed{};
  };
  virtual ~Observer() = default;
  // Whether the start of a refresh should name the object's id, for which the recorded object has to be read once more.
  virtual bool wants_recorded_ids() const { return false; }
  virtual void started(const Event&) {}
  virtual void completed(const Event&) {}
  virtual void errored(const Event&) {}
  // Now and then while operations are under way: the moment to show what runs and since when.
  virtual void tick() {}
};

// "refresh", "read", "create", "update", "delete".
std::string_view operation_text(Observer::Operation operation);

// What needs the front end: parsing text at run time.
class SourceCompiler {
 public:
  virtual ~SourceCompiler() = default;
  // A template (a file's contents) as a program whose root body has a variable for each of `variables` and one
  // output, `result`. One that renders a template itself is refused.
  virtual Result<std::shared_ptr<const Program>> compile_template(std::string_view text, std::string_view name,
                                                                  std::span<const std::string> variables) = 0;
  // The object that a variable file's text holds.
  virtual Result<Value> parse_variables(std::string_view text) = 0;
};

// Everything that plan and apply have in common.
struct RunContext {
  explicit RunContext(const Program& p) : program(p) {}

  const Program& program;
  std::vector<RootVariable> variables;
  // Root outputs that modules declare sensitive, but the root does not: their values are never shown.
  std::vector<NameId> hidden_outputs;
  std::string directory = ".";  // of the root module: where relative paths of its functions start
  std::string workspace = "default";
  std::string source_digest;  // digest_sources() of the configuration's files
  unsigned parallelism = 10;
  SourceCompiler* compiler = nullptr;  // null: what needs it is refused
  MarkOracle* oracle = nullptr;        // debug builds: what the mark analysis predicts
  Observer* observer = nullptr;        // may be null
  // How often the user asked to stop: once, nothing new starts; twice, providers are told to stop.
  const std::atomic<int>* stop = nullptr;
};

// The providers that this program has built in.
provider::Registry make_registry(const RunContext& context);

struct PlanOptions {
  PlanMode mode = PlanMode::Normal;
  bool refresh = true;
  std::vector<InstanceAddress> replace;  // -replace
  std::vector<TargetAddress> targets;    // -target
  std::vector<TargetAddress> excludes;   // -exclude
};

struct PlanResult {
  bool ok = false;  // no errors were reported
  bool interrupted = false;
  std::unique_ptr<Plan> plan;  // also with errors, as far as it got; null when it did not start
};

// Plans from `prior`, the state as it was read.
PlanResult make_plan(const RunContext& context, provider::Registry& providers, const PlanOptions& options, State prior,
                     Diagnostics& diags);

struct ApplyResult {
  bool ok = false;
  bool interrupted = false;
  unsigned added = 0;
  unsigned changed = 0;
  unsigned destroyed = 0;
  unsigned imported = 0;
  State state;  // as it is now, written or not
};

// Where an apply records what it does, so that nothing is forgotten however it ends.
class StateWriter {
 public:
  using Ticket = uint64_t;

  virtual ~StateWriter() = default;
  // Before the first change. False, after a diagnostic: there is no place to record them, so make none.
  virtual bool start(Diagnostics& diags) = 0;
  // Before a provider is asked to create, update or delete an object. Nothing, after a diagnostic: do not ask it. One
  // that keeps nothing outside of the state needs no intents.
  virtual std::optional<Ticket> intent(const InstanceAddress& address, std::string_view deposed, Action action,
                                       Diagnostics& diags) = 0;
  // Waits until an intent cannot be lost any more. False: it may be, so do not ask the provider; result() will say why.
  // For any thread.
  virtual bool durable(Ticket ticket) = 0;
  // After it was asked. `state` holds the result already. False, after a diagnostic: change nothing more.
  virtual bool result(const InstanceAddress& address, std::string_view deposed, Action action, const State& state,
                      Diagnostics& diags) = 0;
  // Now and then: the moment to write the state, if it is time. False: change nothing more; finish() will say why.
  virtual bool checkpoint(State& state) = 0;
  // At the end, also after errors and interrupts. `changed`: some operation ran.
  virtual bool finish(State& state, bool changed, Diagnostics& diags) = 0;
};

// Writes to a state file, with a journal beside it (runtime/state/journal.h): the state at intervals that keep the cost
// a small part of the run, and at the end. What cannot be written there goes to `errored.tfstate` in the current
// directory.
std::unique_ptr<StateWriter> make_state_writer(LocalState& file, StateSchemas& schemas);

// Carries out a plan. The program must be that of the plan, see check_apply().
ApplyResult apply_plan(const RunContext& context, provider::Registry& providers, const Plan& plan, StateWriter& writer,
                       Diagnostics& diags);

// Whether a saved plan may be applied: it was made of this configuration, for this workspace and state, and the
// variables are as planned. On success `variables` are those to apply with: the plan's, and the ephemeral ones given.
bool check_apply(const RunContext& context, const Plan& plan, const State& current,
                 std::vector<RootVariable>& variables, Diagnostics& diags);

// Schemas of the objects in a state, for reading and writing it.
class RegistrySchemas : public StateSchemas {
 public:
  explicit RegistrySchemas(provider::Registry& registry) : registry_(registry) {}
  const SchemaBlock* find(const StateResource& resource) override;
  // Null: unknown provider or type.
  const Schema* schema(std::string_view provider_config, ResourceMode mode, std::string_view type);

 private:
  provider::Registry& registry_;
};

// SHA-256, in hex, of a configuration's files: their names relative to the root module and their texts, in any order.
std::string digest_sources(std::vector<std::pair<std::string, std::string_view>> files);

}  // namespace pravo::runtime
