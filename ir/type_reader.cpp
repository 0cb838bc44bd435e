#include "ir/type_reader.h"

#include "ir/diagnostics/text.h"
#include "ir/json_codec.h"
#include "ir/limits.h"
#include "ir/text_format.h"

namespace pravo::text {

bool TypeReader::type(Type& out, Defaults* defaults, unsigned depth) {
  if (depth > kMaxDepth) {
    in_.diags().emit(in_.range(in_.begin(), in_.position() + 1), diag::IrTypeDepth, kMaxDepth);
    return false;
  }
  struct Primitive {
    std::string_view word;
    Type (*make)();
  };
  static constexpr Primitive kPrimitives[] = {
      {"any", Type::dynamic}, {"string", Type::string}, {"number", Type::number}, {"bool", Type::boolean}};
  struct Collection {
    std::string_view word;
    Type (*make)(Type);
  };
  static constexpr Collection kCollections[] = {{"list", Type::list}, {"set", Type::set}, {"map", Type::map}};

  std::string_view word = in_.peek_word();
  for (const Primitive& primitive : kPrimitives) {
    if (primitive.word != word) continue;
    in_.take_word();
    out = primitive.make();
    return true;
  }
  for (const Collection& collection : kCollections) {
    if (collection.word != word) continue;
    in_.take_word();
    Type element;
    Defaults inner;
    if (!in_.expect('(') || !type(element, defaults == nullptr ? nullptr : &inner, depth + 1) || !in_.expect(')'))
      return false;
    if (defaults != nullptr && !inner.empty()) defaults->element.push_back(std::move(inner));
    out = collection.make(std::move(element));
    return true;
  }
  if (word == "object") return object_type(out, defaults, depth);
  if (word != "tuple") return in_.fail("a type");
  in_.take_word();
  std::vector<Type> elements;
  if (!in_.expect('(') || !in_.expect('[')) return false;
  while (!in_.accept(']')) {
    Type element;
    Defaults inner;
    if (!type(element, defaults == nullptr ? nullptr : &inner, depth + 1)) return false;
    if (defaults != nullptr && !inner.empty())
      defaults->elements.emplace_back(static_cast<uint32_t>(elements.size()), std::move(inner));
    elements.push_back(std::move(element));
    if (!in_.accept(',') && in_.peek() != ']') return in_.fail("`,` or `]`");
  }
  out = Type::tuple(std::move(elements));
  return in_.expect(')');
}

bool TypeReader::object_type(Type& out, Defaults* defaults, unsigned depth) {
  in_.take_word();
  std::vector<Type::Attribute> attributes;
  if (!in_.expect('(') || !in_.expect('{')) return false;
  while (!in_.accept('}')) {
    std::string name;
    if (!in_.identifier(name) || !in_.expect('=')) return false;
    Type attribute;
    bool optional = in_.accept_word("optional");
    if (optional) {
      if (!optional_attribute(attribute, name, defaults, depth)) return false;
    } else {
      Defaults inner;
      if (!type(attribute, defaults == nullptr ? nullptr : &inner, depth + 1)) return false;
      if (defaults != nullptr && !inner.empty()) defaults->attributes.emplace_back(Str(name), std::move(inner));
    }
    attributes.emplace_back(std::string_view(name), std::move(attribute), optional);
    if (!in_.accept(',') && in_.peek() != '}') return in_.fail("`,` or `}`");
  }
  out = Type::object(std::move(attributes));
  return in_.expect(')');
}

// `(TYPE)`, in a type constraint also `(TYPE, CONSTANT)` and `(TYPE, CONSTANT : ITS-TYPE)`.
bool TypeReader::optional_attribute(Type& out, const std::string& name, Defaults* defaults, unsigned depth) {
  Defaults inner;
  if (!in_.expect('(') || !type(out, defaults == nullptr ? nullptr : &inner, depth + 1)) return false;
  if (defaults != nullptr && !inner.empty()) defaults->attributes.emplace_back(Str(name), std::move(inner));
  if (defaults != nullptr && in_.accept(',')) {
    uint32_t begin = in_.begin();
    std::string_view literal;
    if (!in_.literal(literal)) return false;
    Type own = out;
    if (in_.accept(':') && !type(own, nullptr, depth + 1)) return false;
    Value value;
    if (!constant(literal, begin, &own, value)) return false;
    defaults->values.emplace_back(Str(name), std::move(value));
  }
  return in_.expect(')');
}

bool TypeReader::constant(std::string_view literal, uint32_t begin, const Type* type, Value& out) {
  if (type != nullptr && literal == "null") {
    out = Value::null(*type);
    return true;
  }
  if (literal[0] == '"' && (type == nullptr || type->kind() == TypeKind::String)) {
    std::optional<std::string> text = unescape_string(literal);
    if (text) out = Value::string(*text);
    if (!text) in_.diags().emit(in_.range(begin, begin + static_cast<uint32_t>(literal.size())), diag::IrBadString);
    return text.has_value();
  }
  Result<Value> decoded = type == nullptr ? decode_json(literal) : decode_typed_json(literal, *type);
  if (decoded) {
    out = *std::move(decoded);
    return true;
  }
  std::string shown;
  append_type(shown, type == nullptr ? Type() : *type);
  in_.diags().emit(in_.range(begin, begin + static_cast<uint32_t>(literal.size())), diag::IrBadConstant, shown,
                   decoded.error().text());
  return false;
}

std::optional<TypeConstraint> read_constraint(std::string_view text) {
  SourceManager sources;
  FileId file = sources.add("<type>", std::string(text));
  Diagnostics diags;
  Cursor cursor(sources, file, diags);
  TypeConstraint out;
  if (!TypeReader(cursor).type(out.type, &out.defaults, 1) || !cursor.at_end()) return std::nullopt;
  return out;
}

}  // namespace pravo::text
