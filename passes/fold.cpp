#include "passes/fold.h"

#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "ir/convert.h"
#include "ir/diagnostics/passes.h"
#include "ir/functions.h"
#include "ir/operators.h"
#include "ir/walk.h"
#include "passes/constants.h"

namespace pravo::passes {

namespace {

class Folder {
 public:
  Folder(const Program& program, const ModuleBody& body, const std::set<std::pair<uint32_t, uint32_t>>& known,
         Diagnostics& diags)
      : program_(program), body_(body), reported_(known), diags_(diags), progress_(body.insts.size(), kNew) {}

  void run() {
    for (InstId id : top_insts(body_))
      if (!body_.inst(id).domain.valid()) start(id);
  }

 private:
  // Values that are computed whatever happens.
  void start(InstId id) {
    const Inst& inst = body_.inst(id);
    switch (inst.kind) {
      case OpKind::Local:
      case OpKind::Output:
      case OpKind::ModuleArg:
        fold(inst.kind == OpKind::Local ? id : body_.operand(id, 0));
        return;
      case OpKind::ExpandCount:
      case OpKind::ExpandForEach:
        check_repetition(id);
        return;
      case OpKind::Resource:
        config(body_.operand(id, 0));
        return;
      case OpKind::Data:
        if (!body_.resources[inst.payload].in_check) config(body_.operand(id, 0));
        return;
      case OpKind::Condition:
        if (static_cast<ConditionKind>(inst.flags) != ConditionKind::Assert) fold(body_.operand(id, 0));
        return;
      // Opened, configured or evaluated only if something needs them.
      case OpKind::Ephemeral:
      case OpKind::Provider:
      case OpKind::Use:
      case OpKind::Check:
      case OpKind::Const:
      case OpKind::Variable:
      case OpKind::Env:
      case OpKind::Meta:
      case OpKind::Unknown:
      case OpKind::Call:
      case OpKind::Binary:
      case OpKind::Unary:
      case OpKind::Template:
      case OpKind::TemplateJoin:
      case OpKind::Index:
      case OpKind::Attr:
      case OpKind::Splat:
      case OpKind::Convert:
      case OpKind::Object:
      case OpKind::ObjectKeyed:
      case OpKind::Tuple:
      case OpKind::Blocks:
      case OpKind::Cond:
      case OpKind::ForList:
      case OpKind::ForObject:
      case OpKind::Yield:
      case OpKind::Key:
      case OpKind::Each:
      case OpKind::At:
      case OpKind::Collect:
      case OpKind::ModuleInstance:
      case OpKind::ModuleOut:
      case OpKind::ProviderCall:
      case OpKind::MarkAdd:
      case OpKind::MarkRemove:
        return;
    }
  }

  void config(InstId id) {
    if (body_.inst(id).kind != OpKind::Object) return;
    for (uint32_t operand : body_.operand_indexes(id)) fold(InstId(operand));
  }

  // Operands first, without recursion. Only values of locals are kept for others: any other value has one user.
  void fold(InstId root) { value_of(root); }

  // `count` and `for_each` take only some values.
  void check_repetition(InstId expand) {
    InstId operand = body_.operand(expand, 0);
    std::optional<Value> value = value_of(operand);
    if (!value) return;
    const bool count = body_.inst(expand).kind == OpKind::ExpandCount;
    std::string_view wrong = count ? wrong_count(*value) : wrong_keys(*value);
    SourceRange range = body_.use_range(expand, 0);
    if (wrong.empty() || reported_.contains({range.file.index, range.begin})) return;
    diags_.emit(range, diag::CertainFailure, fmt::format("invalid `{}`: {}", count ? "count" : "for_each", wrong));
  }

  static std::string_view wrong_count(const Value& value) {
    if (value.is_null()) return "it is null";
    Result<Value> number = convert(value.without_marks(), Type::number());
    if (number.ok() && number->is_unknown()) return {};
    std::optional<int64_t> rows = number.ok() ? number->as_number().to_int64() : std::nullopt;
    return rows && *rows >= 0 ? std::string_view() : "a whole number that is not negative is required";
  }

  static std::string_view wrong_keys(const Value& value) {
    if (value.is_null()) return "it is null";
    if (value.kind() != ValueKind::Set) return {};  // what else it must not be, its type says
    for (const Value& element : value.elements())
      if (element.is_null()) return "the set has a null element";
    return {};
  }

  // Computes what `root` certainly needs and that was not looked at before, depth first. Only the values of locals are
  // kept: anything else is asked for by the expression that it is part of.
  std::optional<Value> value_of(InstId root) {
    stack_.push_back(root);
    while (!stack_.empty()) {
      InstId id = stack_.back();
      uint32_t& progress = progress_[id.index];
      if (progress != kNew) {
        stack_.pop_back();
        if (progress == kOpen) finish(id);
        continue;
      }
      progress = kOpen;
      const uint32_t certain = certain_operands(id);
      for (uint32_t operand : body_.operand_indexes(id).first(certain)) {
        const Inst& inst = body_.inst(InstId(operand));
        if (inst.kind != OpKind::Const && progress_[operand] == kNew && !inst.domain.valid())
          stack_.push_back(InstId(operand));
      }
    }
    std::optional<Value> result;
    if (const Value* value = known(root)) result = *value;
    for (InstId id : made_) progress_[id.index] = kDone;
    made_.clear();
    values_.clear();
    return result;
  }

  void finish(InstId id) {
    progress_[id.index] = kDone;
    std::optional<Value> value = evaluate(id);
    if (!value) return;
    const bool local = body_.inst(id).kind == OpKind::Local;
    std::vector<Value>& values = local ? locals_ : values_;
    progress_[id.index] = kFirstValue + static_cast<uint32_t>(values.size()) * 2 + (local ? 1 : 0);
    values.push_back(std::move(*value));
    if (!local) made_.push_back(id);
  }

  // How many of the first operands are evaluated whenever the instruction is.
  uint32_t certain_operands(InstId id) const {
    const Inst& inst = body_.inst(id);
    switch (inst.kind) {
      case OpKind::Call: {
        auto function = find_function(program_.text(NameId(inst.payload)));
        return function && function_info(*function).lazy ? 0 : inst.operand_count;
      }
      case OpKind::ModuleArg:
      case OpKind::Local:
      case OpKind::Output:
      case OpKind::Cond:
      case OpKind::Splat:
      case OpKind::ForList:
      case OpKind::ForObject:
        return 1;
      case OpKind::Binary: {
        // Later versions of the language leave out the second operand where the first decides.
        auto kind = static_cast<BinaryKind>(inst.payload);
        return kind == BinaryKind::And || kind == BinaryKind::Or ? 1 : inst.operand_count;
      }
      case OpKind::Unary:
      case OpKind::Template:
      case OpKind::TemplateJoin:
      case OpKind::Index:
      case OpKind::Attr:
      case OpKind::Convert:
      case OpKind::Object:
      case OpKind::ObjectKeyed:
      case OpKind::Tuple:
      case OpKind::Blocks:
      case OpKind::ProviderCall:
      case OpKind::MarkAdd:
      case OpKind::MarkRemove:
        return inst.operand_count;
      case OpKind::Const:
      case OpKind::Variable:
      case OpKind::Env:
      case OpKind::Meta:
      case OpKind::Unknown:
      case OpKind::Yield:
      case OpKind::ExpandCount:
      case OpKind::ExpandForEach:
      case OpKind::Key:
      case OpKind::Each:
      case OpKind::At:
      case OpKind::Collect:
      case OpKind::ModuleInstance:
      case OpKind::ModuleOut:
      case OpKind::Provider:
      case OpKind::Resource:
      case OpKind::Data:
      case OpKind::Ephemeral:
      case OpKind::Check:
      case OpKind::Condition:
      case OpKind::Use:
        return 0;
    }
    PRAVOC_UNREACHABLE();
  }

  // The value of an operand that is known here, or null.
  const Value* known(InstId id) const {
    if (body_.inst(id).kind == OpKind::Const) return is_small(body_.constant(id)) ? &body_.constant(id) : nullptr;
    const uint32_t progress = progress_[id.index];
    if (progress < kFirstValue) return nullptr;
    const uint32_t at = progress - kFirstValue;
    return &(at % 2 == 1 ? locals_ : values_)[at / 2];
  }
  const Value& operand(InstId id, uint32_t n) const { return *known(body_.operand(id, n)); }

  // The value where all operands are known and computing it is neither refused nor fails; a failure is reported.
  std::optional<Value> evaluate(InstId id) {
    const Inst& inst = body_.inst(id);
    if (inst.kind == OpKind::Const) return std::nullopt;
    const uint32_t certain = certain_operands(id);
    bool empty = inst.kind == OpKind::Tuple || inst.kind == OpKind::Object;  // `[]` and `{}` need nothing to be known
    if (certain == 0 && !empty) return std::nullopt;
    if (inst.kind == OpKind::Index) check_index(id);
    for (uint32_t operand : body_.operand_indexes(id).first(certain))
      if (known(InstId(operand)) == nullptr) return std::nullopt;
    if (!foldable(inst)) return std::nullopt;
    if (inst.kind == OpKind::Local) return operand(id, 0);
    Result<Value> result = compute(id);
    if (!result.ok()) {
      fail(id, result.error());
      return std::nullopt;
    }
    if (!result->is_known() || !is_small(*result)) return std::nullopt;
    return std::move(*result);
  }

  // A known index that no element of `[a, b]` has, whatever the elements are, and one that no list can have.
  void check_index(InstId id) {
    InstId base = body_.operand(id, 0);
    const Value* key = known(body_.operand(id, 1));
    if (known(base) != nullptr || key == nullptr) return;
    const Inst& inst = body_.inst(base);
    Result<Value> any = Value::unknown();
    if (inst.kind == OpKind::Tuple)
      any = make_tuple(std::vector<Value>(inst.operand_count, Value::unknown()));
    else if (inst.type.valid() && program_.type(inst.type).kind() == TypeKind::List)
      any = Value::unknown(program_.type(inst.type));
    if (!any.ok()) return;
    Result<Value> result = index(*any, *key);
    if (!result.ok()) fail(id, result.error());
  }

  bool foldable(const Inst& inst) const {
    if (inst.kind != OpKind::Call) return true;
    std::string_view name = program_.text(NameId(inst.payload));
    auto function = find_function(name);
    return function && (inst.flags & kExpandLast) == 0 && function_info(*function).purity == Purity::Pure &&
           !may_amplify(name, {});
  }

  Result<Value> compute(InstId id) {
    const Inst& inst = body_.inst(id);
    auto all = [&] {
      std::vector<Value> values;
      values.reserve(inst.operand_count);
      for (uint32_t n = 0; n < inst.operand_count; ++n) values.push_back(operand(id, n));
      return values;
    };
    switch (inst.kind) {
      case OpKind::Binary:
        if (known(body_.operand(id, 1)) == nullptr) return Value::unknown();
        return binary(static_cast<BinaryOp>(inst.payload), operand(id, 0), operand(id, 1));
      case OpKind::Unary:
        return unary(static_cast<UnaryOp>(inst.payload), operand(id, 0));
      case OpKind::Template: {
        std::vector<Value> parts = all();
        // A template of one directive is a string all the same.
        if (parts.size() == 1 && (inst.flags & kFromSyntax) != 0) parts.push_back(Value::string(""));
        return join_template(parts);
      }
      case OpKind::Index:
        return index(operand(id, 0), operand(id, 1));
      case OpKind::Attr:
        return attribute(operand(id, 0), program_.text(NameId(inst.payload)));
      case OpKind::Convert:
        return inst.type.valid() ? convert(operand(id, 0), program_.type(inst.type)) : Result<Value>(Value::unknown());
      case OpKind::Tuple:
        return make_tuple(all());
      case OpKind::Object: {
        std::vector<std::pair<Str, Value>> entries;
        std::span<const NameId> names = body_.fields(id);
        for (uint32_t n = 0; n < inst.operand_count; ++n)
          entries.emplace_back(Str(program_.text(names[n])), operand(id, n));
        return Value::object(std::move(entries));
      }
      case OpKind::ObjectKeyed: {
        std::vector<std::pair<Value, Value>> entries;
        for (uint32_t n = 0; n + 1 < inst.operand_count; n += 2)
          entries.emplace_back(operand(id, n), operand(id, n + 1));
        return make_object(std::move(entries));
      }
      case OpKind::Call:
        return call_function(*find_function(program_.text(NameId(inst.payload))), all(), host_);
      case OpKind::MarkAdd:
        return operand(id, 0).with_marks(inst.marks);
      case OpKind::MarkRemove:
        return operand(id, 0).without_marks(inst.marks);
      case OpKind::Cond: {
        Result<Choice> choice = choose(operand(id, 0));
        if (!choice.ok()) return choice.take_error();
        return Value::unknown();
      }
      case OpKind::TemplateJoin:
      case OpKind::Blocks:
      case OpKind::Splat:
      case OpKind::ForList:
      case OpKind::ForObject:
      case OpKind::ProviderCall:
      case OpKind::Const:
      case OpKind::Variable:
      case OpKind::Env:
      case OpKind::Meta:
      case OpKind::Unknown:
      case OpKind::Local:
      case OpKind::Yield:
      case OpKind::ExpandCount:
      case OpKind::ExpandForEach:
      case OpKind::Key:
      case OpKind::Each:
      case OpKind::At:
      case OpKind::Collect:
      case OpKind::ModuleInstance:
      case OpKind::ModuleArg:
      case OpKind::ModuleOut:
      case OpKind::Provider:
      case OpKind::Resource:
      case OpKind::Data:
      case OpKind::Ephemeral:
      case OpKind::Output:
      case OpKind::Check:
      case OpKind::Condition:
      case OpKind::Use:
        return Value::unknown();
    }
    PRAVOC_UNREACHABLE();
  }

  void fail(InstId id, const EvalError& error) {
    if (error.kind == EvalErrorKind::Refused || error.kind == EvalErrorKind::Host) return;
    SourceRange range = body_.range(id);
    if (reported_.contains({range.file.index, range.begin})) return;
    bool at_operand = error.argument >= 0 && static_cast<uint32_t>(error.argument) < body_.inst(id).operand_count &&
                      body_.inst(id).kind != OpKind::ObjectKeyed;
    if (at_operand) range = body_.use_range(id, static_cast<uint32_t>(error.argument));
    if (reported_.contains({range.file.index, range.begin})) return;
    diags_.emit(range, diag::CertainFailure, error.text());
  }

  // What is known of an instruction: not looked at, waiting for its operands, looked at, or where its value lies: an
  // index in `values_` or, if odd, in `locals_`.
  static constexpr uint32_t kNew = 0;
  static constexpr uint32_t kOpen = 1;
  static constexpr uint32_t kDone = 2;
  static constexpr uint32_t kFirstValue = 4;

  const Program& program_;
  const ModuleBody& body_;
  const std::set<std::pair<uint32_t, uint32_t>>& reported_;  // file and begin of errors
  Diagnostics& diags_;
  std::vector<uint32_t> progress_;  // by InstId
  std::vector<Value> locals_;
  std::vector<Value> values_;  // of the expression that is being looked at
  std::vector<InstId> made_;   // whose values these are
  std::vector<InstId> stack_;
  RefusingHost host_;
};

// Bodies that certainly have an instance: the root, and what a body that has one calls without expansion.
std::vector<bool> certain_bodies(const Program& program, const ModuleIndex& modules) {
  std::vector<bool> certain(program.bodies.size());
  for (size_t i = modules.bottom_up.size(); i-- > 0;) {
    ModuleId module = modules.bottom_up[i];
    const ModuleBody& body = program.body(module);
    if (body.root) certain[module.index] = true;
    if (!certain[module.index]) continue;
    for (const ModuleCallInfo& call : body.calls)
      if (call.target.valid() && !call.expand.valid()) certain[call.target.index] = true;
  }
  return certain;
}

}  // namespace

void report_certain_failures(const Program& program, const ModuleIndex& modules, Diagnostics& diags) {
  std::set<std::pair<uint32_t, uint32_t>> known;
  for (const Diagnostic& d : diags.all())
    if (d.severity == Severity::Error && d.range.valid()) known.insert({d.range.file.index, d.range.begin});
  std::vector<bool> certain = certain_bodies(program, modules);
  for (uint32_t m = 0; m < program.bodies.size(); ++m)
    if (certain[m]) Folder(program, program.body(ModuleId(m)), known, diags).run();
}

}  // namespace pravo::passes
