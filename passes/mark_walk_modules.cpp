// The walk over module boundaries, and back through what providers recorded.
#include <fmt/format.h>

#include "passes/mark_walk.h"
#include "passes/resource_schemas.h"

namespace pravo::passes {

namespace {

std::string_view adjective(MarkSet mark) { return mark == MarkSet::Ephemeral ? "ephemeral" : "sensitive"; }

}  // namespace

void MarkWalk::variable(InstId id, const Demand& demand) {
  const ModuleBody& body = this->body();
  const Inst& inst = body.inst(id);
  bool declared = any(inst.marks & mark_) && demand.wants_own();
  uint32_t row = facts_.modules[current_.module].variable_row(id);
  auto from_caller = [&](ContextId context, ModuleId caller, CallId call) {
    const ModuleCallInfo& info = program_.body(caller).calls[call.index];
    InstId argument = find_argument(info, body.variables[row].name);
    if (!argument.valid()) return false;
    Via via =
        text(fmt::format("as argument `{}` of {}", program_.text(body.variables[row].name), call_text(program_, info)),
             program_.body(caller).use_range(argument, 0));
    if (follow_in(context, caller, argument, demand, via)) return true;
    // Whatever is marked in the argument, the declaration marks the whole.
    if (declared && follow_in(context, caller, argument, Demand::anywhere(), via)) return true;
    // A conversion to a set has swallowed the place.
    for (size_t length = demand.path.size() + 1; !declared && length-- > 0;) {
      Demand swallowed{
          {demand.path.begin(), demand.path.begin() + static_cast<std::ptrdiff_t>(length)}, demand.skip, true};
      if (follow_in(context, caller, argument, std::move(swallowed), via)) return true;
    }
    return false;
  };
  if (row != kNoRow && !body.root) {
    if (current_.context != kAnyCall) {
      const auto& entry = explainer_.contexts_[current_.context.index];
      if (from_caller(entry.parent, entry.caller, entry.call)) return;
    } else {
      // Any call that passes a secret explains it.
      for (auto [caller, call] : facts_.modules[current_.module].callers)
        if (from_caller(kAnyCall, caller, call)) return;
    }
  }
  if (!declared) return;
  std::string name = node_name(program_, current_.module, id);
  SourceRange range = row == kNoRow ? body.range(id) : body.variables[row].range;
  source(name, range, fmt::format("`{}` is declared {}", name, adjective(mark_)));
}

void MarkWalk::module_out(InstId id, const Demand& demand) {
  const ModuleBody& body = this->body();
  NameId name(body.inst(id).payload);
  CallId call(body.inst(body.operand(id, 0)).payload);
  ModuleId target = body.calls[call.index].target;
  if (!target.valid()) return;
  uint32_t row = facts_.modules[target].output(name);
  if (row == kNoRow) return;
  const ModuleBody& callee = program_.body(target);
  const OutputInfo& output = callee.outputs[row];
  std::string module = call_text(program_, body.calls[call.index]);
  Via via =
      text(fmt::format("returned by output `{}` of {}", program_.text(name), module), callee.use_range(output.inst, 0));
  ContextId context = explainer_.context(current_.context, current_.module, call);
  bool declared = any(callee.inst(output.inst).marks & mark_) && demand.wants_own();
  if (mark_ == MarkSet::Sensitive || declared) {
    InstId value = callee.operand(output.inst, 0);
    if (follow_in(context, target, value, demand, via)) return;
    if (declared && follow_in(context, target, value, Demand::anywhere(), via)) return;
  }
  if (declared)
    source(node_name(program_, current_.module, id), output.range,
           fmt::format("output `{}` of {} is declared {}", program_.text(name), module, adjective(mark_)));
}

void MarkWalk::resource(InstId id, const Demand& demand) {
  const ModuleBody& body = this->body();
  const ResourceInfo& info = body.resources[body.inst(id).payload];
  std::string address = resource_address(program_, info);
  if (mark_ == MarkSet::Ephemeral) {
    if (info.mode == ResourceMode::Ephemeral && demand.wants_own())
      source(address, info.range, fmt::format("`{}` is opened here", address));
    return;
  }
  // What was configured comes back at the same place, and where an attribute repeats it.
  InstId config = body.operand(id, 0);
  Via via = text(fmt::format("recorded in `{}`", address), info.range);
  std::vector<Demand> places{demand};
  const SchemaBlock* schema = find_schema(program_, info, explainer_.schemas_);
  if (!demand.path.empty() && demand.path[0] && !demand.path[0]->is_index()) {
    const SchemaAttribute* asked =
        schema != nullptr ? schema->attribute(program_.text(demand.path[0]->name())) : nullptr;
    if (asked != nullptr && !asked->echo_of.empty()) {
      Demand place = demand;
      place.path[0] = FieldKey::name(program_.names->intern(asked->echo_of));
      places.push_back(place);
    }
    // A nested block that comes out as one object.
    Demand block = demand;
    block.path.insert(block.path.begin() + 1, std::nullopt);
    places.push_back(block);
  }
  for (const Demand& place : places)
    if (follow(config, place, via)) return;
  if (schema != nullptr && schema->any_sensitive) {
    std::string name = address;
    if (!demand.path.empty() && demand.path[0]) name += key_text(*demand.path[0], *program_.names);
    source(name, info.range, fmt::format("the provider calls it sensitive in `{}`", address));
    return;
  }
  follow_converted(config, demand, via);
}

}  // namespace pravo::passes
