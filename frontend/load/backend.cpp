#include "frontend/load/backend.h"

#include "frontend/load/literal.h"
#include "ir/convert.h"
#include "ir/diagnostics/load.h"

namespace pravo::load {

namespace {

void refuse_computed(const Body& body, const SourceManager& sources, Diagnostics& diags) {
  for (const Attribute& attribute : body.attributes) evaluate_constant(sources, attribute.value, diags);
  for (const Block& block : body.blocks) refuse_computed(block.body, sources, diags);
}

}  // namespace

LocalBackend read_backend(const Configuration& configuration, const SourceManager& sources, const Names& names,
                          Diagnostics& diags) {
  LocalBackend local;
  if (configuration.modules.empty() || !configuration.root().backend) return local;
  const Backend& backend = *configuration.root().backend;
  if (backend.type != "local") {
    refuse_computed(backend.config, sources, diags);
    return local;
  }
  for (const Attribute& attribute : backend.config.attributes) {
    std::string_view name = names.text(attribute.name.id);
    std::string* target = name == "path" ? &local.path : name == "workspace_dir" ? &local.workspace_dir : nullptr;
    if (target == nullptr) {
      diags.emit(attribute.name.range, diag::UnknownArgument, name, "the `local` backend")
          .help("it has the arguments `path` and `workspace_dir`");
      continue;
    }
    std::optional<Value> value = evaluate_constant(sources, attribute.value, diags);
    if (!value || value->is_null()) continue;
    Result<Value> text = convert(*value, Type::string());
    if (text.ok() && !text->is_unknown() && !text->as_string().empty())
      *target = std::string(text->as_string());
    else
      diags.emit(attribute.value.range(), diag::UnsuitableValue, "a path");
  }
  for (const Block& block : backend.config.blocks)
    diags.emit(block.header, diag::UnknownBlock, names.text(block.type.id), "the `local` backend");
  return local;
}

}  // namespace pravo::load
