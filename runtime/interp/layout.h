// What the interpreter works out of a module body once, whatever the number of its instances: where each value is
// kept, what the regions refer to outside themselves, and which side table row an instruction belongs to.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "ir/program.h"

namespace pravo::runtime {

// Index of an expansion among those of its body.
using DomainIndex = uint32_t;
inline constexpr uint32_t kNoIndex = UINT32_MAX;

class BodyLayout {
 public:
  BodyLayout(const Program& program, ModuleId module);

  // Takes in what was added to the body since: instructions without a domain, no side table rows.
  void extend();
  uint32_t size() const { return static_cast<uint32_t>(columns_.size()); }

  const ModuleBody& body() const { return body_; }
  ModuleId module() const { return module_; }

  // The slot of a value that is not inside a region: among those of the body when it has no domain, else among
  // those of a row of its domain.
  uint32_t column(InstId id) const { return columns_[id.index]; }
  uint32_t top_columns() const { return top_columns_; }
  uint32_t domain_columns(DomainIndex domain) const { return domain_columns_[domain]; }

  // The domain of an expand instruction.
  DomainIndex domain_of_expand(InstId expand) const { return columns_[expand.index]; }
  InstId expand_of_domain(DomainIndex domain) const { return expands_[domain]; }
  size_t domain_count() const { return expands_.size(); }
  // The domain that a value is over, or kNoIndex.
  DomainIndex domain(InstId id) const {
    InstId expand = body_.inst(id).domain;
    return expand.valid() ? columns_[expand.index] : kNoIndex;
  }

  bool in_region(InstId id) const { return in_region_[id.index]; }

  // Everything outside its regions that an instruction with regions needs, each once: what its operands are to others.
  std::span<const InstId> externals(InstId owner) const;

  // Side table rows by name or instruction.
  const ResourceInfo& resource(InstId id) const { return body_.resources[body_.inst(id).payload]; }
  uint32_t variable_index(InstId id) const;
  // The module call that a module.arg or module.out belongs to.
  uint32_t call_of(InstId instance) const { return body_.inst(instance).payload; }
  // The output of this name, or kNoIndex.
  uint32_t output_index(NameId name) const;
  // The module.arg of `call` for a variable name; invalid when the call does not set it.
  InstId argument(const ModuleCallInfo& call, NameId variable) const;

 private:
  void add(uint32_t first_inst);

  const ModuleBody& body_;
  ModuleId module_;
  std::vector<uint32_t> columns_;  // of an expand: its DomainIndex
  std::vector<uint32_t> domain_columns_;
  std::vector<InstId> expands_;
  std::vector<bool> in_region_;
  uint32_t top_columns_ = 0;
  size_t regions_ = 0;  // of the body, looked at
  std::vector<InstId> external_pool_;
  std::unordered_map<uint32_t, std::pair<uint32_t, uint32_t>> externals_;  // owner -> range of external_pool_
  std::unordered_map<uint32_t, uint32_t> variables_;                       // InstId -> VariableInfo
  std::unordered_map<NameId, uint32_t> outputs_;
};

// Calls visit(InstId) for each instruction of a region, without those of regions nested in it.
template <class F>
void for_each_in_region(const ModuleBody& body, const Region& region, F&& visit) {
  for (uint32_t i = region.begin.index; i < region.end.index;) {
    InstId id(i);
    visit(id);
    const Inst& inst = body.inst(id);
    int regions = op_info(inst.kind).regions;
    i = regions == 0 ? i + 1 : body.regions[inst.payload + static_cast<uint32_t>(regions) - 1].end.index;
  }
}

}  // namespace pravo::runtime
