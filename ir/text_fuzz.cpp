// Any text: parsing ends with an answer, the verifier looks at whatever was parsed, and what verifies prints as a text
// that parses to the same.
#include <cstdint>
#include <string>

#include "ir/check.h"
#include "ir/text.h"
#include "ir/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace pravo;
  SourceManager sources;
  FileId file = sources.add("fuzz.ir", std::string(reinterpret_cast<const char*>(data), size));
  Names names;
  Program program(names);
  Diagnostics diags;
  bool parsed = parse_program(sources, file, program, diags);
  PRAVOC_CHECK(parsed != diags.has_errors());
  if (!parsed || !verify(program).empty()) return 0;
  std::string text = print_program(program);
  FileId again = sources.add("again.ir", text);
  Names names_again;
  Program program_again(names_again);
  PRAVOC_CHECK(parse_program(sources, again, program_again, diags));
  PRAVOC_CHECK(verify(program_again).empty());
  PRAVOC_CHECK(print_program(program_again) == text);
  return 0;
}
