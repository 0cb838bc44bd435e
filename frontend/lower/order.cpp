// The order in which locals are lowered: those that one refers to come before it, so that their types are known.
// Order is about types only; a cycle is reported later (cycles.cpp), and here it is cut somewhere.
#include "frontend/lower/body.h"

namespace pravo::lower {

namespace {

// Visits the names behind `local.` in an expression. A `for` may shadow `local`; the order does not care.
template <class F>
void each_local_name(const SourceManager& sources, load::Expr expr, F visit) {
  const hcl::SyntaxTree& tree = *expr.tree;
  llvm::SmallVector<hcl::NodeId, 32> todo{expr.node};
  while (!todo.empty()) {
    hcl::NodeId n = todo.pop_back_val();
    if (tree.kind(n) == hcl::NodeKind::GetAttr) {
      hcl::NodeId base = tree.child(n, 0);
      if (tree.kind(base) == hcl::NodeKind::Variable) {
        if (sources.text(tree.range(base)) == "local") visit(sources.text(tree.range(tree.child(n, 1))));
        continue;
      }
      todo.push_back(base);
      continue;
    }
    for (uint32_t i = 0; i < tree.child_count(n); ++i) todo.push_back(tree.child(n, i));
  }
}

}  // namespace

std::vector<uint32_t> BodyLowering::order_of_locals() const {
  const auto count = static_cast<uint32_t>(module_.locals.size());
  std::vector<uint32_t> order;
  order.reserve(count);
  enum : uint8_t { kNew, kOpen, kDone };
  std::vector<uint8_t> state(count, kNew);
  struct Frame {
    uint32_t local;
    bool visited;
  };
  std::vector<Frame> stack;
  for (uint32_t root = 0; root < count; ++root) {
    stack.push_back({root, false});
    while (!stack.empty()) {
      Frame frame = stack.back();
      stack.pop_back();
      if (frame.visited) {
        state[frame.local] = kDone;
        order.push_back(frame.local);
        continue;
      }
      if (state[frame.local] != kNew) continue;
      state[frame.local] = kOpen;
      stack.push_back({frame.local, true});
      if (!module_.locals[frame.local].value) continue;
      each_local_name(shared_.sources, module_.locals[frame.local].value, [&](std::string_view text) {
        if (auto other = declarations_.local(shared_.names.find(text)); other && state[*other] == kNew)
          stack.push_back({*other, false});
      });
    }
  }
  return order;
}

}  // namespace pravo::lower
