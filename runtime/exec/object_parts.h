// What walks look at in the objects of resources.
#pragma once

#include <string_view>

#include "ir/value.h"

namespace pravo::runtime {

// Where the configuration (or the state) says that a value is sensitive, the same place of another is, too. Null stays
// as it is.
Value with_sensitive_of(const Value& value, const Value& marked);

// The object's `id`, for messages; empty where there is none, or it is marked. Valid as long as the object.
std::string_view id_of(const Value& object);

}  // namespace pravo::runtime
