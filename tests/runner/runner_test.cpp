// The runner must be able to fail: each way in which a test file can be wrong is one here.
#include "tests/runner/runner.h"

#include <doctest/doctest.h>

#include "tests/runner/difference.h"
#include "tests/runner/test_file.h"

namespace pravo::testing {
namespace {

std::string problems(const std::string& text, std::string* updated = nullptr) {
  TestResult result = run_test(text, "tests/schemas");
  if (updated != nullptr) *updated = result.updated;
  std::string out;
  for (const std::string& problem : result.problems) out += problem + "\n";
  return out;
}

constexpr const char* kGood =
    "a comment\n"
    "=== ir\n"
    "module @root {\n"
    "  %a = unknown : any\n"
    "}\n"
    "=== run roundtrip\n"
    "=== expect diagnostics\n"
    "=== expect ir %a\n"
    "  %a = unknown : any\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST_CASE("a good test passes and is not rewritten") {
  std::string updated;
  CHECK(problems(kGood, &updated) == "");
  CHECK(updated == kGood);
  CHECK(format_test_file(parse_test_file(kGood)) == kGood);
}

TEST_CASE("a wrong expectation fails, and an update mends it and nothing else") {
  std::string text = replaced(kGood, "ir %a\n  %a = unknown : any\n", "ir %a\n  %a = unknown : string\n\n");
  std::string updated;
  CHECK(problems(text, &updated) ==
        "line 8: `ir %a` is not as expected (- expected, + found):\n-   %a = unknown : string\n+   %a = unknown : "
        "any\n\n");
  CHECK(updated == std::string(kGood) + "\n");
}

TEST_CASE("what a test cannot be") {
  CHECK(problems("=== ir\nmodule @root {\n}\n") == "line 1: nothing runs: there is no `=== run`\n");
  CHECK(problems(replaced(kGood, "run roundtrip", "run nothing"))
            .starts_with("line 6: there is no run `nothing`; there are: "));
  CHECK(problems("=== run roundtrip\n") == "line 1: the run needs a section `=== ir`\n");
  CHECK(problems(replaced(kGood, "=== ir", "=== what")).starts_with("line 2: there is no kind of section `what`\n"));
  CHECK(problems(replaced(kGood, "ir %a", "ir %b")).starts_with("line 8: no instruction is named %b\n"));
  CHECK(problems(replaced(kGood, "ir %a", "calls")).starts_with("line 8: the run has no `calls`; it has: "));
  CHECK(problems("=== expect ir\n" + std::string(kGood)) == "line 1: there is nothing before it that runs\n");
  CHECK(problems("=== file a.tf\n=== file a.tf\n" + std::string(kGood)) == "line 2: there is another file `a.tf`\n");
  CHECK(problems("=== file\n" + std::string(kGood)) == "line 1: `=== file` has one name\n");
  CHECK(problems("=== schemas none.json\n" + std::string(kGood)).starts_with("line 1: cannot read schemas from "));
  CHECK(problems(replaced(kGood, "  %a = unknown : any\n}", "  yield %a\n  %a = unknown : any\n}"))
            .starts_with("line 7: @root: a yield does not end a region: "));
}

constexpr const char* kFaulty =
    "=== ir\n"
    "module @root {\n"
    "  %a = unknwon\n"
    "; error: 8 [ir-unknown-op]\n"
    "    %b = whatever\n"
    "; error: ^ [ir-unknown-op]\n"
    "}\n"
    "=== run roundtrip\n"
    "=== expect diagnostics\n"
    "test.ir:2:8: error: there is no op `unknwon` [ir-unknown-op]\n"
    "test.ir:4:10: error: there is no op `whatever` [ir-unknown-op]\n";

TEST_CASE("markers: each error has one, and each marker an error") {
  CHECK(problems(kFaulty) == "");
  CHECK(problems(replaced(kFaulty, "error: 8", "error:")) == "");
  CHECK(problems(replaced(kFaulty, "; error: 8 [ir-unknown-op]", ";")) ==
        "line 8: there is no marker for a diagnostic:\n"
        "  test.ir:2:8: error: there is no op `unknwon` [ir-unknown-op]\n\n");
  CHECK(problems(replaced(kFaulty, "error: 8", "error: 9")) ==
        "line 8: there is no marker for a diagnostic:\n"
        "  test.ir:2:8: error: there is no op `unknwon` [ir-unknown-op]\n\n"
        "line 4: no run reports this error [ir-unknown-op]\n");
  CHECK(problems(replaced(kFaulty, "8 [ir-unknown-op]", "8 [ir-syntax]"))
            .find("line 4: no run reports this error [ir-syntax]") != std::string::npos);
  CHECK(problems(replaced(kFaulty, "error: 8", "warning: 8")).find("line 4: no run reports this warning") !=
        std::string::npos);
  CHECK(problems(replaced(kFaulty, "module", "; error: 1 [ir-syntax]\nmodule"))
            .find("line 2: a marker stands above any source line") == 0);
}

TEST_CASE("markers count characters, and leave JSON") {
  std::vector<std::string> faults;
  std::string text = "{\n  \"\xC3\xA9\": x\n//    \xC3\xA9 error: ^ [no-marker]\n// error:  ^ [some-id]\n}\n";
  std::vector<Marker> markers = take_markers("a.tf.json", text, 10, faults);
  REQUIRE(markers.size() == 1);
  CHECK(markers[0].line == 3);
  CHECK(markers[0].column == 12);
  CHECK(markers[0].test_line == 13);
  CHECK(text == "{\n  \"\xC3\xA9\": x\n//    \xC3\xA9 error: ^ [no-marker]\n}\n");
  std::string tf = "a = \"\xC3\xA9\" + b\n# error:   ^ [some-id]\n";
  std::string before = tf;
  markers = take_markers("a.tf", tf, 1, faults);
  REQUIRE(markers.size() == 1);
  CHECK(markers[0].line == 1);
  CHECK(markers[0].column == 12);
  CHECK(tf == before);
  CHECK(faults.empty());
}

TEST_CASE("differences") {
  CHECK(difference("a\nb\nc\n", "a\nx\nc\n") == "  a\n- b\n+ x\n  c\n");
  CHECK(difference("", "x\n") == "+ x\n");
  CHECK(difference("x\n", "") == "- x\n");
  CHECK(difference("x", "x\n") == "  ...\n  (the final line break differs)\n");
  CHECK(difference("1\n2\n3\n4\n5\n6\n7\n", "1\n2\n3\n4\n5\n6\n8\n") == "  ...\n  4\n  5\n  6\n- 7\n+ 8\n");
}

}  // namespace
}  // namespace pravo::testing
