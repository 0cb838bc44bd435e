#include "frontend/hcl/template_text.h"

#include <algorithm>
#include <string>

#include "frontend/hcl/char_class.h"
#include "frontend/hcl/json_text.h"
#include "frontend/hcl/lexer.h"
#include "frontend/hcl/parse.h"
#include "ir/check.h"

namespace pravo::hcl {

namespace {

// A TemplateBody keeps the form of its template in the low two bits of op, and the indentation that its lines lose
// in the rest of op and the high bits of the flags, which no node uses.
constexpr uint32_t kNoIndentation = 0;
constexpr uint32_t kMaxIndentation = 2047;

uint32_t packed_body(uint32_t head, TemplateForm form, uint32_t indentation) {
  indentation = std::min(indentation, kMaxIndentation);
  return (head & 0x07FF00FF) | static_cast<uint32_t>(form) << 8 | (indentation & 63) << 10 | (indentation >> 6) << 27;
}
TemplateForm body_form(uint32_t head) { return static_cast<TemplateForm>(head >> 8 & 3); }
uint32_t body_indentation(uint32_t head) { return (head >> 10 & 63) | (head >> 27) << 6; }

// Nodes as the builder has them, before there is a SyntaxTree.
struct Nodes {
  const Words& words;
  NodeKind kind(uint32_t n) const { return NodeLayout::kind(words, n); }
  bool has(uint32_t n, NodeFlags flag) const { return (words[n] >> 16 & flag) != 0; }
  uint32_t count(uint32_t n) const { return NodeLayout::child_count(words, n); }
  uint32_t child(uint32_t n, uint32_t i) const { return NodeLayout::child(words, n, i); }
  std::string_view raw(std::string_view text, uint32_t n) const {
    return text.substr(words[n + NodeLayout::kBegin], words[n + NodeLayout::kEnd] - words[n + NodeLayout::kBegin]);
  }
  bool is_directive(uint32_t n) const { return kind(n) == NodeKind::TemplateIf || kind(n) == NodeKind::TemplateFor; }
  // Whether the sequence takes the white space to its left, to its right.
  bool strips_left(uint32_t n) const { return has(n, kStripLeft); }
  bool strips_right(uint32_t n) const { return has(n, is_directive(n) ? kEndStripRight : kStripRight); }
};

// The bytes of white space at the start, at the end.
size_t leading_space(std::string_view text) {
  const char* end = text.data() + text.size();
  const char* p = text.data();
  while (p < end) {
    DecodedChar c = decode_utf8(p, end);
    if (c.length == 0 || !is_unicode_space(c.point)) break;
    p += c.length;
  }
  return static_cast<size_t>(p - text.data());
}

size_t trailing_space(std::string_view text) {
  size_t end = text.size();
  while (end > 0) {
    size_t start = end - 1;
    while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
    DecodedChar c = decode_utf8(text.data() + start, text.data() + end);
    if (c.length != end - start || !is_unicode_space(c.point)) break;
    end = start;
  }
  return text.size() - end;
}

uint32_t count_characters(std::string_view text) {
  return static_cast<uint32_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

bool is_blank_line(std::string_view unit) { return unit.ends_with('\n') && leading_space(unit) == unit.size(); }

std::string unescape_quoted(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  std::string buffer;  // NUL-terminated, as escape_length() wants it
  for (size_t i = 0; i < raw.size();) {
    char c = raw[i];
    if (c == '\\' && i + 1 < raw.size()) {
      char selector = raw[i + 1];
      if (selector == 'u' || selector == 'U') {
        buffer.assign(raw.substr(i, 10));
        if (size_t length = escape_length(buffer.c_str())) {
          append_utf8(out, static_cast<char32_t>(std::stoul(buffer.substr(2, length - 2), nullptr, 16)));
          i += length;
          continue;
        }
      }
      switch (selector) {
        case 'n':
          out.push_back('\n');
          break;
        case 'r':
          out.push_back('\r');
          break;
        case 't':
          out.push_back('\t');
          break;
        case '"':
        case '\\':
          out.push_back(selector);
          break;
        default:
          out.append(raw.substr(i, 2));
          break;  // not valid, and reported
      }
      i += 2;
      continue;
    }
    out.push_back(c);
    // `$${` stands for `${`.
    bool escape = (c == '$' || c == '%') && i + 2 < raw.size() && raw[i + 1] == c && raw[i + 2] == '{';
    i += escape ? 2 : 1;
  }
  return out;
}

std::string unescape_plain(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  for (size_t i = 0; i < raw.size();) {
    char c = raw[i];
    out.push_back(c);
    bool escape = (c == '$' || c == '%') && i + 2 < raw.size() && raw[i + 1] == c && raw[i + 2] == '{';
    i += escape ? 2 : 1;
  }
  return out;
}

std::string unescape(std::string_view raw, TemplateForm form) {
  return form == TemplateForm::Quoted ? unescape_quoted(raw) : unescape_plain(raw);
}

// Calls `visit(unit)` for each unit of a literal, after strip markers. An empty unit is one, too.
template <class Visit>
void for_each_unit(std::string_view text, TemplateForm form, bool strip_left, bool strip_right, Visit visit) {
  size_t at = 0;
  do {
    size_t end = text.size();
    if (form != TemplateForm::Quoted) {
      size_t newline = text.find('\n', at);
      if (newline != std::string_view::npos) end = newline + 1;
    }
    std::string_view unit = text.substr(at, end - at);
    if (strip_left && at == 0) unit.remove_prefix(leading_space(unit));
    if (strip_right && end == text.size()) unit.remove_suffix(trailing_space(unit));
    visit(unit);
    at = end;
  } while (at < text.size());
}

// Walks all literals and sequences of a heredoc in order, those of nested bodies as well, and finds the
// indentation that all lines share.
class IndentationFinder {
 public:
  // With `json` the text has JSON escapes.
  IndentationFinder(std::string_view text, const Words& words, bool json) : text_(text), nodes_{words}, json_(json) {}

  uint32_t run(uint32_t node) {
    parts(node, false, false);
    return least_ == UINT32_MAX ? kNoIndentation : least_;
  }

 private:
  void parts(uint32_t node, bool first_stripped, bool last_stripped) {
    uint32_t count = nodes_.count(node);
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t part = nodes_.child(node, i);
      if (nodes_.kind(part) == NodeKind::StringPart) {
        bool left = i == 0 ? first_stripped : nodes_.strips_right(nodes_.child(node, i - 1));
        bool right = i + 1 == count ? last_stripped : nodes_.strips_left(nodes_.child(node, i + 1));
        std::string_view raw = nodes_.raw(text_, part);
        literal(json_ ? std::string_view(decode_json_text(raw)) : raw, left, right);
        continue;
      }
      sequence();
      if (!nodes_.is_directive(part)) continue;
      for (uint32_t j = 0; j < nodes_.count(part); ++j) {
        uint32_t body = nodes_.child(part, j);
        if (nodes_.kind(body) != NodeKind::TemplateBody) continue;
        parts(body, nodes_.has(body, kStripLeft), nodes_.has(body, kStripRight));
        sequence();
      }
    }
  }

  // Escapes are not looked at: none makes white space in a heredoc.
  void literal(std::string_view raw, bool left, bool right) {
    for_each_unit(raw, TemplateForm::HeredocFlush, left, right, [&](std::string_view unit) {
      if (line_start_ && !is_blank_line(unit))
        least_ = std::min(least_, count_characters(unit.substr(0, leading_space(unit))));
      line_start_ = unit.ends_with('\n');
    });
  }
  void sequence() {
    if (line_start_) least_ = 0;
    line_start_ = false;
  }

  std::string_view text_;
  Nodes nodes_;
  bool json_;
  bool line_start_ = true;
  uint32_t least_ = UINT32_MAX;
};

void write_bodies(Words& words, uint32_t node, TemplateForm form, uint32_t indentation) {
  Nodes nodes{words};
  for (uint32_t i = 0; i < nodes.count(node); ++i) {
    uint32_t part = nodes.child(node, i);
    if (!nodes.is_directive(part)) continue;
    for (uint32_t j = 0; j < nodes.count(part); ++j) {
      uint32_t body = nodes.child(part, j);
      if (nodes.kind(body) != NodeKind::TemplateBody) continue;
      words[body] = packed_body(words[body], form, indentation);
      write_bodies(words, body, form, indentation);
    }
  }
}

// Removes up to `columns` characters of white space.
std::string_view without_indentation(std::string_view unit, uint32_t columns) {
  std::string_view space = unit.substr(0, leading_space(unit));
  size_t at = 0;
  while (columns > 0 && at < space.size()) {
    at += decode_utf8(space.data() + at, space.data() + space.size()).length;
    --columns;
  }
  return unit.substr(at);
}

}  // namespace

void prepare_template_bodies(std::string_view text, Words& words, uint32_t node) {
  Nodes nodes{words};
  bool any = false;
  for (uint32_t i = 0; i < nodes.count(node) && !any; ++i) any = nodes.is_directive(nodes.child(node, i));
  if (!any) return;
  auto form = static_cast<TemplateForm>(words[node] >> 8 & 0xFF);
  uint32_t indentation =
      form == TemplateForm::HeredocFlush ? IndentationFinder(text, words, false).run(node) : kNoIndentation;
  write_bodies(words, node, form, indentation);
}

std::vector<TemplatePart> template_parts(const SourceManager& sources, const SyntaxTree& tree, NodeId node) {
  bool body = tree.kind(node) == NodeKind::TemplateBody;
  PRAVOC_CHECK(body || tree.kind(node) == NodeKind::Template);
  uint32_t head = tree.words[node.index];
  TemplateForm form = body ? body_form(head) : static_cast<TemplateForm>(tree.op(node));
  bool json = tree.has(node, kJson);
  Nodes nodes{tree.words};
  std::string_view source = sources.text(tree.file);

  uint32_t indentation = kNoIndentation;
  if (body)
    indentation = body_indentation(head);
  else if (form == TemplateForm::HeredocFlush)
    indentation = std::min(IndentationFinder(source, tree.words, json).run(node.index), kMaxIndentation);

  std::vector<TemplatePart> parts;
  bool line_start = !body;
  uint32_t count = tree.child_count(node);
  for (uint32_t i = 0; i < count; ++i) {
    NodeId part = tree.child(node, i);
    if (tree.kind(part) != NodeKind::StringPart) {
      parts.push_back({part, {}, tree.range(part)});
      line_start = false;
      continue;
    }
    bool left = i == 0 ? body && tree.has(node, kStripLeft) : nodes.strips_right(nodes.child(node.index, i - 1));
    bool right =
        i + 1 == count ? body && tree.has(node, kStripRight) : nodes.strips_left(nodes.child(node.index, i + 1));
    std::string_view raw = sources.text(tree.range(part));
    std::string decoded = unescape(json ? std::string_view(decode_json_text(raw)) : raw, form);
    std::string text;
    text.reserve(decoded.size());
    for_each_unit(decoded, form, left, right, [&](std::string_view unit) {
      bool indented = line_start && indentation > 0 && !is_blank_line(unit);
      text.append(indented ? without_indentation(unit, indentation) : unit);
      line_start = unit.ends_with('\n');
    });
    if (!text.empty()) parts.push_back({NodeId{}, std::move(text), tree.range(part)});
  }
  return parts;
}

bool literal_text(const SourceManager& sources, const SyntaxTree& tree, NodeId node, std::string* text) {
  std::string_view raw = sources.text(tree.range(node));
  switch (tree.kind(node)) {
    case NodeKind::Name:
    case NodeKind::Variable:
      *text = tree.has(node, kJson) ? decode_json_text(raw) : std::string(raw);
      // The parts of a namespaced name may stand apart.
      if (text->find(':') != std::string::npos)
        std::erase_if(*text, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
      return true;
    case NodeKind::Template: {
      text->clear();
      for (TemplatePart& part : template_parts(sources, tree, node)) {
        if (part.node.valid()) return false;
        text->append(part.text);
      }
      return true;
    }
    default:
      return false;
  }
}

}  // namespace pravo::hcl
