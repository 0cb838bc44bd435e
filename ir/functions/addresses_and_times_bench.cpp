// IP prefixes and timestamps: short texts that are taken apart.
#include "ir/testing/benchmarks.h"

namespace pravo {

namespace {

Value v4() { return Value::string("10.0.0.0/8"); }
Value v6() { return Value::string("2001:db8::/32"); }
Value time() { return Value::string("2024-02-29T12:34:56Z"); }

}  // namespace

PRAVO_BENCHMARK_CALL(cidrsubnet_v4, Cidrsubnet, v4(), Value::number(16), Value::number(256));
PRAVO_BENCHMARK_CALL(cidrsubnet_v6, Cidrsubnet, v6(), Value::number(32), Value::number(256));
PRAVO_BENCHMARK_CALL(cidrsubnets, Cidrsubnets, v4(), Value::number(4), Value::number(8), Value::number(12));
PRAVO_BENCHMARK_CALL(cidrhost, Cidrhost, v6(), Value::number(7));
PRAVO_BENCHMARK_CALL(cidrnetmask, Cidrnetmask, v4());
PRAVO_BENCHMARK_CALL(cidrcontains, Cidrcontains, v4(), Value::string("10.1.2.3"));
PRAVO_BENCHMARK_CALL(formatdate, Formatdate, Value::string("EEEE, DD-MMM-YY hh:mm:ss ZZZ"), time());
PRAVO_BENCHMARK_CALL(timeadd, Timeadd, time(), Value::string("1h30m"));
PRAVO_BENCHMARK_CALL(timecmp, Timecmp, time(), time());

}  // namespace pravo
