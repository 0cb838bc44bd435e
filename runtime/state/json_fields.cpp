#include "runtime/state/json_fields.h"

#include <array>
#include <charconv>

#include "ir/json_codec.h"

namespace pravo::runtime {

std::string read_text(JsonReader& reader) {
  if (reader.peek() != JsonReader::Token::String) {
    reader.fail("expected a string");
    return {};
  }
  StrBuilder text;
  if (!reader.read_string(text)) return {};
  return std::string(text.view());
}

std::string read_optional_text(JsonReader& reader) {
  if (reader.peek() != JsonReader::Token::Null) return read_text(reader);
  reader.read_literal();
  return {};
}

bool read_text_fields(JsonReader& reader, std::initializer_list<TextField> fields) {
  return read_members(reader, [&](std::string_view key) {
    for (const TextField& field : fields) {
      if (field.name != key) continue;
      field.value = read_text(reader);
      return;
    }
    reader.skip_value();
  });
}

std::string format_text_fields(std::initializer_list<std::pair<std::string_view, std::string_view>> fields) {
  std::string out = "{";
  for (const auto& [name, text] : fields) {
    if (out.size() > 1) out += ',';
    append_json_string(out, name, true);
    out += ':';
    append_json_string(out, text, true);
  }
  return out + "}";
}

uint64_t read_count(JsonReader& reader) {
  if (reader.peek() != JsonReader::Token::Number) {
    reader.fail("expected a number");
    return 0;
  }
  std::string_view digits;
  if (!reader.read_number(digits)) return 0;
  uint64_t value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size())
    reader.fail("expected a whole number that is not negative");
  return value;
}

bool read_flag(JsonReader& reader) {
  JsonReader::Token token = reader.peek();
  if (token != JsonReader::Token::True && token != JsonReader::Token::False) return reader.fail("expected a boolean");
  reader.read_literal();
  return token == JsonReader::Token::True;
}

std::string_view read_raw(JsonReader& reader, std::string_view text) {
  reader.peek();  // skips space
  size_t begin = reader.offset();
  if (!reader.skip_value()) return {};
  return text.substr(begin, reader.offset() - begin);
}

void append_indented(std::string& out, std::string_view json, unsigned level) {
  auto line = [&] {
    out += '\n';
    out.append(2 * static_cast<size_t>(level), ' ');
  };
  size_t i = 0;
  auto space = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
  while (i < json.size()) {
    char c = json[i];
    switch (c) {
      case '"': {
        size_t begin = i++;
        while (i < json.size() && json[i] != '"') i += json[i] == '\\' ? 2 : 1;
        ++i;
        out.append(json.substr(begin, i - begin));
        continue;
      }
      case '{':
      case '[': {
        out += c;
        ++i;
        while (i < json.size() && space(json[i])) ++i;
        if (i < json.size() && (json[i] == '}' || json[i] == ']')) {
          out += json[i++];
          continue;
        }
        ++level;
        line();
        continue;
      }
      case '}':
      case ']':
        --level;
        line();
        out += c;
        break;
      case ',':
        out += c;
        line();
        break;
      case ':':
        out += ": ";
        break;
      default:
        if (!space(c)) out += c;
    }
    ++i;
  }
}

void append_compact(std::string& out, std::string_view json) {
  bool in_string = false;
  for (size_t i = 0; i < json.size(); ++i) {
    char c = json[i];
    if (!in_string && (c == ' ' || c == '\n' || c == '\r' || c == '\t')) continue;
    out += c;
    if (c == '"') in_string = !in_string;
    if (in_string && c == '\\' && i + 1 < json.size()) out += json[++i];
  }
}

namespace {

constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string encode_base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    size_t n = std::min<size_t>(3, bytes.size() - i);
    for (size_t k = 0; k < 3; ++k) group = group << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (size_t k = 0; k < 4; ++k) out += k <= n ? kBase64[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::optional<std::string> decode_base64(std::string_view text) {
  static const std::array<int8_t, 256> table = [] {
    std::array<int8_t, 256> t;
    t.fill(-1);
    for (size_t i = 0; i < kBase64.size(); ++i) t[static_cast<unsigned char>(kBase64[i])] = static_cast<int8_t>(i);
    return t;
  }();
  if (text.size() % 4 != 0) return std::nullopt;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  for (size_t i = 0; i < text.size(); i += 4) {
    bool last = i + 4 == text.size();
    size_t padding = 0;
    if (last && text[i + 3] == '=') padding = text[i + 2] == '=' ? 2 : 1;
    uint32_t group = 0;
    for (size_t k = 0; k < 4; ++k) {
      int8_t digit = k >= 4 - padding ? int8_t{0} : table[static_cast<unsigned char>(text[i + k])];
      if (digit < 0) return std::nullopt;
      group = group << 6 | static_cast<uint32_t>(digit);
    }
    for (size_t k = 0; k < 3 - padding; ++k) out += static_cast<char>(group >> (16 - 8 * k) & 255);
  }
  return out;
}

}  // namespace pravo::runtime
