#include "passes/plan_guards.h"

#include <algorithm>

#include "ir/functions.h"
#include "passes/slice.h"

namespace pravo::passes {

namespace {

// What is declared elsewhere is not part of the expression that refers to it.
bool is_declared(OpKind kind) {
  return kind == OpKind::Variable || kind == OpKind::Local || kind == OpKind::ModuleOut ||
         (op_info(kind).effect == OpEffect::Effect && kind != OpKind::ProviderCall);
}

// A guard has its message where another value has to be: no file, key or list is named in several words.
bool is_message(const ModuleBody& body, InstId value) {
  bool found = false;
  std::vector<bool> seen;
  walk_back(body, {value}, seen, [&](InstId id) {
    OpKind kind = body.inst(id).kind;
    if (kind == OpKind::Const) {
      const Value& constant = body.constant(id);
      found = found || (constant.kind() == ValueKind::String && constant.as_string().find(' ') != std::string::npos);
    }
    return !found && !is_declared(kind);
  });
  return found;
}

bool call_guards(const ModuleBody& body, InstId call, std::string_view name) {
  const uint32_t given = body.inst(call).operand_count;
  std::optional<FunctionId> function = find_function(name);
  if (!function || given == 0) return false;
  switch (*function) {
    case FunctionId::Regex:
    case FunctionId::Index:
    case FunctionId::One:
    case FunctionId::Tobool:
    case FunctionId::Tonumber:
    case FunctionId::Parseint:
      return true;
    case FunctionId::Lookup:
      return given == 2;
    case FunctionId::File:
    case FunctionId::Filebase64:
    case FunctionId::Filebase64sha256:
    case FunctionId::Filebase64sha512:
    case FunctionId::Filemd5:
    case FunctionId::Filesha1:
    case FunctionId::Filesha256:
    case FunctionId::Filesha512:
    case FunctionId::Templatefile:
    case FunctionId::Tolist:
    case FunctionId::Tomap:
    case FunctionId::Toset:
      return is_message(body, body.operand(call, 0));
    default:
      return name.starts_with("assume");
  }
}

class GuardSearch {
 public:
  GuardSearch(const Program& program, const ModuleBody& body) : program_(program), body_(body) {}

  bool holds_guard(InstId expression) {
    walk_back(body_, {expression}, seen_, [&](InstId id) {
      if (found_) return false;
      const Inst& inst = body_.inst(id);
      if (inst.kind == OpKind::Index) {
        found_ = is_message(body_, body_.operand(id, 1));
      } else if (inst.kind == OpKind::Call) {
        std::string_view name = program_.text(NameId(inst.payload));
        std::optional<FunctionId> function = find_function(name);
        if (function == FunctionId::Can) return false;
        if (function == FunctionId::Try) {
          if (inst.operand_count > 0) found_ = holds_guard(body_.operand(id, inst.operand_count - 1));
          return false;
        }
        found_ = call_guards(body_, id, name);
      }
      return !is_declared(inst.kind);
    });
    return found_;
  }

 private:
  const Program& program_;
  const ModuleBody& body_;
  std::vector<bool> seen_;
  bool found_ = false;
};

}  // namespace

bool may_guard_plan(const Program& program, const ModuleBody& body, InstId local) {
  return GuardSearch(program, body).holds_guard(body.operand(local, 0));
}

}  // namespace pravo::passes
