// Internal invariants. A user's fault is a diagnostic (ir/diagnostics.h); a broken promise between two
// parts of pravo is a check, and ends the process with its place. A check never prints a value.
#pragma once

namespace pravo {

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace pravo

#define PRAVOC_CHECK(condition)                                             \
  (__builtin_expect(static_cast<bool>(condition), 1) ? static_cast<void>(0) \
                                                     : ::pravo::check_failed(#condition, __FILE__, __LINE__))

#define PRAVOC_UNREACHABLE() ::pravo::check_failed("unreachable", __FILE__, __LINE__)
