#include "passes/mark_propagate.h"

#include <algorithm>

#include <fmt/format.h>

#include "passes/mark_transfer.h"

namespace pravo::passes {

BodyMarks::BodyMarks(const Program& program, SchemaSource* schemas, ModuleId module, MarkFacts& facts)
    : program_(program),
      schemas_(schemas),
      module_(module),
      body_(program.body(module)),
      facts_(facts),
      trees_(facts.trees),
      table_(facts.tables[module.index]) {
  table_.assign(body_.insts.size(), trees_.clean());
  states_.assign(body_.insts.size(), State::New);
}

void BodyMarks::run() {
  for (uint32_t i = 0; i < body_.insts.size(); ++i) {
    InstId id(i);
    // The table says of a constant what there is to say.
    if (body_.inst(id).kind == OpKind::Const) states_[i] = State::Done;
    compute(id);
  }
}

// Depth first without recursion: a configuration may chain 100,000 values. On a cycle, which lowering has reported,
// the value that closes it counts as clean. A rule may compute a region anew (with_binding), so this is entered again
// from within: each entry works above what was on the stack before it.
void BodyMarks::compute(InstId root) {
  if (states_[root.index] != State::New) return;
  const size_t bottom = stack_.size();
  stack_.push_back(root);
  while (stack_.size() > bottom) {
    InstId id = stack_.back();
    State& state = states_[id.index];
    if (state == State::New) {
      state = State::Open;
      needed_.clear();
      dependencies(id, needed_);
      const size_t above = stack_.size();
      for (InstId dependency : needed_)
        if (states_[dependency.index] == State::New) stack_.push_back(dependency);
      // Most operands stand before their user and were computed already.
      if (stack_.size() > above) continue;
    }
    stack_.pop_back();
    if (state == State::Done) continue;
    table_[id.index] = transfer(id);
    states_[id.index] = State::Done;
  }
}

void BodyMarks::dependencies(InstId id, std::vector<InstId>& out) const {
  auto operands = [&] {
    for (uint32_t operand : body_.operand_indexes(id)) out.push_back(InstId(operand));
  };
  const Inst& inst = body_.inst(id);
  switch (inst.kind) {
    case OpKind::Key:
      break;
    case OpKind::Each: {
      // Its operand is the loop, which waits for it; what it binds is an element of the loop's source.
      InstId owner = body_.operand(id, 0);
      if (body_.inst(owner).operand_count > 0) out.push_back(body_.operand(owner, 0));
      break;
    }
    case OpKind::Cond:
      operands();
      out.push_back(yield_of(id, 0));
      out.push_back(yield_of(id, 1));
      break;
    case OpKind::Splat:
    case OpKind::ForList:
    case OpKind::ForObject:
      operands();
      out.push_back(yield_of(id, 0));
      break;
    case OpKind::ModuleOut: {
      const Inst& instance = body_.inst(body_.operand(id, 0));
      const ModuleCallInfo& call = body_.calls[instance.payload];
      if (!call.target.valid()) break;
      uint32_t row = facts_.modules[call.target].output(NameId(inst.payload));
      if (row == kNoRow) break;
      // Only the arguments that reach this output: two modules may feed each other through different ones.
      const OutputSummary& summary = facts_.outputs[call.target.index][row];
      const std::vector<VariableInfo>& variables = program_.body(call.target).variables;
      if (summary.all_inputs) {
        for (const auto& [name, argument] : call.args) out.push_back(argument);
        break;
      }
      for (uint32_t input : summary.inputs) {
        InstId argument = find_argument(call, variables[input].name);
        if (argument.valid()) out.push_back(argument);
      }
      break;
    }
    case OpKind::ModuleArg:
      out.push_back(body_.operand(id, 0));
      break;
    case OpKind::Const:
    case OpKind::Variable:
    case OpKind::Env:
    case OpKind::Meta:
    case OpKind::Unknown:
    case OpKind::ModuleInstance:
      break;
    case OpKind::Local:
    case OpKind::Call:
    case OpKind::Binary:
    case OpKind::Unary:
    case OpKind::Template:
    case OpKind::TemplateJoin:
    case OpKind::Index:
    case OpKind::Attr:
    case OpKind::Convert:
    case OpKind::Object:
    case OpKind::ObjectKeyed:
    case OpKind::Tuple:
    case OpKind::Blocks:
    case OpKind::Yield:
    case OpKind::ExpandCount:
    case OpKind::ExpandForEach:
    case OpKind::At:
    case OpKind::Collect:
    case OpKind::Provider:
    case OpKind::Resource:
    case OpKind::Data:
    case OpKind::Ephemeral:
    case OpKind::ProviderCall:
    case OpKind::Output:
    case OpKind::Check:
    case OpKind::Condition:
    case OpKind::Use:
    case OpKind::MarkAdd:
    case OpKind::MarkRemove:
      operands();
      break;
  }
}

// The yield's first or second value for one element: the loop's region is computed anew with the element bound.
MarkTreeId BodyMarks::with_binding(InstId loop, MarkTreeId element) {
  const Region& region = body_.region(RegionId(body_.inst(loop).payload));
  bindings_[loop] = element;
  for (uint32_t i = region.begin.index; i < region.end.index; ++i) states_[i] = State::New;
  compute(region.yield);
  bindings_.erase(loop);
  for (uint32_t i = region.begin.index; i < region.end.index; ++i) states_[i] = State::New;
  bool object = body_.inst(loop).kind == OpKind::ForObject;
  MarkTreeId value = operand_tree(region.yield, object ? 1 : 0);
  if (object && (body_.inst(loop).flags & kGrouped) != 0) value = trees_.with_each(value);
  return value;
}

// `{for k, v in m : k => f(v)}`, `[for v in tuple : f(v)]` and `tuple[*].x` keep elements apart: what is known of one
// element of the source is known of one element of the result.
std::optional<MarkTreeId> BodyMarks::elementwise(InstId loop) {
  // Each loop costs its region once an element with marks of its own; nested ones would multiply.
  constexpr size_t kMaxElements = 16;
  if (!bindings_.empty()) return std::nullopt;
  const Inst& inst = body_.inst(loop);
  MarkTreeId source = operand_tree(loop, 0);
  const MarkNode& node = trees_[source];
  if (node.fields.empty() || node.fields.size() > kMaxElements || !node.symbols.empty()) return std::nullopt;
  InstId yield = yield_of(loop, 0);
  if (inst.kind == OpKind::ForObject) {
    const Inst& key = body_.inst(body_.operand(yield, 0));
    if (key.kind != OpKind::Key || body_.operand(body_.operand(yield, 0), 0) != loop) return std::nullopt;
  } else {
    bool filtered = inst.kind == OpKind::ForList && body_.inst(yield).operand_count > 1;
    if (filtered || !is_sequence(body_.operand(loop, 0))) return std::nullopt;
  }
  MarkFields fields = node.fields;
  MarkTreeId each = node.each;
  for (auto& [key, child] : fields) child = with_binding(loop, child);
  each = with_binding(loop, each);
  // The table keeps what holds for every element.
  compute(yield);
  return trees_.make(MarkSet::None, std::move(fields), each);
}

namespace {

// The inputs that the symbols of a tree stand for.
void collect_inputs(const MarkTrees& trees, MarkTreeId root, OutputSummary& summary) {
  std::vector<MarkTreeId> stack{root};
  std::vector<uint32_t> seen;
  while (!stack.empty()) {
    MarkTreeId id = stack.back();
    stack.pop_back();
    const MarkNode& node = trees[id];
    if (!node.symbolic) continue;
    for (SymbolId s : node.symbols) {
      uint32_t input = trees.symbols().input_of(s);
      if (input == UINT32_MAX)
        summary.all_inputs = true;
      else
        summary.inputs.push_back(input);
    }
    for (const auto& [key, child] : node.fields) stack.push_back(child);
    stack.push_back(node.each);
  }
  std::sort(summary.inputs.begin(), summary.inputs.end());
  summary.inputs.erase(std::unique(summary.inputs.begin(), summary.inputs.end()), summary.inputs.end());
}

OutputSummary summarize(const ModuleBody& body, MarkFacts& facts, ModuleId module, const OutputInfo& output) {
  MarkTrees& trees = facts.trees;
  OutputSummary summary;
  MarkTreeId value = facts.at(module, body.operand(output.inst, 0));
  summary.tree = trees.with_whole(trees.without(value, MarkSet::Ephemeral), body.inst(output.inst).marks);
  collect_inputs(trees, summary.tree, summary);
  return summary;
}

}  // namespace

MarkFacts propagate_marks(const Program& program, SchemaSource* schemas) {
  MarkFacts facts(*program.names);
  facts.modules = index_modules(program);
  facts.tables.resize(program.bodies.size());
  facts.outputs.resize(program.bodies.size());
  for (ModuleId module : facts.modules.bottom_up) {
    BodyMarks(program, schemas, module, facts).run();
    const ModuleBody& body = program.body(module);
    for (const OutputInfo& output : body.outputs)
      facts.outputs[module.index].push_back(summarize(body, facts, module, output));
  }
  return facts;
}

MarkTreeId argument_tree(const Program& program, MarkFacts& facts, ModuleId caller, CallId call, uint32_t row) {
  const ModuleBody& body = program.body(caller);
  const ModuleCallInfo& info = body.calls[call.index];
  const VariableInfo& variable = program.body(info.target).variables[row];
  InstId argument = find_argument(info, variable.name);
  if (!argument.valid()) return facts.trees.clean();
  MarkTreeId tree = facts.at(caller, argument);
  if (facts.trees.is_clean(tree)) return tree;
  TypeId from = body.inst(body.operand(argument, 0)).type;
  return facts.trees.convert(tree, from.valid() ? program.type(from) : Type(), variable.type.type);
}

std::vector<MarkTreeId> call_inputs(const Program& program, MarkFacts& facts, ModuleId caller, CallId call,
                                    std::span<const uint32_t> rows) {
  const ModuleCallInfo& info = program.body(caller).calls[call.index];
  std::vector<MarkTreeId> inputs(program.body(info.target).variables.size(), facts.trees.clean());
  for (uint32_t row : rows)
    inputs[row] = facts.trees.without(argument_tree(program, facts, caller, call, row), MarkSet::Ephemeral);
  return inputs;
}

std::string describe_marks(const Program& program, const MarkFacts& facts, ModuleId module, InstId inst) {
  const ModuleBody& body = program.body(module);
  auto input = [&](uint32_t row) { return fmt::format("var.{}", program.text(body.variables[row].name)); };
  std::string text = facts.trees.print(facts.at(module, inst), input);
  return text.empty() ? text : "marks " + text;
}

bool predicts(const MarkTrees& trees, Names& names, MarkTreeId tree, const Value& value, MarkSet bits) {
  struct Entry {
    MarkTreeId tree;
    const Value* value;
    MarkSet above;
  };
  std::vector<Entry> stack{{tree, &value, MarkSet::None}};
  while (!stack.empty()) {
    auto [id, part, above] = stack.back();
    stack.pop_back();
    const MarkNode& node = trees[id];
    MarkSet known = above | node.whole;
    if (!node.symbols.empty()) known |= MarkSet::Sensitive;
    if (!contains(known, part->marks() & bits)) return false;
    if (!part->is_compound() || contains(known, part->deep_marks() & bits)) continue;
    bool keyed = part->kind() == ValueKind::Map || part->kind() == ValueKind::Object;
    for (size_t i = 0; i < part->length(); ++i) {
      const Value& element = part->element(i);
      if (!any(element.deep_marks() & bits)) continue;
      MarkTreeId child = node.each;
      if (!keyed) {
        child = trees.stored_child(id, index_key(i));
      } else {
        // Keys of values may be secret and are not interned; a name nobody interned is no field of the tree.
        if (std::optional<FieldKey> key = known_key(names, part->key(i).view())) child = trees.stored_child(id, *key);
      }
      stack.push_back({child, &element, known});
    }
  }
  return true;
}

}  // namespace pravo::passes
