// Result<T>: a value, or the reason why there is none. What a user's expression can get wrong is an EvalError;
// the caller turns it into a diagnostic with the place it knows.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ir/check.h"

namespace pravo {

// What kind of fault an expression has, for callers that treat one kind differently.
enum class EvalErrorKind : uint8_t {
  Type,     // an operand or argument has a type that does not fit
  Value,    // a value of the right type that does not fit (out of range, malformed)
  Null,     // a null where a value is needed
  Missing,  // an index or an attribute that does not exist
  Limit,    // too large, too deep or too many
  Host,     // the world refused: a file that cannot be read
  Refused,  // this host does not do this (folding reads no file)
  Call,     // wrong number of arguments, unknown function
};

// The message states one fact in lower case without a final period, names and literals in backquotes. It never
// holds a marked value nor anything derived from one: whoever builds the message sees only unmarked text.
struct EvalError {
  EvalErrorKind kind = EvalErrorKind::Value;
  std::string message;
  int argument = -1;  // index of the argument or operand at fault; -1: the operation as a whole
  std::string path;   // where inside that argument, as a user writes it: `.a[0]`; empty: the argument itself

  // path and message as one phrase: "`.a[0]`: a number is required"
  std::string text() const;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(EvalError error) : state_(std::in_place_index<1>, std::make_unique<EvalError>(std::move(error))) {}
  Result(std::unique_ptr<EvalError> error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  const T& value() const& {
    PRAVOC_CHECK(ok());
    return *std::get_if<0>(&state_);
  }
  T& value() & {
    PRAVOC_CHECK(ok());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    PRAVOC_CHECK(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  const EvalError& error() const {
    PRAVOC_CHECK(!ok());
    return **std::get_if<1>(&state_);
  }
  // Hands the error on, to a result of another type.
  std::unique_ptr<EvalError> take_error() {
    PRAVOC_CHECK(!ok());
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  std::variant<T, std::unique_ptr<EvalError>> state_;
};

// `fail(kind, "text")` in a function that returns a Result.
std::unique_ptr<EvalError> fail(EvalErrorKind kind, std::string message, int argument = -1, std::string path = {});

}  // namespace pravo

// Takes the value of a Result into `name`, or returns its error from the enclosing function.
#define PRAVO_TRY(name, expression)     \
  auto name##_result = (expression);    \
  if (!name##_result.ok()) [[unlikely]] \
    return name##_result.take_error();  \
  auto name = std::move(name##_result).value()
