// For tests: whether two programs, perhaps of different interners, say the same. Does not look at the text form,
// whose round trip it is there to judge.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ir/fields.h"
#include "ir/text.h"

namespace pravo::testing {

// A row as strings, names resolved.
struct RowDump : FieldVisitor {
  const Program& program;
  std::vector<std::string> out;
  explicit RowDump(const Program& p) : program(p) {}

  void put(std::string_view word, std::string value) { out.push_back(std::string(word) + "=" + value); }
  std::string text(NameId id) const { return id.valid() ? "'" + std::string(program.text(id)) + "'" : "none"; }
  static std::string text(InstId id) { return id.valid() ? std::to_string(id.index) : "none"; }

  void flag(std::string_view word, bool v) { put(word, v ? "true" : "false"); }
  void name(std::string_view word, NameId v) { put(word, text(v)); }
  void string(std::string_view word, const std::string& v) { put(word, v); }
  void inst(std::string_view word, InstId v) { put(word, text(v)); }
  void insts(std::string_view word, const std::vector<InstId>& v) {
    for (InstId id : v) put(word, text(id));
  }
  void after(std::string_view word, const std::vector<InstId>& v) { insts(word, v); }
  void paths(std::string_view word, const std::vector<Path>& v) {
    for (const Path& path : v) {
      put(word, "path");
      for (const PathStep& step : path)
        put("step", std::to_string(static_cast<int>(step.kind)) + ":" + std::to_string(step.index) + ":" +
                        std::string(step.name.view()));
    }
  }
  void pairs(std::string_view word, const std::vector<std::pair<std::string, std::string>>& v) {
    for (const auto& [a, b] : v) put(word, a + "\x1f" + b);
  }
  void constraint(std::string_view word, const TypeConstraint& v) {
    put(word, v.type.to_json());
    defaults(v.defaults);
  }
  // The order of defaults means nothing: they are found by name.
  void defaults(const Defaults& d) {
    std::map<std::string, std::string> values;
    for (const auto& [name, value] : d.values)
      values[std::string(name.view())] = value.type().to_json() + ":" + debug_string(value);
    for (const auto& [name, value] : values) put("default " + name, value);
    std::map<std::string, const Defaults*> inner;
    for (const auto& [name, defaults] : d.attributes) inner["." + std::string(name.view())] = &defaults;
    for (const auto& [index, defaults] : d.elements) inner["[" + std::to_string(index) + "]"] = &defaults;
    for (const auto& defaults : d.element) inner["[*]"] = &defaults;
    for (const auto& [where, defaults] : inner) {
      put("in", where);
      this->defaults(*defaults);
      put("out", where);
    }
  }
  void seen(std::string_view word, const std::optional<SourceRange>& v) { flag(word, v.has_value()); }
  void records(std::string_view word, const auto& rows) {
    for (const auto& row : rows) {
      put(word, "record");
      visit_fields(row, *this);
    }
  }
};

// Empty when the programs are equivalent, else the first difference.
inline std::string difference(const Program& a, const Program& b) {
  if (a.bodies.size() != b.bodies.size()) return "number of modules";
  for (uint32_t m = 0; m < a.bodies.size(); ++m) {
    ModuleId module(m);
    const ModuleBody& x = a.body(module);
    const ModuleBody& y = b.body(module);
    std::string where = "@" + x.label;
    if (x.label != y.label || x.directory != y.directory || x.root != y.root) return where + ": label or directory";
    if (x.insts.size() != y.insts.size()) return where + ": number of instructions";
    if (x.regions.size() != y.regions.size()) return where + ": number of regions";
    InstNames names_x(a, module);
    InstNames names_y(b, module);
    auto same_name = [&](uint32_t n, uint32_t o) {
      return n == o || (n < a.names->size() && o < b.names->size() && a.text(NameId(n)) == b.text(NameId(o)));
    };
    auto differ = [&](uint32_t i, const char* what) {
      return where + ": " + what + " of #" + std::to_string(i) + " " +
             std::string(op_info(x.inst(InstId(i)).kind).text);
    };
    for (uint32_t i = 0; i < x.insts.size(); ++i) {
      InstId id(i);
      const Inst& p = x.inst(id);
      const Inst& q = y.inst(id);
      if (p.kind != q.kind) return differ(i, "op");
      if (p.marks != q.marks) return differ(i, "marks");
      if (p.flags != q.flags) return differ(i, "flags");
      if (p.domain != q.domain) return differ(i, "domain");
      if (p.type.valid() != q.type.valid() || (p.type.valid() && a.type(p.type) != b.type(q.type)))
        return differ(i, "type");
      auto ops_x = x.operand_indexes(id);
      auto ops_y = y.operand_indexes(id);
      if (!std::equal(ops_x.begin(), ops_x.end(), ops_y.begin(), ops_y.end())) return differ(i, "operands");
      if (names_x(id) != names_y(id)) return differ(i, "printed name");
      bool same = true;
      switch (op_info(p.kind).payload) {
        case PayloadKind::None:
          same = p.payload == q.payload;
          break;
        case PayloadKind::Const:
          same = x.constant(id).equals_raw(y.constant(id));
          break;
        case PayloadKind::Name:
        case PayloadKind::Field:
        case PayloadKind::Function:
          same = same_name(p.payload, q.payload);
          break;
        case PayloadKind::Fields:
          for (uint32_t n = 0; n < p.operand_count; ++n)
            same &= same_name(x.fields(id)[n].index, y.fields(id)[n].index);
          break;
        case PayloadKind::Spread:
          for (uint32_t n = 0; n < p.operand_count; ++n) same &= x.fields(id)[n].valid() == y.fields(id)[n].valid();
          break;
        case PayloadKind::Binary:
        case PayloadKind::Unary:
        case PayloadKind::Resource:
        case PayloadKind::ModuleCall:
        case PayloadKind::Condition:
        case PayloadKind::Use:
          same = p.payload == q.payload;
          break;
        case PayloadKind::Region:
          for (int n = 0; n < op_info(p.kind).regions; ++n) {
            const Region& r = x.regions[p.payload + static_cast<uint32_t>(n)];
            const Region& s = y.regions[q.payload + static_cast<uint32_t>(n)];
            same &= r.owner == s.owner && r.begin == s.begin && r.end == s.end && r.yield == s.yield;
          }
          break;
      }
      if (!same) return differ(i, "payload");
    }
    std::string found;
    auto tables = [&](const char* what, const auto& rows_x, const auto& rows_y, auto key) {
      if (!found.empty()) return;
      if (rows_x.size() != rows_y.size()) {
        found = where + ": number of rows of " + what;
        return;
      }
      for (size_t i = 0; i < rows_x.size() && found.empty(); ++i) {
        RowDump dump_x(a);
        RowDump dump_y(b);
        key(rows_x[i], dump_x);
        key(rows_y[i], dump_y);
        visit_fields(rows_x[i], dump_x);
        visit_fields(rows_y[i], dump_y);
        if (dump_x.out == dump_y.out) continue;
        found = where + ": row " + std::to_string(i) + " of " + what;
        for (size_t n = 0; n < std::max(dump_x.out.size(), dump_y.out.size()); ++n) {
          std::string p = n < dump_x.out.size() ? dump_x.out[n] : "";
          std::string q = n < dump_y.out.size() ? dump_y.out[n] : "";
          if (p != q) found += ": `" + p + "` `" + q + "`";
        }
      }
    };
    auto named = [](const auto& row, RowDump& dump) {
      dump.inst("inst", row.inst);
      dump.name("name", row.name);
    };
    tables("variables", x.variables, y.variables, named);
    tables("outputs", x.outputs, y.outputs, named);
    tables("checks", x.checks, y.checks, named);
    tables("providers", x.providers, y.providers, [](const ProviderInfo& row, RowDump& dump) {
      dump.inst("inst", row.inst);
      dump.name("name", row.local_name);
    });
    tables("resources", x.resources, y.resources, [](const ResourceInfo& row, RowDump& dump) {
      dump.inst("inst", row.inst);
      dump.name("type", row.type);
      dump.name("name", row.name);
      dump.flag(resource_mode_text(row.mode), true);
    });
    tables("calls", x.calls, y.calls, [](const ModuleCallInfo& row, RowDump& dump) {
      dump.inst("inst", row.inst);
      dump.name("name", row.name);
      dump.inst("target", InstId(row.target.index));
      // Sorted by name ids, which are another interner's; sorted by instruction here.
      for (const auto* list : {&row.args, &row.outs}) {
        std::map<uint32_t, std::string> sorted;
        for (auto [name, inst] : *list) sorted[inst.index] = dump.text(name);
        for (const auto& [inst, name] : sorted) dump.put(std::to_string(inst), name);
      }
    });
    tables("imports", x.imports, y.imports, [](const ImportInfo& row, RowDump& dump) { dump.put("to", row.to); });
    if (!found.empty()) return found;
    if (x.unsupported_what != y.unsupported_what) return where + ": unsupported constructs";
  }
  return {};
}

}  // namespace pravo::testing
