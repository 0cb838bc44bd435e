// Marks at any depth, and walking and rebuilding values.
#include <algorithm>

#include <fmt/format.h>

#include "ir/check.h"
#include "ir/json_codec.h"
#include "ir/value_node.h"

namespace pravo {

namespace {

// A compound like `v`, marks included, with other elements of the same types.
Value with_elements(const Value& v, std::vector<Value> elements) {
  switch (v.kind()) {
    case ValueKind::List:
      return Value::list(v.type().element(), std::move(elements)).with_marks(v.marks());
    case ValueKind::Set:
      return Value::set(v.type().element(), std::move(elements)).with_marks(v.marks());
    case ValueKind::Map:
      return Value::map(v.type().element(), v.keys(), std::move(elements)).with_marks(v.marks());
    case ValueKind::Tuple:
      return Value::tuple(std::move(elements)).with_marks(v.marks());
    case ValueKind::Object:
      return Value::object(v.keys(), std::move(elements)).with_marks(v.marks());
    case ValueKind::Null:
    case ValueKind::Unknown:
    case ValueKind::Bool:
    case ValueKind::Number:
    case ValueKind::String:
      break;
  }
  PRAVOC_UNREACHABLE();
}

PathStep step_to(const Value& v, size_t i) {
  switch (v.kind()) {
    case ValueKind::Map:
      return PathStep::key(v.key(i));
    case ValueKind::Object:
      return PathStep::attribute(v.key(i));
    case ValueKind::List:
    case ValueKind::Set:
    case ValueKind::Tuple:
    case ValueKind::Null:
    case ValueKind::Unknown:
    case ValueKind::Bool:
    case ValueKind::Number:
    case ValueKind::String:
      return PathStep::at(i);
  }
  PRAVOC_UNREACHABLE();
}

// The element that a step leads to, or length().
size_t element_at(const Value& v, const PathStep& step) {
  switch (v.kind()) {
    case ValueKind::List:
    case ValueKind::Tuple:
      return step.kind == PathStep::Kind::Index ? std::min<size_t>(step.index, v.length()) : v.length();
    case ValueKind::Map:
    case ValueKind::Object: {
      if (step.kind == PathStep::Kind::Index) return v.length();
      size_t i = v.keys().find(step.name);
      return i == KeySet::npos ? v.length() : i;
    }
    case ValueKind::Set:
    case ValueKind::Null:
    case ValueKind::Unknown:
    case ValueKind::Bool:
    case ValueKind::Number:
    case ValueKind::String:
      return v.is_compound() ? v.length() : 0;
  }
  PRAVOC_UNREACHABLE();
}

Value unmark(const Value& v, Path& path, std::vector<PathMarks>& found) {
  if (any(v.marks())) found.push_back({path, v.marks()});
  if (!v.is_compound() || !any(ValueAccess::compound(v)->element_marks)) return v.without_marks();
  std::vector<Value> elements;
  elements.reserve(v.length());
  for (size_t i = 0; i < v.length(); ++i) {
    const Value& element = v.element(i);
    if (!any(element.deep_marks())) {
      elements.push_back(element);
      continue;
    }
    path.push_back(step_to(v, i));
    elements.push_back(unmark(element, path, found));
    path.pop_back();
  }
  return with_elements(v.without_marks(), std::move(elements));
}

// Applies the marks whose paths begin with the steps so far; `depth` is their number.
Value mark(const Value& v, std::span<const PathMarks*> marks, size_t depth) {
  MarkSet own = MarkSet::None;
  // Those that lead on, by the element they lead to.
  std::vector<std::pair<size_t, const PathMarks*>> inner;
  for (const PathMarks* m : marks) {
    size_t i = m->path.size() > depth && v.is_compound() ? element_at(v, m->path[depth]) : SIZE_MAX;
    if (v.is_compound() && i < v.length())
      inner.emplace_back(i, m);
    else
      own |= m->marks;
  }
  if (inner.empty()) return v.with_marks(own);
  std::stable_sort(inner.begin(), inner.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Value> elements(v.elements().begin(), v.elements().end());
  for (size_t begin = 0; begin < inner.size();) {
    size_t end = begin;
    std::vector<const PathMarks*> group;
    for (; end < inner.size() && inner[end].first == inner[begin].first; ++end) group.push_back(inner[end].second);
    size_t i = inner[begin].first;
    elements[i] = mark(elements[i], group, depth + 1);
    begin = end;
  }
  return with_elements(v, std::move(elements)).with_marks(own);
}

Value transform_at(const Value& v, Path& path, llvm::function_ref<Value(std::span<const PathStep>, const Value&)> f) {
  if (!v.is_compound() || v.length() == 0) return f(path, v);
  std::vector<Value> elements;
  elements.reserve(v.length());
  for (size_t i = 0; i < v.length(); ++i) {
    path.push_back(step_to(v, i));
    elements.push_back(transform_at(v.element(i), path, f));
    path.pop_back();
  }
  switch (v.kind()) {
    case ValueKind::List:
    case ValueKind::Set:
    case ValueKind::Map: {
      // The elements may have become of another type, all of the same.
      Type element = elements[0].type();
      Value rebuilt = v.kind() == ValueKind::List  ? Value::list(element, std::move(elements))
                      : v.kind() == ValueKind::Set ? Value::set(element, std::move(elements))
                                                   : Value::map(element, v.keys(), std::move(elements));
      return f(path, rebuilt.with_marks(v.marks()));
    }
    default:
      return f(path, with_elements(v, std::move(elements)));
  }
}

void walk_at(const Value& v, Path& path, llvm::function_ref<bool(std::span<const PathStep>, const Value&)> f) {
  if (!f(path, v) || !v.is_compound()) return;
  for (size_t i = 0; i < v.length(); ++i) {
    path.push_back(step_to(v, i));
    walk_at(v.element(i), path, f);
    path.pop_back();
  }
}

}  // namespace

Value Value::without_deep_marks() const { return without_deep_marks(MarkSet::Both); }

Value Value::without_deep_marks(MarkSet drop) const {
  if (!any(deep_marks() & drop)) return *this;
  if (!is_compound() || !any(payload_.compound->element_marks & drop)) return without_marks(drop);
  std::vector<Value> elements;
  elements.reserve(length());
  for (const Value& v : this->elements()) elements.push_back(v.without_deep_marks(drop));
  return with_elements(without_marks(drop), std::move(elements));
}

std::pair<Value, std::vector<PathMarks>> Value::unmark_with_paths() const {
  std::vector<PathMarks> found;
  if (!any(deep_marks())) return {*this, std::move(found)};
  Path path;
  Value plain = unmark(*this, path, found);
  return {std::move(plain), std::move(found)};
}

Value Value::mark_with_paths(std::span<const PathMarks> marks) const {
  if (marks.empty()) return *this;
  std::vector<const PathMarks*> pointers;
  pointers.reserve(marks.size());
  for (const PathMarks& m : marks) pointers.push_back(&m);
  return mark(*this, pointers, 0);
}

Value Value::transform(llvm::function_ref<Value(std::span<const PathStep>, const Value&)> f) const {
  Path path;
  return transform_at(*this, path, f);
}

void Value::walk(llvm::function_ref<bool(std::span<const PathStep>, const Value&)> f) const {
  Path path;
  walk_at(*this, path, f);
}

Value Value::unknown_as_null() const {
  if (is_wholly_known()) return *this;
  if (is_unknown()) return null(type()).with_marks(marks_);
  std::vector<Value> elements;
  elements.reserve(length());
  for (const Value& v : this->elements()) elements.push_back(v.unknown_as_null());
  return with_elements(*this, std::move(elements));
}

std::string path_to_string(std::span<const PathStep> path) {
  std::string out;
  for (const PathStep& step : path) {
    switch (step.kind) {
      case PathStep::Kind::Attribute:
        out += '.';
        out += step.name.view();
        break;
      case PathStep::Kind::Index:
        out += fmt::format("[{}]", step.index);
        break;
      case PathStep::Kind::Key:
        out += '[';
        append_json_string(out, step.name, false);
        out += ']';
        break;
    }
  }
  return out;
}

}  // namespace pravo
