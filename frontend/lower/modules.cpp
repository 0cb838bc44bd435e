// Module calls.
#include "frontend/lower/body.h"

#include <algorithm>

namespace pravo::lower {

void BodyLowering::lower_calls() {
  for (uint32_t i = 0; i < module_.calls.size(); ++i) {
    Context context;
    context.kind = Context::Kind::Repetition;
    context.call = i;
    lower_expansion(body_.calls[i].expand, module_.calls[i].count, module_.calls[i].for_each, context);
  }
  for (uint32_t i = 0; i < module_.calls.size(); ++i) lower_call(i);
}

void BodyLowering::lower_call(uint32_t index) {
  const load::ModuleCall& call = module_.calls[index];
  Context context;
  context.kind = Context::Kind::Block;
  context.call = index;
  InstId expand = body_.calls[index].expand;
  if (expand.valid()) (body_.inst(expand).kind == OpKind::ExpandCount ? context.count : context.each) = expand;

  lower_arguments(index, context);
  body_.calls[index].after = lower_depends_on(call.depends_on, context);
  for (const auto& [inner, outer] : call.providers) {
    auto shown = [&](const load::ProviderRef& ref) {
      std::string name(text(ref.local_name.id));
      if (ref.alias.valid()) name += fmt::format(".{}", text(ref.alias.id));
      return name;
    };
    body_.calls[index].providers.emplace_back(shown(inner), shown(outer));
  }
}

void BodyLowering::lower_arguments(uint32_t index, const Context& context) {
  const load::ModuleCall& call = module_.calls[index];
  const load::Module* target =
      call.status == load::ModuleStatus::Loaded ? &shared_.configuration.modules[call.target] : nullptr;
  llvm::DenseMap<uint32_t, uint32_t> variables;
  if (target != nullptr)
    for (uint32_t i = 0; i < target->variables.size(); ++i)
      variables.try_emplace(target->variables[i].name.id.index, i);

  const Context* outer = std::exchange(context_, &context);
  InstId instance = body_.calls[index].inst;
  Ref instance_ref{instance, body_.range(instance)};
  std::vector<std::pair<NameId, InstId>> args;
  for (const load::Attribute& attribute : call.arguments.attributes) {
    Ref value = lower(attribute.value, context);
    if (target != nullptr) {
      auto variable = variables.find(attribute.name.id.index);
      // Reported when modules were put together.
      if (variable == variables.end()) continue;
      const load::Variable& declared = target->variables[variable->second];
      // Null asks for the default.
      const bool null = body_.inst(value.id).kind == OpKind::Const && body_.constant(value.id).is_null();
      if (null && !declared.nullable && !declared.default_value)
        report(value.range, diag::UnsuitableArgument, fmt::format("`{}`", text(attribute.name.id)),
               "it is null, and the variable has no default and `nullable = false`");
      want_constraint(value, declared.type, fmt::format("`{}`", text(attribute.name.id)));
    }
    InstId arg =
        add(OpKind::ModuleArg, type_of(value), {value, instance_ref}, attribute.name.range, attribute.name.id.index);
    set_element_hint(arg, element_hint(value.id));
    args.emplace_back(attribute.name.id, arg);
  }
  std::sort(args.begin(), args.end());
  body_.calls[index].args = std::move(args);
  context_ = outer;
}

}  // namespace pravo::lower
