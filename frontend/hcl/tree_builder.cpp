#include "frontend/hcl/tree_builder.h"

#include <unordered_map>

namespace pravo::hcl {

namespace {

std::string_view name_of(std::string_view text, const Words& words, uint32_t attribute) {
  uint32_t name = NodeLayout::child(words, attribute, 0);
  return text.substr(words[name + NodeLayout::kBegin],
                     words[name + NodeLayout::kEnd] - words[name + NodeLayout::kBegin]);
}

}  // namespace

void find_repeated_attributes(std::string_view text, const Words& words, std::span<const uint32_t> attributes,
                              BuildResult& result) {
  constexpr size_t kFew = 12;  // so few are compared with each other faster than hashed
  if (attributes.size() <= kFew) {
    std::string_view names[kFew];
    for (size_t i = 0; i < attributes.size(); ++i) {
      names[i] = name_of(text, words, attributes[i]);
      for (size_t j = 0; j < i; ++j) {
        if (names[j] != names[i]) continue;
        result.repeated_attributes.push_back(
            {NodeLayout::child(words, attributes[j], 0), NodeLayout::child(words, attributes[i], 0)});
        break;
      }
    }
    return;
  }
  std::unordered_map<std::string_view, uint32_t> seen;
  seen.reserve(attributes.size());
  for (uint32_t attribute : attributes) {
    auto [at, fresh] = seen.emplace(name_of(text, words, attribute), NodeLayout::child(words, attribute, 0));
    if (!fresh) result.repeated_attributes.push_back({at->second, NodeLayout::child(words, attribute, 0)});
  }
}

}  // namespace pravo::hcl
