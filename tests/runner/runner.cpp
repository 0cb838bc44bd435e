#include "tests/runner/runner.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "ir/verify.h"
#include "tests/runner/difference.h"
#include "tests/runner/runs.h"
#include "tests/runner/schemas.h"
#include "tests/runner/test_file.h"

namespace pravo::testing {

namespace {

std::string_view severity_text(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "error";
    case Severity::Warning:
      return "warning";
    case Severity::Note:
      return "note";
  }
  return {};
}

std::string place_text(const SourceManager& sources, SourceRange range) {
  if (!range.valid()) return "-";
  LineColumn at = sources.position(range.file, range.begin);
  return fmt::format("{}:{}:{}", sources.name(range.file), at.line, at.column);
}

// One line a diagnostic, then its path and its notes.
std::string diagnostic_lines(const SourceManager& sources, const Diagnostic& d) {
  std::string out = fmt::format("{}: {}: {} [{}]\n", place_text(sources, d.range), severity_text(d.severity), d.message,
                                diagnostic_id(d.kind));
  for (const TraceStep& step : d.trace)
    out += fmt::format("{}: step: {}\n", place_text(sources, step.range), step.message);
  for (const DiagnosticNote& note : d.notes)
    out += fmt::format("{}: note: {}\n", place_text(sources, note.range), note.message);
  return out;
}

class Runner {
 public:
  Runner(const std::string& text, std::string schema_directory)
      : file_(parse_test_file(text)), schema_directory_(std::move(schema_directory)) {}

  TestResult run();

 private:
  void problem(const Section& section, std::string text) {
    result_.problems.push_back(fmt::format("line {}: {}", section.header_line, text));
  }
  void take_inputs();
  void do_run(const Section& section);
  void check_program(const Section& section);
  void check_diagnostics(const Section& section, bool expected);
  void check_expectation(Section& section);
  void check_markers();

  TestFile file_;
  std::string schema_directory_;
  RunContext context_;
  std::unique_ptr<SchemaSource> schemas_;
  std::vector<Marker> markers_;
  std::set<size_t> matched_;  // indexes into markers_
  TestResult result_;
};

TestResult Runner::run() {
  take_inputs();
  bool ran = false;
  for (size_t i = 0; i < file_.sections.size(); ++i) {
    Section& section = file_.sections[i];
    if (section.kind == "run") {
      ran = true;
      do_run(section);
      // Diagnostics that the test lists need no markers, but for errors.
      bool listed = false;
      for (size_t n = i + 1; n < file_.sections.size() && file_.sections[n].kind != "run"; ++n)
        listed |= file_.sections[n].kind == "expect" && file_.sections[n].argument_text() == "diagnostics";
      check_diagnostics(section, listed);
    } else if (section.kind == "expect") {
      if (ran)
        check_expectation(section);
      else
        problem(section, "there is nothing before it that runs");
    }
  }
  if (!ran) result_.problems.emplace_back("line 1: nothing runs: there is no `=== run`");
  check_markers();
  result_.updated = format_test_file(file_);
  return std::move(result_);
}

void Runner::take_inputs() {
  std::set<std::string> seen;
  for (Section& section : file_.sections) {
    if (section.kind == "run" || section.kind == "expect") continue;
    std::string text = section.text;
    auto markers = [&](const std::string& name) {
      for (Marker& marker : take_markers(name, text, section.header_line + 1, result_.problems))
        markers_.push_back(std::move(marker));
    };
    if (section.kind == "file") {
      if (section.arguments.size() != 1) {
        problem(section, "`=== file` has one name");
        continue;
      }
      const std::string& name = section.arguments[0];
      if (!seen.insert(name).second) problem(section, fmt::format("there is another file `{}`", name));
      markers(name);
      context_.files.push_back({name, text});
    } else if (section.kind == "ir") {
      markers("test.ir");
      if (context_.ir_text) problem(section, "there is another `=== ir`");
      context_.ir_text = text;
    } else if (section.kind == "schemas") {
      std::string fault;
      schemas_ = read_schemas(schema_directory_, section.arguments, fault);
      if (!fault.empty()) problem(section, fault);
      context_.schemas = schemas_.get();
    } else {
      problem(section, fmt::format("there is no kind of section `{}`", section.kind));
    }
  }
}

void Runner::do_run(const Section& section) {
  std::string name = section.arguments.empty() ? "" : section.arguments[0];
  Run run = find_run(name);
  if (run == nullptr) {
    std::string names;
    for (std::string_view known : run_names()) names += fmt::format(" {}", known);
    return problem(section, fmt::format("there is no run `{}`; there are:{}", name, names));
  }
  context_.options.assign(section.arguments.begin() + 1, section.arguments.end());
  context_.diags = Diagnostics();
  context_.outputs.clear();
  run(context_);
  context_.diags.sort(context_.sources);
  for (const std::string& text : context_.problems) problem(section, text);
  context_.problems.clear();
  check_program(section);
}

void Runner::check_program(const Section& section) {
  if (!context_.program) return;
  const Program& program = *context_.program;
  std::vector<std::string> broken = verify(program);
  for (const std::string& text : broken) problem(section, "the program does not verify: " + text);
  if (!broken.empty()) return;
  std::string printed = print_program(program, {context_.comment, {}});
  SourceManager sources;
  FileId file = sources.add("printed.ir", printed);
  Names names;
  Program parsed(names);
  Diagnostics diags;
  if (!parse_program(sources, file, parsed, diags)) {
    problem(section, "the printed program does not parse:");
    for (const Diagnostic& d : diags.all()) {
      result_.problems.push_back("  " + diagnostic_lines(sources, d));
      if (d.range.valid())
        result_.problems.push_back(fmt::format("  {}", sources.line(file, sources.position(file, d.range.begin).line)));
    }
    return;
  }
  std::string plain = print_program(program);
  std::string again = print_program(parsed);
  if (plain != again)
    problem(section, "printing, parsing and printing is not the identity:\n" + difference(plain, again));
}

// Errors have a marker, always: a test shows its faults where they are. Warnings have one, or are listed.
void Runner::check_diagnostics(const Section& section, bool expected) {
  for (const Diagnostic& d : context_.diags.all()) {
    bool found = false;
    std::string_view name;
    LineColumn at;
    if (d.range.valid()) {
      name = context_.sources.name(d.range.file);
      at = context_.sources.position(d.range.file, d.range.begin);
      for (size_t i = 0; i < markers_.size(); ++i) {
        const Marker& m = markers_[i];
        if (m.file != name || m.line != at.line || m.id != diagnostic_id(d.kind) ||
            m.severity != severity_text(d.severity) || (m.column != 0 && m.column != at.column))
          continue;
        matched_.insert(i);
        found = true;
      }
    }
    bool input = std::any_of(context_.files.begin(), context_.files.end(),
                             [&](const RunContext::File& f) { return f.name == name; }) ||
                 name == "test.ir";
    bool needs_marker = d.severity == Severity::Error ? input || !expected : !expected;
    if (!found && needs_marker)
      problem(section, "there is no marker for a diagnostic:\n  " + diagnostic_lines(context_.sources, d));
  }
}

void Runner::check_expectation(Section& section) {
  std::string what = section.arguments.empty() ? "" : section.arguments[0];
  std::vector<std::string> rest(section.arguments.begin() + std::min<size_t>(1, section.arguments.size()),
                                section.arguments.end());
  std::string found;
  if (what == "diagnostics") {
    for (const Diagnostic& d : context_.diags.all()) found += diagnostic_lines(context_.sources, d);
  } else if (what == "ir") {
    if (!context_.program) return problem(section, "there is no program to print");
    for (const std::string& name : rest) {
      bool exists = false;
      for (uint32_t m = 0; m < context_.program->bodies.size(); ++m) {
        InstNames names(*context_.program, ModuleId(m));
        for (uint32_t i = 0; i < context_.program->bodies[m]->insts.size() && !exists; ++i)
          exists = names(InstId(i)) == name;
      }
      if (!exists) problem(section, fmt::format("no instruction is named {}", name));
    }
    found = print_program(*context_.program, {context_.comment, rest});
  } else {
    auto it = context_.outputs.find(section.argument_text());
    if (it == context_.outputs.end()) {
      std::string names = " diagnostics ir";
      for (const auto& [name, text] : context_.outputs) names += " " + name;
      return problem(section, fmt::format("the run has no `{}`; it has:{}", section.argument_text(), names));
    }
    found = it->second;
  }
  if (!found.empty() && found.back() != '\n') found += '\n';
  // A blank line before the next section belongs to the reader.
  std::string expected = section.text;
  size_t end = expected.find_last_not_of('\n');
  std::string blank = end == std::string::npos ? expected : expected.substr(std::min(end + 2, expected.size()));
  expected.resize(expected.size() - blank.size());
  if (found == expected) return;
  problem(section, fmt::format("`{}` is not as expected (- expected, + found):\n{}", section.argument_text(),
                               difference(expected, found)));
  section.text = found + blank;
}

void Runner::check_markers() {
  for (size_t i = 0; i < markers_.size(); ++i)
    if (matched_.count(i) == 0)
      result_.problems.push_back(fmt::format("line {}: no run reports this {} [{}]", markers_[i].test_line,
                                             markers_[i].severity, markers_[i].id));
}

}  // namespace

TestResult run_test(const std::string& text, const std::string& schema_directory) {
  return Runner(text, schema_directory).run();
}

}  // namespace pravo::testing
