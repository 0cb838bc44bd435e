#include "ir/large_pages.h"

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#if __has_include(<mimalloc.h>)
#include <mimalloc.h>
// Weak, since a program may run without mimalloc.
extern "C" __attribute__((weak)) void mi_option_set(mi_option_t option, long value);
#endif

namespace pravo {

namespace {

// What mimalloc takes from the system at a time, aligned to its size.
constexpr uintptr_t kSegment = uintptr_t{32} << 20;

}  // namespace

void use_large_pages() {
#if __has_include(<mimalloc.h>)
  if (mi_option_set != nullptr) mi_option_set(mi_option_large_os_pages, 1);
#endif
  // The first segment was there before this program was. If the allocator is another one, this is about memory around
  // the pointer, and still only advice.
  void* anything = std::malloc(16);
  auto segment = reinterpret_cast<uintptr_t>(anything) & ~(kSegment - 1);
  madvise(reinterpret_cast<void*>(segment), kSegment, MADV_HUGEPAGE);
  std::free(anything);
}

void return_freed_memory() {
#if __has_include(<mimalloc.h>)
#if MI_MALLOC_VERSION >= 210
  constexpr mi_option_t kDelay = mi_option_purge_delay;
#else
  constexpr mi_option_t kDelay = mi_option_decommit_delay;
#endif
  if (mi_option_set != nullptr) mi_option_set(kDelay, 0);
#endif
}

}  // namespace pravo
