// Values as text for people: the console's form and a one-line form for dumps.
#include <algorithm>

#include <fmt/format.h>

#include "ir/check.h"
#include "ir/limits.h"
#include "ir/unicode.h"
#include "ir/value.h"

namespace pravo {

namespace {

std::string null_text(const Type& type) {
  switch (type.kind()) {
    case TypeKind::Dynamic:
      return "null";
    case TypeKind::Bool:
      return "tobool(null)";
    case TypeKind::Number:
      return "tonumber(null)";
    case TypeKind::String:
      return "tostring(null)";
    case TypeKind::List:
      return fmt::format("tolist(null) /* of {} */", type.element().friendly_name());
    case TypeKind::Set:
      return fmt::format("toset(null) /* of {} */", type.element().friendly_name());
    case TypeKind::Map:
      return fmt::format("tomap(null) /* of {} */", type.element().friendly_name());
    case TypeKind::Tuple:
    case TypeKind::Object:
      return fmt::format("null /* {} */", type.friendly_name());
  }
  PRAVOC_UNREACHABLE();
}

std::string_view trimmed(std::string_view line) {
  size_t begin = line.find_first_not_of(" \t\r\v\f");
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r\v\f") - begin + 1);
}

void append_heredoc(StrBuilder& out, std::string_view text, unsigned indent) {
  // "EOT" with as many underscores as it takes for no line to be the same.
  std::vector<bool> taken;
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = trimmed(text.substr(at, end - at));
    at = end + 1;
    if (!line.starts_with("EOT") || line.find_first_not_of('_', 3) != std::string_view::npos) continue;
    if (taken.size() <= line.size() - 3) taken.resize(line.size() - 2);
    taken[line.size() - 3] = true;
  }
  auto first_free = std::find(taken.begin(), taken.end(), false);
  std::string delimiter = "EOT" + std::string(static_cast<size_t>(first_free - taken.begin()), '_');
  out += indent > 0 ? "<<-" : "<<";
  out += delimiter;
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    out += '\n';
    out.append(indent, ' ');
    out += text.substr(at, end - at);
    at = end + 1;
  }
  out += '\n';
  out.append(indent, ' ');
  out += delimiter;
}

void append_string(StrBuilder& out, std::string_view text, unsigned indent) {
  if (text.find('\n') != std::string_view::npos)
    append_heredoc(out, text, indent);
  else
    append_go_quoted(out, text);
}

void append_value(StrBuilder& out, const Value& v, unsigned indent);

void append_elements(StrBuilder& out, const Value& v, unsigned indent) {
  bool keyed = v.kind() == ValueKind::Map || v.kind() == ValueKind::Object;
  out += keyed ? '{' : '[';
  for (size_t i = 0; i < v.length(); ++i) {
    if (out.size() > kMaxText) return;
    out += '\n';
    out.append(indent + 2, ' ');
    if (keyed) {
      append_string(out, v.key(i), indent + 2);
      out += " = ";
    }
    append_value(out, v.element(i), indent + 2);
    if (!keyed) out += ',';
  }
  if (v.length() > 0) {
    out += '\n';
    out.append(indent, ' ');
  }
  out += keyed ? '}' : ']';
}

void append_value(StrBuilder& out, const Value& v, unsigned indent) {
  if (v.is_unknown()) {
    out += "(known after apply)";
    return;
  }
  if (contains(v.marks(), MarkSet::Sensitive)) {
    out += "(sensitive value)";
    return;
  }
  if (contains(v.marks(), MarkSet::Ephemeral)) {
    out += "(ephemeral value)";
    return;
  }
  switch (v.kind()) {
    case ValueKind::Null:
      out += null_text(v.type());
      return;
    case ValueKind::Bool:
      out += v.as_bool() ? "true" : "false";
      return;
    case ValueKind::Number:
      out += v.as_number().to_string();
      return;
    case ValueKind::String:
      append_string(out, v.as_string(), indent);
      return;
    case ValueKind::List:
    case ValueKind::Set:
    case ValueKind::Map:
      out += v.kind() == ValueKind::List ? "tolist(" : v.kind() == ValueKind::Set ? "toset(" : "tomap(";
      append_elements(out, v, indent);
      out += ')';
      return;
    case ValueKind::Tuple:
    case ValueKind::Object:
      append_elements(out, v, indent);
      return;
    case ValueKind::Unknown:
      break;
  }
  PRAVOC_UNREACHABLE();
}

void append_refinements(StrBuilder& out, const Refinements& r) {
  if (r.not_null) out += " not null";
  if (!r.prefix.empty()) {
    out += " prefix ";
    append_go_quoted(out, r.prefix);
  }
  if (r.lower) out += fmt::format(" {} {}", r.lower_inclusive ? ">=" : ">", r.lower->to_string());
  if (r.upper) out += fmt::format(" {} {}", r.upper_inclusive ? "<=" : "<", r.upper->to_string());
  if (r.min_length > 0) out += fmt::format(" length >= {}", r.min_length);
  if (r.max_length != UINT64_MAX) out += fmt::format(" length <= {}", r.max_length);
}

void append_debug(StrBuilder& out, const Value& v) {
  if (any(v.marks())) {
    if (contains(v.marks(), MarkSet::Sensitive)) out += "sensitive ";
    if (contains(v.marks(), MarkSet::Ephemeral)) out += "ephemeral ";
    out += v.type().to_string();
    return;
  }
  switch (v.kind()) {
    case ValueKind::Unknown:
      out += "unknown ";
      out += v.type().to_string();
      append_refinements(out, v.refinements());
      return;
    case ValueKind::Null:
      out += "null";
      if (!v.type().is_dynamic()) {
        out += ' ';
        out += v.type().to_string();
      }
      return;
    case ValueKind::Bool:
      out += v.as_bool() ? "true" : "false";
      return;
    case ValueKind::Number:
      out += v.as_number().to_string();
      return;
    case ValueKind::String:
      append_go_quoted(out, v.as_string());
      return;
    case ValueKind::List:
    case ValueKind::Set:
    case ValueKind::Map:
    case ValueKind::Tuple:
    case ValueKind::Object: {
      bool keyed = v.kind() == ValueKind::Map || v.kind() == ValueKind::Object;
      bool collection = v.kind() != ValueKind::Tuple && v.kind() != ValueKind::Object;
      if (collection) out += v.kind() == ValueKind::List ? "list" : v.kind() == ValueKind::Set ? "set" : "map";
      if (collection && v.length() == 0) {
        out += '(';
        out += v.type().element().to_string();
        out += ')';
      }
      out += keyed ? '{' : '[';
      for (size_t i = 0; i < v.length(); ++i) {
        if (i > 0) out += ", ";
        if (keyed) {
          append_go_quoted(out, v.key(i));
          out += " = ";
        }
        append_debug(out, v.element(i));
      }
      out += keyed ? '}' : ']';
      return;
    }
  }
}

}  // namespace

std::string format_value(const Value& value, unsigned indent) {
  StrBuilder out;
  append_value(out, value, indent);
  std::string text(out.view());
  // Indentation makes long texts of small values that nest deeply.
  if (text.size() > kMaxText) text += fmt::format("\n... (more than {} MiB)", kMaxText >> 20);
  return text;
}

std::string format_value(const Value& value) { return format_value(value, 0); }

std::string debug_string(const Value& value) {
  StrBuilder out;
  append_debug(out, value);
  return std::string(out.view());
}

}  // namespace pravo
