#include "ir/result.h"

namespace pravo {

std::string EvalError::text() const {
  if (path.empty()) return message;
  // The dot of `.a[0]` joins it to a name that is not known here.
  return "`" + (path.front() == '.' ? path.substr(1) : path) + "`: " + message;
}

std::unique_ptr<EvalError> fail(EvalErrorKind kind, std::string message, int argument, std::string path) {
  return std::make_unique<EvalError>(EvalError{kind, std::move(message), argument, std::move(path)});
}

}  // namespace pravo
