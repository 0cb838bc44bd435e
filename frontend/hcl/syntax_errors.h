// Collects the syntax errors of one text: counts them, knows where they are, and keeps a fault from being reported
// twice.
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

  template <class Row, class... Args>
  Diagnostics::Builder emit(uint32_t begin, uint32_t end, Row row, const Args&... args) {
    return sink().emit(range(begin, end), row, args...);
  }

  // A fault of the lexer at [begin, end): the parser is silent about what it finds there.
  void cover(uint32_t begin, uint32_t end) { covered_.push_back({begin, end}); }
  // To be called between lexing and parsing.
  void sort_covered();
  // Whether a fault of the lexer touches [begin, end].
  bool is_covered(uint32_t begin, uint32_t end) const;

  SourceRange range(uint32_t begin, uint32_t end) const;
  // "3:1", for a message.
  std::string place(uint32_t offset) const;

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
  Diagnostics dropped_;
  uint32_t count_ = 0;
  std::vector<Span> covered_;
};

}  // namespace pravo::hcl
