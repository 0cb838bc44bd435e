// A demand names a place in a value where a mark was found: the question "how did it get there?".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "passes/mark_tree.h"

namespace pravo::passes {

struct Demand {
  // From the value to the place: a child by key, or any child.
  std::vector<std::optional<FieldKey>> path;
  // Marks of the values on the way count too, since reading a child joins them: all but those of the first `skip`.
  uint32_t skip = 0;
  // Marks below the place count.
  bool deep = false;

  bool operator==(const Demand&) const = default;

  // The value's own marks, or all of its marks.
  static Demand own() { return {}; }
  static Demand anywhere() { return {{}, 0, true}; }

  // Whether the marks of the value itself count.
  bool wants_own() const { return skip == 0; }
  // The same place seen from a value whose child (or any child) this one was read from.
  Demand of_parent(std::optional<FieldKey> key) const;
  // The same, where reading did not join the marks of the parent (elements that a loop binds).
  Demand of_raw_parent(std::optional<FieldKey> key) const;
  // The place seen from the child that the path goes through first; the path must not be empty.
  Demand of_child() const;
  Demand without_own() const;
};

// Whether a tree carries one of the marks there. Symbols are not counted.
bool carries(const MarkTrees& trees, MarkTreeId tree, const Demand& demand, MarkSet marks);

// The outermost places in a tree that carry the mark themselves, at most `limit`.
std::vector<Demand> find_places(const MarkTrees& trees, MarkTreeId tree, MarkSet mark, size_t limit);
// As it follows a value: `.a[0]`, `[*]` for any child.
std::string place_text(const Demand& demand, const Names& names);

}  // namespace pravo::passes
