// `module` blocks.
#include "frontend/load/address.h"
#include "frontend/load/decode.h"
#include "frontend/load/literal.h"
#include "frontend/load/static_expr.h"
#include "ir/convert.h"
#include "ir/diagnostics/load.h"

namespace pravo::load {

namespace {

class ModuleDecoder {
 public:
  ModuleDecoder(FileContext& context, const RawBlock& block) : context_(context), block_(block) {
    call_.name = block.labels[0];
    call_.header = block.header;
    call_.complaint_range = block.body.missing;
  }

  ModuleCall decode() {
    check_identifier(context_, call_.name, "a module call");
    Content content = read_body(context_, block_.body, schema::kModule, context_.override_file);
    call_.arguments = std::move(content.rest);
    decode_version(content.find("version"));
    decode_source(content.find("source"), content.find("version") != nullptr);
    decode_repetition(context_, content, call_.count, call_.for_each);
    if (const Attribute* depends_on = content.find("depends_on")) {
      call_.depends_on_range = depends_on->range;
      call_.depends_on = decode_depends_on(context_, *depends_on);
    }
    if (const Attribute* providers = content.find("providers")) {
      call_.providers_range = providers->range;
      call_.providers = decode_provider_map(context_, providers->value);
    }
    SourceRange escaped;
    for (const RawBlock& nested : content.blocks) {
      if (escaped.valid()) {
        report_repeated_block(context_, nested, escaped, "a `module` block");
        continue;
      }
      escaped = nested.header;
      merge_escaped(context_, nested, call_.arguments);
    }
    return std::move(call_);
  }

 private:
  void decode_source(const Attribute* attribute, bool versioned) {
    if (attribute == nullptr) {
      call_.source_broken = !context_.override_file;
      return;
    }
    call_.source_range = attribute->value.range();
    auto text = constant_string(context_.sources, attribute->value, context_.diags);
    if (!text) {
      call_.source_broken = true;
      return;
    }
    ModuleSource source = parse_module_source(*text, versioned);
    if (source.kind == ModuleSource::Kind::Invalid) {
      call_.source_broken = true;
      auto built = context_.diags.emit(call_.source_range, diag::InvalidModuleSource, quoted(*text), source.fault);
      if (versioned && parse_module_source(*text, false).kind != ModuleSource::Kind::Invalid)
        built.help("remove `version`, which only modules of a registry have");
      else if (!versioned && !text->empty())
        built.help(fmt::format("a directory beside this module is written `./{}`", *text));
    }
    call_.source = std::move(*text);
  }

  void decode_version(const Attribute* attribute) {
    if (attribute == nullptr) return;
    auto value = evaluate_constant(context_.sources, attribute->value, context_.diags);
    if (!value || value->is_null()) return;
    SourceRange range = attribute->value.range();
    auto text = convert(*value, Type::string());
    if (!text.ok() || text->is_null()) {
      context_.diags.emit(range, diag::UnsuitableValue, "a string");
      return;
    }
    std::string version(text->as_string());
    if (check_version_constraint(context_, version, range)) call_.version = std::move(version);
  }

  FileContext& context_;
  const RawBlock& block_;
  ModuleCall call_;
};

}  // namespace

void decode_module_call(FileContext& context, const RawBlock& block, Declarations& out) {
  out.module.calls.push_back(ModuleDecoder(context, block).decode());
}

}  // namespace pravo::load
