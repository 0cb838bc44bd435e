// libFuzzer entry of the evaluator: a text is parsed as an expression, lowered, interpreted, and where it has a value
// this is printed and encoded. Every few inputs also go the long way, by printed IR and folding, which must find the
// same value.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

#include "ir/json_codec.h"
#include "ir/limits.h"
#include "tools/pravoc/console/expressions.h"
#include "tools/pravoc/console/through_ir.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace pravo::cli {

namespace {

// A session grows with each expression.
constexpr unsigned kInputsPerSession = 200;
constexpr unsigned kInputsPerLongWay = 8;

void require(bool condition, std::string_view what) {
  if (condition) return;
  std::fprintf(stderr, "%.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

// A directory without files: expressions may read some.
void enter_empty_directory() {
  std::string path = "/tmp/pravo-eval-fuzz-XXXXXX";
  require(::mkdtemp(path.data()) != nullptr && ::chdir(path.c_str()) == 0, "no directory to work in");
}

std::unique_ptr<ExpressionSession> open() {
  Diagnostics problems;
  std::unique_ptr<Compilation> compilation;
  std::unique_ptr<ExpressionSession> session = ExpressionSession::open({}, problems, compilation);
  require(session != nullptr, "no session");
  return session;
}

// Functions that give another value each time.
bool is_steady(std::string_view text) {
  for (std::string_view name : {"uuid", "bcrypt", "timestamp"})
    if (text.find(name) != std::string_view::npos) return false;
  return true;
}

std::optional<std::string> shown(const std::optional<Answer>& answer) {
  if (!answer) return std::nullopt;
  return answer->text();
}

// JSON has no infinity, so that such a value is recorded nowhere.
bool has_infinity(const Value& value) {
  bool found = false;
  value.walk([&](std::span<const PathStep>, const Value& part) {
    found = found || (part.kind() == ValueKind::Number && part.as_number().is_infinite());
    return !found;
  });
  return found;
}

void check_value(const Value& value) {
  require(over_limits(value) == nullptr, "a value beyond the limits");
  require(value.type().depth() <= kMaxDepth, "a type beyond the limits");
  debug_string(value);
  if (!value.is_wholly_known() || any(value.deep_marks()) || has_infinity(value)) return;
  std::string typed = encode_typed_json(value, value.type());
  Result<Value> again = decode_typed_json(typed, value.type());
  require(again.ok() && again->type() == value.type(), "a value that its JSON is not read as");
}

void check_long_way(const std::string& text, const std::optional<std::string>& at_once) {
  std::unique_ptr<ExpressionSession> session = open();
  ThroughIr result = evaluate_through_ir(*session, {text});
  for (const std::string& fault : result.faults) require(false, fault);
  if (!is_steady(text)) return;
  std::optional<std::string> long_way = shown(result.answers[0]);
  require(at_once == long_way,
          "at once: " + at_once.value_or("an error") + "\nthrough IR: " + long_way.value_or("an error"));
}

}  // namespace

}  // namespace pravo::cli

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace pravo;
  using namespace pravo::cli;
  static std::unique_ptr<ExpressionSession> session;
  static unsigned inputs = 0;
  if (inputs == 0) enter_empty_directory();
  if (inputs++ % kInputsPerSession == 0) session = open();

  std::string text(reinterpret_cast<const char*>(data), size);
  Diagnostics diags;
  std::optional<Answer> answer = session->evaluate(text, diags);
  require(answer || diags.has_errors(), "neither a value nor an error");
  for (const Diagnostic& d : diags.all()) require(!d.message.empty(), "a message without text");
  std::optional<std::string> at_once = shown(answer);
  if (answer) check_value(answer->value);
  // One line: the long way reads them so.
  if (inputs % kInputsPerLongWay == 0 && text.find('\n') == std::string::npos) check_long_way(text, at_once);
  return 0;
}
