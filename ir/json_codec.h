// JSON: what jsonencode and jsondecode make of it, and cty's typed encoding, which state files use.
#pragma once

#include <string>
#include <string_view>

#include "ir/keys.h"
#include "ir/result.h"
#include "ir/type.h"
#include "ir/value.h"

namespace pravo {

// The JSON text of a wholly known value, on one line, as jsonencode writes it: keys sorted, `<`, `>`, `&`, U+2028
// and U+2029 escaped, numbers in full. Marks are ignored. A text larger than kMaxText is an error.
Result<std::string> encode_json(const Value& value);
// The same in a buffer that can be overwritten when it is freed, for values that may be ephemeral.
Result<Str> encode_json_str(const Value& value);
// The value that jsondecode makes of a JSON text: objects, tuples, strings, numbers, bools, null of the dynamic type.
Result<Value> decode_json(std::string_view text);

// cty's typed encoding: decoding needs the same type. Dynamic parts of `type` are wrapped as
// {"value": ..., "type": ...}. The value must conform to the type, be wholly known and carry no marks.
std::string encode_typed_json(const Value& value, const Type& type);
Result<Value> decode_typed_json(std::string_view text, const Type& type);

// A JSON string literal of `text`, quotes included; `html`: escape `<`, `>` and `&` too, as Go's encoder does.
void append_json_string(std::string& out, std::string_view text, bool html);
void append_json_string(StrBuilder& out, std::string_view text, bool html);

}  // namespace pravo
