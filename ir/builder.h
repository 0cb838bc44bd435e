// Builds one module body. One call per statement: argument evaluation order is not fixed, and an instruction's
// id is its place (style.md, habit 4).
#pragma once

#include <initializer_list>
#include <span>

#include "ir/program.h"

namespace pravo {

class Builder {
 public:
  Builder(Program& program, ModuleId module) : program_(program), body_(program.body(module)) {}

  Program& program() { return program_; }
  ModuleBody& body() { return body_; }

  // Where the instructions that follow come from.
  void set_range(SourceRange range) { range_ = range; }
  SourceRange range() const { return range_; }

  // Adds an instruction whose operands come later (set_operands): nodes of the graph region are named before
  // what they are made of. A resource's and a module.instance's domain is the `expand` of their side table row,
  // which must therefore stand there already.
  InstId reserve(OpKind kind, TypeId type, uint32_t payload = UINT32_MAX);
  void set_operands(InstId id, std::span<const InstId> operands);

  InstId add(OpKind kind, TypeId type, std::span<const InstId> operands, uint32_t payload = UINT32_MAX);
  InstId add(OpKind kind, TypeId type, std::initializer_list<InstId> operands, uint32_t payload = UINT32_MAX) {
    return add(kind, type, std::span<const InstId>(operands.begin(), operands.size()), payload);
  }

  InstId constant(Value value);
  InstId object(TypeId type, std::span<const NameId> names, std::span<const InstId> values);
  InstId blocks(TypeId type, std::span<const bool> spread, std::span<const InstId> values);

  // Regions of an owner (which has its operands already, so that key and each know their domain): open, add
  // instructions, close with the values to yield. The first region is opened right after its owner was added and
  // a second right after the first was closed, because in the text they stand there; checked. The first call of
  // an owner fixes its payload. Closing gives the owner the domain of what its region uses.
  RegionId open_region(InstId owner);
  void close_region(RegionId region, std::span<const InstId> yielded);

  TypeId type(const Type& type) { return program_.intern(type); }
  NameId name(std::string_view text) { return program_.names->intern(text); }
  void hint(InstId id, NameId name) { body_.hints.emplace(id, name); }

 private:
  // The domain of a value is that of its operands; a body's values are over at most one.
  InstId domain_of(OpKind kind, std::span<const InstId> operands) const;

  Program& program_;
  ModuleBody& body_;
  SourceRange range_;
};

}  // namespace pravo
