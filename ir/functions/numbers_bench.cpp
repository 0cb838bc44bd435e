// Arithmetic functions.
#include "ir/testing/benchmarks.h"

namespace pravo {

PRAVO_BENCHMARK_CALL(pow, Pow, Value::number(2), Value::number(64));
PRAVO_BENCHMARK_CALL(log, Log, Value::number(1000), Value::number(10));
PRAVO_BENCHMARK_CALL(ceil, Ceil, Value::number(*Number::parse("1.5")));
PRAVO_BENCHMARK_CALL(parseint_hex, Parseint, Value::string("cafebabe"), Value::number(16));
PRAVO_BENCHMARK_CALL(max_of_three, Max, Value::number(1), Value::number(3), Value::number(2));

}  // namespace pravo
