// For tests: HCL text in, IR and diagnostics out.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/load/config.h"
#include "frontend/lower/lower.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace pravo::lower::testing {

// A configuration, loaded from a folder of its own and lowered. `text` is main.tf; a line `=== NAME` starts another
// file. Every program that has no errors is verified, too.
struct Lowered {
  SourceManager sources;
  Names names;
  Diagnostics diags;
  load::Configuration configuration;
  Program program{names};
  std::string broken;  // invariants, one a line

  explicit Lowered(std::string_view text) {
    std::string pattern = (std::filesystem::temp_directory_path() / "lower_test.XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    directory_ = pattern;
    write(text);
    load::LoadOptions options;
    options.directory = directory_;
    options.threads = 1;
    configuration = load::load_configuration(options, sources, names, diags);
    program = lower(configuration, sources, names, diags, LowerOptions{});
    diags.sort(sources);
    if (diags.has_errors()) return;
    for (const std::string& fault : verify(program)) broken += fault + "\n";
    check_round_trip();
  }
  ~Lowered() { std::filesystem::remove_all(directory_); }
  Lowered(const Lowered&) = delete;
  Lowered& operator=(const Lowered&) = delete;

  // As `FILE:LINE:COLUMN text [id]`, where text is what is marked; `-- help` where there is some. One a line.
  std::string faults(bool with_help = false) const {
    std::string out;
    for (const Diagnostic& d : diags.all()) {
      LineColumn at = sources.position(d.range.file, d.range.begin);
      std::string_view marked = sources.text(d.range);
      marked = marked.substr(0, marked.find('\n'));
      std::string file(sources.name(d.range.file));
      if (file.starts_with(directory_)) file.erase(0, directory_.size() + 1);
      if (file != "main.tf") out += file + ":";
      out += fmt::format("{}:{} {} [{}]", at.line, at.column, marked, diagnostic_id(d.kind));
      if (with_help && !d.help.empty()) out += " -- " + d.help;
      out += "\n";
    }
    return out;
  }
  // The messages alone.
  std::string messages() const {
    std::string out;
    for (const Diagnostic& d : diags.all()) out += d.message + "\n";
    return out;
  }
  // The instructions with these printed names.
  std::string print(std::vector<std::string> only) const {
    PrintOptions options;
    options.only = std::move(only);
    return broken + print_program(program, options);
  }
  std::string print() const { return broken + print_program(program); }

  // What the local value `name` is: its instructions up to those that have a name, numbered from 0.
  std::string value(std::string_view name) const;

 private:
  void write(std::string_view text) {
    std::string path = "main.tf";
    std::string content;
    auto flush = [&] {
      std::filesystem::path target = std::filesystem::path(directory_) / path;
      std::filesystem::create_directories(target.parent_path());
      std::ofstream(target) << content;
      content.clear();
    };
    while (!text.empty()) {
      size_t end = text.find('\n');
      std::string_view line = text.substr(0, end == std::string_view::npos ? end : end + 1);
      text.remove_prefix(line.size());
      if (!line.starts_with("=== ")) {
        content += line;
        continue;
      }
      if (!content.empty() || path != "main.tf") flush();
      path = line.substr(4, line.find_last_not_of("\n") - 3);
    }
    flush();
  }

  void check_round_trip() {
    std::string text = print_program(program);
    SourceManager again_sources;
    Names again_names;
    Program again(again_names);
    Diagnostics again_diags;
    FileId file = again_sources.add("test.ir", text);
    if (!parse_program(again_sources, file, again, again_diags))
      broken += "the printed program cannot be parsed: " + again_diags.all()[0].message + "\n";
    else if (print_program(again) != text)
      broken += "the printed program changes when it is parsed and printed\n";
  }

  std::string directory_;
};

// `%12` and its like, numbered anew in the order of their appearance.
inline std::string renumbered(std::string_view text) {
  std::string out;
  std::vector<std::string> known;
  for (size_t i = 0; i < text.size(); ++i) {
    size_t end = i + 1;
    while (text[i] == '%' && end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    if (text[i] != '%' || end == i + 1) {
      out += text[i];
      continue;
    }
    std::string number(text.substr(i + 1, end - i - 1));
    auto it = std::find(known.begin(), known.end(), number);
    out += "%" + std::to_string(it - known.begin());
    if (it == known.end()) known.push_back(number);
    i = end - 1;
  }
  return out;
}

inline std::string Lowered::value(std::string_view name) const {
  const ModuleBody& body = program.body(ModuleId(0));
  InstNames names_of(program, ModuleId(0));
  for (uint32_t i = 0; i < body.insts.size(); ++i) {
    const Inst& inst = body.inst(InstId(i));
    if (inst.kind != OpKind::Local || program.text(NameId(inst.payload)) != name) continue;
    std::vector<InstId> todo{body.operand(InstId(i), 0)};
    std::vector<bool> seen(body.insts.size());
    std::vector<std::string> only;
    while (!todo.empty()) {
      InstId id = todo.back();
      todo.pop_back();
      if (seen[id.index] || body.hints.count(id) != 0) continue;
      seen[id.index] = true;
      only.push_back(names_of(id));
      for (uint32_t operand : body.operand_indexes(id)) todo.push_back(InstId(operand));
      // What a region uses from outside.
      const Inst& made = body.inst(id);
      for (int r = 0; r < op_info(made.kind).regions; ++r) {
        const Region& region = body.region(RegionId(made.payload + static_cast<uint32_t>(r)));
        for (uint32_t k = region.begin.index; k < region.end.index; ++k) seen[k] = true;
        for (uint32_t k = region.begin.index; k < region.end.index; ++k)
          for (uint32_t operand : body.operand_indexes(InstId(k))) todo.push_back(InstId(operand));
      }
    }
    // Numbered from zero, so that a case says only what it is about.
    return only.empty() ? names_of(body.operand(InstId(i), 0)) + "\n" : renumbered(print(only));
  }
  return "there is no local " + std::string(name) + "\n";
}

}  // namespace pravo::lower::testing
