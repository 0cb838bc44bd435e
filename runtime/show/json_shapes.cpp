#include "runtime/show/json_shapes.h"

#include "ir/json_codec.h"

namespace pravo::runtime {

void JsonWriter::key(std::string_view name) {
  comma();
  append_json_string(out_, name, true);
  out_ += ':';
  first_ = true;
}

void JsonWriter::text(std::string_view value) {
  comma();
  append_json_string(out_, value, true);
}

void write_plain(JsonWriter& w, const Value& value) {
  switch (value.kind()) {
    case ValueKind::Null:
    case ValueKind::Unknown:
      w.raw("null");
      return;
    case ValueKind::Bool:
      w.flag(value.as_bool());
      return;
    case ValueKind::Number:
      w.raw(value.as_number().to_string());
      return;
    case ValueKind::String:
      w.text(value.as_string());
      return;
    case ValueKind::List:
    case ValueKind::Set:
    case ValueKind::Tuple:
      w.open('[');
      for (const Value& element : value.elements()) write_plain(w, element);
      w.close(']');
      return;
    case ValueKind::Map:
    case ValueKind::Object:
      w.open('{');
      for (size_t i = 0; i < value.length(); ++i) {
        if (value.element(i).is_unknown()) continue;
        w.key(value.key(i).view());
        write_plain(w, value.element(i));
      }
      w.close('}');
      return;
  }
}

namespace {

bool is_scalar(const Value& value) {
  return value.is_null() || value.kind() == ValueKind::Bool || value.kind() == ValueKind::Number ||
         value.kind() == ValueKind::String;
}

bool says_unknown(const Value& value) { return value.is_unknown() || !is_scalar(value); }

// Of an unknown value its type says whether there could be something inside.
enum class SensitiveShape : uint8_t { False, True, Sequence, Keyed };
SensitiveShape sensitive_shape(const Value& value) {
  if (any(value.marks() & MarkSet::Sensitive)) return SensitiveShape::True;
  if (is_scalar(value)) return SensitiveShape::False;
  switch (value.type().kind()) {
    case TypeKind::Dynamic:
    case TypeKind::Bool:
    case TypeKind::Number:
    case TypeKind::String:
      return SensitiveShape::False;
    case TypeKind::List:
    case TypeKind::Set:
    case TypeKind::Tuple:
      return SensitiveShape::Sequence;
    case TypeKind::Map:
    case TypeKind::Object:
      return SensitiveShape::Keyed;
  }
  PRAVOC_UNREACHABLE();
}

}  // namespace

void write_unknown_shape(JsonWriter& w, const Value& value) {
  if (value.is_unknown() || is_scalar(value)) {
    w.flag(value.is_unknown());
    return;
  }
  bool keyed = value.kind() == ValueKind::Map || value.kind() == ValueKind::Object;
  w.open(keyed ? '{' : '[');
  for (size_t i = 0; i < value.length(); ++i) {
    const Value& element = value.element(i);
    if (keyed) {
      if (!says_unknown(element)) continue;
      w.key(value.key(i).view());
    }
    write_unknown_shape(w, element);
  }
  w.close(keyed ? '}' : ']');
}

void write_sensitive_shape(JsonWriter& w, const Value& value) {
  SensitiveShape shape = sensitive_shape(value);
  if (shape == SensitiveShape::False || shape == SensitiveShape::True) {
    w.flag(shape == SensitiveShape::True);
    return;
  }
  bool keyed = shape == SensitiveShape::Keyed;
  w.open(keyed ? '{' : '[');
  size_t length = value.is_unknown() ? 0 : value.length();
  for (size_t i = 0; i < length; ++i) {
    const Value& element = value.element(i);
    if (keyed) {
      if (sensitive_shape(element) == SensitiveShape::False) continue;
      w.key(value.key(i).view());
    }
    write_sensitive_shape(w, element);
  }
  w.close(keyed ? '}' : ']');
}

}  // namespace pravo::runtime
