// `resource`, `data` and `ephemeral` blocks.
#include "frontend/load/address.h"
#include "frontend/load/decode.h"
#include "frontend/load/static_expr.h"
#include "ir/diagnostics/load.h"

namespace pravo::load {

namespace {

const BodySchema& schema_of(ResourceMode mode) {
  switch (mode) {
    case ResourceMode::Managed:
      return schema::kResource;
    case ResourceMode::Data:
      return schema::kData;
    case ResourceMode::Ephemeral:
      return schema::kEphemeral;
  }
  PRAVOC_UNREACHABLE();
}

std::string_view noun_of(ResourceMode mode) {
  switch (mode) {
    case ResourceMode::Managed:
      return "a resource";
    case ResourceMode::Data:
      return "a data source";
    case ResourceMode::Ephemeral:
      return "an ephemeral resource";
  }
  PRAVOC_UNREACHABLE();
}

std::string_view type_noun_of(ResourceMode mode) {
  switch (mode) {
    case ResourceMode::Managed:
      return "the type of a resource";
    case ResourceMode::Data:
      return "the type of a data source";
    case ResourceMode::Ephemeral:
      return "the type of an ephemeral resource";
  }
  PRAVOC_UNREACHABLE();
}

class ResourceDecoder {
 public:
  ResourceDecoder(FileContext& context, const RawBlock& block, ResourceMode mode) : context_(context), block_(block) {
    resource_.mode = mode;
    resource_.type = block.labels[0];
    resource_.name = block.labels[1];
    resource_.header = block.header;
  }

  Resource decode() {
    check_names();
    Content content = read_body(context_, block_.body, schema_of(resource_.mode));
    resource_.config = std::move(content.rest);
    decode_repetition(context_, content, resource_.count, resource_.for_each);
    if (const Attribute* depends_on = content.find("depends_on")) {
      resource_.depends_on_range = depends_on->range;
      resource_.depends_on = decode_depends_on(context_, *depends_on);
    }
    if (Expr provider = content.value("provider"))
      resource_.provider = decode_provider_ref(context_, provider, "provider");
    for (const RawBlock& nested : content.blocks) decode_block(nested);
    refuse_provisioners();
    check_destroy_time();
    return std::move(resource_);
  }

 private:
  void check_names() {
    bool type_ok = check_identifier(context_, resource_.type, type_noun_of(resource_.mode));
    check_identifier(context_, resource_.name, noun_of(resource_.mode));
    if (!type_ok) return;
    // The provider is named by the type's first word.
    std::string_view type = context_.names.text(resource_.type.id);
    std::string_view provider = type.substr(0, type.find('_'));
    if (auto fault = provider_name_fault(provider))
      context_.diags.emit(resource_.header, diag::InvalidProviderName, provider, *fault)
          .help(
              "the first word of a resource type is its provider's name, where no `provider` argument says otherwise");
  }

  void decode_block(const RawBlock& nested) {
    std::string_view type = nested.row->name;
    if (type == "lifecycle") {
      if (resource_.lifecycle_range.valid())
        report_repeated_block(context_, nested, resource_.lifecycle_range, noun_of(resource_.mode));
      else
        decode_lifecycle(context_, nested, resource_);
    } else if (type == "connection") {
      if (resource_.connection) {
        report_repeated_block(context_, nested, connection_range_, noun_of(resource_.mode));
        return;
      }
      connection_range_ = nested.header;
      resource_.connection = read_open_body(context_, nested.body);
    } else if (type == "provisioner") {
      if (auto provisioner = decode_provisioner(context_, nested, false))
        resource_.provisioners.push_back(std::move(*provisioner));
    } else {
      if (escaped_.valid()) {
        report_repeated_block(context_, nested, escaped_, noun_of(resource_.mode));
        return;
      }
      escaped_ = nested.header;
      merge_escaped(context_, nested, resource_.config);
    }
  }

  // Only what is created can be provisioned. A provider's own block of this name would have no label.
  void refuse_provisioners() {
    if (resource_.mode == ResourceMode::Managed) return;
    for (const Block& nested : resource_.config.blocks)
      if (nested.labels.size() == 1 && context_.names.text(nested.type.id) == "provisioner")
        context_.diags.emit(nested.header, diag::ProvisionerNotAllowed, noun_of(resource_.mode));
  }

  void check_destroy_time() {
    bool any = false;
    for (const Provisioner& provisioner : resource_.provisioners) {
      if (!provisioner.on_destroy) continue;
      any = true;
      check_destroy_references(context_, provisioner.config);
      if (provisioner.connection) check_destroy_references(context_, *provisioner.connection);
    }
    if (any && resource_.connection) check_destroy_references(context_, *resource_.connection);
  }

  FileContext& context_;
  const RawBlock& block_;
  Resource resource_;
  SourceRange connection_range_;
  SourceRange escaped_;
};

}  // namespace

void decode_resource(FileContext& context, const RawBlock& block, ResourceMode mode, Declarations& out) {
  out.module.resources.push_back(ResourceDecoder(context, block, mode).decode());
}

}  // namespace pravo::load
