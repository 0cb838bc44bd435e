// format and formatlist: verbs as Go's fmt package prints them.
#include <algorithm>

#include <fmt/format.h>

#include "ir/convert.h"
#include "ir/functions/call.h"
#include "ir/json_codec.h"
#include "ir/unicode.h"

namespace pravo::functions {

namespace {

// Wider fields are refused; Go's own limit, too.
constexpr uint64_t kMaxWidth = 1'000'000;

struct Verb {
  std::string_view raw;  // `%-5d`
  bool zero = false;
  bool sharp = false;
  bool plus = false;
  bool minus = false;
  bool space = false;
  int64_t width = -1;
  int64_t precision = -1;
  uint64_t argument = 1;  // from 1
  char mode = 0;
};

// Reads a number of at least one digit (from `first` on); UINT64_MAX when it is too large.
uint64_t read_number(std::string_view text, size_t& at) {
  uint64_t value = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
    value = std::min<uint64_t>(value * 10 + static_cast<uint64_t>(text[at] - '0'), uint64_t{1} << 40);
  return value;
}

class Formatter {
 public:
  // `arguments` begin at call argument `offset`, for errors.
  Formatter(const Call& call, std::span<const Value> arguments, size_t offset)
      : call_(call), arguments_(arguments), offset_(offset) {}

  Result<Value> run(std::string_view format) {
    uint64_t next = 1;
    uint64_t highest = 0;
    for (size_t at = 0; at < format.size();) {
      size_t percent = std::min(format.find('%', at), format.size());
      out_ += format.substr(at, percent - at);
      at = percent;
      if (at == format.size()) break;
      if (format.substr(at).starts_with("%%")) {
        out_ += '%';
        at += 2;
        continue;
      }
      Verb verb;
      verb.argument = next;
      PRAVO_TRY(parsed, parse(format, at, verb));
      static_cast<void>(parsed);
      highest = std::max(highest, verb.argument);
      PRAVO_TRY(done, append(verb));
      static_cast<void>(done);
      next = verb.argument + 1;
      if (out_.size() > kMaxText) return too_large_text();
    }
    if (highest < arguments_.size())
      return call_.fault(static_cast<int>(offset_ + highest), "the format has no verb for this argument", {},
                         EvalErrorKind::Call);
    return Value::string(normalized(std::move(out_).finish()));
  }

 private:
  std::unique_ptr<EvalError> malformed(size_t at) {
    return call_.fault(0, "the format is malformed", fmt::format("at byte {}", at));
  }

  // Reads `%flags width .precision [index] mode`.
  Result<bool> parse(std::string_view format, size_t& at, Verb& verb) {
    size_t start = at++;
    auto digit = [&] { return at < format.size() && format[at] >= '0' && format[at] <= '9'; };
    for (; at < format.size(); ++at) {
      char c = format[at];
      if (c == '0')
        verb.zero = true;
      else if (c == '#')
        verb.sharp = true;
      else if (c == '-')
        verb.minus = true;
      else if (c == '+')
        verb.plus = true;
      else if (c == ' ')
        verb.space = true;
      else
        break;
    }
    if (digit()) verb.width = static_cast<int64_t>(read_number(format, at));
    if (at < format.size() && format[at] == '.') {
      ++at;
      verb.precision = static_cast<int64_t>(read_number(format, at));
    }
    if (at < format.size() && format[at] == '[') {
      ++at;
      if (!digit() || format[at] == '0') return malformed(at);
      verb.argument = read_number(format, at);
      if (at == format.size() || format[at] != ']') return malformed(at);
      ++at;
    }
    bool letter =
        at < format.size() && ((format[at] >= 'a' && format[at] <= 'z') || (format[at] >= 'A' && format[at] <= 'Z'));
    if (!letter) return malformed(at);
    verb.mode = format[at++];
    verb.raw = format.substr(start, at - start);
    if (verb.width > static_cast<int64_t>(kMaxWidth) || verb.precision > static_cast<int64_t>(kMaxWidth))
      return call_.fault(0, fmt::format("a width or precision of the format is larger than {}", kMaxWidth), {},
                         EvalErrorKind::Limit);
    return true;
  }

  std::unique_ptr<EvalError> unfit(const Verb& verb, std::string why) {
    return call_.fault(static_cast<int>(offset_ + verb.argument - 1), "the value does not fit its verb in the format",
                       fmt::format("`{}`: {}", verb.raw, why));
  }

  Result<bool> append(const Verb& verb) {
    if (verb.argument > arguments_.size())
      return call_.fault(0, "the format has more verbs than there are arguments", fmt::format("`{}`", verb.raw),
                         EvalErrorKind::Call);
    const Value& v = arguments_[verb.argument - 1];
    if (verb.mode != 'v' && v.is_null()) return unfit(verb, "a null cannot be formatted");
    switch (verb.mode) {
      case 'v':
        return append_any(verb, v);
      case 't': {
        Result<Value> converted = convert(v, Type::boolean());
        if (!converted) return unfit(verb, converted.error().message);
        out_ += converted->as_bool() ? "true" : "false";
        return true;
      }
      case 'b':
      case 'd':
      case 'o':
      case 'x':
      case 'X':
      case 'e':
      case 'E':
      case 'f':
      case 'g':
      case 'G': {
        Result<Value> converted = convert(v, Type::number());
        if (!converted) return unfit(verb, converted.error().message);
        bool integer = verb.mode == 'b' || verb.mode == 'd' || verb.mode == 'o' || verb.mode == 'x' || verb.mode == 'X';
        return integer ? append_integer(verb, converted->as_number()) : append_float(verb, converted->as_number());
      }
      case 's':
      case 'q': {
        Result<Value> converted = convert(v, Type::string());
        if (!converted) return unfit(verb, converted.error().message);
        append_string(verb, converted->as_string());
        return true;
      }
      default:
        return call_.fault(0, "the format has an unknown verb", fmt::format("`{}`", verb.raw));
    }
  }

  Result<bool> append_any(const Verb& verb, const Value& v) {
    if (!verb.sharp && v.kind() == ValueKind::String) {
      append_padded(verb, v.as_string());
    } else if (!verb.sharp && v.kind() == ValueKind::Number) {
      append_padded(verb, v.as_number().format('g', -1));
    } else {
      Result<Str> json = encode_json_str(v);
      if (!json) return unfit(verb, json.error().message);
      if (call_.secret) json->wipe_on_free();
      append_padded(verb, *json);
    }
    return true;
  }

  void append_string(const Verb& verb, std::string_view text) {
    if (verb.precision > 0) {
      size_t end = 0;
      for (int64_t i = 0; i < verb.precision && end < text.size(); ++i) end = next_grapheme(text, end);
      text = text.substr(0, end);
    }
    if (verb.mode == 's') return append_padded(verb, text);
    StrBuilder json;
    append_json_string(json, text, true);
    append_padded(verb, json.view());
  }

  // Widths of text count grapheme clusters.
  void append_padded(const Verb& verb, std::string_view text) {
    auto length = verb.width > 0 ? static_cast<int64_t>(count_graphemes(text)) : 0;
    size_t padding = verb.width > length ? static_cast<size_t>(verb.width - length) : 0;
    char pad = verb.zero ? '0' : ' ';
    if (!verb.minus) out_.append(padding, pad);
    out_ += text;
    if (verb.minus) out_.append(padding, pad);
  }

  Result<bool> append_integer(const Verb& verb, const Number& number) {
    if (!number.is_integer()) return unfit(verb, "a whole number is required");
    int base = verb.mode == 'b' ? 2 : verb.mode == 'o' ? 8 : verb.mode == 'd' ? 10 : 16;
    std::string digits = number.to_base(base);
    bool negative = digits[0] == '-';
    if (negative) digits.erase(0, 1);
    if (verb.mode == 'X')
      for (char& c : digits)
        if (c >= 'a') c = static_cast<char>(c - 'a' + 'A');
    std::string prefix = negative ? "-" : verb.plus ? "+" : verb.space ? " " : "";
    if (verb.sharp)
      prefix += verb.mode == 'b'   ? "0b"
                : verb.mode == 'o' ? "0"
                : verb.mode == 'x' ? "0x"
                : verb.mode == 'X' ? "0X"
                                   : "";
    if (verb.precision == 0 && digits == "0") return true;
    auto count = static_cast<int64_t>(digits.size());
    size_t zeros = verb.precision > count ? static_cast<size_t>(verb.precision - count) : 0;
    append_number(verb, prefix, zeros, digits, verb.zero && verb.precision < 0 && !verb.minus);
    return true;
  }

  Result<bool> append_float(const Verb& verb, const Number& number) {
    int precision = static_cast<int>(verb.precision);
    if (precision < 0 && verb.mode != 'g' && verb.mode != 'G') precision = 6;
    std::string digits = number.format(verb.mode, precision);
    std::string sign = verb.plus ? "+" : verb.space ? " " : "";
    if (digits[0] == '-' || digits[0] == '+') {
      sign = digits[0] == '+' && verb.space ? " " : digits.substr(0, 1);
      digits.erase(0, 1);
    }
    // Unlike for integers, `0` wins over `-` here.
    append_number(verb, sign, 0, digits, verb.zero && !number.is_infinite());
    return true;
  }

  // [spaces][prefix][zeros][digits][spaces]
  void append_number(const Verb& verb, std::string_view prefix, size_t zeros, std::string_view digits, bool zero_pad) {
    auto length = static_cast<int64_t>(prefix.size() + zeros + digits.size());
    size_t padding = verb.width > length ? static_cast<size_t>(verb.width - length) : 0;
    if (zero_pad) {
      zeros += padding;
      padding = 0;
    }
    if (!verb.minus) out_.append(padding, ' ');
    out_ += prefix;
    out_.append(zeros, '0');
    out_ += digits;
    if (verb.minus) out_.append(padding, ' ');
  }

  const Call& call_;
  std::span<const Value> arguments_;
  size_t offset_;
  StrBuilder out_;
};

// What formatlist takes the i-th element of. Sets whose elements are not all known may have fewer of them.
bool is_iterated(const Value& v) {
  return !v.is_null() && (v.has_type(TypeKind::List) || v.has_type(TypeKind::Set) || v.has_type(TypeKind::Tuple));
}

bool has_known_length(const Value& v) {
  return v.is_compound() && !(v.kind() == ValueKind::Set && v.length() > 1 && !v.is_wholly_known());
}

}  // namespace

Result<Type> type_Format(const Call&) { return Type::string(); }
Result<Type> type_Formatlist(const Call&) { return Type::list(Type::string()); }

Result<Value> run_Format(const Call& call, const Type& result) {
  std::string_view format = call.text(0);
  for (size_t i = 1; i < call.size(); ++i) {
    if (call[i].is_wholly_known()) continue;
    Refinements known;
    known.not_null = true;
    size_t percent = format.find('%');
    if (percent != std::string_view::npos) known.prefix = Str(safe_prefix(format.substr(0, percent)));
    return Value::unknown(result, std::move(known));
  }
  return Formatter(call, call.arguments.subspan(1), 1).run(format);
}

Result<Value> run_Formatlist(const Call& call, const Type& result) {
  std::span<const Value> arguments = call.arguments.subspan(1);
  std::optional<size_t> length;
  bool unknown = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!is_iterated(arguments[i])) continue;
    size_t count = 0;
    if (has_known_length(arguments[i])) {
      count = arguments[i].length();
    } else if (arguments[i].has_type(TypeKind::Tuple)) {
      count = arguments[i].type().elements().size();
      unknown = true;
    } else {
      unknown = true;
      continue;
    }
    if (length && *length != count)
      return call.fault(static_cast<int>(i + 1), "the lists must all have the same number of elements");
    length = count;
  }
  if (unknown) return Value::unknown(result);
  size_t rows = length.value_or(1);
  std::vector<Value> out;
  out.reserve(rows);
  std::vector<Value> row(arguments.begin(), arguments.end());
  SizeCount size;
  for (size_t i = 0; i < rows; ++i) {
    bool known = true;
    for (size_t j = 0; j < arguments.size(); ++j) {
      if (is_iterated(arguments[j])) row[j] = arguments[j].element(i);
      known = known && row[j].is_wholly_known();
    }
    if (!known) {
      out.push_back(Value::unknown(Type::string()).refine_not_null());
      continue;
    }
    PRAVO_TRY(text, Formatter(call, row, 1).run(call.text(0)));
    if (!size.add(text)) return too_large_value();
    out.push_back(std::move(text));
  }
  return Value::list(Type::string(), std::move(out));
}

}  // namespace pravo::functions
