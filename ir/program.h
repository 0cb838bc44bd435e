// The IR: a program of module bodies, each one dataflow graph in SSA form (design.md section 3; docs/ir.md is
// the reference). An instruction is its value. At the top of a body order is only what operands and `after`
// say, and an operand may come later in the text (a graph region); inside a nested region an operand must
// dominate its use.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/convert.h"
#include "ir/ids.h"
#include "ir/marks.h"
#include "ir/names.h"
#include "ir/source.h"
#include "ir/store.h"
#include "ir/type.h"
#include "ir/value.h"

namespace pravo {

enum class OpKind : uint8_t {
#define PRAVO_OP(Name, text, group, effect, payload, min, max, regions, marks) Name,
#include "ir/ops.def"
};
inline constexpr unsigned kOpCount = 0
#define PRAVO_OP(Name, text, group, effect, payload, min, max, regions, marks) +1
#include "ir/ops.def"
    ;

enum class OpGroup : uint8_t { Data, Expression, Structure, Region, Repeat, Module, Effect, Sink, Marks };

enum class OpEffect : uint8_t { Pure, Domain, Effect, Sink };

// What Inst::payload is an index of.
enum class PayloadKind : uint8_t {
  None,
  Const,       // ConstId
  Name,        // NameId: the name of a variable, local, output, ...
  Field,       // NameId: the attribute read
  Fields,      // index of the first of operand_count() field names, see ModuleBody::fields()
  Function,    // NameId: function name, namespaced ones whole ("provider::x::f"); kExpandLast
  Binary,      // BinaryKind
  Unary,       // UnaryKind
  Region,      // RegionId of the first of the op's regions; a second follows it
  Spread,      // index of the first of operand_count() spread flags (as fields): NameId valid = spread
  Resource,    // ResourceId
  ModuleCall,  // CallId
  Condition,   // InstId of what the condition guards (may be invalid); flags hold the ConditionKind
  Use,         // InstId of what uses the value (may be invalid); flags hold the UseKind
};

// How marks flow from operands to a result (docs/marks.md).
enum class MarkRule : uint8_t {
  Clean,     // the result is not marked
  Declared,  // what Inst::marks says (variables join the marks of their arguments, see docs/marks.md)
  Forward,   // the operand's tree
  Union,     // any mark anywhere in any operand marks the whole result
  Function,  // the function row says
  Special,   // a rule of its own
};

struct OpInfo {
  std::string_view text;
  OpGroup group;
  OpEffect effect;
  PayloadKind payload;
  int min_operands;
  int max_operands;  // -1: any number
  int regions;
  MarkRule marks;
};
const OpInfo& op_info(OpKind kind);
// The op with this text, or nothing.
std::optional<OpKind> find_op(std::string_view text);

enum class BinaryKind : uint8_t {
  Or,
  And,
  Equal,
  NotEqual,
  Less,
  Greater,
  LessEqual,
  GreaterEqual,
  Add,
  Subtract,
  Multiply,
  Divide,
  Modulo
};
enum class UnaryKind : uint8_t { Negate, Not };
std::string_view binary_text(BinaryKind kind);  // "||", "==", ...
std::string_view unary_text(UnaryKind kind);

enum class ConditionKind : uint8_t { Validation, Precondition, Postcondition, Assert };
std::string_view condition_kind_text(ConditionKind kind);

// Places that take a value without keeping it in a node of their own.
enum class UseKind : uint8_t {
  Provisioner,     // accepts every mark; its command is trusted with it
  Connection,      // accepts every mark
  ReplaceTrigger,  // replace_triggered_by: refuses ephemeral
  ImportId,        // recorded in state: refuses ephemeral
  ImportForEach,   // refuses ephemeral
  DependsOn,       // order only
  BlockExpand,     // for_each of a dynamic block: refuses sensitive and ephemeral shallow marks
};
std::string_view use_kind_text(UseKind kind);

enum InstFlags : uint16_t {
  kExpandLast = 1,    // call, provider.call: the last argument is `list...`
  kGrouped = 2,       // for.object: values with equal keys are grouped
  kHasDefault = 4,    // variable: operand 0 is the default
  kHasProvider = 8,   // resource, data, ephemeral: operand 1 is the provider
  kNotNullable = 16,  // variable
  kSplatFull = 32,    // splat: `[*]`, not `.*`
  kTupleSplat = 64,   // reserved
  kFromSyntax = 128,  // template: quoted template with at least one sequence (result is a string)
};

struct Inst {
  OpKind kind = OpKind::Const;
  MarkSet marks = MarkSet::None;  // declared marks: variable, output, mark.add, mark.remove
  uint16_t flags = 0;             // InstFlags, or a ConditionKind or UseKind
  uint32_t operand_begin = 0;     // into the body's operand pool
  uint32_t operand_count = 0;
  TypeId type;
  uint32_t payload = UINT32_MAX;
  InstId domain;  // the expand (or module.instance domain) that the value is over; invalid: a single value
};

// A nested list of instructions: those with ids in [begin, end) that are in no deeper region. The last is the
// yield.
struct Region {
  InstId owner;
  InstId begin;
  InstId end;
  InstId yield;
};

enum class ResourceMode : uint8_t { Managed, Data, Ephemeral };
std::string_view resource_mode_text(ResourceMode mode);  // "resource", "data", "ephemeral"

// A provider configuration block, or the implied empty one.
struct ProviderInfo {
  NameId local_name;
  NameId alias;         // invalid: the default configuration
  std::string address;  // host/namespace/type
  InstId inst;          // of op provider
};

struct ProvisionerInfo {
  NameId type;
  bool on_destroy = false;
  bool continue_on_failure = false;
  InstId config;
  InstId connection;  // may be invalid
  SourceRange range;
};

// What a resource, data or ephemeral block says beside its configuration.
struct ResourceInfo {
  ResourceMode mode = ResourceMode::Managed;
  NameId type;
  NameId name;
  InstId inst;
  InstId expand;   // expand.count or expand.for_each; invalid: a single instance
  InstId collect;  // all instances as a list or map; invalid without expand
  std::string provider_address;
  NameId provider_local_name;
  NameId provider_alias;
  std::vector<InstId> after;  // depends_on, as the nodes named
  bool create_before_destroy = false;
  bool prevent_destroy = false;
  bool ignore_all_changes = false;
  std::vector<Path> ignore_changes;
  std::vector<InstId> replace_triggered_by;
  std::vector<InstId> conditions;
  std::vector<ProvisionerInfo> provisioners;
  bool in_check = false;                       // nested in a check block
  std::optional<SourceRange> lifecycle_range;  // a lifecycle argument that a runtime may not support yet
  SourceRange range;                           // the block's header
};

struct ModuleCallInfo {
  NameId name;
  ModuleId target;  // invalid: not installed; its outputs are unknown
  InstId inst;      // of op module.instance
  InstId expand;
  InstId object;  // the call as one value: object of outputs (collected over the expansion)
  std::vector<std::pair<NameId, InstId>> args;  // module.arg by variable name, sorted by NameId
  std::vector<std::pair<NameId, InstId>> outs;  // module.out by output name, sorted by NameId
  std::vector<InstId> after;
  std::vector<std::pair<std::string, std::string>> providers;  // inner "aws.x" = outer "aws.y"
  SourceRange range;
};

struct VariableInfo {
  NameId name;
  InstId inst;
  TypeConstraint type;
  std::vector<InstId> validations;  // condition instructions
  SourceRange range;                // the block's header
};

struct OutputInfo {
  NameId name;
  InstId inst;
  std::vector<InstId> after;
  std::vector<InstId> preconditions;
  SourceRange range;
};

struct CheckInfo {
  NameId name;
  InstId inst;
  SourceRange range;
};

struct ImportInfo {
  InstId id;        // use import-id
  InstId for_each;  // may be invalid
  std::string to;   // address text as written
  SourceRange range;
};

// Where an operand is named. A node (variable, local, resource, ...) has the place of its declaration, so the places
// of its uses stand beside the operand pool; any other value is used where it stands.
struct OperandUse {
  uint32_t operand;  // index in ModuleBody::operand_pool
  SourceRange range;
};

// One module body per module source.
class ModuleBody {
 public:
  std::string label;      // "root", or the source directory as diagnostics show it
  std::string directory;  // path.module
  bool root = false;

  ChunkedStore<InstId, Inst, 12> insts;
  std::vector<SourceRange> ranges;  // by InstId
  std::vector<uint32_t> operand_pool;
  std::vector<OperandUse> operand_uses;  // sorted by operand
  std::vector<NameId> field_pool;
  std::vector<Region> regions;
  std::vector<Value> constants;
  std::unordered_map<InstId, NameId> hints;  // printed name of an instruction, where it has one

  std::vector<VariableInfo> variables;
  std::vector<OutputInfo> outputs;
  std::vector<ProviderInfo> providers;
  std::vector<ResourceInfo> resources;
  std::vector<ModuleCallInfo> calls;
  std::vector<CheckInfo> checks;
  std::vector<ImportInfo> imports;
  std::vector<SourceRange> unsupported;  // constructs that check accepts and plan refuses for now
  std::vector<std::string> unsupported_what;

  const Inst& inst(InstId id) const { return insts[id]; }
  Inst& inst(InstId id) { return insts[id]; }
  SourceRange range(InstId id) const { return ranges[id.index]; }

  std::span<const uint32_t> operand_indexes(InstId id) const {
    const Inst& i = insts[id];
    return {operand_pool.data() + i.operand_begin, i.operand_count};
  }
  InstId operand(InstId id, uint32_t n) const {
    const Inst& i = insts[id];
    PRAVOC_CHECK(n < i.operand_count);
    return InstId(operand_pool[i.operand_begin + n]);
  }
  // Where `id` names its n-th operand: the place to show for "used here".
  SourceRange use_range(InstId id, uint32_t n) const;

  // Field names of an object; spread flags of blocks.
  std::span<const NameId> fields(InstId id) const {
    const Inst& i = insts[id];
    return {field_pool.data() + i.payload, i.operand_count};
  }
  const Value& constant(InstId id) const { return constants[insts[id].payload]; }
  const Region& region(RegionId id) const { return regions[id.index]; }
};

class Program {
 public:
  explicit Program(Names& n) : names(&n) {}

  Names* names;
  std::vector<std::unique_ptr<ModuleBody>> bodies;  // by ModuleId; bodies[0] is the root

  ModuleBody& body(ModuleId id) { return *bodies[id.index]; }
  const ModuleBody& body(ModuleId id) const { return *bodies[id.index]; }
  std::string_view text(NameId id) const { return names->text(id); }

  // Types of the program, interned: equal types have equal ids. Only types that the configuration's text or a
  // provider's schema spells enter it.
  TypeId intern(const Type& type);
  const Type& type(TypeId id) const { return types_[id.index]; }
  size_t type_count() const { return types_.size(); }

 private:
  std::vector<Type> types_;
  std::unordered_multimap<size_t, TypeId> type_ids_;
};

}  // namespace pravo
