// Parser of the text form: modules, instructions and their regions. It is driven by the op table: what stands
// behind an op's name follows from its payload kind and its operands' form. Regions nest on an explicit stack.
#include "ir/reader.h"

#include <algorithm>
#include <charconv>

#include "ir/diagnostics/text.h"
#include "ir/fields.h"
#include "ir/text.h"
#include "ir/text_format.h"
#include "ir/walk.h"

namespace pravo {

namespace text {

namespace {

constexpr size_t kMaxErrors = 50;

// Reads a kind by its word: the enumerators are 0 to `last`.
template <class Kind>
bool read_kind(Cursor& in, Kind last, std::string_view (*text)(Kind), const char* what, uint16_t& out) {
  std::string_view word = in.peek_word();
  for (uint16_t i = 0; i <= static_cast<uint16_t>(last); ++i) {
    if (text(static_cast<Kind>(i)) != word) continue;
    in.take_word();
    out = i;
    return true;
  }
  return in.fail(what);
}

}  // namespace

bool BodyReader::read() {
  size_t errors_before = in_.diags().error_count();
  while (true) {
    if (in_.at_end()) {
      in_.fail("`}` to close the module");
      return false;
    }
    if (frames_.empty() && in_.accept('}')) break;
    uint32_t begin = in_.begin();
    if (statement()) continue;
    if (in_.diags().error_count() - errors_before >= kMaxErrors) return false;
    if (in_.skip_line(begin)) frames_.push_back({InstId(), 0});
  }
  // Names that a statement in error would have defined would be reported once more.
  if (in_.diags().error_count() != errors_before) return false;
  return resolve();
}

bool BodyReader::statement() {
  if (in_.peek() == '}') return close_region();
  std::string_view word = in_.peek_word();
  if (word != "import" && word != "unsupported") return instruction();
  uint32_t begin = in_.position();
  return module_line(in_.take_word(), begin);
}

bool BodyReader::module_line(std::string_view word, uint32_t begin) {
  if (!frames_.empty()) return in_.fail("an instruction or `}`");
  if (word == "import") return import_line(begin);
  std::string text;
  if (!in_.string(text)) return false;
  body_.unsupported_what.push_back(std::move(text));
  body_.unsupported.push_back(in_.range_from(begin));
  return true;
}

bool BodyReader::instruction() {
  uint32_t begin = in_.begin();
  Cursor::Name name;
  std::string hint;
  bool named = in_.peek() == '%';
  if (named) {
    if (!in_.name(name)) return false;
    hint = name.text;
    if (!in_.expect('=')) return false;
  }
  uint32_t op_begin = in_.begin();
  std::string_view op = in_.take_dotted();
  if (op.empty()) return named ? in_.fail("an op") : in_.fail_here("an instruction or `}`");
  std::optional<OpKind> kind = find_op(op);
  if (!kind) {
    in_.diags().emit(in_.range(op_begin, in_.position()), diag::IrUnknownOp, op);
    return false;
  }
  Inst fresh;
  fresh.kind = *kind;
  InstId id = body_.insts.add(fresh);
  body_.ranges.push_back({});
  if (named) {
    if (!define(name, id, begin)) return false;
    if (!name.number) body_.hints.emplace(id, program_.names->intern(hint));
  }

  if (!payload(id)) return false;
  Inst& inst = body_.inst(id);
  if (inst.kind != OpKind::Const) {
    if (may_declare_marks(inst.kind)) {
      if (in_.accept_word("ephemeral")) inst.marks |= MarkSet::Ephemeral;
      if (in_.accept_word("sensitive")) inst.marks |= MarkSet::Sensitive;
    }
    uint16_t allowed = allowed_flags(inst.kind);
    for (const FlagWord& word : flag_words())
      if ((allowed & word.flag) != 0 && in_.accept_word(word.word)) inst.flags |= word.flag;
    // What a resource is made of stands behind its clauses.
    bool effect = op_info(inst.kind).payload == PayloadKind::Resource;
    if (!effect && !operands(id)) return false;
    if (!clauses(id) || !row(id, begin)) return false;
  }
  body_.ranges[id.index] = in_.range_from(begin);
  if (op_info(inst.kind).regions > 0) return open_region(id);
  if (inst.kind == OpKind::Yield && !frames_.empty() && frames_.back().owner.valid())
    body_.regions[frames_.back().region].yield = id;
  return inst.kind == OpKind::Const || result_type(inst);
}

bool BodyReader::name_id(NameId& out, bool quoted) {
  if (!(quoted ? in_.string(scratch_) : in_.identifier(scratch_))) return false;
  out = program_.names->intern(scratch_);
  return true;
}

bool BodyReader::payload(InstId id) {
  Inst& inst = body_.inst(id);
  NameId name;
  switch (op_info(inst.kind).payload) {
    case PayloadKind::None:
    case PayloadKind::Field:   // with the operands
    case PayloadKind::Fields:  // with the operands
    case PayloadKind::Binary:
    case PayloadKind::Unary:
    case PayloadKind::Spread:
    case PayloadKind::Region:
      return true;
    case PayloadKind::Const: {
      std::string_view literal;
      uint32_t begin = in_.begin();
      if (!in_.literal(literal)) return false;
      // Without a type the constant is what jsondecode makes of it, which saves typing in tests.
      if (in_.peek() == ':' && !result_type(inst)) return false;
      Value value;
      if (!types_.constant(literal, begin, inst.type.valid() ? &program_.type(inst.type) : nullptr, value))
        return false;
      if (!inst.type.valid()) inst.type = program_.intern(value.type());
      inst.payload = static_cast<uint32_t>(body_.constants.size());
      body_.constants.push_back(std::move(value));
      return true;
    }
    case PayloadKind::Name:
      if (!name_id(name, true)) return false;
      inst.payload = name.index;
      return true;
    case PayloadKind::Function:
      if (!in_.function(scratch_)) return false;
      inst.payload = program_.names->intern(scratch_).index;
      return true;
    case PayloadKind::Resource: {
      uint32_t begin = in_.begin();
      if (!in_.string(scratch_)) return false;
      size_t dot = scratch_.find('.');
      if (dot == std::string::npos) {
        in_.diags().emit(in_.range_from(begin), diag::IrSyntax, "`\"TYPE.NAME\"`", "`\"" + scratch_ + "\"`");
        return false;
      }
      ResourceInfo row;
      row.mode = inst.kind == OpKind::Data        ? ResourceMode::Data
                 : inst.kind == OpKind::Ephemeral ? ResourceMode::Ephemeral
                                                  : ResourceMode::Managed;
      row.type = program_.names->intern(std::string_view(scratch_).substr(0, dot));
      row.name = program_.names->intern(std::string_view(scratch_).substr(dot + 1));
      row.inst = id;
      inst.payload = static_cast<uint32_t>(body_.resources.size());
      body_.resources.push_back(std::move(row));
      return true;
    }
    case PayloadKind::ModuleCall: {
      ModuleCallInfo row;
      if (!name_id(row.name, true)) return false;
      row.inst = id;
      inst.payload = static_cast<uint32_t>(body_.calls.size());
      body_.calls.push_back(std::move(row));
      if (!in_.accept('@')) return true;
      uint32_t begin = in_.position();
      if (!in_.identifier(scratch_)) return false;
      targets_.push_back({module_, CallId(inst.payload), scratch_, in_.range_from(begin)});
      return true;
    }
    case PayloadKind::Condition:
    case PayloadKind::Use: {
      bool ok = op_info(inst.kind).payload == PayloadKind::Condition
                    ? read_kind(in_, ConditionKind::Assert, condition_kind_text, "a kind of condition", inst.flags)
                    : read_kind(in_, UseKind::BlockExpand, use_kind_text, "a kind of use", inst.flags);
      if (!ok) return false;
      InstId of;
      if (in_.accept_word("of") && !reference(of)) return false;
      inst.payload = of.index;
      return true;
    }
  }
  PRAVOC_UNREACHABLE();
}

bool BodyReader::operand() {
  InstId operand;
  SourceRange place;
  if (!reference(operand, &place)) return false;
  operand_scratch_.push_back(operand.index);
  use_scratch_.push_back(place);
  return true;
}

// Appends what operand() read to the pool, as the operands of the instruction or behind those it has.
void BodyReader::add_operands(InstId id) {
  Inst& inst = body_.inst(id);
  auto end = static_cast<uint32_t>(body_.operand_pool.size());
  if (inst.operand_count == 0) inst.operand_begin = end;
  inst.operand_count += static_cast<uint32_t>(operand_scratch_.size());
  for (size_t i = 0; i < operand_scratch_.size(); ++i) {
    body_.operand_uses.push_back({static_cast<uint32_t>(body_.operand_pool.size()), use_scratch_[i]});
    body_.operand_pool.push_back(operand_scratch_[i]);
  }
  operand_scratch_.clear();
  use_scratch_.clear();
}

bool BodyReader::operand_list(char close, std::vector<bool>* spread) {
  while (!in_.accept(close)) {
    if (!operand()) return false;
    if (spread != nullptr) spread->push_back(in_.accept_text("..."));
    if (in_.accept(',')) continue;
    if (in_.accept(close)) return true;
    char quoted[] = {'`', close, '`', '\0'};
    return in_.fail(std::string("`,` or ") + quoted);
  }
  return true;
}

bool BodyReader::operands(InstId id) {
  Inst& inst = body_.inst(id);
  const OpInfo& info = op_info(inst.kind);
  operand_scratch_.clear();
  use_scratch_.clear();
  switch (operand_form(inst.kind)) {
    case OperandForm::Bare:
      if (info.max_operands == 0) break;
      do {
        if (!operand()) return false;
      } while (in_.accept(','));
      break;
    case OperandForm::Paren: {
      if (info.max_operands == 0 || in_.peek() != '(') {
        if (info.min_operands == 0 && info.max_operands >= 0) break;
      }
      bool may_spread = info.payload == PayloadKind::Spread || info.payload == PayloadKind::Function;
      std::vector<bool> spread;
      if (!in_.expect('(') || !operand_list(')', may_spread ? &spread : nullptr)) return false;
      if (info.payload == PayloadKind::Spread) {
        inst.payload = static_cast<uint32_t>(body_.field_pool.size());
        for (bool s : spread) body_.field_pool.push_back(s ? NameId(0) : NameId());
      } else if (std::find(spread.begin(), spread.end(), true) != spread.end()) {
        inst.flags |= kExpandLast;
        if (std::find(spread.begin(), spread.end(), true) + 1 != spread.end())
          return in_.fail("`...` on no other argument than the last");
      }
      break;
    }
    case OperandForm::Fields: {
      inst.payload = static_cast<uint32_t>(body_.field_pool.size());
      if (!in_.expect('{')) return false;
      while (!in_.accept('}')) {
        NameId field;
        if (!name_id(field, false) || !in_.expect('=') || !operand()) return false;
        body_.field_pool.push_back(field);
        if (!in_.accept(',') && in_.peek() != '}') return in_.fail("`,` or `}`");
      }
      break;
    }
    case OperandForm::Subscript:
      if (!operand() || !in_.expect('[') || !operand() || !in_.expect(']')) return false;
      break;
    case OperandForm::Infix: {
      if (!operand()) return false;
      in_.peek();
      // Longer operators first: `<=` before `<`.
      std::optional<BinaryKind> found;
      for (int length = 2; length > 0 && !found; --length)
        for (int i = 0; i <= static_cast<int>(BinaryKind::Modulo) && !found; ++i) {
          auto kind = static_cast<BinaryKind>(i);
          std::string_view text = binary_text(kind);
          if (text.size() == static_cast<size_t>(length) && in_.accept_text(text)) found = kind;
        }
      if (!found) return in_.fail("an operator");
      inst.payload = static_cast<uint32_t>(*found);
      if (!operand()) return false;
      break;
    }
    case OperandForm::Prefix:
      if (in_.accept('-'))
        inst.payload = static_cast<uint32_t>(UnaryKind::Negate);
      else if (in_.accept('!'))
        inst.payload = static_cast<uint32_t>(UnaryKind::Not);
      else
        return in_.fail("an operator");
      if (!operand()) return false;
      break;
    case OperandForm::Select: {
      NameId field;
      if (!operand() || !in_.expect('.') || !name_id(field, false)) return false;
      inst.payload = field.index;
      break;
    }
  }
  add_operands(id);
  if (inst.kind == OpKind::Variable && inst.operand_count > 0) inst.flags |= kHasDefault;
  return true;
}

// `over %d`, and of an effect `using %p (%configuration)`.
bool BodyReader::clauses(InstId id) {
  Inst& inst = body_.inst(id);
  if (in_.accept_word("over")) {
    InstId domain;
    if (!reference(domain)) return false;
    // What a collect names here is the domain of its operand.
    if (inst.kind != OpKind::Collect) inst.domain = domain;
  }
  if (op_info(inst.kind).payload == PayloadKind::Resource) {
    bool has_provider = in_.accept_word("using");
    InstId provider;
    SourceRange place;
    if (has_provider && !reference(provider, &place)) return false;
    if (!operands(id)) return false;
    if (has_provider) {
      operand_scratch_.push_back(provider.index);
      use_scratch_.push_back(place);
      add_operands(id);
      inst.flags |= kHasProvider;
    }
  }
  return true;
}

bool BodyReader::open_region(InstId id) {
  Inst& inst = body_.inst(id);
  inst.payload = static_cast<uint32_t>(body_.regions.size());
  for (int i = 0; i < op_info(inst.kind).regions; ++i) body_.regions.push_back({id, InstId(), InstId(), InstId()});
  if (!in_.expect('{')) return false;
  body_.regions[inst.payload].begin = InstId(static_cast<uint32_t>(body_.insts.size()));
  frames_.push_back({id, inst.payload});
  return true;
}

bool BodyReader::close_region() {
  if (!in_.expect('}')) return false;
  Frame frame = frames_.back();
  InstId here(static_cast<uint32_t>(body_.insts.size()));
  if (!frame.owner.valid()) {
    if (in_.accept_word("else") && in_.accept('{')) return true;
    frames_.pop_back();
    in_.skip_line(0);  // perhaps its type
    return true;
  }
  Inst& owner = body_.inst(frame.owner);
  body_.regions[frame.region].end = here;
  uint32_t next = frame.region + 1;
  if (next < owner.payload + static_cast<uint32_t>(op_info(owner.kind).regions)) {
    frames_.back().region = next;
    body_.regions[next].begin = here;
    if (in_.expect_word("else") && in_.expect('{')) return true;
    frames_.pop_back();
    return false;
  }
  frames_.pop_back();
  return result_type(owner);
}

bool BodyReader::result_type(Inst& inst) {
  if (!in_.accept(':')) return true;
  in_.peek();
  // Long object types repeat on many lines; a line's rest that was seen before is the same type.
  std::string_view text = in_.rest_of_line();
  if (auto it = type_texts_.find(text); it != type_texts_.end()) {
    inst.type = it->second;
    in_.skip_line(in_.position());
    return true;
  }
  uint32_t begin = in_.position();
  Type parsed;
  if (!types_.type(parsed, nullptr, 1)) return false;
  inst.type = program_.intern(parsed);
  if (in_.slice(begin) == text) type_texts_.emplace(text, inst.type);
  return true;
}

uint32_t BodyReader::symbol(const Cursor::Name& name) {
  auto [it, added] = symbol_ids_.try_emplace(name.key, static_cast<uint32_t>(symbols_.size()));
  if (added) symbols_.emplace_back();
  return it->second;
}

bool BodyReader::define(const Cursor::Name& name, InstId id, uint32_t begin) {
  Symbol& entry = symbols_[symbol(name)];
  SourceRange range = in_.range(begin, begin + static_cast<uint32_t>(name.key.size()) + 1);
  if (entry.defined) {
    in_.diags().emit(range, diag::IrRepeatedName, "%" + std::string(name.key)).note(entry.range, "first defined here");
    return false;
  }
  entry = {id, range, true};
  return true;
}

bool BodyReader::reference(InstId& out, SourceRange* place) {
  uint32_t begin = in_.begin();
  Cursor::Name name;
  if (!in_.name(name)) return false;
  uint32_t index = symbol(name);
  Symbol& entry = symbols_[index];
  SourceRange range = in_.range_from(begin);
  if (!entry.range.valid()) entry.range = range;
  if (place != nullptr) *place = range;
  out = InstId(index);
  return true;
}

bool BodyReader::resolve() {
  bool ok = true;
  for (const auto& [key, index] : symbol_ids_) {
    if (symbols_[index].defined) continue;
    ok = false;
    in_.diags().emit(symbols_[index].range, diag::IrUnknownName, "%" + std::string(key));
  }
  if (!ok) return false;
  auto resolved = [&](uint32_t index) { return symbols_[index].inst; };
  for (uint32_t& operand : body_.operand_pool) operand = resolved(operand).index;
  auto count = static_cast<uint32_t>(body_.insts.size());
  for (uint32_t i = 0; i < count; ++i) {
    Inst& inst = body_.inst(InstId(i));
    if (inst.domain.valid()) inst.domain = resolved(inst.domain.index);
    PayloadKind payload = op_info(inst.kind).payload;
    if ((payload == PayloadKind::Condition || payload == PayloadKind::Use) && inst.payload != UINT32_MAX)
      inst.payload = resolved(inst.payload).index;
  }
  for_each_table_reference(body_, [&](InstId& id) { id = resolved(id.index); });
  resolve_defaults();
  return true;
}

// What the text leaves out because it follows from the instructions.
void BodyReader::resolve_defaults() {
  auto count = static_cast<uint32_t>(body_.insts.size());
  auto call_of = [&](InstId instance) -> ModuleCallInfo* {
    const Inst& inst = body_.inst(instance);
    return inst.kind == OpKind::ModuleInstance ? &body_.calls[inst.payload] : nullptr;
  };
  for (uint32_t i = 0; i < count; ++i) {
    InstId id(i);
    Inst& inst = body_.inst(id);
    if ((inst.kind == OpKind::Key || inst.kind == OpKind::Each) && !inst.domain.valid() && inst.operand_count > 0) {
      InstId of = body_.operand(id, 0);
      OpKind kind = body_.inst(of).kind;
      if (kind == OpKind::ExpandCount || kind == OpKind::ExpandForEach) inst.domain = of;
    } else if (inst.kind == OpKind::ModuleArg && inst.operand_count > 1) {
      if (auto* call = call_of(body_.operand(id, 1))) call->args.emplace_back(NameId(inst.payload), id);
    } else if (inst.kind == OpKind::ModuleOut && inst.operand_count > 0) {
      if (auto* call = call_of(body_.operand(id, 0))) call->outs.emplace_back(NameId(inst.payload), id);
    }
  }
  for (size_t i = 0; i < body_.resources.size(); ++i) {
    ResourceInfo& row = body_.resources[i];
    const Inst& inst = body_.inst(row.inst);
    const RowContext& given = resource_contexts_[i];
    if (!given.expand) row.expand = inst.domain;
    const ProviderInfo* provider = inst.operand_count > 1 ? provider_of(body_, body_.operand(row.inst, 1)) : nullptr;
    if (provider == nullptr) continue;
    if (!given.provider_address) row.provider_address = provider->address;
    if (!given.provider_name) row.provider_local_name = provider->local_name;
    if (!given.provider_alias) row.provider_alias = provider->alias;
  }
  for (size_t i = 0; i < body_.calls.size(); ++i) {
    ModuleCallInfo& row = body_.calls[i];
    if (!call_contexts_[i].expand) row.expand = body_.inst(row.inst).domain;
    std::sort(row.args.begin(), row.args.end());
    std::sort(row.outs.begin(), row.outs.end());
  }
  for (size_t i = 0; i < body_.variables.size(); ++i) {
    VariableInfo& row = body_.variables[i];
    TypeId type = body_.inst(row.inst).type;
    if (!variable_contexts_[i].constraint && type.valid()) row.type.type = program_.type(type);
  }
}

}  // namespace text

bool parse_program(const SourceManager& sources, FileId file, Program& program, Diagnostics& diags) {
  PRAVOC_CHECK(program.bodies.empty());
  text::Cursor in(sources, file, diags);
  std::vector<text::PendingTarget> targets;
  std::unordered_map<std::string, ModuleId> labels;
  bool ok = true;
  do {
    ModuleId module(static_cast<uint32_t>(program.bodies.size()));
    auto body = std::make_unique<ModuleBody>();
    body->root = module.index == 0;
    if (!in.accept_word("module")) return in.fail_here("`module`");
    if (!in.expect('@')) return false;
    uint32_t begin = in.position();
    if (!in.identifier(body->label)) return false;
    SourceRange label_range = in.range_from(begin);
    body->directory = body->root ? "." : body->label;
    if (in.accept_word("directory") && !in.string(body->directory)) return false;
    if (!in.expect('{')) return false;
    if (!labels.emplace(body->label, module).second) {
      diags.emit(label_range, diag::IrRepeatedName, "@" + body->label);
      ok = false;
    }
    program.bodies.push_back(std::move(body));
    text::BodyReader reader(in, program, module, targets);
    if (!reader.read()) ok = false;
    if (!ok && in.peek() == '\0') return false;
  } while (!in.at_end());
  for (const text::PendingTarget& target : targets) {
    auto it = labels.find(target.label);
    if (it == labels.end()) {
      diags.emit(target.range, diag::IrUnknownModule, target.label);
      ok = false;
      continue;
    }
    program.body(target.module).calls[target.call.index].target = it->second;
  }
  return ok;
}

}  // namespace pravo
