// What the printer and the parser of the text form share: how an op's operands are written, the words for flags,
// and the spelling of names, types and literals. Not for others.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ir/program.h"

namespace pravo::text {

// How an op's operands are written. Follows from the op's row alone, so that a new op needs no new syntax.
enum class OperandForm : uint8_t {
  Bare,       // %a, %b
  Paren,      // (%a, %b...): `...` spreads an operand
  Fields,     // {a = %a, "b c" = %b}
  Subscript,  // %a[%b]
  Infix,      // %a + %b
  Prefix,     // !%a
  Select,     // %a .name
};
OperandForm operand_form(OpKind kind);

// Flags that are words of their own behind the op; kHasDefault, kHasProvider and kExpandLast follow from the
// operands' syntax.
struct FlagWord {
  InstFlags flag;
  std::string_view word;
};
std::span<const FlagWord> flag_words();
// The flags that an op may have.
uint16_t allowed_flags(OpKind kind);
// Whether the op may declare marks.
bool may_declare_marks(OpKind kind);

// Characters of a bare name: an ASCII letter or `_` first.
constexpr bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_name_char(char c) { return is_name_start(c) || is_digit(c) || c == '-'; }
// An identifier, and one with dots between its parts (`for.list`, `aws_db.main`).
bool is_identifier(std::string_view text);
bool is_dotted_identifier(std::string_view text);

// `text` bare where it is an identifier, else as a string.
void append_identifier(std::string& out, std::string_view text);
// The same of a function's name, whose parts `::` joins.
void append_function(std::string& out, std::string_view text);
void append_string(std::string& out, std::string_view text);
// A constant. Its type stands elsewhere; a value that cannot be a constant (unknown, marked) prints as a word that
// the parser refuses.
void append_literal(std::string& out, const Value& value);
// A type or, with defaults, a type constraint.
void append_type(std::string& out, const Type& type, const Defaults* defaults = nullptr);

}  // namespace pravo::text
