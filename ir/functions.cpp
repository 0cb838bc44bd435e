#include "ir/functions.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <llvm/ADT/SmallVector.h>

#include "ir/check.h"
#include "ir/convert.h"
#include "ir/functions/call.h"
#include "ir/limits.h"

namespace pravo {

namespace {

using functions::Call;

constexpr functions::Run kRun[] = {
#define PRAVO_FUNCTION(Name, name, parameters, result, purity, marks, since, doc) &functions::run_##Name,
#include "ir/functions.def"
};
constexpr size_t kCount = std::size(kRun);

constexpr std::array<functions::ResultType, kCount> typed_functions() {
  std::array<functions::ResultType, kCount> table{};
#define PRAVO_TYPED(Name) table[static_cast<size_t>(FunctionId::Name)] = &functions::type_##Name;
  PRAVO_TYPED_FUNCTIONS(PRAVO_TYPED)
#undef PRAVO_TYPED
  return table;
}
constexpr std::array<functions::ResultType, kCount> kResultType = typed_functions();

// Functions whose result may be null, so that nothing is said of an unknown one.
bool result_may_be_null(FunctionId id) {
  switch (id) {
    case FunctionId::Assumeequal:
    case FunctionId::Assumelistlength:
    case FunctionId::Assumelistlengthmax:
    case FunctionId::Assumelistlengthmin:
    case FunctionId::Assumemaplength:
    case FunctionId::Assumemaplengthmax:
    case FunctionId::Assumemaplengthmin:
    case FunctionId::Assumesetlength:
    case FunctionId::Assumesetlengthmax:
    case FunctionId::Assumesetlengthmin:
    case FunctionId::Assumestringprefix:
    case FunctionId::Convert:
    case FunctionId::Element:
    case FunctionId::Ephemeralasnull:
    case FunctionId::Issensitive:
    case FunctionId::Jsondecode:
    case FunctionId::Lookup:
    case FunctionId::Nonsensitive:
    case FunctionId::One:
    case FunctionId::Sensitive:
    case FunctionId::Templatefile:
    case FunctionId::Templatestring:
    case FunctionId::Tobool:
    case FunctionId::Tolist:
    case FunctionId::Tomap:
    case FunctionId::Tonumber:
    case FunctionId::Toset:
    case FunctionId::Tostring:
    case FunctionId::Yamldecode:
    case FunctionId::Yamlencode:
    case FunctionId::Filemd5:
    case FunctionId::Filesha1:
    case FunctionId::Filesha256:
    case FunctionId::Filesha512:
    case FunctionId::Filebase64sha256:
    case FunctionId::Filebase64sha512:
    case FunctionId::Strcontains:
      return true;
    default:
      return false;
  }
}

std::string_view trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// "list: list(bool) null marked", see functions.def.
Parameter parse_parameter(std::string_view text) {
  Parameter p;
  size_t colon = text.find(':');
  PRAVOC_CHECK(colon != std::string_view::npos);
  p.name = trim(text.substr(0, colon));
  if (p.name.ends_with("...")) p.name.remove_suffix(3);
  std::string_view rest = trim(text.substr(colon + 1));
  bool first = true;
  while (!rest.empty()) {
    size_t space = std::min(rest.find(' '), rest.size());
    std::string_view word = rest.substr(0, space);
    rest = trim(rest.substr(space));
    if (first) {
      Result<Type> type = Type::parse(word);
      p.type = *type;
      first = false;
    } else if (word == "null") {
      p.allow_null = true;
    } else if (word == "unknown") {
      p.allow_unknown = true;
    } else if (word == "dynamic") {
      p.allow_dynamic = true;
    } else {
      PRAVOC_CHECK(word == "marked");
      p.allow_marked = true;
    }
  }
  return p;
}

struct RowText {
  std::string_view name;
  std::string_view parameters;
  std::string_view result;
  Purity purity;
  MarkTransfer marks;
  std::string_view since;
  std::string_view doc;
};

constexpr RowText kRows[] = {
#define PRAVO_FUNCTION(Name, name, parameters, result, purity, marks, since, doc) \
  {name, parameters, result, Purity::purity, MarkTransfer::marks, since, doc},
#include "ir/functions.def"
};

std::vector<FunctionInfo> make_table() {
  std::vector<FunctionInfo> table;
  table.reserve(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    const RowText& row = kRows[i];
    FunctionInfo info;
    info.id = static_cast<FunctionId>(i);
    info.name = row.name;
    info.purity = row.purity;
    info.marks = row.marks;
    info.since = row.since;
    info.doc = row.doc;
    Result<Type> result = Type::parse(row.result);
    info.result = *result;
    info.lazy = info.id == FunctionId::Try || info.id == FunctionId::Can;
    for (std::string_view rest = row.parameters; !rest.empty();) {
      size_t end = std::min(rest.find(';'), rest.size());
      std::string_view one = trim(rest.substr(0, end));
      rest = end == rest.size() ? std::string_view() : rest.substr(end + 1);
      if (one.find("...:") != std::string_view::npos)
        info.variadic = parse_parameter(one);
      else
        info.parameters.push_back(parse_parameter(one));
    }
    table.push_back(std::move(info));
  }
  return table;
}

std::unique_ptr<EvalError> wrong_count(const FunctionInfo& info, size_t given) {
  size_t wanted = info.parameters.size();
  std::string_view plural = wanted == 1 ? "" : "s";
  std::string text = info.variadic ? fmt::format("`{}` takes at least {} argument{}, but {} {} given", info.name,
                                                 wanted, plural, given, given == 1 ? "is" : "are")
                                   : fmt::format("`{}` takes {} argument{}, but {} {} given", info.name, wanted, plural,
                                                 given, given == 1 ? "is" : "are");
  return fail(EvalErrorKind::Call, std::move(text), given > wanted ? static_cast<int>(wanted) : -1);
}

// Whether the result is an argument's element, or one of the arguments: nothing is made.
bool picks_a_part(MarkTransfer marks) {
  return marks == MarkTransfer::Element || marks == MarkTransfer::Lookup || marks == MarkTransfer::Clean ||
         marks == MarkTransfer::Second;
}

// Whether the marks of arguments that the evaluator would see are lost where it is not asked, because one of them is
// unknown. Terraform's functions that came with the language do that, those of its own do not.
bool forgets_marks_of_unknowns(const FunctionInfo& info) {
  switch (info.marks) {
    case MarkTransfer::Concat:
    case MarkTransfer::Element:
    case MarkTransfer::Elements:
    case MarkTransfer::Flatten:
    case MarkTransfer::Merge:
    case MarkTransfer::Values:
    case MarkTransfer::Zipmap:
      return true;
    case MarkTransfer::Union:
      return info.id == FunctionId::Abs;
    case MarkTransfer::Clean:
    case MarkTransfer::Convert:
    case MarkTransfer::Lookup:
    case MarkTransfer::Own:
    case MarkTransfer::Product:
    case MarkTransfer::Second:
    case MarkTransfer::Try:
    case MarkTransfer::AddSensitive:
    case MarkTransfer::RemoveSensitive:
    case MarkTransfer::RemoveEphemeral:
      return false;
  }
  PRAVOC_UNREACHABLE();
}

}  // namespace

std::span<const FunctionInfo> all_functions() {
  static const std::vector<FunctionInfo> table = make_table();
  return table;
}

const FunctionInfo& function_info(FunctionId id) { return all_functions()[static_cast<size_t>(id)]; }

namespace {

// Every pass asks for each call, so this is open addressing over a table that the compiler fills. Three characters and
// the length tell nearly all names apart.
constexpr size_t kSlots = 512;
constexpr uint8_t kFreeSlot = 0xff;
static_assert(kCount < kFreeSlot);

constexpr size_t slot_of(std::string_view name) {
  if (name.empty()) return 0;
  auto at = [&](size_t i) { return static_cast<uint32_t>(static_cast<uint8_t>(name[i])); };
  uint32_t hash =
      at(0) * 7 + at(name.size() / 2) * 97 + at(name.size() - 1) * 5 + static_cast<uint32_t>(name.size()) * 101;
  return hash % kSlots;
}

constexpr std::array<uint8_t, kSlots> fill_slots() {
  std::array<uint8_t, kSlots> slots{};
  slots.fill(kFreeSlot);
  for (size_t i = 0; i < kCount; ++i) {
    size_t slot = slot_of(kRows[i].name);
    while (slots[slot] != kFreeSlot) slot = (slot + 1) % kSlots;
    slots[slot] = static_cast<uint8_t>(i);
  }
  return slots;
}
constexpr std::array<uint8_t, kSlots> kSlotOf = fill_slots();

}  // namespace

std::optional<FunctionId> find_function(std::string_view name) {
  if (name.size() > 6 && name[4] == ':' && name.starts_with("core::")) name.remove_prefix(6);
  for (size_t slot = slot_of(name); kSlotOf[slot] != kFreeSlot; slot = (slot + 1) % kSlots)
    if (kRows[kSlotOf[slot]].name == name) return static_cast<FunctionId>(kSlotOf[slot]);
  return std::nullopt;
}

const Parameter* FunctionInfo::parameter(size_t i) const {
  if (i < parameters.size()) return &parameters[i];
  return variadic ? &*variadic : nullptr;
}

std::string FunctionInfo::signature() const {
  std::string out = fmt::format("{}(", name);
  bool first = true;
  auto add = [&](const Parameter& p, std::string_view dots) {
    if (!first) out += ", ";
    first = false;
    out += fmt::format("{}{} {}", p.name, dots, p.type.to_string());
  };
  for (const Parameter& p : parameters) add(p, "");
  if (variadic) add(*variadic, "...");
  return fmt::format("{}) {}", out, result.to_string());
}

Result<Value> call_function(FunctionId id, std::span<const Value> given, EvalHost& host) {
  const FunctionInfo& info = function_info(id);
  PRAVOC_CHECK(!info.lazy);
  if (given.size() < info.parameters.size() || (given.size() > info.parameters.size() && !info.variadic))
    return wrong_count(info, given.size());

  llvm::SmallVector<Value, 4> arguments;
  arguments.reserve(given.size());
  MarkSet marks = MarkSet::None;      // of arguments whose marks the evaluator does not see
  MarkSet own_marks = MarkSet::None;  // of those whose it does
  bool secret = false;
  for (size_t i = 0; i < given.size(); ++i) {
    const Parameter& p = *info.parameter(i);
    Result<Value> converted = convert(given[i], p.type);
    if (!converted) {
      auto error = converted.take_error();
      error->argument = static_cast<int>(i);
      return error;
    }
    MarkSet deep = converted->deep_marks();
    secret |= any(deep);
    if (any(deep)) {
      if (p.allow_marked) {
        own_marks |= converted->marks();
      } else {
        marks |= deep;
        converted = converted->without_deep_marks();
      }
    }
    arguments.push_back(*std::move(converted));
  }

  bool dynamic = false;
  bool unknown = false;
  for (size_t i = 0; i < arguments.size() && !dynamic; ++i) {
    const Parameter& p = *info.parameter(i);
    const Value& v = arguments[i];
    if (v.is_null() && !p.allow_null)
      return fail(EvalErrorKind::Null, fmt::format("argument `{}` must not be null", p.name), static_cast<int>(i));
    dynamic = !p.allow_dynamic && v.has_type(TypeKind::Dynamic);
    unknown |= v.is_unknown() && !p.allow_unknown;
  }
  if (dynamic) return Value::unknown().with_marks(info.marks == MarkTransfer::Union ? marks | own_marks : marks);

  uint64_t steps = 1;
  // What computes a scalar or mixes its arguments reads all of them.
  if (info.marks == MarkTransfer::Union)
    for (const Value& v : arguments) steps += steps_to_read(v);
  if (!host.spend(steps)) return too_many_steps();

  Call call{info, arguments, host, secret};
  Type type = info.result;
  if (kResultType[static_cast<size_t>(id)] != nullptr) {
    PRAVO_TRY(dependent, kResultType[static_cast<size_t>(id)](call));
    type = std::move(dependent);
  }
  bool impure = info.purity == Purity::Clock || info.purity == Purity::Random;
  Value value;
  if (unknown || (impure && host.defer_impure())) {
    value = Value::unknown(std::move(type));
    if (!forgets_marks_of_unknowns(info)) value = std::move(value).with_marks(own_marks);
  } else {
    PRAVO_TRY(result, kRun[static_cast<size_t>(id)](call, type));
    value = std::move(result);
    if (auto error = over_limits(value)) return error;
    if (!picks_a_part(info.marks) && !host.spend(arguments.empty() ? 1 : steps_to_make(value, arguments[0])))
      return too_many_steps();
  }
  if (value.is_unknown() && !result_may_be_null(id)) value = value.refine_not_null();
  return std::move(value).with_marks(marks);
}

Result<Value> evaluate_try(size_t count, llvm::function_ref<Result<Value>(size_t)> evaluate) {
  if (count == 0) return fail(EvalErrorKind::Call, "`try` takes at least one argument");
  std::unique_ptr<EvalError> last;
  for (size_t i = 0; i < count; ++i) {
    Result<Value> value = evaluate(i);
    if (!value) {
      if (value.error().kind == EvalErrorKind::Refused) return value;
      last = value.take_error();
      continue;
    }
    // Something unknown may yet turn out to fail, and then another argument would be the result. As in Terraform,
    // nothing is said of its marks either.
    if (!value->is_wholly_known()) return Value::unknown();
    return value;
  }
  if (count > 1) last->message = "no argument evaluates; the last one: " + last->message;
  last->argument = static_cast<int>(count - 1);
  return last;
}

Result<Value> evaluate_can(llvm::function_ref<Result<Value>()> evaluate) {
  Result<Value> value = evaluate();
  if (!value) {
    if (value.error().kind == EvalErrorKind::Refused) return value;
    return Value::boolean(false);
  }
  if (!value->is_wholly_known()) return Value::unknown(Type::boolean()).refine_not_null();
  return Value::boolean(true);
}

std::string console_type(const Value& value) { return value.type().to_console_string(); }

}  // namespace pravo
