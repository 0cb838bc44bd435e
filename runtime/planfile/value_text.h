// Values as JSON that loses nothing a plan may hold: types, unknown parts with what is known of them, sensitive marks.
// Ephemeral values cannot be written.
#pragma once

#include <string>
#include <string_view>

#include "ir/json_reader.h"
#include "ir/value.h"

namespace pravo::runtime {

void append_value(std::string& out, const Value& value);
// Fails the reader where the text is no value.
Value read_value(JsonReader& reader, std::string_view text);

void append_path(std::string& out, const Path& path);
Path read_path(JsonReader& reader);

}  // namespace pravo::runtime
