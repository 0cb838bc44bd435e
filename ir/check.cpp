#include "ir/check.h"

#include <unistd.h>
#include <cstdlib>
#include <cstring>

namespace pravo {

void check_failed(const char* condition, const char* file, int line) {
  // write(2) on plain buffers: the heap may be what is broken.
  auto put = [](const char* text) {
    auto ignored = ::write(STDERR_FILENO, text, std::strlen(text));
    static_cast<void>(ignored);
  };
  char digits[16];
  int at = sizeof(digits) - 1;
  digits[at] = '\0';
  do {
    digits[--at] = static_cast<char>('0' + line % 10);
    line /= 10;
  } while (line != 0 && at > 0);
  put("pravo: internal error: ");
  put(condition);
  put(" (");
  put(file);
  put(":");
  put(digits + at);
  put(")\nThis is a fault of pravo, not of the configuration; please report it.\n");
  std::abort();
}

}  // namespace pravo
