#include "ir/type_shape.h"

namespace pravo {

bool has_shape(const Type& type) {
  switch (type.kind()) {
    case TypeKind::Object:
    case TypeKind::Tuple:
      return true;
    case TypeKind::List:
    case TypeKind::Map:
    case TypeKind::Set:
      return has_shape(type.element());
    case TypeKind::Dynamic:
    case TypeKind::Bool:
    case TypeKind::Number:
    case TypeKind::String:
      return false;
  }
  PRAVOC_UNREACHABLE();
}

bool has_marked_shape(const Value& value) {
  bool found = false;
  value.walk([&](std::span<const PathStep>, const Value& part) {
    found = found || (any(part.marks()) && has_shape(part.type()));
    return !found && any(part.deep_marks());
  });
  return found;
}

}  // namespace pravo
