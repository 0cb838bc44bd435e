// Why a type does not fit another, in the user's terms.
#include <fmt/format.h>

#include "ir/convert.h"

namespace pravo {

namespace {

std::string with_article(const std::string& noun) {
  bool vowel = !noun.empty() && std::string_view("aeiou").find(noun[0]) != std::string_view::npos;
  return (vowel ? "an " : "a ") + noun;
}

std::string required(const Type& from, const Type& to) {
  std::string wanted = to.is_dynamic() ? "any type" : with_article(to.friendly_constraint());
  if (from.is_dynamic()) return fmt::format("{} is required", wanted);
  std::string have = with_article(from.friendly_name());
  // "a list of object is required, but this is a list of object" helps nobody; the parts are named then.
  if (have == wanted) return fmt::format("{} with other contents is required", wanted);
  return fmt::format("{} is required, but this is {}", wanted, have);
}

std::string object_mismatch(const Type& from, const Type& to) {
  std::vector<std::string_view> missing;
  std::string inner;
  for (size_t i = 0; i < to.keys().size(); ++i) {
    std::string_view name = to.keys()[i];
    size_t at = from.find(name);
    if (at == Type::npos) {
      if (!to.is_optional(i)) missing.push_back(name);
      continue;
    }
    if (inner.empty() && !can_convert(from.elements()[at], to.elements()[i]))
      inner = fmt::format("attribute `{}`: {}", name, mismatch_message(from.elements()[at], to.elements()[i]));
  }
  if (missing.size() == 1) return fmt::format("attribute `{}` is required", missing[0]);
  if (!missing.empty()) {
    std::string list;
    for (size_t i = 0; i < missing.size(); ++i) {
      if (i > 0) list += i + 1 == missing.size() ? " and " : ", ";
      list += fmt::format("`{}`", missing[i]);
    }
    return fmt::format("attributes {} are required", list);
  }
  return inner.empty() ? required(from, to) : inner;
}

}  // namespace

std::string mismatch_message(const Type& from, const Type& to) {
  if (from.kind() == TypeKind::Object && to.kind() == TypeKind::Object) return object_mismatch(from, to);
  bool sequence = from.kind() == TypeKind::Tuple && (to.kind() == TypeKind::List || to.kind() == TypeKind::Set);
  bool mapping = from.kind() == TypeKind::Object && to.kind() == TypeKind::Map;
  if (sequence || mapping) {
    if (to.element().is_dynamic())
      return fmt::format("all elements of the {} must be of the same type", to.kind() == TypeKind::List  ? "list"
                                                                            : to.kind() == TypeKind::Set ? "set"
                                                                                                         : "map");
    for (size_t i = 0; i < from.elements().size(); ++i) {
      const Type& element = from.elements()[i];
      if (can_convert(element, to.element())) continue;
      std::string why = mismatch_message(element, to.element());
      return mapping ? fmt::format("element `{}`: {}", from.keys()[i], why) : fmt::format("element {}: {}", i, why);
    }
  }
  if (from.kind() == TypeKind::Tuple && to.kind() == TypeKind::Tuple) {
    if (from.elements().size() != to.elements().size())
      return fmt::format("a tuple of {} elements is required, but this has {}", to.elements().size(),
                         from.elements().size());
    for (size_t i = 0; i < from.elements().size(); ++i)
      if (!can_convert(from.elements()[i], to.elements()[i]))
        return fmt::format("element {}: {}", i, mismatch_message(from.elements()[i], to.elements()[i]));
  }
  bool both_sequences = (from.kind() == TypeKind::List || from.kind() == TypeKind::Set) &&
                        (to.kind() == TypeKind::List || to.kind() == TypeKind::Set);
  bool both_maps = from.kind() == TypeKind::Map && to.kind() == TypeKind::Map;
  if ((both_sequences || both_maps) && !can_convert(from.element(), to.element()))
    return fmt::format("its elements: {}", mismatch_message(from.element(), to.element()));
  if (from.kind() == TypeKind::Map && to.kind() == TypeKind::Object) {
    for (size_t i = 0; i < to.keys().size(); ++i)
      if (!can_convert(from.element(), to.elements()[i]))
        return fmt::format("attribute `{}`: {}", to.keys()[i], mismatch_message(from.element(), to.elements()[i]));
  }
  return required(from, to);
}

}  // namespace pravo
