// How fast programs are built, printed, parsed and verified.
#include <benchmark/benchmark.h>

#include "ir/builder.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "ir/walk.h"

namespace pravo {
namespace {

void fill(Program& program, int resources) {
  auto owned = std::make_unique<ModuleBody>();
  owned->label = "root";
  owned->directory = ".";
  owned->root = true;
  program.bodies.push_back(std::move(owned));
  Builder b(program, ModuleId(0));
  ModuleBody& body = b.body();
  TypeId string = b.type(Type::string());
  TypeId object =
      b.type(Type::object({{std::string_view("name"), Type::string()}, {std::string_view("tags"), Type::dynamic()}}));
  std::vector<NameId> fields{b.name("name"), b.name("tags")};
  NameId type = b.name("aws_instance");
  InstId previous = b.constant(Value::string("first"));
  for (int i = 0; i < resources; ++i) {
    NameId name = b.name("r" + std::to_string(i));
    InstId value = b.constant(Value::string("value " + std::to_string(i)));
    InstId id = b.add(OpKind::Attr, string, {previous}, b.name("id").index);
    InstId text = b.add(OpKind::Template, string, {value, id});
    std::vector<InstId> values{text, id};
    InstId config = b.object(object, fields, values);
    ResourceInfo row;
    row.type = type;
    row.name = name;
    row.inst = InstId(static_cast<uint32_t>(body.insts.size()));
    row.provider_address = "registry.terraform.io/hashicorp/aws";
    body.resources.push_back(std::move(row));
    previous = b.add(OpKind::Resource, object, {config}, static_cast<uint32_t>(i));
    b.hint(previous, name);
  }
}

void build(benchmark::State& state) {
  for (auto _ : state) {
    Names names;
    Program program(names);
    fill(program, static_cast<int>(state.range(0)));
    benchmark::DoNotOptimize(program.body(ModuleId(0)).insts.size());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0) * 5);
}
BENCHMARK(build)->Arg(10000)->Arg(100000)->Unit(benchmark::kMillisecond);

// The builder alone, without names and rows.
void build_expressions(benchmark::State& state) {
  Names names;
  for (auto _ : state) {
    Program program(names);
    program.bodies.push_back(std::make_unique<ModuleBody>());
    Builder b(program, ModuleId(0));
    InstId a = b.add(OpKind::Unknown, TypeId(), {});
    for (int64_t i = 0; i < state.range(0); ++i) {
      InstId operands[2] = {a, InstId(static_cast<uint32_t>(i))};
      b.add(OpKind::Binary, TypeId(), operands, 0);
    }
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(build_expressions)->Arg(1000000)->Unit(benchmark::kMillisecond);

void print(benchmark::State& state) {
  Names names;
  Program program(names);
  fill(program, static_cast<int>(state.range(0)));
  size_t size = 0;
  for (auto _ : state) size = print_program(program).size();
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(size));
}
BENCHMARK(print)->Arg(10000)->Arg(100000)->Unit(benchmark::kMillisecond);

void parse(benchmark::State& state) {
  Names names;
  Program program(names);
  fill(program, static_cast<int>(state.range(0)));
  std::string text = print_program(program);
  for (auto _ : state) {
    SourceManager sources;
    FileId file = sources.add("bench.ir", text);
    Names own;
    Program parsed(own);
    Diagnostics diags;
    if (!parse_program(sources, file, parsed, diags)) state.SkipWithError("the text does not parse");
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}
BENCHMARK(parse)->Arg(10000)->Arg(100000)->Unit(benchmark::kMillisecond);

void verification(benchmark::State& state) {
  Names names;
  Program program(names);
  fill(program, static_cast<int>(state.range(0)));
  for (auto _ : state)
    if (!verify(program).empty()) state.SkipWithError("the program does not verify");
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(program.body(ModuleId(0)).insts.size()));
}
BENCHMARK(verification)->Arg(10000)->Arg(100000)->Unit(benchmark::kMillisecond);

void components(benchmark::State& state) {
  Names names;
  Program program(names);
  fill(program, static_cast<int>(state.range(0)));
  for (auto _ : state) {
    Graph graph = dependency_graph(program.body(ModuleId(0)));
    benchmark::DoNotOptimize(Components(graph).size());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(program.body(ModuleId(0)).insts.size()));
}
BENCHMARK(components)->Arg(10000)->Arg(100000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace pravo
