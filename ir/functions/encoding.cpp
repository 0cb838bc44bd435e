// Encodings of text: base64decode base64encode base64gunzip base64gzip jsondecode jsonencode urldecode
// urlencode.
#include <zlib.h>

#include <fmt/format.h>
#include <llvm/ADT/ScopeExit.h>

#include "ir/functions/bytes.h"
#include "ir/functions/call.h"
#include "ir/json_codec.h"
#include "ir/unicode.h"

namespace pravo::functions {

namespace {

void append_little_endian(StrBuilder& out, uint32_t value) {
  for (int i = 0; i < 4; ++i) out += static_cast<char>(value >> (8 * i) & 255);
}

// A gzip stream framed as Go's writer frames it: no name or time, flushed, then an empty last block.
Result<Str> gzip(const Call& call, std::string_view text) {
  StrBuilder out;
  out.append(std::string_view("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff", 10));
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return call.fault(-1, "not enough memory to compress", {}, EvalErrorKind::Limit);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  char buffer[16384];
  bool more = !text.empty();
  while (more) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof(buffer);
    deflate(&stream, Z_SYNC_FLUSH);
    out.append(std::string_view(buffer, sizeof(buffer) - stream.avail_out));
    more = stream.avail_out == 0;
  }
  deflateEnd(&stream);
  // Of nothing zlib makes an empty block or none, depending on its version.
  if (text.empty()) out.append(std::string_view("\x00\x00\x00\xff\xff", 5));
  out.append(std::string_view("\x01\x00\x00\xff\xff", 5));
  uLong crc = crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size()));
  append_little_endian(out, static_cast<uint32_t>(crc));
  append_little_endian(out, static_cast<uint32_t>(text.size()));
  return std::move(out).finish();
}

}  // namespace

Result<Value> run_Base64encode(const Call& call, const Type&) {
  StrBuilder out;
  append_base64(out, call.text(0));
  return Value::string(std::move(out).finish());
}

Result<Value> run_Base64decode(const Call& call, const Type&) {
  std::optional<Str> bytes = decode_base64(call.text(0));
  if (!bytes) return call.fault(0, "this is not base64", quoted(call.text(0)));
  if (!is_valid_utf8(*bytes)) return call.fault(0, "what the base64 encodes is not UTF-8 text");
  return Value::string(normalized(std::move(*bytes))).with_marks(call[0].marks());
}

Result<Value> run_Base64gzip(const Call& call, const Type&) {
  PRAVO_TRY(bytes, gzip(call, call.text(0)));
  StrBuilder out;
  append_base64(out, bytes);
  return Value::string(std::move(out).finish());
}

namespace {

// Uncompresses until the end of the stream; what may come out of a short text has no end to speak of.
Result<Str> gunzip(const Call& call, std::string_view bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK)
    return call.fault(-1, "not enough memory to uncompress", {}, EvalErrorKind::Limit);
  auto end = llvm::make_scope_exit([&] { inflateEnd(&stream); });
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  StrBuilder out;
  char buffer[16384];
  while (true) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof(buffer);
    int status = inflate(&stream, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END) return call.fault(0, "what the base64 encodes is not gzip");
    out.append(std::string_view(buffer, sizeof(buffer) - stream.avail_out));
    if (out.size() > kMaxText) return too_large_text();
    if (status == Z_OK) continue;
    // Streams may follow each other.
    if (stream.avail_in == 0) return std::move(out).finish();
    if (inflateReset(&stream) != Z_OK) return call.fault(0, "what the base64 encodes is not gzip");
  }
}

int hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

}  // namespace

Result<Value> run_Base64gunzip(const Call& call, const Type&) {
  std::optional<Str> bytes = decode_base64(call.text(0));
  if (!bytes) return call.fault(0, "this is not base64", quoted(call.text(0)));
  PRAVO_TRY(text, gunzip(call, *bytes));
  if (!is_valid_utf8(text)) return call.fault(0, "what was compressed is not UTF-8 text");
  return Value::string(normalized(std::move(text)));
}

Result<Value> run_Urldecode(const Call& call, const Type&) {
  std::string_view text = call.text(0);
  StrBuilder out;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '+') {
      out += ' ';
    } else if (text[at] == '%') {
      int high = at + 2 < text.size() ? hex_digit(text[at + 1]) : -1;
      int low = at + 2 < text.size() ? hex_digit(text[at + 2]) : -1;
      if (high < 0 || low < 0) return call.fault(0, "a `%` is not followed by two hexadecimal digits");
      out += static_cast<char>(high * 16 + low);
      at += 2;
    } else {
      out += text[at];
    }
  }
  Str decoded = std::move(out).finish();
  if (!is_valid_utf8(decoded)) return call.fault(0, "what the escapes stand for is not UTF-8 text");
  return Value::string(normalized(std::move(decoded)));
}

Result<Value> run_Urlencode(const Call& call, const Type&) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  StrBuilder out;
  for (char c : call.text(0)) {
    auto byte = static_cast<unsigned char>(c);
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                 c == '.' || c == '~';
    if (plain) {
      out += c;
    } else if (c == ' ') {
      out += '+';
    } else {
      out += '%';
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  return Value::string(std::move(out).finish());
}

Result<Value> run_Jsonencode(const Call& call, const Type& result) {
  const Value& v = call[0];
  if (v.is_wholly_known()) {
    PRAVO_TRY(text, encode_json_str(v));
    return Value::string(normalized(std::move(text)));
  }
  if (!v.is_definitely_not_null()) return Value::unknown(result);
  // The first character tells what kind of thing follows.
  Refinements known;
  known.not_null = true;
  switch (v.type().kind()) {
    case TypeKind::String:
      known.prefix = Str("\"");
      break;
    case TypeKind::Object:
    case TypeKind::Map:
      known.prefix = Str("{");
      break;
    case TypeKind::Tuple:
    case TypeKind::List:
    case TypeKind::Set:
      known.prefix = Str("[");
      break;
    case TypeKind::Dynamic:
    case TypeKind::Bool:
    case TypeKind::Number:
      break;
  }
  return Value::unknown(result, std::move(known));
}

Result<Type> type_Jsondecode(const Call& call) {
  if (call[0].is_known()) return Type();
  std::string_view prefix = call[0].refinements().prefix;
  while (!prefix.empty() && is_space(decode_utf8(prefix, 0).value)) prefix.remove_prefix(decode_utf8(prefix, 0).length);
  if (prefix.empty()) return Type();
  char first = prefix[0];
  if (first == '{' || first == '[' || first == 'n') return Type();
  if (first == '"') return Type::string();
  if (first == 't' || first == 'f') return Type::boolean();
  if ((first >= '0' && first <= '9') || first == '-' || first == '.') return Type::number();
  return call.fault(0, "a JSON text cannot begin like this");
}

Result<Value> run_Jsondecode(const Call& call, const Type&) {
  Result<Value> value = decode_json(call.text(0));
  if (value) return value;
  return call.fault(0, "this is not valid JSON", value.error().message, value.error().kind);
}

}  // namespace pravo::functions
