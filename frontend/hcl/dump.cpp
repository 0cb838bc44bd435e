#include "frontend/hcl/dump.h"

#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "ir/check.h"

namespace pravo::hcl {

namespace {

std::string_view kind_name(NodeKind kind) {
  switch (kind) {
    case NodeKind::Body:
      return "Body";
    case NodeKind::Attribute:
      return "Attribute";
    case NodeKind::Block:
      return "Block";
    case NodeKind::Name:
      return "Name";
    case NodeKind::Number:
      return "Number";
    case NodeKind::Bool:
      return "Bool";
    case NodeKind::Null:
      return "Null";
    case NodeKind::Template:
      return "Template";
    case NodeKind::StringPart:
      return "StringPart";
    case NodeKind::Interpolation:
      return "Interpolation";
    case NodeKind::TemplateIf:
      return "TemplateIf";
    case NodeKind::TemplateFor:
      return "TemplateFor";
    case NodeKind::TemplateBody:
      return "TemplateBody";
    case NodeKind::Tuple:
      return "Tuple";
    case NodeKind::Object:
      return "Object";
    case NodeKind::ObjectItem:
      return "ObjectItem";
    case NodeKind::Call:
      return "Call";
    case NodeKind::ForTuple:
      return "ForTuple";
    case NodeKind::ForObject:
      return "ForObject";
    case NodeKind::GetAttr:
      return "GetAttr";
    case NodeKind::LegacyIndex:
      return "LegacyIndex";
    case NodeKind::Index:
      return "Index";
    case NodeKind::Splat:
      return "Splat";
    case NodeKind::SplatItem:
      return "SplatItem";
    case NodeKind::Unary:
      return "Unary";
    case NodeKind::Binary:
      return "Binary";
    case NodeKind::Conditional:
      return "Conditional";
    case NodeKind::Paren:
      return "Paren";
    case NodeKind::Variable:
      return "Variable";
    case NodeKind::Error:
      return "Error";
  }
  PRAVOC_UNREACHABLE();
}

constexpr std::string_view kTemplateForms[] = {"Quoted", "Heredoc", "HeredocFlush", "Json"};
constexpr std::string_view kSplatForms[] = {"Attribute", "Full"};
constexpr std::string_view kUnaryOps[] = {"Negate", "Not"};
constexpr std::string_view kBinaryOps[] = {"Or",       "And",       "Equal",        "NotEqual", "Less",
                                           "Greater",  "LessEqual", "GreaterEqual", "Add",      "Subtract",
                                           "Multiply", "Divide",    "Modulo"};

std::string_view op_name(NodeKind kind, uint8_t op) {
  switch (kind) {
    case NodeKind::Template:
      return kTemplateForms[op];
    case NodeKind::Splat:
      return kSplatForms[op];
    case NodeKind::Unary:
      return kUnaryOps[op];
    case NodeKind::Binary:
      return kBinaryOps[op];
    case NodeKind::Bool:
      return op != 0 ? "true" : "false";
    default:
      return {};
  }
}

struct FlagName {
  NodeFlags flag;
  std::string_view name;
};
constexpr FlagName kFlagNames[] = {
    {kStripLeft, "strip-left"},
    {kStripRight, "strip-right"},
    {kElseStripLeft, "else-strip-left"},
    {kElseStripRight, "else-strip-right"},
    {kEndStripLeft, "end-strip-left"},
    {kEndStripRight, "end-strip-right"},
    {kHasKey, "key"},
    {kHasCondition, "condition"},
    {kGroup, "group"},
    {kExpand, "expand"},
    {kJson, "json"},
};

bool shows_text(NodeKind kind) {
  return kind == NodeKind::Name || kind == NodeKind::Number || kind == NodeKind::StringPart ||
         kind == NodeKind::Variable;
}

class Dumper {
 public:
  Dumper(const SourceManager& sources, const SyntaxTree& tree, bool ranges)
      : sources_(sources), tree_(tree), ranges_(ranges) {}

  void node(NodeId n) {
    NodeKind kind = tree_.kind(n);
    out_ += '(';
    out_ += kind_name(kind);
    if (std::string_view op = op_name(kind, tree_.op(n)); !op.empty()) {
      out_ += '.';
      out_ += op;
    }
    for (const FlagName& row : kFlagNames) {
      if (!tree_.has(n, row.flag)) continue;
      out_ += ' ';
      out_ += row.name;
    }
    SourceRange range = tree_.range(n);
    if (ranges_) fmt::format_to(std::back_inserter(out_), " {}-{}", range.begin, range.end);
    if (shows_text(kind)) quote(sources_.text(range));
    for (uint32_t i = 0; i < tree_.child_count(n); ++i) {
      out_ += ' ';
      node(tree_.child(n, i));
    }
    out_ += ')';
  }

  std::string take() { return std::move(out_); }

 private:
  void quote(std::string_view text) {
    out_ += " \"";
    for (char c : text) {
      switch (c) {
        case '\n':
          out_ += "\\n";
          break;
        case '\r':
          out_ += "\\r";
          break;
        case '\t':
          out_ += "\\t";
          break;
        case '"':
        case '\\':
          out_ += '\\';
          [[fallthrough]];
        default:
          out_ += c;
          break;
      }
    }
    out_ += '"';
  }

  const SourceManager& sources_;
  const SyntaxTree& tree_;
  bool ranges_;
  std::string out_;
};

}  // namespace

std::string to_text(const SourceManager& sources, const SyntaxTree& tree, NodeId node, bool ranges) {
  if (!node.valid()) return "()";
  Dumper dumper(sources, tree, ranges);
  dumper.node(node);
  return dumper.take();
}

std::string to_text(const SourceManager& sources, const SyntaxTree& tree) { return to_text(sources, tree, tree.root); }

}  // namespace pravo::hcl
