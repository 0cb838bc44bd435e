// Reading parts of values: `collection[key]` and `value.name`.
#include <fmt/format.h>

#include "ir/check.h"
#include "ir/operators.h"

namespace pravo {

namespace {

// An index as `list[index]` takes it; the error says what is wrong with it.
Result<size_t> sequence_index(const Number& index, size_t length, bool quotable) {
  auto wrong = [&](std::string why) {
    return fail(EvalErrorKind::Missing, fmt::format("this index is not in the collection: {}", why), 1);
  };
  if (!index.is_integer()) return wrong("it is not a whole number");
  if (index.sign() < 0) return wrong("it is negative");
  std::optional<int64_t> at = index.to_int64();
  if (at && static_cast<uint64_t>(*at) < length) return static_cast<size_t>(*at);
  if (!quotable) return wrong("it is too large");
  if (length == 0) return wrong("there are no elements");
  return wrong(length == 1 ? "the last index is 0, there is one element"
                           : fmt::format("the last index is {}", length - 1));
}

Result<Value> missing_key(std::string_view key, bool quotable, std::string_view noun) {
  return fail(EvalErrorKind::Missing,
              quotable ? fmt::format("this {} has no element `{}`", noun, key)
                       : fmt::format("this {} has no element with that key", noun),
              1);
}

Result<Value> index_object(const Value& object, const Value& key, bool quotable) {
  Result<Value> converted = convert(key, Type::string());
  if (!converted || converted->is_null()) return fail(EvalErrorKind::Type, "the key of an object must be a string", 1);
  // As in Terraform, nothing is said of an unknown object's attributes here: `.name` does.
  if (converted->is_unknown() || object.is_unknown()) return Value::unknown();
  std::string_view name = converted->as_string();
  const Value* found = object.find(name);
  return found == nullptr ? missing_key(name, quotable, "object") : *found;
}

}  // namespace

Result<Value> index(const Value& given_collection, const Value& given_key) {
  MarkSet marks = given_collection.marks() | given_key.marks();
  // As in Terraform, the key marks only what is found with it, not what is unknown.
  MarkSet unknown_marks = given_collection.marks();
  // A marked key must not be quoted; nor may the length of a marked collection be told.
  bool quotable = !any(given_collection.deep_marks()) && !any(given_key.marks());
  Value collection = given_collection.without_marks();
  Value key = given_key.without_marks();
  if (collection.is_null()) return fail(EvalErrorKind::Null, "the value is null, so it has no elements", 0);
  if (key.is_null()) return fail(EvalErrorKind::Null, "the index is null", 1);
  if (collection.has_type(TypeKind::Dynamic) || key.has_type(TypeKind::Dynamic))
    return Value::unknown().with_marks(unknown_marks);

  Type type = collection.type();
  switch (type.kind()) {
    case TypeKind::List:
    case TypeKind::Tuple: {
      Result<Value> number = convert(key, Type::number());
      if (!number) return fail(EvalErrorKind::Type, "the index of a list must be a number", 1);
      bool list = type.kind() == TypeKind::List;
      if (number->is_unknown()) return Value::unknown(list ? type.element() : Type()).with_marks(unknown_marks);
      if (list && collection.is_unknown()) return Value::unknown(type.element()).with_marks(unknown_marks);
      size_t length = list ? collection.length() : type.elements().size();
      PRAVO_TRY(at, sequence_index(number->as_number(), length, quotable));
      if (collection.is_unknown()) return Value::unknown(type.elements()[at]).with_marks(marks);
      return collection.element(at).with_marks(marks);
    }
    case TypeKind::Map: {
      Result<Value> name = convert(key, Type::string());
      if (!name) return fail(EvalErrorKind::Type, "the key of a map must be a string", 1);
      if (name->is_unknown() || collection.is_unknown())
        return Value::unknown(type.element()).with_marks(unknown_marks);
      const Value* found = collection.find(name->as_string());
      if (found == nullptr) return missing_key(name->as_string(), quotable, "map");
      return found->with_marks(marks);
    }
    case TypeKind::Object: {
      Result<Value> found = index_object(collection, key, quotable);
      if (!found) return found;
      bool nothing_known = key.is_unknown() || collection.is_unknown();
      return (*std::move(found)).with_marks(nothing_known ? unknown_marks : marks);
    }
    case TypeKind::Set:
      return fail(EvalErrorKind::Type, "the elements of a set have no index; use `one`, `tolist` or a `for`", 0);
    case TypeKind::Bool:
    case TypeKind::Number:
    case TypeKind::String:
      return fail(EvalErrorKind::Type, fmt::format("a {} has no elements", type.friendly_name()), 0);
    case TypeKind::Dynamic:
      break;
  }
  PRAVOC_UNREACHABLE();
}

Result<Value> attribute(const Value& given, std::string_view name) {
  MarkSet marks = given.marks();
  if (given.is_null())
    return fail(EvalErrorKind::Null, fmt::format("the value is null, so it has no attribute `{}`", name), 0);
  // The common case, without making a type.
  if (given.kind() == ValueKind::Object || given.kind() == ValueKind::Map) {
    if (const Value* found = given.find(name)) return found->with_marks(marks);
    if (given.kind() == ValueKind::Map)
      return fail(EvalErrorKind::Missing, fmt::format("this map has no element `{}`", name), 0);
    return fail(EvalErrorKind::Missing, fmt::format("this object has no attribute `{}`", name), 0);
  }
  Type type = given.type();
  switch (type.kind()) {
    case TypeKind::Dynamic:
      return Value::unknown().with_marks(marks);
    case TypeKind::Object: {
      size_t at = type.find(name);
      if (at == Type::npos)
        return fail(EvalErrorKind::Missing, fmt::format("this object has no attribute `{}`", name), 0);
      return Value::unknown(type.elements()[at]).with_marks(marks);
    }
    case TypeKind::Map:
      return Value::unknown(type.element()).with_marks(marks);
    case TypeKind::List:
    case TypeKind::Set:
    case TypeKind::Tuple: {
      bool set = type.kind() == TypeKind::Set;
      return fail(EvalErrorKind::Type,
                  fmt::format("this is a {}, so attribute `{}` is its elements': write `{}.{}`", type.friendly_name(),
                              name, set ? "[*]" : "[0]` for one or `[*]", name),
                  0);
    }
    case TypeKind::Bool:
    case TypeKind::Number:
    case TypeKind::String:
      return fail(EvalErrorKind::Type, fmt::format("a {} has no attributes", type.friendly_name()), 0);
  }
  PRAVOC_UNREACHABLE();
}

}  // namespace pravo
