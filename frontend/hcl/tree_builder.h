// Builds the syntax tree while the generated parser runs: the actions of grammar/Hcl.g4 are these functions.
//
// Nodes that have no parent yet lie on a stack. begin(), here() and the like remember where a node starts and how
// high the stack was; close() takes what came since as its children. Operators wait on a stack of their own, so
// that neither precedence nor a long chain costs recursion.
//
// `Parser` supplies position() (index of the token to be read next), kTolerant, and reject(fault), which is called
// for what the grammar itself cannot exclude. A strict parser does not return from it; a tolerant one reports, and
// the builder goes on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "frontend/hcl/syntax.h"
#include "frontend/hcl/template_text.h"
#include "frontend/hcl/token.h"

namespace pravo::hcl {

// What LL(1) loops admit and the builder refuses. The token concerned is the one read last, except for OneLineBody:
// there it is the next.
enum class TreeFault : uint8_t {
  EmptyElement,      // `,` after `,`, a newline or nothing
  EmptyExpansion,    // `...` with no argument before it
  OneLineBody,       // more than one argument on the line of the braces
  NestedSplat,       // `.*` inside the reach of another `.*`
  LegacyIndexChain,  // `a.0.1`
  NumberWithDots,    // `1.2.3`
};

// What a parse of one text leaves besides nodes.
struct BuildResult {
  struct Repetition {
    uint32_t first;  // Name nodes
    uint32_t second;
  };
  std::vector<Repetition> repeated_attributes;
  bool too_tall = false;  // an expression exceeded kMaxChainHeight; an Error node stands for it
  uint32_t too_tall_begin = 0;
  uint32_t too_tall_end = 0;

  void clear() {
    repeated_attributes.clear();
    too_tall = false;
  }
};

// The memory of a builder, kept from file to file.
struct BuilderStacks {
  struct Entry {
    uint32_t node;
    uint32_t height;
  };
  struct Mark {
    uint32_t begin;
    uint32_t base;  // size of `nodes`
    uint16_t flags;
  };
  enum class Operator : uint8_t { Base, Unary, Binary };
  struct Pending {
    uint32_t begin;  // Unary: where it starts. Base: size of `nodes`
    Operator what;
    uint8_t op;
    uint8_t precedence;
  };
  struct OpenSplat {
    uint32_t source;  // index in `nodes`
    SplatForm form;
  };
  llvm::SmallVector<Entry, 0> nodes;
  llvm::SmallVector<Mark, 0> marks;
  llvm::SmallVector<Pending, 0> operators;
  llvm::SmallVector<OpenSplat, 0> splats;
  llvm::SmallVector<uint32_t, 0> scratch;
  BuildResult result;

  void clear() {
    nodes.clear();
    marks.clear();
    operators.clear();
    splats.clear();
    result.clear();
  }
};

// Finds attributes that are set twice in a body, in time near linear. `attributes` are Attribute nodes.
void find_repeated_attributes(std::string_view text, const Words& words, std::span<const uint32_t> attributes,
                              BuildResult& result);

template <class Parser>
class TreeBuilder {
 public:
  using Entry = BuilderStacks::Entry;
  using Mark = BuilderStacks::Mark;

  // Nodes are appended to `words`. A template file becomes a Template of form `file_form`.
  void attach(std::string_view text, TemplateForm file_form, const TokenList& tokens, BuilderStacks& stacks,
              Words& words) {
    text_ = text;
    file_form_ = file_form;
    attach_tokens(tokens);
    stacks.clear();
    stacks_ = &stacks;
    words_ = &words;
  }

  // The tokens lie elsewhere, or are others: the positions from now on are theirs.
  void attach_tokens(const TokenList& tokens) {
    kinds_ = tokens.kinds();
    spans_ = tokens.spans();
  }

  NodeId root() const { return stacks_->nodes.empty() ? NodeId{} : NodeId{stacks_->nodes.back().node}; }

 protected:
  // --- places

  void begin() { mark(begin_of_last(), height()); }
  void here() { mark(spans_[position()].begin, height()); }
  void begin_index() {
    close_attribute_splat();
    mark(begin_of_node(stacks_->nodes.back().node), height() - 1);
  }
  void begin_item() {
    begin();
    leaf(NodeKind::Name);
  }
  void set(NodeFlags flag) { stacks_->marks.back().flags |= flag; }
  // `~` after the opening, before the closing of a template sequence.
  void strip_left(NodeFlags flag) {
    if (byte_at(begin_of_last() + 2) == '~') set(flag);
  }
  void strip_right(NodeFlags flag) {
    if (byte_at(begin_of_last()) == '~') set(flag);
  }

  // --- nodes

  void leaf(NodeKind kind, uint8_t op = 0) { add_leaf(kind, op, begin_of_last(), end_of_last()); }

  void close(NodeKind kind, uint8_t op = 0) {
    Mark mark = stacks_->marks.back();
    stacks_->marks.pop_back();
    add(kind, op, mark.flags, mark.begin, std::max(mark.begin, end_of_last()), mark.base);
  }
  void close_body() {
    check_repetition(stacks_->marks.back().base);
    close(NodeKind::Body);
  }
  void close_file() {
    check_repetition(stacks_->marks.back().base);
    Mark mark = stacks_->marks.back();
    stacks_->marks.pop_back();
    add(NodeKind::Body, 0, 0, 0, static_cast<uint32_t>(text_.size()), mark.base);
  }
  void close_quoted() { close_template(TemplateForm::Quoted); }
  void close_heredoc() {
    bool flush = byte_at(stacks_->marks.back().begin + 2) == '-';
    close_template(flush ? TemplateForm::HeredocFlush : TemplateForm::Heredoc);
  }
  void close_template_file() {
    Mark mark = stacks_->marks.back();
    stacks_->marks.pop_back();
    add(NodeKind::Template, static_cast<uint8_t>(file_form_), 0, 0, static_cast<uint32_t>(text_.size()), mark.base);
    prepare_template_bodies(text_, *words_, stacks_->nodes.back().node);
  }
  // A template `if` or `for`: its bodies learn which of their ends is stripped.
  void close_directive(NodeKind kind) {
    uint16_t flags = stacks_->marks.back().flags;
    const auto& nodes = stacks_->nodes;
    uint32_t base = stacks_->marks.back().base;
    bool has_else = kind == NodeKind::TemplateIf && nodes.size() - base == 3;
    uint16_t left = flags & kStripRight ? kStripLeft : 0;
    uint16_t last_right = flags & kEndStripLeft ? kStripRight : 0;
    if (has_else) {
      set_body_flags(nodes[base + 1].node, left | (flags & kElseStripLeft ? kStripRight : 0));
      set_body_flags(nodes[base + 2].node, (flags & kElseStripRight ? kStripLeft : 0) | last_right);
    } else if (nodes.size() > base) {
      set_body_flags(nodes.back().node, left | last_right);
    }
    close(kind);
  }

  // An argument on the line of its block's braces must be alone there.
  void inline_item() {
    NodeKind kind = kind_of(stacks_->nodes.back().node);
    if (kind != NodeKind::Attribute || kinds_[position()] != TokenKind::RightBrace)
      parser().reject(TreeFault::OneLineBody);
  }

  // --- names

  void variable() {
    std::string_view word = text_.substr(begin_of_last(), end_of_last() - begin_of_last());
    if (word.size() == 4 && word == "true") return leaf(NodeKind::Bool, 1);
    if (word.size() == 5 && word == "false") return leaf(NodeKind::Bool, 0);
    leaf(word.size() == 4 && word == "null" ? NodeKind::Null : NodeKind::Variable);
  }
  // What was read as a variable turns out to be the name of a function, with all parts read by now.
  void function_name() {
    uint32_t node = stacks_->nodes.back().node;
    (*words_)[node] = static_cast<uint32_t>(NodeKind::Name);
    (*words_)[node + NodeLayout::kEnd] = end_of_last();
    mark(begin_of_node(node), height() - 1);
  }
  // A key that is a lone identifier is a name, also where the word means something as an expression.
  void object_key() {
    uint32_t& head = (*words_)[stacks_->nodes.back().node];
    auto kind = static_cast<NodeKind>(head & 0xFF);
    if (kind == NodeKind::Variable || kind == NodeKind::Bool || kind == NodeKind::Null)
      head = static_cast<uint32_t>(NodeKind::Name);
  }

  // --- lists

  // After a comma.
  void separator() {
    TokenKind previous = kinds_[position() - 2];
    if (previous == TokenKind::Comma || previous == TokenKind::Newline) parser().reject(TreeFault::EmptyElement);
  }
  void expand_last() {
    if (kinds_[position() - 2] == TokenKind::Comma) parser().reject(TreeFault::EmptyExpansion);
    set(kExpand);
  }

  // --- operators

  void begin_expression() { stacks_->operators.push_back({height(), BuilderStacks::Operator::Base, 0, 0}); }
  void unary_operator() {
    UnaryOp op = kinds_[position() - 1] == TokenKind::Not ? UnaryOp::Not : UnaryOp::Negate;
    stacks_->operators.push_back(
        {begin_of_last(), BuilderStacks::Operator::Unary, static_cast<uint8_t>(op), kUnaryPrecedence});
  }
  void binary_operator() {
    auto [op, precedence] = binary(kinds_[position() - 1]);
    while (stacks_->operators.back().precedence >= precedence) reduce();
    stacks_->operators.push_back({0, BuilderStacks::Operator::Binary, static_cast<uint8_t>(op), precedence});
  }
  void end_operation() {
    while (stacks_->operators.back().precedence > 0) reduce();
  }
  // Arms of conditionals lie in a row: `a ? b : c ? d : e` is a, b, c, d, e and folds from the right.
  void end_expression() {
    uint32_t base = stacks_->operators.back().begin;
    stacks_->operators.pop_back();
    while (height() > base + 1) {
      if (Parser::kTolerant && height() < base + 3)
        return collapse(NodeKind::Error, base, begin_of_node(stacks_->nodes[base].node), end_of_last());
      const Entry* arms = &stacks_->nodes[height() - 3];
      add(NodeKind::Conditional, 0, 0, begin_of_node(arms[0].node), end_of_node(arms[2].node), height() - 3);
    }
  }

  // --- traversals

  void attribute_access() {
    leaf(NodeKind::Name);
    wrap_two(NodeKind::GetAttr);
  }
  void legacy_index() {
    if (kind_of(stacks_->nodes.back().node) == NodeKind::Number) parser().reject(TreeFault::NumberWithDots);
    if (kind_of(stacks_->nodes.back().node) == NodeKind::LegacyIndex &&
        end_of_node(stacks_->nodes.back().node) + 1 == begin_of_last())
      parser().reject(TreeFault::LegacyIndexChain);
    leaf(NodeKind::Number);
    wrap_two(NodeKind::LegacyIndex);
  }
  // What follows `[*]` applies to each element, until the operand ends; what follows `.*` until an index follows.
  void full_splat() {
    stacks_->marks.pop_back();  // that of an index
    open_splat(SplatForm::Full, spans_[position() - 3].begin);
  }
  void attribute_splat() {
    if (splat_is_open() && stacks_->splats.back().form == SplatForm::Attribute) parser().reject(TreeFault::NestedSplat);
    open_splat(SplatForm::Attribute, spans_[position() - 2].begin);
  }
  void end_operand() {
    while (splat_is_open()) close_splat();
  }

  // --- for tolerant parsers

  // The height of each stack, to return to when a rule is given up.
  struct Snapshot {
    uint32_t nodes, marks, operators, splats;
  };
  Snapshot snapshot() const {
    return {height(), static_cast<uint32_t>(stacks_->marks.size()), static_cast<uint32_t>(stacks_->operators.size()),
            static_cast<uint32_t>(stacks_->splats.size())};
  }
  void restore(const Snapshot& s) {
    auto shrink = [](auto& stack, size_t size) {
      stack.erase(stack.begin() + std::min(size, stack.size()), stack.end());
    };
    shrink(stacks_->nodes, s.nodes);
    shrink(stacks_->marks, s.marks);
    shrink(stacks_->operators, s.operators);
    shrink(stacks_->splats, s.splats);
  }
  // Replaces the nodes from `base` on by one that stands for a node of this kind, or by none where a parent can do
  // without.
  void collapse(NodeKind kind, uint32_t base, uint32_t begin, uint32_t end) {
    stacks_->nodes.erase(stacks_->nodes.begin() + std::min(base, height()), stacks_->nodes.end());
    add_error(kind, begin, end);
  }

  // Takes a node for one that could not be parsed.
  void make_error(uint32_t node) { (*words_)[node] = NodeLayout::head(NodeKind::Error, 0, 0); }

  // Before the first token there is one that is empty.
  uint32_t begin_of_last() const { return spans_[static_cast<ptrdiff_t>(position()) - 1].begin; }
  uint32_t end_of_last() const { return spans_[static_cast<ptrdiff_t>(position()) - 1].end; }
  uint32_t height() const { return static_cast<uint32_t>(stacks_->nodes.size()); }
  NodeKind kind_of(uint32_t node) const { return NodeLayout::kind(*words_, node); }
  uint32_t begin_of_node(uint32_t node) const { return (*words_)[node + NodeLayout::kBegin]; }
  uint32_t end_of_node(uint32_t node) const { return (*words_)[node + NodeLayout::kEnd]; }

  std::string_view text_;
  TemplateForm file_form_ = TemplateForm::Heredoc;
  const TokenKind* kinds_ = nullptr;
  const TokenSpan* spans_ = nullptr;
  BuilderStacks* stacks_ = nullptr;
  Words* words_ = nullptr;

 private:
  static constexpr uint8_t kUnaryPrecedence = 7;

  Parser& parser() { return static_cast<Parser&>(*this); }
  size_t position() const { return static_cast<const Parser&>(*this).position(); }

  struct BinaryRow {
    BinaryOp op;
    uint8_t precedence;
  };
  static BinaryRow binary(TokenKind kind) {
    static constexpr BinaryRow kRows[] = {
        {BinaryOp::Or, 1},     {BinaryOp::And, 2},      {BinaryOp::Equal, 3},     {BinaryOp::NotEqual, 3},
        {BinaryOp::Less, 4},   {BinaryOp::Greater, 4},  {BinaryOp::LessEqual, 4}, {BinaryOp::GreaterEqual, 4},
        {BinaryOp::Add, 5},    {BinaryOp::Subtract, 5}, {BinaryOp::Multiply, 6},  {BinaryOp::Divide, 6},
        {BinaryOp::Modulo, 6},
    };
    static_assert(static_cast<int>(TokenKind::Percent) - static_cast<int>(TokenKind::Or) + 1 == std::size(kRows));
    return kRows[static_cast<int>(kind) - static_cast<int>(TokenKind::Or)];
  }

  // A token that a tolerant parser has put in may lie at the end of the text.
  char byte_at(size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }

  void mark(uint32_t begin, uint32_t base) { stacks_->marks.push_back({begin, base, 0}); }

  void add_leaf(NodeKind kind, uint8_t op, uint32_t begin, uint32_t end) {
    stacks_->nodes.push_back({NodeLayout::append(*words_, kind, op, 0, begin, end, 0), 1});
  }

  // A node with the entries from `base` on as children, which it replaces.
  void add(NodeKind kind, uint8_t op, uint16_t flags, uint32_t begin, uint32_t end, uint32_t base) {
    auto& nodes = stacks_->nodes;
    const auto count = static_cast<uint32_t>(nodes.size()) - base;
    if (Parser::kTolerant && !children_fit(kind, flags, count)) return collapse(kind, base, begin, end);
    const size_t before = words_->size();
    const uint32_t node = NodeLayout::append(*words_, kind, op, flags, begin, end, count);
    uint32_t* children = words_->data() + node + NodeLayout::kChildren;
    const Entry* entries = nodes.data() + base;
    uint32_t tallest = 0;
    for (uint32_t i = 0; i < count; ++i) {
      children[i] = entries[i].node;
      tallest = std::max(tallest, entries[i].height);
    }
    nodes.truncate(base);
    if (tallest >= kMaxChainHeight && grows_without_brackets(kind)) [[unlikely]] {
      if (!stacks_->result.too_tall) {
        stacks_->result.too_tall = true;
        stacks_->result.too_tall_begin = begin;
        stacks_->result.too_tall_end = end;
      }
      words_->truncate(before);
      return add_error(kind, begin, end);
    }
    nodes.push_back({node, tallest + 1});
  }

  void wrap_two(NodeKind kind) {
    uint32_t base = height() - 2;
    add(kind, 0, 0, begin_of_node(stacks_->nodes[base].node), end_of_last(), base);
  }

  void reduce() {
    BuilderStacks::Pending pending = stacks_->operators.back();
    stacks_->operators.pop_back();
    uint32_t count = pending.what == BuilderStacks::Operator::Unary ? 1 : 2;
    if (Parser::kTolerant && height() < count) return;
    uint32_t base = height() - count;
    uint32_t end = end_of_node(stacks_->nodes.back().node);
    if (pending.what == BuilderStacks::Operator::Unary)
      add(NodeKind::Unary, pending.op, 0, pending.begin, end, base);
    else
      add(NodeKind::Binary, pending.op, 0, begin_of_node(stacks_->nodes[base].node), end, base);
  }

  // A splat belongs to the operand being read when its element is on top of the stack.
  bool splat_is_open() const { return !stacks_->splats.empty() && stacks_->splats.back().source + 2 == height(); }
  void open_splat(SplatForm form, uint32_t begin) {
    stacks_->splats.push_back({height() - 1, form});
    add_leaf(NodeKind::SplatItem, 0, begin, end_of_last());
  }
  void close_splat() {
    BuilderStacks::OpenSplat splat = stacks_->splats.back();
    stacks_->splats.pop_back();
    add(NodeKind::Splat, static_cast<uint8_t>(splat.form), 0, begin_of_node(stacks_->nodes[splat.source].node),
        end_of_node(stacks_->nodes.back().node), splat.source);
  }
  void close_attribute_splat() {
    while (splat_is_open() && stacks_->splats.back().form == SplatForm::Attribute) close_splat();
  }

  void close_template(TemplateForm form) {
    close(NodeKind::Template, static_cast<uint8_t>(form));
    prepare_template_bodies(text_, *words_, stacks_->nodes.back().node);
  }

  void set_body_flags(uint32_t node, int flags) {
    if (kind_of(node) == NodeKind::TemplateBody) (*words_)[node] |= static_cast<uint32_t>(flags) << 16;
  }

  void check_repetition(uint32_t base) {
    auto& attributes = stacks_->scratch;
    attributes.clear();
    for (uint32_t i = base; i < height(); ++i) {
      if (kind_of(stacks_->nodes[i].node) == NodeKind::Attribute) attributes.push_back(stacks_->nodes[i].node);
    }
    if (attributes.size() > 1) find_repeated_attributes(text_, *words_, attributes, stacks_->result);
  }

  // After an error a rule may have left more or fewer nodes than its parent is made of.
  static bool children_fit(NodeKind kind, uint16_t flags, uint32_t count) {
    uint32_t key = flags & kHasKey ? 1 : 0;
    uint32_t condition = flags & kHasCondition ? 1 : 0;
    switch (kind) {
      case NodeKind::Attribute:
      case NodeKind::ObjectItem:
      case NodeKind::GetAttr:
      case NodeKind::LegacyIndex:
      case NodeKind::Index:
      case NodeKind::Splat:
      case NodeKind::Binary:
        return count == 2;
      case NodeKind::Block:
        return count >= 2;
      case NodeKind::Interpolation:
      case NodeKind::Unary:
      case NodeKind::Paren:
        return count == 1;
      case NodeKind::TemplateIf:
        return count == 2 || count == 3;
      case NodeKind::TemplateFor:
        return count == 3 + key;
      case NodeKind::ForTuple:
        return count == 3 + key + condition;
      case NodeKind::ForObject:
        return count == 4 + key + condition;
      case NodeKind::Conditional:
        return count == 3;
      case NodeKind::Call:
        return count >= 1;
      case NodeKind::Body:
      case NodeKind::Template:
      case NodeKind::TemplateBody:
      case NodeKind::Tuple:
      case NodeKind::Object:
        return true;
      case NodeKind::Name:
      case NodeKind::Number:
      case NodeKind::Bool:
      case NodeKind::Null:
      case NodeKind::StringPart:
      case NodeKind::SplatItem:
      case NodeKind::Variable:
      case NodeKind::Error:
        return count == 0;
    }
    return false;
  }

  // What stands for a node of this kind where there is no such node: parents rely on the kinds of their children.
  void add_error(NodeKind kind, uint32_t begin, uint32_t end) {
    switch (kind) {
      case NodeKind::Attribute:
      case NodeKind::Block:
        return;
      case NodeKind::ObjectItem:
        add_leaf(NodeKind::Error, 0, begin, begin);
        add_leaf(NodeKind::Error, 0, begin, end);
        return add(NodeKind::ObjectItem, 0, 0, begin, end, height() - 2);
      case NodeKind::Interpolation:
      case NodeKind::TemplateIf:
      case NodeKind::TemplateFor:
        add_leaf(NodeKind::Error, 0, begin, end);
        return add(NodeKind::Interpolation, 0, 0, begin, end, height() - 1);
      case NodeKind::Body:
      case NodeKind::TemplateBody:
        return add_leaf(kind, 0, begin, end);
      default:
        return add_leaf(NodeKind::Error, 0, begin, end);
    }
  }

  static bool grows_without_brackets(NodeKind kind) {
    switch (kind) {
      case NodeKind::Unary:
      case NodeKind::Binary:
      case NodeKind::Conditional:
      case NodeKind::GetAttr:
      case NodeKind::LegacyIndex:
      case NodeKind::Index:
      case NodeKind::Splat:
      case NodeKind::TemplateIf:
      case NodeKind::TemplateFor:
        return true;
      default:
        return false;
    }
  }
};

}  // namespace pravo::hcl
