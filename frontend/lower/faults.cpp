// Reports of names that mean nothing, with what was probably meant.
#include "frontend/lower/body.h"

#include <algorithm>
#include <initializer_list>

#include "ir/diagnostics/lower.h"

namespace pravo::lower {

using hcl::NodeId;

namespace {

std::string_view mode_prefix(load::ResourceMode mode) {
  switch (mode) {
    case load::ResourceMode::Managed:
      return "";
    case load::ResourceMode::Data:
      return "data.";
    case load::ResourceMode::Ephemeral:
      return "ephemeral.";
  }
  PRAVOC_UNREACHABLE();
}

}  // namespace

// After a report: the whole traversal is unknown. Keys in it are still looked at, since their faults are others.
BodyLowering::Resolved BodyLowering::fail(NodeId root, const Steps& steps, size_t used) {
  for (size_t i = used; i < steps.size(); ++i)
    if (!steps[i].attribute) expression(steps[i].operand);
  return {unknown(reference_range(root, steps, steps.size())), steps.size()};
}

BodyLowering::Resolved BodyLowering::incomplete(NodeId root, const Steps& steps, std::string_view needs) {
  size_t named = 0;
  while (named < steps.size() && steps[named].attribute) ++named;
  // An index where a name should be is the fault itself.
  SourceRange range = named < steps.size() ? step_range(steps[named]) : reference_range(root, steps, named);
  std::string_view shown = text(reference_range(root, steps, named));
  report(range, diag::IncompleteReference, shown, needs);
  return fail(root, steps, named);
}

std::string BodyLowering::suggestion(std::string_view name, const std::vector<std::string_view>& candidates,
                                     std::string_view before) {
  std::string_view meant = shared_.closest(name, candidates);
  return meant.empty() ? std::string() : fmt::format("did you mean `{}{}`?", before, meant);
}

// What a bare name is the name of.
std::string BodyLowering::meant_by(std::string_view name) const {
  NameId id = shared_.names.find(name);
  if (!id.valid()) return {};
  if (declarations_.variable(id)) return fmt::format("var.{}", name);
  if (declarations_.local(id)) return fmt::format("local.{}", name);
  if (declarations_.call(id)) return fmt::format("module.{}", name);
  return {};
}

std::string BodyLowering::resource_name(uint32_t resource) const {
  const load::Resource& r = module_.resources[resource];
  return fmt::format("{}{}.{}", mode_prefix(r.mode), text(r.type.id), text(r.name.id));
}

std::string BodyLowering::address(const Context& context) const {
  if (context.resource != kNone) return resource_name(context.resource);
  if (context.call != kNone) return fmt::format("module.{}", text(module_.calls[context.call].name.id));
  return {};
}

// What a reference means whose root is misspelt (`vra.region`), where just that is declared.
std::string BodyLowering::meant_root(std::string_view root, std::string_view wanted) const {
  std::string_view meant = closest_name(root, {"var", "local", "module", "each", "count", "path", "terraform"});
  NameId id = shared_.names.find(wanted);
  if (meant.empty() || !id.valid()) return {};
  auto one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), wanted) != names.end();
  };
  bool known = meant == "var"         ? declarations_.variable(id).has_value()
               : meant == "local"     ? declarations_.local(id).has_value()
               : meant == "module"    ? declarations_.call(id).has_value()
               : meant == "each"      ? one_of({"key", "value"})
               : meant == "count"     ? wanted == "index"
               : meant == "path"      ? one_of({"module", "root", "cwd"})
               : meant == "terraform" ? wanted == "workspace"
                                      : false;
  return known ? fmt::format("{}.{}", meant, wanted) : std::string();
}

void BodyLowering::undeclared_resource(load::ResourceMode mode, std::string_view type, std::string_view wanted,
                                       SourceRange range) {
  std::string shown = fmt::format("{}{}.{}", mode_prefix(mode), type, wanted);
  auto builder = report(range, diag::UndeclaredResource, mode_text(mode), shown);
  NameId type_id = shared_.names.find(type);
  NameId name_id = shared_.names.find(wanted);

  // The same under another mode: `data.` was forgotten, or is too much.
  for (load::ResourceMode other :
       {load::ResourceMode::Managed, load::ResourceMode::Data, load::ResourceMode::Ephemeral}) {
    if (other == mode || !declarations_.resource(other, type_id, name_id)) continue;
    std::string meant = fmt::format("{}{}.{}", mode_prefix(other), type, wanted);
    builder.help(fmt::format("did you mean `{}`?", meant)).fix(range, meant, fmt::format("write `{}`", meant));
    return;
  }
  if (mode == load::ResourceMode::Managed) {
    // `thing.x` where `thing` is a variable or local.
    if (std::string meant = meant_by(type); !meant.empty()) {
      builder.help(fmt::format("did you mean `{}.{}`?", meant, wanted))
          .fix(range, fmt::format("{}.{}", meant, wanted), fmt::format("write `{}.{}`", meant, wanted));
      return;
    }
    if (std::string meant = meant_root(type, wanted); !meant.empty()) {
      builder.help(fmt::format("did you mean `{}`?", meant)).fix(range, meant, fmt::format("write `{}`", meant));
      return;
    }
    if (wanted == "key" || wanted == "value") {
      for (auto it = bindings_.rbegin(); it != bindings_.rend(); ++it) {
        if (it->kind != Binding::Kind::Iterator) continue;
        builder.help(fmt::format("the iterator of this `dynamic` block is `{0}`: did you mean `{0}.{1}`?",
                                 text(it->name), wanted));
        return;
      }
    }
  }
  if (!shared_.may_look(module_.resources.size())) return;
  std::vector<std::string_view> names;
  if (declarations_.has_type(mode, type_id)) {
    for (const load::Resource& resource : module_.resources)
      if (resource.mode == mode && resource.type.id == type_id) names.push_back(text(resource.name.id));
    builder.help(suggestion(wanted, names, fmt::format("{}{}.", mode_prefix(mode), type)));
    return;
  }
  // Another type that has a resource of this name.
  for (const load::Resource& resource : module_.resources)
    if (resource.mode == mode && resource.name.id == name_id) names.push_back(text(resource.type.id));
  std::string_view meant = shared_.closest(type, names);
  if (meant.empty() && names.size() == 1) meant = names.front();
  if (!meant.empty()) builder.help(fmt::format("did you mean `{}{}.{}`?", mode_prefix(mode), meant, wanted));
}

}  // namespace pravo::lower
