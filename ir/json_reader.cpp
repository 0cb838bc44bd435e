#include "ir/json_reader.h"

#include <fmt/format.h>

#include "ir/unicode.h"

namespace pravo {

namespace {

constexpr uint32_t kReplacement = 0xFFFD;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The four digits at `at`, or -1.
int hex_quad(std::string_view text, size_t at) {
  if (at + 4 > text.size()) return -1;
  int value = 0;
  for (size_t i = 0; i < 4; ++i) {
    int digit = hex_digit(text[at + i]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

}  // namespace

bool JsonReader::fail(std::string message) {
  if (error_.empty()) error_ = fmt::format("{} at byte {}", message, at_);
  return false;
}

void JsonReader::skip_space() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
    ++at_;
}

JsonReader::Token JsonReader::peek() {
  if (failed()) return Token::Invalid;
  skip_space();
  if (at_ == text_.size()) return Token::End;
  switch (text_[at_]) {
    case 'n':
      return Token::Null;
    case 't':
      return Token::True;
    case 'f':
      return Token::False;
    case '"':
      return Token::String;
    case '[':
      return Token::Array;
    case '{':
      return Token::Object;
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
      return Token::Number;
    default:
      fail("unexpected character");
      return Token::Invalid;
  }
}

bool JsonReader::expect(std::string_view word) {
  if (!text_.substr(at_).starts_with(word)) return fail("unexpected character");
  at_ += word.size();
  return true;
}

bool JsonReader::read_literal() {
  switch (peek()) {
    case Token::Null:
      return expect("null");
    case Token::True:
      return expect("true");
    case Token::False:
      return expect("false");
    default:
      return fail("unexpected character");
  }
}

bool JsonReader::read_number(std::string_view& digits) {
  skip_space();
  size_t start = at_;
  auto digit = [&] { return at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; };
  if (at_ < text_.size() && text_[at_] == '-') ++at_;
  if (!digit()) return fail("malformed number");
  if (text_[at_] == '0') {
    ++at_;
    if (digit()) return fail("number with a leading zero");
  } else {
    while (digit()) ++at_;
  }
  if (at_ < text_.size() && text_[at_] == '.') {
    ++at_;
    if (!digit()) return fail("malformed number");
    while (digit()) ++at_;
  }
  if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
    ++at_;
    if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
    if (!digit()) return fail("malformed number");
    while (digit()) ++at_;
  }
  digits = text_.substr(start, at_ - start);
  return true;
}

bool JsonReader::read_string(StrBuilder& out) {
  skip_space();
  if (at_ == text_.size() || text_[at_] != '"') return fail("expected a string");
  ++at_;
  while (true) {
    // A run of plain ASCII.
    size_t run = at_;
    while (at_ < text_.size()) {
      auto c = static_cast<unsigned char>(text_[at_]);
      if (c < 0x20 || c == '"' || c == '\\' || c >= 0x80) break;
      ++at_;
    }
    out.append(text_.substr(run, at_ - run));
    if (at_ == text_.size()) return fail("string without end");
    auto c = static_cast<unsigned char>(text_[at_]);
    if (c == '"') {
      ++at_;
      return true;
    }
    if (c < 0x20) return fail("control character in a string");
    if (c >= 0x80) {
      CodePoint point = decode_utf8(text_, at_);
      append_utf8(out, static_cast<uint32_t>(point.value));
      at_ += point.length;
      continue;
    }
    if (at_ + 1 == text_.size()) return fail("string without end");
    char escape = text_[at_ + 1];
    at_ += 2;
    switch (escape) {
      case '"':
      case '\\':
      case '/':
        out += escape;
        break;
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      case 'u': {
        int unit = hex_quad(text_, at_);
        if (unit < 0) return fail("malformed escape");
        at_ += 4;
        auto point = static_cast<uint32_t>(unit);
        if (unit >= 0xD800 && unit < 0xE000) {
          int low = unit < 0xDC00 && text_.substr(at_).starts_with("\\u") ? hex_quad(text_, at_ + 2) : -1;
          if (low >= 0xDC00 && low < 0xE000) {
            point = 0x10000 + ((static_cast<uint32_t>(unit) - 0xD800) << 10) + (static_cast<uint32_t>(low) - 0xDC00);
            at_ += 6;
          } else {
            point = kReplacement;
          }
        }
        append_utf8(out, point);
        break;
      }
      default:
        return fail("unknown escape in a string");
    }
  }
}

bool JsonReader::begin_array() {
  skip_space();
  if (!expect("[")) return false;
  skip_space();
  if (at_ < text_.size() && text_[at_] == ']') {
    ++at_;
    return false;
  }
  return true;
}

bool JsonReader::next_in_array() {
  if (failed()) return false;
  skip_space();
  if (at_ == text_.size()) return fail("array without end");
  char c = text_[at_];
  if (c != ',' && c != ']') return fail("expected a comma or the end of the array");
  ++at_;
  return c == ',';
}

bool JsonReader::read_key(StrBuilder& key) {
  if (!read_string(key)) return false;
  skip_space();
  if (at_ == text_.size() || text_[at_] != ':') return fail("expected a colon");
  ++at_;
  return true;
}

bool JsonReader::begin_object(StrBuilder& key) {
  skip_space();
  if (!expect("{")) return false;
  skip_space();
  if (at_ < text_.size() && text_[at_] == '}') {
    ++at_;
    return false;
  }
  return read_key(key);
}

bool JsonReader::next_in_object(StrBuilder& key) {
  if (failed()) return false;
  skip_space();
  if (at_ == text_.size()) return fail("object without end");
  char c = text_[at_];
  if (c != ',' && c != '}') return fail("expected a comma or the end of the object");
  ++at_;
  return c == ',' && read_key(key);
}

bool JsonReader::skip_value() {
  std::string open;  // the brackets that are open
  do {
    switch (peek()) {
      case Token::Null:
      case Token::True:
      case Token::False:
        if (!read_literal()) return false;
        break;
      case Token::Number: {
        std::string_view digits;
        if (!read_number(digits)) return false;
        break;
      }
      case Token::String: {
        StrBuilder text;
        if (!read_string(text)) return false;
        break;
      }
      case Token::Array:
        if (begin_array()) {
          open += '[';
          continue;
        }
        break;
      case Token::Object: {
        StrBuilder key;
        if (begin_object(key)) {
          open += '{';
          continue;
        }
        break;
      }
      case Token::End:
        return fail("unexpected end");
      case Token::Invalid:
        return false;
    }
    if (failed()) return false;
    // On to the next element of the innermost bracket that has one.
    while (!open.empty()) {
      StrBuilder key;
      bool more = open.back() == '[' ? next_in_array() : next_in_object(key);
      if (failed()) return false;
      if (more) break;
      open.pop_back();
    }
  } while (!open.empty());
  return true;
}

}  // namespace pravo
