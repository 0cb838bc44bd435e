#include "frontend/hcl/syntax.h"

#include "ir/check.h"

namespace pravo::hcl {

NodeId SyntaxTree::add(NodeKind kind, uint8_t op, uint16_t flags, uint32_t begin, uint32_t end,
                       std::span<const NodeId> children) {
  auto count = static_cast<uint32_t>(children.size());
  int fixed = child_count_of(kind);
  PRAVOC_CHECK(fixed < 0 || count == static_cast<uint32_t>(fixed));
  uint32_t node = NodeLayout::append(words, kind, op, flags, begin, end, count);
  for (uint32_t i = 0; i < count; ++i) words[node + NodeLayout::kChildren + i] = children[i].index;
  return NodeId{node};
}

}  // namespace pravo::hcl
