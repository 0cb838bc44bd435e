#include "ir/diagnostics.h"

#include <algorithm>
#include <array>
#include <utility>

namespace pravo {

namespace {

constexpr DiagnosticRow kRows[] = {
#define PRAVO_DIAG(Name, id, severity, format, help) {id, Severity::severity},
#include "ir/diagnostics.def"
};

}  // namespace

const DiagnosticRow* find_diagnostic(std::string_view id) {
  for (const DiagnosticRow& row : kRows)
    if (row.id == id) return &row;
  return nullptr;
}

Diagnostics::Builder Diagnostics::add(Diagnostic d) {
  if (d.severity == Severity::Error) ++errors_;
  if (d.severity == Severity::Warning) ++warnings_;
  list_.push_back(std::move(d));
  return Builder(list_.back());
}

void Diagnostics::append(Diagnostics&& other) {
  errors_ += other.errors_;
  warnings_ += other.warnings_;
  list_.insert(list_.end(), std::make_move_iterator(other.list_.begin()), std::make_move_iterator(other.list_.end()));
  other = Diagnostics();
}

void Diagnostics::sort(const SourceManager& sources) {
  auto key_less = [&](const Diagnostic& a, const Diagnostic& b) {
    if (a.range.valid() != b.range.valid()) return !a.range.valid();
    if (a.range.valid() && a.range.file != b.range.file) return sources.name(a.range.file) < sources.name(b.range.file);
    if (a.range.begin != b.range.begin) return a.range.begin < b.range.begin;
    return a.range.end < b.range.end;
  };
  std::stable_sort(list_.begin(), list_.end(), key_less);
  auto same = [](const Diagnostic& a, const Diagnostic& b) {
    return a.kind == b.kind && a.range == b.range && a.message == b.message && a.address == b.address;
  };
  list_.erase(std::unique(list_.begin(), list_.end(), same), list_.end());
  errors_ = static_cast<size_t>(
      std::count_if(list_.begin(), list_.end(), [](const auto& d) { return d.severity == Severity::Error; }));
  warnings_ = static_cast<size_t>(
      std::count_if(list_.begin(), list_.end(), [](const auto& d) { return d.severity == Severity::Warning; }));
}

namespace {

// How many letters are to be changed, left out, added or swapped with their neighbour to make `b` of `a` (optimal
// string alignment), or `limit` + 1 where it is more than `limit`.
unsigned edits(std::string_view a, std::string_view b, unsigned limit) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > limit) return limit + 1;
  std::vector<unsigned> rows[3];
  for (auto& row : rows) row.resize(b.size() + 1);
  std::vector<unsigned>*before = &rows[0], *above = &rows[1], *row = &rows[2];
  for (size_t j = 0; j <= b.size(); ++j) (*above)[j] = static_cast<unsigned>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    (*row)[0] = static_cast<unsigned>(i);
    unsigned least = (*row)[0];
    for (size_t j = 1; j <= b.size(); ++j) {
      unsigned other = a[i - 1] == b[j - 1] ? 0 : 1;
      unsigned best = std::min({(*above)[j] + 1, (*row)[j - 1] + 1, (*above)[j - 1] + other});
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) best = std::min(best, (*before)[j - 2] + 1);
      (*row)[j] = best;
      least = std::min(least, best);
    }
    // A swap reaches two rows back, so this one must be hopeless by more than one.
    if (least > limit + 1) return limit + 1;
    std::vector<unsigned>* free = before;
    before = above;
    above = row;
    row = free;
  }
  return std::min((*above)[b.size()], limit + 1);
}

// How far apart two names may be to be taken for one: of one letter everything is one edit away.
unsigned edit_limit(size_t size) {
  if (size < 2) return 0;
  return size < 5 ? 1 : static_cast<unsigned>(size / 4 + 1);
}

}  // namespace

std::string_view closest_name(std::string_view name, const std::vector<std::string_view>& candidates) {
  std::string_view best;
  unsigned best_distance = edit_limit(name.size()) + 1;
  for (std::string_view candidate : candidates) {
    unsigned limit = std::min(best_distance - 1, edit_limit(std::min(name.size(), candidate.size())));
    unsigned distance = edits(name, candidate, limit);
    if (distance > limit) continue;
    best_distance = distance;
    best = candidate;
    if (distance == 0) break;
  }
  return best;
}

}  // namespace pravo
