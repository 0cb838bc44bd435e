#include "ir/eval_host.h"

#include "ir/limits.h"

namespace pravo {

namespace {

std::unique_ptr<EvalError> refused(std::string_view what) {
  return fail(EvalErrorKind::Refused, std::string(what) + " is not known before the configuration runs");
}

}  // namespace

EvalHost::Budget::Budget(EvalHost& host) : host_(host) {
  if (host_.budgets_++ == 0) host_.steps_left_ = kMaxSteps;
}

EvalHost::Budget::~Budget() {
  if (--host_.budgets_ == 0) host_.steps_left_ = UINT64_MAX;
}

Result<bool> RefusingHost::read_file(std::string_view, TakePart) { return refused("what is in a file"); }
Result<EvalHost::FileKind> RefusingHost::file_kind(std::string_view) { return refused("what is in a file"); }
Result<std::vector<std::string>> RefusingHost::list_files(std::string_view, int) {
  return refused("what is in a directory");
}
Result<std::string> RefusingHost::working_directory() { return refused("the working directory"); }
Result<std::string> RefusingHost::home_directory() { return refused("the home directory"); }
Result<Moment> RefusingHost::now() { return refused("the time"); }
Result<Moment> RefusingHost::plan_timestamp() { return refused("the time of the plan"); }
Result<bool> RefusingHost::random(std::span<uint8_t>) { return refused("a random value"); }
Result<Value> RefusingHost::render_template(std::string_view, std::string_view, const Value&) {
  return refused("what a template gives");
}

}  // namespace pravo
