// Reading JSON documents of known shape with JsonReader, and writing them as Go's encoder indents them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "ir/json_reader.h"

namespace pravo::runtime {

// Calls visit(key) for each member of an object; visit must read or skip the value. False: malformed.
template <class F>
bool read_members(JsonReader& reader, F&& visit) {
  if (reader.peek() != JsonReader::Token::Object) return reader.fail("expected an object");
  std::string key;
  bool more;
  {
    StrBuilder first;
    more = reader.begin_object(first);
    key = first.view();
  }
  while (more) {
    visit(std::string_view(key));
    if (reader.failed()) return false;
    StrBuilder next;
    more = reader.next_in_object(next);
    key = next.view();
  }
  return !reader.failed();
}

// Calls visit() for each element of an array, which must read or skip it.
template <class F>
bool read_elements(JsonReader& reader, F&& visit) {
  if (reader.peek() != JsonReader::Token::Array) return reader.fail("expected an array");
  for (bool more = reader.begin_array(); more; more = reader.next_in_array()) {
    visit();
    if (reader.failed()) return false;
  }
  return !reader.failed();
}

// Each reads a value of its type, or fails the reader.
std::string read_text(JsonReader& reader);
// Also null, as empty.
std::string read_optional_text(JsonReader& reader);
uint64_t read_count(JsonReader& reader);
bool read_flag(JsonReader& reader);
// An object of texts: members by these names are read into the strings, others are skipped. False: malformed.
struct TextField {
  std::string_view name;
  std::string& value;
};
bool read_text_fields(JsonReader& reader, std::initializer_list<TextField> fields);
// The reverse: `{"name":"text",...}` without space.
std::string format_text_fields(std::initializer_list<std::pair<std::string_view, std::string_view>> fields);
// The text of the next value as it stands.
std::string_view read_raw(JsonReader& reader, std::string_view text);

// Appends `json` with line breaks and two spaces a level, as Go's json.Indent: the first line goes where `out` ends,
// the following ones are indented by `level` more levels. Space outside strings is dropped first.
void append_indented(std::string& out, std::string_view json, unsigned level);

// Appends `json` without space outside strings.
void append_compact(std::string& out, std::string_view json);

// Base64 with padding.
std::string encode_base64(std::string_view bytes);
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace pravo::runtime
