#include "runtime/run.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "ir/builtin_schemas.h"
#include "ir/diagnostics/runtime.h"
#include "runtime/builtin/terraform/provider.h"
#include "runtime/exec/apply_walk.h"
#include "runtime/exec/plan_walk.h"

namespace pravo::runtime {

provider::Registry make_registry(const RunContext& context) {
  provider::Registry registry;
  builtin::TerraformOptions options;
  options.directory = context.directory == "." ? "" : context.directory;
  if (SourceCompiler* compiler = context.compiler)
    options.decode_variables = [compiler](std::string_view text) { return compiler->parse_variables(text); };
  registry.add(std::string(kBuiltinProvider), [options] { return builtin::make_terraform_provider(options); });
  return registry;
}

std::string_view operation_text(Observer::Operation operation) {
  switch (operation) {
    case Observer::Operation::Refresh:
      return "refresh";
    case Observer::Operation::Read:
      return "read";
    case Observer::Operation::Create:
      return "create";
    case Observer::Operation::Update:
      return "update";
    case Observer::Operation::Delete:
      return "delete";
  }
  PRAVOC_UNREACHABLE();
}

const Schema* RegistrySchemas::schema(std::string_view provider_config, ResourceMode mode, std::string_view type) {
  std::optional<ProviderConfigAddress> address = ProviderConfigAddress::parse(provider_config);
  const ProviderSchema* provider = registry_.schema(address ? address->provider : provider_config);
  if (provider == nullptr) return nullptr;
  const auto& table = mode == ResourceMode::Data ? provider->data_sources : provider->resources;
  auto found = table.find(type);
  return found == table.end() ? nullptr : &found->second;
}

const SchemaBlock* RegistrySchemas::find(const StateResource& resource) {
  const Schema* found = schema(resource.provider, resource.address.mode, resource.address.type);
  return found == nullptr ? nullptr : &found->block;
}

std::string digest_sources(std::vector<std::pair<std::string, std::string_view>> files) {
  std::sort(files.begin(), files.end());
  EVP_MD_CTX* hash = EVP_MD_CTX_new();
  PRAVOC_CHECK(hash != nullptr && EVP_DigestInit_ex(hash, EVP_sha256(), nullptr) == 1);
  auto add = [&](std::string_view text) {
    // The length in front keeps two files from being taken for others with the same bytes.
    std::string length = fmt::format("{}:", text.size());
    PRAVOC_CHECK(EVP_DigestUpdate(hash, length.data(), length.size()) == 1);
    PRAVOC_CHECK(EVP_DigestUpdate(hash, text.data(), text.size()) == 1);
  };
  for (const auto& [name, text] : files) {
    add(name);
    add(text);
  }
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  PRAVOC_CHECK(EVP_DigestFinal_ex(hash, digest, &size) == 1);
  EVP_MD_CTX_free(hash);
  std::string out;
  for (unsigned i = 0; i < size; ++i) out += fmt::format("{:02x}", digest[i]);
  return out;
}

namespace {

// What the configuration uses and this version cannot do yet, one message for each place.
void refuse_unsupported(const Program& program, provider::Registry& providers, Diagnostics& diags) {
  StaticModules modules(program);
  std::vector<bool> seen(program.bodies.size(), false);
  // A provider that is not there is said once, where it is first needed.
  std::unordered_set<std::string_view> missing;
  auto need_provider = [&](const std::string& address, SourceRange range) {
    bool there = providers.has(address);
    if (!there && missing.insert(address).second) diags.emit(range, diag::ProviderMissing, address);
    return there;
  };
  for (uint32_t m = 0; m < modules.size(); ++m) {
    uint32_t index = modules[m].body.index;
    if (seen[index]) continue;
    seen[index] = true;
    const ModuleBody& body = modules.body(m);
    for (size_t i = 0; i < body.unsupported.size(); ++i)
      diags.emit(body.unsupported[i], diag::NotSupportedYet, body.unsupported_what[i]);
    auto reported = [&](SourceRange range) {
      return std::find(body.unsupported.begin(), body.unsupported.end(), range) != body.unsupported.end();
    };
    for (const ProviderInfo& info : body.providers) need_provider(info.address, body.range(info.inst));
    for (const ResourceInfo& info : body.resources) {
      if (need_provider(info.provider_address, info.range) && info.mode == ResourceMode::Ephemeral)
        diags.emit(info.range, diag::NotSupportedYet, "an `ephemeral` block");
      for (const ProvisionerInfo& provisioner : info.provisioners)
        if (!reported(provisioner.range))
          diags.emit(provisioner.range, diag::NotSupportedYet,
                     fmt::format("provisioner `{}`", program.text(provisioner.type)));
    }
    for (const ModuleCallInfo& call : body.calls)
      if (!call.target.valid())
        diags.emit(call.range, diag::NotSupportedYet,
                   fmt::format("module `{}`, which is not installed,", program.text(call.name)));
  }
}

bool require_variables(const RunContext& context, Diagnostics& diags) {
  const ModuleBody& root = context.program.body(ModuleId(0));
  bool good = true;
  for (const VariableInfo& info : root.variables) {
    if ((root.inst(info.inst).flags & kHasDefault) != 0) continue;
    bool given = std::any_of(context.variables.begin(), context.variables.end(),
                             [&](const RootVariable& v) { return v.name == info.name; });
    if (given) continue;
    diags.emit(info.range, diag::MissingVariable, context.program.text(info.name));
    good = false;
  }
  return good;
}

// The plan's record of the root variables: values of those that may be kept, names of the others.
void record_variables(const RunContext& context, Plan& plan) {
  const ModuleBody& root = context.program.body(ModuleId(0));
  for (const VariableInfo& info : root.variables) {
    const Inst& inst = root.inst(info.inst);
    std::string name(context.program.text(info.name));
    auto given = std::find_if(context.variables.begin(), context.variables.end(),
                              [&](const RootVariable& v) { return v.name == info.name; });
    bool has_default = (inst.flags & kHasDefault) != 0;
    if (any(inst.marks & MarkSet::Ephemeral)) {
      if (given != context.variables.end())
        plan.ephemeral_given.push_back(name);
      else if (has_default && root.constant(root.operand(info.inst, 0)).is_null())
        plan.ephemeral_null.push_back(name);
      continue;
    }
    PlanVariable variable;
    variable.name = name;
    if (given != context.variables.end()) {
      variable.value = given->value;
      variable.shown = given->as_given ? *given->as_given : given->value;
    } else if (has_default) {
      variable.value = root.constant(root.operand(info.inst, 0));
      variable.shown = variable.value;
    }
    variable.value = variable.value.with_marks(inst.marks);
    variable.shown = variable.shown.with_marks(inst.marks);
    plan.variables.push_back(std::move(variable));
  }
  std::sort(plan.variables.begin(), plan.variables.end(),
            [](const PlanVariable& a, const PlanVariable& b) { return a.name < b.name; });
}

}  // namespace

PlanResult make_plan(const RunContext& context, provider::Registry& providers, const PlanOptions& options, State prior,
                     Diagnostics& diags) {
  PlanResult result;
  size_t errors = diags.error_count();
  refuse_unsupported(context.program, providers, diags);
  require_variables(context, diags);
  if (diags.error_count() > errors) return result;
  result.plan = std::make_unique<Plan>();
  Plan& plan = *result.plan;
  plan.mode = options.mode;
  plan.targets = options.targets;
  plan.excludes = options.excludes;
  plan.created = format_utc(std::chrono::system_clock::now());
  plan.workspace = context.workspace;
  plan.source_digest = context.source_digest;
  plan.prior = std::move(prior);
  record_variables(context, plan);
  Diagnostics found;
  PlanWalk walk(context, providers, found, options, plan);
  result.interrupted = !walk.make();
  if (result.interrupted)
    found.emit({}, diag::Interrupted)
        .help("there is no plan now; run the command again")
        .note({}, "a plan changes nothing");
  plan.errored = found.has_errors();
  // Of a plan that was broken off nobody knows what else it would have held.
  for (const InstanceAddress& wanted : options.replace) {
    if (plan.errored) break;
    bool planned = std::any_of(plan.changes.begin(), plan.changes.end(),
                               [&](const InstanceChange& change) { return change.address == wanted; });
    if (!planned) found.emit({}, diag::ReplaceUnmatched, wanted.to_string());
  }
  diags.append(std::move(found));
  result.ok = !plan.errored;
  return result;
}

ApplyResult apply_plan(const RunContext& context, provider::Registry& providers, const Plan& plan, StateWriter& writer,
                       Diagnostics& diags) {
  ApplyResult result;
  PRAVOC_CHECK(!plan.errored);
  result.state = plan.prior.clone();
  Diagnostics found;
  if (plan.partial()) found.emit({}, diag::PartialApply);
  ApplyWalk walk(context, providers, found, plan, writer, result);
  walk.apply();
  result.ok = !found.has_errors();
  diags.append(std::move(found));
  return result;
}

bool check_apply(const RunContext& context, const Plan& plan, const State& current,
                 std::vector<RootVariable>& variables, Diagnostics& diags) {
  size_t errors = diags.error_count();
  PRAVOC_CHECK(!plan.errored);  // such a plan is never saved
  if (plan.source_digest != context.source_digest) diags.emit({}, diag::PlanOfOtherSources);
  if (plan.workspace != context.workspace)
    diags.emit({}, diag::PlanOfOtherWorkspace, plan.workspace, context.workspace);
  // A plan that was made before there was a state has no lineage.
  if (!plan.prior.lineage.empty() && plan.prior.lineage != current.lineage)
    diags.emit({}, diag::PlanOfOtherState);
  else if (plan.prior.serial != current.serial || (plan.prior.lineage.empty() && !current.empty()))
    diags.emit({}, diag::PlanStale);
  if (diags.error_count() > errors) return false;

  const ModuleBody& root = context.program.body(ModuleId(0));
  auto given = [&](NameId name) {
    auto found = std::find_if(context.variables.begin(), context.variables.end(),
                              [&](const RootVariable& v) { return v.name == name; });
    return found == context.variables.end() ? nullptr : &*found;
  };
  for (const VariableInfo& info : root.variables) {
    std::string_view name = context.program.text(info.name);
    const RootVariable* now = given(info.name);
    if (any(root.inst(info.inst).marks & MarkSet::Ephemeral)) {
      bool planned =
          std::find(plan.ephemeral_given.begin(), plan.ephemeral_given.end(), name) != plan.ephemeral_given.end();
      if (planned && now == nullptr) diags.emit(info.range, diag::EphemeralVariableMissing, name);
      if (!planned && now != nullptr) diags.emit(info.range, diag::EphemeralVariableNew, name);
      if (planned && now != nullptr) variables.push_back(*now);
      continue;
    }
    auto planned = std::find_if(plan.variables.begin(), plan.variables.end(),
                                [&](const PlanVariable& v) { return v.name == name; });
    if (planned == plan.variables.end()) {
      diags.emit({}, diag::PlanOfOtherSources);
      return false;
    }
    // The message says that they differ, never how.
    if (now != nullptr && now->insisted &&
        !now->value.without_deep_marks().equals_raw(planned->value.without_deep_marks())) {
      diags.emit(info.range, diag::VariableChanged, name);
      continue;
    }
    variables.push_back({info.name, planned->value, std::nullopt});
  }
  return diags.error_count() == errors;
}

}  // namespace pravo::runtime
