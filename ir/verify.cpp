#include "ir/verify.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include <fmt/format.h>

#include "ir/fields.h"
#include "ir/text.h"
#include "ir/text_format.h"

namespace pravo {

namespace {

constexpr uint32_t kNone = UINT32_MAX;

// Looks at the names in a row.
struct NameVisitor : FieldVisitor {
  const Names& names;
  bool good;
  void name(std::string_view, NameId id) { good &= !id.valid() || id.index < names.size(); }
  void records(std::string_view, auto& rows) {
    for (auto& row : rows) visit_fields(row, *this);
  }
};

class BodyVerifier {
 public:
  BodyVerifier(const Program& program, ModuleId module, std::vector<std::string>& problems)
      : program_(program), module_(module), body_(program.body(module)), problems_(problems) {}

  void run();

 private:
  void report(int rule, InstId inst, std::string message);
  bool exists(InstId id) const { return id.index < body_.insts.size(); }
  bool known(NameId id) const { return id.index < program_.names->size(); }
  std::string_view text(InstId id) const { return op_info(body_.inst(id).kind).text; }
  std::string shown(InstId id) {
    return exists(id) ? "`" + names()(id) + "`" : id.valid() ? fmt::format("#{}", id.index) : "nothing";
  }
  const InstNames& names() {
    // Only a broken program pays for its names.
    if (!names_) names_.emplace(program_, module_);
    return *names_;
  }

  bool check_regions();
  void check_inst(InstId id);
  void check_payload(InstId id, const Inst& inst);
  void check_flags(InstId id, const Inst& inst);
  void check_operands(InstId id, const Inst& inst);
  void check_place(InstId id, const Inst& inst);
  void check_yield(InstId id, const Inst& inst);
  void check_domain(InstId id, const Inst& inst);
  bool is_expand(InstId id) const {
    OpKind kind = body_.inst(id).kind;
    return kind == OpKind::ExpandCount || kind == OpKind::ExpandForEach;
  }

  void check_tables();
  template <class Row, class Check>
  void check_rows(const std::vector<Row>& rows, std::initializer_list<OpKind> kinds, Check check);
  template <class Name>
  void check_unique(std::set<Name>& seen, const Name& name, InstId inst);
  void check_resources();
  void check_calls();
  void check_references();

  const Program& program_;
  ModuleId module_;
  const ModuleBody& body_;
  std::vector<std::string>& problems_;
  std::optional<InstNames> names_;
  std::vector<uint32_t> region_of_;   // innermost region of an instruction, or kNone
  std::vector<InstId> inner_domain_;  // by owner: the domain of what its regions hold
};

void BodyVerifier::report(int rule, InstId inst, std::string message) {
  std::string line = fmt::format("@{}: {}", body_.label, message);
  if (inst.valid() && exists(inst)) line += fmt::format(": {}", print_inst(program_, module_, inst, names()));
  problems_.push_back(fmt::format("{} [rule {}]", line, rule));
}

void BodyVerifier::run() {
  auto count = static_cast<uint32_t>(body_.insts.size());
  if (body_.ranges.size() != count) report(1, InstId(), "not every instruction has a source range");
  bool sorted = std::is_sorted(body_.operand_uses.begin(), body_.operand_uses.end(),
                               [](const OperandUse& a, const OperandUse& b) { return a.operand < b.operand; });
  if (!sorted || (!body_.operand_uses.empty() && body_.operand_uses.back().operand >= body_.operand_pool.size()))
    report(2, InstId(), "the places of uses are not sorted by operand");
  for (const auto& [inst, name] : body_.hints) {
    // Nothing can be printed with hints like these.
    if (exists(inst) && known(name)) continue;
    problems_.push_back(fmt::format("@{}: a hint names no instruction or has no name [rule 9]", body_.label));
    return;
  }
  region_of_.assign(count, kNone);
  inner_domain_.assign(count, InstId());
  size_t problems_before = problems_.size();
  if (!check_regions()) return;
  for (uint32_t i = 0; i < count; ++i) check_inst(InstId(i));
  // Tables and domains are looked at through ids that must be sound first.
  if (problems_.size() != problems_before) return;
  for (uint32_t i = 0; i < count; ++i) {
    InstId domain = body_.inst(InstId(i)).domain;
    if (region_of_[i] == kNone || !domain.valid()) continue;
    InstId& inner = inner_domain_[body_.regions[region_of_[i]].owner.index];
    if (inner.valid() && inner != domain) report(6, InstId(i), "its region is over another domain too");
    inner = domain;
  }
  check_references();
  if (problems_.size() != problems_before) return;
  for (uint32_t i = 0; i < count; ++i) check_domain(InstId(i), body_.inst(InstId(i)));
  check_tables();
}

// The owners' regions, and with them region_of_. Everything else relies on these.
bool BodyVerifier::check_regions() {
  struct Frame {
    InstId owner;
    uint32_t region;
    uint32_t last;
  };
  std::vector<Frame> frames;
  size_t regions_seen = 0;
  auto count = static_cast<uint32_t>(body_.insts.size());
  auto broken = [&](InstId owner, std::string message) {
    report(4, owner, std::move(message));
    return false;
  };
  auto open = [&](uint32_t index, InstId owner, uint32_t begin, uint32_t limit) {
    const Region& region = body_.regions[index];
    ++regions_seen;
    return region.owner == owner && region.begin.index == begin && region.end.index > begin &&
           region.end.index <= limit;
  };
  for (uint32_t i = 0; i < count; ++i) {
    InstId id(i);
    const Inst& inst = body_.inst(id);
    uint32_t limit = frames.empty() ? count : body_.regions[frames.back().region].end.index;
    if (!frames.empty()) region_of_[i] = frames.back().region;
    if (auto regions = static_cast<uint32_t>(op_info(inst.kind).regions); regions > 0) {
      if (inst.payload > body_.regions.size() || body_.regions.size() - inst.payload < regions)
        return broken(id, "the regions are not in the table");
      if (!open(inst.payload, id, i + 1, limit)) return broken(id, "the region does not follow its owner");
      frames.push_back({id, inst.payload, inst.payload + regions - 1});
      continue;
    }
    bool ends = !frames.empty() && body_.regions[frames.back().region].end.index == i + 1;
    if (ends != (inst.kind == OpKind::Yield))
      return broken(id, ends ? "a region does not end with a yield" : "a yield does not end a region");
    while (!frames.empty() && body_.regions[frames.back().region].end.index == i + 1) {
      Frame& frame = frames.back();
      if (body_.regions[frame.region].yield != id) return broken(frame.owner, "a region does not name its yield");
      if (frame.region == frame.last) {
        frames.pop_back();
        // A region ends with its yield, so the owner that ended here cannot be the last of the region around it.
        if (!frames.empty() && body_.regions[frames.back().region].end.index == i + 1)
          return broken(frames.back().owner, "a region does not end with a yield");
        break;
      }
      uint32_t outer = frames.size() > 1 ? body_.regions[frames[frames.size() - 2].region].end.index : count;
      if (!open(++frame.region, frame.owner, i + 1, outer))
        return broken(frame.owner, "the second region does not follow the first");
      break;
    }
  }
  if (!frames.empty()) return broken(frames.back().owner, "a region is not closed");
  if (regions_seen != body_.regions.size()) return broken(InstId(), "a region in the table has no owner");
  return true;
}

void BodyVerifier::check_inst(InstId id) {
  const Inst& inst = body_.inst(id);
  const OpInfo& info = op_info(inst.kind);
  if (inst.operand_begin > body_.operand_pool.size() ||
      body_.operand_pool.size() - inst.operand_begin < inst.operand_count) {
    // Not even printing it would be safe.
    problems_.push_back(fmt::format("@{}: operands of #{} are not in the pool [rule 1]", body_.label, id.index));
    return;
  }
  auto count = static_cast<int64_t>(inst.operand_count);
  if (count < info.min_operands || (info.max_operands >= 0 && count > info.max_operands)) {
    std::string wanted = info.max_operands < 0 ? fmt::format("at least {}", info.min_operands)
                         : info.min_operands == info.max_operands
                             ? fmt::format("{}", info.min_operands)
                             : fmt::format("{} to {}", info.min_operands, info.max_operands);
    report(1, id, fmt::format("{} operands where `{}` has {}", count, info.text, wanted));
  }
  if (inst.type.valid() && inst.type.index >= program_.type_count()) return report(1, id, "the type does not exist");
  check_payload(id, inst);
  check_flags(id, inst);
  check_operands(id, inst);
  check_place(id, inst);
  if (inst.kind == OpKind::Yield) check_yield(id, inst);
}

void BodyVerifier::check_payload(InstId id, const Inst& inst) {
  auto expect = [&](bool good, const char* what) {
    if (good) return true;
    report(1, id, fmt::format("the payload is no {}", what));
    return false;
  };
  auto fits = [&](size_t size) { return inst.payload <= size && size - inst.payload >= inst.operand_count; };
  switch (op_info(inst.kind).payload) {
    case PayloadKind::None:
      expect(inst.payload == kNone, "empty payload");
      return;
    case PayloadKind::Const: {
      if (!expect(inst.payload < body_.constants.size(), "constant")) return;
      const Value& value = body_.constants[inst.payload];
      if (any(value.deep_marks()) || !value.is_wholly_known())
        report(1, id, "the constant is marked or not wholly known");
      else if (!inst.type.valid() || program_.type(inst.type) != value.type())
        report(1, id, "the type is not that of the constant");
      return;
    }
    case PayloadKind::Name:
    case PayloadKind::Field:
    case PayloadKind::Function:
      expect(known(NameId(inst.payload)), "name");
      return;
    case PayloadKind::Fields: {
      if (!expect(fits(body_.field_pool.size()), "field list")) return;
      std::span<const NameId> fields = body_.fields(id);
      if (!expect(std::all_of(fields.begin(), fields.end(), [&](NameId n) { return known(n); }), "list of names"))
        return;
      std::vector<NameId> sorted(fields.begin(), fields.end());
      std::sort(sorted.begin(), sorted.end());
      if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) report(1, id, "a field is named twice");
      return;
    }
    case PayloadKind::Spread:
      expect(fits(body_.field_pool.size()), "list of spread flags");
      return;
    case PayloadKind::Binary:
      expect(inst.payload <= static_cast<uint32_t>(BinaryKind::Modulo), "operator");
      return;
    case PayloadKind::Unary:
      expect(inst.payload <= static_cast<uint32_t>(UnaryKind::Not), "operator");
      return;
    case PayloadKind::Region:
      return;  // check_regions()
    case PayloadKind::Resource:
      if (expect(inst.payload < body_.resources.size(), "resource"))
        expect(known(body_.resources[inst.payload].type) && known(body_.resources[inst.payload].name),
               "resource with a type and a name");
      return;
    case PayloadKind::ModuleCall:
      if (expect(inst.payload < body_.calls.size(), "module call"))
        expect(known(body_.calls[inst.payload].name), "module call with a name");
      return;
    case PayloadKind::Condition:
    case PayloadKind::Use:
      if (expect(inst.payload == kNone || exists(InstId(inst.payload)), "instruction") && inst.payload != kNone &&
          region_of_[inst.payload] != kNone)
        report(3, id, fmt::format("{} is inside a region", shown(InstId(inst.payload))));
      return;
  }
}

void BodyVerifier::check_flags(InstId id, const Inst& inst) {
  PayloadKind payload = op_info(inst.kind).payload;
  bool good = payload == PayloadKind::Condition ? inst.flags <= static_cast<uint16_t>(ConditionKind::Assert)
              : payload == PayloadKind::Use     ? inst.flags <= static_cast<uint16_t>(UseKind::BlockExpand)
                                                : (inst.flags & ~text::allowed_flags(inst.kind)) == 0;
  if (!good) report(1, id, fmt::format("`{}` cannot have flags {:#x}", text(id), inst.flags));
  if (any(inst.marks) && !text::may_declare_marks(inst.kind))
    report(1, id, fmt::format("`{}` cannot declare marks", text(id)));
  auto follows = [&](InstFlags flag, bool holds, const char* name) {
    if (((inst.flags & flag) != 0) != holds) report(1, id, fmt::format("{} does not agree with the operands", name));
  };
  if (inst.kind == OpKind::Variable) {
    follows(kHasDefault, inst.operand_count > 0, "kHasDefault");
    if (inst.operand_count == 1)
      if (InstId value = body_.operand(id, 0); exists(value) && body_.inst(value).kind != OpKind::Const)
        report(1, id, "the default of a variable is no `const`");
  }
  if (payload == PayloadKind::Resource) follows(kHasProvider, inst.operand_count > 1, "kHasProvider");
  if ((inst.flags & kExpandLast) != 0 && payload == PayloadKind::Function && inst.operand_count == 0)
    report(1, id, "`...` without an argument");
}

void BodyVerifier::check_operands(InstId id, const Inst& inst) {
  for (uint32_t n = 0; n < inst.operand_count; ++n) {
    InstId operand = body_.operand(id, n);
    if (!exists(operand)) {
      report(2, id, fmt::format("operand {} is no instruction of this body", n));
      continue;
    }
    OpKind kind = body_.inst(operand).kind;
    if (kind == OpKind::Yield) report(2, id, fmt::format("operand {} is a yield", n));
    bool key = inst.kind == OpKind::Key || inst.kind == OpKind::Each;
    uint32_t region = region_of_[operand.index];
    if (region != kNone) {
      const Region& r = body_.regions[region];
      if (id < r.begin || id >= r.end) {
        report(region_of_[id.index] == kNone ? 3 : 2, id,
               fmt::format("operand {} is inside a region that this is not in", n));
        continue;
      }
      if (operand >= id) report(2, id, fmt::format("operand {} is defined later in its region", n));
    }
    if (op_info(kind).regions > 0 && !key) {
      const Inst& owner = body_.inst(operand);
      InstId end = body_.regions[owner.payload + static_cast<uint32_t>(op_info(kind).regions) - 1].end;
      if (operand < id && id < end) report(2, id, fmt::format("operand {} is the owner of the region around it", n));
    }
  }
  if ((inst.kind == OpKind::Key || inst.kind == OpKind::Each) && inst.operand_count == 1 &&
      exists(body_.operand(id, 0))) {
    InstId of = body_.operand(id, 0);
    OpKind kind = body_.inst(of).kind;
    if (kind == OpKind::Splat || kind == OpKind::ForList || kind == OpKind::ForObject) {
      const Region& region = body_.regions[body_.inst(of).payload];
      if (id < region.begin || id >= region.end) report(5, id, "not in the region of what it names");
    } else if (!is_expand(of)) {
      report(5, id, fmt::format("`{}` has no keys", text(of)));
    }
  }
}

void BodyVerifier::check_place(InstId id, const Inst& inst) {
  if (region_of_[id.index] == kNone) return;
  const OpInfo& info = op_info(inst.kind);
  // A `use` stands where its value is: the for_each of a dynamic block in another one's content.
  bool sink = info.group == OpGroup::Sink && inst.kind != OpKind::Use;
  bool top = info.effect == OpEffect::Domain || sink || info.group == OpGroup::Module ||
             info.payload == PayloadKind::Resource || inst.kind == OpKind::Provider || inst.kind == OpKind::Variable ||
             inst.kind == OpKind::Local;
  if (top) report(4, id, fmt::format("`{}` stands inside a region", info.text));
}

void BodyVerifier::check_yield(InstId id, const Inst& inst) {
  OpKind owner = body_.inst(body_.regions[region_of_[id.index]].owner).kind;
  uint32_t least = owner == OpKind::ForObject ? 2 : 1;
  uint32_t most = owner == OpKind::ForObject ? 3 : owner == OpKind::ForList ? 2 : 1;
  if (inst.operand_count < least || inst.operand_count > most)
    report(4, id, fmt::format("a region of `{}` cannot yield {} values", op_info(owner).text, inst.operand_count));
}

void BodyVerifier::check_domain(InstId id, const Inst& inst) {
  if (inst.domain.valid() && (!exists(inst.domain) || !is_expand(inst.domain)))
    return report(6, id, fmt::format("the domain {} is no expand", shown(inst.domain)));
  InstId wanted;
  bool agree = true;
  auto join = [&](InstId domain) {
    if (!domain.valid()) return;
    agree &= !wanted.valid() || wanted == domain;
    wanted = domain;
  };
  auto domain_of_operand = [&](uint32_t n) { return body_.inst(body_.operand(id, n)).domain; };
  switch (inst.kind) {
    case OpKind::At:
    case OpKind::Collect:
      if (!domain_of_operand(0).valid()) report(6, id, "operand 0 is over no domain");
      if (inst.kind == OpKind::At) join(domain_of_operand(1));
      break;
    case OpKind::Const:
    case OpKind::ExpandCount:
    case OpKind::ExpandForEach:
      break;
    case OpKind::Object:
      // One without fields may be over any: the outputs of a repeated module that has none.
      if (inst.operand_count == 0) return;
      for (uint32_t n = 0; n < inst.operand_count; ++n) join(domain_of_operand(n));
      break;
    case OpKind::Key:
    case OpKind::Each: {
      InstId of = body_.operand(id, 0);
      join(is_expand(of) ? of : body_.inst(body_.operand(of, 0)).domain);
      break;
    }
    default:
      for (uint32_t n = 0; n < inst.operand_count; ++n) join(domain_of_operand(n));
      if (op_info(inst.kind).regions > 0) join(inner_domain_[id.index]);
      if (op_info(inst.kind).payload == PayloadKind::Resource) join(body_.resources[inst.payload].expand);
      if (op_info(inst.kind).payload == PayloadKind::ModuleCall) join(body_.calls[inst.payload].expand);
      break;
  }
  if (!agree)
    report(6, id, "it is over more than one domain");
  else if (wanted != inst.domain)
    report(6, id, fmt::format("it is over {}, not {}", shown(wanted), shown(inst.domain)));
}

template <class Name>
void BodyVerifier::check_unique(std::set<Name>& seen, const Name& name, InstId inst) {
  if (!seen.insert(name).second) report(7, inst, "another one has this name");
}

// One row for each instruction of these kinds, in the order of the instructions.
template <class Row, class Check>
void BodyVerifier::check_rows(const std::vector<Row>& rows, std::initializer_list<OpKind> kinds, Check check) {
  size_t insts = 0;
  body_.insts.each([&](InstId, const Inst& inst) {
    insts += std::find(kinds.begin(), kinds.end(), inst.kind) != kinds.end() ? 1 : 0;
  });
  if (insts != rows.size())
    report(7, InstId(),
           fmt::format("{} rows for {} instructions of `{}`", rows.size(), insts, op_info(*kinds.begin()).text));
  InstId previous;
  for (size_t i = 0; i < rows.size(); ++i) {
    InstId id = rows[i].inst;
    if (!exists(id) || std::find(kinds.begin(), kinds.end(), body_.inst(id).kind) == kinds.end()) {
      report(7, id, fmt::format("a row of `{}` names another instruction", op_info(*kinds.begin()).text));
      continue;
    }
    if (previous.valid() && id <= previous) report(7, id, "the rows are not in the order of their instructions");
    previous = id;
    check(rows[i], body_.inst(id), i);
  }
}

void BodyVerifier::check_tables() {
  auto named = [&](OpKind kind, const auto& rows) {
    std::set<NameId> seen;
    check_rows(rows, {kind}, [&](const auto& row, const Inst& inst, size_t) {
      if (row.name.index != inst.payload) report(7, row.inst, "the row has another name");
      check_unique(seen, row.name, row.inst);
    });
  };
  named(OpKind::Variable, body_.variables);
  named(OpKind::Output, body_.outputs);
  named(OpKind::Check, body_.checks);
  std::set<std::pair<NameId, NameId>> providers;
  check_rows(body_.providers, {OpKind::Provider}, [&](const ProviderInfo& row, const Inst& inst, size_t) {
    if (row.local_name.index != inst.payload) report(7, row.inst, "the row has another name");
    check_unique(providers, std::pair(row.local_name, row.alias), row.inst);
  });
  check_resources();
  check_calls();
  if (body_.unsupported.size() != body_.unsupported_what.size())
    report(7, InstId(), "the lists of unsupported constructs differ in length");
}

void BodyVerifier::check_resources() {
  std::set<std::tuple<ResourceMode, NameId, NameId>> seen;
  check_rows(body_.resources, {OpKind::Resource, OpKind::Data, OpKind::Ephemeral},
             [&](const ResourceInfo& row, const Inst& inst, size_t i) {
               OpKind wanted = row.mode == ResourceMode::Managed ? OpKind::Resource
                               : row.mode == ResourceMode::Data  ? OpKind::Data
                                                                 : OpKind::Ephemeral;
               if (inst.kind != wanted) report(7, row.inst, "the row has another mode");
               if (inst.payload != i) report(7, row.inst, "the row is not the one that the instruction names");
               check_unique(seen, std::tuple(row.mode, row.type, row.name), row.inst);
               bool collects = row.collect.valid() && body_.inst(row.collect).kind == OpKind::Collect &&
                               body_.operand(row.collect, 0) == row.inst;
               if (row.collect.valid() && (!collects || !row.expand.valid()))
                 report(7, row.inst, "`collect` does not collect its instances");
             });
}

void BodyVerifier::check_calls() {
  std::set<NameId> seen;
  size_t listed = 0;
  check_rows(body_.calls, {OpKind::ModuleInstance}, [&](const ModuleCallInfo& row, const Inst& inst, size_t i) {
    if (inst.payload != i) report(7, row.inst, "the row is not the one that the instruction names");
    check_unique(seen, row.name, row.inst);
    auto check_list = [&](const auto& list, OpKind kind, uint32_t instance) {
      for (size_t n = 0; n < list.size(); ++n) {
        auto [name, id] = list[n];
        ++listed;
        bool good = exists(id) && body_.inst(id).kind == kind && body_.inst(id).payload == name.index &&
                    body_.operand(id, instance) == row.inst;
        if (!good) report(7, row.inst, fmt::format("{} is no `{}` of this call", shown(id), op_info(kind).text));
        if (n > 0 && list[n - 1].first >= name) report(7, row.inst, "arguments or outputs are not sorted by name");
      }
    };
    check_list(row.args, OpKind::ModuleArg, 1);
    check_list(row.outs, OpKind::ModuleOut, 0);
  });
  body_.insts.each([&](InstId, const Inst& inst) {
    listed -= inst.kind == OpKind::ModuleArg || inst.kind == OpKind::ModuleOut ? 1 : 0;
  });
  if (listed != 0) report(7, InstId(), "a module.arg or module.out is in no call's list");
}

// Whatever a row names is an instruction at the top of the body, and its names are names.
void BodyVerifier::check_references() {
  NameVisitor names{{}, *program_.names, true};
  for (const ResourceInfo& row : body_.resources) visit_fields(row, names);
  for (const ProviderInfo& row : body_.providers) visit_fields(row, names);
  if (!names.good) report(7, InstId(), "a row of a side table has a name that does not exist");
  for_each_table_reference(body_, [&](InstId id) {
    if (!exists(id) || region_of_[id.index] != kNone)
      report(7, id, "a row of a side table names no instruction at the top of the body");
  });
}

void verify_program(const Program& program, std::vector<std::string>& problems) {
  if (program.bodies.empty()) {
    problems.emplace_back("there is no root module [rule 9]");
    return;
  }
  std::unordered_set<std::string_view> labels;
  std::vector<uint32_t> callers(program.bodies.size(), 0);
  for (uint32_t m = 0; m < program.bodies.size(); ++m) {
    const ModuleBody& body = program.body(ModuleId(m));
    if (body.root != (m == 0))
      problems.push_back(fmt::format("@{}: the first module is the root [rule 9]", body.label));
    if (!labels.insert(body.label).second)
      problems.push_back(fmt::format("@{}: another module has this label [rule 9]", body.label));
    for (const ModuleCallInfo& call : body.calls) {
      if (!call.target.valid()) continue;
      if (call.target.index >= program.bodies.size() || call.target.index == m) {
        problems.push_back(fmt::format("@{}: a call's target is no other module [rule 8]", body.label));
        return;
      }
      ++callers[call.target.index];
    }
  }
  // Takes away modules that nobody left calls; what remains is on a cycle or called from one.
  std::vector<uint32_t> ready;
  for (uint32_t m = 0; m < callers.size(); ++m)
    if (callers[m] == 0) ready.push_back(m);
  size_t removed = 0;
  while (!ready.empty()) {
    uint32_t m = ready.back();
    ready.pop_back();
    ++removed;
    for (const ModuleCallInfo& call : program.body(ModuleId(m)).calls)
      if (call.target.valid() && --callers[call.target.index] == 0) ready.push_back(call.target.index);
  }
  if (removed != callers.size()) problems.emplace_back("modules call each other in a circle [rule 8]");
}

}  // namespace

std::vector<std::string> verify(const Program& program) {
  std::vector<std::string> problems;
  verify_program(program, problems);
  for (uint32_t m = 0; m < program.bodies.size(); ++m) BodyVerifier(program, ModuleId(m), problems).run();
  return problems;
}

}  // namespace pravo
