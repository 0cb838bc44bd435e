#include "ir/text_format.h"

#include <algorithm>

#include <fmt/format.h>

#include "ir/json_codec.h"

namespace pravo::text {

OperandForm operand_form(OpKind kind) {
  if (kind == OpKind::Index || kind == OpKind::At) return OperandForm::Subscript;
  const OpInfo& info = op_info(kind);
  switch (info.payload) {
    case PayloadKind::Field:
      return OperandForm::Select;
    case PayloadKind::Fields:
      return OperandForm::Fields;
    case PayloadKind::Binary:
      return OperandForm::Infix;
    case PayloadKind::Unary:
      return OperandForm::Prefix;
    case PayloadKind::Region:
      return OperandForm::Bare;
    case PayloadKind::None:
      return kind == OpKind::Yield || info.max_operands == 1 ? OperandForm::Bare : OperandForm::Paren;
    case PayloadKind::Const:
    case PayloadKind::Name:
    case PayloadKind::Function:
    case PayloadKind::Spread:
    case PayloadKind::Resource:
    case PayloadKind::ModuleCall:
    case PayloadKind::Condition:
    case PayloadKind::Use:
      return OperandForm::Paren;
  }
  PRAVOC_UNREACHABLE();
}

namespace {
constexpr FlagWord kFlagWords[] = {
    {kGrouped, "grouped"},
    {kNotNullable, "not_nullable"},
    {kSplatFull, "full"},
    {kFromSyntax, "quoted"},
};
}  // namespace

std::span<const FlagWord> flag_words() { return kFlagWords; }

uint16_t allowed_flags(OpKind kind) {
  switch (op_info(kind).payload) {
    case PayloadKind::Function:
      return kExpandLast;
    case PayloadKind::Resource:
      return kHasProvider;
    case PayloadKind::Name:
      return kind == OpKind::Variable ? kHasDefault | kNotNullable : 0;
    case PayloadKind::Region:
      return kind == OpKind::ForObject ? kGrouped : kind == OpKind::Splat ? kSplatFull : 0;
    case PayloadKind::None:
      return kind == OpKind::Template ? kFromSyntax : 0;
    case PayloadKind::Const:
    case PayloadKind::Field:
    case PayloadKind::Fields:
    case PayloadKind::Binary:
    case PayloadKind::Unary:
    case PayloadKind::Spread:
    case PayloadKind::ModuleCall:
    case PayloadKind::Condition:  // a ConditionKind
    case PayloadKind::Use:        // a UseKind
      return 0;
  }
  PRAVOC_UNREACHABLE();
}

bool may_declare_marks(OpKind kind) {
  return op_info(kind).marks == MarkRule::Declared || op_info(kind).group == OpGroup::Marks;
}

bool is_identifier(std::string_view text) {
  if (text.empty() || !is_name_start(text[0])) return false;
  for (char c : text)
    if (!is_name_char(c)) return false;
  return true;
}

bool is_dotted_identifier(std::string_view text) {
  if (text.empty() || !is_name_start(text[0])) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (is_name_char(text[i])) continue;
    if (text[i] != '.' || i + 1 == text.size() || !is_name_char(text[i + 1])) return false;
  }
  return true;
}

void append_identifier(std::string& out, std::string_view text) {
  if (is_identifier(text))
    out += text;
  else
    append_string(out, text);
}

void append_function(std::string& out, std::string_view text) {
  bool bare = true;
  for (size_t begin = 0; bare && begin <= text.size();) {
    size_t end = std::min(text.find("::", begin), text.size());
    bare = is_identifier(text.substr(begin, end - begin));
    begin = end + 2;
  }
  if (bare)
    out += text;
  else
    append_string(out, text);
}

void append_string(std::string& out, std::string_view text) { append_json_string(out, text, false); }

void append_literal(std::string& out, const Value& value) {
  if (any(value.deep_marks()) || !value.is_wholly_known()) {
    out += "<not a constant>";
    return;
  }
  switch (value.kind()) {
    case ValueKind::Null:
      out += "null";
      return;
    case ValueKind::Bool:
      out += value.as_bool() ? "true" : "false";
      return;
    case ValueKind::String:
      append_string(out, value.as_string());
      return;
    case ValueKind::Number:
      if (Number n = value.as_number(); n.is_small())
        fmt::format_to(std::back_inserter(out), "{}", n.small());
      else
        out += n.to_string();
      return;
    case ValueKind::List:
    case ValueKind::Set:
    case ValueKind::Map:
    case ValueKind::Tuple:
    case ValueKind::Object:
      out += encode_typed_json(value, value.type());
      return;
    case ValueKind::Unknown:
      break;
  }
  PRAVOC_UNREACHABLE();
}

namespace {

template <class Key>
const Defaults* child(const std::vector<std::pair<Key, Defaults>>& list, const auto& key) {
  for (const auto& [k, defaults] : list)
    if (k == key) return &defaults;
  return nullptr;
}

}  // namespace

void append_type(std::string& out, const Type& type, const Defaults* defaults) {
  switch (type.kind()) {
    case TypeKind::Dynamic:
      out += "any";
      return;
    case TypeKind::Bool:
      out += "bool";
      return;
    case TypeKind::Number:
      out += "number";
      return;
    case TypeKind::String:
      out += "string";
      return;
    case TypeKind::List:
    case TypeKind::Set:
    case TypeKind::Map:
      out += type.kind() == TypeKind::List ? "list(" : type.kind() == TypeKind::Set ? "set(" : "map(";
      append_type(out, type.element(),
                  defaults != nullptr && !defaults->element.empty() ? defaults->element.data() : nullptr);
      out += ')';
      return;
    case TypeKind::Tuple: {
      out += "tuple([";
      std::span<const Type> elements = type.elements();
      for (size_t i = 0; i < elements.size(); ++i) {
        if (i != 0) out += ',';
        append_type(out, elements[i],
                    defaults == nullptr ? nullptr : child(defaults->elements, static_cast<uint32_t>(i)));
      }
      out += "])";
      return;
    }
    case TypeKind::Object:
      break;
  }
  out += "object({";
  for (size_t i = 0; i < type.elements().size(); ++i) {
    std::string_view key = type.keys()[i];
    if (i != 0) out += ',';
    append_identifier(out, key);
    out += '=';
    if (type.is_optional(i)) out += "optional(";
    append_type(out, type.elements()[i], defaults == nullptr ? nullptr : child(defaults->attributes, key));
    if (!type.is_optional(i)) continue;
    if (defaults != nullptr) {
      for (const auto& [name, value] : defaults->values) {
        if (name.view() != key) continue;
        out += ',';
        append_literal(out, value);
        // A default is kept as it was written, which need not be of the attribute's type.
        if (Type own = value.type(); own != type.elements()[i]) {
          out += ':';
          append_type(out, own);
        }
      }
    }
    out += ')';
  }
  out += "})";
}

}  // namespace pravo::text
