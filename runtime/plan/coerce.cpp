#include <fmt/format.h>

#include "ir/convert.h"
#include "runtime/plan/rules.h"

namespace pravo::runtime {

namespace {

class Coercion {
 public:
  explicit Coercion(provider::Messages& messages) : messages_(messages) {}

  Value block(const SchemaBlock& schema, const Value& config) {
    if (config.is_unknown()) return Value::unknown(schema.type).with_marks(config.marks());
    if (config.is_null()) return Value::null(schema.type).with_marks(config.marks());
    if (config.kind() != ValueKind::Object && config.kind() != ValueKind::Map) {
      error("an object is required");
      return Value::null(schema.type);
    }
    for (const Str& name : config.keys().all())
      if (schema.keys.find(name.view()) == KeySet::npos) {
        Step step(path_, name);
        error("there is no such argument here");
      }
    std::vector<Value> values;
    values.reserve(schema.members.size());
    for (size_t i = 0; i < schema.members.size(); ++i) {
      const Str& name = schema.keys.str(i);
      Step step(path_, name);
      const Value* given = config.find(name.view());
      if (schema.members[i] >= 0)
        values.push_back(attribute(schema.attributes[static_cast<size_t>(schema.members[i])], given));
      else
        values.push_back(blocks(schema.blocks[static_cast<size_t>(-1 - schema.members[i])], given));
    }
    return Value::object(schema.keys, std::move(values)).with_marks(config.marks());
  }

 private:
  // A path step for as long as it lives.
  struct Step {
    Path& path;
    Step(Path& p, const Str& name) : path(p) { path.push_back(PathStep::attribute(name)); }
    Step(Path& p, size_t index) : path(p) { path.push_back(PathStep::at(index)); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ~Step() { path.pop_back(); }
  };

  void error(std::string what) { messages_.push_back({Severity::Error, std::move(what), {}, path_}); }

  Value attribute(const SchemaAttribute& schema, const Value* given) {
    if (given == nullptr || given->is_null()) {
      if (schema.required)
        error(given == nullptr ? "the argument is required" : "the argument is required, null is not allowed");
      Value null = Value::null(schema.type);
      return given == nullptr ? null : null.with_marks(given->marks());
    }
    if (schema.computed_only()) {
      error("the provider decides this attribute, it cannot be set");
      return Value::null(schema.type);
    }
    if (schema.deprecated) messages_.push_back({Severity::Warning, "the argument is deprecated", {}, path_});
    if (schema.nested != nullptr) return nested(*schema.nested, schema.type, *given);
    Result<Value> converted = convert(*given, schema.type);
    if (converted.ok()) return std::move(*converted);
    error(converted.error().text());
    return Value::null(schema.type);
  }

  Value nested(const SchemaObject& schema, const Type& type, const Value& given) {
    if (given.is_unknown()) return Value::unknown(type).with_marks(given.marks());
    if (schema.nesting == NestingMode::Single) return block(schema.block, given);
    if (schema.nesting == NestingMode::Map) {
      if (given.kind() != ValueKind::Map && given.kind() != ValueKind::Object) return wrong(type, "a map of objects");
      std::vector<Value> values;
      for (size_t i = 0; i < given.length(); ++i) {
        Step step(path_, given.key(i));
        values.push_back(block(schema.block, given.element(i)));
      }
      Value out = type.is_dynamic() ? Value::object(given.keys(), std::move(values))
                                    : Value::map(schema.block.type, given.keys(), std::move(values));
      return out.with_marks(given.marks());
    }
    bool sequence =
        given.kind() == ValueKind::List || given.kind() == ValueKind::Tuple || given.kind() == ValueKind::Set;
    if (!sequence) return wrong(type, "a list of objects");
    return collection(schema.nesting, schema.block, type, given);
  }

  Value wrong(const Type& type, std::string_view needed) {
    error(fmt::format("{} is required", needed));
    return Value::null(type);
  }

  Value collection(NestingMode nesting, const SchemaBlock& inside, const Type& type, const Value& given) {
    std::vector<Value> values;
    values.reserve(given.length());
    for (size_t i = 0; i < given.length(); ++i) {
      Step step(path_, i);
      values.push_back(block(inside, given.element(i)));
    }
    Value out = nesting == NestingMode::Set ? Value::set(inside.type, std::move(values))
                : type.is_dynamic()         ? Value::tuple(std::move(values))
                                            : Value::list(inside.type, std::move(values));
    return out.with_marks(given.marks());
  }

  Value blocks(const SchemaNestedBlock& schema, const Value* given) {
    if (given != nullptr && given->is_unknown()) return Value::unknown(schema.type).with_marks(given->marks());
    Value none = Value::empty_tuple();
    const Value& list = given == nullptr || given->is_null() ? none : *given;
    if (list.kind() != ValueKind::Tuple && list.kind() != ValueKind::List) {
      error("nested blocks are required here, not an argument");
      return empty_nested(schema);
    }
    size_t count = list.length();
    if (count < schema.min_items)
      error(fmt::format("at least {} `{}` block{} required", schema.min_items, schema.name,
                        schema.min_items == 1 ? " is" : "s are"));
    if (schema.max_items != 0 && count > schema.max_items)
      error(fmt::format("at most {} `{}` block{} allowed", schema.max_items, schema.name,
                        schema.max_items == 1 ? " is" : "s are"));
    bool single = schema.nesting == NestingMode::Single || schema.nesting == NestingMode::Group;
    if (single) {
      if (count > 1) error(fmt::format("only one `{}` block is allowed", schema.name));
      if (count == 0) return empty_nested(schema);
      return block(schema.block, list.element(0));
    }
    if (schema.nesting == NestingMode::Map) {
      if (count > 0) error("blocks with labels are not supported");
      return empty_nested(schema);
    }
    return collection(schema.nesting, schema.block, schema.type, list);
  }

  provider::Messages& messages_;
  Path path_;
};

}  // namespace

Value coerce_config(const SchemaBlock& schema, const Value& config, provider::Messages& messages) {
  return Coercion(messages).block(schema, config);
}

}  // namespace pravo::runtime
