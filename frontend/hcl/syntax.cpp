#include "frontend/hcl/syntax.h"

namespace pravo::hcl {

NodeId SyntaxTree::add(NodeKind kind, uint8_t op, uint16_t flags, uint32_t begin, uint32_t end,
                       std::span<const NodeId> children) {
  NodeId node{static_cast<uint32_t>(words.size())};
  words.push_back(static_cast<uint32_t>(kind) | static_cast<uint32_t>(op) << 8 | static_cast<uint32_t>(flags) << 16);
  words.push_back(begin);
  words.push_back(end);
  words.push_back(static_cast<uint32_t>(children.size()));
  for (NodeId child : children) words.push_back(child.index);
  return node;
}

}  // namespace pravo::hcl
