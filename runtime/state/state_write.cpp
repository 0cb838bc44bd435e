#include <algorithm>

#include <fmt/format.h>

#include "ir/json_codec.h"
#include "runtime/state/json_fields.h"
#include "runtime/state/state_text.h"

namespace pravo::runtime {

namespace {

// The lines of an indented document, one member or element after the other; or all in one line.
class Writer {
 public:
  explicit Writer(std::string& out, bool one_line = false) : out_(out), one_line_(one_line) {}

  void open(char bracket) {
    out_ += bracket;
    ++level_;
    first_ = true;
  }
  void close(char bracket) {
    --level_;
    if (!first_) line();
    out_ += bracket;
    first_ = false;
  }
  void next() {
    if (!first_) out_ += ',';
    first_ = false;
    line();
  }
  void key(std::string_view name) {
    next();
    text(name);
    out_ += one_line_ ? ":" : ": ";
  }
  void text(std::string_view value) { append_json_string(out_, value, true); }
  void member(std::string_view name, std::string_view value) {
    key(name);
    text(value);
  }
  void member(std::string_view name, uint64_t value) {
    key(name);
    out_ += fmt::format_int(value).c_str();
  }
  void flag(std::string_view name) {
    key(name);
    out_ += "true";
  }
  void json(std::string_view value) {
    if (one_line_)
      append_compact(out_, value);
    else
      append_indented(out_, value, level_);
  }
  void raw(std::string_view value) { out_ += value; }

 private:
  void line() {
    if (one_line_) return;
    out_ += '\n';
    out_.append(2 * static_cast<size_t>(level_), ' ');
  }
  std::string& out_;
  bool one_line_;
  unsigned level_ = 0;
  bool first_ = true;
};

void write_path(Writer& w, const Path& path) {
  w.open('[');
  for (const PathStep& step : path) {
    w.next();
    w.open('{');
    switch (step.kind) {
      case PathStep::Kind::Attribute:
        w.member("type", "get_attr");
        w.member("value", step.name.view());
        break;
      case PathStep::Kind::Index:
        w.member("type", "index");
        w.key("value");
        w.open('{');
        w.member("value", step.index);
        w.member("type", "number");
        w.close('}');
        break;
      case PathStep::Kind::Key:
        w.member("type", "index");
        w.key("value");
        w.open('{');
        w.member("value", step.name.view());
        w.member("type", "string");
        w.close('}');
        break;
    }
    w.close('}');
  }
  w.close(']');
}

void write_object(Writer& w, const InstanceKey& key, std::string_view deposed, const InstanceObject& object,
                  const SchemaBlock* schema) {
  w.next();
  w.open('{');
  switch (key.kind) {
    case InstanceKey::Kind::None:
      break;
    case InstanceKey::Kind::Number:
      w.member("index_key", key.number);
      break;
    case InstanceKey::Kind::String:
      w.member("index_key", key.text.view());
      break;
  }
  if (object.tainted) w.member("status", "tainted");
  if (!deposed.empty()) w.member("deposed", deposed);
  w.member("schema_version", object.schema_version);
  w.key("attributes");
  std::vector<PathMarks> from_value;
  const std::vector<PathMarks>* sensitive = &object.sensitive;
  if (object.value) {
    PRAVOC_CHECK(schema != nullptr);
    PRAVOC_CHECK(!any(object.value->deep_marks() & MarkSet::Ephemeral));
    auto [plain, marks] = object.value->unmark_with_paths();
    // What the schema says is sensitive needs no record of its own, but Terraform keeps one.
    // What repeats another attribute has none: Terraform would take it for a change of the configuration.
    std::erase_if(marks, [&](const PathMarks& m) { return is_echo(*schema, m.path); });
    from_value = std::move(marks);
    sensitive = &from_value;
    w.json(encode_typed_json(plain, schema->type));
  } else {
    w.json(object.attributes_json);
  }
  w.key("sensitive_attributes");
  w.open('[');
  std::vector<const PathMarks*> sorted;
  for (const PathMarks& marks : *sensitive)
    if (any(marks.marks & MarkSet::Sensitive)) sorted.push_back(&marks);
  for (const PathMarks* marks : sorted) {
    w.next();
    write_path(w, marks->path);
  }
  w.close(']');
  if (object.identity_schema_version) w.member("identity_schema_version", *object.identity_schema_version);
  if (!object.identity_json.empty()) {
    w.key("identity");
    w.json(object.identity_json);
  }
  if (!object.private_data.empty()) w.member("private", encode_base64(object.private_data));
  if (object.dependencies && !object.dependencies->empty()) {
    w.key("dependencies");
    w.open('[');
    for (const Str& name : *object.dependencies) {
      w.next();
      w.text(name.view());
    }
    w.close(']');
  }
  if (object.create_before_destroy) w.flag("create_before_destroy");
  w.close('}');
}

void write_instance(Writer& w, const StateInstance& instance, const SchemaBlock* schema) {
  if (instance.current) write_object(w, instance.key, {}, *instance.current, schema);
  for (const auto& [deposed, object] : instance.deposed) write_object(w, instance.key, deposed, object, schema);
}

// `only`: this instance instead of all.
void write_resource(Writer& w, const StateResource& resource, const SchemaBlock* schema,
                    const StateInstance* only = nullptr) {
  w.open('{');
  const ResourceAddress& address = resource.address;
  if (!address.module->is_root()) w.member("module", address.module->text());
  w.member("mode", address.mode == ResourceMode::Data ? "data" : "managed");
  w.member("type", address.type);
  w.member("name", address.name);
  w.member("provider", resource.provider);
  w.key("instances");
  w.open('[');
  if (only != nullptr) {
    write_instance(w, *only, schema);
  } else {
    for (const StateInstance& instance : resource.instances) write_instance(w, instance, schema);
  }
  w.close(']');
  w.close('}');
}

std::string_view check_kind_text(CheckKind kind) {
  switch (kind) {
    case CheckKind::Resource:
      return "resource";
    case CheckKind::Output:
      return "output";
    case CheckKind::Check:
      return "check";
    case CheckKind::Variable:
      return "var";
  }
  PRAVOC_UNREACHABLE();
}

void write_check(Writer& w, const CheckRecord& record) {
  w.next();
  w.open('{');
  w.member("object_kind", check_kind_text(record.kind));
  w.member("config_addr", record.address);
  w.member("status", check_status_text(record.status));
  w.key("objects");
  if (record.objects.empty()) {
    w.raw("null");
  } else {
    w.open('[');
    for (const CheckObject& object : record.objects) {
      w.next();
      w.open('{');
      w.member("object_addr", object.address);
      w.member("status", check_status_text(object.status));
      if (!object.messages.empty()) {
        w.key("failure_messages");
        w.open('[');
        for (const std::string& message : object.messages) {
          w.next();
          w.text(message);
        }
        w.close(']');
      }
      w.close('}');
    }
    w.close(']');
  }
  w.close('}');
}

}  // namespace

std::string format_instance(const StateResource& resource, const StateInstance& instance, StateSchemas& schemas) {
  std::string out;
  Writer w(out, true);
  write_resource(w, resource, schemas.find(resource), &instance);
  return out;
}

std::string format_state(const State& state, StateSchemas& schemas) {
  std::string out;
  Writer w(out);
  w.open('{');
  w.member("version", kStateVersion);
  w.member("terraform_version", kTerraformVersion);
  w.member("serial", state.serial);
  w.member("lineage", state.lineage);
  w.key("outputs");
  w.open('{');
  for (const auto& [name, output] : state.outputs) {
    PRAVOC_CHECK(!any(output.value.deep_marks() & MarkSet::Ephemeral));
    Value plain = output.value.without_deep_marks();
    Type type = plain.type();
    w.key(name);
    w.open('{');
    w.key("value");
    w.json(encode_typed_json(plain, type));
    w.key("type");
    w.json(type.to_json());
    if (output.sensitive) w.flag("sensitive");
    w.close('}');
  }
  w.close('}');
  w.key("resources");
  w.open('[');
  for (const StateResource* resource : state.file_order()) {
    w.next();
    write_resource(w, *resource, schemas.find(*resource));
  }
  w.close(']');
  w.key("check_results");
  if (state.checks.empty()) {
    w.raw("null");
  } else {
    w.open('[');
    for (const CheckRecord& record : state.checks) write_check(w, record);
    w.close(']');
  }
  w.close('}');
  out += '\n';
  return out;
}

}  // namespace pravo::runtime
