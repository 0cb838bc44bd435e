// Parser of types, type constraints and constants in IR text, as text_format.h writes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/convert.h"
#include "ir/text_cursor.h"

namespace pravo::text {

class TypeReader {
 public:
  explicit TypeReader(Cursor& cursor) : in_(cursor) {}

  // A type; with `defaults` a type constraint, whose optional attributes may have some. `depth` starts at 1. False when
  // something was reported.
  bool type(Type& out, Defaults* defaults, unsigned depth);
  // The value of a JSON text of this type; without a type, of the one that it has by itself. `begin` is its offset.
  bool constant(std::string_view literal, uint32_t begin, const Type* type, Value& out);

 private:
  bool object_type(Type& out, Defaults* defaults, unsigned depth);
  bool optional_attribute(Type& out, const std::string& name, Defaults* defaults, unsigned depth);

  Cursor& in_;
};

// What append_type() wrote of a type constraint; nothing of any other text.
std::optional<TypeConstraint> read_constraint(std::string_view text);

}  // namespace pravo::text
