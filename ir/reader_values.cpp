// Parser of the text form: types, constants and the fields of side tables.
#include <type_traits>

#include "ir/diagnostics/text.h"
#include "ir/fields.h"
#include "ir/json_codec.h"
#include "ir/reader.h"
#include "ir/text_format.h"

namespace pravo::text {

bool BodyReader::type(Type& out, Defaults* defaults, unsigned depth) {
  if (depth > kMaxDepth) {
    in_.diags().emit(in_.range(in_.begin(), in_.position() + 1), diag::IrTypeDepth, kMaxDepth);
    return false;
  }
  struct Primitive {
    std::string_view word;
    Type (*make)();
  };
  static constexpr Primitive kPrimitives[] = {
      {"any", Type::dynamic}, {"string", Type::string}, {"number", Type::number}, {"bool", Type::boolean}};
  struct Collection {
    std::string_view word;
    Type (*make)(Type);
  };
  static constexpr Collection kCollections[] = {{"list", Type::list}, {"set", Type::set}, {"map", Type::map}};

  std::string_view word = in_.peek_word();
  for (const Primitive& primitive : kPrimitives) {
    if (primitive.word != word) continue;
    in_.take_word();
    out = primitive.make();
    return true;
  }
  for (const Collection& collection : kCollections) {
    if (collection.word != word) continue;
    in_.take_word();
    Type element;
    Defaults inner;
    if (!in_.expect('(') || !type(element, defaults == nullptr ? nullptr : &inner, depth + 1) || !in_.expect(')'))
      return false;
    if (defaults != nullptr && !inner.empty()) defaults->element.push_back(std::move(inner));
    out = collection.make(std::move(element));
    return true;
  }
  if (word == "object") return object_type(out, defaults, depth);
  if (word != "tuple") return in_.fail("a type");
  in_.take_word();
  std::vector<Type> elements;
  if (!in_.expect('(') || !in_.expect('[')) return false;
  while (!in_.accept(']')) {
    Type element;
    Defaults inner;
    if (!type(element, defaults == nullptr ? nullptr : &inner, depth + 1)) return false;
    if (defaults != nullptr && !inner.empty())
      defaults->elements.emplace_back(static_cast<uint32_t>(elements.size()), std::move(inner));
    elements.push_back(std::move(element));
    if (!in_.accept(',') && in_.peek() != ']') return in_.fail("`,` or `]`");
  }
  out = Type::tuple(std::move(elements));
  return in_.expect(')');
}

bool BodyReader::object_type(Type& out, Defaults* defaults, unsigned depth) {
  in_.take_word();
  std::vector<Type::Attribute> attributes;
  if (!in_.expect('(') || !in_.expect('{')) return false;
  while (!in_.accept('}')) {
    std::string name;
    if (!in_.identifier(name) || !in_.expect('=')) return false;
    Type attribute;
    bool optional = in_.accept_word("optional");
    if (optional) {
      if (!optional_attribute(attribute, name, defaults, depth)) return false;
    } else {
      Defaults inner;
      if (!type(attribute, defaults == nullptr ? nullptr : &inner, depth + 1)) return false;
      if (defaults != nullptr && !inner.empty()) defaults->attributes.emplace_back(Str(name), std::move(inner));
    }
    attributes.emplace_back(std::string_view(name), std::move(attribute), optional);
    if (!in_.accept(',') && in_.peek() != '}') return in_.fail("`,` or `}`");
  }
  out = Type::object(std::move(attributes));
  return in_.expect(')');
}

// `(TYPE)`, in a type constraint also `(TYPE, CONSTANT)` and `(TYPE, CONSTANT : ITS-TYPE)`.
bool BodyReader::optional_attribute(Type& out, const std::string& name, Defaults* defaults, unsigned depth) {
  Defaults inner;
  if (!in_.expect('(') || !type(out, defaults == nullptr ? nullptr : &inner, depth + 1)) return false;
  if (defaults != nullptr && !inner.empty()) defaults->attributes.emplace_back(Str(name), std::move(inner));
  if (defaults != nullptr && in_.accept(',')) {
    uint32_t begin = in_.begin();
    std::string_view literal;
    if (!in_.literal(literal)) return false;
    Type own = out;
    if (in_.accept(':') && !type(own, nullptr, depth + 1)) return false;
    Value value;
    if (!constant(literal, begin, &own, value)) return false;
    defaults->values.emplace_back(Str(name), std::move(value));
  }
  return in_.expect(')');
}

bool BodyReader::constant(std::string_view literal, uint32_t begin, const Type* type, Value& out) {
  if (type != nullptr && literal == "null") {
    out = Value::null(*type);
    return true;
  }
  if (literal[0] == '"' && (type == nullptr || type->kind() == TypeKind::String)) {
    std::optional<std::string> text = unescape_string(literal);
    if (text) out = Value::string(*text);
    if (!text) in_.diags().emit(in_.range(begin, begin + static_cast<uint32_t>(literal.size())), diag::IrBadString);
    return text.has_value();
  }
  Result<Value> decoded = type == nullptr ? decode_json(literal) : decode_typed_json(literal, *type);
  if (decoded) {
    out = *std::move(decoded);
    return true;
  }
  std::string shown;
  append_type(shown, type == nullptr ? Type() : *type);
  in_.diags().emit(in_.range(begin, begin + static_cast<uint32_t>(literal.size())), diag::IrBadConstant, shown,
                   decoded.error().text());
  return false;
}

// `.a["k"][0]`
bool BodyReader::path(Path& out) {
  out.clear();
  while (true) {
    if (in_.accept('.')) {
      std::string name;
      if (!in_.identifier(name)) return false;
      out.push_back(PathStep::attribute(Str(name)));
    } else if (in_.accept('[')) {
      uint64_t index = 0;
      if (in_.peek() == '"') {
        std::string key;
        if (!in_.string(key)) return false;
        out.push_back(PathStep::key(Str(key)));
      } else if (in_.number(index)) {
        out.push_back(PathStep::at(index));
      } else {
        return false;
      }
      if (!in_.expect(']')) return false;
    } else {
      return !out.empty() || in_.fail("a path such as `.a[\"k\"]`");
    }
  }
}

bool BodyReader::reference_list(std::vector<InstId>& out) {
  if (!in_.expect('[')) return false;
  operand_scratch_.clear();
  use_scratch_.clear();
  if (!operand_list(']', nullptr)) return false;
  for (uint32_t index : operand_scratch_) out.push_back(InstId(index));
  return true;
}

// Reads the one field whose word the text says.
template <class Row>
class BodyReader::FieldReader {
 public:
  FieldReader(BodyReader& reader, std::string_view wanted) : r_(reader), wanted_(wanted) {}
  bool found() const { return found_; }
  bool ok() const { return ok_; }

  void flag(std::string_view word, bool& out) {
    if (is(word)) out = true;
  }
  void seen(std::string_view word, std::optional<SourceRange>& out) {
    if (is(word)) out = r_.in_.range_from(r_.in_.position() - static_cast<uint32_t>(word.size()));
  }
  void name(std::string_view word, NameId& out) {
    if (!is_value(word) || r_.in_.accept_word("none")) return;
    ok_ = r_.name_id(out, true);
  }
  void string(std::string_view word, std::string& out) {
    if (is_value(word)) ok_ = r_.in_.string(out);
  }
  void inst(std::string_view word, InstId& out) {
    if (!is_value(word) || r_.in_.accept_word("none")) return;
    ok_ = r_.reference(out);
  }
  void insts(std::string_view word, std::vector<InstId>& out) {
    if (is_value(word)) ok_ = r_.reference_list(out);
  }
  void after(std::string_view, std::vector<InstId>&) {}  // a clause of its own
  void paths(std::string_view word, std::vector<Path>& out) {
    list(word, [&] {
      out.emplace_back();
      return r_.path(out.back());
    });
  }
  void pairs(std::string_view word, std::vector<std::pair<std::string, std::string>>& out) {
    if (!is_value(word)) return;
    ok_ = r_.in_.expect('{');
    while (ok_ && !r_.in_.accept('}')) {
      out.emplace_back();
      ok_ = r_.in_.string(out.back().first) && r_.in_.expect('=') && r_.in_.string(out.back().second) &&
            (r_.in_.accept(',') || r_.in_.peek() == '}' || r_.in_.fail("`,` or `}`"));
    }
  }
  void constraint(std::string_view word, TypeConstraint& out) {
    if (is_value(word)) ok_ = r_.type(out.type, &out.defaults, 1);
  }
  void records(std::string_view word, auto& out) {
    list(word, [&] {
      out.emplace_back();
      out.back().range = r_.in_.range(r_.in_.begin(), r_.in_.position() + 1);
      return r_.read_fields(out.back(), word, nullptr);
    });
  }

 private:
  bool is(std::string_view word) {
    if (word != wanted_) return false;
    found_ = true;
    return true;
  }
  bool is_value(std::string_view word) {
    if (!is(word)) return false;
    ok_ = r_.in_.expect('=');
    return ok_;
  }
  void list(std::string_view word, auto element) {
    if (!is_value(word)) return;
    ok_ = r_.in_.expect('[');
    while (ok_ && !r_.in_.accept(']'))
      ok_ = element() && (r_.in_.accept(',') || r_.in_.peek() == ']' || r_.in_.fail("`,` or `]`"));
  }

  BodyReader& r_;
  std::string_view wanted_;
  bool found_ = false;
  bool ok_ = true;
};

template <class Row>
bool BodyReader::read_fields(Row& row, std::string_view what, RowContext* context) {
  if (!in_.expect('{')) return false;
  while (!in_.accept('}')) {
    uint32_t begin = in_.begin();
    std::string_view word = in_.take_word();
    if (word.empty()) return in_.fail("a field's name or `}`");
    FieldReader<Row> reader(*this, word);
    visit_fields(row, reader);
    if (!reader.found()) {
      in_.diags().emit(in_.range_from(begin), diag::IrUnknownField, what, word);
      return false;
    }
    if (!reader.ok()) return false;
    if (context != nullptr) {
      context->expand |= word == "expand";
      context->provider_address |= word == "provider_address";
      context->provider_name |= word == "provider_name";
      context->provider_alias |= word == "provider_alias";
      context->constraint |= word == "constraint";
    }
    if (!in_.accept(',') && in_.peek() != '}') return in_.fail("`,` or `}`");
  }
  return true;
}

template <class Row>
bool BodyReader::read_row(Row& row, std::string_view what, uint32_t begin, std::vector<RowContext>* contexts) {
  struct : FieldVisitor {
    std::vector<InstId>* found = nullptr;
    void after(std::string_view, std::vector<InstId>& ids) { found = &ids; }
  } finder;
  visit_fields(row, finder);
  if (finder.found != nullptr && in_.accept_word("after")) {
    operand_scratch_.clear();
    use_scratch_.clear();
    if (!in_.expect('(') || !operand_list(')', nullptr)) return false;
    for (uint32_t index : operand_scratch_) finder.found->push_back(InstId(index));
  }
  RowContext context;
  if (in_.peek() == '{' && !read_fields(row, what, &context)) return false;
  if constexpr (requires { row.range; }) row.range = in_.range_from(begin);
  if (contexts != nullptr) contexts->push_back(context);
  return true;
}

// The row of a side table that the instruction stands for: its `after(...)` clause and its fields in braces. Those
// of resources and calls exist since their name was read.
bool BodyReader::row(InstId id, uint32_t begin) {
  const Inst& inst = body_.inst(id);
  NameId name(inst.payload);
  std::string_view what = op_info(inst.kind).text;
  auto add = [&](auto& table) -> auto& {
    auto& row = table.emplace_back();
    row.name = name;
    row.inst = id;
    return row;
  };
  if (op_info(inst.kind).payload == PayloadKind::Resource)
    return read_row(body_.resources.back(), what, begin, &resource_contexts_);
  if (op_info(inst.kind).payload == PayloadKind::ModuleCall)
    return read_row(body_.calls.back(), what, begin, &call_contexts_);
  if (inst.kind == OpKind::Variable) return read_row(add(body_.variables), what, begin, &variable_contexts_);
  if (inst.kind == OpKind::Output) return read_row(add(body_.outputs), what, begin, nullptr);
  if (inst.kind == OpKind::Check) return read_row(add(body_.checks), what, begin, nullptr);
  if (inst.kind == OpKind::Provider) {
    ProviderInfo& info = body_.providers.emplace_back();
    info.local_name = name;
    info.inst = id;
    return read_row(info, what, begin, nullptr);
  }
  return true;
}

bool BodyReader::import_line(uint32_t begin) {
  ImportInfo row;
  if (!in_.string(row.to) || !read_row(row, "import", begin, nullptr)) return false;
  body_.imports.push_back(std::move(row));
  return true;
}

}  // namespace pravo::text
