// `for` and splats: what collects their results, without the interpreter around it.
#include "ir/operators.h"
#include "ir/testing/benchmarks.h"

namespace pravo {

namespace {

void for_list(benchmark::State& state) {
  Value list = bench::numbers(state.range(0));
  Value one = Value::number(1);
  for (auto _ : state) {
    Result<Iteration> over = iterate(list);
    ForList result(*over);
    for (size_t i = 0; i < over->size(); ++i) {
      Result<bool> added = result.add(*binary(BinaryOp::Add, over->value(i), one));
      benchmark::DoNotOptimize(added);
    }
    benchmark::DoNotOptimize(std::move(result).finish());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(for_list)->Arg(1'000)->Arg(1'000'000)->Unit(benchmark::kMicrosecond);

void run_for_object(benchmark::State& state, bool group) {
  Value list = bench::strings(state.range(0), group ? 100 : state.range(0));
  for (auto _ : state) {
    Result<Iteration> over = iterate(list);
    ForObject result(*over, group);
    for (size_t i = 0; i < over->size(); ++i) {
      Result<bool> added = result.add(over->value(i), over->key(i));
      benchmark::DoNotOptimize(added);
    }
    benchmark::DoNotOptimize(std::move(result).finish());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void for_object(benchmark::State& state) { run_for_object(state, false); }
BENCHMARK(for_object)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMicrosecond);

void for_object_grouped(benchmark::State& state) { run_for_object(state, true); }
BENCHMARK(for_object_grouped)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMicrosecond);

void for_condition(benchmark::State& state) {
  Value list = bench::numbers(state.range(0));
  Value half = Value::number(state.range(0) / 2);
  for (auto _ : state) {
    Result<Iteration> over = iterate(list);
    ForList result(*over);
    for (size_t i = 0; i < over->size(); ++i) {
      if (!*result.accept(*binary(BinaryOp::Less, over->value(i), half))) continue;
      Result<bool> added = result.add(over->value(i));
      benchmark::DoNotOptimize(added);
    }
    benchmark::DoNotOptimize(std::move(result).finish());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(for_condition)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMicrosecond);

void splat(benchmark::State& state) {
  Value tuple = bench::records(state.range(0));
  for (auto _ : state) {
    Result<Iteration> over = iterate_splat(tuple);
    std::vector<Value> names;
    for (size_t i = 0; i < over->size(); ++i) names.push_back(*attribute(over->value(i), "name"));
    benchmark::DoNotOptimize(splat_result(*over, std::move(names)));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(splat)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMicrosecond);

}  // namespace

}  // namespace pravo
