// What the benchmarks of values share: values of a given size, and the loop around one call.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "ir/functions.h"
#include "ir/value.h"

namespace pravo::bench {

inline RefusingHost& host() {
  static RefusingHost instance;
  return instance;
}

inline Value numbered(std::string_view stem, int64_t i) { return Value::string(std::string(stem) + std::to_string(i)); }

// "item-0", "item-1"... of which only so many are different.
inline Value strings(int64_t n, int64_t different) {
  std::vector<Value> all;
  for (int64_t i = 0; i < n; ++i) all.push_back(numbered("item-", i % different));
  return Value::list(Type::string(), std::move(all));
}
inline Value strings(int64_t n) { return strings(n, n); }
inline Value string_set(int64_t n) {
  Value list = strings(n);
  return Value::set(Type::string(), {list.elements().begin(), list.elements().end()});
}

inline Value numbers(int64_t n) {
  std::vector<Value> all;
  for (int64_t i = 0; i < n; ++i) all.push_back(Value::number(i));
  return Value::list(Type::number(), std::move(all));
}

inline Value string_map(int64_t n) {
  std::vector<std::pair<Str, Value>> all;
  for (int64_t i = 0; i < n; ++i) all.emplace_back(numbered("key-", i).as_str(), numbered("value-", i));
  return Value::map(Type::string(), std::move(all));
}

// {id, name, size, tags = {env, n}}
inline Value record(int64_t i) {
  static const KeySet keys({Str("id"), Str("name"), Str("size"), Str("tags")});
  Value tags = Value::object({{Str("env"), Value::string("prod")}, {Str("n"), numbered("t", i)}});
  return Value::object(keys, {Value::number(i), numbered("name-", i), Value::number(i * 2), tags});
}
inline Value records(int64_t n) {
  std::vector<Value> all;
  for (int64_t i = 0; i < n; ++i) all.push_back(record(i));
  return Value::tuple(std::move(all));
}

// About `bytes` of words in lines.
inline std::string prose(size_t bytes) {
  std::string out;
  for (size_t i = 0; out.size() < bytes; ++i) out += "word-" + std::to_string(i) + (i % 8 == 7 ? "\n" : " ");
  return out;
}

inline void call(benchmark::State& state, FunctionId id, const std::vector<Value>& arguments) {
  for (auto _ : state) {
    Result<Value> v = call_function(id, arguments, host());
    benchmark::DoNotOptimize(v);
    if (!v.ok()) state.SkipWithError(v.error().message.c_str());
  }
}
// The same for functions whose time is that of their elements, or of their text.
inline void call_elements(benchmark::State& state, FunctionId id, const std::vector<Value>& arguments) {
  call(state, id, arguments);
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
inline void call_bytes(benchmark::State& state, FunctionId id, const std::vector<Value>& arguments) {
  call(state, id, arguments);
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(arguments[0].as_string().size()));
}

}  // namespace pravo::bench

// A benchmark of one call with arguments of any size.
#define PRAVO_BENCHMARK_CALL(Name, Function, ...)                                                        \
  static void Name(benchmark::State& state) { bench::call(state, FunctionId::Function, {__VA_ARGS__}); } \
  BENCHMARK(Name)
// Of one call whose arguments have `n` elements, for sizes that show when it grows faster than they do.
#define PRAVO_BENCHMARK_ELEMENTS(Name, Function, ...)                 \
  static void Name(benchmark::State& state) {                         \
    const int64_t n = state.range(0);                                 \
    bench::call_elements(state, FunctionId::Function, {__VA_ARGS__}); \
  }                                                                   \
  BENCHMARK(Name)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMicrosecond)
// Of one call whose first argument is a text.
#define PRAVO_BENCHMARK_TEXT(Name, Function, ...)                                                              \
  static void Name(benchmark::State& state) { bench::call_bytes(state, FunctionId::Function, {__VA_ARGS__}); } \
  BENCHMARK(Name)->Unit(benchmark::kMicrosecond)
