// Collects the syntax errors of one text: counts them, knows where they are, and keeps a fault from being reported
// twice. They reach the Diagnostics when the collector is destroyed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/hcl/offset_map.h"
#include "ir/diagnostics.h"
#include "ir/source.h"

namespace pravo::hcl {

class SyntaxErrors {
 public:
  // Beyond this many a file is not what it claims to be, and the rest is not shown.
  static constexpr uint32_t kMaxErrors = 100;

  // `map` leads from offsets in the text to offsets in the file; null when the text is the file.
  SyntaxErrors(const SourceManager& sources, FileId file, Diagnostics& diags, const OffsetMap* map)
      : sources_(sources), file_(file), diags_(diags), map_(map) {}

  ~SyntaxErrors() {
    found_.sort(sources_);
    diags_.append(std::move(found_));
  }
  SyntaxErrors(const SyntaxErrors&) = delete;
  SyntaxErrors& operator=(const SyntaxErrors&) = delete;

  template <class Row, class... Args>
  Diagnostics::Builder emit(uint32_t begin, uint32_t end, Row row, const Args&... args) {
    return sink().emit(range(begin, end), row, args...);
  }

  // Forgets everything: the text is lexed again.
  void restart();
  // Whether so much was reported that no more is shown; then there is no use in looking far for good explanations.
  bool full() const { return count_ >= kMaxErrors; }

  // A fault of the lexer at [begin, end): the parser is silent about what it finds there.
  void cover(uint32_t begin, uint32_t end) { covered_.push_back({begin, end}); }
  // To be called between lexing and parsing.
  void sort_covered();
  // Whether a fault of the lexer touches [begin, end].
  bool is_covered(uint32_t begin, uint32_t end) const;

  SourceRange range(uint32_t begin, uint32_t end) const;
  // "3:1", for a message.
  std::string place(uint32_t offset) const;

  // Text of the source in backquotes, or `instead` where the file must not be quoted.
  std::string quoted(std::string_view text, std::string_view instead) const;
  bool secret() const { return sources_.secret(file_); }

  uint32_t count() const { return count_; }

 private:
  Diagnostics& sink();

  struct Span {
    uint32_t begin;
    uint32_t end;
  };
  const SourceManager& sources_;
  FileId file_;
  Diagnostics& diags_;
  const OffsetMap* map_;
  Diagnostics found_;
  Diagnostics dropped_;
  uint32_t count_ = 0;
  std::vector<Span> covered_;
};

}  // namespace pravo::hcl
