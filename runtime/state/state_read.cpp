#include <unordered_map>

#include <fmt/format.h>

#include "ir/diagnostics/runtime.h"
#include "ir/json_codec.h"
#include "ir/unicode.h"
#include "runtime/state/json_fields.h"
#include "runtime/state/state_text.h"

namespace pravo::runtime {

namespace {

class StateParser {
 public:
  explicit StateParser(std::string_view text) : text_(text), reader_(text) {}

  bool run(State& state) {
    bool good = read_members(reader_, [&](std::string_view key) {
      if (key == "version")
        version_ = read_count(reader_);
      else if (key == "terraform_version")
        state.terraform_version = read_optional_text(reader_);
      else if (key == "serial")
        state.serial = read_count(reader_);
      else if (key == "lineage")
        state.lineage = read_optional_text(reader_);
      else if (key == "outputs")
        read_outputs(state);
      else if (key == "resources")
        read_list([&] { read_resource(state); });
      else if (key == "check_results")
        read_list([&] { read_check(state); });
      else
        reader_.skip_value();
    });
    if (good && reader_.peek() != JsonReader::Token::End) reader_.fail("text after the end");
    return !reader_.failed();
  }

  uint64_t version() const { return version_; }
  const std::string& error() const { return reader_.error(); }

 private:
  // An array, or null for none.
  template <class F>
  void read_list(F&& element) {
    if (reader_.peek() == JsonReader::Token::Null)
      reader_.read_literal();
    else
      read_elements(reader_, element);
  }

  void read_outputs(State& state) {
    if (reader_.peek() == JsonReader::Token::Null) {
      reader_.read_literal();
      return;
    }
    read_members(reader_, [&](std::string_view name) {
      std::string_view value;
      std::string_view type;
      StateOutput output;
      bool read = read_members(reader_, [&](std::string_view key) {
        if (key == "value")
          value = read_raw(reader_, text_);
        else if (key == "type")
          type = read_raw(reader_, text_);
        else if (key == "sensitive")
          output.sensitive = read_flag(reader_);
        else
          reader_.skip_value();
      });
      if (!read) return;
      Result<Type> parsed = Type::from_json(type);
      Result<Value> decoded = parsed.ok() ? decode_typed_json(value, *parsed) : Result<Value>(parsed.take_error());
      if (!decoded.ok()) {
        reader_.fail(fmt::format("output `{}` has a value that does not fit its type", name));
        return;
      }
      output.value = std::move(*decoded);
      if (output.sensitive) output.value = output.value.with_marks(MarkSet::Sensitive);
      state.outputs.emplace(name, std::move(output));
    });
  }

  void read_resource(State& state) {
    ResourceAddress address;
    std::string module;
    std::string mode;
    std::string provider;
    std::vector<std::pair<std::string, std::pair<InstanceKey, InstanceObject>>> objects;
    bool read = read_members(reader_, [&](std::string_view key) {
      if (key == "module")
        module = read_optional_text(reader_);
      else if (key == "mode")
        mode = read_text(reader_);
      else if (key == "type")
        address.type = read_text(reader_);
      else if (key == "name")
        address.name = read_text(reader_);
      else if (key == "provider")
        provider = read_text(reader_);
      else if (key == "instances")
        read_list([&] { read_instance(objects); });
      else
        reader_.skip_value();
    });
    if (!read) return;
    if (mode == "managed") {
      address.mode = ResourceMode::Managed;
    } else if (mode == "data") {
      address.mode = ResourceMode::Data;
    } else {
      reader_.fail(fmt::format("unknown resource mode `{}`", mode));
      return;
    }
    if (address.type.empty() || address.name.empty()) {
      reader_.fail("resource without a type or a name");
      return;
    }
    if (!module.empty()) {
      ModulePathRef& path = modules_[module];
      if (!path) {
        std::optional<ModulePath> parsed = ModulePath::parse(module);
        if (!parsed) {
          reader_.fail(fmt::format("`{}` is no module address", module));
          return;
        }
        path = std::make_shared<const ModulePath>(std::move(*parsed));
      }
      address.module = path;
    }
    if (objects.empty()) return;
    StateResource& resource = state.get(address, provider);
    for (auto& [deposed, object] : objects) {
      StateInstance& instance = resource.get(object.first);
      bool twice = false;
      if (deposed.empty()) {
        twice = instance.current.has_value();
        instance.current = std::move(object.second);
      } else {
        twice = !instance.deposed.emplace(deposed, std::move(object.second)).second;
      }
      if (twice) {
        reader_.fail(fmt::format("{}{} is recorded twice", address.to_string(), object.first.to_string()));
        return;
      }
    }
  }

  void read_instance(std::vector<std::pair<std::string, std::pair<InstanceKey, InstanceObject>>>& objects) {
    std::string deposed;
    InstanceKey instance_key;
    InstanceObject object;
    bool has_attributes = false;
    read_members(reader_, [&](std::string_view key) {
      if (key == "index_key") {
        read_index(instance_key);
      } else if (key == "status") {
        object.tainted = read_optional_text(reader_) == "tainted";
      } else if (key == "deposed") {
        deposed = read_optional_text(reader_);
      } else if (key == "schema_version") {
        object.schema_version = read_count(reader_);
      } else if (key == "attributes") {
        object.attributes_json = read_raw(reader_, text_);
        has_attributes = true;
      } else if (key == "sensitive_attributes") {
        read_list([&] { read_sensitive(object.sensitive); });
      } else if (key == "private") {
        std::string encoded = read_optional_text(reader_);
        std::optional<std::string> bytes = decode_base64(encoded);
        if (!bytes)
          reader_.fail("`private` is not base64");
        else
          object.private_data = std::move(*bytes);
      } else if (key == "dependencies") {
        read_dependencies(object);
      } else if (key == "create_before_destroy") {
        object.create_before_destroy = read_flag(reader_);
      } else if (key == "identity_schema_version") {
        object.identity_schema_version = read_count(reader_);
      } else if (key == "identity") {
        object.identity_json = read_raw(reader_, text_);
      } else {
        reader_.skip_value();
      }
    });
    if (reader_.failed()) return;
    if (!has_attributes) {
      reader_.fail("an instance has no `attributes`; states of Terraform before 0.12 are not supported");
      return;
    }
    objects.emplace_back(std::move(deposed), std::pair(std::move(instance_key), std::move(object)));
  }

  void read_index(InstanceKey& key) {
    switch (reader_.peek()) {
      case JsonReader::Token::Null:
        reader_.read_literal();
        return;
      case JsonReader::Token::Number:
        key = InstanceKey::at(read_count(reader_));
        return;
      case JsonReader::Token::String:
        key = InstanceKey::named(normalized(read_text(reader_)));
        return;
      case JsonReader::Token::True:
      case JsonReader::Token::False:
      case JsonReader::Token::Array:
      case JsonReader::Token::Object:
      case JsonReader::Token::End:
      case JsonReader::Token::Invalid:
        reader_.fail("`index_key` is neither a string nor a number");
    }
  }

  void read_sensitive(std::vector<PathMarks>& out) {
    PathMarks marks;
    marks.marks = MarkSet::Sensitive;
    read_elements(reader_, [&] {
      std::string type;
      std::string_view raw;
      read_members(reader_, [&](std::string_view key) {
        if (key == "type")
          type = read_text(reader_);
        else if (key == "value")
          raw = read_raw(reader_, text_);
        else
          reader_.skip_value();
      });
      if (!reader_.failed()) add_step(type, raw, marks.path);
    });
    out.push_back(std::move(marks));
  }

  void add_step(const std::string& type, std::string_view raw, Path& path) {
    if (type == "get_attr") {
      JsonReader value(raw);
      std::string name = read_text(value);
      if (value.failed())
        reader_.fail("malformed path of a sensitive attribute");
      else
        path.push_back(PathStep::attribute(Str(name)));
      return;
    }
    // {"value": 0, "type": "number"}
    Result<Value> key = decode_typed_json(raw, Type::dynamic());
    if (type == "index" && key.ok() && key->kind() == ValueKind::String) {
      path.push_back(PathStep::key(key->as_str()));
      return;
    }
    if (type == "index" && key.ok() && key->kind() == ValueKind::Number)
      if (std::optional<int64_t> number = key->as_number().to_int64(); number && *number >= 0) {
        path.push_back(PathStep::at(static_cast<uint64_t>(*number)));
        return;
      }
    reader_.fail("malformed path of a sensitive attribute");
  }

  // Instances of a resource mostly have the same dependencies, and all share the strings.
  void read_dependencies(InstanceObject& object) {
    if (reader_.peek() == JsonReader::Token::Null) {
      reader_.read_literal();
      return;
    }
    std::string_view raw = read_raw(reader_, text_);
    if (reader_.failed()) return;
    if (last_list_ && raw == last_raw_) {
      object.dependencies = last_list_;
      return;
    }
    JsonReader list(raw);
    std::vector<Str> names;
    read_elements(list, [&] {
      std::string name = read_text(list);
      auto [at, added] = strings_.try_emplace(std::move(name));
      if (added) at->second = Str(at->first);
      names.push_back(at->second);
    });
    if (list.failed()) {
      reader_.fail("malformed list of dependencies");
      return;
    }
    if (names.empty()) return;
    last_raw_ = raw;
    last_list_ = std::make_shared<const std::vector<Str>>(std::move(names));
    object.dependencies = last_list_;
  }

  void read_check(State& state) {
    CheckRecord record;
    bool known = true;
    bool read = read_members(reader_, [&](std::string_view key) {
      if (key == "object_kind") {
        std::string kind = read_text(reader_);
        if (kind == "resource")
          record.kind = CheckKind::Resource;
        else if (kind == "output")
          record.kind = CheckKind::Output;
        else if (kind == "check")
          record.kind = CheckKind::Check;
        else if (kind == "var")
          record.kind = CheckKind::Variable;
        else
          known = false;
      } else if (key == "config_addr") {
        record.address = read_text(reader_);
      } else if (key == "status") {
        record.status = read_status();
      } else if (key == "objects") {
        read_list([&] {
          CheckObject object;
          read_members(reader_, [&](std::string_view field) {
            if (field == "object_addr")
              object.address = read_text(reader_);
            else if (field == "status")
              object.status = read_status();
            else if (field == "failure_messages")
              read_list([&] { object.messages.push_back(read_text(reader_)); });
            else
              reader_.skip_value();
          });
          record.objects.push_back(std::move(object));
        });
      } else {
        reader_.skip_value();
      }
    });
    if (read && known) state.checks.push_back(std::move(record));
  }

  CheckStatus read_status() {
    std::string text = read_text(reader_);
    for (CheckStatus status : {CheckStatus::Pass, CheckStatus::Fail, CheckStatus::Error})
      if (check_status_text(status) == text) return status;
    return CheckStatus::Unknown;
  }

  std::string_view text_;
  JsonReader reader_;
  uint64_t version_ = 0;
  std::unordered_map<std::string, ModulePathRef> modules_;
  std::unordered_map<std::string, Str> strings_;
  std::string_view last_raw_;
  DependencyList last_list_;
};

// The version alone, for a file whose other parts may mean something else.
uint64_t peek_version(std::string_view text) {
  JsonReader reader(text);
  uint64_t version = kStateVersion;
  read_members(reader, [&](std::string_view key) {
    if (key == "version")
      version = read_count(reader);
    else
      reader.skip_value();
  });
  return reader.failed() ? kStateVersion : version;
}

}  // namespace

std::optional<State> parse_resources(const std::vector<std::string_view>& resources, std::string& why) {
  std::string text = fmt::format("{{\"version\":{},\"resources\":[{}]}}", kStateVersion, fmt::join(resources, ","));
  State state;
  StateParser parser(text);
  if (parser.run(state)) return state;
  why = parser.error();
  return std::nullopt;
}

std::optional<State> parse_state(std::string_view text, std::string_view name, Diagnostics& diags) {
  State state;
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return state;
  StateParser parser(text);
  bool good = parser.run(state);
  uint64_t version = good ? parser.version() : peek_version(text);
  if (version != kStateVersion && (good || version > kStateVersion)) {
    diags.emit({}, diag::StateVersion, name, version, kStateVersion);
    return std::nullopt;
  }
  if (!good) {
    diags.emit({}, diag::StateDamaged, name, parser.error());
    return std::nullopt;
  }
  return state;
}

}  // namespace pravo::runtime
