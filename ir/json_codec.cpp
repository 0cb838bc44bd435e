#include "ir/json_codec.h"

#include <algorithm>

#include <fmt/format.h>

#include "ir/check.h"
#include "ir/json_reader.h"
#include "ir/limits.h"
#include "ir/unicode.h"
#include "ir/value_node.h"

namespace pravo {

// In type_text.cpp.
Result<Type> read_json_type(JsonReader& reader, unsigned depth);

namespace {

template <class Out>
void append_literal(Out& out, std::string_view text, bool html) {
  static constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  size_t run = 0;  // start of what can be copied as it is
  auto flush = [&](size_t end) { out += text.substr(run, end - run); };
  for (size_t at = 0; at < text.size();) {
    auto c = static_cast<unsigned char>(text[at]);
    if (c < 0x80) {
      bool plain = c >= 0x20 && c != '"' && c != '\\' && !(html && (c == '<' || c == '>' || c == '&'));
      if (plain) {
        ++at;
        continue;
      }
      flush(at);
      run = ++at;
      switch (c) {
        case '"':
        case '\\':
          out += '\\';
          out += static_cast<char>(c);
          break;
        case '\b':
          out += "\\b";
          break;
        case '\f':
          out += "\\f";
          break;
        case '\n':
          out += "\\n";
          break;
        case '\r':
          out += "\\r";
          break;
        case '\t':
          out += "\\t";
          break;
        default:
          out += "\\u00";
          out += kHex[c >> 4];
          out += kHex[c & 15];
      }
      continue;
    }
    CodePoint point = decode_utf8(text, at);
    size_t next = at + point.length;
    if (point.length == 1) {
      flush(at);
      out += "\\ufffd";
      run = next;
    } else if (point.value == 0x2028 || point.value == 0x2029) {
      flush(at);
      out += point.value == 0x2028 ? "\\u2028" : "\\u2029";
      run = next;
    }
    at = next;
  }
  flush(text.size());
  out += '"';
}

// What both encodings have in common.
class Encoder {
 public:
  Result<Str> plain(const Value& v) {
    write_plain(v);
    if (infinite_) return fail(EvalErrorKind::Value, "JSON has no infinity");
    if (out_.size() > kMaxText) return too_large_text();
    return std::move(out_).finish();
  }

  std::string typed(const Value& v, const Type& type) {
    write_typed(v, type);
    return std::string(out_.view());
  }

 private:
  bool full() const { return infinite_ || out_.size() > kMaxText; }

  void write_scalar(const Value& v) {
    switch (v.kind()) {
      case ValueKind::Null:
        out_ += "null";
        return;
      case ValueKind::Bool:
        out_ += v.as_bool() ? "true" : "false";
        return;
      case ValueKind::Number: {
        Number number = v.as_number();
        infinite_ |= number.is_infinite();
        out_ += number.to_string();
        return;
      }
      case ValueKind::String:
        append_literal(out_, v.as_string(), true);
        return;
      default:
        PRAVOC_UNREACHABLE();
    }
  }

  void write_plain(const Value& v) {
    PRAVOC_CHECK(v.is_known());
    if (!v.is_compound()) return write_scalar(v);
    bool keyed = v.kind() == ValueKind::Map || v.kind() == ValueKind::Object;
    out_ += keyed ? '{' : '[';
    for (size_t i = 0; i < v.length() && !full(); ++i) {
      if (i > 0) out_ += ',';
      if (keyed) {
        append_literal(out_, v.key(i), true);
        out_ += ':';
      }
      write_plain(v.element(i));
    }
    out_ += keyed ? '}' : ']';
  }

  void write_typed(const Value& v, const Type& type) {
    PRAVOC_CHECK(v.is_known());
    if (v.is_null()) {
      out_ += "null";
      return;
    }
    if (type.is_dynamic()) {
      Type own = v.type();
      out_ += "{\"value\":";
      write_typed(v, own);
      out_ += ",\"type\":";
      out_ += own.to_json();
      out_ += '}';
      return;
    }
    if (!v.is_compound()) return write_scalar(v);
    bool keyed = v.kind() == ValueKind::Map || v.kind() == ValueKind::Object;
    PRAVOC_CHECK(type.is_collection() || type.elements().size() == v.length());
    out_ += keyed ? '{' : '[';
    for (size_t i = 0; i < v.length(); ++i) {
      if (i > 0) out_ += ',';
      if (keyed) {
        append_literal(out_, v.key(i), true);
        out_ += ':';
      }
      write_typed(v.element(i), type.is_collection() ? type.element() : type.elements()[i]);
    }
    out_ += keyed ? '}' : ']';
  }

  StrBuilder out_;
  bool infinite_ = false;
};

class Decoder {
  static constexpr uint64_t kEmptySize = 32;

 public:
  explicit Decoder(std::string_view text) : reader_(text) {}

  Result<Value> plain_document() {
    PRAVO_TRY(value, plain(0));
    if (reader_.peek() != JsonReader::Token::End) return malformed("text after the end of the value");
    return value;
  }

  Result<Value> typed_document(const Type& type) {
    PRAVO_TRY(value, typed(type));
    if (reader_.peek() != JsonReader::Token::End) return malformed("text after the end of the value");
    return value;
  }

 private:
  std::unique_ptr<EvalError> malformed(std::string_view message) {
    reader_.fail(std::string(message));
    return fail(EvalErrorKind::Value, reader_.error());
  }
  std::unique_ptr<EvalError> misfit(std::string message) {
    return fail(EvalErrorKind::Type, std::move(message), -1, path_to_string(path_));
  }

  Result<Value> number() {
    std::string_view digits;
    if (!reader_.read_number(digits)) return malformed("malformed number");
    std::optional<Number> parsed = Number::parse(digits);
    if (!parsed) return malformed("number out of range");
    return Value::number(std::move(*parsed));
  }

  Result<Value> string() {
    StrBuilder text;
    if (!reader_.read_string(text)) return malformed("malformed string");
    return Value::string(normalized(std::move(text).finish()));
  }

  Result<Value> plain(unsigned depth) {
    if (depth >= kMaxDepth) return too_deep();
    switch (reader_.peek()) {
      case JsonReader::Token::Null:
        if (!reader_.read_literal()) return malformed("");
        return Value::null();
      case JsonReader::Token::True:
        if (!reader_.read_literal()) return malformed("");
        return Value::boolean(true);
      case JsonReader::Token::False:
        if (!reader_.read_literal()) return malformed("");
        return Value::boolean(false);
      case JsonReader::Token::Number:
        return number();
      case JsonReader::Token::String:
        return string();
      case JsonReader::Token::Array: {
        std::vector<Value> elements;
        for (bool more = reader_.begin_array(); more; more = reader_.next_in_array()) {
          PRAVO_TRY(element, plain(depth + 1));
          // Short texts become much larger values: `[[],[],[]]`.
          if (!made_.add(1, element.is_compound() ? kEmptySize : size_of(element))) return too_large_value();
          elements.push_back(std::move(element));
        }
        if (reader_.failed()) return malformed("");
        return Value::tuple(std::move(elements));
      }
      case JsonReader::Token::Object: {
        std::vector<std::pair<Str, Value>> entries;
        StrBuilder key;
        for (bool more = reader_.begin_object(key); more; more = reader_.next_in_object(key)) {
          Str name = normalized(std::move(key).finish());
          PRAVO_TRY(value, plain(depth + 1));
          if (!made_.add(1, name.size() + (value.is_compound() ? kEmptySize : size_of(value))))
            return too_large_value();
          entries.emplace_back(std::move(name), std::move(value));
        }
        if (reader_.failed()) return malformed("");
        return object(std::move(entries), depth);
      }
      case JsonReader::Token::End:
        return malformed("unexpected end");
      case JsonReader::Token::Invalid:
        return malformed("");
    }
    PRAVOC_UNREACHABLE();
  }

  // Objects of one array mostly have the same keys, and then share them.
  Value object(std::vector<std::pair<Str, Value>> entries, unsigned depth) {
    auto less = [](const auto& a, const auto& b) { return a.first.view() < b.first.view(); };
    if (!std::is_sorted(entries.begin(), entries.end(), less)) std::stable_sort(entries.begin(), entries.end(), less);
    if (recent_.size() <= depth) recent_.resize(depth + 1);
    KeySet& recent = recent_[depth];
    bool same = recent.size() == entries.size();
    for (size_t i = 0; same && i < entries.size(); ++i) same = entries[i].first.view() == recent[i];
    if (!same) {
      Value made = Value::object(std::move(entries));
      recent = made.keys();
      return made;
    }
    std::vector<Value> values;
    values.reserve(entries.size());
    for (auto& entry : entries) values.push_back(std::move(entry.second));
    return Value::object(recent, std::move(values));
  }

  Result<Value> typed(const Type& type) {
    if (path_.size() >= kMaxDepth) return too_deep();
    JsonReader::Token token = reader_.peek();
    if (token == JsonReader::Token::End) return malformed("unexpected end");
    if (token == JsonReader::Token::Invalid) return malformed("");
    if (token == JsonReader::Token::Null) {
      if (!reader_.read_literal()) return malformed("");
      return Value::null(type);
    }
    switch (type.kind()) {
      case TypeKind::Dynamic:
        return typed_dynamic();
      case TypeKind::Bool:
      case TypeKind::Number:
      case TypeKind::String:
        return typed_primitive(type);
      case TypeKind::List:
      case TypeKind::Set:
      case TypeKind::Tuple:
        return typed_sequence(type);
      case TypeKind::Map:
      case TypeKind::Object:
        return typed_mapping(type);
    }
    PRAVOC_UNREACHABLE();
  }

  Result<Value> typed_primitive(const Type& type) {
    JsonReader::Token token = reader_.peek();
    bool structural = token == JsonReader::Token::Array || token == JsonReader::Token::Object;
    if (structural || (token == JsonReader::Token::Number && type.kind() == TypeKind::Bool))
      return misfit(fmt::format("a {} is required", type.friendly_name()));
    PRAVO_TRY(scalar, plain(0));
    Result<Value> converted = convert_scalar(scalar, type);
    if (!converted) return misfit(fmt::format("a {} is required", type.friendly_name()));
    return converted;
  }

  // Older states hold numbers and bools as strings, and the other way round.
  static Result<Value> convert_scalar(const Value& v, const Type& type);

  Result<Value> typed_dynamic() {
    if (reader_.peek() != JsonReader::Token::Object) return misfit("an object with `value` and `type` is required");
    // The type may come after the value.
    size_t value_at = SIZE_MAX;
    std::optional<Type> type;
    StrBuilder key;
    for (bool more = reader_.begin_object(key); more; more = reader_.next_in_object(key)) {
      Str name = normalized(std::move(key).finish());
      if (name.view() == "type") {
        PRAVO_TRY(read, read_json_type(reader_, 0));
        type = std::move(read);
        continue;
      }
      if (name.view() != "value") return misfit("an object with `value` and `type` only is required");
      reader_.peek();
      value_at = reader_.offset();
      if (!reader_.skip_value()) return malformed("");
    }
    if (reader_.failed()) return malformed("");
    if (value_at == SIZE_MAX || !type) return misfit("an object with `value` and `type` is required");
    size_t end = reader_.offset();
    reader_.seek(value_at);
    PRAVO_TRY(value, typed(*type));
    reader_.seek(end);
    return value;
  }

  Result<Value> typed_sequence(const Type& type) {
    if (reader_.peek() != JsonReader::Token::Array)
      return misfit(fmt::format("a {} is required", type.friendly_name()));
    std::vector<Value> elements;
    path_.emplace_back();
    for (bool more = reader_.begin_array(); more; more = reader_.next_in_array()) {
      path_.back() = PathStep::at(elements.size());
      bool tuple = type.kind() == TypeKind::Tuple;
      if (tuple && elements.size() == type.elements().size()) return misfit("this tuple has too many elements");
      PRAVO_TRY(element, typed(tuple ? type.elements()[elements.size()] : type.element()));
      elements.push_back(std::move(element));
    }
    path_.pop_back();
    if (reader_.failed()) return malformed("");
    if (type.kind() == TypeKind::Tuple) {
      if (elements.size() != type.elements().size()) return misfit("this tuple has too few elements");
      return Value::tuple(std::move(elements));
    }
    PRAVO_TRY(element_type, common_element(type.element(), elements));
    if (type.kind() == TypeKind::List) return Value::list(std::move(element_type), std::move(elements));
    return Value::set(std::move(element_type), std::move(elements));
  }

  Result<Value> typed_mapping(const Type& type) {
    if (reader_.peek() != JsonReader::Token::Object)
      return misfit(fmt::format("{} is required", type.kind() == TypeKind::Map ? "a map" : "an object"));
    std::vector<std::pair<Str, Value>> entries;
    StrBuilder key;
    path_.emplace_back();
    for (bool more = reader_.begin_object(key); more; more = reader_.next_in_object(key)) {
      Str name = normalized(std::move(key).finish());
      if (type.kind() == TypeKind::Map) {
        path_.back() = PathStep::key(name);
        PRAVO_TRY(value, typed(type.element()));
        entries.emplace_back(std::move(name), std::move(value));
        continue;
      }
      path_.back() = PathStep::attribute(name);
      size_t at = type.find(name);
      if (at == Type::npos) return misfit("this attribute is not part of the type");
      PRAVO_TRY(value, typed(type.elements()[at]));
      entries.emplace_back(std::move(name), std::move(value));
    }
    path_.pop_back();
    if (reader_.failed()) return malformed("");
    if (type.kind() == TypeKind::Object) {
      std::vector<Value> values;
      Value given = Value::object(std::move(entries));
      for (size_t i = 0; i < type.keys().size(); ++i) {
        const Value* have = given.find(type.keys()[i]);
        values.push_back(have != nullptr ? *have : Value::null(type.elements()[i]));
      }
      return Value::object(type.keys(), std::move(values));
    }
    std::vector<Value> values;
    for (auto& entry : entries) values.push_back(entry.second);
    PRAVO_TRY(element_type, common_element(type.element(), values));
    for (size_t i = 0; i < entries.size(); ++i) entries[i].second = std::move(values[i]);
    return Value::map(std::move(element_type), std::move(entries));
  }

  // The elements' own type where the declared one is dynamic.
  Result<Type> common_element(const Type& declared, std::vector<Value>& elements) {
    if (!declared.has_dynamic() || elements.empty()) return declared;
    Type type;
    for (const Value& v : elements)
      if (!v.has_type(TypeKind::Dynamic)) type = v.type();
    for (Value& v : elements) {
      if (v.has_type(TypeKind::Dynamic) && v.is_null()) v = Value::null(type);
      if (!has_exact_type(v, type)) return misfit("all elements must be of the same type");
    }
    return type;
  }

  JsonReader reader_;
  Path path_;
  SizeCount made_;              // by plain()
  std::vector<KeySet> recent_;  // by depth: the keys of the object before
};

Result<Value> Decoder::convert_scalar(const Value& v, const Type& type) {
  if (v.has_type(type.kind())) return v;
  if (type.kind() == TypeKind::String)
    return Value::string_normal(v.kind() == ValueKind::Number ? v.as_number().to_string()
                                : v.as_bool()                 ? "true"
                                                              : "false");
  if (v.kind() == ValueKind::String && type.kind() == TypeKind::Number) {
    if (std::optional<Number> number = Number::parse(v.as_string())) return Value::number(std::move(*number));
  }
  if (v.kind() == ValueKind::String && type.kind() == TypeKind::Bool) {
    std::string_view text = v.as_string();
    if (text == "true" || text == "1") return Value::boolean(true);
    if (text == "false" || text == "0") return Value::boolean(false);
  }
  return fail(EvalErrorKind::Type, "wrong type");
}

}  // namespace

void append_json_string(std::string& out, std::string_view text, bool html) { append_literal(out, text, html); }

void append_json_string(StrBuilder& out, std::string_view text, bool html) { append_literal(out, text, html); }

Result<Str> encode_json_str(const Value& value) { return Encoder().plain(value); }

Result<std::string> encode_json(const Value& value) {
  PRAVO_TRY(text, encode_json_str(value));
  return std::string(text.view());
}

Result<Value> decode_json(std::string_view text) { return Decoder(text).plain_document(); }

std::string encode_typed_json(const Value& value, const Type& type) { return Encoder().typed(value, type); }

Result<Value> decode_typed_json(std::string_view text, const Type& type) { return Decoder(text).typed_document(type); }

}  // namespace pravo
