// What the root of a traversal means, and the steps that belong to the name.
#include "frontend/lower/body.h"
#include "ir/diagnostics/lower.h"

#include <algorithm>

namespace pravo::lower {

using hcl::NodeId;
using hcl::NodeKind;

namespace {

// The value of an object that a lookup by name goes through: `outs` and `args` are sorted by name.
InstId find_sorted(const std::vector<std::pair<NameId, InstId>>& list, NameId name) {
  auto it = std::lower_bound(list.begin(), list.end(), name,
                             [](const auto& entry, NameId wanted) { return entry.first < wanted; });
  return it != list.end() && it->first == name ? it->second : InstId();
}

}  // namespace

SourceRange BodyLowering::reference_range(NodeId root, const Steps& steps, size_t used) const {
  return used == 0 ? tree_->range(root) : tree_->range(steps[used - 1].node);
}

BodyLowering::Resolved BodyLowering::resolve(NodeId root, const Steps& steps) {
  std::string_view text = this->text(root);
  if (!bindings_.empty()) {
    if (NameId id = shared_.names.find(text); id.valid())
      for (auto it = bindings_.rbegin(); it != bindings_.rend(); ++it)
        if (it->name == id) return binding_value(*it, root, steps);
  }
  if (module_.is_template) return resolve_template_variable(root, steps);
  if (text == "var") return resolve_variable(root, steps);
  if (text == "local") return resolve_local(root, steps);
  if (text == "each") return resolve_each(root, steps);
  if (text == "count") return resolve_count(root, steps);
  if (text == "module") return resolve_module(root, steps);
  if (text == "data") return resolve_resource(load::ResourceMode::Data, root, steps, 1);
  if (text == "self") return resolve_self(root, steps);
  if (text == "path" || text == "terraform") return resolve_meta(root, steps);
  if (text == "ephemeral") return resolve_resource(load::ResourceMode::Ephemeral, root, steps, 1);
  if (text == "resource") return resolve_resource(load::ResourceMode::Managed, root, steps, 1);
  if (text == "template" || text == "lazy" || text == "arg") {
    report(tree_->range(root), diag::ReservedReference, text);
    return fail(root, steps, 0);
  }
  return resolve_resource(load::ResourceMode::Managed, root, steps, 0);
}

BodyLowering::Resolved BodyLowering::binding_value(const Binding& binding, NodeId root, const Steps& steps) {
  Ref owner{binding.owner, body_.range(binding.owner)};
  auto part = [&](bool key, SourceRange range) -> Ref {
    OpKind kind = key ? OpKind::Key : OpKind::Each;
    return {add(kind, key ? binding.key : binding.value, {owner}, range), range};
  };
  switch (binding.kind) {
    case Binding::Kind::Key:
      return {part(true, tree_->range(root)), 0};
    case Binding::Kind::Value:
      return {part(false, tree_->range(root)), 0};
    case Binding::Kind::Iterator:
      break;
  }
  if (!steps.empty() && steps[0].attribute) {
    std::string_view attribute = step_name(steps[0]);
    if (attribute == "key" || attribute == "value") return {part(attribute == "key", tree_->range(steps[0].node)), 1};
    const std::string meant = fmt::format("did you mean `{}.value.{}`?", text(root), attribute);
    if (lenient_ > 0) {
      // Reading it fails, and `try` or `can` goes on without it.
      report_certain(step_range(steps[0]), diag::CaughtIteratorAttribute, text(root), attribute).help(meant);
      const SourceRange whole = tree_->range(steps[0].node);
      const Ref pair[] = {part(true, whole), part(false, whole)};
      const NameId parts[] = {shared_.known.key, shared_.known.value};
      const Ref object = object_of(parts, pair, whole);
      return {{add(OpKind::Attr, types_.any, {object}, whole, name(attribute).index), whole}, 1};
    }
    report(step_range(steps[0]), diag::UnknownMetaAttribute, text(root), attribute)
        .help("the iterator of a `dynamic` block has the attributes `key` and `value`");
    return fail(root, steps, 1);
  }
  SourceRange range = tree_->range(root);
  const Ref values[] = {part(true, range), part(false, range)};
  const NameId names[] = {shared_.known.key, shared_.known.value};
  return {object_of(names, values, range), 0};
}

BodyLowering::Resolved BodyLowering::resolve_variable(NodeId root, const Steps& steps) {
  if (steps.empty() || !steps[0].attribute) return incomplete(root, steps, "a variable's name");
  std::string_view wanted = step_name(steps[0]);
  SourceRange range = tree_->range(steps[0].node);
  if (auto i = declarations_.variable(shared_.names.find(wanted))) return {{body_.variables[*i].inst, range}, 1};
  std::vector<std::string_view> names;
  if (shared_.may_look(module_.variables.size()))
    for (const load::Variable& variable : module_.variables) names.push_back(text(variable.name.id));
  auto builder = report(range, diag::UndeclaredVariable, wanted);
  if (std::string help = suggestion(wanted, names, "var."); !help.empty()) builder.help(help);
  return fail(root, steps, 1);
}

BodyLowering::Resolved BodyLowering::resolve_template_variable(NodeId root, const Steps& steps) {
  std::string_view wanted = text(root);
  SourceRange range = tree_->range(root);
  if (auto i = declarations_.variable(shared_.names.find(wanted))) return {{body_.variables[*i].inst, range}, 0};
  report(range, diag::UndeclaredTemplateVariable, wanted);
  return fail(root, steps, 0);
}

BodyLowering::Resolved BodyLowering::resolve_local(NodeId root, const Steps& steps) {
  if (steps.empty() || !steps[0].attribute) return incomplete(root, steps, "a local value's name");
  std::string_view wanted = step_name(steps[0]);
  SourceRange range = tree_->range(steps[0].node);
  if (auto i = declarations_.local(shared_.names.find(wanted))) return {{locals_[*i], range}, 1};
  std::vector<std::string_view> names;
  if (shared_.may_look(module_.locals.size()))
    for (const load::Local& local : module_.locals) names.push_back(text(local.name.id));
  report(range, diag::UndeclaredLocal, wanted).help(suggestion(wanted, names, "local."));
  return fail(root, steps, 1);
}

BodyLowering::Resolved BodyLowering::resolve_module(NodeId root, const Steps& steps) {
  if (steps.empty() || !steps[0].attribute) return incomplete(root, steps, "a module call's name");
  std::string_view wanted = step_name(steps[0]);
  auto index = declarations_.call(shared_.names.find(wanted));
  if (!index) {
    std::vector<std::string_view> names;
    if (shared_.may_look(module_.calls.size()))
      for (const load::ModuleCall& call : module_.calls) names.push_back(text(call.name.id));
    size_t named = steps.size() > 1 && steps[1].attribute ? 2 : 1;
    report(reference_range(root, steps, named), diag::UndeclaredModule, wanted)
        .help(suggestion(wanted, names, "module."));
    return fail(root, steps, named);
  }
  const ModuleCallInfo& call = body_.calls[*index];
  const bool expanded = call.expand.valid();
  size_t used = 1;
  Ref key;
  // A key too many or too few fails when the value is evaluated, which `try` and `can` may be there for.
  const bool wrong_key = expanded ? steps.size() > 1 && steps[1].attribute : steps.size() > 1 && literal_key(steps[1]);
  if (wrong_key && lenient_ > 0) return {{call.object, reference_range(root, steps, 1)}, 1};
  if (expanded) {
    if (steps.size() == 1) return {{call.object, reference_range(root, steps, 1)}, 1};
    if (wrong_key) {
      report(reference_range(root, steps, 1), diag::MissingInstanceKey, fmt::format("module.{}", wanted),
             body_.inst(call.expand).kind == OpKind::ExpandCount ? "count" : "for_each");
      return fail(root, steps, 1);
    }
    if (!call.target.valid()) return {{call.object, reference_range(root, steps, 1)}, 1};
    key = instance_key(steps[1], call.expand);
    used = 2;
  } else if (wrong_key) {
    report(reference_range(root, steps, 2), diag::UnexpectedInstanceKey, fmt::format("module.{}", wanted));
    return fail(root, steps, 2);
  } else if (!call.target.valid()) {
    return {{call.object, reference_range(root, steps, 1)}, 1};
  }

  InstId value = call_instances_[*index];
  if (steps.size() > used && steps[used].attribute) {
    std::string_view output = step_name(steps[used]);
    value = find_sorted(call.outs, shared_.names.find(output));
    if (!value.valid()) {
      if (lenient_ > 0) {
        // Reading it fails when it is evaluated, which `try` and `can` may be there for.
        SourceRange range = reference_range(root, steps, used + 1);
        Ref object{expanded ? call.object : call_instances_[*index], reference_range(root, steps, used)};
        if (expanded) object = {add(OpKind::Index, types_.any, {object, key}, object.range), object.range};
        return {{add(OpKind::Attr, types_.any, {object}, range, name(output).index), range}, used + 1};
      }
      std::vector<std::string_view> names;
      if (shared_.may_look(call.outs.size()))
        for (const auto& [name, inst] : call.outs) names.push_back(text(name));
      report(step_range(steps[used]), diag::UndeclaredOutput, wanted, output).help(suggestion(output, names, ""));
      return fail(root, steps, used + 1);
    }
    ++used;
  }
  SourceRange range = reference_range(root, steps, used);
  if (!expanded) return {{value, range}, used};
  Ref over{value, range};
  return {{add(OpKind::At, type_of(over), {over, key}, range), range}, used};
}

BodyLowering::Resolved BodyLowering::resolve_resource(load::ResourceMode mode, NodeId root, const Steps& steps,
                                                      size_t first) {
  // With a prefix (`data.`) type and name are steps, without it the root is the type.
  const size_t named = first + 1;
  if (first == 1 && (steps.size() < 2 || !steps[0].attribute || !steps[1].attribute))
    return incomplete(root, steps, "a type and a name");
  if (first == 0 && (steps.empty() || !steps[0].attribute)) {
    SourceRange range = tree_->range(root);
    auto builder = report(range, diag::IncompleteReference, text(root), "the name of a resource of that type");
    if (std::string meant = meant_by(text(root)); !meant.empty()) {
      builder.help(fmt::format("did you mean `{}`?", meant));
      builder.fix(range, meant, fmt::format("write `{}`", meant));
    } else {
      builder.help(fmt::format("a name without a dot means nothing here; for text, write \"{}\"", text(root)));
    }
    return fail(root, steps, 0);
  }
  std::string_view type = first == 0 ? text(root) : step_name(steps[0]);
  std::string_view wanted = step_name(steps[first]);
  SourceRange range = reference_range(root, steps, named);
  auto index = declarations_.resource(mode, shared_.names.find(type), shared_.names.find(wanted));
  if (!index) {
    undeclared_resource(mode, type, wanted, range);
    return fail(root, steps, named);
  }
  if (auto check = declarations_.check_of(*index); check && *check != context_->check) {
    report(range, diag::ScopedData, resource_name(*index), text(module_.checks[*check].name.id));
    return fail(root, steps, named);
  }
  const ResourceInfo& resource = body_.resources[*index];
  if (!resource.expand.valid()) {
    if (steps.size() > named && literal_key(steps[named])) {
      report(reference_range(root, steps, named + 1), diag::UnexpectedInstanceKey, resource_name(*index));
      return fail(root, steps, named + 1);
    }
    return {{resource.inst, range}, named};
  }
  if (steps.size() == named) return {{resource.collect, range}, named};
  if (steps[named].attribute) {
    report(range, diag::MissingInstanceKey, resource_name(*index),
           body_.inst(resource.expand).kind == OpKind::ExpandCount ? "count" : "for_each");
    return fail(root, steps, named);
  }
  InstId inst = resource.inst;
  Ref key = instance_key(steps[named], resource.expand);
  SourceRange whole = reference_range(root, steps, named + 1);
  Ref over{inst, range};
  return {{add(OpKind::At, type_of(over), {over, key}, whole), whole}, named + 1};
}

BodyLowering::Resolved BodyLowering::resolve_each(NodeId root, const Steps& steps) {
  if (steps.empty() || !steps[0].attribute) return incomplete(root, steps, "`key` or `value`");
  std::string_view attribute = step_name(steps[0]);
  SourceRange range = tree_->range(steps[0].node);
  if (attribute != "key" && attribute != "value") {
    report(range, diag::UnknownMetaAttribute, "each", attribute).help("`each` has the attributes `key` and `value`");
    return fail(root, steps, 1);
  }
  if (!context_->each.valid()) {
    auto builder = report(range, diag::EachOutside);
    if (context_->kind == Context::Kind::Repetition)
      builder.help("`for_each` says what `each` is, so it cannot refer to it");
    else if (context_->count.valid())
      builder.help("this block has `count`: use `count.index`");
    return fail(root, steps, 1);
  }
  auto domain = domains_.find(context_->each.index);
  Types::Step types = domain == domains_.end() ? Types::Step{types_.string, types_.any} : domain->second;
  Ref expand{context_->each, body_.range(context_->each)};
  if (attribute == "key") return {{add(OpKind::Key, types.key, {expand}, range), range}, 1};
  return {{add(OpKind::Each, types.value, {expand}, range), range}, 1};
}

BodyLowering::Resolved BodyLowering::resolve_count(NodeId root, const Steps& steps) {
  if (steps.empty() || !steps[0].attribute) return incomplete(root, steps, "`index`");
  std::string_view attribute = step_name(steps[0]);
  SourceRange range = tree_->range(steps[0].node);
  if (attribute != "index") {
    report(range, diag::UnknownMetaAttribute, "count", attribute).help("the only attribute of `count` is `index`");
    return fail(root, steps, 1);
  }
  if (!context_->count.valid()) {
    auto builder = report(range, diag::CountOutside);
    if (context_->kind == Context::Kind::Repetition)
      builder.help("`count` says what `count.index` is, so it cannot refer to it");
    else if (context_->each.valid())
      builder.help("this block has `for_each`: use `each.key`");
    return fail(root, steps, 1);
  }
  Ref expand{context_->count, body_.range(context_->count)};
  return {{add(OpKind::Key, types_.number, {expand}, range), range}, 1};
}

BodyLowering::Resolved BodyLowering::resolve_self(NodeId root, const Steps& steps) {
  SourceRange range = tree_->range(root);
  if (!context_->self.valid()) {
    report(range, diag::SelfOutside);
    return fail(root, steps, 0);
  }
  return {{context_->self, range}, 0};
}

BodyLowering::Resolved BodyLowering::resolve_meta(NodeId root, const Steps& steps) {
  std::string_view object = text(root);
  const bool path = object == "path";
  if (steps.empty() || !steps[0].attribute)
    return incomplete(root, steps, path ? "`module`, `root` or `cwd`" : "`workspace`");
  std::string_view attribute = step_name(steps[0]);
  SourceRange range = tree_->range(steps[0].node);
  std::vector<std::string_view> offered;
  if (path)
    offered = {"cwd", "module", "root"};
  else
    offered = {"applying", "workspace"};
  if (std::find(offered.begin(), offered.end(), attribute) == offered.end()) {
    auto builder = report(range, diag::UnknownMetaAttribute, object, attribute);
    if (!path && attribute == "env")
      builder.help("`terraform.env` was removed: write `terraform.workspace`")
          .fix(range, "terraform.workspace", "write `terraform.workspace`");
    else
      builder.help(path ? "`path` has the attributes `cwd`, `module` and `root`"
                        : "`terraform` has the attributes `applying` and `workspace`");
    return fail(root, steps, 1);
  }
  TypeId type = attribute == "applying" ? types_.boolean : types_.string;
  NameId name = this->name(fmt::format("{}.{}", object, attribute));
  return {{add(OpKind::Meta, type, std::initializer_list<Ref>{}, range, name.index), range}, 1};
}

// An output where `module.m.o` or `module.m[k].o` names one, else the module as a whole. What an output of a module
// needs that is not installed nobody knows: invalid.
InstId BodyLowering::module_part(const ModuleCallInfo& call, const Steps& steps) const {
  size_t output = steps.size() > 1 && !steps[1].attribute ? 2 : 1;
  if (steps.size() <= output || !steps[output].attribute) return call.inst;
  InstId inst = find_sorted(call.outs, shared_.names.find(step_name(steps[output])));
  if (inst.valid()) return inst;
  return call.target.valid() ? call.inst : InstId();
}

InstId BodyLowering::node_of(load::Expr expr, const Context& context) {
  const hcl::SyntaxTree* tree = std::exchange(tree_, expr.tree);
  const Context* outer = std::exchange(context_, &context);
  Steps steps;
  NodeId root = take_apart(expr.node, &steps);
  InstId node;
  if (tree_->kind(root) == NodeKind::Variable) {
    std::string_view text = this->text(root);
    auto call = text == "module" && !steps.empty() && steps[0].attribute
                    ? declarations_.call(shared_.names.find(step_name(steps[0])))
                    : std::nullopt;
    // What belongs to the name; keys and attributes behind it do not matter.
    size_t named = text == "data" || text == "ephemeral" || text == "resource" ? 2 : 1;
    if (!call && steps.size() > named) steps.truncate(named);
    if (call) {
      node = module_part(body_.calls[*call], steps);
    } else if (text != "each" && text != "count" && text != "self" && text != "path" && text != "terraform") {
      node = resolve(root, steps).ref.id;
      const Inst& inst = body_.inst(node);
      if (inst.kind == OpKind::Collect) node = body_.operand(node, 0);
      if (inst.kind == OpKind::Unknown) node = InstId();
    }
  }
  tree_ = tree;
  context_ = outer;
  return node;
}

}  // namespace pravo::lower
