#include "tests/conformance/hcl_spec.h"

#include <algorithm>
#include <optional>
#include <set>

#include "frontend/load/config.h"
#include "frontend/load/static_expr.h"
#include "frontend/load/typeexpr.h"
#include "frontend/lower/lower.h"
#include "ir/convert.h"
#include "ir/eval_host.h"
#include "runtime/interp/interpreter.h"

namespace pravo::testing {

using hcl::NodeId;
using hcl::NodeKind;

namespace {

class NoEffects : public runtime::EffectSource {
 public:
  runtime::EffectResult instance(runtime::ModuleInstance&, uint32_t, uint32_t) override { return {}; }
  runtime::EffectResult all_instances(runtime::ModuleInstance&, uint32_t) override { return {}; }
  Result<Value> call_provider_function(std::string_view, std::span<const Value>) override {
    return fail(EvalErrorKind::Refused, "no providers");
  }
};

// An expression as the only output of a template: names in it stand alone.
struct OneExpression {
  Names names;
  load::Configuration configuration;
  std::optional<Program> program;
};

}  // namespace

HclFile HclSuite::parse(std::string name, std::string text, bool json) {
  HclFile out;
  out.id = sources_.add(std::move(name), std::move(text));
  out.tree = json ? hcl::parse_json(sources_, out.id, diags_) : hcl::parse_native(sources_, out.id, diags_);
  return out;
}

std::string HclSuite::text(const HclFile& file, NodeId node) const {
  std::string out;
  if (!hcl::literal_text(sources_, file.tree, node, &out)) out = std::string(sources_.text(file.tree.range(node)));
  return out;
}

NodeId HclSuite::argument(const HclFile& file, NodeId body, std::string_view name) const {
  for (uint32_t i = 0; i < file.tree.child_count(body); ++i) {
    NodeId item = file.tree.child(body, i);
    if (file.tree.kind(item) == NodeKind::Attribute && text(file, file.tree.child(item, 0)) == name)
      return file.tree.child(item, 1);
  }
  return {};
}

std::vector<NodeId> HclSuite::blocks(const HclFile& file, NodeId body, std::string_view type) const {
  std::vector<NodeId> out;
  for (uint32_t i = 0; i < file.tree.child_count(body); ++i) {
    NodeId item = file.tree.child(body, i);
    if (file.tree.kind(item) == NodeKind::Block && text(file, file.tree.child(item, 0)) == type) out.push_back(item);
  }
  return out;
}

NodeId HclSuite::body(const HclFile& file, NodeId block) const {
  return file.tree.child(block, file.tree.child_count(block) - 1);
}

Value HclSuite::evaluate(const HclFile& file, NodeId expression,
                         const std::vector<std::pair<std::string, Value>>& variables) {
  OneExpression one;
  load::Module& module = one.configuration.modules.emplace_back();
  module.is_template = true;
  module.files.push_back(file.id);
  module.anywhere = file.tree.range(expression);
  for (const auto& [name, value] : variables) {
    load::Variable& declared = module.variables.emplace_back();
    declared.name = {one.names.intern(name), module.anywhere};
    declared.header = module.anywhere;
  }
  load::Output& output = module.outputs.emplace_back();
  output.name = {one.names.intern("result"), module.anywhere};
  output.header = module.anywhere;
  output.value = load::Expr{&file.tree, expression};
  size_t errors = diags_.error_count();
  one.program.emplace(lower::lower(one.configuration, sources_, one.names, diags_, {}));
  if (diags_.error_count() > errors) return Value::unknown();
  runtime::InterpreterOptions options;
  options.inputs_as_given = true;
  for (const auto& [name, value] : variables) options.inputs.push_back({one.names.intern(name), value});
  NoEffects effects;
  RefusingHost host;
  runtime::Interpreter interpreter(*one.program, effects, host, std::move(options));
  const ModuleBody& root = *one.program->bodies[0];
  runtime::Evaluated result = interpreter.evaluate(interpreter.root(), root.operand(root.outputs[0].inst, 0));
  if (result.ready()) return std::move(result.value);
  if (result.failed()) interpreter.report(result.fault, diags_);
  return Value::unknown();
}

Type HclSuite::type(HclFile& file, NodeId expression) {
  load::FileContext context{sources_, names_, diags_, file.tree};
  return load::parse_type_constraint(context, {&file.tree, expression}).type;
}

// --- specifications

std::string HclSuite::string_argument(const HclFile& file, NodeId body, std::string_view name) {
  NodeId value = argument(file, body, name);
  return value.valid() ? text(file, value) : std::string();
}

HclSpec HclSuite::read_spec(HclFile& file, NodeId block) {
  static constexpr std::pair<std::string_view, HclSpec::Kind> kKinds[] = {
      {"object", HclSpec::Kind::Object},        {"array", HclSpec::Kind::Array},
      {"attr", HclSpec::Kind::Attribute},       {"block", HclSpec::Kind::Block},
      {"block_list", HclSpec::Kind::BlockList}, {"block_set", HclSpec::Kind::BlockSet},
      {"block_map", HclSpec::Kind::BlockMap},   {"block_attrs", HclSpec::Kind::BlockAttrs},
      {"default", HclSpec::Kind::Default},      {"literal", HclSpec::Kind::Literal},
  };
  HclSpec out;
  std::string kind = text(file, file.tree.child(block, 0));
  auto known = std::find_if(std::begin(kKinds), std::end(kKinds), [&](const auto& row) { return row.first == kind; });
  PRAVOC_CHECK(known != std::end(kKinds));
  out.kind = known->second;
  NodeId body = this->body(file, block);
  bool is_attribute = out.kind == HclSpec::Kind::Attribute;
  out.name = string_argument(file, body, is_attribute ? "name" : "block_type");
  if (out.name.empty() && file.tree.child_count(block) > 2) out.name = text(file, file.tree.child(block, 1));
  out.required = string_argument(file, body, "required") == "true";
  auto number = [&](std::string_view name, uint64_t& value) {
    if (std::string given = string_argument(file, body, name); !given.empty()) value = std::stoull(given);
  };
  number("min_items", out.min_items);
  number("max_items", out.max_items);
  NodeId type = argument(file, body, out.kind == HclSpec::Kind::BlockAttrs ? "element_type" : "type");
  if (type.valid()) out.type = this->type(file, type);
  if (NodeId labels = argument(file, body, "labels"); labels.valid()) out.labels = file.tree.child_count(labels);
  if (NodeId value = argument(file, body, "value"); out.kind == HclSpec::Kind::Literal && value.valid())
    out.literal = evaluate(file, value, {});
  for (uint32_t i = 0; i < file.tree.child_count(body); ++i) {
    NodeId item = file.tree.child(body, i);
    if (file.tree.kind(item) != NodeKind::Block) continue;
    std::string key = file.tree.child_count(item) > 2 ? text(file, file.tree.child(item, 1)) : std::string();
    out.parts.emplace_back(std::move(key), read_spec(file, item));
  }
  return out;
}

HclSuite::Specification HclSuite::read_specification(const HclFile& given) {
  HclFile file = given;
  Specification out;
  size_t specs = 0;
  for (uint32_t i = 0; i < file.tree.child_count(file.tree.root); ++i) {
    NodeId item = file.tree.child(file.tree.root, i);
    PRAVOC_CHECK(file.tree.kind(item) == NodeKind::Block);
    if (text(file, file.tree.child(item, 0)) != "variables") {
      out.spec = read_spec(file, item);
      ++specs;
      continue;
    }
    NodeId body = this->body(file, item);
    for (uint32_t v = 0; v < file.tree.child_count(body); ++v) {
      NodeId variable = file.tree.child(body, v);
      out.variables.emplace_back(text(file, file.tree.child(variable, 0)),
                                 evaluate(file, file.tree.child(variable, 1), {}));
    }
  }
  PRAVOC_CHECK(specs == 1);
  return out;
}

// --- bodies

class HclSuite::Decoder {
 public:
  Decoder(HclSuite& suite, const HclFile& file, const Specification& specification, Decoded& out)
      : suite_(suite), file_(file), tree_(file.tree), specification_(specification), out_(out) {}

  Value body(NodeId body, const HclSpec& spec) {
    check_items(body, spec);
    return decode(body, spec);
  }

 private:
  // What a specification takes from a body itself, not from its blocks.
  static void collect(const HclSpec& spec, std::set<std::string>& arguments, std::set<std::string>& blocks) {
    switch (spec.kind) {
      case HclSpec::Kind::Attribute:
        arguments.insert(spec.name);
        return;
      case HclSpec::Kind::Block:
      case HclSpec::Kind::BlockList:
      case HclSpec::Kind::BlockSet:
      case HclSpec::Kind::BlockMap:
      case HclSpec::Kind::BlockAttrs:
        blocks.insert(spec.name);
        return;
      case HclSpec::Kind::Object:
      case HclSpec::Kind::Array:
      case HclSpec::Kind::Default:
        for (const auto& [key, part] : spec.parts) collect(part, arguments, blocks);
        return;
      case HclSpec::Kind::Literal:
        return;
    }
  }

  void check_items(NodeId body, const HclSpec& spec) {
    std::set<std::string> arguments;
    std::set<std::string> blocks;
    collect(spec, arguments, blocks);
    for (uint32_t i = 0; i < tree_.child_count(body); ++i) {
      NodeId item = tree_.child(body, i);
      NodeId name = tree_.child(item, 0);
      const std::set<std::string>& known = tree_.kind(item) == NodeKind::Block ? blocks : arguments;
      if (!known.contains(suite_.text(file_, name))) out_.faults.push_back(tree_.range(name));
    }
  }

  // The place after a body's last item, for what is missing.
  SourceRange end(NodeId body) const {
    SourceRange range = tree_.range(body);
    return {range.file, range.end, range.end};
  }

  Value attribute(NodeId expression, const Type& type) {
    load::each_reference(suite_.sources_, load::Expr{&tree_, expression},
                         [&](const load::Reference&) { ++out_.traversals; });
    size_t errors = suite_.diags_.error_count();
    Value value = suite_.evaluate(file_, expression, specification_.variables);
    if (suite_.diags_.error_count() > errors) {
      out_.faults.push_back(suite_.diags_.all().back().range);
      return Value::unknown(type);
    }
    Result<Value> converted = convert(value, type);
    if (converted.ok()) return std::move(*converted);
    out_.faults.push_back(tree_.range(expression));
    return Value::unknown(type);
  }

  std::vector<std::string> labels(NodeId block) const {
    std::vector<std::string> out;
    for (uint32_t i = 1; i + 1 < tree_.child_count(block); ++i)
      out.push_back(suite_.text(file_, tree_.child(block, i)));
    return out;
  }

  Value nested_map(const HclSpec& spec, const std::vector<NodeId>& blocks, size_t depth) {
    std::vector<std::pair<Str, Value>> entries;
    std::set<std::string> seen;
    for (NodeId block : blocks) {
      std::string label = labels(block)[depth];
      if (!seen.insert(label).second) continue;
      std::vector<NodeId> same;
      for (NodeId other : blocks)
        if (labels(other)[depth] == label) same.push_back(other);
      if (depth + 1 < spec.labels) {
        entries.emplace_back(Str(label), nested_map(spec, same, depth + 1));
        continue;
      }
      for (size_t i = 1; i < same.size(); ++i) out_.faults.push_back(tree_.range(same[i]));
      entries.emplace_back(Str(label), body(suite_.body(file_, block), spec.parts[0].second));
    }
    Result<Value> map = convert(Value::object(std::move(entries)), Type::map(Type()));
    return map.ok() ? std::move(*map) : Value::unknown();
  }

  Value decode(NodeId body, const HclSpec& spec) {
    switch (spec.kind) {
      case HclSpec::Kind::Literal:
        return spec.literal;
      case HclSpec::Kind::Object: {
        std::vector<std::pair<Str, Value>> entries;
        for (const auto& [key, part] : spec.parts) entries.emplace_back(Str(key), decode(body, part));
        return Value::object(std::move(entries));
      }
      case HclSpec::Kind::Array: {
        std::vector<Value> elements;
        for (const auto& [key, part] : spec.parts) elements.push_back(decode(body, part));
        return Value::tuple(std::move(elements));
      }
      case HclSpec::Kind::Default: {
        PRAVOC_CHECK(spec.parts.size() == 2);
        Value first = decode(body, spec.parts[0].second);
        return first.is_null() ? decode(body, spec.parts[1].second) : first;
      }
      case HclSpec::Kind::Attribute: {
        NodeId expression = suite_.argument(file_, body, spec.name);
        if (expression.valid()) return attribute(expression, spec.type);
        if (spec.required) out_.faults.push_back(end(body));
        return Value::null(spec.type);
      }
      case HclSpec::Kind::Block:
      case HclSpec::Kind::BlockAttrs: {
        std::vector<NodeId> blocks = suite_.blocks(file_, body, spec.name);
        for (size_t i = 1; i < blocks.size(); ++i) out_.faults.push_back(tree_.range(tree_.child(blocks[i], 0)));
        if (blocks.empty()) {
          if (spec.required) out_.faults.push_back(end(body));
          return Value::null(Type());
        }
        NodeId inner = suite_.body(file_, blocks[0]);
        return spec.kind == HclSpec::Kind::Block ? this->body(inner, spec.parts[0].second)
                                                 : arguments(inner, spec.type);
      }
      case HclSpec::Kind::BlockList:
      case HclSpec::Kind::BlockSet: {
        std::vector<NodeId> blocks = suite_.blocks(file_, body, spec.name);
        if (blocks.size() < spec.min_items) out_.faults.push_back(end(body));
        std::vector<Value> elements;
        for (NodeId block : blocks) elements.push_back(this->body(suite_.body(file_, block), spec.parts[0].second));
        for (size_t i = spec.max_items; i < blocks.size(); ++i)
          out_.faults.push_back(tree_.range(tree_.child(blocks[i], 0)));
        bool list = spec.kind == HclSpec::Kind::BlockList;
        Result<Value> made = convert(Value::tuple(std::move(elements)), list ? Type::list(Type()) : Type::set(Type()));
        return made.ok() ? std::move(*made) : Value::unknown();
      }
      case HclSpec::Kind::BlockMap:
        return nested_map(spec, suite_.blocks(file_, body, spec.name), 0);
    }
    PRAVOC_UNREACHABLE();
  }

  Value arguments(NodeId body, const Type& type) {
    std::vector<std::pair<Str, Value>> entries;
    for (uint32_t i = 0; i < tree_.child_count(body); ++i) {
      NodeId item = tree_.child(body, i);
      if (tree_.kind(item) == NodeKind::Block)
        out_.faults.push_back(tree_.range(tree_.child(item, 0)));
      else
        entries.emplace_back(Str(suite_.text(file_, tree_.child(item, 0))), attribute(tree_.child(item, 1), type));
    }
    Result<Value> map = convert(Value::object(std::move(entries)), Type::map(type));
    return map.ok() ? std::move(*map) : Value::unknown();
  }

  HclSuite& suite_;
  const HclFile& file_;
  const hcl::SyntaxTree& tree_;
  const Specification& specification_;
  Decoded& out_;
};

HclSuite::Decoded HclSuite::decode(const HclFile& file, const Specification& specification) {
  Decoded out;
  out.value = Decoder(*this, file, specification, out).body(file.tree.root, specification.spec);
  return out;
}

}  // namespace pravo::testing
