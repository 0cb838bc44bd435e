// yamlencode: the block style of an old libyaml, byte for byte, since its output is recorded in states.
//
// The writer keeps what libyaml keeps: the column, whether the last thing written was white space, and whether the
// line so far is only indentation and indicators. A line break is written where the next thing does not fit there.
#include "ir/functions/call.h"
#include "ir/unicode.h"

namespace pravo::functions {

namespace {

constexpr int kIndent = 2;
constexpr int kWidth = 80;
constexpr size_t kMaxSimpleKey = 128;

bool is_break(int32_t c) { return c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029; }

bool is_printable(int32_t c) {
  return c == '\n' || (c >= 0x20 && c <= 0x7E) || (c >= 0xA0 && c <= 0xD7FF) ||
         (c >= 0xE000 && c <= 0xFFFD && c != 0xFEFF);
}

// Whether a string can be a literal block.
bool fits_block(std::string_view text) {
  bool after_space = false;
  for (size_t at = 0; at < text.size();) {
    CodePoint c = decode_utf8(text, at);
    at += c.length;
    if (!is_printable(c.value)) return false;
    if (is_break(c.value) && after_space) return false;
    after_space = c.value == ' ';
  }
  return !after_space;
}

bool has_break(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    CodePoint c = decode_utf8(text, at);
    if (is_break(c.value)) return true;
    at += c.length;
  }
  return false;
}

class YamlWriter {
 public:
  Result<Str> run(const Value& v) {
    write(v, -1, false);
    write_indent(0);
    if (open_ended_) out_ += "...\n";
    if (out_.size() > kMaxText) return too_large_text();
    return std::move(out_).finish();
  }

 private:
  // `indent` is that of the collection around the value; -1 at the root.
  void write(const Value& v, int indent, bool in_mapping) {
    if (out_.size() > kMaxText) return;
    switch (v.kind()) {
      case ValueKind::Null:
        return write_plain("null", indent);
      case ValueKind::Bool:
        return write_plain(v.as_bool() ? "true" : "false", indent);
      case ValueKind::Number:
        return write_plain(v.as_number().to_string(), indent);
      case ValueKind::String:
        return write_text(v.as_string(), indent < 0 ? kIndent : indent + kIndent, false);
      case ValueKind::List:
      case ValueKind::Set:
      case ValueKind::Tuple:
        return write_sequence(v, indent, in_mapping);
      case ValueKind::Map:
      case ValueKind::Object:
        return write_mapping(v, indent);
      case ValueKind::Unknown:
        return;
    }
  }

  void write_sequence(const Value& v, int indent, bool in_mapping) {
    if (v.length() == 0) return write_empty("[]");
    // A sequence that is a mapping's value stands under its key.
    int inner = indent < 0 ? 0 : in_mapping && !indention_ ? indent : indent + kIndent;
    for (const Value& element : v.elements()) {
      write_indent(inner);
      write_indicator("-", true, true);
      write(element, inner, false);
    }
  }

  void write_mapping(const Value& v, int indent) {
    if (v.length() == 0) return write_empty("{}");
    int inner = indent < 0 ? 0 : indent + kIndent;
    for (size_t i = 0; i < v.length(); ++i) {
      std::string_view key = v.key(i);
      bool simple = key.size() <= kMaxSimpleKey && !has_break(key);
      write_indent(inner);
      if (!simple) write_indicator("?", true, true);
      write_text(key, inner + kIndent, simple);
      if (simple) {
        write_indicator(":", false, false);
      } else {
        write_indent(inner);
        write_indicator(":", true, true);
      }
      write(v.element(i), inner, true);
    }
  }

  void write_empty(std::string_view brackets) { write_indicator(brackets, true, false); }

  void write_plain(std::string_view text, int indent) {
    if (!whitespace_) put(' ');
    put_all(text);
    whitespace_ = indention_ = false;
    open_ended_ = indent < 0;
  }

  void write_text(std::string_view text, int indent, bool simple_key) {
    open_ended_ = false;
    if (text.find('\n') != std::string_view::npos && !simple_key && fits_block(text))
      write_block(text, indent);
    else
      write_quoted(text, indent, !simple_key);
  }

  void write_block(std::string_view text, int indent) {
    write_indicator("|", true, false);
    CodePoint first = decode_utf8(text, 0);
    if (first.value == ' ' || is_break(first.value)) put(static_cast<char>('0' + kIndent));
    if (std::string_view chomp = chomping(text); !chomp.empty()) put_all(chomp);
    put_break();
    indention_ = whitespace_ = true;
    bool breaks = true;
    for (size_t at = 0; at < text.size();) {
      CodePoint c = decode_utf8(text, at);
      std::string_view raw = text.substr(at, c.length);
      at += c.length;
      if (is_break(c.value)) {
        if (c.value == '\n') {
          put_break();
        } else {
          out_ += raw;
          column_ = 0;
        }
        indention_ = breaks = true;
      } else {
        if (breaks) write_indent(indent);
        put_point(raw);
        indention_ = breaks = false;
      }
    }
  }

  // What becomes of line breaks at the end: `-` there are none, `+` there are several.
  static std::string_view chomping(std::string_view text) {
    size_t last = text.size() - 1;
    while (last > 0 && (static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) --last;
    if (!is_break(decode_utf8(text, last).value)) return "-";
    if (last == 0) return "+";
    size_t before = last - 1;
    while (before > 0 && (static_cast<unsigned char>(text[before]) & 0xC0) == 0x80) --before;
    return is_break(decode_utf8(text, before).value) ? "+" : "";
  }

  void write_quoted(std::string_view text, int indent, bool fold) {
    write_indicator("\"", true, false);
    bool spaces = false;
    for (size_t at = 0; at < text.size();) {
      CodePoint c = decode_utf8(text, at);
      std::string_view raw = text.substr(at, c.length);
      if (!is_printable(c.value) || is_break(c.value) || c.value == '"' || c.value == '\\') {
        write_escape(c.value);
        spaces = false;
      } else if (c.value == ' ') {
        bool inside = at > 0 && at + 1 < text.size();
        if (fold && !spaces && column_ > kWidth && inside) {
          write_indent(indent);
          if (text[at + 1] == ' ') put('\\');
        } else {
          put(' ');
        }
        spaces = true;
      } else {
        put_point(raw);
        spaces = false;
      }
      at += c.length;
    }
    write_indicator("\"", false, false);
    whitespace_ = indention_ = false;
  }

  void write_escape(int32_t c) {
    static constexpr char kHex[] = "0123456789ABCDEF";
    static constexpr std::pair<int32_t, char> kShort[] = {
        {0, '0'},  {7, 'a'},   {8, 'b'},     {9, 't'},    {10, 'n'},   {11, 'v'},     {12, 'f'},    {13, 'r'},
        {27, 'e'}, {'"', '"'}, {'\\', '\\'}, {0x85, 'N'}, {0xA0, '_'}, {0x2028, 'L'}, {0x2029, 'P'}};
    put('\\');
    for (auto [value, letter] : kShort)
      if (value == c) return put(letter);
    auto value = static_cast<uint32_t>(c);
    int digits = value <= 0xFF ? 2 : value <= 0xFFFF ? 4 : 8;
    put(digits == 2 ? 'x' : digits == 4 ? 'u' : 'U');
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) put(kHex[value >> shift & 15]);
  }

  // A new line at `indent`, unless the current one is just there.
  void write_indent(int indent) {
    if (!indention_ || column_ > indent || (column_ == indent && !whitespace_)) put_break();
    while (column_ < indent) put(' ');
    whitespace_ = indention_ = true;
  }

  // `:` and quotes end what may be indentation; `-` and `?` are part of it.
  void write_indicator(std::string_view text, bool space_before, bool is_indention) {
    if (space_before && !whitespace_) put(' ');
    put_all(text);
    whitespace_ = false;
    indention_ = indention_ && is_indention;
    open_ended_ = false;
  }

  void put(char c) {
    out_ += c;
    ++column_;
  }
  void put_point(std::string_view raw) {
    out_ += raw;
    ++column_;
  }
  void put_all(std::string_view ascii) {
    out_ += ascii;
    column_ += static_cast<int>(ascii.size());
  }
  void put_break() {
    out_ += '\n';
    column_ = 0;
  }

  StrBuilder out_;
  int column_ = 0;
  bool whitespace_ = true;
  bool indention_ = true;
  bool open_ended_ = false;
};

}  // namespace

Result<Value> run_Yamlencode(const Call& call, const Type& result) {
  if (!call[0].is_wholly_known()) return Value::unknown(result);
  PRAVO_TRY(text, YamlWriter().run(call[0]));
  return Value::string(normalized(std::move(text)));
}

}  // namespace pravo::functions
