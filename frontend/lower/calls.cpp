// Function calls.
#include "frontend/lower/body.h"
#include "ir/diagnostics/load.h"
#include "ir/diagnostics/lower.h"

#include "frontend/load/typeexpr.h"
#include "ir/functions.h"
#include "ir/text_format.h"

namespace pravo::lower {

using hcl::NodeId;

Ref BodyLowering::call(NodeId n) {
  SourceRange name_range = tree_->range(tree_->child(n, 0));
  std::string_view called = text(name_range);
  if (called.find(':') == std::string_view::npos) return core_call(n, called, name_range);
  // Between the parts of a namespaced name there may be blanks.
  std::string whole;
  for (char c : called)
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') whole += c;
  std::string_view name = whole;
  if (name.starts_with("core::")) return core_call(n, name.substr(6), name_range);
  return provider_call(n, name, name_range);
}

Refs BodyLowering::arguments(NodeId n) {
  Refs values;
  for (uint32_t i = 1; i < tree_->child_count(n); ++i) values.push_back(expression(tree_->child(n, i)));
  return values;
}

bool BodyLowering::check_arity(NodeId n, std::string_view name, size_t least, bool any_number, size_t given) {
  bool expands = tree_->has(n, hcl::kExpand);
  size_t fixed = expands ? given - 1 : given;
  const bool too_many = !any_number && fixed > least;
  const bool too_few = !expands && given < least;
  if (!too_many && !too_few) return true;
  SourceRange range = tree_->range(n);
  SourceRange place = too_many ? tree_->range(tree_->child(n, static_cast<uint32_t>(least) + 1))
                               : SourceRange{range.file, range.end - 1, range.end};
  std::string takes = least == 0 ? "no arguments" : fmt::format("{} argument{}", least, least == 1 ? "" : "s");
  if (too_few && any_number) takes = "at least " + takes;
  if (lenient_ > 0)
    report(place, diag::CaughtArgumentCount, name, takes, given);
  else if (!late_at_prompt())
    report(place, diag::ArgumentCount, name, takes, given);
  return false;
}

// templatestring takes `local.a.b[key]` alone: a template that is written here would be rendered twice.
bool BodyLowering::check_template_reference(NodeId argument) {
  Steps steps;
  if (tree_->kind(take_apart(argument, &steps)) == hcl::NodeKind::Variable) return true;
  if (!fails_late()) report(tree_->range(argument), diag::TemplateNotReference);
  return false;
}

Ref BodyLowering::core_call(NodeId n, std::string_view called, SourceRange name_range) {
  SourceRange range = tree_->range(n);
  std::optional<FunctionId> id = find_function(called);
  if (!id) {
    std::vector<std::string_view> names;
    for (const FunctionInfo& info : all_functions()) names.push_back(info.name);
    // `try` and `can` take it for any other failure, so the configuration works, if not as its author thought. The
    // call stays one, and fails when it is evaluated.
    if (fails_late()) {
      if (lenient_ > 0) report(name_range, diag::CaughtUnknownFunction, called).help(suggestion(called, names, ""));
      Refs values = arguments(n);
      return {add(OpKind::Call, types_.any, values, range, name(called).index), range};
    }
    report(name_range, diag::UnknownFunction, called).help(suggestion(called, names, ""));
    arguments(n);
    return unknown(range);
  }
  if (*id == FunctionId::Convert) return convert_call(n, called);
  const FunctionInfo& info = function_info(*id);
  if (info.lazy) ++lenient_;
  Refs values = arguments(n);
  if (info.lazy) --lenient_;
  if (!check_arity(n, called, info.min_arguments(), info.variadic.has_value(), values.size())) {
    if (!fails_late() || (info.lazy && !late_at_prompt())) return unknown(range);
    return {add(OpKind::Call, types_.any, values, range, name(called).index), range};
  }
  if (*id == FunctionId::Templatestring && !check_template_reference(tree_->child(n, 1))) {
    if (!fails_late()) return unknown(range);
    // Without its arguments it fails as well as with a template that it refuses.
    return {add(OpKind::Call, types_.any, std::initializer_list<Ref>{}, range, name(called).index), range};
  }

  const bool expands = tree_->has(n, hcl::kExpand);
  if (!expands && (*id == FunctionId::Sensitive || *id == FunctionId::Nonsensitive)) {
    OpKind kind = *id == FunctionId::Sensitive ? OpKind::MarkAdd : OpKind::MarkRemove;
    InstId inst = add(kind, type_of(values[0]), values, range);
    body_.inst(inst).marks = MarkSet::Sensitive;
    set_element_hint(inst, element_hint(values[0].id));
    return {inst, range};
  }

  TypeId type = types_.any;
  if (expands) {
    if (!info.result.has_dynamic()) type = types_.intern(info.result);
  } else {
    llvm::SmallVector<TypeId, 8> given;
    for (const Ref& value : values) given.push_back(type_of(value));
    const Types::CallType& call = types_.call(*id, given);
    // A call that fails has no value, hence no type that another could disagree with.
    type = call.fault.empty() ? call.result : types_.any;
    if (!call.fault.empty()) {
      const Ref& argument = values[static_cast<size_t>(call.argument)];
      if (reports_types(argument)) report(argument.range, diag::ArgumentType, called, call.fault);
    }
  }
  // A value that is not known may turn out to fit; what is written in brackets never does.
  if (*id == FunctionId::Templatefile && !expands && body_.inst(values[1].id).kind == OpKind::Tuple &&
      reports_types(values[1]))
    report(values[1].range, diag::ArgumentType, called,
           "an object or a map of the template's variables is required, but this is a tuple");
  InstId inst = add(OpKind::Call, type, values, range, name(called).index);
  if (expands) body_.inst(inst).flags |= kExpandLast;
  return {inst, range};
}

// convert(VALUE, TYPE). A type is no value: the call gets it as the IR's text of it.
Ref BodyLowering::convert_call(NodeId n, std::string_view called) {
  SourceRange range = tree_->range(n);
  size_t given = tree_->child_count(n) - 1;
  Ref value = given > 0 ? expression(tree_->child(n, 1)) : Ref{};
  auto failing = [&]() -> Ref {
    if (lenient_ == 0) return unknown(range);
    return {add(OpKind::Call, types_.any, std::initializer_list<Ref>{}, range, name(called).index), range};
  };
  if (tree_->has(n, hcl::kExpand)) {
    report(tree_->range(tree_->child(n, static_cast<uint32_t>(given))), diag::InvalidType,
           "the type that `convert` takes is written in the call, not expanded from a list");
    return unknown(range);
  }
  if (!check_arity(n, called, 2, false, given)) return failing();
  NodeId type_node = tree_->child(n, 2);
  std::optional<TypeConstraint> wanted = load::parse_type_argument(shared_.sources, shared_.diags, {tree_, type_node});
  if (!wanted) return unknown(range);
  if (std::optional<std::string> fault = misfit(value, *wanted))
    report(value.range, diag::ArgumentType, called, *fault);
  std::string text;
  text::append_type(text, wanted->type, &wanted->defaults);
  Ref type = text_constant(text, tree_->range(type_node));
  Result<Type> result = converted_type(types_.get(type_of(value)), wanted->type);
  TypeId result_type = types_.intern(result.ok() ? *result : wanted->type.without_optional());
  return {add(OpKind::Call, result_type, {value, type}, range, name(called).index), range};
}

Ref BodyLowering::provider_call(NodeId n, std::string_view called, SourceRange name_range) {
  SourceRange range = tree_->range(n);
  Refs values = arguments(n);
  constexpr std::string_view kPrefix = "provider::";
  size_t colon = called.rfind("::");
  std::string_view local_name = called.starts_with(kPrefix) && colon >= kPrefix.size()
                                    ? called.substr(kPrefix.size(), colon - kPrefix.size())
                                    : std::string_view();
  std::string_view function = called.substr(colon + 2);
  if (local_name.empty() || local_name.find(':') != std::string_view::npos) {
    report(name_range, diag::UnknownFunction, called)
        .help("functions of a provider are called `provider::NAME::FUNCTION`, built-in ones by their name alone");
    return unknown(range);
  }
  bool required = false;
  for (const load::RequiredProvider& provider : module_.required_providers)
    required |= text(provider.local_name.id) == local_name;
  if (!required && lenient_ > 0) {
    report(name_range, diag::CaughtUnknownFunction, called)
        .help(fmt::format("the provider `{}` is not among this module's `required_providers`", local_name));
    return {add(OpKind::ProviderCall, types_.any, values, range, name(called).index), range};
  }
  if (!required) {
    report(name_range, diag::UnknownFunction, called)
        .help(fmt::format("declare the provider `{}` in this module's `required_providers`", local_name));
    return unknown(range);
  }
  TypeId type = types_.any;
  if (const ProviderSchema* schema = shared_.provider_schema(provider_address(name(local_name)))) {
    auto found = schema->functions.find(function);
    if (found == schema->functions.end()) {
      std::vector<std::string_view> names;
      for (const auto& [offered, unused] : schema->functions) names.push_back(offered);
      if (lenient_ > 0) {
        report(name_range, diag::CaughtUnknownFunction, called)
            .help(suggestion(function, names, fmt::format("provider::{}::", local_name)));
        return {add(OpKind::ProviderCall, types_.any, values, range, name(called).index), range};
      }
      report(name_range, diag::UnknownFunction, called)
          .help(suggestion(function, names, fmt::format("provider::{}::", local_name)));
      return unknown(range);
    }
    const SchemaFunction& offered = found->second;
    if (!check_arity(n, called, offered.parameters.size(), offered.variadic.has_value(), values.size())) {
      if (lenient_ == 0) return unknown(range);
      return {add(OpKind::ProviderCall, types_.any, values, range, name(called).index), range};
    }
    type = types_.intern(offered.result);
    for (size_t i = 0; i < values.size() && i < offered.parameters.size(); ++i) {
      if (tree_->has(n, hcl::kExpand) && i + 1 == values.size()) break;
      want(values[i], types_.intern(offered.parameters[i].type), "the argument");
    }
  }
  InstId inst = add(OpKind::ProviderCall, type, values, range, name(called).index);
  if (tree_->has(n, hcl::kExpand)) body_.inst(inst).flags |= kExpandLast;
  return {inst, range};
}

}  // namespace pravo::lower
