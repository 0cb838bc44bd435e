// Types as text: type constraints, the console's type(), friendly names, cty's JSON.
#include <algorithm>
#include <cctype>

#include "ir/check.h"
#include "ir/json_codec.h"
#include "ir/json_reader.h"
#include "ir/type.h"
#include "ir/value.h"

namespace pravo {

namespace {

bool is_identifier(std::string_view name) {
  if (name.empty()) return false;
  auto start = static_cast<unsigned char>(name[0]);
  if (std::isalpha(start) == 0 && start != '_') return false;
  for (char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-') return false;
  return true;
}

std::string_view word(TypeKind kind) {
  switch (kind) {
    case TypeKind::Dynamic:
      return "any";
    case TypeKind::Bool:
      return "bool";
    case TypeKind::Number:
      return "number";
    case TypeKind::String:
      return "string";
    case TypeKind::List:
      return "list";
    case TypeKind::Set:
      return "set";
    case TypeKind::Map:
      return "map";
    case TypeKind::Tuple:
      return "tuple";
    case TypeKind::Object:
      return "object";
  }
  PRAVOC_UNREACHABLE();
}

void append_constraint(std::string& out, const Type& type) {
  out += word(type.kind());
  if (type.is_collection()) {
    out += '(';
    append_constraint(out, type.element());
    out += ')';
  } else if (type.kind() == TypeKind::Tuple) {
    out += "([";
    bool first = true;
    for (const Type& t : type.elements()) {
      if (!first) out += ',';
      first = false;
      append_constraint(out, t);
    }
    out += "])";
  } else if (type.kind() == TypeKind::Object) {
    out += "({";
    for (size_t i = 0; i < type.keys().size(); ++i) {
      if (i > 0) out += ',';
      std::string_view name = type.keys()[i];
      if (is_identifier(name))
        out += name;
      else
        append_json_string(out, name, false);
      out += '=';
      if (type.is_optional(i)) out += "optional(";
      append_constraint(out, type.elements()[i]);
      if (type.is_optional(i)) out += ')';
    }
    out += "})";
  }
}

void append_console(std::string& out, const Type& type, size_t indent) {
  if (type.is_dynamic()) {
    out += "dynamic";
    return;
  }
  out += word(type.kind());
  if (type.is_collection()) {
    // As Terraform does it, objects and tuples inside stand on lines of their own.
    bool lines = type.element().is_structural();
    out += '(';
    if (lines) out.append("\n").append(indent + 4, ' ');
    append_console(out, type.element(), lines ? indent + 4 : indent);
    if (lines) out.append(",\n").append(indent, ' ');
    out += ')';
  } else if (type.is_structural()) {
    bool object = type.kind() == TypeKind::Object;
    out += object ? "({" : "([";
    if (!type.elements().empty()) {
      out += '\n';
      for (size_t i = 0; i < type.elements().size(); ++i) {
        out.append(indent + 4, ' ');
        if (object) {
          out += type.keys()[i];
          out += ": ";
        }
        append_console(out, type.elements()[i], indent + 4);
        out += ",\n";
      }
      out.append(indent, ' ');
    }
    out += object ? "})" : "])";
  }
}

// `object({a=string})`, recursively down; the depth is limited before types get too deep.
class ConstraintParser {
 public:
  explicit ConstraintParser(std::string_view text) : text_(text) {}

  Result<Type> parse_all() {
    PRAVO_TRY(type, parse(0));
    skip_space();
    if (at_ != text_.size()) return malformed();
    return type;
  }

 private:
  std::unique_ptr<EvalError> malformed() { return fail(EvalErrorKind::Value, "malformed type"); }

  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(std::string_view token) {
    skip_space();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  std::string_view take_word() {
    skip_space();
    size_t start = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_' || text_[at_] == '-'))
      ++at_;
    return text_.substr(start, at_ - start);
  }

  Result<Type> parse(unsigned depth) {
    if (depth >= kMaxDepth) return too_deep();
    std::string_view name = take_word();
    if (name == "any" || name == "dynamic") return Type();
    if (name == "bool") return Type::boolean();
    if (name == "number") return Type::number();
    if (name == "string") return Type::string();
    if (name == "tuple") return parse_tuple(depth);
    if (name == "object") return parse_object(depth);
    if (name != "list" && name != "set" && name != "map") return malformed();
    if (!take("(")) return malformed();
    PRAVO_TRY(element, parse(depth + 1));
    if (!take(")")) return malformed();
    return name == "list" ? Type::list(element) : name == "set" ? Type::set(element) : Type::map(element);
  }

  Result<Type> parse_tuple(unsigned depth) {
    if (!take("(") || !take("[")) return malformed();
    std::vector<Type> elements;
    while (!take("]")) {
      if (!elements.empty() && !take(",")) return malformed();
      if (take("]")) break;
      PRAVO_TRY(element, parse(depth + 1));
      elements.push_back(std::move(element));
    }
    if (!take(")")) return malformed();
    return Type::tuple(std::move(elements));
  }

  Result<Type> parse_object(unsigned depth) {
    if (!take("(") || !take("{")) return malformed();
    std::vector<Type::Attribute> attributes;
    while (!take("}")) {
      if (!attributes.empty() && !take(",")) return malformed();
      if (take("}")) break;
      Str name;
      skip_space();
      if (at_ < text_.size() && text_[at_] == '"') {
        JsonReader reader(text_);
        reader.seek(at_);
        StrBuilder quoted;
        if (!reader.read_string(quoted)) return malformed();
        at_ = reader.offset();
        name = std::move(quoted).finish();
      } else {
        name = Str(take_word());
        if (name.empty()) return malformed();
      }
      if (!take("=") && !take(":")) return malformed();
      bool optional = take("optional(");
      PRAVO_TRY(type, parse(depth + 1));
      if (optional && !take(")")) return malformed();
      attributes.emplace_back(std::move(name), std::move(type), optional);
    }
    if (!take(")")) return malformed();
    return Type::object(std::move(attributes));
  }

  std::string_view text_;
  size_t at_ = 0;
};

void append_json_type(std::string& out, const Type& type) {
  switch (type.kind()) {
    case TypeKind::Dynamic:
      out += "\"dynamic\"";
      return;
    case TypeKind::Bool:
    case TypeKind::Number:
    case TypeKind::String:
      out += '"';
      out += word(type.kind());
      out += '"';
      return;
    case TypeKind::List:
    case TypeKind::Set:
    case TypeKind::Map:
      out += "[\"";
      out += word(type.kind());
      out += "\",";
      append_json_type(out, type.element());
      out += ']';
      return;
    case TypeKind::Tuple: {
      out += "[\"tuple\",[";
      bool first = true;
      for (const Type& t : type.elements()) {
        if (!first) out += ',';
        first = false;
        append_json_type(out, t);
      }
      out += "]]";
      return;
    }
    case TypeKind::Object: {
      out += "[\"object\",{";
      for (size_t i = 0; i < type.keys().size(); ++i) {
        if (i > 0) out += ',';
        append_json_string(out, type.keys()[i], true);
        out += ':';
        append_json_type(out, type.elements()[i]);
      }
      out += '}';
      bool first = true;
      for (size_t i = 0; i < type.keys().size(); ++i) {
        if (!type.is_optional(i)) continue;
        out += first ? ",[" : ",";
        first = false;
        append_json_string(out, type.keys()[i], true);
      }
      if (!first) out += ']';
      out += ']';
      return;
    }
  }
}

std::unique_ptr<EvalError> json_type_error(const JsonReader& reader) {
  return fail(EvalErrorKind::Value, reader.failed() ? reader.error() : "malformed type");
}

}  // namespace

// Reads one type and leaves the reader after it (shared with json_codec.cpp).
Result<Type> read_json_type(JsonReader& reader, unsigned depth) {
  if (depth >= kMaxDepth) return too_deep();
  StrBuilder name;
  if (reader.peek() == JsonReader::Token::String) {
    if (!reader.read_string(name)) return json_type_error(reader);
    if (name.view() == "dynamic") return Type();
    if (name.view() == "bool") return Type::boolean();
    if (name.view() == "number") return Type::number();
    if (name.view() == "string") return Type::string();
    return json_type_error(reader);
  }
  if (reader.peek() != JsonReader::Token::Array || !reader.begin_array() || !reader.read_string(name) ||
      !reader.next_in_array())
    return json_type_error(reader);
  Type result;
  bool more = false;
  if (name.view() == "list" || name.view() == "set" || name.view() == "map") {
    PRAVO_TRY(element, read_json_type(reader, depth + 1));
    result = name.view() == "list"  ? Type::list(std::move(element))
             : name.view() == "set" ? Type::set(std::move(element))
                                    : Type::map(std::move(element));
    more = reader.next_in_array();
  } else if (name.view() == "tuple") {
    if (reader.peek() != JsonReader::Token::Array) return json_type_error(reader);
    std::vector<Type> elements;
    for (bool next = reader.begin_array(); next; next = reader.next_in_array()) {
      PRAVO_TRY(element, read_json_type(reader, depth + 1));
      elements.push_back(std::move(element));
    }
    result = Type::tuple(std::move(elements));
    more = reader.next_in_array();
  } else if (name.view() == "object") {
    if (reader.peek() != JsonReader::Token::Object) return json_type_error(reader);
    std::vector<Type::Attribute> attributes;
    StrBuilder key;
    for (bool next = reader.begin_object(key); next; next = reader.next_in_object(key)) {
      Str attribute = std::move(key).finish();
      PRAVO_TRY(type, read_json_type(reader, depth + 1));
      attributes.emplace_back(std::move(attribute), std::move(type));
    }
    more = reader.next_in_array();
    if (more) {
      if (reader.peek() != JsonReader::Token::Array) return json_type_error(reader);
      std::vector<std::string> optional;
      for (bool next = reader.begin_array(); next; next = reader.next_in_array()) {
        StrBuilder text;
        if (!reader.read_string(text)) return json_type_error(reader);
        optional.emplace_back(text.view());
      }
      std::sort(optional.begin(), optional.end());
      for (auto& a : attributes) a.optional = std::binary_search(optional.begin(), optional.end(), a.name.view());
      more = reader.next_in_array();
    }
    result = Type::object(std::move(attributes));
  } else {
    return json_type_error(reader);
  }
  if (reader.failed() || more) return json_type_error(reader);
  return result;
}

std::string Type::to_string() const {
  std::string out;
  append_constraint(out, *this);
  return out;
}

Result<Type> Type::parse(std::string_view text) { return ConstraintParser(text).parse_all(); }

std::string Type::to_console_string() const {
  std::string out;
  append_console(out, *this, 0);
  return out;
}

std::string Type::friendly_name() const {
  if (is_dynamic()) return "dynamic";
  std::string out(word(kind()));
  if (is_collection()) out += " of " + element().friendly_name();
  return out;
}

std::string Type::friendly_constraint() const {
  if (is_dynamic()) return "any type";
  std::string out(word(kind()));
  if (is_collection()) {
    out += " of ";
    out += element().is_dynamic() ? "any single type" : element().friendly_constraint();
  }
  return out;
}

std::string Type::to_json() const {
  std::string out;
  append_json_type(out, *this);
  return out;
}

Result<Type> Type::from_json(std::string_view text) {
  JsonReader reader(text);
  PRAVO_TRY(type, read_json_type(reader, 0));
  if (reader.peek() != JsonReader::Token::End) return json_type_error(reader);
  return type;
}

}  // namespace pravo
