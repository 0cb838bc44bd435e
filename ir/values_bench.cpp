// Values, operators and functions, a family each. Items per second are elements or operations.
#include <benchmark/benchmark.h>

#include "ir/convert.h"
#include "ir/functions.h"
#include "ir/json_codec.h"
#include "ir/operators.h"

namespace pravo {

namespace {

RefusingHost& host() {
  static RefusingHost instance;
  return instance;
}

Value numbered(std::string_view stem, int64_t i) { return Value::string(std::string(stem) + std::to_string(i)); }

Value strings(int64_t n, int64_t different) {
  std::vector<Value> all;
  for (int64_t i = 0; i < n; ++i) all.push_back(numbered("item-", i % different));
  return Value::list(Type::string(), std::move(all));
}

Value record(int64_t i) {
  static const KeySet keys({Str("id"), Str("name"), Str("size"), Str("tags")});
  Value tags = Value::object({{Str("env"), Value::string("prod")}, {Str("n"), numbered("t", i)}});
  return Value::object(keys, {Value::number(i), numbered("name-", i), Value::number(i * 2), tags});
}

Value records(int64_t n) {
  std::vector<Value> all;
  for (int64_t i = 0; i < n; ++i) all.push_back(record(i));
  return Value::tuple(std::move(all));
}

void call(benchmark::State& state, FunctionId id, std::vector<Value> arguments, int64_t items) {
  for (auto _ : state) {
    Result<Value> v = call_function(id, arguments, host());
    benchmark::DoNotOptimize(v);
    if (!v.ok()) state.SkipWithError(v.error().message.c_str());
  }
  state.SetItemsProcessed(state.iterations() * items);
}

}  // namespace

static void BM_AddIntegers(benchmark::State& state) {
  Value a = Value::number(40);
  Value b = Value::number(2);
  for (auto _ : state) benchmark::DoNotOptimize(binary(BinaryOp::Add, a, b));
}
BENCHMARK(BM_AddIntegers);

static void BM_DivideLiterals(benchmark::State& state) {
  Value a = Value::number(*Number::parse("1"));
  Value b = Value::number(*Number::parse("3"));
  for (auto _ : state) benchmark::DoNotOptimize(binary(BinaryOp::Divide, a, b));
}
BENCHMARK(BM_DivideLiterals);

static void BM_Template(benchmark::State& state) {
  Value parts[] = {Value::string("resource-"), Value::number(17), Value::string(" in "), Value::string("eu-west-1")};
  for (auto _ : state) benchmark::DoNotOptimize(join_template(parts));
}
BENCHMARK(BM_Template);

static void BM_MakeRecord(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(record(5));
}
BENCHMARK(BM_MakeRecord);

// A `for` over numbers that yields each plus one: the loop of the interpreter without the interpreter.
static void BM_For(benchmark::State& state) {
  std::vector<Value> numbers;
  for (int64_t i = 0; i < state.range(0); ++i) numbers.push_back(Value::number(i));
  Value list = Value::tuple(std::move(numbers));
  Value one = Value::number(1);
  for (auto _ : state) {
    Result<Iteration> over = iterate(list);
    ForList result(*over);
    for (size_t i = 0; i < over->size(); ++i) result.add(*binary(BinaryOp::Add, over->value(i), one));
    benchmark::DoNotOptimize(std::move(result).finish());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_For)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

static void BM_Distinct(benchmark::State& state) {
  int64_t n = state.range(0);
  call(state, FunctionId::Distinct, {strings(n, n)}, n);
}
BENCHMARK(BM_Distinct)->Arg(4000)->Arg(400'000)->Unit(benchmark::kMillisecond);

static void BM_Toset(benchmark::State& state) {
  int64_t n = state.range(0);
  call(state, FunctionId::Toset, {strings(n, n / 2)}, n);
}
BENCHMARK(BM_Toset)->Arg(100'000)->Unit(benchmark::kMillisecond);

static void BM_Merge(benchmark::State& state) {
  int64_t n = state.range(0);
  std::vector<Value> maps;
  for (int64_t i = 0; i < n; ++i) maps.push_back(Value::object({{Str("key-" + std::to_string(i)), Value::number(i)}}));
  call(state, FunctionId::Merge, std::move(maps), n);
}
BENCHMARK(BM_Merge)->Arg(10'000)->Unit(benchmark::kMillisecond);

static void BM_ConvertRecords(benchmark::State& state) {
  Value tuple = records(state.range(0));
  Type list = Type::list(Type::object({{"id", Type::string()},
                                       {"name", Type::string()},
                                       {"size", Type::number()},
                                       {"tags", Type::map(Type::string())}}));
  for (auto _ : state) benchmark::DoNotOptimize(convert(tuple, list));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_ConvertRecords)->Arg(10'000)->Unit(benchmark::kMillisecond);

static void BM_TolistOfRecords(benchmark::State& state) {
  call(state, FunctionId::Tolist, {records(state.range(0))}, state.range(0));
}
BENCHMARK(BM_TolistOfRecords)->Arg(10'000)->Unit(benchmark::kMillisecond);

static void BM_Flatten(benchmark::State& state) {
  int64_t n = state.range(0);
  std::vector<Value> rows(static_cast<size_t>(n), Value::tuple({Value::number(1), Value::tuple({Value::number(2)})}));
  call(state, FunctionId::Flatten, {Value::tuple(std::move(rows))}, n);
}
BENCHMARK(BM_Flatten)->Arg(100'000)->Unit(benchmark::kMillisecond);

static void BM_EncodeJson(benchmark::State& state) {
  Value v = records(10'000);
  size_t bytes = 0;
  for (auto _ : state) bytes = encode_json(v)->size();
  state.SetBytesProcessed(static_cast<int64_t>(bytes) * state.iterations());
}
BENCHMARK(BM_EncodeJson)->Unit(benchmark::kMillisecond);

static void BM_DecodeJson(benchmark::State& state) {
  std::string text = *encode_json(records(10'000));
  for (auto _ : state) benchmark::DoNotOptimize(decode_json(text));
  state.SetBytesProcessed(static_cast<int64_t>(text.size()) * state.iterations());
}
BENCHMARK(BM_DecodeJson)->Unit(benchmark::kMillisecond);

static void BM_EncodeTypedJson(benchmark::State& state) {
  Value v = records(10'000);
  Type type = v.type();
  size_t bytes = 0;
  for (auto _ : state) bytes = encode_typed_json(v, type).size();
  state.SetBytesProcessed(static_cast<int64_t>(bytes) * state.iterations());
}
BENCHMARK(BM_EncodeTypedJson)->Unit(benchmark::kMillisecond);

static void BM_Format(benchmark::State& state) {
  call(state, FunctionId::Format,
       {Value::string("%s-%03d-%v"), Value::string("web"), Value::number(7), Value::boolean(true)}, 1);
}
BENCHMARK(BM_Format);

static void BM_Cidrsubnet(benchmark::State& state) {
  call(state, FunctionId::Cidrsubnet, {Value::string("10.0.0.0/8"), Value::number(16), Value::number(256)}, 1);
}
BENCHMARK(BM_Cidrsubnet);

static void BM_Sha256(benchmark::State& state) { call(state, FunctionId::Sha256, {Value::string("hello world")}, 1); }
BENCHMARK(BM_Sha256);

static void BM_Upper(benchmark::State& state) { call(state, FunctionId::Upper, {Value::string("hello world")}, 1); }
BENCHMARK(BM_Upper);

static void BM_Regex(benchmark::State& state) {
  call(state, FunctionId::Regex, {Value::string("^([a-z]+)-(\\d+)$"), Value::string("web-17")}, 1);
}
BENCHMARK(BM_Regex);

}  // namespace pravo
