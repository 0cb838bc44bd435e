// A sensitive variable that reaches only places that take ephemeral values could be ephemeral.
#include <fmt/format.h>

#include "ir/diagnostics/passes.h"
#include "passes/advise_parts.h"
#include "passes/fixes.h"
#include "passes/resource_schemas.h"
#include "passes/slice.h"

namespace pravo::passes {

namespace {

// Per body, by row of its variables.
struct Reach {
  std::vector<bool> stored;     // reaches a place that stores or shows it
  std::vector<bool> ephemeral;  // reaches a place that takes ephemeral values
  // Variables of called modules, not declared ephemeral, that it is passed to: (module, row).
  std::vector<std::vector<std::pair<ModuleId, uint32_t>>> passed;
};

// Finds out where the variables of a body end up. Bodies that are called come first.
class ReachWalk {
 public:
  ReachWalk(const Program& program, const MarkFacts& facts, SchemaSource* schemas, std::vector<Reach>& reaches)
      : program_(program), facts_(facts), schemas_(schemas), reaches_(reaches) {}

  void run(ModuleId module) {
    const ModuleBody& body = program_.body(module);
    stored_.clear();
    ephemeral_.clear();
    Reach& reach = reaches_[module.index];
    reach.passed.resize(body.variables.size());
    for (uint32_t i = 0; i < body.insts.size(); ++i) place(body, InstId(i));
    reach.stored = variables_behind(module, stored_);
    reach.ephemeral = variables_behind(module, ephemeral_);
    for (const auto& [value, target] : passed_) {
      std::vector<bool> from = variables_behind(module, {value});
      for (uint32_t row = 0; row < from.size(); ++row)
        if (from[row]) reach.passed[row].push_back(target);
    }
    passed_.clear();
  }

 private:
  std::vector<bool> variables_behind(ModuleId module, const std::vector<InstId>& roots) const {
    const ModuleBody& body = program_.body(module);
    std::vector<bool> rows(body.variables.size());
    std::vector<bool> seen;
    walk_back(body, roots, seen, [&](InstId id) {
      const Inst& inst = body.inst(id);
      if (inst.kind == OpKind::Variable) {
        uint32_t row = facts_.modules[module].variable_row(id);
        if (row != kNoRow) rows[row] = true;
        return false;
      }
      // What a provider gives back is another value; its configuration is a place of its own.
      return op_info(inst.kind).effect != OpEffect::Effect || inst.kind == OpKind::ProviderCall;
    });
    return rows;
  }

  void place(const ModuleBody& body, InstId id) {
    const Inst& inst = body.inst(id);
    auto stores = [&](InstId value) { stored_.push_back(value); };
    switch (inst.kind) {
      case OpKind::Provider:
      case OpKind::Ephemeral:
        ephemeral_.push_back(body.operand(id, 0));
        break;
      case OpKind::Resource:
      case OpKind::Data: {
        const ResourceInfo& info = body.resources[inst.payload];
        config(body, body.operand(id, 0), find_schema(program_, info, schemas_), 0);
        break;
      }
      case OpKind::Output:
        if (body.root || !contains(inst.marks, MarkSet::Ephemeral))
          stores(body.operand(id, 0));
        else
          ephemeral_.push_back(body.operand(id, 0));
        break;
      case OpKind::ExpandCount:
      case OpKind::ExpandForEach:
        stores(body.operand(id, 0));
        break;
      case OpKind::Condition:
        stores(body.operand(id, 1));
        break;
      case OpKind::Use:
        use(body, id);
        break;
      case OpKind::ModuleArg:
        argument(body, id);
        break;
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

  void use(const ModuleBody& body, InstId id) {
    const Inst& inst = body.inst(id);
    InstId target(inst.payload);
    switch (static_cast<UseKind>(inst.flags)) {
      case UseKind::Provisioner:
      case UseKind::Connection:
        ephemeral_.push_back(body.operand(id, 0));
        return;
      case UseKind::DependsOn:
        return;
      case UseKind::ReplaceTrigger:
      case UseKind::ImportId:
      case UseKind::ImportForEach:
        stored_.push_back(body.operand(id, 0));
        return;
      case UseKind::BlockExpand: {
        OpKind user = target.valid() ? body.inst(target).kind : OpKind::Resource;
        bool stores = user == OpKind::Resource || user == OpKind::Data;
        (stores ? stored_ : ephemeral_).push_back(body.operand(id, 0));
        return;
      }
    }
    PRAVOC_UNREACHABLE();
  }

  void argument(const ModuleBody& body, InstId id) {
    const ModuleCallInfo& call = body.calls[body.inst(body.operand(id, 1)).payload];
    InstId value = body.operand(id, 0);
    uint32_t row = call.target.valid() ? facts_.modules[call.target].variable(NameId(body.inst(id).payload)) : kNoRow;
    if (row == kNoRow) {
      stored_.push_back(value);
      return;
    }
    const ModuleBody& target = program_.body(call.target);
    if (contains(target.inst(target.variables[row].inst).marks, MarkSet::Ephemeral)) {
      ephemeral_.push_back(value);
      return;
    }
    const Reach& reach = reaches_[call.target.index];
    if (reach.stored[row] || !is_own_code(target)) {
      stored_.push_back(value);
      return;
    }
    if (!reach.ephemeral[row]) return;
    ephemeral_.push_back(value);
    passed_.push_back({value, {call.target, row}});
  }

  void config(const ModuleBody& body, InstId id, const SchemaBlock* schema, unsigned depth) {
    constexpr unsigned kMaxDepth = 100;
    if (body.inst(id).kind != OpKind::Object || depth > kMaxDepth) {
      stored_.push_back(id);
      return;
    }
    std::span<const NameId> names = body.fields(id);
    for (uint32_t i = 0; i < names.size(); ++i) {
      InstId value = body.operand(id, i);
      std::string_view name = program_.text(names[i]);
      if (body.inst(value).kind != OpKind::Blocks) {
        const SchemaAttribute* attribute = schema == nullptr ? nullptr : schema->attribute(name);
        bool write_only = schema == nullptr ? is_write_only_name(name) : attribute != nullptr && attribute->write_only;
        (write_only ? ephemeral_ : stored_).push_back(value);
        continue;
      }
      const SchemaNestedBlock* nested = schema == nullptr ? nullptr : schema->block(name);
      for (uint32_t operand : body.operand_indexes(value)) {
        InstId content(operand);
        if (body.inst(content).kind == OpKind::ForList)
          content = body.operand(body.region(RegionId(body.inst(content).payload)).yield, 0);
        config(body, content, nested == nullptr ? nullptr : &nested->block, depth + 1);
      }
    }
  }

  const Program& program_;
  const MarkFacts& facts_;
  SchemaSource* schemas_;
  std::vector<Reach>& reaches_;
  std::vector<InstId> stored_;
  std::vector<InstId> ephemeral_;
  std::vector<std::pair<InstId, std::pair<ModuleId, uint32_t>>> passed_;
};

}  // namespace

void advise_ephemeral(const Program& program, const MarkFacts& facts, SchemaSource* schemas,
                      const SourceManager& sources, Diagnostics& diags) {
  auto is_candidate = [&](const ModuleBody& body, const VariableInfo& variable) {
    return body.inst(variable.inst).marks == MarkSet::Sensitive && is_own_code(body);
  };
  bool candidates = false;
  for (const auto& body : program.bodies)
    for (const VariableInfo& variable : body->variables) candidates |= is_candidate(*body, variable);
  if (!candidates) return;
  std::vector<Reach> reaches(program.bodies.size());
  ReachWalk walk(program, facts, schemas, reaches);
  for (ModuleId module : facts.modules.bottom_up) {
    walk.run(module);
    const ModuleBody& body = program.body(module);
    const Reach& reach = reaches[module.index];
    for (uint32_t row = 0; row < body.variables.size(); ++row) {
      const VariableInfo& variable = body.variables[row];
      if (!is_candidate(body, variable) || reach.stored[row] || !reach.ephemeral[row]) continue;
      auto warning = diags.emit(variable.range, diag::CouldBeEphemeral, program.text(variable.name));
      for (const auto& [target, inner] : reach.passed[row]) {
        const VariableInfo& passed = program.body(target).variables[inner];
        warning.note(passed.range, fmt::format("it is passed to variable `{}`, which has to be declared ephemeral too",
                                               program.text(passed.name)));
      }
      if (!reach.passed[row].empty()) continue;
      if (auto fix = declare(sources, variable.range, "ephemeral",
                             fmt::format("declare variable `{}` ephemeral", program.text(variable.name))))
        warning.fix(fix->range, fix->replacement, fix->description);
    }
  }
}

}  // namespace pravo::passes
