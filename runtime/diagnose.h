// A diagnostic by itself, for who collects before reporting.
#pragma once

#include <string>

#include "ir/diagnostics.h"

namespace pravo::runtime {

template <class Row, class... Args>
Diagnostic make_diagnostic(SourceRange range, std::string address, Row row, const Args&... args) {
  Diagnostics one;
  one.emit(range, row, args...).address(std::move(address));
  return one.all().front();
}

}  // namespace pravo::runtime
