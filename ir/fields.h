// The side tables of a module body, field by field: one description that the printer, the parser, the verifier
// and whoever walks references share, so that a new field is named in one place.
//
// A visitor has a method per kind of field; each gets the field's word in the text form and a reference to it:
//   flag bool | name NameId | string std::string | inst InstId | insts vector<InstId> | paths vector<Path>
//   pairs vector<pair<string, string>> | constraint TypeConstraint | seen optional<SourceRange> (a flag with a
//   place) | after vector<InstId>, the `after(...)` clause | records vector<R>, nested records
//
// Not visited, because the instruction says them already: the instruction itself, its name and mode, and the
// arguments and outputs of a call (they are the module.arg and module.out that name its instance).
#pragma once

#include <type_traits>

#include "ir/program.h"

namespace pravo {

template <class Info, class Visitor>
requires std::is_same_v<std::remove_const_t<Info>, VariableInfo>
void visit_fields(Info& info, Visitor& v) {
  v.constraint("constraint", info.type);
  v.insts("validations", info.validations);
}

template <class Info, class Visitor>
requires std::is_same_v<std::remove_const_t<Info>, OutputInfo>
void visit_fields(Info& info, Visitor& v) {
  v.after("after", info.after);
  v.insts("preconditions", info.preconditions);
}

template <class Info, class Visitor>
requires std::is_same_v<std::remove_const_t<Info>, ProviderInfo>
void visit_fields(Info& info, Visitor& v) {
  v.name("alias", info.alias);
  v.string("address", info.address);
}

template <class Info, class Visitor>
requires std::is_same_v<std::remove_const_t<Info>, ProvisionerInfo>
void visit_fields(Info& info, Visitor& v) {
  v.name("type", info.type);
  v.inst("config", info.config);
  v.inst("connection", info.connection);
  v.flag("on_destroy", info.on_destroy);
  v.flag("continue_on_failure", info.continue_on_failure);
}

template <class Info, class Visitor>
requires std::is_same_v<std::remove_const_t<Info>, ResourceInfo>
void visit_fields(Info& info, Visitor& v) {
  v.after("after", info.after);
  v.inst("expand", info.expand);
  v.inst("collect", info.collect);
  v.string("provider_address", info.provider_address);
  v.name("provider_name", info.provider_local_name);
  v.name("provider_alias", info.provider_alias);
  v.seen("lifecycle", info.lifecycle_range);
  v.flag("create_before_destroy", info.create_before_destroy);
  v.flag("prevent_destroy", info.prevent_destroy);
  v.flag("ignore_all_changes", info.ignore_all_changes);
  v.paths("ignore_changes", info.ignore_changes);
  v.insts("replace_triggered_by", info.replace_triggered_by);
  v.insts("conditions", info.conditions);
  v.records("provisioners", info.provisioners);
  v.flag("in_check", info.in_check);
}

template <class Info, class Visitor>
requires std::is_same_v<std::remove_const_t<Info>, ModuleCallInfo>
void visit_fields(Info& info, Visitor& v) {
  v.after("after", info.after);
  v.inst("expand", info.expand);
  v.inst("object", info.object);
  v.pairs("providers", info.providers);
}

template <class Info, class Visitor>
requires std::is_same_v<std::remove_const_t<Info>, CheckInfo>
void visit_fields(Info&, Visitor&) {}

template <class Info, class Visitor>
requires std::is_same_v<std::remove_const_t<Info>, ImportInfo>
void visit_fields(Info& info, Visitor& v) {
  v.inst("id", info.id);
  v.inst("for_each", info.for_each);
}

// A visitor that looks at nothing, to derive from.
struct FieldVisitor {
  void flag(std::string_view, auto&) {}
  void name(std::string_view, auto&) {}
  void string(std::string_view, auto&) {}
  void inst(std::string_view, auto&) {}
  void insts(std::string_view, auto&) {}
  void paths(std::string_view, auto&) {}
  void pairs(std::string_view, auto&) {}
  void constraint(std::string_view, auto&) {}
  void seen(std::string_view, auto&) {}
  void after(std::string_view, auto&) {}
  void records(std::string_view, auto&) {}
};

namespace detail {
template <class F>
struct ReferenceVisitor : FieldVisitor {
  F& visit;
  void inst(std::string_view, auto& id) {
    if (id.valid()) visit(id);
  }
  void insts(std::string_view, auto& ids) {
    for (auto& id : ids) inst({}, id);
  }
  void after(std::string_view, auto& ids) { insts({}, ids); }
  void records(std::string_view, auto& rows) {
    for (auto& row : rows) visit_fields(row, *this);
  }
};
}  // namespace detail

// Calls visit(InstId&) for every reference that the visited fields of all side tables hold, valid ones only; of a
// const body with const references.
template <class Body, class F>
void for_each_table_reference(Body& body, F&& visit) {
  detail::ReferenceVisitor<F> visitor{{}, visit};
  auto table = [&](auto& rows) {
    for (auto& row : rows) visit_fields(row, visitor);
  };
  table(body.variables);
  table(body.outputs);
  table(body.providers);
  table(body.resources);
  table(body.calls);
  table(body.checks);
  table(body.imports);
}

}  // namespace pravo
