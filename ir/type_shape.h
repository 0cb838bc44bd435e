// What a type tells of a value beside what kind of thing it is.
#pragma once

#include "ir/type.h"
#include "ir/value.h"

namespace pravo {

// Whether a type has names, or a number of parts, that a value of its own may have given it: `{ (var.token) = 1 }` has
// a type with the token in it.
bool has_shape(const Type& type);
// Whether a part of the value that is marked has such a type: then the type must not be shown either.
bool has_marked_shape(const Value& value);

}  // namespace pravo
