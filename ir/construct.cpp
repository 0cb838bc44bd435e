// Templates, tuples and objects as expressions build them.
#include <fmt/format.h>

#include "ir/check.h"
#include "ir/limits.h"
#include "ir/operators.h"
#include "ir/unicode.h"

namespace pravo {

namespace {

// How much of what is known before an unknown part is kept, as in Terraform.
constexpr size_t kMaxKnownPrefix = 128;

std::string_view noun(const Type& type) {
  switch (type.kind()) {
    case TypeKind::List:
    case TypeKind::Tuple:
      return "a list";
    case TypeKind::Set:
      return "a set";
    case TypeKind::Map:
      return "a map";
    case TypeKind::Object:
      return "an object";
    case TypeKind::Dynamic:
    case TypeKind::Bool:
    case TypeKind::Number:
    case TypeKind::String:
      return "this value";
  }
  PRAVOC_UNREACHABLE();
}

Result<Value> checked(Value v) {
  if (auto error = over_limits(v)) return error;
  return v;
}

// Appends a known part of a template.
Result<bool> append_part(StrBuilder& out, const Value& part, int index) {
  if (part.is_null()) return fail(EvalErrorKind::Null, "a null cannot be part of a string", index);
  switch (part.kind()) {
    case ValueKind::String: {
      std::string_view text = part.as_string();
      if (out.size() + text.size() > kMaxText) {
        auto error = too_large_text();
        error->argument = index;
        return error;
      }
      out += text;
      return true;
    }
    case ValueKind::Number:
      out += part.as_number().to_string();
      return true;
    case ValueKind::Bool:
      out += part.as_bool() ? "true" : "false";
      return true;
    default:
      return fail(
          EvalErrorKind::Type,
          fmt::format("{} cannot be part of a string; `jsonencode` or `join` make one of it", noun(part.type())),
          index);
  }
}

}  // namespace

Result<Value> join_template(std::span<const Value> parts) {
  if (parts.size() == 1) return parts[0];
  StrBuilder out;
  MarkSet marks = MarkSet::None;
  bool known = true;
  for (size_t i = 0; i < parts.size(); ++i) {
    marks |= parts[i].marks();
    if (parts[i].is_unknown()) {
      known = false;
      continue;
    }
    // After an unknown part nothing is kept, but what cannot be part of a string is still found.
    StrBuilder ignored;
    PRAVO_TRY(appended, append_part(known ? out : ignored, parts[i], static_cast<int>(i)));
    static_cast<void>(appended);
  }
  if (known) return Value::string(normalized(std::move(out).finish())).with_marks(marks);
  Refinements refinements;
  refinements.not_null = true;
  Str prefix = normalized(out.view().substr(0, kMaxKnownPrefix));
  refinements.prefix = Str(safe_prefix(prefix));
  return Value::unknown(Type::string(), std::move(refinements)).with_marks(marks);
}

// As Terraform, it forgets the marks of a sequence and of elements that are not known.
Result<Value> join_strings(const Value& sequence) {
  MarkSet marks = sequence.marks();
  if (sequence.is_unknown()) return Value::unknown(Type::string());
  if (!sequence.is_compound()) return fail(EvalErrorKind::Type, "only a sequence can be joined");
  StrBuilder out;
  for (const Value& part : sequence.elements()) {
    if (part.is_unknown()) return Value::unknown(Type::string()).with_marks(sequence.marks());
    marks |= part.marks();
    PRAVO_TRY(appended, append_part(out, part.without_marks(), 0));
    static_cast<void>(appended);
  }
  return Value::string(normalized(std::move(out).finish())).with_marks(marks);
}

Result<Value> make_tuple(std::vector<Value> elements) { return checked(Value::tuple(std::move(elements))); }

Result<Value> make_object(KeySet keys, std::vector<Value> values) {
  return checked(Value::object(std::move(keys), std::move(values)));
}

Result<Value> make_object(std::vector<std::pair<Value, Value>> entries) {
  MarkSet marks = MarkSet::None;
  bool known = true;
  std::vector<std::pair<Str, Value>> named;
  named.reserve(entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    const Value& key = entries[i].first;
    marks |= key.marks();
    if (key.is_null()) return fail(EvalErrorKind::Null, "a null cannot be a key", static_cast<int>(i));
    Result<Value> name = convert(key.without_marks(), Type::string());
    if (!name) return fail(EvalErrorKind::Type, fmt::format("the key: {}", name.error().message), static_cast<int>(i));
    if (name->is_unknown())
      known = false;
    else
      named.emplace_back(name->as_str(), std::move(entries[i].second));
  }
  if (!known) return Value::unknown().with_marks(marks);
  return checked(Value::object(std::move(named)).with_marks(marks));
}

}  // namespace pravo
