// Why a value or a type does not fit a type constraint, in the user's terms: the part at fault, what is required
// there and what was found. Never a value, and nothing of what lies inside a marked one.
#pragma once

#include <string>
#include <vector>

#include "ir/type.h"
#include "ir/value.h"

namespace pravo {

// "a string", "an object", "a list of number": a type as a noun with its article.
std::string described(const Type& type);
// The same of what a constraint asks for: "a list of any single type".
std::string described_constraint(const Type& type);

struct Misfit {
  Path path;           // to the part of the value
  std::string inside;  // from there on, where only types are known: `[*].port`
  std::string need;    // "a number is required, but this is a string"
  // The attributes of the constraint that are not there, where that is what `need` says.
  std::vector<std::string> missing = {};

  // The path as text, as a user writes it behind the name of the whole: `.ports[1].port`.
  std::string where() const;
  // As one phrase: "`ports[1].port`: a number is required, but this is a string".
  std::string text() const;
  // The same where the whole, which should be a `to`, is secret: only names and types that the constraint declares.
  std::string text_of_secret(const Type& to) const;
};

// Why no value of type `from` fits `to`; the path is all in `inside`.
Misfit type_misfit(const Type& from, const Type& to);

// The parts of `value` that do not fit `to`, in order, at most `limit`; empty where it fits.
std::vector<Misfit> value_misfits(const Value& value, const Type& to, size_t limit);

// Where two types that should have been one differ: "attribute `a` is only in the first", "`b[0]` is a string in the
// first and an object in the second".
std::string type_difference(const Type& first, const Type& second);

}  // namespace pravo
