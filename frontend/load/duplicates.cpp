#include <unordered_map>

#include "frontend/load/merge.h"
#include "ir/diagnostics/load.h"

#include <fmt/format.h>

namespace pravo::load {

namespace {

// A declaration's identity: up to three small numbers.
struct Key {
  uint32_t a = 0;
  uint32_t b = 0;
  uint32_t c = 0;
  bool operator==(const Key&) const = default;
};
struct KeyHash {
  size_t operator()(const Key& key) const noexcept {
    uint64_t x = ((uint64_t{key.a} << 32) | key.b) * 0x9E3779B97F4A7C15ull;
    return static_cast<size_t>((x ^ (x >> 29) ^ key.c) * 0xBF58476D1CE4E5B9ull);
  }
};

// Keeps the first of each key; `report(again, first)` tells of the others. What `moved(old, new)` is told of keeps
// indexes elsewhere right; new is UINT32_MAX for what was dropped.
template <class T, class KeyOf, class Report, class Moved>
void keep_first(std::vector<T>& list, KeyOf key_of, Report report, Moved moved) {
  if (list.size() < 2) return;
  std::unordered_map<Key, uint32_t, KeyHash> seen;
  seen.reserve(list.size());
  uint32_t kept = 0;
  for (uint32_t i = 0; i < list.size(); ++i) {
    auto [first, fresh] = seen.try_emplace(key_of(list[i]), kept);
    if (!fresh) {
      report(list[i], list[first->second]);
      moved(i, UINT32_MAX);
      continue;
    }
    if (kept != i) {
      list[kept] = std::move(list[i]);
      moved(i, kept);
    }
    ++kept;
  }
  list.resize(kept);
}

template <class T, class KeyOf, class Report>
void keep_first(std::vector<T>& list, KeyOf key_of, Report report) {
  keep_first(list, key_of, report, [](uint32_t, uint32_t) {});
}

std::string_view block_of(ResourceMode mode) {
  switch (mode) {
    case ResourceMode::Managed:
      return "resource";
    case ResourceMode::Data:
      return "data source";
    case ResourceMode::Ephemeral:
      return "ephemeral resource";
  }
  PRAVOC_UNREACHABLE();
}

}  // namespace

void drop_duplicates(Module& module, const Names& names, Diagnostics& diags) {
  auto report = [&](SourceRange again, SourceRange first, std::string_view kind, std::string_view name) {
    diags.emit(again, diag::DuplicateDeclaration, kind, name).note(first, "first declared here");
  };
  auto by_name = [](const auto& declaration) { return Key{declaration.name.id.index}; };
  auto named = [&](std::string_view kind) {
    return [&, kind](const auto& again, const auto& first) {
      report(again.header, first.header, kind, names.text(again.name.id));
    };
  };
  keep_first(module.variables, by_name, named("variable"));
  keep_first(module.outputs, by_name, named("output"));
  keep_first(module.calls, by_name, named("module call"));
  keep_first(module.locals, by_name, [&](const Local& again, const Local& first) {
    report(again.range, first.range, "local value", names.text(again.name.id));
  });
  keep_first(
      module.providers,
      [](const ProviderConfig& p) {
        return Key{p.local_name.id.index, p.alias.id.index};
      },
      [&](const ProviderConfig& again, const ProviderConfig& first) {
        std::string name(names.text(again.local_name.id));
        if (again.alias.valid()) name += fmt::format(".{}", names.text(again.alias.id));
        report(again.header, first.header, "provider configuration", name);
      });
  keep_first(module.checks, by_name, named("check"), [&](uint32_t from, uint32_t to) {
    for (Resource& resource : module.resources)
      if (resource.check == from) resource.check = to == UINT32_MAX ? std::nullopt : std::optional(to);
  });
  std::vector<std::pair<uint32_t, uint32_t>> moves;
  keep_first(
      module.resources,
      [](const Resource& r) {
        return Key{r.type.id.index, r.name.id.index, static_cast<uint32_t>(r.mode)};
      },
      [&](const Resource& again, const Resource& first) {
        report(again.header, first.header, block_of(again.mode),
               fmt::format("{}.{}", names.text(again.type.id), names.text(again.name.id)));
      },
      [&](uint32_t from, uint32_t to) { moves.emplace_back(from, to); });
  if (moves.empty()) return;
  std::unordered_map<uint32_t, uint32_t> moved(moves.begin(), moves.end());
  for (Check& check : module.checks) {
    if (!check.data_resource) continue;
    auto at = moved.find(*check.data_resource);
    if (at == moved.end()) continue;
    if (at->second == UINT32_MAX)
      check.data_resource.reset();
    else
      check.data_resource = at->second;
  }
}

}  // namespace pravo::load
