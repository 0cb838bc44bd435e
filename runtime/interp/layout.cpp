#include "runtime/interp/layout.h"

#include <algorithm>
#include <unordered_set>

namespace pravo::runtime {

BodyLayout::BodyLayout(const Program& program, ModuleId module) : body_(program.body(module)), module_(module) {
  auto count = static_cast<uint32_t>(body_.insts.size());
  columns_.assign(count, kNoIndex);
  for (uint32_t i = 0; i < count; ++i) {
    OpKind kind = body_.inst(InstId(i)).kind;
    if (kind != OpKind::ExpandCount && kind != OpKind::ExpandForEach) continue;
    columns_[i] = static_cast<uint32_t>(expands_.size());
    expands_.push_back(InstId(i));
  }
  domain_columns_.assign(expands_.size(), 0);
  add(0);
  for (uint32_t i = 0; i < body_.variables.size(); ++i) variables_.emplace(body_.variables[i].inst.index, i);
  for (uint32_t i = 0; i < body_.outputs.size(); ++i) outputs_.emplace(body_.outputs[i].name, i);
}

void BodyLayout::extend() {
  uint32_t first = size();
  auto count = static_cast<uint32_t>(body_.insts.size());
  for (uint32_t i = first; i < count; ++i) PRAVOC_CHECK(!body_.inst(InstId(i)).domain.valid());
  columns_.resize(count, kNoIndex);
  add(first);
}

// Columns and needs of the instructions from `first` on.
void BodyLayout::add(uint32_t first_inst) {
  uint32_t count = size();
  in_region_.resize(count, false);
  for (; regions_ < body_.regions.size(); ++regions_)
    for (uint32_t i = body_.regions[regions_].begin.index; i < body_.regions[regions_].end.index; ++i)
      in_region_[i] = true;
  for (uint32_t i = first_inst; i < count; ++i) {
    if (in_region_[i] || columns_[i] != kNoIndex) continue;
    InstId expand = body_.inst(InstId(i)).domain;
    columns_[i] = expand.valid() ? domain_columns_[columns_[expand.index]]++ : top_columns_++;
  }

  std::unordered_set<uint32_t> seen;
  for (uint32_t i = first_inst; i < count; ++i) {
    const Inst& inst = body_.inst(InstId(i));
    int regions = op_info(inst.kind).regions;
    if (regions == 0 || in_region_[i]) continue;
    seen.clear();
    auto begin = static_cast<uint32_t>(external_pool_.size());
    uint32_t first = body_.regions[inst.payload].begin.index;
    uint32_t last = body_.regions[inst.payload + static_cast<uint32_t>(regions) - 1].end.index;
    auto outside = [&](uint32_t id) { return id < first || id >= last; };
    for (uint32_t inner = first; inner < last; ++inner)
      for (uint32_t operand : body_.operand_indexes(InstId(inner)))
        if (operand != i && outside(operand) && seen.insert(operand).second) external_pool_.push_back(InstId(operand));
    externals_.emplace(i, std::pair(begin, static_cast<uint32_t>(external_pool_.size())));
  }
}

std::span<const InstId> BodyLayout::externals(InstId owner) const {
  auto found = externals_.find(owner.index);
  if (found == externals_.end()) return {};
  auto [begin, end] = found->second;
  return {external_pool_.data() + begin, end - begin};
}

uint32_t BodyLayout::variable_index(InstId id) const {
  auto found = variables_.find(id.index);
  return found == variables_.end() ? kNoIndex : found->second;
}

uint32_t BodyLayout::output_index(NameId name) const {
  auto found = outputs_.find(name);
  return found == outputs_.end() ? kNoIndex : found->second;
}

InstId BodyLayout::argument(const ModuleCallInfo& call, NameId variable) const {
  auto found = std::lower_bound(call.args.begin(), call.args.end(), variable,
                                [](const auto& arg, NameId name) { return arg.first < name; });
  return found != call.args.end() && found->first == variable ? found->second : InstId();
}

}  // namespace pravo::runtime
