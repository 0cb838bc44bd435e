// JsonReader: a cursor over a JSON text. It keeps numbers as text (they may have any number of digits) and treats
// malformed strings as Go does: invalid UTF-8 and lone surrogates become U+FFFD.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "ir/keys.h"

namespace pravo {

class JsonReader {
 public:
  enum class Token : uint8_t { Null, True, False, Number, String, Array, Object, End, Invalid };

  explicit JsonReader(std::string_view text) : text_(text) {}

  // What stands next; white space before it is skipped.
  Token peek();
  // Each reads what peek() announced; false: malformed, see error().
  bool read_literal();  // null, true, false
  bool read_number(std::string_view& digits);
  bool read_string(StrBuilder& out);
  // `for (bool more = r.begin_array(); more; more = r.next_in_array())` then check failed().
  bool begin_array();
  bool next_in_array();
  // The same for objects; each step reads the key and the colon.
  bool begin_object(StrBuilder& key);
  bool next_in_object(StrBuilder& key);
  // Skips one value, whatever it is. Does not recurse.
  bool skip_value();

  bool failed() const { return !error_.empty(); }
  // Why, in words of ours; never quotes the text.
  const std::string& error() const { return error_; }
  size_t offset() const { return at_; }
  void seek(size_t offset) { at_ = offset; }
  bool fail(std::string message);

 private:
  void skip_space();
  bool read_key(StrBuilder& key);
  bool expect(std::string_view word);

  std::string_view text_;
  size_t at_ = 0;
  std::string error_;
};

}  // namespace pravo
