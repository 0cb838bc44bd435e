// Values as source text.
#include <fmt/format.h>

#include "runtime/address.h"
#include "runtime/builtin/terraform/provider.h"

namespace pravo::builtin {

namespace {

bool is_identifier(std::string_view text) {
  if (text.empty()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    bool inner = (c >= '0' && c <= '9') || c == '-';
    if (!letter && !(inner && i > 0)) return false;
  }
  return true;
}

// Lines without indentation; layout() adds it.
class Source {
 public:
  void attribute(std::string_view name, const Value& value) {
    lines_.push_back({std::string(name), {}});
    expression(value);
  }
  void expression(const Value& value) {
    if (lines_.empty()) lines_.emplace_back();
    switch (value.kind()) {
      case ValueKind::Null:
        text("null");
        return;
      case ValueKind::Unknown:
        break;
      case ValueKind::Bool:
        text(value.as_bool() ? "true" : "false");
        return;
      case ValueKind::Number:
        text(value.as_number().to_string());
        return;
      case ValueKind::String:
        runtime::append_quoted(lines_.back().text, value.as_string());
        return;
      case ValueKind::List:
      case ValueKind::Set:
      case ValueKind::Tuple:
        text("[");
        for (size_t i = 0; i < value.length(); ++i) {
          if (i > 0) text(", ");
          expression(value.element(i));
        }
        text("]");
        return;
      case ValueKind::Map:
      case ValueKind::Object:
        if (value.length() == 0) {
          text("{}");
          return;
        }
        text("{");
        for (size_t i = 0; i < value.length(); ++i) {
          std::string name;
          if (is_identifier(value.key(i).view()))
            name = value.key(i).view();
          else
            runtime::append_quoted(name, value.key(i).view());
          attribute(name, value.element(i));
        }
        lines_.emplace_back();
        text("}");
        return;
    }
    PRAVOC_UNREACHABLE();
  }

  // Indents by open brackets: a line that opens more than it closes indents what follows by one level, however many
  // it opens. The `=` of attributes that follow each other on lines of their own stand below each other.
  std::string layout() {
    std::vector<int> nets;
    for (const Line& line : lines_) nets.push_back(net_brackets(line.text));
    std::string out;
    std::vector<int> open;
    for (size_t i = 0; i < lines_.size(); ++i) {
      for (int closes = -nets[i]; closes > 0 && !open.empty();) {
        int top = open.back();
        open.pop_back();
        if (top > closes) open.push_back(top - closes);
        closes -= top;
      }
      if (i > 0) out += '\n';
      out.append(2 * open.size(), ' ');
      const Line& line = lines_[i];
      if (!line.name.empty()) {
        out += line.name;
        out.append(padding(nets, i), ' ');
        out += " = ";
      }
      out += line.text;
      if (nets[i] > 0) open.push_back(nets[i]);
    }
    return out;
  }

 private:
  struct Line {
    std::string name;
    std::string text;
  };

  void text(std::string_view more) { lines_.back().text += more; }

  static int net_brackets(std::string_view text) {
    int net = 0;
    bool quoted = false;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '"') quoted = !quoted;
      if (quoted && text[i] == '\\') ++i;
      if (quoted) continue;
      if (text[i] == '{' || text[i] == '[') ++net;
      if (text[i] == '}' || text[i] == ']') --net;
    }
    return net;
  }

  size_t padding(const std::vector<int>& nets, size_t line) const {
    auto aligned = [&](size_t i) { return !lines_[i].name.empty() && nets[i] == 0; };
    if (!aligned(line)) return 0;
    size_t widest = 0;
    size_t first = line;
    while (first > 0 && aligned(first - 1)) --first;
    for (size_t i = first; i < lines_.size() && aligned(i); ++i) widest = std::max(widest, lines_[i].name.size());
    return widest - lines_[line].name.size();
  }

  std::vector<Line> lines_;
};

}  // namespace

std::string encode_expression(const Value& value) {
  Source source;
  source.expression(value);
  return source.layout();
}

Result<std::string> encode_variables(const Value& value) {
  if (value.kind() != ValueKind::Object && value.kind() != ValueKind::Map)
    return fail(EvalErrorKind::Type, "an object is required, whose attributes are the variables", 0);
  Source source;
  for (size_t i = 0; i < value.length(); ++i) {
    if (!is_identifier(value.key(i).view()))
      return fail(EvalErrorKind::Value, "an attribute's name is no valid variable name", 0);
    source.attribute(value.key(i).view(), value.element(i));
  }
  if (value.length() == 0) return std::string();
  return source.layout() + "\n";
}

}  // namespace pravo::builtin
