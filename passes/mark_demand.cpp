#include "passes/mark_demand.h"

#include <algorithm>

namespace pravo::passes {

namespace {

// Longer paths lose their end and then mean everything below.
constexpr size_t kMaxPath = 32;

bool carries_from(const MarkTrees& trees, MarkTreeId tree, const Demand& demand, MarkSet marks, size_t at) {
  const MarkNode& node = trees[tree];
  if (!any(node.deep & marks)) return false;
  if (at >= demand.skip && any(node.whole & marks)) return true;
  bool end = at == demand.path.size();
  if (end && !demand.deep) return false;
  auto child = [&](MarkTreeId id) {
    return end ? trees.has(id, marks) : carries_from(trees, id, demand, marks, at + 1);
  };
  if (!end && demand.path[at]) return child(trees.stored_child(tree, *demand.path[at]));
  return child(node.each) ||
         std::any_of(node.fields.begin(), node.fields.end(), [&](const auto& field) { return child(field.second); });
}

void collect_places(const MarkTrees& trees, MarkTreeId tree, MarkSet mark, size_t limit, Demand at,
                    std::vector<Demand>& out) {
  if (!trees.has(tree, mark) || out.size() >= limit) return;
  if (trees.has_own(tree, mark)) {
    at.skip = static_cast<uint32_t>(at.path.size());
    out.push_back(std::move(at));
    return;
  }
  auto child = [&](std::optional<FieldKey> key, MarkTreeId id) {
    Demand next = at;
    next.path.push_back(key);
    collect_places(trees, id, mark, limit, std::move(next), out);
  };
  for (const auto& [key, id] : trees[tree].fields) child(key, id);
  child(std::nullopt, trees[tree].each);
}

}  // namespace

std::vector<Demand> find_places(const MarkTrees& trees, MarkTreeId tree, MarkSet mark, size_t limit) {
  std::vector<Demand> places;
  collect_places(trees, tree, mark, limit, {}, places);
  return places;
}

std::string place_text(const Demand& demand, const Names& names) {
  std::string text;
  for (const std::optional<FieldKey>& key : demand.path) text += key ? key_text(*key, names) : "[*]";
  return text;
}

Demand Demand::of_parent(std::optional<FieldKey> key) const {
  Demand result;
  result.path.push_back(key);
  result.path.insert(result.path.end(), path.begin(), path.end());
  result.skip = skip == 0 ? 0 : skip + 1;
  result.deep = deep;
  if (result.path.size() > kMaxPath) {
    result.path.resize(kMaxPath);
    result.deep = true;
  }
  return result;
}

Demand Demand::of_raw_parent(std::optional<FieldKey> key) const {
  Demand result = of_parent(key);
  result.skip = skip + 1;
  return result;
}

Demand Demand::of_child() const { return {{path.begin() + 1, path.end()}, skip == 0 ? 0 : skip - 1, deep}; }

Demand Demand::without_own() const { return {path, std::max(skip, 1U), deep}; }

bool carries(const MarkTrees& trees, MarkTreeId tree, const Demand& demand, MarkSet marks) {
  return carries_from(trees, tree, demand, marks, 0);
}

}  // namespace pravo::passes
