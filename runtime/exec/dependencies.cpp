#include "runtime/exec/dependencies.h"

#include <algorithm>
#include <map>

#include "ir/walk.h"

namespace pravo::runtime {

// Works out what each value depends on, from the values themselves: depth first over the instructions of all static
// modules, with a stack of its own.
class DependencyGraph::Builder {
 public:
  explicit Builder(DependencyGraph& graph) : g_(graph) {}

  void run() {
    const StaticModules& modules = g_.modules_;
    for (uint32_t m = 0; m < modules.size(); ++m) {
      g_.first_resource_.push_back(static_cast<NodeIndex>(g_.nodes_.size()));
      for (uint32_t r = 0; r < modules.body(m).resources.size(); ++r) {
        DependencyNode node;
        node.module = m;
        node.resource = r;
        g_.nodes_.push_back(std::move(node));
      }
      g_.values_.emplace_back(modules.body(m).insts.size(), kUnseen);
    }
    resources_ = g_.nodes_.size();
    g_.explicit_.assign(resources_, kNoNode);
    g_.scopes_.assign(modules.size(), kUnseen);
    scopes_.assign(modules.size(), kUnseen);
    wholes_.assign(modules.size(), kUnseen);
    index_outputs();
    for (uint32_t m = 0; m < modules.size(); ++m) {
      for (uint32_t r = 0; r < modules.body(m).resources.size(); ++r) add_resource(m, r);
      get({m, Kind::Explicit, 0});
      for (const OutputInfo& output : modules.body(m).outputs) get({m, Kind::Value, output.inst.index});
    }
  }

 private:
  static constexpr NodeIndex kUnseen = UINT32_MAX - 1;
  static constexpr NodeIndex kWorking = UINT32_MAX - 2;

  enum class Kind : uint8_t {
    Value,     // an instruction
    Scope,     // what everything in a module depends on: the call's depends_on and expansion, and those around it
    Explicit,  // of that only what depends_on says
    Whole,     // every resource in a module and below
  };
  struct Ref {
    uint32_t module;
    Kind kind;
    uint32_t index;
  };
  struct Work {
    Ref ref;
    std::vector<Ref> parts;
    std::vector<NodeIndex> found;
    size_t cursor = 0;
  };

  NodeIndex& slot(const Ref& ref) {
    switch (ref.kind) {
      case Kind::Value:
        return g_.values_[ref.module][ref.index];
      case Kind::Scope:
        return scopes_[ref.module];
      case Kind::Explicit:
        return g_.scopes_[ref.module];
      case Kind::Whole:
        return wholes_[ref.module];
    }
    PRAVOC_UNREACHABLE();
  }

  NodeIndex get(const Ref& root) {
    if (slot(root) == kUnseen) {
      stack_.push_back({root, {}, {}, 0});
      open(stack_.back());
    }
    while (!stack_.empty()) {
      Work& work = stack_.back();
      if (work.cursor == work.parts.size()) {
        NodeIndex result = join(work.found);
        slot(work.ref) = result;
        stack_.pop_back();
        continue;
      }
      Ref part = work.parts[work.cursor];
      NodeIndex known = slot(part);
      if (known == kUnseen) {
        stack_.push_back({part, {}, {}, 0});
        open(stack_.back());
        continue;
      }
      ++work.cursor;
      // A value that is being worked out is part of a cycle, which was reported; the edge is left out.
      if (known != kWorking && known != kNoNode) work.found.push_back(known);
    }
    return slot(root);
  }

  void open(Work& work) {
    slot(work.ref) = kWorking;
    switch (work.ref.kind) {
      case Kind::Value:
        return open_value(work);
      case Kind::Scope:
        return open_scope(work);
      case Kind::Explicit:
        return open_explicit(work);
      case Kind::Whole:
        return open_whole(work);
    }
  }

  void open_value(Work& work) {
    uint32_t m = work.ref.module;
    InstId id(work.ref.index);
    const StaticModule& module = g_.modules_[m];
    const ModuleBody& body = g_.modules_.body(m);
    const Inst& inst = body.inst(id);
    if (inst.kind == OpKind::Resource || inst.kind == OpKind::Data || inst.kind == OpKind::Ephemeral) {
      work.found.push_back(g_.resource(m, inst.payload));
      return;
    }
    if (inst.kind == OpKind::Variable) {
      if (module.parent == UINT32_MAX) return;
      const ModuleCallInfo& call = g_.modules_.body(module.parent).calls[module.call];
      NameId name(inst.payload);
      auto argument = std::lower_bound(call.args.begin(), call.args.end(), name,
                                       [](const auto& arg, NameId wanted) { return arg.first < wanted; });
      if (argument != call.args.end() && argument->first == name)
        work.parts.push_back({module.parent, Kind::Value, argument->second.index});
      return;
    }
    if (inst.kind == OpKind::ModuleOut) {
      uint32_t child = module.children[body.inst(body.operand(id, 0)).payload];
      if (child == UINT32_MAX) return;
      work.parts.push_back({child, Kind::Scope, 0});
      auto output = outputs_.find({g_.modules_[child].body.index, inst.payload});
      if (output != outputs_.end()) work.parts.push_back({child, Kind::Value, output->second});
      return;
    }
    if (inst.kind == OpKind::ModuleInstance) {
      uint32_t child = module.children[inst.payload];
      if (child != UINT32_MAX) work.parts.push_back({child, Kind::Scope, 0});
      return;
    }
    for_each_dependency(body, id, [&](InstId part, DependencyKind kind) {
      if (kind == DependencyKind::After)
        add_after(work.parts, m, part);
      else
        work.parts.push_back({m, Kind::Value, part.index});
    });
    if (inst.kind == OpKind::Output)
      if (const OutputInfo* output = output_of(body, id))
        for (InstId condition : output->preconditions)
          for (uint32_t operand : body.operand_indexes(condition)) work.parts.push_back({m, Kind::Value, operand});
  }

  void open_scope(Work& work) {
    const StaticModule& module = g_.modules_[work.ref.module];
    if (module.parent == UINT32_MAX) return;
    const ModuleCallInfo& call = g_.modules_.body(module.parent).calls[module.call];
    work.parts.push_back({module.parent, Kind::Scope, 0});
    work.parts.push_back({work.ref.module, Kind::Explicit, 0});
    if (call.expand.valid()) work.parts.push_back({module.parent, Kind::Value, call.expand.index});
  }

  void open_explicit(Work& work) {
    const StaticModule& module = g_.modules_[work.ref.module];
    if (module.parent == UINT32_MAX) return;
    work.parts.push_back({module.parent, Kind::Explicit, 0});
    const ModuleCallInfo& call = g_.modules_.body(module.parent).calls[module.call];
    for (InstId after : call.after) add_after(work.parts, module.parent, after);
  }

  void open_whole(Work& work) {
    uint32_t m = work.ref.module;
    const ModuleBody& body = g_.modules_.body(m);
    for (uint32_t r = 0; r < body.resources.size(); ++r) work.found.push_back(g_.resource(m, r));
    for (const OutputInfo& output : body.outputs) work.parts.push_back({m, Kind::Value, output.inst.index});
    for (uint32_t child : g_.modules_[m].children)
      if (child != UINT32_MAX) work.parts.push_back({child, Kind::Whole, 0});
  }

  // What a depends_on names: a module stands for everything in it.
  void add_after(std::vector<Ref>& parts, uint32_t m, InstId after) {
    const ModuleBody& body = g_.modules_.body(m);
    for (uint32_t call = 0; call < body.calls.size(); ++call) {
      if (body.calls[call].inst != after && body.calls[call].object != after) continue;
      if (g_.modules_[m].children[call] != UINT32_MAX) parts.push_back({g_.modules_[m].children[call], Kind::Whole, 0});
      return;
    }
    parts.push_back({m, Kind::Value, after.index});
  }

  void add_resource(uint32_t m, uint32_t r) {
    const ModuleBody& body = g_.modules_.body(m);
    const ResourceInfo& info = body.resources[r];
    std::vector<Ref> named{{m, Kind::Explicit, 0}};
    for (InstId after : info.after) add_after(named, m, after);
    std::vector<NodeIndex> explicit_nodes;
    for (const Ref& ref : named) explicit_nodes.push_back(get(ref));
    // Nothing waits for itself, whatever depends_on says.
    NodeIndex explicitly = join(explicit_nodes, g_.resource(m, r));

    std::vector<NodeIndex> all{explicitly, get({m, Kind::Scope, 0})};
    auto add = [&](InstId inst) {
      if (inst.valid()) all.push_back(get({m, Kind::Value, inst.index}));
    };
    for (uint32_t operand : body.operand_indexes(info.inst)) add(InstId(operand));
    add(info.expand);
    for (InstId condition : info.conditions)
      for (uint32_t operand : body.operand_indexes(condition)) add(InstId(operand));
    for (InstId trigger : info.replace_triggered_by) add(trigger);
    for (const ProvisionerInfo& provisioner : info.provisioners) {
      add(provisioner.config);
      add(provisioner.connection);
    }
    NodeIndex self = g_.resource(m, r);
    // Its own conditions and provisioners may speak of itself.
    std::erase(all, self);
    NodeIndex needs = join(all, self);
    g_.explicit_[self] = explicitly;
    if (needs == kNoNode) return;
    g_.nodes_[self].needs.push_back(needs);
    g_.nodes_[needs].needed_by.push_back(self);
  }

  // One node for all of them. A join never holds `without` at its first level.
  NodeIndex join(std::vector<NodeIndex> nodes, NodeIndex without = kNoNode) {
    std::erase_if(nodes, [&](NodeIndex n) { return n == kNoNode || n == kUnseen || n == kWorking || n == without; });
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    if (nodes.empty()) return kNoNode;
    if (nodes.size() == 1) return nodes[0];
    auto [at, added] = joins_.try_emplace(nodes, static_cast<NodeIndex>(g_.nodes_.size()));
    if (!added) return at->second;
    NodeIndex self = at->second;
    DependencyNode node;
    node.needs = nodes;
    g_.nodes_.push_back(std::move(node));
    for (NodeIndex n : nodes) g_.nodes_[n].needed_by.push_back(self);
    return self;
  }

  void index_outputs() {
    const Program& program = g_.modules_.program();
    for (uint32_t b = 0; b < program.bodies.size(); ++b)
      for (const OutputInfo& output : program.bodies[b]->outputs)
        outputs_.emplace(std::pair(b, output.name.index), output.inst.index);
  }

  DependencyGraph& g_;
  size_t resources_ = 0;
  std::vector<Work> stack_;
  std::vector<NodeIndex> scopes_;
  std::vector<NodeIndex> wholes_;
  std::map<std::vector<NodeIndex>, NodeIndex> joins_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> outputs_;  // body and name -> InstId
};

DependencyGraph::DependencyGraph(const StaticModules& modules) : modules_(modules) {
  Builder(*this).run();
  size_t resources = explicit_.size();

  // Ranks: depth first, what is needed first. A cycle, which was reported, is cut where it closes.
  ranks_.assign(nodes_.size(), UINT32_MAX);
  std::vector<bool> seen(nodes_.size(), false);
  std::vector<std::pair<NodeIndex, size_t>> stack;
  uint32_t rank = 0;
  for (NodeIndex start = 0; start < resources; ++start) {
    if (seen[start]) continue;
    seen[start] = true;
    stack.emplace_back(start, 0);
    while (!stack.empty()) {
      auto& [node, cursor] = stack.back();
      if (cursor < nodes_[node].needs.size()) {
        NodeIndex next = nodes_[node].needs[cursor++];
        if (!seen[next]) {
          seen[next] = true;
          stack.emplace_back(next, 0);
        }
        continue;
      }
      ranks_[node] = rank++;
      stack.pop_back();
    }
  }

  create_first_.assign(nodes_.size(), false);
  std::vector<NodeIndex> todo;
  for (NodeIndex r = 0; r < resources; ++r) {
    if (info(r).mode != ResourceMode::Managed || !info(r).create_before_destroy || create_first_[r]) continue;
    create_first_[r] = true;
    todo.push_back(r);
    while (!todo.empty()) {
      NodeIndex node = todo.back();
      todo.pop_back();
      for (NodeIndex next : nodes_[node].needs) {
        if (create_first_[next]) continue;
        create_first_[next] = true;
        todo.push_back(next);
      }
    }
  }

  closures_.resize(nodes_.size());
  texts_.resize(resources);
  for (NodeIndex r = 0; r < resources; ++r) addresses_.emplace(address(r), r);
}

NodeIndex DependencyGraph::of_value(uint32_t module, InstId inst) const {
  NodeIndex known = values_[module][inst.index];
  return known < nodes_.size() ? known : kNoNode;
}

std::string DependencyGraph::address(NodeIndex resource) const {
  const DependencyNode& node = nodes_[resource];
  const ResourceInfo& r = info(resource);
  const Program& program = modules_.program();
  std::string out = modules_[node.module].address;
  if (!out.empty()) out += '.';
  if (r.mode != ResourceMode::Managed) {
    out += resource_mode_text(r.mode);
    out += '.';
  }
  out += program.text(r.type);
  out += '.';
  out += program.text(r.name);
  return out;
}

NodeIndex DependencyGraph::find(std::string_view address) const {
  auto found = addresses_.find(std::string(address));
  return found == addresses_.end() ? kNoNode : found->second;
}

// Everything that a node needs, in one list: for a resource that what it needs does, for a join its parts and what
// they need. Computed from the bottom up, with a stack of its own.
const DependencyGraph::Closure& DependencyGraph::closure(NodeIndex root) {
  std::vector<std::pair<NodeIndex, size_t>> stack;
  auto open = [&](NodeIndex node) {
    if (closures_[node].state != Closure::State::New) return;
    closures_[node].state = Closure::State::Open;
    stack.emplace_back(node, 0);
  };
  open(root);
  while (!stack.empty()) {
    auto& [node, cursor] = stack.back();
    Closure& c = closures_[node];
    const std::vector<NodeIndex>& needs = nodes_[node].needs;
    if (cursor < needs.size()) {
      open(needs[cursor++]);
      continue;
    }
    for (NodeIndex need : needs) {
      const Closure& inner = closures_[need];
      if (nodes_[need].is_resource()) {
        c.nodes.push_back(need);
        if (inner.all && c.all)
          c.nodes.insert(c.nodes.end(), inner.nodes.begin(), inner.nodes.end());
        else
          c.all = false;
      } else {
        c.nodes.insert(c.nodes.end(), inner.nodes.begin(), inner.nodes.end());
        c.all = c.all && inner.all;
      }
    }
    std::sort(c.nodes.begin(), c.nodes.end());
    c.nodes.erase(std::unique(c.nodes.begin(), c.nodes.end()), c.nodes.end());
    if (c.nodes.size() > kMaxRecorded) c.all = false;
    if (!c.all) {
      // Only the nearest: the parts themselves, and those of joins.
      c.nodes.clear();
      for (NodeIndex need : needs) {
        if (nodes_[need].is_resource()) {
          c.nodes.push_back(need);
          continue;
        }
        std::vector<NodeIndex> joins{need};
        while (!joins.empty()) {
          NodeIndex j = joins.back();
          joins.pop_back();
          for (NodeIndex part : nodes_[j].needs) (nodes_[part].is_resource() ? c.nodes : joins).push_back(part);
        }
      }
      std::sort(c.nodes.begin(), c.nodes.end());
      c.nodes.erase(std::unique(c.nodes.begin(), c.nodes.end()), c.nodes.end());
    }
    c.state = Closure::State::Known;
    stack.pop_back();
  }
  return closures_[root];
}

DependencyList DependencyGraph::recorded(NodeIndex resource) {
  const std::vector<NodeIndex>& needs = nodes_[resource].needs;
  if (needs.empty()) return nullptr;
  auto [at, added] = recorded_.try_emplace(needs[0]);
  if (!added) return at->second;
  // What a resource needs is one node, and its list is the same for everyone who needs that.
  const Closure& c = closure(resource);
  std::vector<Str> names;
  names.reserve(c.nodes.size());
  for (NodeIndex node : c.nodes) {
    // Ephemerals leave nothing behind that could be waited for.
    if (info(node).mode == ResourceMode::Ephemeral) continue;
    if (texts_[node].empty()) texts_[node] = Str(address(node));
    names.push_back(texts_[node]);
  }
  std::sort(names.begin(), names.end(), [](const Str& a, const Str& b) { return a.view() < b.view(); });
  if (!names.empty()) at->second = std::make_shared<const std::vector<Str>>(std::move(names));
  return at->second;
}

}  // namespace pravo::runtime
