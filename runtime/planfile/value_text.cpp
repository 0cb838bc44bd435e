#include "runtime/planfile/value_text.h"

#include <fmt/format.h>

#include "ir/convert.h"
#include "ir/json_codec.h"
#include "runtime/state/json_fields.h"

namespace pravo::runtime {

namespace {

// Sensitivity wraps a value, so a value nests at most twice as deep in text as kMaxDepth.
constexpr unsigned kMaxTextDepth = 2 * kMaxDepth + 2;

// Scalars stand for themselves, a tuple is an array; everything else is an object whose first key says what it is.
void append(std::string& out, const Value& value);

void append_bare(std::string& out, const Value& value) {
  auto text = [&](std::string_view t) { append_json_string(out, t, false); };
  auto sequence = [&] {
    out += '[';
    for (size_t i = 0; i < value.length(); ++i) {
      if (i > 0) out += ',';
      append(out, value.element(i));
    }
    out += ']';
  };
  auto members = [&] {
    out += '{';
    for (size_t i = 0; i < value.length(); ++i) {
      if (i > 0) out += ',';
      text(value.key(i).view());
      out += ':';
      append(out, value.element(i));
    }
    out += '}';
  };
  auto typed = [&](std::string_view key) {
    out += fmt::format("{{\"{}\":", key);
    out += value.type().element().to_json();
    out += ",\"v\":";
  };
  switch (value.kind()) {
    case ValueKind::Null: {
      Type type = value.type();
      if (type.is_dynamic()) {
        out += "null";
      } else {
        out += "{\"null\":" + type.to_json() + "}";
      }
      return;
    }
    case ValueKind::Unknown: {
      out += "{\"unknown\":" + value.type().to_json();
      const Refinements& known = value.refinements();
      if (!known.empty()) {
        out += fmt::format(",\"notnull\":{}", known.not_null);
        if (!known.prefix.empty()) {
          out += ",\"prefix\":";
          text(known.prefix.view());
        }
        if (known.lower)
          out += fmt::format(",\"lower\":{},\"lowerin\":{}", known.lower->to_string(), known.lower_inclusive);
        if (known.upper)
          out += fmt::format(",\"upper\":{},\"upperin\":{}", known.upper->to_string(), known.upper_inclusive);
        if (known.min_length != 0) out += fmt::format(",\"min\":{}", known.min_length);
        if (known.max_length != UINT64_MAX) out += fmt::format(",\"max\":{}", known.max_length);
      }
      out += '}';
      return;
    }
    case ValueKind::Bool:
      out += value.as_bool() ? "true" : "false";
      return;
    case ValueKind::Number: {
      Number number = value.as_number();
      if (number.is_infinite())
        out += number.sign() < 0 ? "{\"infinity\":-1}" : "{\"infinity\":1}";
      else
        out += number.to_string();
      return;
    }
    case ValueKind::String:
      text(value.as_string());
      return;
    case ValueKind::Tuple:
      sequence();
      return;
    case ValueKind::List:
      typed("list");
      sequence();
      out += '}';
      return;
    case ValueKind::Set:
      typed("set");
      sequence();
      out += '}';
      return;
    case ValueKind::Map:
      typed("map");
      members();
      out += '}';
      return;
    case ValueKind::Object:
      out += "{\"o\":";
      members();
      out += '}';
      return;
  }
  PRAVOC_UNREACHABLE();
}

void append(std::string& out, const Value& value) {
  PRAVOC_CHECK(!any(value.marks() & MarkSet::Ephemeral));
  bool sensitive = any(value.marks() & MarkSet::Sensitive);
  if (sensitive) out += "{\"sensitive\":";
  append_bare(out, value);
  if (sensitive) out += '}';
}

class ValueReader {
 public:
  ValueReader(JsonReader& reader, std::string_view text) : reader_(reader), text_(text) {}

  Value read(unsigned depth) {
    if (depth > kMaxTextDepth) {
      reader_.fail("a value nests too deep");
      return {};
    }
    switch (reader_.peek()) {
      case JsonReader::Token::Null:
        reader_.read_literal();
        return Value::null();
      case JsonReader::Token::True:
      case JsonReader::Token::False:
        return Value::boolean(read_flag(reader_));
      case JsonReader::Token::Number:
        return Value::number(number());
      case JsonReader::Token::String: {
        StrBuilder text;
        if (!reader_.read_string(text)) return {};
        return Value::string(std::move(text).finish());
      }
      case JsonReader::Token::Array:
        return Value::tuple(elements(depth));
      case JsonReader::Token::Object:
        return tagged(depth);
      case JsonReader::Token::End:
      case JsonReader::Token::Invalid:
        break;
    }
    reader_.fail("expected a value");
    return {};
  }

 private:
  Number number() {
    std::string_view digits;
    if (!reader_.read_number(digits)) return {};
    std::optional<Number> parsed = Number::parse(digits);
    if (!parsed) {
      reader_.fail("a number is out of range");
      return {};
    }
    return std::move(*parsed);
  }
  Type type() {
    Result<Type> parsed = Type::from_json(read_raw(reader_, text_));
    if (parsed.ok()) return std::move(*parsed);
    reader_.fail("malformed type");
    return {};
  }
  std::vector<Value> elements(unsigned depth) {
    std::vector<Value> out;
    read_elements(reader_, [&] { out.push_back(read(depth + 1)); });
    return out;
  }
  std::vector<std::pair<Str, Value>> members(unsigned depth) {
    std::vector<std::pair<Str, Value>> out;
    read_members(reader_, [&](std::string_view key) { out.emplace_back(Str(key), read(depth + 1)); });
    return out;
  }
  bool all_of(const Type& element, const std::vector<Value>& values) {
    for (const Value& value : values)
      if (!(value.type() == element) && !(element.has_dynamic() && conforms(value.type(), element)))
        return reader_.fail("an element is not of its collection's type");
    return true;
  }

  Value tagged(unsigned depth) {
    Value out;
    Type element;
    std::string kind;
    Refinements known;
    Type unknown_type;
    read_members(reader_, [&](std::string_view key) {
      if (key == "o") {
        out = Value::object(members(depth));
      } else if (key == "sensitive") {
        out = read(depth + 1).with_marks(MarkSet::Sensitive);
      } else if (key == "null") {
        out = Value::null(type());
      } else if (key == "infinity") {
        out = Value::number(Number::infinity(number().sign() < 0));
      } else if (key == "list" || key == "set" || key == "map") {
        kind = key;
        element = type();
      } else if (key == "v" && kind == "map") {
        std::vector<std::pair<Str, Value>> entries = members(depth);
        std::vector<Value> values;
        for (const auto& [name, value] : entries) values.push_back(value);
        if (!reader_.failed() && all_of(element, values)) out = Value::map(element, std::move(entries));
      } else if (key == "v" && !kind.empty()) {
        std::vector<Value> values = elements(depth);
        if (!reader_.failed() && all_of(element, values))
          out = kind == "list" ? Value::list(element, std::move(values)) : Value::set(element, std::move(values));
      } else if (key == "unknown") {
        kind = "unknown";
        unknown_type = type();
      } else if (kind == "unknown") {
        refinement(key, known);
      } else {
        reader_.fail("unknown kind of value");
      }
    });
    if (kind == "unknown" && !reader_.failed())
      out = known.empty() ? Value::unknown(unknown_type) : Value::unknown(unknown_type, known);
    return out;
  }

  void refinement(std::string_view key, Refinements& known) {
    if (key == "notnull")
      known.not_null = read_flag(reader_);
    else if (key == "prefix")
      known.prefix = Str(read_text(reader_));
    else if (key == "lower")
      known.lower = number();
    else if (key == "lowerin")
      known.lower_inclusive = read_flag(reader_);
    else if (key == "upper")
      known.upper = number();
    else if (key == "upperin")
      known.upper_inclusive = read_flag(reader_);
    else if (key == "min")
      known.min_length = read_count(reader_);
    else if (key == "max")
      known.max_length = read_count(reader_);
    else
      reader_.fail("unknown kind of refinement");
  }

  JsonReader& reader_;
  std::string_view text_;
};

}  // namespace

void append_value(std::string& out, const Value& value) { append(out, value); }

Value read_value(JsonReader& reader, std::string_view text) {
  Value value = ValueReader(reader, text).read(0);
  return reader.failed() ? Value() : value;
}

void append_path(std::string& out, const Path& path) {
  out += '[';
  for (size_t i = 0; i < path.size(); ++i) {
    if (i > 0) out += ',';
    switch (path[i].kind) {
      case PathStep::Kind::Attribute:
        append_json_string(out, path[i].name.view(), false);
        break;
      case PathStep::Kind::Index:
        out += std::to_string(path[i].index);
        break;
      case PathStep::Kind::Key:
        out += '[';
        append_json_string(out, path[i].name.view(), false);
        out += ']';
        break;
    }
  }
  out += ']';
}

Path read_path(JsonReader& reader) {
  Path path;
  read_elements(reader, [&] {
    switch (reader.peek()) {
      case JsonReader::Token::String:
        path.push_back(PathStep::attribute(Str(read_text(reader))));
        return;
      case JsonReader::Token::Number:
        path.push_back(PathStep::at(read_count(reader)));
        return;
      case JsonReader::Token::Array:
        read_elements(reader, [&] { path.push_back(PathStep::key(Str(read_text(reader)))); });
        return;
      case JsonReader::Token::Null:
      case JsonReader::Token::True:
      case JsonReader::Token::False:
      case JsonReader::Token::Object:
      case JsonReader::Token::End:
      case JsonReader::Token::Invalid:
        break;
    }
    reader.fail("malformed path");
  });
  return path;
}

}  // namespace pravo::runtime
