// Parser of one module body's text, shared by reader.cpp (modules and instructions) and reader_values.cpp (paths and
// the fields of side tables). Not for others; parse_program is in ir/text.h.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/program.h"
#include "ir/text_cursor.h"
#include "ir/type_reader.h"

namespace pravo::text {

// A module whose label a call names, resolved when all modules are read.
struct PendingTarget {
  ModuleId module;
  CallId call;
  std::string label;
  SourceRange range;
};

class BodyReader {
 public:
  BodyReader(Cursor& cursor, Program& program, ModuleId module, std::vector<PendingTarget>& targets)
      : in_(cursor), program_(program), body_(program.body(module)), module_(module), targets_(targets) {}

  // From behind the module's `{` to its `}`. False when there were errors.
  bool read();

 private:
  // While a body is read, an InstId in an operand or a side table is the number of a symbol, since the name may be
  // defined later; resolve() turns all of them into instructions.
  struct Symbol {
    InstId inst;
    SourceRange range;  // of the definition, else of the first use
    bool defined = false;
  };
  struct Frame {
    InstId owner;  // invalid: a region whose owner could not be read
    uint32_t region;
  };
  // What a row's text left out because it follows from its instruction.
  struct RowContext {
    bool expand = false;
    bool provider_address = false;
    bool provider_name = false;
    bool provider_alias = false;
    bool constraint = false;
  };
  template <class Row>
  class FieldReader;

  // --- reader.cpp
  bool statement();
  bool instruction();
  bool payload(InstId id);
  bool operands(InstId id);
  bool operand_list(char close, std::vector<bool>* spread);
  bool clauses(InstId id);
  bool open_region(InstId id);
  bool close_region();
  bool result_type(Inst& inst);
  bool module_line(std::string_view word, uint32_t begin);
  bool define(const Cursor::Name& name, InstId id, uint32_t begin);
  bool resolve();
  void resolve_defaults();
  uint32_t symbol(const Cursor::Name& name);
  bool reference(InstId& out, SourceRange* place = nullptr);
  bool operand();
  void add_operands(InstId id);
  bool name_id(NameId& out, bool quoted);

  // --- reader_values.cpp
  bool path(Path& out);
  bool row(InstId id, uint32_t begin);
  bool import_line(uint32_t begin);
  template <class Row>
  bool read_row(Row& row, std::string_view what, uint32_t begin, std::vector<RowContext>* contexts);
  template <class Row>
  bool read_fields(Row& row, std::string_view what, RowContext* context);
  bool reference_list(std::vector<InstId>& out);

  Cursor& in_;
  TypeReader types_{in_};
  Program& program_;
  ModuleBody& body_;
  ModuleId module_;
  std::vector<PendingTarget>& targets_;

  std::vector<Frame> frames_;
  std::vector<Symbol> symbols_;
  std::unordered_map<std::string_view, uint32_t> symbol_ids_;
  std::unordered_map<std::string_view, TypeId> type_texts_;
  std::vector<RowContext> variable_contexts_;
  std::vector<RowContext> resource_contexts_;
  std::vector<RowContext> call_contexts_;
  std::vector<uint32_t> operand_scratch_;
  std::vector<SourceRange> use_scratch_;  // where they are named
  std::string scratch_;
};

}  // namespace pravo::text
