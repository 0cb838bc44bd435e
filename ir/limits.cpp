#include "ir/limits.h"

#include <algorithm>

#include <fmt/format.h>

#include "ir/value_node.h"

namespace pravo {

uint32_t weight_of(const Value& v) {
  constexpr uint32_t kScalar = sizeof(Value) / kWeightUnit;
  constexpr uint32_t kNode = 2;  // header of a node on the heap, and what the allocator adds
  switch (v.kind()) {
    case ValueKind::Null:
    case ValueKind::Unknown: {
      const TypeNode* type = v.type().node();
      uint64_t weight = uint64_t{kScalar} + (type == nullptr || type->immortal ? 0 : type->weight);
      return static_cast<uint32_t>(std::min<uint64_t>(weight, UINT32_MAX));
    }
    case ValueKind::Bool:
      return kScalar;
    case ValueKind::Number:
      return v.as_number().is_small() ? kScalar : kScalar + kNode + 4;
    case ValueKind::String: {
      size_t bytes = v.as_string().size();
      return bytes == 0 ? kScalar : kScalar + kNode + static_cast<uint32_t>(bytes / kWeightUnit);
    }
    case ValueKind::List:
    case ValueKind::Set:
    case ValueKind::Map:
    case ValueKind::Tuple:
    case ValueKind::Object:
      return ValueAccess::compound(v)->weight;
  }
  PRAVOC_UNREACHABLE();
}

uint64_t size_of(const Value& value) {
  uint32_t weight = weight_of(value);
  return weight == UINT32_MAX ? UINT64_MAX : uint64_t{weight} * kWeightUnit;
}

std::unique_ptr<EvalError> too_deep() {
  return fail(EvalErrorKind::Limit, fmt::format("the value nests more than {} levels deep", kMaxDepth));
}

std::unique_ptr<EvalError> too_large_text() {
  return fail(EvalErrorKind::Limit, fmt::format("the string would be larger than {} MiB", kMaxText >> 20));
}

std::unique_ptr<EvalError> too_many_elements() {
  return fail(EvalErrorKind::Limit, fmt::format("the result would have more than {} elements", kMaxElements));
}

std::unique_ptr<EvalError> too_large_value() {
  return fail(EvalErrorKind::Limit,
              fmt::format("the value with everything in it would be larger than {} MiB", kMaxSize >> 20));
}

std::unique_ptr<EvalError> too_many_steps() {
  return fail(EvalErrorKind::Limit, fmt::format("evaluating this takes more than {} steps", kMaxSteps));
}

uint64_t steps_to_make(const Value& result, const Value& source) {
  bool same =
      result.is_compound() && source.is_compound() && ValueAccess::compound(result) == ValueAccess::compound(source);
  return same ? 0 : weight_of(result);
}

uint64_t steps_to_read(const Value& value) { return weight_of(value); }

std::unique_ptr<EvalError> over_limits(const Value& value) {
  if (value.depth() > kMaxDepth) return too_deep();
  if (value.kind() == ValueKind::String && value.as_string().size() > kMaxText) return too_large_text();
  if (value.is_compound() && value.length() > kMaxElements) return too_many_elements();
  if (size_of(value) > kMaxSize) return too_large_value();
  return nullptr;
}

bool SizeCount::add(const Value& value) { return add(1, size_of(value)); }

bool SizeCount::add(uint64_t count, uint64_t size) {
  // What is over the limit already only has to stay there.
  if (size > kMaxSize || (size > 0 && count > kMaxSize / size) || !within())
    size_ = kMaxSize + 1;
  else
    size_ += count * size;
  return within();
}

}  // namespace pravo
