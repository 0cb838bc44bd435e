// The syntax tree of one file of the Terraform language, native or JSON.
//
// A tree is one flat array of 32-bit words: a node is named by the index of its head, children are indexes too. So a
// tree costs about four bytes a source byte, and is walked without chasing pointers. Nodes hold byte offsets into the
// source, no text.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/source.h"

#include <llvm/ADT/SmallVector.h>

namespace pravo::hcl {

// Children of each kind, in order. "?" may be absent; see the flags.
enum class NodeKind : uint8_t {
  Body,           // (Attribute | Block)*
  Attribute,      // Name, expression
  Block,          // Name, (Name | Template)* labels, Body
  Name,           // leaf: an identifier where it is a name, not an expression. The range is its text;
                  //       for a namespaced function `a::b::c` it spans all parts
  Number,         // leaf: literal text in range
  Bool,           // leaf: op = 0 or 1
  Null,           // leaf
  Template,       // parts: StringPart | Interpolation | TemplateIf | TemplateFor; op = TemplateForm
  StringPart,     // leaf: raw text in range, still escaped; see template_parts()
  Interpolation,  // expression; flags kStripLeft / kStripRight are those of the sequence `${~ ~}`
  TemplateIf,     // condition, TemplateBody then, TemplateBody else?; strip flags on the three markers
  TemplateFor,    // Name key?, Name value, collection, TemplateBody; kHasKey
  TemplateBody,   // parts of one arm, as Template; only template_parts() reads its op and flags
  Tuple,          // expression*
  Object,         // ObjectItem*
  ObjectItem,     // key, value; key is Name for a bare identifier, Paren for `(expr)`, else an expression
  Call,           // Name, expression*; kExpand when the last argument ends with `...`
  ForTuple,       // Name key?, Name value, collection, result, condition?; kHasKey, kHasCondition
  ForObject,      // Name key?, Name value, collection, key, value, condition?; kHasKey, kHasCondition, kGroup
  GetAttr,        // base, Name
  LegacyIndex,    // base, Number: `a.0`
  Index,          // base, key
  Splat,          // source, each: `a[*].b` has each = GetAttr(SplatItem, b); op = SplatForm
  SplatItem,      // leaf: the element that the nearest enclosing Splat is at
  Unary,          // operand; op = UnaryOp
  Binary,         // left, right; op = BinaryOp
  Conditional,    // condition, then, else
  Paren,          // expression
  Variable,       // leaf: the root identifier of a traversal, `var` of var.x
  Error,          // leaf: stands where an expression could not be parsed; a diagnostic was reported
};

enum class TemplateForm : uint8_t { Quoted, Heredoc, HeredocFlush, Json };
enum class SplatForm : uint8_t { Attribute, Full };  // `.*` and `[*]`
enum class UnaryOp : uint8_t { Negate, Not };
enum class BinaryOp : uint8_t {
  Or,
  And,
  Equal,
  NotEqual,
  Less,
  Greater,
  LessEqual,
  GreaterEqual,
  Add,
  Subtract,
  Multiply,
  Divide,
  Modulo
};

enum NodeFlags : uint16_t {
  kStripLeft = 1,      // `~` after the opening of a template sequence
  kStripRight = 2,     // `~` before its closing
  kElseStripLeft = 4,  // the same of `%{~ else ~}`
  kElseStripRight = 8,
  kEndStripLeft = 16,  // the same of `%{~ endif ~}` and `%{~ endfor ~}`
  kEndStripRight = 32,
  kHasKey = 64,
  kHasCondition = 128,
  kGroup = 256,   // `...` after the value of an object for-expression
  kExpand = 512,  // `...` after the last argument of a call
  kJson = 1024,   // the node comes from JSON: text in its range has JSON escapes, keys are strings
};

// How high a tree can be. Its walkers recurse without a check of their own: the lexer limits brackets (a level of
// them adds at most two nodes), the builder limits what grows without brackets, as `a + b + c` does to the left and
// `a ? b : c ? d : e` to the right. Beyond that there is a diagnostic and an Error node.
inline constexpr uint32_t kMaxBracketDepth = 250;
inline constexpr uint32_t kMaxChainHeight = 500;
inline constexpr uint32_t kMaxTreeHeight = kMaxChainHeight + 2 * kMaxBracketDepth + 4;

namespace internal {

constexpr std::array<int8_t, 256> make_child_counts() {
  std::array<int8_t, 256> counts{};
  auto set = [&](std::initializer_list<NodeKind> kinds, int8_t count) {
    for (NodeKind kind : kinds) counts[static_cast<uint8_t>(kind)] = count;
  };
  set({NodeKind::Interpolation, NodeKind::Unary, NodeKind::Paren}, 1);
  set({NodeKind::Attribute, NodeKind::ObjectItem, NodeKind::GetAttr, NodeKind::LegacyIndex, NodeKind::Index,
       NodeKind::Splat, NodeKind::Binary},
      2);
  set({NodeKind::Conditional}, 3);
  set({NodeKind::Body, NodeKind::Block, NodeKind::Template, NodeKind::TemplateIf, NodeKind::TemplateFor,
       NodeKind::TemplateBody, NodeKind::Tuple, NodeKind::Object, NodeKind::Call, NodeKind::ForTuple,
       NodeKind::ForObject},
      -1);
  return counts;
}
inline constexpr std::array<int8_t, 256> kChildCounts = make_child_counts();

}  // namespace internal

// How many children every node of a kind has; -1: it differs from node to node.
constexpr int child_count_of(NodeKind kind) { return internal::kChildCounts[static_cast<uint8_t>(kind)]; }

// The memory of a tree: a vector that does not clear what is written next.
using Words = llvm::SmallVector<uint32_t, 0>;

// How nodes lie in the words. The head holds kind, op and flags; the next two words the range; then come the children.
// The number of children stands before the head, and only where the kind does not tell it: most nodes are leaves.
struct NodeLayout {
  static constexpr uint32_t kBegin = 1;
  static constexpr uint32_t kEnd = 2;
  static constexpr uint32_t kChildren = 3;

  static constexpr uint32_t head(NodeKind kind, uint8_t op, uint16_t flags) {
    return static_cast<uint32_t>(kind) | static_cast<uint32_t>(op) << 8 | static_cast<uint32_t>(flags) << 16;
  }
  static NodeKind kind(const Words& words, uint32_t node) { return static_cast<NodeKind>(words[node] & 0xFF); }
  static uint32_t child_count(const Words& words, uint32_t node) {
    int count = child_count_of(kind(words, node));
    return count >= 0 ? static_cast<uint32_t>(count) : words[node - 1];
  }
  static uint32_t child(const Words& words, uint32_t node, uint32_t i) { return words[node + kChildren + i]; }

  // Room for a node behind the others: its index. All but the children is written.
  static uint32_t append(Words& words, NodeKind kind, uint8_t op, uint16_t flags, uint32_t begin, uint32_t end,
                         uint32_t children) {
    auto node = static_cast<uint32_t>(words.size());
    const bool counted = child_count_of(kind) < 0;
    if (counted) ++node;
    words.resize_for_overwrite(node + kChildren + children);
    uint32_t* at = words.data() + node;
    if (counted) at[-1] = children;
    at[0] = head(kind, op, flags);
    at[kBegin] = begin;
    at[kEnd] = end;
    return node;
  }
};

struct NodeId {
  uint32_t index = UINT32_MAX;
  bool valid() const { return index != UINT32_MAX; }
  explicit operator bool() const { return valid(); }
  bool operator==(const NodeId&) const = default;
};

class SyntaxTree {
 public:
  FileId file;
  bool json = false;
  NodeId root;  // Body; in JSON an Object, or a Tuple of Objects
  Words words;

  NodeKind kind(NodeId n) const { return NodeLayout::kind(words, n.index); }
  uint8_t op(NodeId n) const { return static_cast<uint8_t>((words[n.index] >> 8) & 0xFF); }
  uint16_t flags(NodeId n) const { return static_cast<uint16_t>(words[n.index] >> 16); }
  bool has(NodeId n, NodeFlags flag) const { return (flags(n) & flag) != 0; }
  SourceRange range(NodeId n) const {
    return {file, words[n.index + NodeLayout::kBegin], words[n.index + NodeLayout::kEnd]};
  }
  uint32_t child_count(NodeId n) const { return NodeLayout::child_count(words, n.index); }
  NodeId child(NodeId n, uint32_t i) const { return NodeId{NodeLayout::child(words, n.index, i)}; }

  // Appends a node and returns it. Children must be nodes of this tree, and as many as the kind has.
  NodeId add(NodeKind kind, uint8_t op, uint16_t flags, uint32_t begin, uint32_t end, std::span<const NodeId> children);
};

}  // namespace pravo::hcl
