#include "ir/builder.h"

#include <algorithm>

namespace pravo {

InstId Builder::domain_of(OpKind kind, std::span<const InstId> operands) const {
  // These have none: they stand for all instances, or make the domain.
  if (kind == OpKind::Collect || kind == OpKind::ExpandCount || kind == OpKind::ExpandForEach) return InstId();
  // One instance of the base, so the base's domain is gone; the key may be over another (`a[each.key]` in `b`).
  if (kind == OpKind::At) {
    if (operands.size() < 2 || !operands[1].valid()) return InstId();
    return body_.insts[operands[1]].domain;
  }
  if ((kind == OpKind::Key || kind == OpKind::Each) && !operands.empty() && operands[0].valid()) {
    const Inst& owner = body_.insts[operands[0]];
    if (owner.kind == OpKind::ExpandCount || owner.kind == OpKind::ExpandForEach) return operands[0];
    // Of a for or splat: what is iterated says over which domain its elements are; the owner itself may yet get
    // a domain from what its region uses.
    return owner.operand_count == 0 ? InstId() : body_.insts[body_.operand(operands[0], 0)].domain;
  }
  for (InstId operand : operands)
    if (operand.valid() && body_.insts[operand].domain.valid()) return body_.insts[operand].domain;
  return InstId();
}

InstId Builder::reserve(OpKind kind, TypeId type, uint32_t payload) {
  Inst inst;
  inst.kind = kind;
  inst.type = type;
  inst.payload = payload;
  if (payload != UINT32_MAX) {
    if (op_info(kind).payload == PayloadKind::Resource)
      inst.domain = body_.resources[payload].expand;
    else if (op_info(kind).payload == PayloadKind::ModuleCall)
      inst.domain = body_.calls[payload].expand;
  }
  body_.ranges.push_back(range_);
  return body_.insts.add(inst);
}

void Builder::set_operands(InstId id, std::span<const InstId> operands) {
  Inst& inst = body_.insts[id];
  // A second call replaces the operands; the pool keeps the old ones, which nothing refers to.
  inst.operand_begin = static_cast<uint32_t>(body_.operand_pool.size());
  inst.operand_count = static_cast<uint32_t>(operands.size());
  for (InstId operand : operands) body_.operand_pool.push_back(operand.index);
  if (!inst.domain.valid()) inst.domain = domain_of(inst.kind, operands);
}

InstId Builder::add(OpKind kind, TypeId type, std::span<const InstId> operands, uint32_t payload) {
  InstId id = reserve(kind, type, payload);
  set_operands(id, operands);
  return id;
}

InstId Builder::constant(Value value) {
  TypeId type = program_.intern(value.type());
  auto payload = static_cast<uint32_t>(body_.constants.size());
  body_.constants.push_back(std::move(value));
  return reserve(OpKind::Const, type, payload);
}

InstId Builder::object(TypeId type, std::span<const NameId> names, std::span<const InstId> values) {
  PRAVOC_CHECK(names.size() == values.size());
  auto payload = static_cast<uint32_t>(body_.field_pool.size());
  body_.field_pool.insert(body_.field_pool.end(), names.begin(), names.end());
  return add(OpKind::Object, type, values, payload);
}

InstId Builder::blocks(TypeId type, std::span<const bool> spread, std::span<const InstId> values) {
  PRAVOC_CHECK(spread.size() == values.size());
  auto payload = static_cast<uint32_t>(body_.field_pool.size());
  for (bool s : spread) body_.field_pool.push_back(s ? NameId(0) : NameId());
  return add(OpKind::Blocks, type, values, payload);
}

RegionId Builder::open_region(InstId owner) {
  Inst& inst = body_.insts[owner];
  const OpInfo& info = op_info(inst.kind);
  PRAVOC_CHECK(info.payload == PayloadKind::Region);
  InstId here(static_cast<uint32_t>(body_.insts.size()));
  if (inst.payload == UINT32_MAX) {
    // All regions of an owner lie side by side in the table, whatever nests in the first of them.
    inst.payload = static_cast<uint32_t>(body_.regions.size());
    for (int i = 0; i < info.regions; ++i) body_.regions.push_back({owner, InstId(), InstId(), InstId()});
    // In the text a region stands right behind its owner, so ids must too.
    PRAVOC_CHECK(here.index == owner.index + 1);
  }
  for (int i = 0; i < info.regions; ++i) {
    RegionId id(inst.payload + static_cast<uint32_t>(i));
    Region& region = body_.regions[id.index];
    if (region.begin.valid()) {
      PRAVOC_CHECK(region.end.valid());
      continue;
    }
    PRAVOC_CHECK(i == 0 || body_.regions[id.index - 1].end == here);
    region.begin = here;
    return id;
  }
  PRAVOC_UNREACHABLE();
}

void Builder::close_region(RegionId id, std::span<const InstId> yielded) {
  InstId yield = add(OpKind::Yield, TypeId(), yielded);
  Region& region = body_.regions[id.index];
  region.yield = yield;
  region.end = InstId(yield.index + 1);
  // A value is over the domain of whatever it is computed from, also inside its regions. Owners nested in this one
  // know theirs already, so their regions are skipped.
  Inst& owner = body_.insts[region.owner];
  for (uint32_t i = region.begin.index; i < region.end.index && !owner.domain.valid();) {
    const Inst& inst = body_.insts[InstId(i)];
    owner.domain = inst.domain;
    int regions = op_info(inst.kind).regions;
    i = regions == 0 ? i + 1 : body_.regions[inst.payload + static_cast<uint32_t>(regions) - 1].end.index;
  }
}

}  // namespace pravo
