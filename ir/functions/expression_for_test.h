// A small evaluator of expressions for the tests of values, operators and functions: enough of the language to run the
// rows of a table of expressions and results. It has no places and no checks of names; the real one is the frontend
// with the interpreter, which ir does not see.
#pragma once

#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "ir/functions.h"
#include "ir/operators.h"
#include "ir/unicode.h"

namespace pravo::testing {

struct Scope {
  std::map<std::string, Value, std::less<>> names;
};

// Raised out of the parser: the text is no expression.
struct SyntaxFault {};

class ExpressionParser;
Result<Value> render_for_test(std::string_view text, const Scope& scope, EvalHost& host);

// Files below a directory; a clock and dice that always give the same.
class DirectoryHost : public EvalHost {
 public:
  explicit DirectoryHost(std::filesystem::path root) : root_(std::move(root)) {}

  Result<bool> read_file(std::string_view path, TakePart take) override {
    std::filesystem::path full = root_ / path;
    if (std::filesystem::is_directory(full)) return fail(EvalErrorKind::Host, "it is a directory");
    std::ifstream in(full, std::ios::binary);
    if (!in) return fail(EvalErrorKind::Host, "no such file");
    take(std::string(std::istreambuf_iterator<char>(in), {}));
    return true;
  }
  Result<FileKind> file_kind(std::string_view path) override {
    std::filesystem::path full = root_ / path;
    if (std::filesystem::is_regular_file(full)) return FileKind::Regular;
    if (std::filesystem::is_directory(full)) return FileKind::Directory;
    return std::filesystem::exists(full) ? FileKind::Other : FileKind::None;
  }
  Result<std::vector<std::string>> list_files(std::string_view directory, int depth) override {
    std::vector<std::string> names;
    std::filesystem::path base = root_ / directory;
    std::error_code error;
    for (auto it = std::filesystem::recursive_directory_iterator(base, error);
         !error && it != std::filesystem::recursive_directory_iterator(); it.increment(error)) {
      if (depth >= 0 && it.depth() >= depth) it.disable_recursion_pending();
      if (it->is_regular_file()) names.push_back(std::filesystem::relative(it->path(), base).generic_string());
    }
    return names;
  }
  Result<std::string> working_directory() override { return root_.string(); }
  Result<std::string> home_directory() override { return std::string("/home/someone"); }
  Result<Moment> now() override { return Moment{1'700'000'000, 5}; }
  Result<Moment> plan_timestamp() override { return Moment{1'600'000'000, 0}; }
  Result<bool> random(std::span<uint8_t> bytes) override {
    uint8_t next = 0;
    for (uint8_t& b : bytes) b = next++;
    return true;
  }
  Result<Value> render_template(std::string_view text, std::string_view, const Value& variables) override {
    if (++rendering_ > 50) return fail(EvalErrorKind::Limit, "the templates nest too deep");
    Scope scope;
    for (size_t i = 0; i < variables.length(); ++i) scope.names.emplace(variables.key(i).view(), variables.element(i));
    Result<Value> rendered = render_for_test(text, scope, *this);
    --rendering_;
    return rendered;
  }
  bool defer_impure() const override { return false; }

 private:
  std::filesystem::path root_;
  int rendering_ = 0;
};

using Eval = std::function<Result<Value>(const Scope&)>;

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, EvalHost& host) : text_(text), host_(host) {}

  Eval parse_all() {
    Eval e = expression();
    space();
    if (at_ != text_.size()) throw SyntaxFault{};
    return e;
  }

  // A template without quotes around it.
  Eval parse_template() {
    Eval e = template_parts(false);
    if (at_ != text_.size()) throw SyntaxFault{};
    return e;
  }

 private:
  // --- text
  void space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool look(std::string_view token) {
    space();
    return text_.substr(at_).starts_with(token);
  }
  bool take(std::string_view token) {
    if (!look(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) throw SyntaxFault{};
  }
  std::string identifier() {
    space();
    size_t start = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_' ||
            (text_[at_] == '-' && at_ > start) || (static_cast<unsigned char>(text_[at_]) >= 0x80)))
      ++at_;
    if (start == at_ || std::isdigit(static_cast<unsigned char>(text_[start])) != 0) throw SyntaxFault{};
    return std::string(text_.substr(start, at_ - start));
  }
  bool take_word(std::string_view word) {
    space();
    size_t end = at_ + word.size();
    if (!text_.substr(at_).starts_with(word)) return false;
    if (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '_'))
      return false;
    at_ = end;
    return true;
  }

  // --- operators
  Eval expression() {
    Eval condition = operation(0);
    if (!take("?")) return condition;
    Eval when_true = expression();
    expect(":");
    Eval when_false = expression();
    return [=](const Scope& s) -> Result<Value> {
      PRAVO_TRY(c, condition(s));
      PRAVO_TRY(choice, choose(c));
      Result<Value> a = when_true(s);
      Result<Value> b = when_false(s);
      if (!a && choice.arm == Choice::Arm::True) return a;
      if (!b && choice.arm == Choice::Arm::False) return b;
      return conditional(choice, a ? *a : Value::unknown(), b ? *b : Value::unknown());
    };
  }

  std::optional<BinaryOp> binary_operator(int level) {
    struct Row {
      std::string_view text;
      BinaryOp op;
      int level;
    };
    static constexpr Row kRows[] = {
        {"||", BinaryOp::Or, 0},       {"&&", BinaryOp::And, 1},       {"==", BinaryOp::Equal, 2},
        {"!=", BinaryOp::NotEqual, 2}, {"<=", BinaryOp::LessEqual, 3}, {">=", BinaryOp::GreaterEqual, 3},
        {"<", BinaryOp::Less, 3},      {">", BinaryOp::Greater, 3},    {"+", BinaryOp::Add, 4},
        {"-", BinaryOp::Subtract, 4},  {"*", BinaryOp::Multiply, 5},   {"/", BinaryOp::Divide, 5},
        {"%", BinaryOp::Modulo, 5}};
    for (const Row& row : kRows) {
      if (row.level != level || !look(row.text)) continue;
      if (row.text == "%" && look("%{")) continue;
      at_ += row.text.size();
      return row.op;
    }
    return std::nullopt;
  }

  Eval operation(int level) {
    if (level == 6) return unary_operation();
    Eval left = operation(level + 1);
    while (std::optional<BinaryOp> op = binary_operator(level)) {
      Eval right = operation(level + 1);
      left = [left, right, op = *op](const Scope& s) -> Result<Value> {
        PRAVO_TRY(a, left(s));
        PRAVO_TRY(b, right(s));
        return binary(op, a, b);
      };
    }
    return left;
  }

  Eval unary_operation() {
    bool negate = look("-");
    if (negate || (look("!") && !look("!="))) {
      ++at_;
      Eval inner = unary_operation();
      UnaryOp op = negate ? UnaryOp::Negate : UnaryOp::Not;
      return [=](const Scope& s) -> Result<Value> {
        PRAVO_TRY(v, inner(s));
        return unary(op, v);
      };
    }
    return postfix(primary());
  }

  // --- traversal: one step at a time, what follows a splat into its body
  using Step = std::function<Result<Value>(const Value&, const Scope&)>;

  std::optional<Step> step(bool attributes_only) {
    space();
    if (look("...")) return std::nullopt;
    if (look(".") && at_ + 1 < text_.size() && text_[at_ + 1] != '*') {
      ++at_;
      space();
      if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
        int64_t number = 0;
        while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0)
          number = number * 10 + (text_[at_++] - '0');
        return [=](const Value& v, const Scope&) { return index(v, Value::number(number)); };
      }
      std::string name = identifier();
      return [=](const Value& v, const Scope&) { return attribute(v, normalize_nfc(name)); };
    }
    if (attributes_only || !look("[") || look("[*]")) return std::nullopt;
    expect("[");
    Eval key = expression();
    expect("]");
    return [=](const Value& v, const Scope& s) -> Result<Value> {
      PRAVO_TRY(k, key(s));
      return index(v, k);
    };
  }

  // What follows a full splat, another splat included, belongs to its body.
  Step steps() {
    std::vector<Step> all;
    while (true) {
      if (std::optional<Step> splat = splat_step())
        all.push_back(*splat);
      else if (std::optional<Step> one = step(false))
        all.push_back(*one);
      else
        break;
    }
    return [=](const Value& start, const Scope& s) -> Result<Value> {
      Value v = start;
      for (const Step& one : all) {
        PRAVO_TRY(next, one(v, s));
        v = std::move(next);
      }
      return v;
    };
  }

  std::optional<Step> splat_step() {
    bool full = look("[*]");
    bool attributes = !full && look(".*");
    if (!full && !attributes) return std::nullopt;
    at_ += full ? 3 : 2;
    Step body;
    if (full) {
      body = steps();
    } else {
      std::vector<Step> all;
      while (std::optional<Step> one = step(true)) all.push_back(*one);
      body = [=](const Value& start, const Scope& s) -> Result<Value> {
        Value v = start;
        for (const Step& one : all) {
          PRAVO_TRY(next, one(v, s));
          v = std::move(next);
        }
        return v;
      };
    }
    return [=](const Value& source, const Scope& s) -> Result<Value> {
      PRAVO_TRY(over, iterate_splat(source));
      std::vector<Value> results;
      for (size_t i = 0; i < over.size(); ++i) {
        PRAVO_TRY(result, body(over.value(i), s));
        results.push_back(std::move(result));
      }
      return splat_result(over, std::move(results));
    };
  }

  Eval postfix(Eval base) {
    Step all = steps();
    return [=](const Scope& s) -> Result<Value> {
      PRAVO_TRY(v, base(s));
      return all(v, s);
    };
  }

  // --- terms
  Eval primary() {
    space();
    if (at_ == text_.size()) throw SyntaxFault{};
    char c = text_[at_];
    if (c == '"') {
      ++at_;
      Eval e = template_parts(true);
      return e;
    }
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) return number();
    if (take("(")) {
      Eval e = expression();
      expect(")");
      return e;
    }
    if (take("[")) return tuple();
    if (take("{")) return object();
    if (take_word("true")) return [](const Scope&) -> Result<Value> { return Value::boolean(true); };
    if (take_word("false")) return [](const Scope&) -> Result<Value> { return Value::boolean(false); };
    if (take_word("null")) return [](const Scope&) -> Result<Value> { return Value::null(); };
    std::string name = identifier();
    while (take("::")) name += "::" + identifier();
    if (take("(")) return function_call(name);
    return [=](const Scope& s) -> Result<Value> {
      auto it = s.names.find(name);
      // As a name that nothing has, which no `try` catches.
      if (it == s.names.end()) return fail(EvalErrorKind::Refused, "no such name");
      return it->second;
    };
  }

  Eval number() {
    size_t start = at_;
    auto digits = [&] {
      while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    };
    digits();
    if (at_ + 1 < text_.size() && text_[at_] == '.' && std::isdigit(static_cast<unsigned char>(text_[at_ + 1])) != 0) {
      ++at_;
      digits();
    }
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      digits();
    }
    std::optional<Number> parsed = Number::parse(text_.substr(start, at_ - start));
    if (!parsed) throw SyntaxFault{};
    Value v = Value::number(*parsed);
    return [=](const Scope&) -> Result<Value> { return v; };
  }

  Eval tuple() {
    if (take_word("for")) return for_expression(false);
    std::vector<Eval> elements;
    while (!take("]")) {
      elements.push_back(expression());
      if (!take(",")) {
        expect("]");
        break;
      }
    }
    return [=](const Scope& s) -> Result<Value> {
      std::vector<Value> values;
      for (const Eval& e : elements) {
        PRAVO_TRY(v, e(s));
        values.push_back(std::move(v));
      }
      return make_tuple(std::move(values));
    };
  }

  Eval object() {
    if (take_word("for")) return for_expression(true);
    std::vector<std::pair<Eval, Eval>> items;
    while (!take("}")) {
      size_t start = (space(), at_);
      Eval key;
      bool bare = at_ < text_.size() && (std::isalpha(static_cast<unsigned char>(text_[at_])) != 0 ||
                                         text_[at_] == '_' || static_cast<unsigned char>(text_[at_]) >= 0x80);
      if (bare) {
        std::string name = identifier();
        if (look("=") || look(":"))
          key = [=](const Scope&) -> Result<Value> { return Value::string(name); };
        else
          at_ = start;
      }
      if (!key) key = expression();
      if (!take("=")) expect(":");
      items.emplace_back(key, expression());
      if (!take(",")) {
        expect("}");
        break;
      }
    }
    return [=](const Scope& s) -> Result<Value> {
      std::vector<std::pair<Value, Value>> entries;
      for (const auto& [key, value] : items) {
        PRAVO_TRY(k, key(s));
        PRAVO_TRY(v, value(s));
        entries.emplace_back(std::move(k), std::move(v));
      }
      return make_object(std::move(entries));
    };
  }

  Eval for_expression(bool object) {
    std::string first = identifier();
    std::string second;
    if (take(",")) second = identifier();
    if (!take_word("in")) throw SyntaxFault{};
    Eval collection = expression();
    expect(":");
    Eval key;
    if (object) {
      key = expression();
      expect("=>");
    }
    Eval value = expression();
    bool group = object && take("...");
    Eval condition;
    if (take_word("if")) condition = expression();
    expect(object ? "}" : "]");
    return [=](const Scope& s) -> Result<Value> {
      PRAVO_TRY(c, collection(s));
      PRAVO_TRY(over, iterate(c));
      ForList list(over);
      ForObject map(over, group);
      for (size_t i = 0; i < over.size(); ++i) {
        Scope inner = s;
        inner.names[second.empty() ? first : second] = over.value(i);
        if (!second.empty()) inner.names[first] = over.key(i);
        if (condition) {
          PRAVO_TRY(holds, condition(inner));
          PRAVO_TRY(accepted, object ? map.accept(holds) : list.accept(holds));
          if (!accepted) continue;
        }
        PRAVO_TRY(v, value(inner));
        if (object) {
          PRAVO_TRY(k, key(inner));
          PRAVO_TRY(added, map.add(k, std::move(v)));
          static_cast<void>(added);
        } else {
          PRAVO_TRY(added, list.add(std::move(v)));
          static_cast<void>(added);
        }
      }
      return object ? std::move(map).finish() : std::move(list).finish();
    };
  }

  Eval function_call(const std::string& name) {
    std::vector<Eval> arguments;
    bool expand = false;
    space();
    bool reference = at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_])) != 0;
    while (!take(")")) {
      arguments.push_back(expression());
      if (take("...")) {
        expand = true;
        expect(")");
        break;
      }
      if (!take(",")) {
        expect(")");
        break;
      }
    }
    std::optional<FunctionId> id = find_function(name);
    if (!id) return [](const Scope&) -> Result<Value> { return fail(EvalErrorKind::Call, "no such function"); };
    if (*id == FunctionId::Try)
      return [=](const Scope& s) { return evaluate_try(arguments.size(), [&](size_t i) { return arguments[i](s); }); };
    if (*id == FunctionId::Can)
      return [=](const Scope& s) -> Result<Value> {
        if (arguments.size() != 1) return fail(EvalErrorKind::Call, "one argument");
        return evaluate_can([&] { return arguments[0](s); });
      };
    EvalHost* host = &host_;
    return [=](const Scope& s) -> Result<Value> {
      // The language wants the template of templatestring to be a reference.
      if (*id == FunctionId::Templatestring && !reference) return fail(EvalErrorKind::Call, "no reference");
      std::vector<Value> values;
      for (const Eval& e : arguments) {
        PRAVO_TRY(v, e(s));
        values.push_back(std::move(v));
      }
      if (expand) {
        Value last = values.back();
        values.pop_back();
        if (last.is_unknown()) return Value::unknown().with_marks(last.deep_marks());
        if (last.kind() != ValueKind::List && last.kind() != ValueKind::Tuple && last.kind() != ValueKind::Set)
          return fail(EvalErrorKind::Type, "cannot expand");
        for (const Value& v : last.elements()) values.push_back(v.with_marks(last.marks()));
      }
      return call_function(*id, values, *host);
    };
  }

  // --- templates
  struct Part {
    std::string literal;
    Eval eval;
  };

  // Up to the closing quote, or to the end of the text; inside a directive, up to the next `%{ else` or `%{ end`.
  Eval template_parts(bool quoted) {
    std::vector<Part> parts = parts_until(quoted, false);
    if (quoted) {
      if (at_ == text_.size()) throw SyntaxFault{};
      ++at_;
    }
    return join(std::move(parts), true);
  }

  static Eval join(std::vector<Part> parts, bool unwrap) {
    if (unwrap && parts.size() == 1 && parts[0].eval) return parts[0].eval;
    return [=](const Scope& s) -> Result<Value> {
      // An empty literal keeps a single part from being passed through.
      std::vector<Value> values = {Value::string(""), Value::string("")};
      for (const Part& part : parts) {
        if (!part.eval) {
          values.push_back(Value::string(part.literal));
          continue;
        }
        PRAVO_TRY(v, part.eval(s));
        values.push_back(std::move(v));
      }
      return join_template(values);
    };
  }

  std::vector<Part> parts_until(bool quoted, bool directive) {
    std::vector<Part> parts;
    std::string literal;
    bool strip = false;
    auto flush = [&](bool strip_end) {
      if (strip) literal.erase(0, std::min(literal.find_first_not_of(" \t\n\r"), literal.size()));
      if (strip_end) {
        size_t last = literal.find_last_not_of(" \t\n\r");
        literal.erase(last == std::string::npos ? 0 : last + 1);
      }
      if (!literal.empty()) parts.push_back({literal, nullptr});
      literal.clear();
      strip = false;
    };
    while (at_ < text_.size() && !(quoted && text_[at_] == '"')) {
      std::string_view rest = text_.substr(at_);
      if (rest.starts_with("$${") || rest.starts_with("%%{")) {
        literal += rest.substr(1, 2);
        at_ += 3;
      } else if (rest.starts_with("${")) {
        at_ += 2;
        flush(at_ < text_.size() && text_[at_] == '~');
        take("~");
        parts.push_back({"", expression()});
        strip = take("~");
        expect("}");
        if (quoted) continue;
      } else if (rest.starts_with("%{")) {
        size_t start = at_;
        at_ += 2;
        bool strip_before = at_ < text_.size() && text_[at_] == '~';
        take("~");
        if (look("else") || look("end")) {
          if (!directive) throw SyntaxFault{};
          flush(strip_before);
          at_ = start;
          return parts;
        }
        flush(strip_before);
        parts.push_back({"", take_word("if") ? if_directive(quoted, strip) : for_directive(quoted, strip)});
      } else if (quoted && rest.starts_with("\\")) {
        escape(literal);
      } else {
        literal += rest[0];
        ++at_;
      }
    }
    flush(false);
    return parts;
  }

  // Reads `%{ word }`, with whether it strips what follows.
  bool end_directive(std::string_view word, bool& strip) {
    size_t start = at_;
    if (text_.substr(at_).starts_with("%{")) {
      at_ += 2;
      take("~");
      if (take_word(word)) {
        strip = take("~");
        expect("}");
        return true;
      }
    }
    at_ = start;
    return false;
  }

  std::vector<Part> directive_body(bool quoted, bool strip) {
    if (strip)
      while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return parts_until(quoted, true);
  }

  Eval if_directive(bool quoted, bool& strip_after) {
    Eval condition = expression();
    bool strip = take("~");
    expect("}");
    Eval when_true = join(directive_body(quoted, strip), false);
    Eval when_false = [](const Scope&) -> Result<Value> { return Value::string(""); };
    if (end_directive("else", strip)) when_false = join(directive_body(quoted, strip), false);
    if (!end_directive("endif", strip_after)) throw SyntaxFault{};
    return [=](const Scope& s) -> Result<Value> {
      PRAVO_TRY(c, condition(s));
      PRAVO_TRY(choice, choose(c));
      PRAVO_TRY(a, when_true(s));
      PRAVO_TRY(b, when_false(s));
      return conditional(choice, a, b);
    };
  }

  Eval for_directive(bool quoted, bool& strip_after) {
    if (!take_word("for")) throw SyntaxFault{};
    std::string first = identifier();
    std::string second;
    if (take(",")) second = identifier();
    if (!take_word("in")) throw SyntaxFault{};
    Eval collection = expression();
    bool strip = take("~");
    expect("}");
    Eval body = join(directive_body(quoted, strip), false);
    if (!end_directive("endfor", strip_after)) throw SyntaxFault{};
    return [=](const Scope& s) -> Result<Value> {
      PRAVO_TRY(c, collection(s));
      PRAVO_TRY(over, iterate(c));
      ForList list(over);
      for (size_t i = 0; i < over.size(); ++i) {
        Scope inner = s;
        inner.names[second.empty() ? first : second] = over.value(i);
        if (!second.empty()) inner.names[first] = over.key(i);
        PRAVO_TRY(v, body(inner));
        PRAVO_TRY(added, list.add(std::move(v)));
        static_cast<void>(added);
      }
      PRAVO_TRY(all, std::move(list).finish());
      return join_strings(all);
    };
  }

  void escape(std::string& out) {
    char c = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    at_ += 2;
    switch (c) {
      case 'n':
        out += '\n';
        return;
      case 'r':
        out += '\r';
        return;
      case 't':
        out += '\t';
        return;
      case '"':
      case '\\':
        out += c;
        return;
      case 'u':
      case 'U': {
        size_t digits = c == 'u' ? 4 : 8;
        if (at_ + digits > text_.size()) throw SyntaxFault{};
        uint32_t point = static_cast<uint32_t>(std::stoul(std::string(text_.substr(at_, digits)), nullptr, 16));
        at_ += digits;
        StrBuilder utf8;
        append_utf8(utf8, point);
        out += utf8.view();
        return;
      }
      default:
        throw SyntaxFault{};
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  EvalHost& host_;
};

inline Result<Value> render_for_test(std::string_view text, const Scope& scope, EvalHost& host) {
  try {
    return ExpressionParser(text, host).parse_template()(scope);
  } catch (const SyntaxFault&) {
    return fail(EvalErrorKind::Value, "no template");
  }
}

// The value of an expression; a text that is none is an error as well.
inline Result<Value> evaluate_for_test(std::string_view text, const Scope& scope, EvalHost& host) {
  try {
    return ExpressionParser(text, host).parse_all()(scope);
  } catch (const SyntaxFault&) {
    return fail(EvalErrorKind::Call, "no expression");
  }
}

}  // namespace pravo::testing
