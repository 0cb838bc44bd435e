#include "frontend/hcl/json_parser.h"

#include <cstring>

#include "frontend/hcl/char_class.h"
#include "frontend/hcl/json_text.h"
#include "frontend/hcl/offset_map.h"
#include "frontend/hcl/syntax_errors.h"
#include "frontend/hcl/text_parser.h"
#include "ir/diagnostics/syntax.h"

namespace pravo::hcl {

namespace {

// Where a value stands, as far as it matters for how strings are read: Terraform never evaluates the description of
// a variable or an output, so `${` means nothing there.
enum class Position : uint8_t { Root, Declarations, Declaration, Other, Literal };

Position position_below(Position position, std::string_view property) {
  switch (position) {
    case Position::Root:
      return property == "variable" || property == "output" ? Position::Declarations : Position::Other;
    case Position::Declarations:
      return Position::Declaration;
    case Position::Declaration:
      return property == "description" ? Position::Literal : Position::Other;
    case Position::Other:
    case Position::Literal:
      return position;
  }
  return position;
}

bool has_sequence(std::string_view text) {
  for (size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
    if (at > 0 && (text[at - 1] == '$' || text[at - 1] == '%')) return true;
  }
  return false;
}

class JsonParser {
 public:
  JsonParser(const SourceManager& sources, SyntaxTree& tree, JsonStrings strings, Diagnostics& diags)
      : sources_(sources),
        tree_(tree),
        strings_(strings),
        diags_(diags),
        errors_(sources, tree.file, diags, nullptr),
        text_(sources.text(tree.file)),
        p_(text_.data()),
        end_(p_ + text_.size()) {}

  NodeId run() {
    if (size_t bad = find_invalid_utf8(text_); bad != std::string_view::npos)
      errors_.emit(static_cast<uint32_t>(bad), static_cast<uint32_t>(bad) + 1, diag::InvalidUtf8);
    if (text_.starts_with("\xEF\xBB\xBF")) {
      errors_.emit(0, 3, diag::JsonByteOrderMark).fix(range(0, 3), "", "remove the byte order mark");
      p_ += 3;
    }
    space();
    NodeId root = value(Position::Root);
    if (p_ < end_) {
      space();
      if (p_ < end_) unexpected("the end of the file");
    }
    return root;
  }

 private:
  // --- reading

  uint32_t at() const { return static_cast<uint32_t>(p_ - text_.data()); }
  SourceRange range(uint32_t begin, uint32_t end) const { return {tree_.file, begin, end}; }

  void space() {
    for (;;) {
      while (*p_ == ' ' || *p_ == '\t' || *p_ == '\n' || *p_ == '\r') ++p_;
      bool hash = *p_ == '#';
      bool block = *p_ == '/' && p_[1] == '*';
      if (!hash && !block && !(*p_ == '/' && p_[1] == '/')) return;
      uint32_t begin = at();
      size_t close = block ? text_.find("*/", begin + 2) : text_.find('\n', begin);
      if (close == std::string_view::npos)
        p_ = end_;
      else
        p_ = text_.data() + close + (block ? 2 : 0);
      errors_.emit(begin, at(), diag::JsonComment);
    }
  }

  NodeId value(Position position) {
    switch (*p_) {
      case '{':
        return object(position);
      case '[':
        return array(position);
      case '"':
        return string(position != Position::Literal && strings_ == JsonStrings::Templates);
      default:
        break;
    }
    if (*p_ == '-' || *p_ == '+' || *p_ == '.' || char_class(*p_) == CharClass::Digit) return number();
    if (char_class(*p_) == CharClass::Letter) return word();
    uint32_t begin = at();
    unexpected("a value");
    skip();
    return error(begin, at());
  }

  NodeId object(Position position) {
    uint32_t begin = at();
    if (!enter()) return error(begin, at());
    ++p_;
    const size_t base = stack_.size();
    for (space(); !take('}'); space()) {
      if (p_ == end_) {
        unclosed('}', begin, "object");
        break;
      }
      if (*p_ == ']') {
        wrong_closer('}', begin, "object");
        if (arrays_ > 0) break;  // it is meant for one of them
        ++p_;
        continue;
      }
      property(position);
      separator('}', "`,` or `}` after a property");
    }
    --depth_;
    return finish(NodeKind::Object, begin, base);
  }

  void property(Position position) {
    uint32_t begin = at();
    if (*p_ != '"') {
      unexpected("the name of a property, in double quotes");
      return skip();
    }
    NodeId name = string(false);
    std::string text = name_text(name);
    space();
    NodeId element;
    if (take(':')) {
      space();
      // What is called `//` is a comment.
      element = value(text == "//" ? Position::Literal : position_below(position, text));
    } else {
      unexpected("`:` after the name of a property");
      skip();
      element = error(at(), at());
    }
    const NodeId children[] = {name, element};
    stack_.push_back(tree_.add(NodeKind::ObjectItem, 0, kJson, begin, at(), children));
  }

  NodeId array(Position position) {
    uint32_t begin = at();
    if (!enter()) return error(begin, at());
    ++p_;
    ++arrays_;
    const size_t base = stack_.size();
    for (space(); !take(']'); space()) {
      if (p_ == end_) {
        unclosed(']', begin, "array");
        break;
      }
      if (*p_ == '}') {
        wrong_closer(']', begin, "array");
        if (depth_ > arrays_) break;  // an object waits for it
        ++p_;
        continue;
      }
      stack_.push_back(value(position));
      separator(']', "`,` or `]` after an element");
    }
    --arrays_;
    --depth_;
    return finish(NodeKind::Tuple, begin, base);
  }

  // Behind an element. Leaves the parser at the next element, a closer or the end.
  void separator(char closer, std::string_view wanted) {
    space();
    if (*p_ == '}' || *p_ == ']' || p_ == end_) return;
    if (*p_ != ',') {
      unexpected(wanted);
      if (!starts_value()) skip();
      if (*p_ != ',') return;
    }
    uint32_t comma = at();
    ++p_;
    space();
    if (*p_ == closer)
      errors_.emit(comma, comma + 1, diag::JsonTrailingComma, std::string_view(&closer, 1))
          .fix(range(comma, comma + 1), "", "remove the comma");
  }

  NodeId string(bool as_template) {
    uint32_t begin = at();
    ++p_;
    bool escaped = false;
    for (;;) {
      while (static_cast<unsigned char>(*p_) >= 0x20 && *p_ != '"' && *p_ != '\\') ++p_;
      if (*p_ == '"') break;
      if (*p_ == '\\') {
        escaped = true;
        size_t length = escape();
        if (length == 0) {
          size_t shown = p_ + 1 < end_ ? 1 + std::max<size_t>(decode_utf8(p_ + 1, end_).length, 1) : 1;
          errors_
              .emit(at(), at() + static_cast<uint32_t>(shown), diag::InvalidEscape,
                    errors_.quoted(std::string_view(p_, shown), "this"))
              .help(
                  "JSON has `\\\"`, `\\\\`, `\\/`, `\\b`, `\\f`, `\\n`, `\\r`, `\\t` and `\\u` with four hexadecimal "
                  "digits");
          length = 1;
        }
        p_ += length;
        continue;
      }
      bool newline = *p_ == '\n' || (*p_ == '\r' && p_[1] == '\n');
      if (p_ == end_ || (newline && closes_before_newline())) {
        errors_.emit(begin, at(), diag::UnterminatedString).help("a newline inside of a string is written `\\n`");
        return leaf_string(begin, at(), at());
      }
      errors_.emit(at(), at() + 1, diag::JsonControlCharacter, static_cast<unsigned char>(*p_));
      ++p_;
    }
    uint32_t close = at();
    ++p_;
    std::string_view raw = text_.substr(begin + 1, close - begin - 1);
    if (as_template && (has_sequence(raw) || (escaped && has_sequence(decode_json_text(raw)))))
      return template_string(begin, close);
    return leaf_string(begin, close, at());
  }

  // At a newline within a string: whether the next line goes on as if the string had been closed before.
  bool closes_before_newline() const {
    const char* p = p_;
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') ++p;
    return p == end_ || *p == '"' || *p == '}' || *p == ']';
  }

  // The length of the escape sequence at the backslash, or 0.
  size_t escape() const {
    switch (p_[1]) {
      case '"':
      case '\\':
      case '/':
      case 'b':
      case 'f':
      case 'n':
      case 'r':
      case 't':
        return 2;
      case 'u':
        for (size_t i = 2; i < 6; ++i) {
          if (std::strchr("0123456789abcdefABCDEF", p_[i]) == nullptr || p_[i] == '\0') return 0;
        }
        return 6;
      default:
        return 0;
    }
  }

  NodeId leaf_string(uint32_t begin, uint32_t close, uint32_t end) {
    auto form = static_cast<uint8_t>(TemplateForm::Json);
    if (close == begin + 1) return tree_.add(NodeKind::Template, form, kJson, begin, end, {});
    NodeId part = tree_.add(NodeKind::StringPart, 0, kJson, begin + 1, close, {});
    return tree_.add(NodeKind::Template, form, kJson, begin, end, std::span(&part, 1));
  }

  NodeId template_string(uint32_t begin, uint32_t close) {
    NodeId node = parse_json_content(sources_, tree_, {tree_.file, begin + 1, close}, TextKind::Template, diags_).root;
    tree_.words[node.index + NodeLayout::kBegin] = begin;
    tree_.words[node.index + NodeLayout::kEnd] = close + 1;
    return node;
  }

  NodeId number() {
    uint32_t begin = at();
    auto digits = [&] {
      const char* start = p_;
      while (char_class(*p_) == CharClass::Digit) ++p_;
      return p_ > start;
    };
    if (*p_ == '-') ++p_;
    bool fine = *p_ == '0' ? (++p_, true) : digits();
    if (*p_ == '.') fine = (++p_, digits()) && fine;
    if (*p_ == 'e' || *p_ == 'E') {
      ++p_;
      if (*p_ == '+' || *p_ == '-') ++p_;
      fine = digits() && fine;
    }
    auto goes_on = [](char c) { return is_identifier_byte(c) || c == '.' || c == '+'; };
    if (!fine || goes_on(*p_)) {
      while (goes_on(*p_)) ++p_;
      errors_.emit(begin, at(), diag::JsonNumber, errors_.quoted(text_.substr(begin, at() - begin), "this"));
      return error(begin, at());
    }
    return tree_.add(NodeKind::Number, 0, kJson, begin, at(), {});
  }

  NodeId word() {
    uint32_t begin = at();
    while (is_identifier_byte(*p_)) ++p_;
    std::string_view text = text_.substr(begin, at() - begin);
    if (text == "true" || text == "false")
      return tree_.add(NodeKind::Bool, text == "true" ? 1 : 0, kJson, begin, at(), {});
    if (text == "null") return tree_.add(NodeKind::Null, 0, kJson, begin, at(), {});
    auto report = errors_.emit(begin, at(), diag::JsonWord, errors_.quoted(text, "this word"));
    std::string_view meant = closest_name(text, {"true", "false", "null", "True", "False", "None", "Null"});
    if (meant == "True") meant = "true";
    if (meant == "False") meant = "false";
    if (meant == "None" || meant == "Null") meant = "null";
    if (!meant.empty()) report.help(fmt::format("did you mean `{}`?", meant));
    return error(begin, at());
  }

  // --- faults

  bool enter() {
    if (++depth_ <= kMaxBracketDepth) return true;
    errors_.emit(at(), at() + 1, diag::NestingTooDeep, kMaxBracketDepth);
    skip_brackets();
    if (p_ == end_) unclosed_reported_ = true;
    --depth_;
    return false;
  }

  bool starts_value() const {
    return *p_ == '"' || *p_ == '{' || *p_ == '[' || *p_ == '-' || char_class(*p_) == CharClass::Digit ||
           char_class(*p_) == CharClass::Letter;
  }

  void unexpected(std::string_view wanted) {
    if (p_ == end_) {
      // The brackets that are open report the end themselves.
      if (depth_ == 0) errors_.emit(at(), at(), diag::UnexpectedToken, wanted, "the end of the file");
      return;
    }
    size_t length = std::max<size_t>(decode_utf8(p_, end_).length, 1);
    if (is_identifier_byte(*p_)) {
      while (is_identifier_byte(p_[length])) ++length;
    }
    uint32_t begin = at();
    std::string found = errors_.quoted(std::string_view(p_, length), "something else");
    if (*p_ == '"') found = "a string";
    if (*p_ == '\0') found = "a NUL byte";
    errors_.emit(begin, begin + static_cast<uint32_t>(length), diag::UnexpectedToken, wanted, found);
    if (depth_ == 0) p_ = end_;  // one report is enough for what follows the value of the file
  }

  void wrong_closer(char closer, uint32_t opener, std::string_view what) {
    errors_.emit(at(), at() + 1, diag::UnclosedBracket, std::string_view(&closer, 1), what, errors_.place(opener))
        .note(range(opener, opener + 1), "opened here");
    unclosed_reported_ = true;
  }

  void unclosed(char closer, uint32_t opener, std::string_view what) {
    // The innermost bracket that is open at the end speaks for those around it.
    if (unclosed_reported_) return;
    unclosed_reported_ = true;
    errors_.emit(opener, opener + 1, diag::UnclosedBracket, std::string_view(&closer, 1), what, errors_.place(opener))
        .note(range(at(), at()), "the file ends here");
  }

  // To the next `,`, or the closer of what is being read.
  void skip() {
    while (p_ < end_ && *p_ != ',' && *p_ != '}' && *p_ != ']') {
      if (*p_ == '{' || *p_ == '[')
        skip_brackets();
      else
        skip_one();
    }
  }
  // Past the bracket at the current place and what belongs to it.
  void skip_brackets() {
    size_t open = 0;
    do {
      if (*p_ == '{' || *p_ == '[') ++open;
      if (*p_ == '}' || *p_ == ']') --open;
      skip_one();
    } while (p_ < end_ && open > 0);
  }
  void skip_one() {
    if (*p_ != '"') {
      ++p_;
      return;
    }
    ++p_;
    while (p_ < end_ && *p_ != '"' && *p_ != '\n') p_ += *p_ == '\\' && p_ + 1 < end_ ? 2 : 1;
    if (p_ < end_ && *p_ == '"') ++p_;
  }

  // --- nodes

  bool take(char c) {
    if (*p_ != c || p_ == end_) return false;
    ++p_;
    return true;
  }
  NodeId error(uint32_t begin, uint32_t end) { return tree_.add(NodeKind::Error, 0, kJson, begin, end, {}); }
  NodeId finish(NodeKind kind, uint32_t begin, size_t base) {
    NodeId node = tree_.add(kind, 0, kJson, begin, at(), std::span(stack_).subspan(base));
    stack_.resize(base);
    return node;
  }
  std::string name_text(NodeId name) const {
    return tree_.child_count(name) == 0 ? std::string()
                                        : decode_json_text(sources_.text(tree_.range(tree_.child(name, 0))));
  }

  const SourceManager& sources_;
  SyntaxTree& tree_;
  JsonStrings strings_;
  Diagnostics& diags_;
  SyntaxErrors errors_;
  std::string_view text_;
  const char* p_;
  const char* end_;
  std::vector<NodeId> stack_;  // elements of the arrays, items of the objects that are open
  uint32_t depth_ = 0;
  uint32_t arrays_ = 0;  // of `depth_`
  bool unclosed_reported_ = false;
};

}  // namespace

JsonContent parse_json_content(const SourceManager& sources, SyntaxTree& tree, SourceRange content, TextKind kind,
                               Diagnostics& diags) {
  std::string_view raw = sources.text(content);
  std::vector<uint32_t> offsets;
  bool escaped = raw.find('\\') != std::string_view::npos;
  const std::string text = escaped ? decode_json_text(raw, &offsets) : std::string(raw);
  const OffsetMap map = escaped ? OffsetMap(content.begin, std::move(offsets)) : OffsetMap(content.begin);

  SyntaxErrors errors(sources, tree.file, diags, &map);
  NodeId root = parse_text(text, kind, TemplateForm::Json, tree.words, errors);
  std::vector<uint32_t> below{root.index};
  while (!below.empty()) {
    uint32_t node = below.back();
    below.pop_back();
    tree.words[node] |= static_cast<uint32_t>(kJson) << 16;
    for (uint32_t end : {NodeLayout::kBegin, NodeLayout::kEnd})
      tree.words[node + end] = map.source(tree.words[node + end]);
    for (uint32_t i = 0; i < NodeLayout::child_count(tree.words, node); ++i)
      below.push_back(NodeLayout::child(tree.words, node, i));
  }
  return {root, errors.count() == 0};
}

NodeId parse_json_text(const SourceManager& sources, SyntaxTree& tree, JsonStrings strings, Diagnostics& diags) {
  return JsonParser(sources, tree, strings, diags).run();
}

}  // namespace pravo::hcl
