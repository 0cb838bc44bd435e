// Plan and apply on the files of a test, or on its IR. The state stays from run to run; the first starts from the
// file `terraform.tfstate`, if the test has one.
//
// Words behind `plan` and `apply`: -destroy, -refresh-only, -replace=ADDRESS and -var=NAME=VALUE as on the command
// line; -interrupt stops the run when its first operation has started.
//
// Beside the built-in provider there is `fake` (registry.terraform.io/hashicorp/fake), with resource and data source
// `fake_thing`. Its attribute `say` makes it speak: "refuse-PHASE TEXT" is an error and "warn-PHASE TEXT" a warning
// with that text, PHASE being validate, plan or apply.
#include <algorithm>
#include <atomic>

#include <fmt/format.h>

#include "frontend/load/config.h"
#include "frontend/load/variables.h"
#include "runtime/run.h"
#include "runtime/show/show.h"
#include "runtime/testing/fake_provider.h"
#include "tests/runner/run_functions.h"

namespace pravo::testing {

namespace {

using runtime::State;

constexpr std::string_view kFake = "registry.terraform.io/hashicorp/fake";

// What stays from run to run.
struct World {
  State state;
};

class Log : public runtime::Observer {
 public:
  Log(std::string& out, std::atomic<int>* stop) : out_(out), stop_(stop) {}
  void started(const Event& event) override {
    out_ += fmt::format("{} {}\n", runtime::operation_text(event.operation), event.address.to_string());
    if (stop_ != nullptr) stop_->store(1);
  }

 private:
  std::string& out_;
  std::atomic<int>* stop_;
};

// Keeps the state in memory, as the walk leaves it.
class MemoryWriter : public runtime::StateWriter {
 public:
  bool start(Diagnostics&) override { return true; }
  std::optional<Ticket> intent(const runtime::InstanceAddress&, std::string_view, runtime::Action,
                               Diagnostics&) override {
    return 0;
  }
  bool durable(Ticket) override { return true; }
  bool result(const runtime::InstanceAddress&, std::string_view, runtime::Action, const State&, Diagnostics&) override {
    return true;
  }
  bool checkpoint(State&) override { return true; }
  bool finish(State&, bool, Diagnostics&) override { return true; }
};

void speak(std::string_view phase, const Value& config, provider::Messages& messages) {
  if (!config.is_compound()) return;
  const Value* say = config.find("say");
  if (say == nullptr || say->kind() != ValueKind::String) return;
  std::string_view text = say->as_string();
  size_t space = text.find(' ');
  for (auto [word, severity] : {std::pair{"refuse-", Severity::Error}, std::pair{"warn-", Severity::Warning}})
    if (text.substr(0, space) == std::string(word) + std::string(phase))
      messages.push_back({severity,
                          std::string(text.substr(std::min(space, text.size() - 1) + 1)),
                          "The fake provider was asked to.",
                          {PathStep::attribute(Str("say"))}});
}

FakeBehaviour fake_behaviour() {
  FakeBehaviour b;
  Schema thing = schema({attribute("id:c"), attribute("name:o"), attribute("say:o"), attribute("token:cs")});
  b.schema.resources.emplace("fake_thing", thing);
  b.schema.data_sources.emplace("fake_thing", thing);
  b.schema.provider.finish();
  b.force_new = {"name"};
  b.on_validate = [](const provider::ConfigRequest& request, provider::Messages& out) {
    speak("validate", request.config, out);
  };
  b.on_plan = [](const provider::PlanRequest& request, provider::PlanResponse& out) {
    speak("plan", request.config, out.messages);
  };
  b.on_apply = [](const provider::ApplyRequest& request, provider::ApplyResponse& out) {
    speak("apply", request.config, out.messages);
    if (provider::has_errors(out.messages)) out.state = request.prior;
  };
  b.on_read_data = [](const provider::ConfigRequest& request, provider::StateResponse& out) {
    speak("plan", request.config, out.messages);
  };
  return b;
}

// One plan, or plan and apply.
class RuntimeRun {
 public:
  explicit RuntimeRun(RunContext& c) : c_(c), fake_(fake_behaviour()) {}
  void run(bool apply);

 private:
  bool take_options();
  bool take_inputs();
  World* world();

  RunContext& c_;
  FakeBehaviour fake_;
  FakeLog fake_log_;
  Program* program_ = nullptr;
  runtime::PlanOptions options_;
  std::vector<load::VarArgument> variables_;
  std::vector<runtime::RootVariable> inputs_;
  bool interrupt_ = false;
};

bool RuntimeRun::take_options() {
  for (const std::string& word : c_.options) {
    std::string_view text = word;
    auto follows = [&](std::string_view prefix) {
      if (!text.starts_with(prefix)) return false;
      text.remove_prefix(prefix.size());
      return true;
    };
    if (word == "-destroy") {
      options_.mode = runtime::PlanMode::Destroy;
    } else if (word == "-refresh-only") {
      options_.mode = runtime::PlanMode::RefreshOnly;
    } else if (word == "-interrupt") {
      interrupt_ = true;
    } else if (follows("-var=")) {
      variables_.push_back({false, std::string(text)});
    } else if (follows("-replace=")) {
      auto address = runtime::InstanceAddress::parse(text);
      if (!address) {
        c_.problems.push_back(fmt::format("`{}` is no address", text));
        return false;
      }
      options_.replace.push_back(std::move(*address));
    } else {
      c_.problems.push_back(fmt::format("`{}` is no option of this run", word));
      return false;
    }
  }
  return true;
}

bool RuntimeRun::take_inputs() {
  if (c_.ir_text) {
    if (!variables_.empty()) c_.problems.emplace_back("IR has no `-var`: give its variables defaults");
    return variables_.empty();
  }
  const load::Configuration* configuration = loaded_configuration(c_);
  load::LoadOptions options;
  options.directory = c_.directory();
  auto values = load::load_variable_values(*configuration, options, variables_, c_.sources, c_.names, c_.diags);
  for (auto& [name, input] : values) inputs_.push_back({name, std::move(input.value), std::nullopt});
  return true;
}

World* RuntimeRun::world() {
  if (auto* found = std::any_cast<std::shared_ptr<World>>(&c_.state)) return found->get();
  auto made = std::make_shared<World>();
  for (const RunContext::File& file : c_.files) {
    if (file.name != "terraform.tfstate") continue;
    std::optional<State> state = runtime::parse_state(file.text, file.name, c_.diags);
    if (!state) return nullptr;
    made->state = std::move(*state);
  }
  c_.state = made;
  return made.get();
}

void RuntimeRun::run(bool apply) {
  program_ = c_.ir_text ? c_.parsed_program() : lowered_program(c_);
  if (program_ == nullptr || !take_options() || !take_inputs()) return;
  World* world = this->world();
  if (world == nullptr || c_.diags.has_errors()) return;

  std::atomic<int> stop{0};
  std::string& log = c_.outputs["log"];
  Log observer(log, interrupt_ ? &stop : nullptr);
  runtime::RunContext context(*program_);
  context.variables = inputs_;
  context.directory = c_.directory();
  context.parallelism = 1;
  context.observer = &observer;
  context.stop = &stop;
  provider::Registry providers = runtime::make_registry(context);
  providers.add(std::string(kFake), [this] { return make_fake_provider(fake_, fake_log_); });
  runtime::RegistrySchemas schemas(providers);

  runtime::PlanResult planned = runtime::make_plan(context, providers, options_, world->state.clone(), c_.diags);
  if (planned.plan) c_.outputs["plan"] = runtime::render_plan(*planned.plan, {});
  if (!apply || !planned.ok) return;
  log.clear();
  MemoryWriter writer;
  runtime::ApplyResult applied = runtime::apply_plan(context, providers, *planned.plan, writer, c_.diags);
  world->state = std::move(applied.state);
  c_.outputs["state"] = runtime::render_state(world->state, schemas, {});
  c_.outputs["outputs"] = runtime::render_outputs(world->state);
}

}  // namespace

void run_plan(RunContext& c) { RuntimeRun(c).run(false); }
void run_apply(RunContext& c) { RuntimeRun(c).run(true); }

}  // namespace pravo::testing
