// Diagnostics: what a user is told. Each kind is a row of ir/diagnostics.def with a stable kebab-case id; the
// text of a message may never depend on a marked value (design.md section 7).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ir/source.h"

namespace pravo {

enum class Severity : uint8_t { Error, Warning, Note };

// What a row says of every diagnostic of its kind.
struct DiagnosticRow {
  std::string_view id;  // stable ("ephemeral-in-resource")
  Severity severity;
};

// A row of the table, by its address: each layer has rows of its own (ir/diagnostics/LAYER.h), and this header
// knows none of them.
class DiagnosticKind {
 public:
  constexpr explicit DiagnosticKind(const DiagnosticRow* row) : row_(row) {}
  constexpr const DiagnosticRow& row() const { return *row_; }
  friend constexpr bool operator==(DiagnosticKind a, DiagnosticKind b) { return a.row_ == b.row_; }
  friend constexpr bool operator<(DiagnosticKind a, DiagnosticKind b) { return a.row_->id < b.row_->id; }

 private:
  const DiagnosticRow* row_;
};

// One compile-time object per row, so that emit() can check its arguments against the format.
#define PRAVO_DIAG_ROW(Name, id, severity, text, helptext)        \
  struct Name##Row {                                              \
    static constexpr DiagnosticRow row{id, Severity::severity};   \
    static constexpr DiagnosticKind kind{&row};                   \
    static constexpr std::string_view format() { return text; }   \
    static constexpr std::string_view help() { return helptext; } \
  };                                                              \
  inline constexpr Name##Row Name{};

inline std::string_view diagnostic_id(DiagnosticKind kind) { return kind.row().id; }
inline Severity diagnostic_severity(DiagnosticKind kind) { return kind.row().severity; }

// The row with this id, or none.
const DiagnosticRow* find_diagnostic(std::string_view id);

// A second place, with what is to be seen there.
struct DiagnosticNote {
  SourceRange range;
  std::string message;
};

// A step of a leak's path, from the source of the secret (first) to the sink (last).
struct TraceStep {
  SourceRange range;
  std::string message;
};

// A replacement of `range` that certainly repairs the fault.
struct FixEdit {
  SourceRange range;
  std::string replacement;
  std::string description;
};

struct Diagnostic {
  Diagnostic(DiagnosticKind k, SourceRange r) : kind(k), severity(k.row().severity), range(r) {}

  DiagnosticKind kind;
  Severity severity;
  SourceRange range;
  std::string message;  // one observed fact, lower case, no final period
  std::string help;     // what to do; may be empty
  std::string address;  // the object's address ("terraform_data.x"); may be empty
  std::vector<DiagnosticNote> notes;
  std::vector<TraceStep> trace;
  std::vector<FixEdit> fixes;
};

// Collects the diagnostics of a run. Not thread safe: give each thread its own and append().
class Diagnostics {
 public:
  // Chains the parts of one diagnostic. Valid until the next emit() on the same sink.
  class Builder {
   public:
    explicit Builder(Diagnostic& d) : d_(&d) {}
    Builder& note(SourceRange range, std::string message) {
      d_->notes.push_back({range, std::move(message)});
      return *this;
    }
    Builder& help(std::string text) {
      d_->help = std::move(text);
      return *this;
    }
    Builder& address(std::string text) {
      d_->address = std::move(text);
      return *this;
    }
    Builder& step(SourceRange range, std::string message) {
      d_->trace.push_back({range, std::move(message)});
      return *this;
    }
    Builder& fix(SourceRange range, std::string replacement, std::string description) {
      d_->fixes.push_back({range, std::move(replacement), std::move(description)});
      return *this;
    }

   private:
    Diagnostic* d_;
  };

  // Reports a diagnostic of the row `Row` at `range`; the arguments fill the row's format (and its help,
  // where that names them). Never pass a value of the configuration that could be marked.
  template <class Row, class... Args>
  Builder emit(SourceRange range, Row, const Args&... args) {
    constexpr auto checked = [] {
      // Instantiates fmt's own compile-time check of the format string.
      return fmt::format_string<const Args&...>(Row::format());
    };
    static_cast<void>(checked);
    Diagnostic d(Row::kind, range);
    d.message =
        fmt::vformat(fmt::string_view(Row::format().data(), Row::format().size()), fmt::make_format_args(args...));
    if (!Row::help().empty())
      d.help = fmt::vformat(fmt::string_view(Row::help().data(), Row::help().size()), fmt::make_format_args(args...));
    return add(std::move(d));
  }

  Builder add(Diagnostic d);
  void append(Diagnostics&& other);

  bool has_errors() const { return errors_ > 0; }
  size_t error_count() const { return errors_; }
  size_t warning_count() const { return warnings_; }
  const std::vector<Diagnostic>& all() const { return list_; }
  bool empty() const { return list_.empty(); }

  // Orders by file, then place, keeping the order of emission among equals, and drops exact repetitions.
  void sort(const SourceManager& sources);

 private:
  std::vector<Diagnostic> list_;
  size_t errors_ = 0;
  size_t warnings_ = 0;
};

// The name among `candidates` that `name` was probably meant to be (bounded edit distance), or empty.
std::string_view closest_name(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace pravo
