// Printer of the text form. One pass over the instructions in order of their ids, which is the order of the text:
// no recursion, however deep regions nest.
#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "ir/fields.h"
#include "ir/text.h"
#include "ir/text_format.h"
#include "ir/walk.h"

namespace pravo {

using text::allowed_flags;
using text::append_function;
using text::append_identifier;
using text::append_literal;
using text::append_string;
using text::append_type;
using text::flag_words;
using text::FlagWord;
using text::is_dotted_identifier;
using text::operand_form;
using text::OperandForm;

InstNames::InstNames(const Program& program, ModuleId module) {
  const ModuleBody& body = program.body(module);
  std::vector<std::pair<InstId, NameId>> hints(body.hints.begin(), body.hints.end());
  std::sort(hints.begin(), hints.end());
  std::unordered_set<std::string> used;
  std::unordered_map<NameId, unsigned> repeated;
  used.reserve(hints.size());
  named_.reserve(hints.size());
  for (auto [inst, hint] : hints) {
    std::string name(program.text(hint));
    if (!used.insert(name).second) {
      unsigned& count = repeated[hint];
      if (count == 0) count = 1;
      do {
        name = std::string(program.text(hint)) + "." + std::to_string(++count);
      } while (!used.insert(name).second);
    }
    std::string shown = "%";
    if (is_dotted_identifier(name))
      shown += name;
    else
      append_string(shown, name);
    named_.emplace_back(inst, std::move(shown));
  }
}

void InstNames::append(std::string& out, InstId id) const {
  auto it = std::lower_bound(named_.begin(), named_.end(), id,
                             [](const auto& entry, InstId inst) { return entry.first < inst; });
  if (it != named_.end() && it->first == id) {
    out += it->second;
    return;
  }
  char digits[12] = "%";
  auto end = std::to_chars(digits + 1, digits + sizeof(digits), id.index);
  out.append(digits, end.ptr);
}

std::string print_name(const Program& program, ModuleId module, InstId id) { return InstNames(program, module)(id); }

namespace {

class BodyPrinter {
 public:
  BodyPrinter(const Program& program, ModuleId module, const PrintOptions& options, const InstNames& names,
              std::string& out)
      : program_(program), body_(program.body(module)), module_(module), options_(options), names_(names), out_(out) {}

  void print_module();
  void print_only(const std::unordered_set<std::string_view>& wanted);
  // The line up to its regions or, without any, to its type.
  void print_head(InstId id);

 private:
  struct Frame {
    InstId owner;
    uint32_t region;
    bool last;
    bool shown;  // its owner is printed, hence everything inside
  };

  template <class Selects>
  void print_insts(Selects selects);
  void print_operands(const Inst& inst);
  void print_clauses(const Inst& inst);
  void print_info(InstId id, const Inst& inst);
  template <class Info>
  void print_row(const Info& info);
  void print_type(TypeId type);
  void finish_line(InstId id, const Inst& inst);
  void mark_used();

  void name(InstId id) { id.valid() ? names_.append(out_, id) : void(out_ += "%none"); }
  // Empty for an id that names nothing: a message about a broken program prints it too.
  std::string_view text(uint32_t name) const {
    return name < program_.names->size() ? program_.text(NameId(name)) : std::string_view();
  }
  std::string_view text(NameId name) const { return text(name.index); }
  void indent() { out_.append(2 * (frames_.size() + 1), ' '); }
  bool has_regions(const Inst& inst) const {
    return op_info(inst.kind).regions > 0 && inst.payload != UINT32_MAX &&
           size_t{inst.payload} + static_cast<size_t>(op_info(inst.kind).regions) <= body_.regions.size();
  }
  uint32_t operand_count(const Inst& inst) const {
    size_t size = body_.operand_pool.size();
    return inst.operand_begin > size
               ? 0
               : static_cast<uint32_t>(std::min<size_t>(inst.operand_count, size - inst.operand_begin));
  }
  InstId operand(const Inst& inst, uint32_t n) const {
    return n < operand_count(inst) ? InstId(body_.operand_pool[inst.operand_begin + n]) : InstId();
  }
  // A field's name or spread flag.
  NameId field(const Inst& inst, uint32_t n) const {
    size_t index = size_t{inst.payload} + n;
    return index < body_.field_pool.size() ? body_.field_pool[index] : NameId();
  }
  // Where the text form leaves a field out because it says what is clear already.
  struct Implied {
    InstId expand;
    const ProviderInfo* provider = nullptr;
    TypeId type;
  };
  class FieldWriter;

  const Program& program_;
  const ModuleBody& body_;
  ModuleId module_;
  const PrintOptions& options_;
  const InstNames& names_;
  std::string& out_;
  std::vector<Frame> frames_;
  std::vector<bool> used_;  // sinks that something refers to, and therefore need a name
  Implied implied_;
};

// `after(...)` stays out of the braces, all else goes into them.
class BodyPrinter::FieldWriter {
 public:
  explicit FieldWriter(BodyPrinter& p) : p_(p) {}

  void flag(std::string_view word, bool value) {
    if (value) key(word);
  }
  void seen(std::string_view word, const std::optional<SourceRange>& range) { flag(word, range.has_value()); }
  void name(std::string_view word, NameId value) {
    if (word == "provider_name" && p_.implied_.provider != nullptr && p_.implied_.provider->local_name == value) return;
    if (word == "provider_alias" && p_.implied_.provider != nullptr && p_.implied_.provider->alias == value) return;
    if (!value.valid()) {
      // Only where the provider would say another one.
      if (p_.implied_.provider != nullptr && word.starts_with("provider_")) key(word), p_.out_ += " = none";
      return;
    }
    key(word);
    p_.out_ += " = ";
    append_string(p_.out_, p_.text(value));
  }
  void string(std::string_view word, const std::string& value) {
    const std::string& implied = p_.implied_.provider != nullptr ? p_.implied_.provider->address : kEmpty;
    if (value == (word == "provider_address" ? implied : kEmpty)) return;
    key(word);
    p_.out_ += " = ";
    append_string(p_.out_, value);
  }
  void inst(std::string_view word, InstId value) {
    if (value == (word == "expand" ? p_.implied_.expand : InstId())) return;
    key(word);
    p_.out_ += " = ";
    value.valid() ? p_.name(value) : void(p_.out_ += "none");
  }
  void insts(std::string_view word, const std::vector<InstId>& values) {
    if (values.empty()) return;
    key(word);
    p_.out_ += " = [";
    for (size_t i = 0; i < values.size(); ++i) {
      if (i != 0) p_.out_ += ", ";
      p_.name(values[i]);
    }
    p_.out_ += ']';
  }
  void after(std::string_view, const std::vector<InstId>&) {}
  void paths(std::string_view word, const std::vector<Path>& values) {
    if (values.empty()) return;
    key(word);
    p_.out_ += " = [";
    for (size_t i = 0; i < values.size(); ++i) {
      if (i != 0) p_.out_ += ", ";
      for (const PathStep& step : values[i]) {
        if (step.kind == PathStep::Kind::Attribute) {
          p_.out_ += '.';
          append_identifier(p_.out_, step.name);
          continue;
        }
        p_.out_ += '[';
        if (step.kind == PathStep::Kind::Index)
          p_.out_ += std::to_string(step.index);
        else
          append_string(p_.out_, step.name);
        p_.out_ += ']';
      }
    }
    p_.out_ += ']';
  }
  void pairs(std::string_view word, const std::vector<std::pair<std::string, std::string>>& values) {
    if (values.empty()) return;
    key(word);
    p_.out_ += " = {";
    for (size_t i = 0; i < values.size(); ++i) {
      if (i != 0) p_.out_ += ", ";
      append_string(p_.out_, values[i].first);
      p_.out_ += " = ";
      append_string(p_.out_, values[i].second);
    }
    p_.out_ += '}';
  }
  void constraint(std::string_view word, const TypeConstraint& value) {
    bool as_inst =
        p_.implied_.type.valid() ? value.type == p_.program_.type(p_.implied_.type) : value.type.is_dynamic();
    if (as_inst && value.defaults.empty()) return;
    key(word);
    p_.out_ += " = ";
    append_type(p_.out_, value.type, &value.defaults);
  }
  void records(std::string_view word, const auto& values) {
    if (values.empty()) return;
    key(word);
    p_.out_ += " = [";
    for (size_t i = 0; i < values.size(); ++i) {
      p_.out_ += i == 0 ? "{" : ", {";
      FieldWriter inner(p_);
      inner.open_ = true;
      visit_fields(values[i], inner);
      p_.out_ += '}';
    }
    p_.out_ += ']';
  }

  void close() {
    if (open_) p_.out_ += '}';
  }

 private:
  void key(std::string_view word) {
    if (!open_) p_.out_ += " {";
    if (any_) p_.out_ += ", ";
    open_ = true;
    any_ = true;
    p_.out_ += word;
  }
  static inline const std::string kEmpty;
  BodyPrinter& p_;
  bool open_ = false;
  bool any_ = false;
};

// The `after` clause of a row.
struct AfterFinder : FieldVisitor {
  const std::vector<InstId>* found = nullptr;
  void after(std::string_view, const std::vector<InstId>& ids) { found = &ids; }
};

template <class Info>
void BodyPrinter::print_row(const Info& info) {
  AfterFinder finder;
  visit_fields(info, finder);
  if (finder.found != nullptr && !finder.found->empty()) {
    out_ += " after(";
    for (size_t i = 0; i < finder.found->size(); ++i) {
      if (i != 0) out_ += ", ";
      name((*finder.found)[i]);
    }
    out_ += ')';
  }
  FieldWriter writer(*this);
  visit_fields(info, writer);
  writer.close();
}

void BodyPrinter::print_info(InstId id, const Inst& inst) {
  implied_ = {inst.domain, nullptr, inst.type.index < program_.type_count() ? inst.type : TypeId()};
  switch (op_info(inst.kind).payload) {
    case PayloadKind::Resource:
      if (inst.payload >= body_.resources.size()) return;
      if (inst.operand_count > 1) implied_.provider = provider_of(body_, operand(inst, 1));
      return print_row(body_.resources[inst.payload]);
    case PayloadKind::ModuleCall:
      if (inst.payload < body_.calls.size()) print_row(body_.calls[inst.payload]);
      return;
    case PayloadKind::Name:
      if (inst.kind == OpKind::Variable) {
        if (auto* info = variable_of(body_, id)) print_row(*info);
      } else if (inst.kind == OpKind::Output) {
        if (auto* info = output_of(body_, id)) print_row(*info);
      } else if (inst.kind == OpKind::Provider) {
        if (auto* info = provider_of(body_, id)) print_row(*info);
      }
      return;
    case PayloadKind::None:
    case PayloadKind::Const:
    case PayloadKind::Field:
    case PayloadKind::Fields:
    case PayloadKind::Function:
    case PayloadKind::Binary:
    case PayloadKind::Unary:
    case PayloadKind::Region:
    case PayloadKind::Spread:
    case PayloadKind::Condition:
    case PayloadKind::Use:
      return;
  }
}

void BodyPrinter::print_operands(const Inst& inst) {
  uint32_t count = operand_count(inst);
  switch (operand_form(inst.kind)) {
    case OperandForm::Bare:
      for (uint32_t i = 0; i < count; ++i) {
        out_ += i == 0 ? " " : ", ";
        name(operand(inst, i));
      }
      return;
    case OperandForm::Paren: {
      const OpInfo& info = op_info(inst.kind);
      // A resource's provider stands in its own clause.
      if (info.payload == PayloadKind::Resource) count = std::min(count, 1u);
      if (count == 0 && info.max_operands >= 0 && info.max_operands <= 1) return;
      out_ += info.payload == PayloadKind::Function ? "(" : " (";
      bool spread = info.payload == PayloadKind::Spread;
      for (uint32_t i = 0; i < count; ++i) {
        if (i != 0) out_ += ", ";
        name(operand(inst, i));
        if ((spread && field(inst, i).valid()) ||
            (i + 1 == count && info.payload == PayloadKind::Function && (inst.flags & kExpandLast) != 0))
          out_ += "...";
      }
      out_ += ')';
      return;
    }
    case OperandForm::Fields:
      out_ += " {";
      for (uint32_t i = 0; i < count; ++i) {
        if (i != 0) out_ += ", ";
        append_identifier(out_, text(field(inst, i)));
        out_ += " = ";
        name(operand(inst, i));
      }
      out_ += '}';
      return;
    case OperandForm::Subscript:
      out_ += ' ';
      name(operand(inst, 0));
      out_ += '[';
      name(operand(inst, 1));
      out_ += ']';
      return;
    case OperandForm::Infix:
      out_ += ' ';
      name(operand(inst, 0));
      out_ += ' ';
      if (inst.payload <= static_cast<uint32_t>(BinaryKind::Modulo))
        out_ += binary_text(static_cast<BinaryKind>(inst.payload));
      out_ += ' ';
      name(operand(inst, 1));
      return;
    case OperandForm::Prefix:
      out_ += ' ';
      if (inst.payload <= static_cast<uint32_t>(UnaryKind::Not))
        out_ += unary_text(static_cast<UnaryKind>(inst.payload));
      name(operand(inst, 0));
      return;
    case OperandForm::Select:
      out_ += ' ';
      name(operand(inst, 0));
      out_ += " .";
      append_identifier(out_, text(inst.payload));
      return;
  }
}

// The domain, where it is not clear, and the provider.
void BodyPrinter::print_clauses(const Inst& inst) {
  InstId domain = inst.domain;
  InstId first = operand(inst, 0);
  bool first_exists = first.valid() && first.index < body_.insts.size();
  if ((inst.kind == OpKind::Key || inst.kind == OpKind::Each) && domain == first && first_exists &&
      op_info(body_.inst(first).kind).effect == OpEffect::Domain)
    domain = InstId();
  // A collect is over no domain; what it collects is.
  if (inst.kind == OpKind::Collect && first_exists && !domain.valid()) domain = body_.inst(first).domain;
  if (domain.valid()) {
    out_ += " over ";
    name(domain);
  }
  if (op_info(inst.kind).payload == PayloadKind::Resource && inst.operand_count > 1) {
    out_ += " using ";
    name(operand(inst, 1));
  }
}

void BodyPrinter::print_type(TypeId type) {
  if (!type.valid()) return;
  out_ += " : ";
  append_type(out_, program_.type(type));
}

void BodyPrinter::print_head(InstId id) {
  const Inst& inst = body_.inst(id);
  const OpInfo& info = op_info(inst.kind);
  bool named = (info.group != OpGroup::Sink && inst.kind != OpKind::Yield) || id.index >= used_.size() ||
               used_[id.index] || body_.hints.count(id) != 0;
  if (named) {
    name(id);
    out_ += " = ";
  }
  out_ += info.text;
  switch (info.payload) {
    case PayloadKind::None:
    case PayloadKind::Field:
    case PayloadKind::Fields:
    case PayloadKind::Binary:
    case PayloadKind::Unary:
    case PayloadKind::Region:
    case PayloadKind::Spread:
      break;
    case PayloadKind::Const:
      out_ += ' ';
      if (inst.payload < body_.constants.size()) append_literal(out_, body_.constants[inst.payload]);
      break;
    case PayloadKind::Name:
      out_ += ' ';
      append_string(out_, text(inst.payload));
      break;
    case PayloadKind::Function:
      out_ += ' ';
      append_function(out_, text(inst.payload));
      break;
    case PayloadKind::Resource:
      if (inst.payload < body_.resources.size()) {
        const ResourceInfo& row = body_.resources[inst.payload];
        out_ += ' ';
        append_string(out_, std::string(text(row.type)) + "." + std::string(text(row.name)));
      }
      break;
    case PayloadKind::ModuleCall:
      if (inst.payload < body_.calls.size()) {
        const ModuleCallInfo& row = body_.calls[inst.payload];
        out_ += ' ';
        append_string(out_, text(row.name));
        if (row.target.valid() && row.target.index < program_.bodies.size()) {
          out_ += " @";
          append_identifier(out_, program_.body(row.target).label);
        }
      }
      break;
    case PayloadKind::Condition:
    case PayloadKind::Use:
      out_ += ' ';
      if (info.payload == PayloadKind::Condition) {
        if (inst.flags <= static_cast<uint16_t>(ConditionKind::Assert))
          out_ += condition_kind_text(static_cast<ConditionKind>(inst.flags));
      } else if (inst.flags <= static_cast<uint16_t>(UseKind::BlockExpand)) {
        out_ += use_kind_text(static_cast<UseKind>(inst.flags));
      }
      if (InstId of(inst.payload); of.valid()) {
        out_ += " of ";
        name(of);
      }
      break;
  }
  if (contains(inst.marks, MarkSet::Ephemeral)) out_ += " ephemeral";
  if (contains(inst.marks, MarkSet::Sensitive)) out_ += " sensitive";
  for (const FlagWord& word : flag_words()) {
    if ((inst.flags & allowed_flags(inst.kind) & word.flag) == 0) continue;
    out_ += ' ';
    out_ += word.word;
  }
  // An effect's long configuration comes last, everything else says its operands first.
  if (info.payload == PayloadKind::Resource) print_clauses(inst);
  print_operands(inst);
  if (info.payload != PayloadKind::Resource) print_clauses(inst);
  print_info(id, inst);
}

void BodyPrinter::finish_line(InstId id, const Inst& inst) {
  print_type(inst.type);
  if (options_.comment) {
    std::string comment = options_.comment(module_, id);
    if (!comment.empty()) {
      out_ += "   ; ";
      out_ += comment;
    }
  }
  out_ += '\n';
}

template <class Selects>
void BodyPrinter::print_insts(Selects selects) {
  auto count = static_cast<uint32_t>(body_.insts.size());
  for (uint32_t i = 0; i < count; ++i) {
    InstId id(i);
    const Inst& inst = body_.inst(id);
    bool shown = (!frames_.empty() && frames_.back().shown) || selects(id);
    bool regions = has_regions(inst);
    if (shown) {
      indent();
      print_head(id);
      if (regions)
        out_ += " {\n";
      else
        finish_line(id, inst);
    }
    if (regions) frames_.push_back({id, inst.payload, op_info(inst.kind).regions == 1, shown});
    // Close the regions that end here; an `else` opens the next.
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      uint32_t end = body_.regions[frame.region].end.index;
      if (end > i + 1 && i + 1 < count) break;
      InstId owner = frame.owner;
      bool owner_shown = frame.shown;
      if (!frame.last) {
        ++frame.region;
        frame.last = frame.region + 1 ==
                     body_.inst(owner).payload + static_cast<uint32_t>(op_info(body_.inst(owner).kind).regions);
        if (owner_shown) {
          out_.append(2 * frames_.size(), ' ');
          out_ += "} else {\n";
        }
        continue;
      }
      frames_.pop_back();
      if (owner_shown) {
        indent();
        out_ += '}';
        finish_line(owner, body_.inst(owner));
      }
    }
  }
}

void BodyPrinter::mark_used() {
  used_.assign(body_.insts.size(), false);
  auto use = [&](uint32_t index) {
    if (index < used_.size()) used_[index] = true;
  };
  body_.insts.each([&](InstId id, const Inst& inst) {
    for (uint32_t index : body_.operand_indexes(id)) use(index);
    PayloadKind payload = op_info(inst.kind).payload;
    if (payload == PayloadKind::Condition || payload == PayloadKind::Use) use(inst.payload);
  });
  for_each_table_reference(body_, [&](InstId id) { use(id.index); });
}

void BodyPrinter::print_module() {
  mark_used();
  out_ += "module @";
  append_identifier(out_, body_.label);
  if (body_.directory != (module_.index == 0 ? "." : body_.label)) {
    out_ += " directory ";
    append_string(out_, body_.directory);
  }
  out_ += " {\n";
  print_insts([](InstId) { return true; });
  implied_ = {};
  for (const ImportInfo& row : body_.imports) {
    out_ += "  import ";
    append_string(out_, row.to);
    print_row(row);
    out_ += '\n';
  }
  for (const std::string& what : body_.unsupported_what) {
    out_ += "  unsupported ";
    append_string(out_, what);
    out_ += '\n';
  }
  out_ += "}\n";
}

void BodyPrinter::print_only(const std::unordered_set<std::string_view>& wanted) {
  mark_used();
  print_insts([&](InstId id) { return wanted.count(names_(id)) != 0; });
}

}  // namespace

std::string print_program(const Program& program, const PrintOptions& options) {
  std::string out;
  std::unordered_set<std::string_view> wanted(options.only.begin(), options.only.end());
  for (uint32_t m = 0; m < program.bodies.size(); ++m) {
    ModuleId module(m);
    InstNames names(program, module);
    BodyPrinter printer(program, module, options, names, out);
    if (!wanted.empty()) {
      printer.print_only(wanted);
      continue;
    }
    if (m != 0) out += '\n';
    printer.print_module();
  }
  return out;
}

std::string print_inst(const Program& program, ModuleId module, InstId id, const InstNames& names) {
  std::string out;
  PrintOptions options;
  BodyPrinter printer(program, module, options, names, out);
  printer.print_head(id);
  return out;
}

}  // namespace pravo
