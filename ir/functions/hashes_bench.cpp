// Hashes, of a word and of a text.
#include "ir/testing/benchmarks.h"

namespace pravo {

namespace {

Value word() { return Value::string("hello world"); }
Value text() { return Value::string(bench::prose(100'000)); }

}  // namespace

PRAVO_BENCHMARK_CALL(md5_word, Md5, word());
PRAVO_BENCHMARK_CALL(sha256_word, Sha256, word());
PRAVO_BENCHMARK_TEXT(md5, Md5, text());
PRAVO_BENCHMARK_TEXT(sha1, Sha1, text());
PRAVO_BENCHMARK_TEXT(sha256, Sha256, text());
PRAVO_BENCHMARK_TEXT(base64sha512, Base64sha512, text());
PRAVO_BENCHMARK_CALL(uuidv5, Uuidv5, Value::string("dns"), Value::string("example.com"));

}  // namespace pravo
