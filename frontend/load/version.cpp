#include "frontend/load/version.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace pravo::load {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_label(char c) { return is_digit(c) || is_letter(c) || c == '-' || c == '~'; }

// Dot-separated parts of letters, digits, `-` and `~`, none empty.
bool are_labels(std::string_view text) {
  if (text.empty() || text.front() == '.' || text.back() == '.') return false;
  bool dot = false;
  for (char c : text) {
    if (c == '.') {
      if (dot) return false;
      dot = true;
      continue;
    }
    if (!is_label(c)) return false;
    dot = false;
  }
  return true;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\f\v";
  size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

// The numbers at the start of `text`, which loses them.
bool take_segments(std::string_view& text, std::vector<uint64_t>& segments) {
  while (true) {
    uint64_t number = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number > INT64_MAX) return false;
    segments.push_back(number);
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    if (text.size() < 2 || text[0] != '.' || !is_digit(text[1])) return true;
    text.remove_prefix(1);
  }
}

}  // namespace

std::optional<Version> parse_version(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  Version version;
  if (text.empty() || !is_digit(text[0]) || !take_segments(text, version.segments)) return std::nullopt;
  if (size_t plus = text.find('+'); plus != std::string_view::npos) {
    if (!are_labels(text.substr(plus + 1))) return std::nullopt;
    text = text.substr(0, plus);
  }
  if (text.empty()) return version;
  // The dash before a prerelease may be left out where that begins with a letter: 1.0beta.
  if (text.front() == '-')
    text.remove_prefix(1);
  else if (!is_letter(text.front()) && text.front() != '~')
    return std::nullopt;
  if (!are_labels(text)) return std::nullopt;
  version.prerelease = text;
  return version;
}

std::optional<std::vector<VersionConstraint>> parse_version_constraints(std::string_view text) {
  using Op = VersionConstraint::Op;
  // Longer operators first.
  static constexpr std::pair<std::string_view, Op> kOperators[] = {
      {">=", Op::GreaterEqual}, {"<=", Op::LessEqual}, {"!=", Op::NotEqual}, {"~>", Op::Pessimistic},
      {"=", Op::Equal},         {">", Op::Greater},    {"<", Op::Less},
  };
  std::vector<VersionConstraint> constraints;
  while (true) {
    size_t comma = text.find(',');
    std::string_view part = trim(text.substr(0, comma));
    VersionConstraint constraint;
    for (auto [symbol, op] : kOperators) {
      if (!part.starts_with(symbol)) continue;
      constraint.op = op;
      part = trim(part.substr(symbol.size()));
      break;
    }
    auto version = parse_version(part);
    if (!version) return std::nullopt;
    constraint.version = std::move(*version);
    constraints.push_back(std::move(constraint));
    if (comma == std::string_view::npos) return constraints;
    text.remove_prefix(comma + 1);
  }
}

namespace {

uint64_t segment(const Version& version, size_t i) { return i < version.segments.size() ? version.segments[i] : 0; }

int compare(const Version& a, const Version& b) {
  for (size_t i = 0; i < std::max(a.segments.size(), b.segments.size()); ++i) {
    uint64_t x = segment(a, i);
    uint64_t y = segment(b, i);
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

// `~> 1.2.3` lets the last written number grow, `~> 1` anything from there.
bool satisfies_pessimistic(const Version& version, const Version& bound) {
  if (compare(version, bound) < 0) return false;
  for (size_t i = 0; i + 1 < bound.segments.size(); ++i)
    if (segment(version, i) != bound.segments[i]) return false;
  return true;
}

}  // namespace

bool satisfies(const Version& version, const VersionConstraint& constraint) {
  int order = compare(version, constraint.version);
  switch (constraint.op) {
    case VersionConstraint::Op::Equal:
      return order == 0;
    case VersionConstraint::Op::NotEqual:
      return order != 0;
    case VersionConstraint::Op::Greater:
      return order > 0;
    case VersionConstraint::Op::GreaterEqual:
      return order >= 0;
    case VersionConstraint::Op::Less:
      return order < 0;
    case VersionConstraint::Op::LessEqual:
      return order <= 0;
    case VersionConstraint::Op::Pessimistic:
      return satisfies_pessimistic(version, constraint.version);
  }
  return false;
}

}  // namespace pravo::load
