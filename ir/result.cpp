#include "ir/result.h"

namespace pravo {

std::string EvalError::text() const {
  if (path.empty()) return message;
  return "`" + path + "`: " + message;
}

std::unique_ptr<EvalError> fail(EvalErrorKind kind, std::string message, int argument, std::string path) {
  return std::make_unique<EvalError>(EvalError{kind, std::move(message), argument, std::move(path)});
}

}  // namespace pravo
