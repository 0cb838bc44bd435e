// Lists, sets and maps. What takes a hundred times as long for a hundred times the elements is fine.
#include "ir/testing/benchmarks.h"

namespace pravo {

namespace {

Value nested(int64_t n) {
  Value row = Value::tuple({Value::number(1), Value::tuple({Value::number(2)})});
  return Value::tuple(std::vector<Value>(static_cast<size_t>(n), row));
}

Value lists_by_key(int64_t n) {
  std::vector<std::pair<Str, Value>> all;
  for (int64_t i = 0; i < n; ++i)
    all.emplace_back(bench::numbered("key-", i).as_str(),
                     Value::list(Type::string(), {bench::numbered("x", i), bench::numbered("y", i % 100)}));
  return Value::map(Type::list(Type::string()), std::move(all));
}

void merge_small_maps(benchmark::State& state) {
  std::vector<Value> maps;
  for (int64_t i = 0; i < state.range(0); ++i)
    maps.push_back(Value::object({{bench::numbered("key-", i).as_str(), Value::number(i)}}));
  bench::call_elements(state, FunctionId::Merge, maps);
}
BENCHMARK(merge_small_maps)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMicrosecond);

}  // namespace

PRAVO_BENCHMARK_ELEMENTS(distinct, Distinct, bench::strings(n));
PRAVO_BENCHMARK_ELEMENTS(contains_nothing, Contains, bench::strings(n), Value::string("none"));
PRAVO_BENCHMARK_ELEMENTS(index_of_last, Index, bench::strings(n), bench::numbered("item-", n - 1));
PRAVO_BENCHMARK_ELEMENTS(concat, Concat, bench::strings(n), bench::strings(n));
PRAVO_BENCHMARK_ELEMENTS(flatten, Flatten, nested(n));
PRAVO_BENCHMARK_ELEMENTS(chunklist, Chunklist, bench::strings(n), Value::number(3));
PRAVO_BENCHMARK_ELEMENTS(slice, Slice, bench::strings(n), Value::number(1), Value::number(n - 1));
PRAVO_BENCHMARK_ELEMENTS(reverse, Reverse, bench::strings(n));
PRAVO_BENCHMARK_ELEMENTS(sort, Sort, bench::strings(n));
PRAVO_BENCHMARK_ELEMENTS(matchkeys, Matchkeys, bench::strings(n), bench::strings(n), bench::strings(n));
PRAVO_BENCHMARK_ELEMENTS(sum, Sum, bench::numbers(n));
PRAVO_BENCHMARK_ELEMENTS(setunion, Setunion, bench::string_set(n), bench::string_set(n / 2));
PRAVO_BENCHMARK_ELEMENTS(setintersection, Setintersection, bench::string_set(n), bench::string_set(n / 2));
PRAVO_BENCHMARK_ELEMENTS(setsubtract, Setsubtract, bench::string_set(n), bench::string_set(n / 2));
PRAVO_BENCHMARK_ELEMENTS(setproduct, Setproduct, bench::strings(n), bench::strings(2));
PRAVO_BENCHMARK_ELEMENTS(keys, Keys, bench::string_map(n));
PRAVO_BENCHMARK_ELEMENTS(values, Values, bench::string_map(n));
PRAVO_BENCHMARK_ELEMENTS(merge_maps, Merge, bench::string_map(n), bench::string_map(n / 2));
PRAVO_BENCHMARK_ELEMENTS(zipmap, Zipmap, bench::strings(n), bench::strings(n));
PRAVO_BENCHMARK_ELEMENTS(transpose, Transpose, lists_by_key(n));
PRAVO_BENCHMARK_CALL(lookup, Lookup, bench::string_map(1000), Value::string("key-7"), Value::string("none"));
PRAVO_BENCHMARK_CALL(element, Element, bench::strings(1000), Value::number(1007));
PRAVO_BENCHMARK_CALL(range, Range, Value::number(1000));

}  // namespace pravo
