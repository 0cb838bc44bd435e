// A provider that is configured from an attribute which a managed resource has only after apply: the first plan of such
// a configuration cannot use the provider.
#include <map>
#include <set>

#include <fmt/format.h>

#include "ir/diagnostics/passes.h"
#include "passes/advise_parts.h"
#include "passes/slice.h"

namespace pravo::passes {

namespace {

// Searches what a value is computed from for a managed resource whose attribute is not configured but made by the
// provider, through modules too.
class ComputedSearch {
 public:
  ComputedSearch(const Program& program, const MarkFacts& facts) : program_(program), facts_(facts) {}

  // The resource's address and where it is declared, or nothing.
  struct Found {
    std::string address;
    SourceRange range;
  };
  std::optional<Found> run(ModuleId module, InstId value) {
    // Whoever configures a provider from thousands of values has no use for this warning.
    constexpr size_t kMaxSteps = 20000;
    push(kNoFrame, module, value);
    for (size_t steps = 0; !stack_.empty() && steps < kMaxSteps && !found_; ++steps) {
      Place place = stack_.back();
      stack_.pop_back();
      visit(place);
    }
    return found_;
  }

 private:
  static constexpr uint32_t kNoFrame = UINT32_MAX;
  // A call that the search has followed from an output into the module.
  struct Frame {
    uint32_t parent;
    ModuleId caller;
    CallId call;
  };
  struct Place {
    uint32_t frame;
    ModuleId module;
    InstId inst;
    auto operator<=>(const Place&) const = default;
  };

  void push(uint32_t frame, ModuleId module, InstId inst) {
    if (seen_.insert({frame, module, inst}).second) stack_.push_back({frame, module, inst});
  }

  // The resource behind `x[0]`, `x["k"]`, `x[*]`, or the value itself.
  static InstId behind(const ModuleBody& body, InstId id) {
    while (true) {
      OpKind kind = body.inst(id).kind;
      if (kind == OpKind::At || kind == OpKind::Index || kind == OpKind::Collect) {
        id = body.operand(id, 0);
      } else if (kind == OpKind::Each && body.inst(body.operand(id, 0)).kind == OpKind::Splat) {
        id = body.operand(body.operand(id, 0), 0);
      } else {
        return id;
      }
    }
  }

  void hit(const Place& place, const ResourceInfo& info) {
    std::string address = resource_address(program_, info);
    for (uint32_t f = place.frame; f != kNoFrame; f = frames_[f].parent) {
      const ModuleCallInfo& call = program_.body(frames_[f].caller).calls[frames_[f].call.index];
      address = fmt::format("module.{}.{}", program_.text(call.name), address);
    }
    found_ = Found{std::move(address), info.range};
  }

  // `attribute` is invalid for the object as a whole.
  void resource(const Place& place, InstId id, NameId attribute) {
    const ModuleBody& body = program_.body(place.module);
    const ResourceInfo& info = body.resources[body.inst(id).payload];
    InstId config = body.operand(id, 0);
    if (attribute.valid() && body.inst(config).kind == OpKind::Object) {
      std::span<const NameId> names = body.fields(config);
      for (uint32_t i = 0; i < names.size(); ++i) {
        if (names[i] != attribute) continue;
        push(place.frame, place.module, body.operand(config, i));
        return;
      }
    }
    if (info.mode == ResourceMode::Managed) {
      hit(place, info);
      return;
    }
    // What is read or opened is known when its configuration is, and what it waits for has been applied.
    push(place.frame, place.module, config);
    for (InstId after : info.after)
      if (body.inst(after).kind == OpKind::Resource) hit(place, body.resources[body.inst(after).payload]);
  }

  void visit(const Place& place) {
    const ModuleBody& body = program_.body(place.module);
    const Inst& inst = body.inst(place.inst);
    auto next = [&](InstId id) { push(place.frame, place.module, id); };
    if (inst.kind == OpKind::Attr) {
      InstId base = behind(body, body.operand(place.inst, 0));
      if (op_info(body.inst(base).kind).payload == PayloadKind::Resource) {
        resource(place, base, NameId(inst.payload));
        return;
      }
    }
    if (op_info(inst.kind).payload == PayloadKind::Resource) {
      resource(place, place.inst, NameId());
      return;
    }
    if (inst.kind == OpKind::Variable) {
      if (place.frame == kNoFrame) return;
      const Frame frame = frames_[place.frame];
      const ModuleCallInfo& call = program_.body(frame.caller).calls[frame.call.index];
      InstId argument = find_argument(call, NameId(inst.payload));
      if (argument.valid()) push(frame.parent, frame.caller, program_.body(frame.caller).operand(argument, 0));
      return;
    }
    if (inst.kind == OpKind::ModuleOut) {
      CallId call(body.inst(body.operand(place.inst, 0)).payload);
      ModuleId target = body.calls[call.index].target;
      if (!target.valid()) return;
      uint32_t row = facts_.modules[target].output(NameId(inst.payload));
      if (row == kNoRow) return;
      push(frame(place.frame, place.module, call), target,
           program_.body(target).operand(program_.body(target).outputs[row].inst, 0));
      return;
    }
    if (inst.kind == OpKind::Key || inst.kind == OpKind::Each) {
      InstId owner = body.operand(place.inst, 0);
      if (body.inst(owner).operand_count > 0) next(body.operand(owner, 0));
      return;
    }
    for (uint32_t operand : body.operand_indexes(place.inst)) next(InstId(operand));
    RegionRange regions = regions_of(body, place.inst);
    for (uint32_t i = 0; i < regions.count; ++i) next(body.region(regions[i]).yield);
  }

  uint32_t frame(uint32_t parent, ModuleId caller, CallId call) {
    auto [it, fresh] = frame_ids_.try_emplace({parent, caller, call}, static_cast<uint32_t>(frames_.size()));
    if (fresh) frames_.push_back({parent, caller, call});
    return it->second;
  }

  const Program& program_;
  const MarkFacts& facts_;
  std::vector<Place> stack_;
  std::set<Place> seen_;
  std::vector<Frame> frames_;
  std::map<std::tuple<uint32_t, ModuleId, CallId>, uint32_t> frame_ids_;
  std::optional<Found> found_;
};

// An argument of a provider block, also in nested blocks.
struct Argument {
  std::string path;
  InstId value;
  SourceRange range;
};

void collect_arguments(const Program& program, const ModuleBody& body, InstId config, const std::string& path,
                       unsigned depth, std::vector<Argument>& out) {
  constexpr unsigned kMaxDepth = 50;
  if (body.inst(config).kind != OpKind::Object || depth > kMaxDepth) return;
  std::span<const NameId> names = body.fields(config);
  for (uint32_t i = 0; i < names.size(); ++i) {
    InstId value = body.operand(config, i);
    std::string name = path + std::string(program.text(names[i]));
    if (body.inst(value).kind == OpKind::Object) {
      collect_arguments(program, body, value, name + ".", depth + 1, out);
      continue;
    }
    if (body.inst(value).kind != OpKind::Blocks) {
      out.push_back({std::move(name), value, body.use_range(config, i)});
      continue;
    }
    for (uint32_t operand : body.operand_indexes(value)) {
      InstId block(operand);
      if (body.inst(block).kind == OpKind::ForList)
        block = body.operand(body.region(RegionId(body.inst(block).payload)).yield, 0);
      collect_arguments(program, body, block, name + ".", depth + 1, out);
    }
  }
}

}  // namespace

void advise_providers(const Program& program, const MarkFacts& facts, Diagnostics& diags) {
  for (uint32_t m = 0; m < program.bodies.size(); ++m) {
    ModuleId module(m);
    const ModuleBody& body = program.body(module);
    if (!is_own_code(body)) continue;
    for (const ProviderInfo& provider : body.providers) {
      std::vector<Argument> arguments;
      collect_arguments(program, body, body.operand(provider.inst, 0), "", 0, arguments);
      // One warning for a resource, however many arguments it gives.
      std::map<std::string, std::vector<const Argument*>> by_resource;
      std::map<std::string, SourceRange> places;
      for (const Argument& argument : arguments) {
        if (body.inst(argument.value).kind == OpKind::Const) continue;
        auto found = ComputedSearch(program, facts).run(module, argument.value);
        if (!found) continue;
        by_resource[found->address].push_back(&argument);
        places[found->address] = found->range;
      }
      for (const auto& [address, list] : by_resource) {
        auto warning = diags.emit(list[0]->range, diag::ProviderFromResource, list[0]->path,
                                  program.text(provider.local_name), address);
        warning.note(places[address], fmt::format("`{}` is declared here", address));
        for (size_t i = 1; i < list.size(); ++i)
          warning.note(list[i]->range, fmt::format("argument `{}` depends on it too", list[i]->path));
      }
    }
  }
}

}  // namespace pravo::passes
