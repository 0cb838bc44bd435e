// Structural comparison and hashing of values, and what is known of unknown ones.
#include <algorithm>

#include "ir/check.h"
#include "ir/unicode.h"
#include "ir/value_node.h"

namespace pravo {

bool Refinements::operator==(const Refinements& other) const {
  return not_null == other.not_null && prefix == other.prefix && lower == other.lower && upper == other.upper &&
         lower_inclusive == other.lower_inclusive && upper_inclusive == other.upper_inclusive &&
         min_length == other.min_length && max_length == other.max_length;
}

bool Value::equals_raw(const Value& other) const {
  if (kind_ != other.kind_ || marks_ != other.marks_) return false;
  switch (kind_) {
    case ValueKind::Null:
      return type() == other.type();
    case ValueKind::Unknown:
      return type() == other.type() && refinements() == other.refinements();
    case ValueKind::Bool:
      return payload_.boolean == other.payload_.boolean;
    case ValueKind::Number:
      if (!big_ && !other.big_) return payload_.number.value == other.payload_.number.value;
      return as_number() == other.as_number();
    case ValueKind::String:
      return payload_.string == other.payload_.string || as_string() == other.as_string();
    case ValueKind::List:
    case ValueKind::Set:
    case ValueKind::Map:
    case ValueKind::Tuple:
    case ValueKind::Object:
      break;
  }
  const CompoundData* a = payload_.compound;
  const CompoundData* b = other.payload_.compound;
  if (a == b) return true;
  if (a->count != b->count || a->element_marks != b->element_marks || a->wholly_known != b->wholly_known) return false;
  bool collection = kind_ != ValueKind::Tuple && kind_ != ValueKind::Object;
  if (collection && !(type() == other.type())) return false;
  if (a->keys != b->keys && !(KeySet::share(a->keys) == KeySet::share(b->keys))) return false;
  return std::equal(a->all().begin(), a->all().end(), b->all().begin(),
                    [](const Value& x, const Value& y) { return x.equals_raw(y); });
}

uint64_t Value::hash() const {
  auto mix = [](uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0xFF51AFD7ED558CCD;
    return hash ^ (hash >> 32);
  };
  uint64_t hash = static_cast<uint64_t>(kind_) + 0x9E3779B97F4A7C15;
  switch (kind_) {
    case ValueKind::Null:
    case ValueKind::Unknown:
      return mix(hash, type().hash());
    case ValueKind::Bool:
      return mix(hash, payload_.boolean ? 1 : 2);
    case ValueKind::Number:
      return mix(hash, as_number().hash());
    case ValueKind::String:
      return mix(hash, as_str().hash());
    case ValueKind::List:
    case ValueKind::Set:
    case ValueKind::Map:
    case ValueKind::Tuple:
    case ValueKind::Object:
      break;
  }
  const CompoundData* data = payload_.compound;
  if (data->keys != nullptr) hash = mix(hash, KeySet::share(data->keys).hash());
  for (const Value& v : data->all()) hash = mix(hash, v.hash());
  return mix(hash, data->count);
}

// --- unknown values

const Refinements& Value::refinements() const {
  static const Refinements none;
  PRAVOC_CHECK(is_unknown());
  return big_ ? payload_.unknown->refinements : none;
}

Value Value::unknown(Type type, Refinements refinements) {
  // Only what applies to the type stays.
  switch (type.kind()) {
    case TypeKind::Dynamic:
      return unknown(std::move(type));
    case TypeKind::String:
      refinements.lower.reset();
      refinements.upper.reset();
      break;
    case TypeKind::Number:
      refinements.prefix = Str();
      break;
    case TypeKind::Bool:
    case TypeKind::List:
    case TypeKind::Set:
    case TypeKind::Map:
    case TypeKind::Tuple:
    case TypeKind::Object:
      refinements.prefix = Str();
      refinements.lower.reset();
      refinements.upper.reset();
      break;
  }
  if (!refinements.lower) refinements.lower_inclusive = false;
  if (!refinements.upper) refinements.upper_inclusive = false;
  if (!type.is_collection()) {
    refinements.min_length = 0;
    refinements.max_length = UINT64_MAX;
  }
  // Bounds that contradict each other say nothing.
  if (refinements.lower && refinements.upper && refinements.lower->compare(*refinements.upper) > 0) {
    refinements.lower.reset();
    refinements.upper.reset();
  }
  if (refinements.min_length > refinements.max_length) {
    refinements.min_length = 0;
    refinements.max_length = UINT64_MAX;
  }
  if (refinements.empty()) return unknown(std::move(type));

  if (refinements.not_null) {
    if (refinements.lower && refinements.upper && refinements.lower_inclusive && refinements.upper_inclusive &&
        *refinements.lower == *refinements.upper)
      return number(*refinements.lower);
    if (type.is_collection() && refinements.min_length == refinements.max_length) {
      uint64_t length = refinements.min_length;
      const Type& element = type.element();
      if (type.kind() == TypeKind::List && length <= kMaxKnownLength)
        return list(element, std::vector<Value>(length, unknown(element)));
      if (type.kind() == TypeKind::Set && length <= 1)
        return set(element, std::vector<Value>(length, unknown(element)));
      if (type.kind() == TypeKind::Map && length == 0) return map(element, KeySet(), {});
    }
  }
  auto* data = new UnknownData;
  data->type = std::move(type);
  data->refinements = std::move(refinements);
  Value v(ValueKind::Unknown);
  v.big_ = v.heap_ = true;
  v.payload_.unknown = data;
  return v;
}

Refinements Value::range() const {
  if (is_unknown()) return refinements();
  Refinements all;
  if (is_null()) return all;
  all.not_null = true;
  switch (kind_) {
    case ValueKind::String:
      all.prefix = as_str();
      break;
    case ValueKind::Number:
      all.lower = all.upper = as_number();
      all.lower_inclusive = all.upper_inclusive = true;
      break;
    case ValueKind::Set:
      // Unknown elements may turn out to be repetitions.
      if (!is_wholly_known() && length() > 1) break;
      [[fallthrough]];
    case ValueKind::List:
    case ValueKind::Map:
      all.min_length = all.max_length = length();
      break;
    case ValueKind::Null:
    case ValueKind::Unknown:
    case ValueKind::Bool:
    case ValueKind::Tuple:
    case ValueKind::Object:
      break;
  }
  return all;
}

Value Value::refine(const Refinements& more) const {
  if (!is_unknown()) return *this;
  Refinements all = refinements();
  all.not_null |= more.not_null;
  if (more.prefix.size() > all.prefix.size()) all.prefix = more.prefix;
  if (more.lower) {
    int order = all.lower ? more.lower->compare(*all.lower) : 1;
    if (order > 0 || (order == 0 && all.lower_inclusive)) {
      all.lower = more.lower;
      all.lower_inclusive = more.lower_inclusive;
    }
  }
  if (more.upper) {
    int order = all.upper ? more.upper->compare(*all.upper) : -1;
    if (order < 0 || (order == 0 && all.upper_inclusive)) {
      all.upper = more.upper;
      all.upper_inclusive = more.upper_inclusive;
    }
  }
  all.min_length = std::max(all.min_length, more.min_length);
  all.max_length = std::min(all.max_length, more.max_length);
  return unknown(type(), std::move(all)).with_marks(marks_);
}

Value Value::refine_not_null() const {
  if (!is_unknown() || refinements().not_null) return *this;
  Refinements more;
  more.not_null = true;
  return refine(more);
}

}  // namespace pravo
