#include <fmt/format.h>

#include "runtime/show/diff.h"
#include "runtime/show/json_parts.h"
#include "runtime/show/show.h"

namespace pravo::runtime {

std::string render_object(const InstanceAddress& address, const InstanceObject& object, std::string_view deposed,
                          const Schema* schema, const RenderOptions& options) {
  std::string header = fmt::format("# {}:", address.to_string());
  if (object.tainted) header += " (tainted)";
  if (!deposed.empty()) header += fmt::format(" (deposed object {})", deposed);
  std::string out = options.color ? fmt::format("\033[1m{}\033[0m\n", header) : header + "\n";
  std::string_view block = address.resource.mode == ResourceMode::Data ? "data" : "resource";
  out += fmt::format("{} \"{}\" \"{}\" {{\n", block, address.resource.type, address.resource.name);
  Value value = object_value(object, schema);
  std::vector<NamedChange> parts;
  for (size_t i = 0; i < value.length(); ++i)
    if (!value.element(i).is_null()) parts.push_back({std::string(value.key(i).view()), nullptr, &value.element(i)});
  TextTree tree(0, options.color);
  Diff diff(tree, {});
  diff.members(parts, 1, Mark::None, {});
  out += std::move(tree).take();
  return out + "}\n";
}

std::string render_state(const State& state, RegistrySchemas& schemas, const RenderOptions& options) {
  if (state.empty()) return "The state is empty. Nothing is managed yet.\n";
  std::string out;
  for (const StateResource* resource : state.address_order()) {
    const Schema* schema = schemas.schema(resource->provider, resource->address.mode, resource->address.type);
    for (const StateInstance& instance : resource->instances) {
      InstanceAddress address{resource->address, instance.key};
      auto add = [&](const InstanceObject& object, const std::string& deposed) {
        if (!out.empty()) out += '\n';
        out += render_object(address, object, deposed, schema, options);
      };
      if (instance.current) add(*instance.current, {});
      for (const auto& [key, object] : instance.deposed) add(object, key);
    }
  }
  if (state.outputs.empty()) return out;
  if (!out.empty()) out += '\n';
  out += "\nOutputs:\n\n";
  TextTree tree(0, options.color);
  Diff diff(tree, {});
  for (const auto& [name, output] : state.outputs) {
    tree.new_line();
    tree.text(name + " = ");
    diff.value(output.sensitive ? output.value.with_marks(MarkSet::Sensitive) : output.value, 0, Mark::None);
  }
  return out + std::move(tree).take();
}

std::string render_outputs(const State& state) {
  std::string out;
  for (const auto& [name, output] : state.outputs)
    out += fmt::format("{} = {}\n", name, output.sensitive ? "<sensitive>" : format_value(output.value));
  return out;
}

std::string render_output(const StateOutput& output) { return format_value(output.value.without_deep_marks()) + "\n"; }

std::optional<std::string> raw_output(const StateOutput& output) {
  switch (output.value.kind()) {
    case ValueKind::String:
      return std::string(output.value.as_string());
    case ValueKind::Bool:
      return output.value.as_bool() ? "true" : "false";
    case ValueKind::Number:
      return output.value.as_number().to_string();
    case ValueKind::Null:
    case ValueKind::Unknown:
    case ValueKind::List:
    case ValueKind::Set:
    case ValueKind::Map:
    case ValueKind::Tuple:
    case ValueKind::Object:
      return std::nullopt;
  }
  PRAVOC_UNREACHABLE();
}

}  // namespace pravo::runtime
