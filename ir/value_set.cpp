// Sets: without repetitions, in the order in which cty iterates them. Primitive elements have a natural order. For
// others cty sorts by a text that it makes of them; plans and states show that order, so it is kept to the byte.
#include <strings.h>

#include <algorithm>
#include <string>
#include <unordered_set>

#include "ir/check.h"
#include "ir/unicode.h"
#include "ir/value_node.h"

namespace pravo {

namespace {

void append_sort_text(StrBuilder& out, const Value& v) {
  switch (v.kind()) {
    case ValueKind::Unknown:
      out += '?';
      return;
    case ValueKind::Null:
      out += '~';
      return;
    case ValueKind::Bool:
      out += v.as_bool() ? 'T' : 'F';
      return;
    case ValueKind::Number:
      out += v.as_number().format('g', 10);
      return;
    case ValueKind::String:
      append_go_quoted(out, v.as_string());
      return;
    case ValueKind::Map:
      out += '{';
      for (size_t i = 0; i < v.length(); ++i) {
        append_go_quoted(out, v.key(i));
        out += ':';
        append_sort_text(out, v.element(i));
        out += ';';
      }
      out += '}';
      return;
    case ValueKind::List:
    case ValueKind::Set:
    case ValueKind::Tuple:
    case ValueKind::Object: {
      bool collection = v.kind() == ValueKind::List || v.kind() == ValueKind::Set;
      out += collection ? '[' : '<';
      for (const Value& element : v.elements()) {
        append_sort_text(out, element);
        out += ';';
      }
      out += collection ? ']' : '>';
      return;
    }
  }
}

// Known values first, then unknown ones, then nulls.
int rank(const Value& v) { return v.is_null() ? 2 : v.is_unknown() ? 1 : 0; }

bool primitive_less(const Value& a, const Value& b) {
  switch (a.kind()) {
    case ValueKind::Bool:
      return !a.as_bool() && b.as_bool();
    case ValueKind::Number:
      if (int order = a.as_number().compare(b.as_number()); order != 0) return order < 0;
      return a.as_number().signbit() && !b.as_number().signbit();
    case ValueKind::String:
      return a.as_string() < b.as_string();
    default:
      return false;
  }
}

// Of values that are equal: no zero has another sign.
bool same_zeros(const Value& a, const Value& b) {
  if (a.is_null() || a.is_unknown()) return true;
  if (a.kind() == ValueKind::Number) return a.as_number().signbit() == b.as_number().signbit();
  if (!a.is_compound()) return true;
  for (size_t i = 0; i < a.length(); ++i)
    if (!same_zeros(a.element(i), b.element(i))) return false;
  return true;
}

struct Hash {
  size_t operator()(const Value* v) const { return v->hash(); }
};
struct Same {
  bool operator()(const Value* a, const Value* b) const { return same_element(*a, *b); }
};

}  // namespace

bool same_element(const Value& a, const Value& b) { return a.equals_raw(b) && same_zeros(a, b); }

Value make_sorted_set(const Type& element, std::vector<Value> elements) {
  // An unknown is no repetition of anything: it may turn out to be, then.
  std::unordered_set<const Value*, Hash, Same> seen;
  seen.reserve(elements.size());
  std::vector<const Value*> order;
  order.reserve(elements.size());
  for (const Value& v : elements)
    if (!v.is_wholly_known() || seen.insert(&v).second) order.push_back(&v);

  std::vector<Value> sorted;
  sorted.reserve(order.size());
  if (element.is_primitive() || order.size() < 2) {
    std::stable_sort(order.begin(), order.end(), [](const Value* a, const Value* b) {
      int rank_a = rank(*a);
      int rank_b = rank(*b);
      return rank_a != rank_b ? rank_a < rank_b : rank_a == 0 && primitive_less(*a, *b);
    });
    for (const Value* v : order) sorted.push_back(*v);
  } else {
    std::vector<std::pair<Str, const Value*>> keyed;
    keyed.reserve(order.size());
    for (const Value* v : order) {
      StrBuilder text;
      append_sort_text(text, *v);
      keyed.emplace_back(std::move(text).finish(), v);
      // Marks are gone already, so whether this was a secret is not known here.
      keyed.back().first.wipe_on_free();
    }
    std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) {
      int rank_a = rank(*a.second);
      int rank_b = rank(*b.second);
      return rank_a != rank_b ? rank_a < rank_b : a.first.view() < b.first.view();
    });
    for (const auto& entry : keyed) sorted.push_back(*entry.second);
  }
  return ValueAccess::make(ValueKind::Set, Type::set(element).detach_copy(), KeySet(), std::move(sorted));
}

}  // namespace pravo
