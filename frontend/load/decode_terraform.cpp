// `terraform` blocks: versions, experiments, backend, cloud, provider requirements.
#include <algorithm>

#include "frontend/load/address.h"
#include "frontend/load/decode.h"
#include "frontend/load/literal.h"
#include "frontend/load/static_expr.h"
#include "frontend/load/version.h"
#include "ir/convert.h"
#include "ir/diagnostics/load.h"

namespace pravo::load {

namespace {

// The edition of the language that there is.
constexpr std::string_view kEdition = "TF2021";

// The experiment whose feature became part of the language, and whose opt-in still stands in configurations.
constexpr std::string_view kConcludedHarmlessly = "ephemeral_values";

constexpr std::string_view kConcluded[] = {
    "variable_validation",
    "module_variable_optional_attrs",
    "provider_sensitive_attrs",
    "suppress_provider_sensitive_attrs",
    "config_driven_move",
    "preconditions_postconditions",
    "smoke_tests",
    "template_string_func",
    "variable_validation_crossref",
};
constexpr std::string_view kRunning[] = {"unknown_instances"};

// Releases of OpenTofu: 1.6 was the first, 1.12 has the `language` block.
constexpr uint64_t kFirstOpenTofuMinor = 6;
constexpr uint64_t kLastOpenTofuMinor = 12;

void decode_required_version(FileContext& context, const Attribute& attribute, Declarations& out) {
  auto value = evaluate_constant(context.sources, attribute.value, context.diags);
  if (!value || value->is_null()) return;
  SourceRange place = attribute.value.range();
  auto text = convert(*value, Type::string());
  if (!text.ok() || text->is_null()) {
    context.diags.emit(place, diag::UnsuitableValue, "a string");
    return;
  }
  std::string constraint(text->as_string());
  if (!check_version_constraint(context, constraint, place)) return;
  out.module.required_versions.emplace_back(constraint, attribute.range);
}

void decode_edition(FileContext& context, Expr expr) {
  auto keyword = as_keyword(context.sources, static_view(context, expr));
  if (keyword && *keyword == kEdition) return;
  context.diags.emit(expr.range(), diag::LanguageEdition, kEdition);
}

void decode_experiments(FileContext& context, const Attribute& attribute) {
  auto elements = static_list(context, attribute.value);
  if (!elements) return;
  for (Expr element : *elements) {
    Expr view = static_view(context, element);
    if (!view) continue;
    auto keyword = as_keyword(context.sources, view);
    if (!keyword) {
      context.diags.emit(element.range(), diag::InvalidReference, "the name of an experiment");
      continue;
    }
    auto is = [&](std::string_view name) { return name == *keyword; };
    if (is(kConcludedHarmlessly))
      context.diags.emit(element.range(), diag::ExperimentConcluded, *keyword);
    else if (std::any_of(std::begin(kConcluded), std::end(kConcluded), is))
      context.diags.emit(element.range(), diag::ExperimentUnavailable, *keyword, "has ended");
    else if (std::any_of(std::begin(kRunning), std::end(kRunning), is))
      context.diags.emit(element.range(), diag::ExperimentUnavailable, *keyword, "is not part of a release");
    else
      context.diags.emit(element.range(), diag::ExperimentUnavailable, *keyword, "does not exist");
  }
}

void decode_backend(FileContext& context, const RawBlock& block, std::string type, Declarations& out) {
  bool cloud = type == "cloud";
  auto& backend = out.module.backend;
  if (backend && cloud == (backend->type == "cloud")) {
    report_repeated_block(context, block, backend->header, "a module");
    return;
  }
  if (backend) {
    context.diags.emit(block.header, diag::BackendAndCloud).note(backend->header, "the other one is here");
    return;
  }
  backend = Backend{std::move(type), block.header, read_open_body(context, block.body)};
}

void decode_provider_meta(FileContext& context, const RawBlock& block, Declarations& out) {
  const Name& provider = block.labels[0];
  std::string_view text = context.names.text(provider.id);
  if (auto fault = provider_name_fault(text)) {
    context.diags.emit(block.header, diag::InvalidProviderName, text, *fault);
    return;
  }
  for (const auto& [name, header] : out.provider_metas)
    if (name.id == provider.id) {
      report_repeated_block(context, block, header, fmt::format("a module for provider `{}`", text));
      return;
    }
  out.provider_metas.emplace_back(provider, block.header);
}

// Whether a release of OpenTofu up to the last one that is known satisfies all constraints. None had more than a few
// dozen patches.
bool is_satisfiable(const std::vector<VersionConstraint>& constraints) {
  for (uint64_t minor = kFirstOpenTofuMinor; minor <= kLastOpenTofuMinor; ++minor)
    for (uint64_t patch = 0; patch < 64; ++patch) {
      Version version{{1, minor, patch}, ""};
      auto met = [&](const VersionConstraint& constraint) { return satisfies(version, constraint); };
      if (std::all_of(constraints.begin(), constraints.end(), met)) return true;
    }
  return false;
}

// Whoever else reads the block may have arguments of their own in it.
void decode_compatible_with(FileContext& context, const RawBlock& block) {
  Body body = read_open_body(context, block.body);
  const Attribute* opentofu = body.find(context.names.intern("opentofu"));
  if (opentofu == nullptr) return;
  auto text = constant_string(context.sources, opentofu->value, context.diags);
  SourceRange place = opentofu->value.range();
  if (!text || !check_version_constraint(context, *text, place)) return;
  if (!is_satisfiable(*parse_version_constraints(*text)))
    context.diags.emit(place, diag::IncompatibleLanguage, *text, fmt::format("1.{}", kLastOpenTofuMinor));
}

}  // namespace

// The block of OpenTofu that says which language a module is written in.
void decode_language(FileContext& context, const RawBlock& block, Declarations&) {
  Content content = read_body(context, block.body, schema::kLanguage);
  if (Expr edition = content.value("edition"))
    if (!as_keyword(context.sources, static_view(context, edition)))
      context.diags.emit(edition.range(), diag::InvalidReference, "the name of an edition");
  if (const Attribute* experiments = content.find("experiments")) decode_experiments(context, *experiments);
  for (const RawBlock& nested : content.blocks) decode_compatible_with(context, nested);
}

bool check_version_constraint(FileContext& context, std::string_view text, SourceRange range) {
  if (parse_version_constraints(text)) return true;
  context.diags.emit(range, diag::InvalidVersionConstraint, quoted(text));
  return false;
}

void decode_terraform(FileContext& context, const RawBlock& block, Declarations& out) {
  Content content = read_body(context, block.body, schema::kTerraform);
  if (const Attribute* version = content.find("required_version")) decode_required_version(context, *version, out);
  if (Expr language = content.value("language")) decode_edition(context, language);
  if (const Attribute* experiments = content.find("experiments")) decode_experiments(context, *experiments);
  for (const RawBlock& nested : content.blocks) {
    std::string_view type = nested.row->name;
    if (type == "backend")
      decode_backend(context, nested, std::string(context.names.text(nested.labels[0].id)), out);
    else if (type == "cloud")
      decode_backend(context, nested, "cloud", out);
    else if (type == "required_providers")
      decode_required_providers(context, nested, out);
    else
      decode_provider_meta(context, nested, out);
  }
}

}  // namespace pravo::load
