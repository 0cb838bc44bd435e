// Conversion and unification.
#include "ir/convert.h"
#include "ir/testing/benchmarks.h"

namespace pravo {

namespace {

void convert_number(benchmark::State& state) {
  Value v = Value::string("12345");
  for (auto _ : state) benchmark::DoNotOptimize(convert(v, Type::number()));
}
BENCHMARK(convert_number);

void convert_records(benchmark::State& state) {
  Value tuple = bench::records(state.range(0));
  Type list = Type::list(Type::object({{"id", Type::string()},
                                       {"name", Type::string()},
                                       {"size", Type::number()},
                                       {"tags", Type::map(Type::string())}}));
  for (auto _ : state) benchmark::DoNotOptimize(convert(tuple, list));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(convert_records)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMicrosecond);

void unify_objects(benchmark::State& state) {
  std::vector<Type> types;
  for (int64_t i = 0; i < state.range(0); ++i)
    types.push_back(Type::object({{"a", i % 2 == 0 ? Type::string() : Type::number()}, {"b", Type::boolean()}}));
  for (auto _ : state) benchmark::DoNotOptimize(unify(types, false));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(unify_objects)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMicrosecond);

}  // namespace

PRAVO_BENCHMARK_ELEMENTS(tolist_records, Tolist, bench::records(n));
PRAVO_BENCHMARK_ELEMENTS(toset_strings, Toset, bench::strings(n, n / 2));
PRAVO_BENCHMARK_ELEMENTS(tomap_strings, Tomap, bench::string_map(n));
PRAVO_BENCHMARK_CALL(tostring_number, Tostring, Value::number(12345));

}  // namespace pravo
