// Values in Terraform's JSON: the value without types, and the shapes that say which parts are unknown or sensitive.
#pragma once

#include <string>
#include <string_view>

#include "ir/value.h"

namespace pravo::runtime {

// Writes JSON on one line, keys in the order of the calls.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  void open(char bracket) {
    comma();
    out_ += bracket;
    first_ = true;
  }
  void close(char bracket) {
    out_ += bracket;
    first_ = false;
  }
  void key(std::string_view name);
  void text(std::string_view value);
  void raw(std::string_view json) {
    comma();
    out_ += json;
  }
  void number(uint64_t value) { raw(std::to_string(value)); }
  void flag(bool value) { raw(value ? "true" : "false"); }
  void member(std::string_view name, std::string_view value) {
    key(name);
    text(value);
  }

 private:
  void comma() {
    if (!first_) out_ += ',';
    first_ = false;
  }
  std::string& out_;
  bool first_ = true;
};

// The value; unknown parts are left out of objects and maps, and null in sequences.
void write_plain(JsonWriter& w, const Value& value);
// `true` where a part is unknown. Containers have their shape; of objects and maps only the parts that say something.
void write_unknown_shape(JsonWriter& w, const Value& value);
// `true` where a part is sensitive.
void write_sensitive_shape(JsonWriter& w, const Value& value);

}  // namespace pravo::runtime
