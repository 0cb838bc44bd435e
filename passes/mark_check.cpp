#include "passes/mark_check.h"

#include <fmt/format.h>

#include "ir/diagnostics/passes.h"
#include "passes/mark_sinks.h"

namespace pravo::passes {

void check_marks(const Program& program, MarkFacts& facts, SchemaSource* schemas, const SourceManager& sources,
                 Diagnostics& diags) {
  MarkChecker(program, facts, schemas, sources, diags).run();
}

void MarkChecker::run() {
  // Callers come after what they call, since they inherit what is left open there.
  for (ModuleId module : facts_.modules.bottom_up) {
    check_body(module);
    inherit(module);
  }
}

std::string MarkChecker::phrase(MarkSet mark, const SecretSource* source) {
  std::string_view word = mark == MarkSet::Ephemeral ? "ephemeral" : "sensitive";
  if (source != nullptr && source->name.empty()) return "a value marked by `sensitive`";
  if (source != nullptr) return fmt::format("the {} `{}`", word, source->name);
  return fmt::format("{} {} value", mark == MarkSet::Ephemeral ? "an" : "a", word);
}

void MarkChecker::check_body(ModuleId module) {
  const ModuleBody& body = this->body(module);
  for (uint32_t i = 0; i < body.insts.size(); ++i) {
    InstId id(i);
    switch (body.inst(id).kind) {
      case OpKind::ModuleArg:
        argument(module, id);
        break;
      case OpKind::Output:
        output(module, id);
        break;
      case OpKind::ExpandCount:
      case OpKind::ExpandForEach:
        expansion(module, id);
        break;
      case OpKind::Use:
        use(module, id);
        break;
      case OpKind::Condition:
        condition(module, id);
        break;
      case OpKind::Resource:
      case OpKind::Data:
        resource(module, id);
        break;
      // These take anything. Provider and ephemeral configurations are never stored; what uses the values of the
      // others is looked at itself.
      case OpKind::Provider:
      case OpKind::Ephemeral:
      case OpKind::Const:
      case OpKind::Variable:
      case OpKind::Env:
      case OpKind::Meta:
      case OpKind::Unknown:
      case OpKind::Local:
      case OpKind::Call:
      case OpKind::Binary:
      case OpKind::Unary:
      case OpKind::Template:
      case OpKind::TemplateJoin:
      case OpKind::Index:
      case OpKind::Attr:
      case OpKind::Splat:
      case OpKind::Convert:
      case OpKind::Object:
      case OpKind::ObjectKeyed:
      case OpKind::Tuple:
      case OpKind::Blocks:
      case OpKind::Cond:
      case OpKind::ForList:
      case OpKind::ForObject:
      case OpKind::Yield:
      case OpKind::Key:
      case OpKind::Each:
      case OpKind::At:
      case OpKind::Collect:
      case OpKind::ModuleInstance:
      case OpKind::ModuleOut:
      case OpKind::ProviderCall:
      case OpKind::Check:
      case OpKind::MarkAdd:
      case OpKind::MarkRemove:
        break;
    }
  }
}

namespace {

bool reaches_unknown(const ModuleBody& body, InstId from) {
  std::vector<InstId> stack{from};
  std::set<InstId> seen;
  while (!stack.empty()) {
    InstId id = stack.back();
    stack.pop_back();
    if (!seen.insert(id).second) continue;
    const Inst& inst = body.inst(id);
    if (inst.kind == OpKind::Unknown) return true;
    if (inst.kind == OpKind::ModuleOut) {
      if (!body.calls[body.inst(body.operand(id, 0)).payload].target.valid()) return true;
      continue;
    }
    for (uint32_t operand : body.operand_indexes(id)) stack.push_back(InstId(operand));
    for (int r = 0; r < op_info(inst.kind).regions; ++r)
      stack.push_back(body.region(RegionId(inst.payload + static_cast<uint32_t>(r))).yield);
  }
  return false;
}

}  // namespace

void MarkChecker::argument(ModuleId module, InstId id) {
  if (!ephemeral(module, id)) return;
  const ModuleBody& body = this->body(module);
  CallId call(body.inst(body.operand(id, 1)).payload);
  const ModuleCallInfo& info = body.calls[call.index];
  if (!info.target.valid()) return;
  NameId name(body.inst(id).payload);
  uint32_t row = facts_.modules[info.target].variable(name);
  if (row == kNoRow) return;
  const ModuleBody& target = this->body(info.target);
  const VariableInfo& variable = target.variables[row];
  if (contains(target.inst(variable.inst).marks, MarkSet::Ephemeral)) return;
  // What the variable's type has no place for does not arrive.
  MarkTreeId arrives = argument_tree(program_, facts_, module, call, row);
  std::vector<Demand> places{Demand::anywhere()};
  if (arrives != tree(module, id)) {
    constexpr size_t kMaxPlaces = 8;
    places = find_places(facts_.trees, arrives, MarkSet::Ephemeral, kMaxPlaces);
  }
  std::string to = call_text(program_, info);
  for (Demand& place : places) {
    Leak leak;
    leak.module = module;
    leak.inst = body.operand(id, 0);
    leak.demand = std::move(place);
    // A set has taken the marks of its elements.
    if (!carries(facts_.trees, tree(module, leak.inst), leak.demand, MarkSet::Ephemeral))
      leak.demand = Demand::anywhere();
    leak.range = body.use_range(id, 0);
    leak.arrives = fmt::format("as argument `{}` of {}", program_.text(name), to);
    leak.notes.push_back({variable.range, fmt::format("variable `{}` is declared here", program_.text(name))});
    if (auto fix = declare(sources_, variable.range, "ephemeral",
                           fmt::format("declare variable `{}` ephemeral", program_.text(name))))
      leak.fixes.push_back(*fix);
    report(std::move(leak), diag::EphemeralInArgument, program_.text(name), to);
  }
}

void MarkChecker::output(ModuleId module, InstId id) {
  const ModuleBody& body = this->body(module);
  const Inst& inst = body.inst(id);
  std::string_view name = program_.text(NameId(inst.payload));
  const OutputInfo& info = body.outputs[facts_.modules[module].output(NameId(inst.payload))];
  bool declared = contains(inst.marks, MarkSet::Ephemeral);
  MarkTreeId value = tree(module, body.operand(id, 0));
  Leak leak;
  leak.module = module;
  leak.inst = body.operand(id, 0);
  leak.range = body.use_range(id, 0);
  leak.arrives = fmt::format("into output `{}`", name);
  if (declared) {
    // In a root module the declaration is an error, which the loader reports. What is not known may be ephemeral.
    if (!body.root && !facts_.trees.has(value, MarkSet::Ephemeral) && !reaches_unknown(body, id))
      diags_.emit(leak.range, diag::EphemeralOutputPlain, name)
          .note(info.range, fmt::format("output `{}` is declared here", name));
  } else if (facts_.trees.has(value, MarkSet::Ephemeral)) {
    if (body.root) {
      report(leak, diag::EphemeralInRootOutput, name);
    } else {
      Leak fixable = leak;
      if (auto fix = declare(sources_, info.range, "ephemeral", fmt::format("declare output `{}` ephemeral", name)))
        fixable.fixes.push_back(*fix);
      report(std::move(fixable), diag::EphemeralInOutput, name);
    }
  }
  if (!body.root || contains(inst.marks, MarkSet::Sensitive) || !facts_.trees.has(value, MarkSet::Sensitive)) return;
  leak.mark = MarkSet::Sensitive;
  leak.shown = fmt::format("output `{}`", name);
  if (auto fix = declare(sources_, info.range, "sensitive", fmt::format("declare output `{}` sensitive", name)))
    leak.fixes.push_back(*fix);
  report(std::move(leak), diag::SensitiveInOutput, name);
}

std::string MarkChecker::expansion_owner(ModuleId module, InstId expand) const {
  const ModuleBody& body = this->body(module);
  for (const ResourceInfo& info : body.resources)
    if (info.expand == expand) return fmt::format("`{}`", resource_address(program_, info));
  for (const ModuleCallInfo& info : body.calls)
    if (info.expand == expand) return call_text(program_, info);
  return {};
}

void MarkChecker::expansion(ModuleId module, InstId id) {
  const ModuleBody& body = this->body(module);
  bool count = body.inst(id).kind == OpKind::ExpandCount;
  InstId value = body.operand(id, 0);
  // A map with public keys may have secret values.
  bool refused = count ? ephemeral(module, value) : facts_.trees.has_own(tree(module, value), MarkSet::Ephemeral);
  // That of an import has no owner here: it is a place of its own (UseKind::ImportForEach).
  std::string owner = refused ? expansion_owner(module, id) : "";
  if (!owner.empty()) {
    Leak leak;
    leak.module = module;
    leak.inst = value;
    if (!count) leak.demand = Demand::own();
    leak.range = body.use_range(id, 0);
    leak.arrives = fmt::format("decides how many instances of {} there are", owner);
    if (count)
      report(std::move(leak), diag::EphemeralInCount, owner);
    else
      report(std::move(leak), diag::EphemeralInForEach, owner);
  }
  if (!count) shown(module, id, ShowKind::ForEach);
}

void MarkChecker::use(ModuleId module, InstId id) {
  const ModuleBody& body = this->body(module);
  const Inst& inst = body.inst(id);
  InstId value = body.operand(id, 0);
  InstId target(inst.payload);
  Leak leak;
  leak.module = module;
  leak.inst = value;
  leak.range = body.use_range(id, 0);
  switch (static_cast<UseKind>(inst.flags)) {
    case UseKind::Provisioner:
    case UseKind::Connection:
    case UseKind::DependsOn:
      return;
    case UseKind::ReplaceTrigger: {
      if (!ephemeral(module, value)) return;
      std::string owner = target.valid() ? node_name(program_, module, target) : "a resource";
      leak.arrives = fmt::format("into replace_triggered_by of `{}`", owner);
      report(std::move(leak), diag::EphemeralInTrigger, owner);
      return;
    }
    case UseKind::ImportId:
      leak.arrives = "into the id of an import";
      if (ephemeral(module, value)) report(leak, diag::EphemeralInImport, "id");
      if (facts_.trees.has(tree(module, value), MarkSet::Sensitive)) {
        leak.mark = MarkSet::Sensitive;
        leak.shown = "an import block";
        report(std::move(leak), diag::SensitiveInImport, "id");
      }
      return;
    case UseKind::ImportForEach:
      leak.arrives = "into the for_each of an import";
      leak.demand = Demand::own();
      if (facts_.trees.has_own(tree(module, value), MarkSet::Ephemeral))
        report(leak, diag::EphemeralInImport, "for_each");
      if (facts_.trees.has_own(tree(module, value), MarkSet::Sensitive)) {
        leak.mark = MarkSet::Sensitive;
        leak.shown = "an import block";
        report(std::move(leak), diag::SensitiveInImport, "for_each");
      }
      return;
    case UseKind::BlockExpand: {
      // The configuration of a provider or an ephemeral resource is neither stored nor shown.
      OpKind user = target.valid() ? body.inst(target).kind : OpKind::Resource;
      if (user != OpKind::Resource && user != OpKind::Data) return;
      if (facts_.trees.has_own(tree(module, value), MarkSet::Ephemeral)) {
        std::string owner = target.valid() ? node_name(program_, module, target) : "a resource";
        leak.demand = Demand::own();
        leak.arrives = fmt::format("decides how many blocks `{}` has", owner);
        if (target.valid()) leak.address = owner;
        report(std::move(leak), diag::EphemeralInDynamicBlock, owner);
      }
      shown(module, id, ShowKind::DynamicBlock);
      return;
    }
  }
  PRAVOC_UNREACHABLE();
}

void MarkChecker::condition(ModuleId module, InstId id) {
  const ModuleBody& body = this->body(module);
  if (ephemeral(module, body.operand(id, 1))) {
    Leak leak;
    leak.module = module;
    leak.inst = body.operand(id, 1);
    leak.range = body.use_range(id, 1);
    leak.arrives = "into the error message";
    report(std::move(leak), diag::EphemeralInMessage);
  }
  shown(module, id, ShowKind::Message);
}

}  // namespace pravo::passes
