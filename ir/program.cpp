#include "ir/program.h"

#include <algorithm>
#include <array>

namespace pravo {

namespace {

constexpr OpInfo kOps[] = {
#define PRAVO_OP(Name, text, group, effect, payload, min, max, regions, marks) \
  {text, OpGroup::group, OpEffect::effect, PayloadKind::payload, min, max, regions, MarkRule::marks},
#include "ir/ops.def"
};
static_assert(std::size(kOps) == kOpCount);

constexpr std::array<OpKind, kOpCount> ops_by_text() {
  std::array<OpKind, kOpCount> sorted{};
  for (unsigned i = 0; i < kOpCount; ++i) sorted[i] = static_cast<OpKind>(i);
  std::sort(sorted.begin(), sorted.end(), [](OpKind a, OpKind b) {
    return kOps[static_cast<unsigned>(a)].text < kOps[static_cast<unsigned>(b)].text;
  });
  return sorted;
}
constexpr std::array<OpKind, kOpCount> kOpsByText = ops_by_text();

}  // namespace

const OpInfo& op_info(OpKind kind) { return kOps[static_cast<size_t>(kind)]; }

std::optional<OpKind> find_op(std::string_view text) {
  auto it = std::lower_bound(kOpsByText.begin(), kOpsByText.end(), text,
                             [](OpKind kind, std::string_view t) { return op_info(kind).text < t; });
  if (it == kOpsByText.end() || op_info(*it).text != text) return std::nullopt;
  return *it;
}

std::string_view binary_text(BinaryKind kind) {
  switch (kind) {
    case BinaryKind::Or:
      return "||";
    case BinaryKind::And:
      return "&&";
    case BinaryKind::Equal:
      return "==";
    case BinaryKind::NotEqual:
      return "!=";
    case BinaryKind::Less:
      return "<";
    case BinaryKind::Greater:
      return ">";
    case BinaryKind::LessEqual:
      return "<=";
    case BinaryKind::GreaterEqual:
      return ">=";
    case BinaryKind::Add:
      return "+";
    case BinaryKind::Subtract:
      return "-";
    case BinaryKind::Multiply:
      return "*";
    case BinaryKind::Divide:
      return "/";
    case BinaryKind::Modulo:
      return "%";
  }
  PRAVOC_UNREACHABLE();
}

std::string_view unary_text(UnaryKind kind) {
  switch (kind) {
    case UnaryKind::Negate:
      return "-";
    case UnaryKind::Not:
      return "!";
  }
  PRAVOC_UNREACHABLE();
}

std::string_view condition_kind_text(ConditionKind kind) {
  switch (kind) {
    case ConditionKind::Validation:
      return "validation";
    case ConditionKind::Precondition:
      return "precondition";
    case ConditionKind::Postcondition:
      return "postcondition";
    case ConditionKind::Assert:
      return "assert";
  }
  PRAVOC_UNREACHABLE();
}

std::string_view use_kind_text(UseKind kind) {
  switch (kind) {
    case UseKind::Provisioner:
      return "provisioner";
    case UseKind::Connection:
      return "connection";
    case UseKind::ReplaceTrigger:
      return "replace_trigger";
    case UseKind::ImportId:
      return "import_id";
    case UseKind::ImportForEach:
      return "import_for_each";
    case UseKind::DependsOn:
      return "depends_on";
    case UseKind::BlockExpand:
      return "block_expand";
  }
  PRAVOC_UNREACHABLE();
}

std::string_view resource_mode_text(ResourceMode mode) {
  switch (mode) {
    case ResourceMode::Managed:
      return "resource";
    case ResourceMode::Data:
      return "data";
    case ResourceMode::Ephemeral:
      return "ephemeral";
  }
  PRAVOC_UNREACHABLE();
}

SourceRange ModuleBody::use_range(InstId id, uint32_t n) const {
  uint32_t index = insts[id].operand_begin + n;
  auto it = std::lower_bound(operand_uses.begin(), operand_uses.end(), index,
                             [](const OperandUse& use, uint32_t i) { return use.operand < i; });
  if (it != operand_uses.end() && it->operand == index) return it->range;
  return range(operand(id, n));
}

TypeId Program::intern(const Type& type) {
  size_t hash = type.hash();
  auto [begin, end] = type_ids_.equal_range(hash);
  for (auto it = begin; it != end; ++it)
    if (types_[it->second.index] == type) return it->second;
  TypeId id(static_cast<uint32_t>(types_.size()));
  types_.push_back(type);
  type_ids_.emplace(hash, id);
  return id;
}

}  // namespace pravo
