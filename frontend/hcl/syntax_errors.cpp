#include "frontend/hcl/syntax_errors.h"

#include <algorithm>

namespace pravo::hcl {

Diagnostics& SyntaxErrors::sink() {
  if (count_++ < kMaxErrors) return found_;
  dropped_ = Diagnostics();
  return dropped_;
}

void SyntaxErrors::restart() {
  found_ = Diagnostics();
  covered_.clear();
  count_ = 0;
}

void SyntaxErrors::sort_covered() {
  std::sort(covered_.begin(), covered_.end(), [](Span a, Span b) { return a.begin < b.begin; });
  // Disjoint afterwards, so that a search looks at one neighbour only.
  size_t kept = 0;
  for (size_t i = 0; i < covered_.size(); ++i) {
    if (kept > 0 && covered_[i].begin <= covered_[kept - 1].end)
      covered_[kept - 1].end = std::max(covered_[kept - 1].end, covered_[i].end);
    else
      covered_[kept++] = covered_[i];
  }
  covered_.resize(kept);
}

bool SyntaxErrors::is_covered(uint32_t begin, uint32_t end) const {
  auto after = std::upper_bound(covered_.begin(), covered_.end(), end,
                                [](uint32_t offset, Span span) { return offset < span.begin; });
  return after != covered_.begin() && std::prev(after)->end >= begin;
}

SourceRange SyntaxErrors::range(uint32_t begin, uint32_t end) const {
  if (map_ == nullptr) return {file_, begin, end};
  return {file_, map_->source(begin), map_->source(end)};
}

std::string SyntaxErrors::place(uint32_t offset) const {
  if (full()) return {};
  LineColumn at = sources_.position(file_, map_ == nullptr ? offset : map_->source(offset));
  return fmt::format("{}:{}", at.line, at.column);
}

std::string SyntaxErrors::quoted(std::string_view text, std::string_view instead) const {
  return secret() ? std::string(instead) : fmt::format("`{}`", text);
}

}  // namespace pravo::hcl
