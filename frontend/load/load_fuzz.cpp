// Any bytes are a configuration file: native or JSON, primary or override, or a file of values. The first byte says
// which. The loader answers with diagnostics, whose places lie within the file.
#include <cstddef>
#include <cstdint>
#include <string>

#include "frontend/load/checks.h"
#include "frontend/load/decode.h"
#include "frontend/load/literal.h"
#include "frontend/load/merge.h"
#include "ir/check.h"

namespace pravo::load {

namespace {

constexpr std::string_view kBase = R"(
variable "a" {
  type    = object({ n = number, s = optional(string, "d") })
  default = { n = 1 }
}
output "o" {
  value = var.a
}
locals {
  l = 1
}
resource "x_y" "r" {
  count = 1
  b {
  }
  lifecycle {
    ignore_changes = [n]
  }
}
module "m" {
  source = "./m"
  a      = 1
}
)";

void check_ranges(const SourceManager& sources, const Diagnostics& diags) {
  for (const Diagnostic& d : diags.all()) {
    PRAVOC_CHECK(!d.message.empty());
    if (!d.range.valid()) continue;
    PRAVOC_CHECK(d.range.begin <= d.range.end);
    PRAVOC_CHECK(d.range.end <= sources.text(d.range.file).size() + 1);
  }
}

void decode(SourceManager& sources, Names& names, Diagnostics& diags, Configuration& configuration,
            std::string_view text, bool json, bool override_file) {
  FileId file = sources.add(json ? "main.tf.json" : "main.tf", std::string(text));
  hcl::SyntaxTree& tree = configuration.trees.emplace_back();
  tree = json ? hcl::parse_json(sources, file, diags) : hcl::parse_native(sources, file, diags);
  FileContext context{sources, names, diags, tree, override_file};
  Module& root = configuration.root();
  if (!override_file) {
    Declarations declarations{root, {}, {}, {}};
    decode_file(context, declarations);
    drop_duplicates(root, names, diags);
    return;
  }
  Module overriding;
  Declarations over{overriding, {}, {}, {}};
  decode_file(context, over);
  apply_override(root, over, sources, names, diags);
}

}  // namespace

}  // namespace pravo::load

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace pravo;
  using namespace pravo::load;
  if (size == 0) return 0;
  std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  bool json = (data[0] & 1) != 0;
  bool override_file = (data[0] & 2) != 0;
  SourceManager sources;
  Names names;
  Diagnostics diags;
  Configuration configuration;
  configuration.modules.emplace_back();
  if (override_file) decode(sources, names, diags, configuration, kBase, false, false);
  decode(sources, names, diags, configuration, text, json, override_file);
  // Calls of modules are not followed: there is no disk here.
  check_call_cycles(configuration, diags);
  check_places(configuration, names, diags);
  check_call_arguments(configuration, names, diags);
  check_providers(configuration, names, diags);
  check_refactoring(configuration, sources, names, diags);
  check_ranges(sources, diags);
  diags.sort(sources);
  return 0;
}
