#include "runtime/exec/walk.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "ir/diagnostics/runtime.h"
#include "ir/walk.h"
#include "runtime/diagnose.h"
#include "runtime/exec/provider_functions.h"

namespace pravo::runtime {

namespace {

constexpr uint32_t kFirstRank = 0;
constexpr uint32_t kLastRank = UINT32_MAX;
// A task that was asked so often waits for everything that its resource needs, instead of what it found missing.
constexpr uint8_t kMaxAttempts = 8;

InterpreterOptions interpreter_options(const RunContext& context, bool applying) {
  InterpreterOptions options;
  for (const RootVariable& variable : context.variables) options.inputs.push_back({variable.name, variable.value});
  options.workspace = context.workspace;
  options.root_directory = ".";
  std::error_code error;
  options.working_directory = std::filesystem::current_path(error).string();
  options.applying = applying;
  options.oracle = context.oracle;
  return options;
}

WorldHost::Options host_options(const RunContext& context, bool applying) {
  WorldHost::Options options;
  options.directory = context.directory;
  options.compiler = context.compiler;
  options.defer_impure = !applying;
  options.plan_moment.seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  return options;
}

}  // namespace

provider::Provider* ProviderPool::get(std::string_view address, Diagnostics& diags) {
  auto found = providers_.find(address);
  if (found != providers_.end()) return found->second.get();
  std::unique_ptr<provider::Provider> made = registry_.create(address);
  if (!made) {
    diags.emit({}, diag::ProviderMissing, address);
    return nullptr;
  }
  Value config = empty_block(made->schema().provider);
  for (const provider::Messages& messages : {made->validate_provider(config), made->configure(config)})
    for (const provider::Message& message : messages)
      if (message.severity == Severity::Error) diags.emit({}, diag::ProviderError, message.summary, message.detail);
  return providers_.emplace(std::string(address), std::move(made)).first->second.get();
}

void ProviderPool::stop_all() {
  if (std::exchange(stopped_, true)) return;
  for (auto& [address, provider] : providers_) provider->stop();
}

Walk::Walk(const RunContext& context, provider::Registry& providers, Diagnostics& diags, const Plan& plan,
           bool applying)
    : context_(context),
      applying_(applying),
      diags_(diags),
      modules_(context.program),
      graph_(modules_),
      selection_(graph_, plan.targets, plan.excludes),
      recorded_(context.program, providers, plan.prior),
      pool_(providers),
      host_(host_options(context, applying)),
      interpreter_(context.program, *this, host_,
                   [&] {
                     InterpreterOptions options = interpreter_options(context, applying);
                     options.validations = this;
                     options.on_expanded = [this](ModuleInstance& parent, uint32_t call) { expanded(parent, call); };
                     return options;
                   }()),
      scheduler_(*this, context.parallelism) {
  nodes_.resize(graph_.size());
  poisoned_.assign(graph_.size(), false);
  failed_.assign(graph_.size(), false);
  for (NodeIndex n = 0; n < graph_.size(); ++n)
    nodes_[n].open = graph_[n].is_resource() ? 1 : static_cast<uint32_t>(graph_[n].needs.size());
  calls_open_.assign(modules_.size(), 0);
  module_complete_.assign(modules_.size(), false);
  scheduler_.on_idle([this] {
    if (context_.observer != nullptr) context_.observer->tick();
    // Nothing is left to start, so nobody else notices the second interrupt.
    if (context_.stop != nullptr && context_.stop->load() > 1) pool_.stop_all();
  });
}

Walk::~Walk() = default;

// --- tasks

TaskId Walk::add_task(TaskKind kind, ModuleInstance* module, uint32_t item, uint32_t row, uint32_t rank,
                      uint32_t holds) {
  tasks_.push_back({kind, module, item, row, false, 0});
  TaskId id = scheduler_.add_task(rank, holds);
  PRAVOC_CHECK(id + 1 == tasks_.size());
  return id;
}

void Walk::make_groups(ModuleInstance& module) {
  if (groups_.size() <= module.index) groups_.resize(module.index + 1);
  groups_[module.index].resize(module.body().resources.size());
}

void Walk::start(ModuleInstance& module) {
  make_groups(module);
  const ModuleBody& body = module.body();
  const bool all = !selection_.active();
  // Also what nothing uses is evaluated, since it may be wrong: arguments of modules, locals, outputs. A run of a part
  // leaves that to a run of the whole. Of the root, run() looks at the variables.
  for (uint32_t v = 0; all && v < body.variables.size(); ++v)
    if (module.parent != nullptr) add_task(TaskKind::Variable, &module, v, 0, kFirstRank);
  if (all)
    for (InstId local : locals(module.layout->module())) add_task(TaskKind::Local, &module, local.index, 0, kLastRank);
  for (uint32_t c = 0; c < body.calls.size(); ++c) {
    uint32_t child = modules_[module.static_module].children[c];
    if (child == UINT32_MAX || !(all || selects_call(child))) continue;
    ++calls_open_[child];
    add_task(TaskKind::ExpandCall, &module, c, 0, kFirstRank);
  }
  for (uint32_t r = 0; r < body.resources.size(); ++r) {
    NodeIndex n = node(module, r);
    if (!all && !selection_.includes(n)) continue;
    if (body.resources[r].expand.valid()) {
      ++nodes_[n].open;
      add_task(TaskKind::ExpandResource, &module, r, 0, graph_.rank(n));
    } else {
      open_group(module, r, 1);
    }
  }
  for (uint32_t o = 0; o < body.outputs.size(); ++o)
    if (all || (module.parent == nullptr && selection_.includes_value(graph_.of_value(0, body.outputs[o].inst))))
      add_task(TaskKind::Output, &module, o, 0, kLastRank);
  for (uint32_t c = 0; all && c < body.checks.size(); ++c) add_task(TaskKind::Check, &module, c, 0, kLastRank);
}

void Walk::run() {
  ModuleInstance& root = interpreter_.root();
  make_groups(root);
  if (!selection_.active()) {
    for (uint32_t v = 0; v < root.body().variables.size(); ++v)
      if (!root.body().variables[v].validations.empty()) add_task(TaskKind::Variable, &root, v, 0, kFirstRank);
    // A value that is refused is so before anything is done.
    if (applying_) {
      scheduler_.run();
      if (diags_.has_errors()) return;
    }
  }
  start(root);
  module_complete(0);
  scheduler_.run();
  settled();
  if (diags_.has_errors() || stopping()) return;
  // Nothing failed, yet some wait: for each other. The static check leaves only cycles through instance keys.
  std::vector<TaskId> stuck = scheduler_.stuck();
  if (stuck.empty()) return;
  std::string names;
  SourceRange first;
  for (TaskId id : stuck) {
    const Task& task = tasks_[id];
    if (task.kind != TaskKind::Instance) continue;
    if (names.empty())
      first = task.module->body().resources[task.item].range;
    else
      names += ", ";
    names += fmt::format("`{}`", address(*task.module, task.item, task.row).to_string());
    if (names.size() > 400) {
      names += ", ...";
      break;
    }
  }
  diags_.emit(first, diag::InstanceCycle, names);
}

void Walk::run_task(TaskId id) {
  switch (tasks_[id].kind) {
    case TaskKind::ExpandResource:
      return run_expand_resource(id);
    case TaskKind::ExpandCall:
      return run_expand_call(id);
    case TaskKind::Instance:
      return run_instance(id);
    case TaskKind::Variable:
      return run_variable(id);
    case TaskKind::Local:
      return run_local(id);
    case TaskKind::Output:
      return run_output(id);
    case TaskKind::Check:
      return run_check(id);
    case TaskKind::Other:
      return run_other(id);
  }
}

void Walk::run_expand_resource(TaskId id) {
  Task task = tasks_[id];
  const ResourceInfo& info = task.module->body().resources[task.item];
  NodeIndex n = node(*task.module, task.item);
  Evaluated result;
  const Domain* domain = interpreter_.expand(*task.module, info.expand, result);
  bool failed = false;
  if (!settle(id, result, failed)) {
    if (!failed) return;
    Group& g = group(*task.module, task.item);
    g.opened = true;
    g.failed = true;
    if (g.event != kNoEvent) scheduler_.signal(g.event);
    mark_failed(n);
  } else {
    open_group(*task.module, task.item, domain->rows);
  }
  node_progress(n);
}

void Walk::run_expand_call(TaskId id) {
  Task task = tasks_[id];
  uint32_t child = modules_[task.module->static_module].children[task.item];
  Evaluated result = interpreter_.expand_call(*task.module, task.item);
  bool failed = false;
  if (!settle(id, result, failed)) {
    if (!failed) return;
    // What is in the module, and below it, will not be.
    std::vector<uint32_t> todo{child};
    while (!todo.empty()) {
      uint32_t m = todo.back();
      todo.pop_back();
      for (uint32_t r = 0; r < modules_.body(m).resources.size(); ++r) mark_failed(graph_.resource(m, r));
      for (uint32_t inner : modules_[m].children)
        if (inner != UINT32_MAX) todo.push_back(inner);
    }
  }
  PRAVOC_CHECK(calls_open_[child] > 0);
  --calls_open_[child];
  if (calls_open_[child] == 0 && module_complete_[task.module->static_module]) module_complete(child);
}

void Walk::run_variable(TaskId id) {
  Task task = tasks_[id];
  bool failed = false;
  settle(id, interpreter_.evaluate(*task.module, task.module->body().variables[task.item].inst), failed);
}

void Walk::run_local(TaskId id) {
  Task task = tasks_[id];
  bool failed = false;
  settle(id, interpreter_.evaluate(*task.module, InstId(task.item)), failed);
}

const std::vector<InstId>& Walk::locals(ModuleId module) {
  auto [at, fresh] = locals_.try_emplace(module);
  if (!fresh) return at->second;
  const ModuleBody& body = context_.program.body(module);
  for (InstId id : top_insts(body))
    if (body.inst(id).kind == OpKind::Local) at->second.push_back(id);
  return at->second;
}

// The instances of a module call were made, for this walk's sake or because a value needed them.
void Walk::expanded(ModuleInstance& parent, uint32_t call) {
  uint32_t child = modules_[parent.static_module].children[call];
  for (ModuleInstance* module : parent.children[call]) {
    module->static_module = child;
    start(*module);
  }
}

// --- completion

void Walk::module_complete(uint32_t first) {
  std::vector<uint32_t> todo{first};
  while (!todo.empty()) {
    uint32_t m = todo.back();
    todo.pop_back();
    module_complete_[m] = true;
    for (uint32_t r = 0; r < modules_.body(m).resources.size(); ++r) node_progress(graph_.resource(m, r));
    for (uint32_t child : modules_[m].children)
      if (child != UINT32_MAX && calls_open_[child] == 0 && !module_complete_[child]) todo.push_back(child);
  }
}

void Walk::node_progress(NodeIndex n) {
  PRAVOC_CHECK(nodes_[n].open > 0);
  if (--nodes_[n].open == 0) complete_node(n);
}

void Walk::complete_node(NodeIndex first) {
  std::vector<NodeIndex> todo{first};
  while (!todo.empty()) {
    NodeIndex n = todo.back();
    todo.pop_back();
    if (nodes_[n].complete) continue;
    nodes_[n].complete = true;
    if (nodes_[n].event != kNoEvent) scheduler_.signal(nodes_[n].event);
    for (NodeIndex user : graph_[n].needed_by)
      if (!graph_[user].is_resource() && --nodes_[user].open == 0) todo.push_back(user);
  }
}

EventId Walk::event_of(NodeIndex n) {
  if (nodes_[n].event == kNoEvent) {
    nodes_[n].event = scheduler_.new_event();
    if (nodes_[n].complete) scheduler_.signal(nodes_[n].event);
  }
  return nodes_[n].event;
}

void Walk::poison(NodeIndex first) {
  std::vector<NodeIndex> todo{first};
  while (!todo.empty()) {
    NodeIndex n = todo.back();
    todo.pop_back();
    for (NodeIndex user : graph_[n].needed_by) {
      if (poisoned_[user]) continue;
      poisoned_[user] = true;
      todo.push_back(user);
    }
  }
}

// --- instances

Walk::Group& Walk::group(ModuleInstance& module, uint32_t resource) { return groups_[module.index][resource]; }

void Walk::open_group(ModuleInstance& module, uint32_t resource, uint32_t rows) {
  Group* g = &group(module, resource);
  if (g->opened) return;
  g->opened = true;
  g->rows.resize(rows);
  g->unfinished = rows;
  nodes_[node(module, resource)].open += rows;
  if (rows == 0 && g->event != kNoEvent) scheduler_.signal(g->event);
  for (uint32_t row = 0; row < rows; ++row) {
    if (selection_.active() && !selection_.includes(node(module, resource), address(module, resource, row)))
      skip_row(module, resource, row);
    else
      found_instance(module, resource, row);
  }
}

// The instance is what the state says, whatever the configuration does.
void Walk::skip_row(ModuleInstance& module, uint32_t resource, uint32_t row) {
  EffectResult result = recorded_.instance(module, resource, row);
  group(module, resource).rows[row].absent = result.value.is_unknown();
  finish_row(module, resource, row, std::move(result.value), false);
}

// Whether there is something to do in a module, or below it.
bool Walk::selects_call(uint32_t static_module) const {
  std::vector<uint32_t> todo{static_module};
  while (!todo.empty()) {
    uint32_t m = todo.back();
    todo.pop_back();
    for (uint32_t r = 0; r < modules_.body(m).resources.size(); ++r)
      if (selection_.includes(graph_.resource(m, r))) return true;
    for (uint32_t child : modules_[m].children)
      if (child != UINT32_MAX) todo.push_back(child);
  }
  return false;
}

std::optional<Value> Walk::collection(ModuleInstance& module, uint32_t resource) {
  if (!selection_.active() || selection_.includes(node(module, resource))) return std::nullopt;
  return recorded_.collection(module, resource);
}

bool Walk::absent(ModuleInstance& module, uint32_t resource, uint32_t row) {
  if (!selection_.active()) return false;
  const Group& g = group(module, resource);
  return row < g.rows.size() && g.rows[row].absent;
}

void Walk::found_instance(ModuleInstance& module, uint32_t resource, uint32_t row) {
  add_task(TaskKind::Instance, &module, resource, row, graph_.rank(node(module, resource)));
}

EffectResult Walk::instance(ModuleInstance& module, uint32_t resource, uint32_t row) {
  Group* g = &group(module, resource);
  if (!g->opened) {
    // The evaluation is ahead of the task that looks for instances.
    InstId expand = module.body().resources[resource].expand;
    open_group(module, resource, module.domains[module.layout->domain_of_expand(expand)].domain.rows);
    g = &group(module, resource);
  }
  EffectResult result;
  if (row >= g->rows.size()) return result;  // its expansion failed
  Row& r = g->rows[row];
  switch (r.state) {
    case Row::State::Done:
      result.state = EffectResult::State::Ready;
      result.value = r.value;
      return result;
    case Row::State::Failed:
      return result;
    case Row::State::Waiting:
      break;
  }
  if (r.event == kNoEvent) r.event = scheduler_.new_event();
  result.state = EffectResult::State::Pending;
  result.waits_for = r.event;
  return result;
}

EffectResult Walk::all_instances(ModuleInstance& module, uint32_t resource) {
  Group* g = &group(module, resource);
  if (!g->opened) {
    InstId expand = module.body().resources[resource].expand;
    open_group(module, resource, module.domains[module.layout->domain_of_expand(expand)].domain.rows);
    g = &group(module, resource);
  }
  EffectResult result;
  if (g->failed) return result;
  if (g->unfinished == 0) {
    result.state = EffectResult::State::Ready;
    return result;
  }
  if (g->event == kNoEvent) g->event = scheduler_.new_event();
  result.state = EffectResult::State::Pending;
  result.waits_for = g->event;
  return result;
}

void Walk::finish_row(ModuleInstance& module, uint32_t resource, uint32_t row, Value value, bool changed) {
  Group& g = group(module, resource);
  Row& r = g.rows[row];
  r.value = std::move(value);
  r.state = Row::State::Done;
  g.changed |= changed;
  --g.unfinished;
  if (r.event != kNoEvent) scheduler_.signal(r.event);
  if (g.unfinished == 0 && g.event != kNoEvent) scheduler_.signal(g.event);
  node_progress(node(module, resource));
}

void Walk::fail_row(ModuleInstance& module, uint32_t resource, uint32_t row) {
  Group& g = group(module, resource);
  Row& r = g.rows[row];
  r.state = Row::State::Failed;
  g.failed = true;
  --g.unfinished;
  // A check stops nothing, also where a depends_on names the module around it.
  if (!module.body().resources[resource].in_check) mark_failed(node(module, resource));
  if (r.event != kNoEvent) scheduler_.signal(r.event);
  if (g.event != kNoEvent) scheduler_.signal(g.event);
  node_progress(node(module, resource));
}

bool Walk::settle(TaskId id, const Evaluated& result, bool& failed) {
  failed = false;
  if (result.ready()) return true;
  Task& task = tasks_[id];
  if (result.failed()) {
    interpreter_.report(result.fault, diags_);
    failed = true;
    return false;
  }
  if (task.attempts < kMaxAttempts) ++task.attempts;
  bool often = interpreter_.waiting_truncated() || task.attempts == kMaxAttempts;
  NodeIndex needs = kNoNode;
  if (often && task.module != nullptr) {
    if (task.kind == TaskKind::Instance || task.kind == TaskKind::ExpandResource) {
      const std::vector<NodeIndex>& all = graph_[node(*task.module, task.item)].needs;
      if (!all.empty()) needs = all[0];
    } else if (task.kind == TaskKind::Output) {
      needs = graph_.of_value(task.module->static_module, task.module->body().outputs[task.item].inst);
    }
  }
  if (needs != kNoNode && !nodes_[needs].complete) {
    EventId event = event_of(needs);
    scheduler_.wait(id, {&event, 1});
    return false;
  }
  scheduler_.wait(id, interpreter_.waiting());
  return false;
}

bool Walk::await_explicit(TaskId id, NodeIndex n) {
  if (n == kNoNode || nodes_[n].complete) return true;
  EventId event = event_of(n);
  scheduler_.wait(id, {&event, 1});
  return false;
}

InstanceAddress Walk::address(ModuleInstance& module, uint32_t resource, uint32_t row) {
  const ResourceInfo& info = module.body().resources[resource];
  InstanceAddress out;
  out.resource.module = module.path;
  out.resource.mode = info.mode;
  out.resource.type = context_.program.text(info.type);
  out.resource.name = context_.program.text(info.name);
  out.key = interpreter_.key_of(module, info.expand, row);
  return out;
}

bool Walk::shown_as_sensitive(const ModuleInstance& module, const OutputInfo& info) const {
  if (any(module.body().inst(info.inst).marks & MarkSet::Sensitive)) return true;
  const std::vector<NameId>& hidden = context_.hidden_outputs;
  return std::find(hidden.begin(), hidden.end(), info.name) != hidden.end();
}

std::string Walk::provider_config(const ResourceInfo& info) const {
  ProviderConfigAddress address;
  address.provider = info.provider_address;
  if (info.provider_alias.valid()) address.alias = context_.program.text(info.provider_alias);
  return address.to_string();
}

const Schema* Walk::schema(const ResourceInfo& info) {
  const ProviderSchema* provider = pool_.registry().schema(info.provider_address);
  if (provider == nullptr) return nullptr;
  const auto& table = info.mode == ResourceMode::Managed ? provider->resources
                      : info.mode == ResourceMode::Data  ? provider->data_sources
                                                         : provider->ephemeral_resources;
  auto found = table.find(context_.program.text(info.type));
  return found == table.end() ? nullptr : &found->second;
}

Result<Value> Walk::call_provider_function(std::string_view name, std::span<const Value> arguments) {
  return runtime::call_provider_function(pool_.registry(), name, arguments);
}

void Walk::call(provider::Provider& provider, std::function<void()> work, std::function<void()> finish) {
  if (!provider.immediate()) {
    scheduler_.offload(std::move(work), std::move(finish));
    return;
  }
  work();
  finish();
}

}  // namespace pravo::runtime
