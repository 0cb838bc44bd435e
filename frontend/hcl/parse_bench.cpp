// How fast a file is parsed: bytes a second on one core, for text as people write it.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "frontend/hcl/parse.h"
#include "ir/large_pages.h"

namespace pravo::hcl {
namespace {

// As the program does.
[[maybe_unused]] const bool large_pages = (use_large_pages(), true);

// Resources of ten lines, 280 bytes each: blocks, objects, templates, calls, conditionals.
std::string resources(int64_t count) {
  std::string text;
  for (int64_t i = 0; i < count; ++i)
    text += fmt::format(R"(
# The server of shard {0}.
resource "aws_instance" "shard_{0}" {{
  ami           = data.aws_ami.base.id
  instance_type = var.large ? "m5.xlarge" : local.types[{0} % 4]
  tags = merge(local.tags, {{
    Name  = "${{var.prefix}}-shard-${{format("%05d", {0})}}"
    Index = {0}
  }})
  subnet_ids = [for s in aws_subnet.private : s.id if s.zone != "c"]
}}
)",
                        i);
  return text;
}

void bench_parse(benchmark::State& state) {
  std::string text = resources(state.range(0));
  size_t words = 0;
  for (auto _ : state) {
    state.PauseTiming();
    SourceManager sources;
    FileId file = sources.add("main.tf", text);
    Diagnostics diags;
    state.ResumeTiming();
    SyntaxTree tree = parse_native(sources, file, diags);
    if (diags.has_errors()) state.SkipWithError("the text has a fault");
    words = tree.words.size();
    benchmark::DoNotOptimize(tree);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
  state.counters["tree_bytes_per_byte"] = 4.0 * static_cast<double>(words) / static_cast<double>(text.size());
}
BENCHMARK(bench_parse)->Arg(10)->Arg(1000)->Arg(30000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace pravo::hcl
