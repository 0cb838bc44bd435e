// Parser of the text form: paths and the fields of side tables.
#include <type_traits>

#include "ir/diagnostics/text.h"
#include "ir/fields.h"
#include "ir/reader.h"

namespace pravo::text {

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
    if (is_value(word)) ok_ = r_.types_.type(out.type, &out.defaults, 1);
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
