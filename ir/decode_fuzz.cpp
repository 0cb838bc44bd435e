// Texts from outside that become values: JSON, YAML, CSV, types, numbers, dates, addresses, patterns, formats.
#include <cstdint>
#include <string_view>

#include "ir/check.h"
#include "ir/functions.h"
#include "ir/json_codec.h"

using namespace pravo;

namespace {

void call(FunctionId id, std::initializer_list<Value> arguments) {
  RefusingHost host;
  Result<Value> result = call_function(id, std::span<const Value>(arguments.begin(), arguments.size()), host);
  if (!result) return;
  PRAVOC_CHECK(result->depth() <= kMaxDepth);
  format_value(*result);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  uint8_t what = data[0];
  std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  // A first part, up to the first zero byte, and the rest.
  size_t zero = text.find('\0');
  std::string_view first = text.substr(0, zero);
  std::string_view rest = zero == std::string_view::npos ? std::string_view() : text.substr(zero + 1);
  Value whole = Value::string(text);
  Value a = Value::string(first);
  Value b = Value::string(rest);
  switch (what % 16) {
    case 0: {
      Result<Value> v = decode_json(text);
      if (!v) break;
      // What was decoded encodes, and decodes to the same.
      Result<std::string> again = encode_json(*v);
      if (again) PRAVOC_CHECK(decode_json(*again)->equals_raw(*v));
      std::string typed = encode_typed_json(*v, Type());
      if (again) PRAVOC_CHECK(decode_typed_json(typed, Type())->equals_raw(*v));
      break;
    }
    case 1: {
      Result<Type> type = Type::parse(first);
      if (!type) break;
      PRAVOC_CHECK(*Type::parse(type->to_string()) == *type);
      PRAVOC_CHECK(*Type::from_json(type->to_json()) == *type);
      Result<Value> v = decode_typed_json(rest, type->without_optional());
      if (v) format_value(*v);
      break;
    }
    case 2:
      Type::from_json(text).ok();
      break;
    case 3: {
      std::optional<Number> n = Number::parse(text);
      if (!n || n->is_infinite()) break;
      std::string printed = n->to_string();
      // Further from one, powers of five are rounded while reading, as Go does it, and the last bit may differ.
      if (printed.size() <= 200) PRAVOC_CHECK(*Number::parse(printed) == *n);
      break;
    }
    case 4:
      call(FunctionId::Yamldecode, {whole});
      break;
    case 5:
      call(FunctionId::Csvdecode, {whole});
      break;
    case 6:
      call(FunctionId::Formatdate, {a, b});
      break;
    case 7:
      call(FunctionId::Timeadd, {a, b});
      break;
    case 8:
      call(FunctionId::Cidrsubnets, {a, Value::number(static_cast<int64_t>(rest.size())), Value::number(3)});
      break;
    case 9:
      call(FunctionId::Cidrhost, {a, Value::number(static_cast<int64_t>(rest.size()) - 5)});
      break;
    case 10:
      call(FunctionId::Regexall, {a, b});
      break;
    case 11:
      call(FunctionId::Replace, {b, a, Value::string("$1${x}$$")});
      break;
    case 12:
      call(FunctionId::Format, {a, b, Value::number(42), Value::null(Type::string())});
      break;
    case 13:
      call(FunctionId::Textdecodebase64, {a, b});
      break;
    case 14:
      call(FunctionId::Yamlencode, {Value::object({{a.as_str(), b}})});
      break;
    case 15:
      call(FunctionId::Rsadecrypt, {Value::string("aGVsbG8="), whole});
      break;
    default:
      break;
  }
  return 0;
}
