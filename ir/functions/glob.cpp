#include "ir/functions/glob.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ir/unicode.h"

namespace pravo::functions {

namespace {

// A part of a pattern (between slashes, alternatives written out) as a sequence of tokens.
struct Token {
  enum class Kind : unsigned char { Literal, AnyOne, AnyRun, Class } kind = Kind::Literal;
  int32_t literal = 0;
  bool negated = false;
  std::vector<std::pair<int32_t, int32_t>> ranges;
};

using Part = std::vector<Token>;

constexpr size_t kMaxAlternatives = 1000;

std::optional<Token> parse_class(std::string_view text, size_t& at) {
  Token token;
  token.kind = Token::Kind::Class;
  if (at < text.size() && (text[at] == '^' || text[at] == '!')) {
    token.negated = true;
    ++at;
  }
  auto one = [&]() -> std::optional<int32_t> {
    if (at < text.size() && text[at] == '\\') ++at;
    if (at >= text.size()) return std::nullopt;
    CodePoint c = decode_utf8(text, at);
    at += c.length;
    return c.value;
  };
  while (at < text.size() && text[at] != ']') {
    std::optional<int32_t> low = one();
    if (!low) return std::nullopt;
    std::optional<int32_t> high = low;
    if (at + 1 < text.size() && text[at] == '-' && text[at + 1] != ']') {
      ++at;
      high = one();
      if (!high) return std::nullopt;
    }
    token.ranges.emplace_back(*low, *high);
  }
  if (at >= text.size() || token.ranges.empty()) return std::nullopt;
  ++at;  // ]
  return token;
}

std::optional<Part> parse_part(std::string_view text) {
  Part part;
  for (size_t at = 0; at < text.size();) {
    char c = text[at];
    if (c == '*') {
      while (at < text.size() && text[at] == '*') ++at;
      part.push_back({Token::Kind::AnyRun, 0, false, {}});
    } else if (c == '?') {
      ++at;
      part.push_back({Token::Kind::AnyOne, 0, false, {}});
    } else if (c == '[') {
      ++at;
      std::optional<Token> token = parse_class(text, at);
      if (!token) return std::nullopt;
      part.push_back(std::move(*token));
    } else {
      if (c == '\\' && ++at == text.size()) return std::nullopt;
      CodePoint point = decode_utf8(text, at);
      at += point.length;
      part.push_back({Token::Kind::Literal, point.value, false, {}});
    }
  }
  return part;
}

bool token_matches(const Token& token, int32_t c) {
  switch (token.kind) {
    case Token::Kind::Literal:
      return c == token.literal;
    case Token::Kind::AnyOne:
      return true;
    case Token::Kind::Class: {
      bool in = false;
      for (auto [low, high] : token.ranges) in = in || (c >= low && c <= high);
      return in != token.negated;
    }
    case Token::Kind::AnyRun:
      break;
  }
  return false;
}

// Greedy with one point to return to, so the time is at most the product of the lengths.
bool part_matches(const Part& part, std::string_view name) {
  size_t p = 0;
  size_t at = 0;
  size_t star = SIZE_MAX;
  size_t star_at = 0;
  while (at < name.size()) {
    CodePoint c = decode_utf8(name, at);
    if (p < part.size() && part[p].kind == Token::Kind::AnyRun) {
      star = p++;
      star_at = at;
    } else if (p < part.size() && token_matches(part[p], c.value)) {
      ++p;
      at += c.length;
    } else if (star != SIZE_MAX) {
      p = star + 1;
      star_at += decode_utf8(name, star_at).length;
      at = star_at;
    } else {
      return false;
    }
  }
  while (p < part.size() && part[p].kind == Token::Kind::AnyRun) ++p;
  return p == part.size();
}

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> parts;
  while (true) {
    size_t slash = path.find('/');
    parts.push_back(path.substr(0, slash));
    if (slash == std::string_view::npos) return parts;
    path.remove_prefix(slash + 1);
  }
}

// Writes out the first `{a,b}`, and so on. False: a brace is not closed, or there are too many.
bool expand_braces(const std::string& pattern, std::vector<std::string>& out) {
  size_t open = std::string::npos;
  bool in_class = false;
  for (size_t i = 0; i < pattern.size() && open == std::string::npos; ++i) {
    if (pattern[i] == '\\')
      ++i;
    else if (in_class)
      in_class = pattern[i] != ']';
    else if (pattern[i] == '[')
      in_class = true;
    else if (pattern[i] == '{')
      open = i;
  }
  if (open == std::string::npos) {
    out.push_back(pattern);
    return out.size() <= kMaxAlternatives;
  }
  std::vector<size_t> commas = {open};
  size_t close = std::string::npos;
  int depth = 0;
  for (size_t i = open; i < pattern.size(); ++i) {
    if (pattern[i] == '\\') {
      ++i;
    } else if (pattern[i] == '{') {
      ++depth;
    } else if (pattern[i] == '}' && --depth == 0) {
      close = i;
      break;
    } else if (pattern[i] == ',' && depth == 1) {
      commas.push_back(i);
    }
  }
  if (close == std::string::npos) return false;
  commas.push_back(close);
  for (size_t i = 0; i + 1 < commas.size(); ++i) {
    std::string one = pattern.substr(0, open) + pattern.substr(commas[i] + 1, commas[i + 1] - commas[i] - 1) +
                      pattern.substr(close + 1);
    if (!expand_braces(one, out)) return false;
  }
  return true;
}

GlobMatch match_parts(const std::vector<std::string_view>& pattern, const std::vector<std::string_view>& path) {
  // reach[i]: the parts of the pattern so far match the first i parts of the path.
  std::vector<bool> reach(path.size() + 1, false);
  reach[0] = true;
  for (std::string_view text : pattern) {
    std::vector<bool> next(path.size() + 1, false);
    if (text == "**") {
      bool on = false;
      for (size_t i = 0; i <= path.size(); ++i) next[i] = on = on || reach[i];
    } else {
      std::optional<Part> part = parse_part(text);
      if (!part) return GlobMatch::Malformed;
      for (size_t i = 0; i < path.size(); ++i) next[i + 1] = reach[i] && part_matches(*part, path[i]);
    }
    reach = std::move(next);
  }
  return reach[path.size()] ? GlobMatch::Yes : GlobMatch::No;
}

}  // namespace

bool glob_has_wildcard(std::string_view text) { return text.find_first_of("*?[{\\") != std::string_view::npos; }

GlobMatch glob_match(std::string_view pattern, std::string_view path) {
  std::vector<std::string> alternatives;
  if (!expand_braces(std::string(pattern), alternatives)) return GlobMatch::Malformed;
  std::vector<std::string_view> parts = split(path);
  GlobMatch result = GlobMatch::No;
  for (const std::string& one : alternatives) {
    GlobMatch matched = match_parts(split(one), parts);
    if (matched == GlobMatch::Malformed) return matched;
    if (matched == GlobMatch::Yes) result = matched;
  }
  return result;
}

}  // namespace pravo::functions
