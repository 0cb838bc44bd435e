#include "passes/mark_walk.h"

#include <algorithm>

#include <fmt/format.h>

namespace pravo::passes {

size_t MarkWalk::SeenHash::operator()(const Seen& seen) const noexcept {
  uint64_t hash = uint64_t{seen.context.index} << 42 ^ uint64_t { seen.module.index } << 32 ^ seen.inst.index;
  for (const std::optional<FieldKey>& key : seen.demand.path)
    hash = hash * 0x9e3779b97f4a7c15ULL + (key ? key->raw() : 0x7fffffff);
  hash = hash * 0x9e3779b97f4a7c15ULL + seen.demand.skip * 2 + (seen.demand.deep ? 1 : 0);
  return static_cast<size_t>(hash ^ (hash >> 31));
}

std::vector<SecretSource> MarkWalk::run(ContextId context, ModuleId module, InstId inst, const Demand& demand,
                                        size_t limit) {
  current_.module = module;
  index_ = kNoRow;
  follow_in(context, module, inst, demand, {});
  for (uint32_t i = 0; i < steps_.size() && found_.size() < limit && explainer_.steps_left_ > 0; ++i) {
    --explainer_.steps_left_;
    expand(i);
  }
  return std::move(found_);
}

bool MarkWalk::follow_in(ContextId context, ModuleId module, InstId inst, Demand demand, Via via) {
  MarkTreeId tree = explainer_.concrete(context, facts_.at(module, inst));
  if (!carries(facts_.trees, tree, demand, mark_)) return false;
  if (seen_.insert({context, module, inst, demand}).second)
    steps_.push_back({context, module, inst, std::move(demand), index_, std::move(via)});
  return true;
}

bool MarkWalk::follow(InstId operand, Demand demand, Via via) {
  return follow_in(current_.context, current_.module, operand, std::move(demand), std::move(via));
}

bool MarkWalk::follow_converted(InstId operand, const Demand& demand, const Via& via) {
  if (follow(operand, demand, via)) return true;
  for (size_t length = demand.path.size() + 1; length-- > 0;) {
    Demand swallowed{
        {demand.path.begin(), demand.path.begin() + static_cast<std::ptrdiff_t>(length)}, demand.skip, true};
    if (follow(operand, std::move(swallowed), via)) return true;
  }
  return false;
}

void MarkWalk::source(std::string name, SourceRange range, std::string what) {
  for (const SecretSource& known : found_)
    if (known.module == current_.module && known.inst == current_.inst) return;
  SecretSource found;
  found.module = current_.module;
  found.inst = current_.inst;
  found.name = std::move(name);
  found.variable = body().inst(current_.inst).kind == OpKind::Variable;
  found.output = body().inst(current_.inst).kind == OpKind::ModuleOut;
  found.trace = trace(index_, range, std::move(what));
  found_.push_back(std::move(found));
}

std::vector<TraceStep> MarkWalk::trace(uint32_t index, SourceRange range, std::string what) const {
  // Of a longer way the middle is left out.
  constexpr size_t kMaxTrace = 64;
  std::vector<TraceStep> out{{range, std::move(what)}};
  std::string path;
  SourceRange path_range;
  auto finish_path = [&] {
    if (path.empty()) return;
    bool attribute = path[0] == '.';
    out.push_back({path_range, attribute ? fmt::format("into attribute `{}`", path.substr(1))
                                         : fmt::format("into element `{}`", path)});
    path.clear();
  };
  for (uint32_t i = index; i != kNoRow; i = steps_[i].next) {
    const Via& via = steps_[i].via;
    switch (via.kind) {
      case Via::Kind::Silent:
        break;
      case Via::Kind::Field:
        if (path.empty()) path_range = via.range;
        path = key_text(via.key, *program_.names) + path;
        break;
      case Via::Kind::Text:
        finish_path();
        out.push_back({via.range, via.text});
        break;
    }
  }
  finish_path();
  if (out.size() > kMaxTrace) {
    size_t cut = out.size() - kMaxTrace + 1;
    auto middle = out.begin() + kMaxTrace / 2;
    middle->message = fmt::format("... and {} more steps", cut);
    out.erase(middle + 1, middle + static_cast<std::ptrdiff_t>(cut));
  }
  return out;
}

void MarkWalk::all_operands(InstId id, const Via& via) {
  for (uint32_t operand : body().operand_indexes(id)) follow(InstId(operand), Demand::anywhere(), via);
}

void MarkWalk::expand(uint32_t index) {
  index_ = index;
  current_ = steps_[index];
  InstId id = current_.inst;
  const Demand demand = current_.demand;
  const ModuleBody& body = this->body();
  const Inst& inst = body.inst(id);
  switch (inst.kind) {
    case OpKind::Const:
    case OpKind::Unknown:
    case OpKind::Key:
    case OpKind::Yield:
    case OpKind::ExpandCount:
    case OpKind::ExpandForEach:
    case OpKind::ModuleInstance:
    case OpKind::Provider:
    case OpKind::Check:
    case OpKind::Condition:
    case OpKind::Use:
      return;
    case OpKind::Variable:
      variable(id, demand);
      return;
    case OpKind::Env:
      source(node_name(program_, current_.module, id), body.range(id), "read from the environment");
      return;
    case OpKind::Meta: {
      std::string name = node_name(program_, current_.module, id);
      source(name, body.range(id), fmt::format("`{}` is ephemeral", name));
      return;
    }
    case OpKind::Local:
      follow(body.operand(id, 0), demand, here(fmt::format("through local `{}`", program_.text(NameId(inst.payload)))));
      return;
    case OpKind::Output:
      follow(body.operand(id, 0), demand, {});
      return;
    case OpKind::ModuleArg:
      follow(body.operand(id, 0), demand, {});
      return;
    case OpKind::Call:
      call(id, demand);
      return;
    case OpKind::Binary:
    case OpKind::Unary: {
      if (!demand.wants_own()) return;
      std::string_view op = inst.kind == OpKind::Binary ? binary_text(static_cast<BinaryKind>(inst.payload))
                                                        : unary_text(static_cast<UnaryKind>(inst.payload));
      bool compares = op == "==" || op == "!=" || op.starts_with('<') || op.starts_with('>');
      all_operands(id, here(fmt::format("{} `{}`", compares ? "compared by" : "an operand of", op)));
      return;
    }
    case OpKind::Template:
      if (!demand.wants_own()) return;
      for (uint32_t i = 0; i < inst.operand_count; ++i)
        follow(body.operand(id, i), Demand::anywhere(), text("interpolated into a string", body.use_range(id, i)));
      return;
    case OpKind::TemplateJoin:
      if (demand.wants_own()) all_operands(id, here("repeated in a string"));
      return;
    case OpKind::ProviderCall:
      if (demand.wants_own())
        all_operands(id, here(fmt::format("passed through `{}`", program_.text(NameId(inst.payload)))));
      return;
    case OpKind::Index: {
      InstId key = body.operand(id, 1);
      std::optional<FieldKey> field;
      if (body.inst(key).kind == OpKind::Const) field = constant_key(*program_.names, body.constant(key));
      follow(body.operand(id, 0), demand.of_parent(field), {});
      if (demand.wants_own()) follow(key, Demand::anywhere(), here("chosen by the key"));
      return;
    }
    case OpKind::Attr:
      follow(body.operand(id, 0), demand.of_parent(field_key(*program_.names, NameId(inst.payload))), {});
      return;
    case OpKind::Convert:
      follow_converted(body.operand(id, 0), demand, {});
      return;
    case OpKind::Object:
      object(id, demand);
      return;
    case OpKind::ObjectKeyed:
      object_keyed(id, demand);
      return;
    case OpKind::Tuple:
      if (demand.path.empty() || !demand.path[0]) {
        if (demand.path.empty() && !demand.deep) return;
        Demand child = demand.path.empty() ? Demand::anywhere() : demand.of_child();
        for (uint32_t i = 0; i < inst.operand_count; ++i)
          follow(body.operand(id, i), child, field(index_key(i), body.use_range(id, i)));
      } else if (demand.path[0]->is_index() && demand.path[0]->index() < inst.operand_count) {
        uint32_t i = demand.path[0]->index();
        follow(body.operand(id, i), demand.of_child(), field(index_key(i), body.use_range(id, i)));
      }
      return;
    case OpKind::Blocks:
      blocks(id, demand);
      return;
    case OpKind::Cond:
      conditional(id, demand);
      return;
    case OpKind::Splat:
    case OpKind::ForList:
    case OpKind::ForObject:
      loop(id, demand);
      return;
    case OpKind::Each:
      bound(id, demand);
      return;
    case OpKind::At:
      follow(body.operand(id, 0), demand, {});
      if (demand.wants_own()) follow(body.operand(id, 1), Demand::anywhere(), here("chosen by the key"));
      return;
    case OpKind::Collect:
      if (!demand.path.empty())
        follow(body.operand(id, 0), demand.of_child(), {});
      else if (demand.deep)
        follow(body.operand(id, 0), Demand::anywhere(), {});
      return;
    case OpKind::ModuleOut:
      module_out(id, demand);
      return;
    case OpKind::Resource:
    case OpKind::Data:
    case OpKind::Ephemeral:
      resource(id, demand);
      return;
    case OpKind::MarkAdd:
      follow(body.operand(id, 0), demand, {});
      if (demand.wants_own() && any(inst.marks & mark_)) source("", body.range(id), "marked by `sensitive` here");
      return;
    case OpKind::MarkRemove:
      follow(body.operand(id, 0), any(inst.marks & mark_) ? demand.without_own() : demand, {});
      return;
  }
  PRAVOC_UNREACHABLE();
}

void MarkWalk::object(InstId id, const Demand& demand) {
  std::span<const NameId> names = body().fields(id);
  if (demand.path.empty() && !demand.deep) return;
  for (uint32_t i = 0; i < names.size(); ++i) {
    FieldKey key = field_key(*program_.names, names[i]);
    if (!demand.path.empty() && demand.path[0] && *demand.path[0] != key) continue;
    follow(body().operand(id, i), demand.path.empty() ? Demand::anywhere() : demand.of_child(),
           field(key, body().use_range(id, i)));
  }
}

void MarkWalk::object_keyed(InstId id, const Demand& demand) {
  const Inst& inst = body().inst(id);
  for (uint32_t i = 0; i + 1 < inst.operand_count; i += 2) {
    InstId key = body().operand(id, i);
    if (demand.wants_own()) follow(key, Demand::anywhere(), text("as a key of an object", body().use_range(id, i)));
    if (demand.path.empty() && !demand.deep) continue;
    std::optional<FieldKey> field;
    if (body().inst(key).kind == OpKind::Const) field = constant_key(*program_.names, body().constant(key));
    if (!demand.path.empty() && demand.path[0] && field && *demand.path[0] != *field) continue;
    SourceRange range = body().use_range(id, i + 1);
    follow(body().operand(id, i + 1), demand.path.empty() ? Demand::anywhere() : demand.of_child(),
           field ? this->field(*field, range) : text("into an attribute with a computed name", range));
  }
}

void MarkWalk::blocks(InstId id, const Demand& demand) {
  std::span<const NameId> spread = body().fields(id);
  for (uint32_t i = 0; i < spread.size(); ++i) {
    InstId block = body().operand(id, i);
    if (spread[i].valid()) {
      Demand of_list = demand;
      if (!of_list.path.empty()) of_list.path[0] = std::nullopt;
      follow(block, std::move(of_list), {});
      continue;
    }
    if (demand.path.empty() && !demand.deep) continue;
    if (!demand.path.empty() && demand.path[0] && *demand.path[0] != index_key(i)) continue;
    follow(block, demand.path.empty() ? Demand::anywhere() : demand.of_child(), {});
  }
}

void MarkWalk::conditional(InstId id, const Demand& demand) {
  if (demand.wants_own()) follow(body().operand(id, 0), Demand::anywhere(), here("chosen by the condition"));
  for (uint32_t arm = 0; arm < 2; ++arm) {
    InstId yield = body().region(RegionId(body().inst(id).payload + arm)).yield;
    follow_converted(body().operand(yield, 0), demand,
                     text("as an arm of the conditional", body().use_range(yield, 0)));
  }
}

// A for or a splat: its region yields values, or keys and values, and a filter.
void MarkWalk::loop(InstId id, const Demand& demand) {
  const Inst& inst = body().inst(id);
  InstId yield = body().region(RegionId(inst.payload)).yield;
  bool keyed = inst.kind == OpKind::ForObject;
  uint32_t value = keyed ? 1 : 0;
  std::string_view word = inst.kind == OpKind::Splat ? "splat" : "for";
  if (demand.wants_own()) {
    follow(body().operand(id, 0), Demand::own(),
           text(fmt::format("iterated over by `{}`", word), body().use_range(id, 0)));
    if (keyed) follow(body().operand(yield, 0), Demand::anywhere(), here("as a key that `for` makes"));
    if (body().inst(yield).operand_count > value + 1)
      follow(body().operand(yield, value + 1), Demand::anywhere(), here("decides in `if` what `for` keeps"));
  }
  if (demand.path.empty() && !demand.deep) return;
  Demand element = demand.path.empty() ? Demand::anywhere() : demand.of_child();
  if ((inst.flags & kGrouped) != 0) element = element.path.empty() ? Demand::anywhere() : element.of_child();
  Via via = inst.kind == OpKind::Splat ? Via{} : text("in what `for` yields", body().use_range(yield, value));
  follow(body().operand(yield, value), std::move(element), std::move(via));
}

// each: an element of what a loop or an expansion iterates over.
void MarkWalk::bound(InstId id, const Demand& demand) {
  InstId owner = body().operand(id, 0);
  const Inst& inst = body().inst(owner);
  if (inst.operand_count == 0) return;
  Via via;
  if (inst.kind == OpKind::ExpandForEach) via = text("as `each.value`", body().use_range(owner, 0));
  follow(body().operand(owner, 0), demand.of_raw_parent(std::nullopt), via);
  if (inst.kind == OpKind::Splat) follow(body().operand(owner, 0), demand.without_own(), via);
}

}  // namespace pravo::passes
