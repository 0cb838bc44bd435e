#include "ir/diagnostics.h"

#include <algorithm>
#include <array>

#include <llvm/ADT/StringRef.h>

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

std::string_view closest_name(std::string_view name, const std::vector<std::string_view>& candidates) {
  std::string_view best;
  unsigned limit = name.size() < 5 ? 1 : static_cast<unsigned>(name.size() / 4 + 1);
  unsigned best_distance = limit + 1;
  for (std::string_view candidate : candidates) {
    unsigned distance = llvm::StringRef(name.data(), name.size())
                            .edit_distance(llvm::StringRef(candidate.data(), candidate.size()), true, limit);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace pravo
