#include "runtime/exec/object_parts.h"

namespace pravo::runtime {

Value with_sensitive_of(const Value& value, const Value& marked) {
  if (value.is_null() || !any(marked.deep_marks() & MarkSet::Sensitive)) return value;
  std::vector<PathMarks> marks = marked.unmark_with_paths().second;
  for (PathMarks& m : marks) m.marks = m.marks & MarkSet::Sensitive;
  return value.mark_with_paths(marks);
}

std::string_view id_of(const Value& object) {
  if (!object.is_compound()) return {};
  const Value* id = object.find("id");
  if (id == nullptr || id->kind() != ValueKind::String || any(id->marks())) return {};
  return id->as_string();
}

}  // namespace pravo::runtime
