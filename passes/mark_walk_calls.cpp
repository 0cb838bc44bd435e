// The walk back through calls of built-in functions. Where a function mixes its arguments, what follows is each
// argument that carries the mark anywhere.
#include <fmt/format.h>

#include "passes/mark_transfer.h"
#include "passes/mark_walk.h"

namespace pravo::passes {

void MarkWalk::call(InstId id, const Demand& demand) {
  const ModuleBody& body = this->body();
  const Inst& inst = body.inst(id);
  std::string_view name = program_.text(NameId(inst.payload));
  Via via = here(fmt::format("passed through `{}`", name));
  std::optional<FunctionId> function = find_function(name);
  bool expands = (inst.flags & kExpandLast) != 0;
  MarkTransfer transfer = function ? function_info(*function).marks : MarkTransfer::Union;
  if (expands && transfer != MarkTransfer::Clean) transfer = MarkTransfer::Flatten;
  auto selectors = [&](uint32_t from) {
    if (!demand.wants_own()) return;
    for (uint32_t i = from; i < inst.operand_count; ++i) follow(body.operand(id, i), Demand::anywhere(), via);
  };
  if (inst.operand_count == 0) return;
  InstId first = body.operand(id, 0);
  switch (transfer) {
    case MarkTransfer::Clean:
      return;
    case MarkTransfer::Union:
      selectors(0);
      return;
    case MarkTransfer::Convert:
      follow_converted(first, demand, via);
      return;
    case MarkTransfer::Elements: {
      selectors(1);
      if (demand.wants_own()) follow(first, Demand::own(), via);
      if (demand.path.empty() && !demand.deep) return;
      Demand element = demand.path.empty() ? Demand::anywhere() : demand.of_child();
      if (*function == FunctionId::Chunklist) element = element.path.empty() ? Demand::anywhere() : element.of_child();
      follow(first, element.of_raw_parent(std::nullopt), via);
      return;
    }
    case MarkTransfer::Element:
      selectors(1);
      follow(first, demand.of_parent(std::nullopt), via);
      return;
    case MarkTransfer::Lookup: {
      std::optional<FieldKey> key;
      if (inst.operand_count > 1) {
        InstId selector = body.operand(id, 1);
        if (body.inst(selector).kind == OpKind::Const) key = constant_key(*program_.names, body.constant(selector));
        if (demand.wants_own()) follow(selector, Demand::anywhere(), via);
      }
      follow(first, demand.of_parent(key), via);
      for (uint32_t i = 2; i < inst.operand_count; ++i) follow(body.operand(id, i), demand, via);
      return;
    }
    case MarkTransfer::Merge:
      for (uint32_t operand : body.operand_indexes(id)) follow(InstId(operand), demand, via);
      return;
    case MarkTransfer::Concat:
    case MarkTransfer::Values: {
      Demand place = demand;
      if (!place.path.empty()) place.path[0] = std::nullopt;
      for (uint32_t operand : body.operand_indexes(id)) follow(InstId(operand), place, via);
      return;
    }
    case MarkTransfer::Own:
      if (demand.wants_own()) follow(first, Demand::own(), via);
      return;
    case MarkTransfer::Zipmap:
    case MarkTransfer::Flatten:
    case MarkTransfer::Product:
      for (uint32_t operand : body.operand_indexes(id)) follow(InstId(operand), Demand::anywhere(), via);
      return;
    case MarkTransfer::Try:
      for (uint32_t operand : body.operand_indexes(id)) {
        follow(InstId(operand), demand, via);
        if (cannot_fail(body, InstId(operand))) return;
      }
      return;
    case MarkTransfer::AddSensitive:
      follow(first, demand, {});
      if (demand.wants_own() && mark_ == MarkSet::Sensitive) source("", body.range(id), "marked by `sensitive` here");
      return;
    case MarkTransfer::RemoveSensitive:
      follow(first, mark_ == MarkSet::Sensitive ? demand.without_own() : demand, via);
      return;
    case MarkTransfer::Second:
      if (body.inst(id).operand_count > 1) follow(body.operand(id, 1), demand, via);
      return;
    case MarkTransfer::RemoveEphemeral:
      if (mark_ == MarkSet::Sensitive) follow(first, demand, via);
      return;
  }
  PRAVOC_UNREACHABLE();
}

}  // namespace pravo::passes
