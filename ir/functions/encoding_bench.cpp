// Encodings: JSON, YAML, CSV, base64, gzip, URLs.
#include "ir/json_codec.h"
#include "ir/testing/benchmarks.h"

namespace pravo {

namespace {

constexpr int64_t kRows = 10'000;

Value json() { return Value::string(*encode_json(bench::records(kRows))); }

Value yaml() {
  Value arguments[] = {bench::records(kRows)};
  return *call_function(FunctionId::Yamlencode, arguments, bench::host());
}

Value csv() {
  std::string out = "id,name,size\n";
  for (int64_t i = 0; i < kRows; ++i) out += std::to_string(i) + ",\"name " + std::to_string(i) + "\",7\n";
  return Value::string(out);
}

Value encoded(FunctionId function, std::string_view text) {
  Value arguments[] = {Value::string(text)};
  return *call_function(function, arguments, bench::host());
}

Value text() { return Value::string(bench::prose(100'000)); }

// As states hold values.
void encode_typed(benchmark::State& state) {
  Value v = bench::records(kRows);
  Type type = v.type();
  size_t bytes = 0;
  for (auto _ : state) bytes = encode_typed_json(v, type).size();
  state.SetBytesProcessed(static_cast<int64_t>(bytes) * state.iterations());
}
BENCHMARK(encode_typed)->Unit(benchmark::kMicrosecond);

void decode_typed(benchmark::State& state) {
  Value v = bench::records(kRows);
  Type type = v.type();
  std::string json = encode_typed_json(v, type);
  for (auto _ : state) benchmark::DoNotOptimize(decode_typed_json(json, type));
  state.SetBytesProcessed(static_cast<int64_t>(json.size()) * state.iterations());
}
BENCHMARK(decode_typed)->Unit(benchmark::kMicrosecond);

}  // namespace

PRAVO_BENCHMARK_CALL(jsonencode, Jsonencode, bench::records(kRows))->Unit(benchmark::kMicrosecond);
PRAVO_BENCHMARK_TEXT(jsondecode, Jsondecode, json());
PRAVO_BENCHMARK_CALL(yamlencode, Yamlencode, bench::records(kRows))->Unit(benchmark::kMicrosecond);
PRAVO_BENCHMARK_TEXT(yamldecode, Yamldecode, yaml());
PRAVO_BENCHMARK_TEXT(csvdecode, Csvdecode, csv());
PRAVO_BENCHMARK_TEXT(base64encode, Base64encode, text());
PRAVO_BENCHMARK_TEXT(base64decode, Base64decode, encoded(FunctionId::Base64encode, bench::prose(100'000)));
PRAVO_BENCHMARK_TEXT(base64gzip, Base64gzip, text());
PRAVO_BENCHMARK_TEXT(base64gunzip, Base64gunzip, encoded(FunctionId::Base64gzip, bench::prose(100'000)));
PRAVO_BENCHMARK_TEXT(urlencode, Urlencode, text());
PRAVO_BENCHMARK_TEXT(urldecode, Urldecode, encoded(FunctionId::Urlencode, bench::prose(100'000)));
PRAVO_BENCHMARK_TEXT(textencode_utf16, Textencodebase64, text(), Value::string("UTF-16LE"));

}  // namespace pravo
