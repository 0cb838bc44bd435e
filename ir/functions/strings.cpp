// Text: chomp endswith indent join lower sort split startswith strcontains strrev substr title trim* upper.
#include <algorithm>

#include <fmt/format.h>

#include "ir/functions/call.h"
#include "ir/unicode.h"

namespace pravo::functions {

namespace {

Value text_value(StrBuilder&& out) { return Value::string(normalized(std::move(out).finish())); }

// A part of a string that is in normal form already. It may begin with a character that combined with what went
// before, so it is normalised again.
Value part(std::string_view text) { return Value::string(text); }

Value map_code_points(std::string_view text, int32_t (*map)(int32_t)) {
  StrBuilder out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    CodePoint c = decode_utf8(text, at);
    auto mapped = static_cast<uint32_t>(map(c.value));
    if (mapped < 0x80)
      out += static_cast<char>(mapped);
    else
      append_utf8(out, mapped);
    at += c.length;
  }
  return text_value(std::move(out));
}

// Between words, as Go's strings.Title sees it.
bool is_separator(int32_t c) {
  if (c < 0x80) return !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_');
  return !is_letter(c) && !is_decimal_digit(c) && is_space(c);
}

bool in_set(int32_t c, std::string_view set) {
  for (size_t at = 0; at < set.size();) {
    CodePoint have = decode_utf8(set, at);
    if (have.value == c) return true;
    at += have.length;
  }
  return false;
}

// Without the code points at both ends for which `drop` holds.
template <class F>
std::string_view trim_both(std::string_view text, F drop) {
  size_t begin = 0;
  while (begin < text.size()) {
    CodePoint c = decode_utf8(text, begin);
    if (!drop(c.value)) break;
    begin += c.length;
  }
  size_t end = text.size();
  while (end > begin) {
    size_t last = end - 1;
    while (last > begin && (static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) --last;
    if (!drop(decode_utf8(text, last).value)) break;
    end = last;
  }
  return text.substr(begin, end - begin);
}

}  // namespace

Result<Value> run_Chomp(const Call& call, const Type&) {
  std::string_view text = call.text(0);
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  return part(text);
}

Result<Value> run_Endswith(const Call& call, const Type&) {
  return Value::boolean(call.text(0).ends_with(call.text(1)));
}

Result<Value> run_Startswith(const Call& call, const Type&) {
  std::string_view prefix = call.text(1);
  if (call[0].is_known()) return Value::boolean(call.text(0).starts_with(prefix));
  if (prefix.empty()) return Value::boolean(true);
  std::string_view known = call[0].refinements().prefix;
  if (!known.empty()) {
    if (known.starts_with(prefix)) return Value::boolean(true);
    if (known.size() >= prefix.size()) return Value::boolean(false);
  }
  return Value::unknown(Type::boolean());
}

Result<Value> run_Strcontains(const Call& call, const Type&) {
  return Value::boolean(call.text(0).find(call.text(1)) != std::string_view::npos);
}

Result<Value> run_Indent(const Call& call, const Type&) {
  PRAVO_TRY(spaces, call.integer(0, 0, INT64_MAX));
  std::string_view text = call.text(1);
  auto lines = static_cast<uint64_t>(std::count(text.begin(), text.end(), '\n'));
  if (lines > 0 && static_cast<uint64_t>(spaces) > (kMaxText - text.size()) / lines) return too_large_text();
  StrBuilder out;
  out.reserve(text.size() + lines * static_cast<uint64_t>(spaces));
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at);
    if (end == std::string_view::npos) {
      out += text.substr(at);
      break;
    }
    out += text.substr(at, end + 1 - at);
    out.append(static_cast<size_t>(spaces), ' ');
    at = end + 1;
  }
  return Value::string(std::move(out).finish());
}

Result<Value> run_Join(const Call& call, const Type& result) {
  if (call.size() < 2) return call.fault(-1, "at least one list is required", {}, EvalErrorKind::Call);
  std::string_view separator = call.text(0);
  for (size_t i = 1; i < call.size(); ++i)
    if (!call[i].is_wholly_known()) return Value::unknown(result);
  StrBuilder out;
  bool first = true;
  for (size_t i = 1; i < call.size(); ++i) {
    for (size_t j = 0; j < call[i].length(); ++j) {
      const Value& v = call[i].element(j);
      if (v.is_null())
        return call.fault(static_cast<int>(i), "an element of the list is null", fmt::format("element {}", j),
                          EvalErrorKind::Null);
      if (out.size() + separator.size() + v.as_string().size() > kMaxText) return too_large_text();
      if (!first) out += separator;
      first = false;
      out += v.as_string();
    }
  }
  return text_value(std::move(out));
}

Result<Value> run_Lower(const Call& call, const Type&) { return map_code_points(call.text(0), &to_lower); }
Result<Value> run_Upper(const Call& call, const Type&) { return map_code_points(call.text(0), &to_upper); }

Result<Value> run_Title(const Call& call, const Type&) {
  std::string_view text = call.text(0);
  StrBuilder out;
  int32_t previous = ' ';
  for (size_t at = 0; at < text.size();) {
    CodePoint c = decode_utf8(text, at);
    append_utf8(out, static_cast<uint32_t>(is_separator(previous) ? to_title(c.value) : c.value));
    previous = c.value;
    at += c.length;
  }
  return text_value(std::move(out));
}

Result<Value> run_Sort(const Call& call, const Type& result) {
  const Value& list = call[0];
  if (!list.is_wholly_known()) {
    Refinements known = list.range();
    known.not_null = true;
    return Value::unknown(result, std::move(known));
  }
  std::vector<Value> sorted(list.elements().begin(), list.elements().end());
  for (const Value& v : sorted)
    if (v.is_null()) return call.fault(0, "an element of the list is null", {}, EvalErrorKind::Null);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Value& a, const Value& b) { return a.as_string() < b.as_string(); });
  return Value::list(Type::string(), std::move(sorted));
}

Result<Value> run_Split(const Call& call, const Type&) {
  std::string_view separator = call.text(0);
  std::string_view text = call.text(1);
  std::vector<Value> parts;
  SizeCount size;
  if (separator.empty()) {
    for (size_t at = 0; at < text.size();) {
      uint32_t length = decode_utf8(text, at).length;
      parts.push_back(part(text.substr(at, length)));
      at += length;
      if (!size.add(parts.back())) return too_large_value();
    }
    return Value::list(Type::string(), std::move(parts));
  }
  while (true) {
    size_t end = text.find(separator);
    parts.push_back(part(text.substr(0, end)));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + separator.size());
    if (!size.add(parts.back())) return too_large_value();
  }
  return Value::list(Type::string(), std::move(parts));
}

Result<Value> run_Strrev(const Call& call, const Type&) {
  std::string_view text = call.text(0);
  if (is_ascii(text) && text.find('\r') == std::string_view::npos) {
    StrBuilder out;
    out.reserve(text.size());
    for (size_t at = text.size(); at-- > 0;) out += text[at];
    return Value::string(std::move(out).finish());
  }
  std::vector<uint32_t> starts;
  for (size_t at = 0; at < text.size(); at = next_grapheme(text, at)) starts.push_back(static_cast<uint32_t>(at));
  StrBuilder out;
  out.reserve(text.size());
  size_t end = text.size();
  for (auto it = starts.rbegin(); it != starts.rend(); ++it) {
    out += text.substr(*it, end - *it);
    end = *it;
  }
  return text_value(std::move(out));
}

// Counted in grapheme clusters. A negative offset counts from the end, a negative length means up to the end.
Result<Value> run_Substr(const Call& call, const Type&) {
  std::string_view text = call.text(0);
  PRAVO_TRY(offset, call.integer(1));
  PRAVO_TRY(length, call.integer(2));
  if (offset < 0)
    offset += static_cast<int64_t>(count_graphemes(text));
  else if (length == 0)
    return Value::string(Str());
  size_t begin = 0;
  for (; offset > 0 && begin < text.size(); --offset) begin = next_grapheme(text, begin);
  if (length <= 0) return part(text.substr(begin));  // with a negative offset Terraform takes 0 for "all" as well
  size_t end = begin;
  for (; length > 0 && end < text.size(); --length) end = next_grapheme(text, end);
  return part(text.substr(begin, end - begin));
}

Result<Value> run_Trim(const Call& call, const Type&) {
  std::string_view set = call.text(1);
  return part(trim_both(call.text(0), [&](int32_t c) { return in_set(c, set); }));
}

Result<Value> run_Trimspace(const Call& call, const Type&) { return part(trim_both(call.text(0), is_space)); }

Result<Value> run_Trimprefix(const Call& call, const Type&) {
  std::string_view text = call.text(0);
  if (text.starts_with(call.text(1))) text.remove_prefix(call.text(1).size());
  return part(text);
}

Result<Value> run_Trimsuffix(const Call& call, const Type&) {
  std::string_view text = call.text(0);
  if (text.ends_with(call.text(1))) text.remove_suffix(call.text(1).size());
  return part(text);
}

}  // namespace pravo::functions
