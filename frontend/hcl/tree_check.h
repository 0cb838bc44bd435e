// Checks that a tree is what syntax.h promises, whatever the text was. For tests and fuzzers.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "frontend/hcl/dump.h"
#include "frontend/hcl/parse.h"

namespace pravo::hcl {

class TreeChecker {
 public:
  TreeChecker(const SourceManager& sources, const SyntaxTree& tree) : sources_(sources), tree_(tree) {}

  // What is wrong, or an empty string. Also calls what reads the text of nodes.
  std::string run() {
    if (!tree_.root.valid()) return "no root";
    visit(tree_.root, 1);
    return problem_;
  }
  // Nodes that stand for something missing.
  size_t errors() const { return errors_; }
  uint32_t height() const { return height_; }

 private:
  void fail(NodeId n, std::string_view what) {
    if (problem_.empty()) problem_ = fmt::format("node {}: {}: {}", n.index, what, to_text(sources_, tree_, n, true));
  }

  static bool is_part(NodeKind kind) {
    return kind == NodeKind::StringPart || kind == NodeKind::Interpolation || kind == NodeKind::TemplateIf ||
           kind == NodeKind::TemplateFor;
  }
  static bool is_expression(NodeKind kind) {
    switch (kind) {
      case NodeKind::Body:
      case NodeKind::Attribute:
      case NodeKind::Block:
      case NodeKind::Name:
      case NodeKind::StringPart:
      case NodeKind::Interpolation:
      case NodeKind::TemplateIf:
      case NodeKind::TemplateFor:
      case NodeKind::TemplateBody:
      case NodeKind::ObjectItem:
        return false;
      default:
        return true;
    }
  }

  NodeKind kind_of(NodeId n, uint32_t child) const { return tree_.kind(tree_.child(n, child)); }

  // The kinds of the children, one letter each: e an expression, n a name, t a template, b a body, i an item of an
  // object, p a part of a template, y the body of a directive, a an attribute or block.
  std::string shape(NodeId n) const {
    std::string result;
    for (uint32_t i = 0; i < tree_.child_count(n); ++i) {
      NodeKind kind = kind_of(n, i);
      if (kind == NodeKind::Name)
        result += 'n';
      else if (kind == NodeKind::Body)
        result += 'b';
      else if (kind == NodeKind::Attribute || kind == NodeKind::Block)
        result += 'a';
      else if (kind == NodeKind::ObjectItem)
        result += 'i';
      else if (kind == NodeKind::TemplateBody)
        result += 'y';
      else if (is_part(kind))
        result += 'p';
      else if (is_expression(kind))
        result += kind == NodeKind::Template ? 't' : 'e';
    }
    return result;
  }

  static bool only(const std::string& shape, std::string_view letters) {
    return shape.find_first_not_of(letters) == std::string::npos;
  }

  bool fits(NodeId n) const {
    std::string s = shape(n);
    std::string e = s;  // with templates as the expressions that they are
    for (char& c : e) c = c == 't' ? 'e' : c;
    std::string key = tree_.has(n, kHasKey) ? "n" : "";
    std::string condition = tree_.has(n, kHasCondition) ? "e" : "";
    switch (tree_.kind(n)) {
      case NodeKind::Body:
        return only(s, "a");
      case NodeKind::Attribute:
        return e == "ne";
      case NodeKind::Block:
        return s.size() >= 2 && s.front() == 'n' && s.back() == 'b' && only(s.substr(1, s.size() - 2), "nt");
      case NodeKind::Template:
      case NodeKind::TemplateBody:
        return only(s, "p");
      case NodeKind::Interpolation:
      case NodeKind::Unary:
      case NodeKind::Paren:
        return e == "e";
      case NodeKind::TemplateIf:
        return e == "ey" || e == "eyy";
      case NodeKind::TemplateFor:
        return e == key + "ney";
      case NodeKind::Tuple:
        return only(e, "e");
      case NodeKind::Object:
        return only(s, "i");
      case NodeKind::ObjectItem:
        return e == "ne" || e == "ee";
      case NodeKind::Call:
        return !s.empty() && s[0] == 'n' && only(e.substr(1), "e");
      case NodeKind::ForTuple:
        return e == key + "nee" + condition;
      case NodeKind::ForObject:
        return e == key + "neee" + condition;
      case NodeKind::GetAttr:
        return e == "en";
      case NodeKind::LegacyIndex:
      case NodeKind::Index:
      case NodeKind::Splat:
      case NodeKind::Binary:
        return e == "ee";
      case NodeKind::Conditional:
        return e == "eee";
      case NodeKind::Name:
      case NodeKind::Number:
      case NodeKind::Bool:
      case NodeKind::Null:
      case NodeKind::StringPart:
      case NodeKind::SplatItem:
      case NodeKind::Variable:
      case NodeKind::Error:
        return s.empty();
    }
    return false;
  }

  void visit(NodeId n, uint32_t depth) {
    height_ = std::max(height_, depth);
    SourceRange range = tree_.range(n);
    if (range.begin > range.end || range.end > sources_.text(tree_.file).size()) fail(n, "range");
    if (!fits(n)) fail(n, "children");
    NodeKind kind = tree_.kind(n);
    errors_ += kind == NodeKind::Error;
    if (kind == NodeKind::Template || kind == NodeKind::TemplateBody)
      static_cast<void>(template_parts(sources_, tree_, n));
    if (kind == NodeKind::Name || kind == NodeKind::Variable || kind == NodeKind::Template) {
      std::string text;
      static_cast<void>(literal_text(sources_, tree_, n, &text));
    }
    for (uint32_t i = 0; i < tree_.child_count(n); ++i) {
      NodeId child = tree_.child(n, i);
      if (child.index >= n.index) return fail(n, "a child that comes later");
      visit(child, depth + 1);
    }
  }

  const SourceManager& sources_;
  const SyntaxTree& tree_;
  std::string problem_;
  size_t errors_ = 0;
  uint32_t height_ = 0;
};

}  // namespace pravo::hcl
