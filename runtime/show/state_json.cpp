#include <algorithm>
#include <map>

#include "ir/json_codec.h"
#include "runtime/show/json_parts.h"
#include "runtime/show/show.h"
#include "runtime/state/json_fields.h"

namespace pravo::runtime {

Value object_value(const InstanceObject& object, const Schema* schema) {
  if (object.value) return *object.value;
  if (schema != nullptr) {
    Result<Value> value = decode_object(object, schema->block);
    if (value.ok()) return std::move(*value);
  }
  // Without its provider's schema an object is what its JSON says.
  Result<Value> value = decode_json(object.attributes_json);
  return value.ok() ? value->mark_with_paths(object.sensitive) : Value::empty_object();
}

void write_output_value(JsonWriter& w, const Value& value, bool sensitive) {
  w.open('{');
  w.key("sensitive");
  w.flag(sensitive);
  if (value.is_wholly_known()) {
    w.key("value");
    write_plain(w, value);
    w.key("type");
    w.raw(value.type().to_json());
  }
  w.close('}');
}

void write_resource_head(JsonWriter& w, const InstanceAddress& address, std::string_view provider) {
  w.member("address", address.to_string());
  w.member("mode", address.resource.mode == ResourceMode::Data ? "data" : "managed");
  w.member("type", address.resource.type);
  w.member("name", address.resource.name);
  if (!address.key.is_none()) {
    w.key("index");
    write_plain(w, address.key.to_value());
  }
  std::optional<ProviderConfigAddress> config = ProviderConfigAddress::parse(provider);
  w.member("provider_name", config ? config->provider : std::string(provider));
}

void write_modules(JsonWriter& w, std::vector<ModuleResource> resources) {
  // By module, each with its resources; modules that only hold others are there, too.
  struct Module {
    ModulePathRef path;
    std::vector<const ModuleResource*> resources;
    std::vector<std::string> children;
  };
  std::map<std::string, Module> modules;
  modules[""].path = root_module_path();
  for (const ModuleResource& resource : resources) {
    ModulePathRef path = resource.address.resource.module;
    modules[path->text()].resources.push_back(&resource);
    while (true) {
      Module& module = modules[path->text()];
      bool known = module.path != nullptr;
      module.path = path;
      if (path->is_root() || known) break;
      auto parent = std::make_shared<const ModulePath>(path->parent());
      modules[parent->text()].children.push_back(path->text());
      path = parent;
    }
  }
  // Modules nest as deep as the configuration's calls do.
  auto write = [&](auto& self, const std::string& name) -> void {
    Module& module = modules[name];
    w.open('{');
    if (!module.resources.empty()) {
      std::sort(module.resources.begin(), module.resources.end(), [](const auto* a, const auto* b) {
        if (auto c = a->address <=> b->address; c != 0) return c < 0;
        return a->order < b->order;
      });
      w.key("resources");
      w.open('[');
      for (const ModuleResource* resource : module.resources) resource->write(w);
      w.close(']');
    }
    if (!name.empty()) w.member("address", name);
    if (!module.children.empty()) {
      std::sort(module.children.begin(), module.children.end(), [&](const std::string& a, const std::string& b) {
        return (*modules[a].path <=> *modules[b].path) < 0;
      });
      w.key("child_modules");
      w.open('[');
      for (const std::string& child : module.children) self(self, child);
      w.close(']');
    }
    w.close('}');
  };
  write(write, "");
}

void write_state_values(JsonWriter& w, const State& state, RegistrySchemas& schemas) {
  w.open('{');
  if (!state.outputs.empty()) {
    w.key("outputs");
    w.open('{');
    for (const auto& [name, output] : state.outputs) {
      w.key(name);
      write_output_value(w, output.value, output.sensitive);
    }
    w.close('}');
  }
  std::vector<ModuleResource> resources;
  for (const StateResource* resource : state.address_order()) {
    const Schema* schema = schemas.schema(resource->provider, resource->address.mode, resource->address.type);
    for (const StateInstance& instance : resource->instances) {
      auto add = [&](const InstanceObject& object, const std::string& deposed) {
        InstanceAddress address{resource->address, instance.key};
        resources.push_back({address, deposed, [&object, schema, resource, address, deposed](JsonWriter& out) {
                               Value value = object_value(object, schema);
                               out.open('{');
                               write_resource_head(out, address, resource->provider);
                               out.key("schema_version");
                               out.number(object.schema_version);
                               out.key("values");
                               write_plain(out, value);
                               out.key("sensitive_values");
                               write_sensitive_shape(out, value);
                               if (object.dependencies && !object.dependencies->empty()) {
                                 out.key("depends_on");
                                 out.open('[');
                                 for (const Str& name : *object.dependencies) out.text(name.view());
                                 out.close(']');
                               }
                               if (object.tainted) {
                                 out.key("tainted");
                                 out.flag(true);
                               }
                               if (!deposed.empty()) out.member("deposed_key", deposed);
                               out.close('}');
                             }});
      };
      if (instance.current) add(*instance.current, {});
      for (const auto& [key, object] : instance.deposed) add(object, key);
    }
  }
  w.key("root_module");
  write_modules(w, std::move(resources));
  w.close('}');
}

namespace {

// The parts of `module.a[0].terraform_data.x["k"]` and the like, as the JSON of checks lists them.
void write_check_address(JsonWriter& w, const CheckRecord& record) {
  w.key("address");
  w.open('{');
  std::string_view rest = record.address;
  std::string_view module;
  // The object's own name starts after the last module step.
  size_t at = 0;
  while (rest.substr(at).starts_with("module.")) {
    size_t dot = rest.find('.', at + 7);
    if (dot == std::string_view::npos) break;
    module = rest.substr(0, dot);
    at = dot + 1;
  }
  std::string_view local = rest.substr(at);
  size_t dot = local.find('.');
  std::string_view head = local.substr(0, dot);
  std::string_view tail = dot == std::string_view::npos ? std::string_view() : local.substr(dot + 1);
  switch (record.kind) {
    case CheckKind::Resource: {
      w.member("kind", "resource");
      bool data = head == "data";
      if (data) {
        dot = tail.find('.');
        head = tail.substr(0, dot);
        tail = dot == std::string_view::npos ? std::string_view() : tail.substr(dot + 1);
      }
      w.member("mode", data ? "data" : "managed");
      w.member("name", tail);
      if (!module.empty()) w.member("module", module);
      w.member("to_display", record.address);
      w.member("type", head);
      break;
    }
    case CheckKind::Output:
    case CheckKind::Check:
    case CheckKind::Variable:
      w.member("kind", record.kind == CheckKind::Output  ? "output_value"
                       : record.kind == CheckKind::Check ? "check"
                                                         : "var");
      if (!module.empty()) w.member("module", module);
      w.member("name", tail);
      w.member("to_display", record.address);
      break;
  }
  w.close('}');
}

}  // namespace

void write_checks(JsonWriter& w, const std::vector<CheckRecord>& checks) {
  w.open('[');
  for (const CheckRecord& record : checks) {
    w.open('{');
    write_check_address(w, record);
    w.member("status", check_status_text(record.status));
    if (!record.objects.empty()) {
      w.key("instances");
      w.open('[');
      for (const CheckObject& object : record.objects) {
        w.open('{');
        w.key("address");
        w.open('{');
        if (record.kind == CheckKind::Resource)
          if (std::optional<InstanceAddress> address = InstanceAddress::parse(object.address)) {
            if (!address->key.is_none()) {
              w.key("instance_key");
              write_plain(w, address->key.to_value());
            }
            if (!address->resource.module->is_root()) w.member("module", address->resource.module->text());
          }
        w.member("to_display", object.address);
        w.close('}');
        w.member("status", check_status_text(object.status));
        if (!object.messages.empty()) {
          w.key("problems");
          w.open('[');
          for (const std::string& message : object.messages) {
            w.open('{');
            w.member("message", message);
            w.close('}');
          }
          w.close(']');
        }
        w.close('}');
      }
      w.close(']');
    }
    w.close('}');
  }
  w.close(']');
}

std::string state_json(const State& state, RegistrySchemas& schemas) {
  std::string out;
  JsonWriter w(out);
  w.open('{');
  w.member("format_version", "1.0");
  if (!state.lineage.empty() || !state.empty()) {
    w.member("terraform_version", state.terraform_version);
    w.key("values");
    write_state_values(w, state, schemas);
    if (!state.checks.empty()) {
      w.key("checks");
      write_checks(w, state.checks);
    }
  }
  w.close('}');
  return out + "\n";
}

std::string outputs_json(const State& state) {
  std::string compact;
  JsonWriter w(compact);
  w.open('{');
  for (const auto& [name, output] : state.outputs) {
    w.key(name);
    w.open('{');
    w.key("sensitive");
    w.flag(output.sensitive);
    w.key("type");
    w.raw(output.value.type().to_json());
    w.key("value");
    write_plain(w, output.value);
    w.close('}');
  }
  w.close('}');
  std::string out;
  append_indented(out, compact, 0);
  return out + "\n";
}

std::string output_json(const StateOutput& output) {
  std::string out;
  JsonWriter w(out);
  write_plain(w, output.value);
  return out + "\n";
}

}  // namespace pravo::runtime
