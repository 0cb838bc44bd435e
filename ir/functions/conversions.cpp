// convert tobool tolist tomap tonumber toset tostring, and the functions on marks: ephemeralasnull issensitive
// nonsensitive sensitive.
#include <fmt/format.h>

#include "ir/check.h"
#include "ir/convert.h"
#include "ir/functions/call.h"
#include "ir/type_reader.h"
#include "ir/type_shape.h"

namespace pravo::functions {

namespace {

Type target(const Call& call) { return call.info.result; }

Result<Value> convert_to(const Call& call, const Type& type) {
  Result<Value> converted = convert(call[0], type);
  if (converted) return converted;
  const EvalError& error = converted.error();
  if (error.kind == EvalErrorKind::Type)
    return call.wrong_type(
        0, fmt::format("cannot convert this {} to {}", call[0].type().friendly_name(), type.friendly_constraint()));
  std::string detail = call[0].kind() == ValueKind::String ? quoted(call[0].as_string()) : std::string();
  return call.fault(0, error.text(), std::move(detail));
}

// As Terraform, which leaves the element type of an unknown result open although it could be told.
Result<Type> type_of_conversion(const Call& call) {
  if (can_convert(call[0].type(), target(call))) return target(call);
  return call.wrong_type(0, fmt::format("cannot convert this {} to {}", call[0].type().friendly_name(),
                                        target(call).friendly_constraint()));
}

// Lowering writes the type constraint as the IR's text.
Result<TypeConstraint> constraint(const Call& call) {
  std::optional<TypeConstraint> read = text::read_constraint(call.text(1));
  if (!read) return call.fault(1, "this is no type constraint");
  return *std::move(read);
}

// The type of what holds the part at the end of `path`.
Type type_around(Type whole, std::span<const PathStep> path) {
  for (const PathStep& step : path.first(path.size() - 1)) {
    Type part = whole.kind() == TypeKind::Object  ? whole.elements()[whole.find(step.name)]
                : whole.kind() == TypeKind::Tuple ? whole.elements()[step.index]
                                                  : whole.element();
    whole = std::move(part);
  }
  return whole;
}

}  // namespace

Result<Type> type_Convert(const Call& call) {
  if (!call[1].is_known()) return Type::dynamic();
  PRAVO_TRY(wanted, constraint(call));
  Result<Type> type = converted_type(call[0].type(), wanted.type);
  // Missing attributes may have defaults.
  return type.ok() ? std::move(type) : Result<Type>(wanted.type.without_optional());
}

Result<Value> run_Convert(const Call& call, const Type&) {
  if (!call[1].is_known()) return Value::unknown().with_marks(call[0].deep_marks());
  PRAVO_TRY(wanted, constraint(call));
  Result<Value> converted = convert_with_defaults(call[0], wanted);
  if (converted) return converted;
  // A path goes by keys, which may be as secret as the call.
  const EvalError& error = converted.error();
  std::string fact = call.secret ? std::string(error.message) : error.text();
  return call.fault(0, std::move(fact), {}, error.kind);
}

Result<Type> type_Tobool(const Call& call) { return type_of_conversion(call); }
Result<Type> type_Tonumber(const Call& call) { return type_of_conversion(call); }
Result<Type> type_Tostring(const Call& call) { return type_of_conversion(call); }
Result<Type> type_Tolist(const Call& call) { return type_of_conversion(call); }
Result<Type> type_Tomap(const Call& call) { return type_of_conversion(call); }
Result<Type> type_Toset(const Call& call) { return type_of_conversion(call); }

Result<Value> run_Tobool(const Call& call, const Type&) { return convert_to(call, target(call)); }
Result<Value> run_Tolist(const Call& call, const Type&) { return convert_to(call, target(call)); }
Result<Value> run_Tomap(const Call& call, const Type&) { return convert_to(call, target(call)); }
Result<Value> run_Tonumber(const Call& call, const Type&) { return convert_to(call, target(call)); }
Result<Value> run_Toset(const Call& call, const Type&) { return convert_to(call, target(call)); }
Result<Value> run_Tostring(const Call& call, const Type&) { return convert_to(call, target(call)); }

Result<Type> type_Sensitive(const Call& call) { return call[0].type(); }
Result<Type> type_Nonsensitive(const Call& call) { return call[0].type(); }
Result<Type> type_Ephemeralasnull(const Call& call) {
  const bool hidden = contains(call[0].deep_marks(), MarkSet::Ephemeral) && has_shape(call[0].type());
  return hidden ? Type::dynamic() : call[0].type();
}

Result<Value> run_Sensitive(const Call& call, const Type&) { return call[0].with_marks(MarkSet::Sensitive); }

Result<Value> run_Nonsensitive(const Call& call, const Type&) { return call[0].without_marks(MarkSet::Sensitive); }

Result<Value> run_Issensitive(const Call& call, const Type& result) {
  bool sensitive = contains(call[0].marks(), MarkSet::Sensitive);
  // More marks may come with what is not known yet.
  if (call[0].is_unknown() && !sensitive) return Value::unknown(result);
  return Value::boolean(sensitive);
}

// The null that stands for an ephemeral object or tuple has no type: names of attributes and the number of elements may
// be what is secret, as in `{ (var.token) = 1 }`. Elements of a list keep theirs, which the list's own type says.
Result<Value> run_Ephemeralasnull(const Call& call, const Type&) {
  if (!contains(call[0].deep_marks(), MarkSet::Ephemeral)) return call[0];
  const Type whole = call[0].type();
  return call[0].transform([&](std::span<const PathStep> path, const Value& v) {
    if (!contains(v.marks(), MarkSet::Ephemeral)) return v;
    Type type = v.type();
    if (has_shape(type)) {
      TypeKind around = path.empty() ? TypeKind::Dynamic : type_around(whole, path).kind();
      if (around != TypeKind::List && around != TypeKind::Map && around != TypeKind::Set) type = Type::dynamic();
    }
    MarkSet rest = v.marks() & ~MarkSet::Ephemeral;
    return (v.is_unknown() ? Value::unknown(type) : Value::null(type)).with_marks(rest);
  });
}

// The caller evaluates the arguments of these; see evaluate_try() and evaluate_can().
Result<Value> run_Try(const Call&, const Type&) { PRAVOC_UNREACHABLE(); }
Result<Value> run_Can(const Call&, const Type&) { PRAVOC_UNREACHABLE(); }

}  // namespace pravo::functions
