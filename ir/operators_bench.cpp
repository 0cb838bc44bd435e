// Operators, templates, index and attribute.
#include "ir/operators.h"
#include "ir/testing/benchmarks.h"

namespace pravo {

namespace {

void run_binary(benchmark::State& state, BinaryOp op, const Value& a, const Value& b) {
  for (auto _ : state) benchmark::DoNotOptimize(binary(op, a, b));
}

Value literal(std::string_view text) { return Value::number(*Number::parse(text)); }

void add_integers(benchmark::State& state) { run_binary(state, BinaryOp::Add, Value::number(40), Value::number(2)); }
BENCHMARK(add_integers);

// Numbers written in the source have 512 bits.
void divide_literals(benchmark::State& state) { run_binary(state, BinaryOp::Divide, literal("1"), literal("3")); }
BENCHMARK(divide_literals);

void modulo_literals(benchmark::State& state) { run_binary(state, BinaryOp::Modulo, literal("17.5"), literal("4")); }
BENCHMARK(modulo_literals);

void compare_integers(benchmark::State& state) {
  run_binary(state, BinaryOp::Less, Value::number(40), Value::number(2));
}
BENCHMARK(compare_integers);

void equal_strings(benchmark::State& state) {
  run_binary(state, BinaryOp::Equal, bench::numbered("item-", 1), bench::numbered("item-", 1));
}
BENCHMARK(equal_strings);

void equal_records(benchmark::State& state) {
  run_binary(state, BinaryOp::Equal, bench::records(state.range(0)), bench::records(state.range(0)));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(equal_records)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMicrosecond);

void and_bools(benchmark::State& state) {
  run_binary(state, BinaryOp::And, Value::boolean(true), Value::boolean(false));
}
BENCHMARK(and_bools);

void negate(benchmark::State& state) {
  Value v = Value::number(40);
  for (auto _ : state) benchmark::DoNotOptimize(unary(UnaryOp::Negate, v));
}
BENCHMARK(negate);

void choose_string(benchmark::State& state) {
  Value condition = Value::boolean(true);
  Value a = Value::string("a");
  Value b = Value::number(1);
  for (auto _ : state) benchmark::DoNotOptimize(conditional(*choose(condition), a, b));
}
BENCHMARK(choose_string);

void make_template(benchmark::State& state) {
  Value parts[] = {Value::string("resource-"), Value::number(17), Value::string(" in "), Value::string("eu-west-1")};
  for (auto _ : state) benchmark::DoNotOptimize(join_template(parts));
}
BENCHMARK(make_template);

void join_parts(benchmark::State& state) {
  Value parts = bench::strings(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(join_strings(parts));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(join_parts)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMicrosecond);

void make_record(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(bench::record(5));
}
BENCHMARK(make_record);

void index_list(benchmark::State& state) {
  Value list = bench::strings(100'000);
  Value key = Value::number(54'321);
  for (auto _ : state) benchmark::DoNotOptimize(index(list, key));
}
BENCHMARK(index_list);

void index_map(benchmark::State& state) {
  Value map = bench::string_map(100'000);
  Value key = Value::string("key-54321");
  for (auto _ : state) benchmark::DoNotOptimize(index(map, key));
}
BENCHMARK(index_map);

void attribute_of_record(benchmark::State& state) {
  Value v = bench::record(5);
  for (auto _ : state) benchmark::DoNotOptimize(attribute(v, "size"));
}
BENCHMARK(attribute_of_record);

}  // namespace

}  // namespace pravo
