// Test files: `variables`, `provider`, `run` and the blocks in them.
#include <vector>

#include "frontend/load/address.h"
#include "frontend/load/decode.h"
#include "frontend/load/literal.h"
#include "frontend/load/static_expr.h"
#include "ir/diagnostics/load.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>

namespace pravo::load {

namespace {

// A block of which there may be one: its place, once there was one.
bool is_first(FileContext& context, const RawBlock& block, SourceRange& first, std::string_view where) {
  if (first.valid()) {
    report_repeated_block(context, block, first, where);
    return false;
  }
  first = block.header;
  return true;
}

// A `variables` block has arguments and nothing else.
std::vector<Attribute> decode_variables(FileContext& context, const RawBlock& block) {
  Body body = read_open_body(context, block.body);
  for (const Block& nested : body.blocks)
    context.diags.emit(nested.header, diag::UnknownBlock, context.names.text(nested.type.id), "a `variables` block");
  return std::move(body.attributes);
}

// A list of references: elements that are none are reported and left out.
std::vector<Expr> decode_references(FileContext& context, const Attribute* attribute) {
  std::vector<Expr> out;
  if (attribute == nullptr) return out;
  auto elements = static_list(context, attribute->value);
  if (!elements) return out;
  for (Expr element : *elements) {
    Expr view = reference_element(context, element, RefersTo::Object);
    if (!view) continue;
    if (as_reference(context.sources, view))
      out.push_back(view);
    else
      context.diags.emit(element.range(), diag::InvalidReference, "a reference");
  }
  return out;
}

// Whether conditions can be attached to what a reference names.
bool can_fail(const Reference& reference) {
  static constexpr std::string_view kWithName[] = {"var", "output", "check"};
  static constexpr std::string_view kNever[] = {"local", "module", "path", "terraform", "count", "each",
                                                "self",  "run",    "arg",  "template",  "lazy"};
  auto name_at = [&](size_t step) {
    return step < reference.steps.size() && reference.steps[step].kind == ReferenceStep::Kind::Attribute;
  };
  if (llvm::is_contained(kNever, reference.root)) return false;
  if (llvm::is_contained(kWithName, reference.root)) return name_at(0);
  if (reference.root == "data" || reference.root == "ephemeral" || reference.root == "resource")
    return name_at(0) && name_at(1);
  return name_at(0);
}

class RunDecoder {
 public:
  RunDecoder(FileContext& context, const RawBlock& block) : context_(context), block_(block) {
    run_.name = block.labels[0];
    run_.header = block.header;
  }

  TestRun decode() {
    check_identifier(context_, run_.name, "a run");
    Content content = read_body(context_, block_.body, schema::kTestRun);
    run_.plan_only = decode_choice(context_, content, "command", "plan", "apply").value_or(false);
    if (Expr providers = content.value("providers")) run_.providers = decode_provider_map(context_, providers);
    run_.state_key = decode_string(context_, content, "state_key");
    run_.expect_failures = decode_references(context_, content.find("expect_failures"));
    std::erase_if(run_.expect_failures, [&](Expr expr) { return refuse_expected(expr); });
    for (const RawBlock& nested : content.blocks) decode_block(nested);
    drop_repeated_overrides(context_, run_.overrides);
    return std::move(run_);
  }

 private:
  bool refuse_expected(Expr expr) {
    auto reference = as_reference(context_.sources, expr);
    if (can_fail(*reference)) return false;
    context_.diags.emit(reference->range, diag::ExpectedFailureKind, context_.sources.text(reference->range));
    return true;
  }

  void decode_block(const RawBlock& nested) {
    std::string_view kind = nested.row->name;
    if (kind == "assert") {
      run_.asserts.push_back(decode_check_rule(context_, nested));
    } else if (kind == "variables") {
      if (is_first(context_, nested, variables_, "a run")) run_.variables = decode_variables(context_, nested);
    } else if (kind == "plan_options") {
      if (is_first(context_, nested, plan_options_, "a run")) decode_plan_options(nested);
    } else if (kind == "module") {
      if (is_first(context_, nested, run_.module_range, "a run")) decode_module(nested);
    } else {
      decode_override(context_, nested, run_.overrides);
    }
  }

  void decode_plan_options(const RawBlock& nested) {
    Content content = read_body(context_, nested.body, schema::kTestPlanOptions);
    run_.refresh_only = decode_choice(context_, content, "mode", "refresh-only", "normal").value_or(false);
    SourceRange refresh;
    run_.refresh = decode_bool(context_, content, "refresh", &refresh).value_or(true);
    run_.replaced = decode_references(context_, content.find("replace"));
    run_.targets = decode_references(context_, content.find("target"));
    if (run_.refresh_only && !run_.refresh) context_.diags.emit(refresh, diag::TestPlanOptions);
  }

  void decode_module(const RawBlock& nested) {
    Content content = read_body(context_, nested.body, schema::kTestModule);
    const Attribute* source = content.find("source");
    bool versioned = content.find("version") != nullptr;
    if (source == nullptr) {
      context_.diags.emit(nested.header, diag::MissingArgument, "source", schema::kTestModule.what);
      return;
    }
    run_.source_range = source->range;
    auto text = decode_string(context_, content, "source");
    if (auto version = decode_string(context_, content, "version"))
      if (check_version_constraint(context_, *version, content.value("version").range())) run_.version = *version;
    if (!text) return;
    ModuleSource parsed = parse_module_source(*text, versioned);
    switch (parsed.kind) {
      case ModuleSource::Kind::Local:
      case ModuleSource::Kind::Registry:
        run_.source = std::move(*text);
        return;
      case ModuleSource::Kind::Remote:
        context_.diags.emit(source->range, diag::TestModuleSource, *text);
        return;
      case ModuleSource::Kind::Invalid:
        context_.diags.emit(source->range, diag::InvalidModuleSource, quoted(*text), parsed.fault);
        return;
    }
  }

  FileContext& context_;
  const RawBlock& block_;
  TestRun run_;
  SourceRange variables_;
  SourceRange plan_options_;
};

class TestFileDecoder {
 public:
  TestFileDecoder(FileContext& context, TestFile& out) : context_(context), out_(out) {}

  void decode() {
    Content content = read_body(context_, file_body(context_), schema::kTestFile);
    for (const RawBlock& block : content.blocks) {
      std::string_view kind = block.row->name;
      if (kind == "run")
        add_run(RunDecoder(context_, block).decode());
      else if (kind == "variables")
        add_variables(block);
      else if (kind == "provider")
        add_real_provider(block);
      else if (kind == "mock_provider")
        add_provider(decode_mock_provider(context_, block));
      else if (kind.starts_with("override_"))
        decode_override(context_, block, out_.overrides);
    }
    drop_repeated_overrides(context_, out_.overrides);
  }

 private:
  void add_variables(const RawBlock& block) {
    if (is_first(context_, block, variables_, "a test file")) out_.variables = decode_variables(context_, block);
  }

  void add_run(TestRun run) {
    auto [first, fresh] = runs_.try_emplace(run.name.id.index, run.header);
    if (fresh) {
      out_.runs.push_back(std::move(run));
      return;
    }
    context_.diags.emit(run.header, diag::DuplicateDeclaration, "run", context_.names.text(run.name.id))
        .note(first->second, "first declared here");
  }

  void add_real_provider(const RawBlock& block) {
    Module scratch;
    Declarations declarations{scratch, {}, {}, {}};
    decode_provider(context_, block, declarations);
    if (scratch.providers.empty()) return;
    TestProvider provider;
    provider.config = std::move(scratch.providers[0]);
    add_provider(std::move(provider));
  }

  void add_provider(std::optional<TestProvider> provider) {
    if (!provider) return;
    const ProviderConfig& config = provider->config;
    auto [first, fresh] =
        providers_.try_emplace(std::pair(config.local_name.id.index, config.alias.id.index), config.header);
    if (fresh) {
      out_.providers.push_back(std::move(*provider));
      return;
    }
    std::string name(context_.names.text(config.local_name.id));
    if (config.alias.valid()) name += fmt::format(".{}", context_.names.text(config.alias.id));
    context_.diags.emit(config.header, diag::DuplicateDeclaration, "provider configuration", name)
        .note(first->second, "first declared here");
  }

  FileContext& context_;
  TestFile& out_;
  SourceRange variables_;
  llvm::DenseMap<uint32_t, SourceRange> runs_;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, SourceRange> providers_;
};

}  // namespace

void decode_test_file(FileContext& context, TestFile& out) { TestFileDecoder(context, out).decode(); }

std::optional<bool> decode_choice(FileContext& context, const Content& content, std::string_view argument,
                                  std::string_view first, std::string_view second) {
  Expr expr = content.value(argument);
  if (!expr || context.tree.kind(expr.node) == hcl::NodeKind::Error) return std::nullopt;
  std::string text;
  if (context.tree.json)
    text = as_quoted_text(context.sources, expr).value_or("");
  else
    text = as_keyword(context.sources, expr).value_or("");
  if (text == first) return true;
  if (text == second) return false;
  context.diags.emit(expr.range(), diag::InvalidKeyword, argument, first, second);
  return std::nullopt;
}

}  // namespace pravo::load
