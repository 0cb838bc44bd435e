// Regular expressions, as Go's regexp package has them, by RE2: regex regexall replace.
#include <algorithm>
#include <chrono>
#include <map>

#include <fmt/format.h>
#include <re2/re2.h>

#include "ir/functions/call.h"
#include "ir/unicode.h"

namespace pravo::functions {

namespace {

constexpr size_t kMaxPattern = 1'000'000;
constexpr size_t kMaxNesting = 1000;

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }
std::string_view view(re2::StringPiece text) { return {text.data(), text.size()}; }

// A pattern in Go's syntax as RE2 of today reads it: `(?<name>` becomes `(?P<name>`. Empty where it holds something
// that only RE2 has.
std::optional<std::string> to_re2(std::string_view pattern) {
  std::string out;
  bool in_class = false;
  for (size_t at = 0; at < pattern.size(); ++at) {
    char c = pattern[at];
    if (c == '\\' && at + 1 < pattern.size()) {
      char next = pattern[at + 1];
      if (next == 'C') return std::nullopt;
      if (next == 'Q') {
        size_t end = pattern.find("\\E", at + 2);
        size_t stop = end == std::string_view::npos ? pattern.size() : end + 2;
        out += pattern.substr(at, stop - at);
        at = stop - 1;
        continue;
      }
      out += c;
      out += next;
      ++at;
      continue;
    }
    if (in_class) {
      // `[:alpha:]` inside a class does not end it.
      if (c == '[' && at + 1 < pattern.size() && pattern[at + 1] == ':') {
        size_t end = pattern.find(":]", at + 2);
        if (end != std::string_view::npos) {
          out += pattern.substr(at, end + 2 - at);
          at = end + 1;
          continue;
        }
      }
      if (c == ']') in_class = false;
    } else if (c == '[') {
      in_class = true;
      out += c;
      if (at + 1 < pattern.size() && pattern[at + 1] == '^') out += pattern[++at];
      if (at + 1 < pattern.size() && pattern[at + 1] == ']') out += pattern[++at];  // a literal one
      continue;
    } else if (pattern.substr(at).starts_with("(?<") && at + 3 < pattern.size() && pattern[at + 3] != '=' &&
               pattern[at + 3] != '!') {
      out += "(?P<";
      at += 2;
      continue;
    }
    out += c;
  }
  return out;
}

// How deep groups nest; an escaped or quoted bracket counts as well, which only makes it more careful.
size_t nesting(std::string_view pattern) {
  size_t depth = 0;
  size_t deepest = 0;
  for (char c : pattern) {
    if (c == '(') deepest = std::max(deepest, ++depth);
    if (c == ')' && depth > 0) --depth;
  }
  return deepest;
}

// Whether all matches in one text took too long. Looking for one may take a look at all that follows, so many of them
// in a long text take long, and how long cannot be told from outside.
class Deadline {
 public:
  bool passed() {
    if (++looks_ % 256 != 0) return false;
    return std::chrono::steady_clock::now() > end_;
  }
  static std::unique_ptr<EvalError> error() {
    return fail(EvalErrorKind::Limit,
                fmt::format("matching the pattern took longer than {} seconds", kMaxRegexSeconds));
  }

 private:
  std::chrono::steady_clock::time_point end_ =
      std::chrono::steady_clock::now() + std::chrono::seconds(kMaxRegexSeconds);
  unsigned looks_ = 0;
};

class Pattern {
 public:
  static Result<std::unique_ptr<Pattern>> compile(const Call& call, int argument, std::string_view text) {
    // RE2 takes megabytes for each kilobyte of these before it refuses them.
    if (text.size() > kMaxPattern || nesting(text) > kMaxNesting)
      return call.fault(argument,
                        fmt::format("the pattern is longer than {} bytes, or its groups nest more than {} levels deep",
                                    kMaxPattern, kMaxNesting),
                        {}, EvalErrorKind::Limit);
    std::optional<std::string> translated = to_re2(text);
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(int64_t{64} << 20);
    auto regex = std::make_unique<re2::RE2>(translated ? piece(*translated) : re2::StringPiece("("), options);
    if (!translated || !regex->ok())
      return call.fault(argument, "the pattern is no valid regular expression",
                        translated ? regex->error() : std::string("\\C is not supported"));
    return std::make_unique<Pattern>(std::move(regex));
  }

  explicit Pattern(std::unique_ptr<re2::RE2> regex)
      : regex_(std::move(regex)), groups_(static_cast<size_t>(regex_->NumberOfCapturingGroups()) + 1) {}

  // The next match at or after `from`; groups()[0] is the whole.
  bool match(std::string_view text, size_t from) {
    return regex_->Match(piece(text), from, text.size(), re2::RE2::UNANCHORED, groups_.data(),
                         static_cast<int>(groups_.size()));
  }
  std::span<const re2::StringPiece> groups() const { return groups_; }
  size_t begin(std::string_view text) const { return static_cast<size_t>(groups_[0].data() - text.data()); }
  size_t end(std::string_view text) const { return begin(text) + groups_[0].size(); }

  const std::map<int, std::string>& names() const { return regex_->CapturingGroupNames(); }
  const std::map<std::string, int>& numbers() const { return regex_->NamedCapturingGroups(); }

 private:
  std::unique_ptr<re2::RE2> regex_;
  std::vector<re2::StringPiece> groups_;
};

// A string without groups, a tuple with unnamed ones, an object with named ones.
Result<Type> match_type(const Call& call, const Pattern& pattern) {
  size_t count = pattern.groups().size() - 1;
  if (count == 0) return Type::string();
  if (pattern.names().empty()) return Type::tuple(std::vector<Type>(count, Type::string()));
  if (pattern.names().size() != count) return call.fault(0, "the pattern mixes capture groups with and without names");
  std::vector<Type::Attribute> attributes;
  for (const auto& [number, name] : pattern.names()) attributes.emplace_back(std::string_view(name), Type::string());
  return Type::object(std::move(attributes));
}

Value group_value(re2::StringPiece group) {
  return group.data() == nullptr ? Value::null(Type::string()) : Value::string(view(group));
}

Value match_value(const Pattern& pattern) {
  std::span<const re2::StringPiece> groups = pattern.groups();
  if (groups.size() == 1) return group_value(groups[0]);
  if (pattern.names().empty()) {
    std::vector<Value> values;
    for (re2::StringPiece group : groups.subspan(1)) values.push_back(group_value(group));
    return Value::tuple(std::move(values));
  }
  std::vector<std::pair<Str, Value>> entries;
  for (const auto& [number, name] : pattern.names())
    entries.emplace_back(Str(name), group_value(groups[static_cast<size_t>(number)]));
  return Value::object(std::move(entries));
}

size_t step(std::string_view text, size_t at) { return at < text.size() ? decode_utf8(text, at).length : 0; }

// Appends a replacement text with `$1`, `${name}` and `$$` filled in.
void expand(StrBuilder& out, std::string_view replacement, const Pattern& pattern) {
  while (!replacement.empty()) {
    size_t dollar = std::min(replacement.find('$'), replacement.size());
    out += replacement.substr(0, dollar);
    replacement.remove_prefix(dollar);
    if (replacement.empty()) return;
    replacement.remove_prefix(1);
    if (replacement.starts_with('$')) {
      out += '$';
      replacement.remove_prefix(1);
      continue;
    }
    bool braces = replacement.starts_with('{');
    size_t begin = braces ? 1 : 0;
    size_t end = begin;
    while (end < replacement.size()) {
      CodePoint c = decode_utf8(replacement, end);
      if (c.value != '_' && !is_letter(c.value) && !is_decimal_digit(c.value)) break;
      end += c.length;
    }
    std::string_view name = replacement.substr(begin, end - begin);
    if (name.empty() || (braces && (end == replacement.size() || replacement[end] != '}'))) {
      out += '$';  // malformed: the dollar is itself
      continue;
    }
    replacement.remove_prefix(braces ? end + 1 : end);
    size_t number = 0;
    bool numeric = true;
    for (char c : name) {
      if (c < '0' || c > '9' || number >= 100'000'000) {
        numeric = false;
        break;
      }
      number = number * 10 + static_cast<size_t>(c - '0');
    }
    if (!numeric) {
      auto it = pattern.numbers().find(std::string(name));
      if (it == pattern.numbers().end()) continue;
      number = static_cast<size_t>(it->second);
    }
    if (number < pattern.groups().size()) out += view(pattern.groups()[number]);
  }
}

Result<Value> replace_pattern(const Call& call) {
  std::string_view text = call.text(0);
  std::string_view source = call.text(1);
  PRAVO_TRY(pattern, Pattern::compile(call, 1, source.substr(1, source.size() - 2)));
  StrBuilder out;
  Deadline deadline;
  size_t copied = 0;
  for (size_t from = 0; from <= text.size();) {
    if (!pattern->match(text, from)) break;
    size_t begin = pattern->begin(text);
    size_t end = pattern->end(text);
    out += text.substr(copied, begin - copied);
    // An empty match right behind another one is not replaced.
    if (end > copied || begin == 0) expand(out, call.text(2), *pattern);
    copied = end;
    size_t next = from + step(text, from);
    from = next > end ? next : from + 1 > end ? from + 1 : end;
    if (deadline.passed()) return Deadline::error();
    if (out.size() > kMaxText) return too_large_text();
  }
  out += text.substr(copied);
  return Value::string(normalized(std::move(out).finish()));
}

Result<Value> replace_text(const Call& call) {
  std::string_view text = call.text(0);
  std::string_view old = call.text(1);
  std::string_view replacement = call.text(2);
  StrBuilder out;
  for (size_t at = 0; at <= text.size();) {
    // An empty text is found before each character and at the end.
    size_t found = old.empty() ? at : text.find(old, at);
    if (found == std::string_view::npos) {
      out += text.substr(at);
      break;
    }
    out += text.substr(at, found - at);
    out += replacement;
    at = found + old.size();
    if (old.empty()) {
      if (at == text.size()) break;
      size_t length = step(text, at);
      out += text.substr(at, length);
      at += length;
    }
    if (out.size() > kMaxText) return too_large_text();
  }
  return Value::string(normalized(std::move(out).finish()));
}

}  // namespace

Result<Type> type_Regex(const Call& call) {
  // Where all is known the value itself says what it is.
  if (call[0].is_unknown() || call[1].is_known()) return Type();
  PRAVO_TRY(pattern, Pattern::compile(call, 0, call.text(0)));
  return match_type(call, *pattern);
}

Result<Value> run_Regex(const Call& call, const Type&) {
  PRAVO_TRY(pattern, Pattern::compile(call, 0, call.text(0)));
  PRAVO_TRY(type, match_type(call, *pattern));
  static_cast<void>(type);
  if (!pattern->match(call.text(1), 0)) return call.fault(1, "the pattern does not match any part of the string");
  return match_value(*pattern);
}

Result<Type> type_Regexall(const Call& call) {
  if (call[0].is_unknown() || call[1].is_known()) return Type::list(Type());
  PRAVO_TRY(pattern, Pattern::compile(call, 0, call.text(0)));
  PRAVO_TRY(type, match_type(call, *pattern));
  return Type::list(std::move(type));
}

Result<Value> run_Regexall(const Call& call, const Type&) {
  PRAVO_TRY(pattern, Pattern::compile(call, 0, call.text(0)));
  PRAVO_TRY(type, match_type(call, *pattern));
  std::string_view text = call.text(1);
  std::vector<Value> matches;
  SizeCount size;
  Deadline deadline;
  size_t previous_end = SIZE_MAX;
  for (size_t at = 0; at <= text.size();) {
    if (!pattern->match(text, at)) break;
    size_t begin = pattern->begin(text);
    size_t end = pattern->end(text);
    bool accept = true;
    if (end == at) {
      // An empty match right behind another one does not count.
      accept = begin != previous_end;
      size_t length = step(text, at);
      at = length > 0 ? at + length : text.size() + 1;
    } else {
      at = end;
    }
    previous_end = end;
    if (deadline.passed()) return Deadline::error();
    if (!accept) continue;
    matches.push_back(match_value(*pattern));
    if (!size.add(matches.back())) return too_large_value();
  }
  return Value::list(std::move(type), std::move(matches));
}

Result<Value> run_Replace(const Call& call, const Type&) {
  std::string_view substring = call.text(1);
  bool is_pattern = substring.size() > 1 && substring.starts_with('/') && substring.ends_with('/');
  return is_pattern ? replace_pattern(call) : replace_text(call);
}

}  // namespace pravo::functions
