#include "ir/misfit.h"

#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "ir/convert.h"

namespace pravo {

namespace {

std::string with_article(const std::string& noun) {
  bool vowel = !noun.empty() && std::string_view("aeiou").find(noun[0]) != std::string_view::npos;
  return (vowel ? "an " : "a ") + noun;
}

std::string attribute_step(std::string_view name) {
  PathStep step = PathStep::attribute(Str(name));
  return path_to_string({&step, 1});
}

std::string key_step(std::string_view name) {
  PathStep step = PathStep::key(Str(name));
  return path_to_string({&step, 1});
}

std::string index_step(size_t i) { return fmt::format("[{}]", i); }

// A path as it stands alone: without the dot that joins it to the name of the whole.
std::string_view alone(std::string_view path) { return path.starts_with('.') ? path.substr(1) : path; }

Misfit here(std::string need) { return {{}, {}, std::move(need), {}}; }

Misfit within(std::string step, Misfit inner) {
  inner.inside = std::move(step) + inner.inside;
  return inner;
}

Misfit required(const Type& from, const Type& to) {
  std::string wanted = described_constraint(to);
  if (from.is_dynamic()) return here(fmt::format("{} is required", wanted));
  std::string have = described(from);
  if (have == wanted) return here(fmt::format("{} with other contents is required", wanted));
  return here(fmt::format("{} is required, but this is {}", wanted, have));
}

std::string names_list(const std::vector<std::string_view>& names) {
  std::string list;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += i + 1 == names.size() ? " and " : ", ";
    list += fmt::format("`{}`", names[i]);
  }
  return list;
}

std::string missing_text(const std::vector<std::string_view>& names) {
  return names.size() == 1 ? fmt::format("attribute `{}` is required", names[0])
                           : fmt::format("attributes {} are required", names_list(names));
}

// Attributes that `to` requires and `has` denies.
template <class Has>
std::vector<std::string_view> missing_names(const Type& to, Has has) {
  std::vector<std::string_view> missing;
  for (size_t i = 0; i < to.keys().size(); ++i)
    if (!to.is_optional(i) && !has(to.keys()[i])) missing.push_back(to.keys()[i]);
  return missing;
}

Misfit object_misfit(const Type& from, const Type& to) {
  auto missing = missing_names(to, [&](std::string_view name) { return from.find(name) != Type::npos; });
  if (!missing.empty()) return here(missing_text(missing));
  for (size_t i = 0; i < to.keys().size(); ++i) {
    size_t at = from.find(to.keys()[i]);
    if (at != Type::npos && !can_convert(from.elements()[at], to.elements()[i]))
      return within(attribute_step(to.keys()[i]), type_misfit(from.elements()[at], to.elements()[i]));
  }
  return required(from, to);
}

// Why elements of a tuple or an object do not become those of a collection.
Misfit elements_misfit(const Type& from, const Type& to) {
  bool mapping = to.kind() == TypeKind::Map;
  auto step = [&](size_t i) { return mapping ? key_step(from.keys()[i]) : index_step(i); };
  std::span<const Type> elements = from.elements();
  if (!to.element().is_dynamic()) {
    for (size_t i = 0; i < elements.size(); ++i)
      if (!can_convert(elements[i], to.element())) return within(step(i), type_misfit(elements[i], to.element()));
    return required(from, to);
  }
  std::string_view kind = mapping ? "map" : to.kind() == TypeKind::List ? "list" : "set";
  std::string need = fmt::format("all elements of the {} must be of the same type", kind);
  for (size_t i = 1; i < elements.size(); ++i) {
    Type pair[] = {elements[0], elements[i]};
    if (unify(pair, false)) continue;
    std::string first = step(0);
    std::string other = step(i);
    if (described(pair[0]) != described(pair[1]))
      return here(fmt::format("{}, but `{}` is {} and `{}` is {}", need, alone(first), described(pair[0]), alone(other),
                              described(pair[1])));
    return here(
        fmt::format("{}; of `{}` and `{}`, {}", need, alone(first), alone(other), type_difference(pair[0], pair[1])));
  }
  return here(need);
}

class MisfitSearch {
 public:
  explicit MisfitSearch(size_t limit) : limit_(limit) {}

  void search(const Value& v, const Type& to) {
    if (found_.size() >= limit_) return;
    Result<Value> converted = convert(v, to);
    if (converted) return;
    size_t before = found_.size();
    // What is inside a marked value is not for a message.
    if (v.is_compound() && !any(v.marks())) parts(v, to);
    if (found_.size() > before) return;
    const EvalError& error = converted.error();
    found_.push_back({path_, error.path, error.message, {}});
  }

  std::vector<Misfit> take() && { return std::move(found_); }

 private:
  void part(PathStep step, const Value& v, const Type& to) {
    path_.push_back(std::move(step));
    search(v, to);
    path_.pop_back();
  }

  void parts(const Value& v, const Type& to) {
    bool keyed = v.kind() == ValueKind::Object || v.kind() == ValueKind::Map;
    bool sequence = v.kind() == ValueKind::Tuple || v.kind() == ValueKind::List;
    if (keyed && to.kind() == TypeKind::Object) return attributes(v, to);
    if (keyed && to.kind() == TypeKind::Map) {
      for (size_t i = 0; i < v.length(); ++i) part(PathStep::key(v.key(i)), v.element(i), to.element());
      return;
    }
    if (!sequence) return;
    if (to.kind() == TypeKind::List || to.kind() == TypeKind::Set) {
      for (size_t i = 0; i < v.length(); ++i) part(PathStep::at(i), v.element(i), to.element());
    } else if (to.kind() == TypeKind::Tuple && v.kind() == ValueKind::Tuple && v.length() == to.elements().size()) {
      for (size_t i = 0; i < v.length(); ++i) part(PathStep::at(i), v.element(i), to.elements()[i]);
    }
  }

  void attributes(const Value& v, const Type& to) {
    auto missing = missing_names(to, [&](std::string_view name) { return v.find(name) != nullptr; });
    if (!missing.empty()) found_.push_back({path_, {}, missing_text(missing), {missing.begin(), missing.end()}});
    for (size_t i = 0; i < to.keys().size(); ++i)
      if (const Value* have = v.find(to.keys()[i]))
        part(PathStep::attribute(to.keys().str(i)), *have, to.elements()[i]);
  }

  size_t limit_;
  Path path_;
  std::vector<Misfit> found_;
};

// The first place where two types differ. A path that ends at an attribute that one of them lacks has no types.
struct Difference {
  std::string path;
  std::optional<std::pair<Type, Type>> types;
  bool first_has = false;
};

std::optional<Difference> find_difference(const Type& first, const Type& second) {
  if (first == second) return std::nullopt;
  auto inside = [](std::string step, std::optional<Difference> inner) {
    if (inner) inner->path = std::move(step) + inner->path;
    return inner;
  };
  if (first.kind() == second.kind()) {
    if (first.is_collection()) return inside("[*]", find_difference(first.element(), second.element()));
    if (first.kind() == TypeKind::Object) {
      for (std::string_view name : first.keys().all())
        if (second.find(name) == Type::npos) return Difference{attribute_step(name), std::nullopt, true};
      for (std::string_view name : second.keys().all())
        if (first.find(name) == Type::npos) return Difference{attribute_step(name), std::nullopt, false};
    }
    if (first.is_structural() && first.elements().size() == second.elements().size()) {
      for (size_t i = 0; i < first.elements().size(); ++i) {
        std::string step = first.kind() == TypeKind::Object ? attribute_step(first.keys()[i]) : index_step(i);
        Type pair[] = {first.elements()[i], second.elements()[i]};
        if (unify(pair, false)) continue;
        return inside(std::move(step), find_difference(pair[0], pair[1]));
      }
    }
  }
  return Difference{{}, std::pair(first, second), false};
}

}  // namespace

std::string described(const Type& type) {
  return type.is_dynamic() ? "a value of any type" : with_article(type.friendly_name());
}

std::string described_constraint(const Type& type) {
  return type.is_dynamic() ? "any type" : with_article(type.friendly_constraint());
}

std::string Misfit::where() const { return path_to_string(path) + inside; }

std::string Misfit::text() const {
  std::string whole = where();
  return whole.empty() ? need : fmt::format("`{}`: {}", alone(whole), need);
}

std::string Misfit::text_of_secret(const Type& to) const {
  // Keys of maps and positions are the value's own, so the path ends before them.
  Type part = to;
  size_t shown = 0;
  for (; shown < path.size() && path[shown].kind == PathStep::Kind::Attribute; ++shown) {
    size_t at = part.kind() == TypeKind::Object ? part.find(path[shown].name) : Type::npos;
    if (at == Type::npos) break;
    Type inner = part.elements()[at];
    part = std::move(inner);
  }
  Misfit declared;
  declared.path.assign(path.begin(), path.begin() + static_cast<ptrdiff_t>(shown));
  declared.need =
      !missing.empty() && shown == path.size() ? need : fmt::format("{} is required", described_constraint(part));
  return declared.text();
}

Misfit type_misfit(const Type& from, const Type& to) {
  TypeKind in = from.kind();
  TypeKind out = to.kind();
  if (in == TypeKind::Object && out == TypeKind::Object) return object_misfit(from, to);
  if ((in == TypeKind::Tuple && (out == TypeKind::List || out == TypeKind::Set)) ||
      (in == TypeKind::Object && out == TypeKind::Map))
    return elements_misfit(from, to);
  if (in == TypeKind::Tuple && out == TypeKind::Tuple) {
    if (from.elements().size() != to.elements().size())
      return here(fmt::format("a tuple of {} elements is required, but this has {}", to.elements().size(),
                              from.elements().size()));
    for (size_t i = 0; i < from.elements().size(); ++i)
      if (!can_convert(from.elements()[i], to.elements()[i]))
        return within(index_step(i), type_misfit(from.elements()[i], to.elements()[i]));
  }
  bool both_sequences =
      (in == TypeKind::List || in == TypeKind::Set) && (out == TypeKind::List || out == TypeKind::Set);
  bool both_maps = in == TypeKind::Map && out == TypeKind::Map;
  if ((both_sequences || both_maps) && !can_convert(from.element(), to.element()))
    return within("[*]", type_misfit(from.element(), to.element()));
  if (in == TypeKind::Map && out == TypeKind::Object) {
    for (size_t i = 0; i < to.keys().size(); ++i)
      if (!can_convert(from.element(), to.elements()[i]))
        return within(key_step(to.keys()[i]), type_misfit(from.element(), to.elements()[i]));
  }
  return required(from, to);
}

std::vector<Misfit> value_misfits(const Value& value, const Type& to, size_t limit) {
  MisfitSearch search(limit);
  search.search(value, to);
  return std::move(search).take();
}

std::string type_difference(const Type& first, const Type& second) {
  std::optional<Difference> difference = find_difference(first, second);
  if (!difference) return {};
  std::string path(alone(difference->path));
  if (!difference->types)
    return fmt::format("attribute `{}` is only in the {}", path, difference->first_has ? "first" : "second");
  const auto& [one, other] = *difference->types;
  if (one.kind() == TypeKind::Tuple && other.kind() == TypeKind::Tuple)
    return fmt::format("{}has {} elements in the first and {} in the second",
                       path.empty() ? "the tuple " : fmt::format("`{}` ", path), one.elements().size(),
                       other.elements().size());
  std::string what = path.empty() ? "it is" : fmt::format("`{}` is", path);
  return fmt::format("{} {} in the first and {} in the second", what, described(one), described(other));
}

}  // namespace pravo
