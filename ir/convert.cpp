#include "ir/convert.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ir/check.h"
#include "ir/misfit.h"
#include "ir/value_node.h"

namespace pravo {

namespace {

// --- on types

bool convert_tuple_to_collection(const Type& tuple, Type element, bool allow_dynamic, bool safe) {
  if (tuple.elements().empty()) return true;
  if (element.is_dynamic()) {
    std::optional<Type> unified = unify(tuple.elements(), safe);
    if (!unified) return false;
    element = *unified;
    if (element.is_dynamic() && !allow_dynamic)
      return std::all_of(tuple.elements().begin(), tuple.elements().end(),
                         [](const Type& t) { return t.is_dynamic(); });
  }
  return std::all_of(tuple.elements().begin(), tuple.elements().end(),
                     [&](const Type& t) { return t == element || can_convert(t, element, safe); });
}

// The type that a null or unknown of type `from` has as a `to` without optional attributes: dynamic parts of `to`
// are replaced by what `from` has there.
Type replace_dynamic(const Type& from, const Type& to) {
  if (from.is_dynamic()) return to;
  if (to.is_dynamic()) return from;
  if (!to.has_dynamic()) return to;
  auto unified = [](const Type& t) {
    std::optional<Type> one = unify(t.elements(), false);
    return one ? *one : Type();
  };
  switch (to.kind()) {
    case TypeKind::Map:
      if (from.kind() == TypeKind::Map) return Type::map(replace_dynamic(from.element(), to.element()));
      if (from.kind() == TypeKind::Object) return Type::map(replace_dynamic(unified(from), to.element()));
      return to;
    case TypeKind::List:
    case TypeKind::Set: {
      Type element = to.element();
      if (from.kind() == TypeKind::List || from.kind() == TypeKind::Set)
        element = replace_dynamic(from.element(), element);
      else if (from.kind() == TypeKind::Tuple)
        element = replace_dynamic(unified(from), element);
      return to.kind() == TypeKind::List ? Type::list(std::move(element)) : Type::set(std::move(element));
    }
    case TypeKind::Object: {
      std::vector<Type> types;
      for (size_t i = 0; i < to.keys().size(); ++i) {
        const Type& have = to.elements()[i];
        if (from.kind() == TypeKind::Map) {
          types.push_back(replace_dynamic(from.element(), have));
        } else {
          size_t at = from.kind() == TypeKind::Object ? from.find(to.keys()[i]) : Type::npos;
          types.push_back(at == Type::npos ? have : replace_dynamic(from.elements()[at], have));
        }
      }
      return Type::object(to.keys(), std::move(types));
    }
    case TypeKind::Tuple: {
      std::vector<Type> types;
      for (size_t i = 0; i < to.elements().size(); ++i)
        types.push_back(replace_dynamic(from.elements()[i], to.elements()[i]));
      return Type::tuple(std::move(types));
    }
    case TypeKind::Dynamic:
    case TypeKind::Bool:
    case TypeKind::Number:
    case TypeKind::String:
      return to;
  }
  PRAVOC_UNREACHABLE();
}

// What is known of an unknown value after its conversion.
Value converted_unknown(const Value& v, const Type& target) {
  Type from = v.type();
  Refinements known;
  known.not_null = v.refinements().not_null;
  if (target.is_collection() && from.is_structural()) {
    size_t length = from.elements().size();
    known.min_length = known.max_length = length;
    if (target.kind() == TypeKind::Set && length > 1) known.min_length = 1;
  } else if (target.is_collection() && from.is_collection()) {
    known.min_length = v.refinements().min_length;
    if (target.kind() == TypeKind::Set) known.min_length = std::min<uint64_t>(known.min_length, 1);
    known.max_length = v.refinements().max_length;
  }
  return Value::unknown(target, std::move(known));
}

// --- on values

// The path to the part under conversion, and what kind of conversions are allowed.
class Converter {
 public:
  explicit Converter(bool safe) : safe_(safe) {}

  Result<Value> run(const Value& v, const Type& to) {
    if (to.is_dynamic()) return v;
    if (any(v.marks())) {
      // From here on errors tell nothing of the value, nor where inside it they are.
      size_t outer = std::exchange(secret_from_, std::min(secret_from_, path_.size()));
      Result<Value> plain = run(v.without_marks(), to);
      secret_from_ = outer;
      if (!plain) return plain;
      return (*std::move(plain)).with_marks(v.marks());
    }
    if (has_exact_type(v, to)) return v;
    if (v.is_null() || v.is_unknown()) return run_absent(v, to);
    switch (to.kind()) {
      case TypeKind::Bool:
      case TypeKind::Number:
      case TypeKind::String:
        return run_primitive(v, to);
      case TypeKind::List:
      case TypeKind::Set:
        return run_sequence(v, to);
      case TypeKind::Map:
        return run_map(v, to);
      case TypeKind::Tuple:
        return run_tuple(v, to);
      case TypeKind::Object:
        return v.kind() == ValueKind::Map ? run_map_to_object(v, to) : run_object(v, to);
      case TypeKind::Dynamic:
        break;
    }
    PRAVOC_UNREACHABLE();
  }

 private:
  std::unique_ptr<EvalError> mismatch(const Value& v, const Type& to) {
    if (secret_from_ != SIZE_MAX)
      return error(EvalErrorKind::Type, fmt::format("this must be {}", described_constraint(to)));
    Misfit misfit = type_misfit(v.type(), to);
    return error(EvalErrorKind::Type, std::move(misfit.need), misfit.inside);
  }
  // `inside`: from the part under conversion on.
  std::unique_ptr<EvalError> error(EvalErrorKind kind, std::string message, std::string_view inside = {}) {
    auto shown = std::span<const PathStep>(path_).first(std::min(secret_from_, path_.size()));
    std::string path = path_to_string(shown);
    path += inside;
    return fail(kind, std::move(message), -1, std::move(path));
  }

  Result<Value> run_absent(const Value& v, const Type& to) {
    Type from = v.type();
    Type plain = to.without_optional();
    if (!(from == plain) && !can_convert(from, to, safe_)) return mismatch(v, to);
    Type target = replace_dynamic(from, plain);
    return v.is_null() ? Value::null(std::move(target)) : converted_unknown(v, target);
  }

  Result<Value> run_primitive(const Value& v, const Type& to) {
    if (to.kind() == TypeKind::String) {
      if (v.kind() == ValueKind::Number) return Value::string_normal(v.as_number().to_string());
      if (v.kind() == ValueKind::Bool) return Value::string_normal(v.as_bool() ? "true" : "false");
    }
    if (safe_ || v.kind() != ValueKind::String) return mismatch(v, to);
    std::string_view text = v.as_string();
    if (to.kind() == TypeKind::Number) {
      if (std::optional<Number> number = Number::parse(text)) return Value::number(std::move(*number));
      return error(EvalErrorKind::Value,
                   secret_from_ == SIZE_MAX ? "a number is required, but this is a string" : "a number is required");
    }
    if (text == "true" || text == "1") return Value::boolean(true);
    if (text == "false" || text == "0") return Value::boolean(false);
    return error(EvalErrorKind::Value, secret_from_ == SIZE_MAX
                                           ? "a bool is required, but this is a string other than `true` and `false`"
                                           : "a bool is required: `true` or `false`, in lower case");
  }

  // Elements of one type where they were; an unknown or null of the dynamic type takes the others' type.
  Result<Type> common_type(std::vector<Value>& elements, const Type& fallback) {
    Type type;
    for (const Value& v : elements) {
      if (v.has_type(TypeKind::Dynamic)) continue;
      if (type.is_dynamic())
        type = v.type();
      else if (!has_exact_type(v, type))
        return error(EvalErrorKind::Type, "all elements must be of the same type");
    }
    if (elements.empty()) return fallback;
    if (!type.is_dynamic()) {
      for (Value& v : elements) {
        if (!v.has_type(TypeKind::Dynamic)) continue;
        v = (v.is_null() ? Value::null(type) : Value::unknown(type)).with_marks(v.marks());
      }
    }
    return type;
  }

  // Converts elements to `element`, and once more to one type where `element` leaves parts open.
  Result<std::vector<Value>> run_elements(const Value& v, const Type& element, bool unify_again) {
    std::vector<Value> out;
    out.reserve(v.length());
    bool keyed = v.kind() == ValueKind::Map || v.kind() == ValueKind::Object;
    path_.emplace_back();
    for (size_t i = 0; i < v.length(); ++i) {
      path_.back() = keyed ? PathStep::key(v.key(i)) : PathStep::at(i);
      PRAVO_TRY(converted, run(v.element(i), element));
      out.push_back(std::move(converted));
    }
    path_.pop_back();
    if (!unify_again || !element.has_dynamic() || element.is_dynamic()) return out;
    std::vector<Type> types;
    for (const Value& e : out)
      if (types.empty() || !has_exact_type(e, types.back())) types.push_back(e.type());
    if (types.size() < 2) return out;
    std::optional<Type> one = unify(types, safe_);
    if (!one) return error(EvalErrorKind::Type, "all elements must be of the same type");
    path_.emplace_back();
    for (size_t i = 0; i < out.size(); ++i) {
      path_.back() = keyed ? PathStep::key(v.key(i)) : PathStep::at(i);
      PRAVO_TRY(converted, run(out[i], *one));
      out[i] = std::move(converted);
    }
    path_.pop_back();
    return out;
  }

  // What a structural value's elements become where the target leaves that open.
  Result<Type> unified_element(const Value& v, const Type& to, bool allow_dynamic) {
    const Type& element = to.element();
    if (!element.is_dynamic() || v.length() == 0) return element;
    std::vector<Type> types;
    for (const Value& e : v.elements())
      if (types.empty() || !has_exact_type(e, types.back())) types.push_back(e.type());
    std::optional<Type> one = unify(types, safe_);
    if (!one) return mismatch(v, to);
    if (one->is_dynamic() && !allow_dynamic &&
        !std::all_of(types.begin(), types.end(), [](const Type& t) { return t.is_dynamic(); }))
      return mismatch(v, to);
    return *one;
  }

  Result<Value> run_sequence(const Value& v, const Type& to) {
    bool set = to.kind() == TypeKind::Set;
    bool collection = v.kind() == ValueKind::List || v.kind() == ValueKind::Set;
    if (!collection && v.kind() != ValueKind::Tuple) return mismatch(v, to);
    if (collection && set && v.kind() == ValueKind::List && safe_) return mismatch(v, to);
    if (collection && v.length() == 0 && !can_convert(v.type(), to, safe_)) return mismatch(v, to);
    // How many elements a set with unknown ones has is not known, so neither is the list.
    if (!set && v.kind() == ValueKind::Set && v.length() > 1 && !v.is_wholly_known()) {
      if (!can_convert(v.type(), to, safe_)) return mismatch(v, to);
      Refinements known;
      known.not_null = true;
      known.min_length = 1;
      known.max_length = v.length();
      return Value::unknown(replace_dynamic(v.type(), to.without_optional()), std::move(known));
    }
    Type element = to.element();
    if (!collection) {
      PRAVO_TRY(unified, unified_element(v, to, false));
      element = std::move(unified);
    }
    PRAVO_TRY(elements, run_elements(v, element, !collection && !set));
    // As Terraform, it forgets here that a null was marked.
    if (set || collection)
      for (Value& e : elements)
        if (e.is_null()) e = e.without_marks();
    Type empty = element.is_dynamic() && collection ? v.type().element() : element.without_optional();
    PRAVO_TRY(type, common_type(elements, empty));
    return set ? Value::set(std::move(type), std::move(elements)) : Value::list(std::move(type), std::move(elements));
  }

  Result<Value> run_map(const Value& v, const Type& to) {
    if (v.kind() != ValueKind::Map && v.kind() != ValueKind::Object) return mismatch(v, to);
    bool map = v.kind() == ValueKind::Map;
    if (map && v.length() == 0 && !can_convert(v.type(), to, safe_)) return mismatch(v, to);
    Type element = to.element();
    if (!map) {
      PRAVO_TRY(unified, unified_element(v, to, true));
      element = std::move(unified);
    }
    // As in Terraform: tuples are not made alike once more.
    PRAVO_TRY(elements, run_elements(v, element, element.kind() != TypeKind::Tuple));
    Type empty = element.is_dynamic() && map ? v.type().element() : element.without_optional();
    PRAVO_TRY(type, common_type(elements, empty));
    return Value::map(std::move(type), v.keys(), std::move(elements));
  }

  Result<Value> run_tuple(const Value& v, const Type& to) {
    if (v.kind() != ValueKind::Tuple || v.length() != to.elements().size()) return mismatch(v, to);
    std::vector<Value> elements;
    elements.reserve(v.length());
    path_.emplace_back();
    for (size_t i = 0; i < v.length(); ++i) {
      path_.back() = PathStep::at(i);
      PRAVO_TRY(converted, run(v.element(i), to.elements()[i]));
      elements.push_back(std::move(converted));
    }
    path_.pop_back();
    return Value::tuple(std::move(elements));
  }

  Result<Value> run_object(const Value& v, const Type& to) {
    if (v.kind() != ValueKind::Object) return mismatch(v, to);
    std::vector<Value> values;
    values.reserve(to.keys().size());
    for (size_t i = 0; i < to.keys().size(); ++i) {
      const Value* have = v.find(to.keys()[i]);
      if (have == nullptr) {
        if (!to.is_optional(i)) return mismatch(v, to);
        values.push_back(Value::null(to.elements()[i].without_optional()));
        continue;
      }
      path_.push_back(PathStep::attribute(to.keys().str(i)));
      PRAVO_TRY(converted, run(*have, to.elements()[i]));
      path_.pop_back();
      values.push_back(std::move(converted));
    }
    return Value::object(to.keys(), std::move(values));
  }

  Result<Value> run_map_to_object(const Value& v, const Type& to) {
    if (safe_ || !can_convert(v.type(), to, false)) return mismatch(v, to);
    std::vector<Value> values;
    values.reserve(to.keys().size());
    for (size_t i = 0; i < to.keys().size(); ++i) {
      const Value* have = v.find(to.keys()[i]);
      if (have == nullptr) {
        if (!to.is_optional(i)) {
          if (secret_from_ != SIZE_MAX) return mismatch(v, to);
          return error(EvalErrorKind::Missing, fmt::format("attribute `{}` is required", to.keys()[i]));
        }
        values.push_back(Value::null(to.elements()[i].without_optional()));
        continue;
      }
      path_.push_back(PathStep::key(to.keys().str(i)));
      PRAVO_TRY(converted, run(*have, to.elements()[i]));
      path_.pop_back();
      values.push_back(converted.is_null() ? converted.without_marks() : std::move(converted));
    }
    return Value::object(to.keys(), std::move(values));
  }

  bool safe_;
  Path path_;
  size_t secret_from_ = SIZE_MAX;  // length of the path where a marked value begins
};

}  // namespace

bool can_convert(const Type& from, const Type& to, bool safe) {
  if (to.is_dynamic() || from == to) return true;
  if (from.is_dynamic()) return !safe;
  TypeKind in = from.kind();
  TypeKind out = to.kind();
  if (from.is_primitive() || to.is_primitive()) {
    if (out == TypeKind::String) return from.is_primitive();
    return !safe && in == TypeKind::String && to.is_primitive();
  }
  if (out == TypeKind::Object && in == TypeKind::Object) {
    for (size_t i = 0; i < to.keys().size(); ++i) {
      size_t at = from.find(to.keys()[i]);
      if (at == Type::npos) {
        if (!to.is_optional(i)) return false;
        continue;
      }
      if (!can_convert(from.elements()[at], to.elements()[i], safe)) return false;
    }
    return true;
  }
  if (out == TypeKind::Tuple && in == TypeKind::Tuple) {
    if (from.elements().size() != to.elements().size()) return false;
    for (size_t i = 0; i < to.elements().size(); ++i)
      if (!can_convert(from.elements()[i], to.elements()[i], safe)) return false;
    return true;
  }
  bool in_sequence = in == TypeKind::List || in == TypeKind::Set;
  if ((out == TypeKind::List && in_sequence) || (out == TypeKind::Map && in == TypeKind::Map))
    return can_convert(from.element(), to.element(), safe);
  if (out == TypeKind::Set && in_sequence)
    return !(in == TypeKind::List && safe) && can_convert(from.element(), to.element(), safe);
  if ((out == TypeKind::List || out == TypeKind::Set) && in == TypeKind::Tuple)
    return convert_tuple_to_collection(from, to.element(), false, safe);
  if (out == TypeKind::Map && in == TypeKind::Object)
    return convert_tuple_to_collection(from, to.element(), true, safe);
  if (out == TypeKind::Object && in == TypeKind::Map) {
    if (safe) return false;
    for (size_t i = 0; i < to.keys().size(); ++i)
      if (!to.is_optional(i) && !can_convert(from.element(), to.elements()[i], false)) return false;
    return true;
  }
  return false;
}

Result<Value> convert(const Value& value, const Type& target) {
  // Most values are what they have to be.
  switch (value.kind()) {
    case ValueKind::Bool:
      if (target.kind() == TypeKind::Bool) return value;
      break;
    case ValueKind::Number:
      if (target.kind() == TypeKind::Number) return value;
      break;
    case ValueKind::String:
      if (target.kind() == TypeKind::String) return value;
      break;
    case ValueKind::Null:
    case ValueKind::Unknown:
    case ValueKind::List:
    case ValueKind::Set:
    case ValueKind::Map:
    case ValueKind::Tuple:
    case ValueKind::Object:
      break;
  }
  return Converter(false).run(value, target);
}

Result<Type> converted_type(const Type& from, const Type& to) {
  PRAVO_TRY(converted, convert(Value::unknown(from), to));
  return converted.type();
}

bool conforms(const Type& given, const Type& wanted) {
  if (wanted.is_dynamic()) return true;
  if (given.kind() != wanted.kind()) return false;
  if (given.is_collection()) return conforms(given.element(), wanted.element());
  if (!given.is_structural()) return true;
  if (given.elements().size() != wanted.elements().size()) return false;
  if (given.kind() == TypeKind::Object && !(given.keys() == wanted.keys())) return false;
  for (size_t i = 0; i < given.elements().size(); ++i)
    if (!conforms(given.elements()[i], wanted.elements()[i])) return false;
  return true;
}

}  // namespace pravo
