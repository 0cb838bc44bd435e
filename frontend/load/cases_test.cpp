// Runs frontend/load/cases/*.cases: small configurations, what Terraform 1.11.4 said of each (recorded by
// record.py), and what the loader says.
//
// A case's heading may end with ` | reason`: there the loader and Terraform differ on purpose. In all others both
// accept, or both refuse, and each line that Terraform names has a diagnostic of ours.
// PRAVOC_UPDATE=1 rewrites the `=== expect` sections.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "frontend/load/testing.h"

namespace pravo::load {

namespace {

namespace fs = std::filesystem;

struct Section {
  std::string heading;  // without `=== `; empty before the first
  std::vector<std::string> lines;
};

struct Case {
  std::string name;
  bool differs = false;
  std::map<std::string, std::string> files;
  std::vector<std::string> terraform;
  std::vector<std::string> expect;
  size_t last_section = 0;  // index of the case's last section
  size_t expect_section = SIZE_MAX;
};

fs::path folder() {
  const char* root = std::getenv("PRAVO_SOURCE_DIR");
  return fs::path(root != nullptr ? root : ".") / "frontend/load/cases";
}

std::vector<Section> read_sections(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<Section> sections(1);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("=== ", 0) == 0)
      sections.push_back({line.substr(4), {}});
    else
      sections.back().lines.push_back(line);
  }
  return sections;
}

void write_sections(const fs::path& path, const std::vector<Section>& sections) {
  std::ofstream out(path, std::ios::binary);
  for (const Section& section : sections) {
    if (!section.heading.empty()) out << "=== " << section.heading << "\n";
    for (const std::string& line : section.lines) out << line << "\n";
  }
}

std::vector<Case> read_cases(const std::vector<Section>& sections) {
  std::vector<Case> cases;
  for (size_t i = 0; i < sections.size(); ++i) {
    const Section& section = sections[i];
    if (section.heading.rfind("case ", 0) == 0) {
      cases.emplace_back();
      cases.back().name = section.heading.substr(5);
      cases.back().differs = section.heading.find(" | ") != std::string::npos;
    } else if (section.heading.rfind("file ", 0) == 0) {
      std::string& text = cases.back().files[section.heading.substr(5)];
      for (const std::string& line : section.lines) text += line + "\n";
    } else if (section.heading == "terraform") {
      cases.back().terraform = section.lines;
    } else if (section.heading == "expect") {
      cases.back().expect = section.lines;
      cases.back().expect_section = i;
    }
    if (!cases.empty()) cases.back().last_section = i;
  }
  return cases;
}

std::string_view severity_text(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "error";
    case Severity::Warning:
      return "warning";
    case Severity::Note:
      return "note";
  }
  return "";
}

std::string place(const SourceManager& sources, SourceRange range) {
  if (!range.valid()) return "-";
  LineColumn begin = sources.position(range.file, range.begin);
  LineColumn end = sources.position(range.file, range.end);
  return fmt::format("{}:{}:{}-{}:{}", sources.name(range.file), begin.line, begin.column, end.line, end.column);
}

std::vector<std::string> run(const Case& test) {
  testing::Loaded loaded(testing::Files(test.files.begin(), test.files.end()));
  loaded.load();
  std::vector<std::string> lines;
  for (const Diagnostic& d : loaded.diags.all()) {
    std::string message = d.message;
    // The only message with a path of this machine.
    for (size_t at; (at = message.find(loaded.options.directory)) != std::string::npos;)
      message.replace(at, loaded.options.directory.size(), "DIRECTORY");
    lines.push_back(fmt::format("{} {} {} [{}]", severity_text(d.severity), place(loaded.sources, d.range), message,
                                diagnostic_id(d.kind)));
  }
  if (lines.empty()) lines.push_back("valid");
  return lines;
}

bool refused(const std::vector<std::string>& lines) {
  return std::any_of(lines.begin(), lines.end(), [](const std::string& line) { return line.rfind("error ", 0) == 0; });
}

// "main.tf:3" of "error main.tf:3:4-3:9 ..."; empty for what has no place.
std::string line_of(const std::string& diagnostic) {
  std::string place = diagnostic.substr(diagnostic.find(' ') + 1);
  place = place.substr(0, place.find(' '));
  size_t name = place.find(':');
  if (name == std::string::npos) return "";
  return place.substr(0, place.find(':', name + 1));
}

void compare_with_terraform(const Case& test, const std::vector<std::string>& ours) {
  CHECK_MESSAGE(refused(test.terraform) == refused(ours), test.name);
  for (const std::string& theirs : test.terraform) {
    if (theirs.rfind("error ", 0) != 0) continue;
    std::string line = line_of(theirs);
    if (line.empty()) continue;
    bool found = std::any_of(ours.begin(), ours.end(), [&](const std::string& text) { return line_of(text) == line; });
    CHECK_MESSAGE(found, test.name << ": nothing at " << line);
  }
}

}  // namespace

TEST_CASE("cases of the loader") {
  bool update = std::getenv("PRAVOC_UPDATE") != nullptr;
  size_t count = 0;
  for (const auto& entry : fs::directory_iterator(folder())) {
    if (entry.path().extension() != ".cases") continue;
    std::vector<Section> sections = read_sections(entry.path());
    std::vector<Case> cases = read_cases(sections);
    // From the end, so that sections that are put in do not move what follows.
    for (size_t i = cases.size(); i-- > 0;) {
      const Case& test = cases[i];
      ++count;
      CAPTURE(entry.path().filename().string());
      CAPTURE(test.name);
      std::vector<std::string> ours = run(test);
      if (!test.differs) compare_with_terraform(test, ours);
      if (update) {
        if (test.expect_section == SIZE_MAX)
          sections.insert(sections.begin() + static_cast<ptrdiff_t>(test.last_section) + 1, {"expect", ours});
        else
          sections[test.expect_section].lines = ours;
        continue;
      }
      std::string expected;
      std::string got;
      for (const std::string& line : test.expect) expected += line + "\n";
      for (const std::string& line : ours) got += line + "\n";
      CHECK(got == expected);
    }
    if (update) write_sections(entry.path(), sections);
  }
  CHECK(count > 300);
}

}  // namespace pravo::load
