// `lifecycle` blocks.
#include "frontend/load/decode.h"
#include "frontend/load/static_expr.h"
#include "ir/diagnostics/load.h"

namespace pravo::load {

namespace {

class LifecycleDecoder {
 public:
  LifecycleDecoder(FileContext& context, const RawBlock& block, Resource& resource)
      : context_(context), block_(block), resource_(resource) {}

  void decode() {
    resource_.lifecycle_range = block_.header;
    Content content = read_body(context_, block_.body, schema::kLifecycle);
    if (resource_.mode == ResourceMode::Managed)
      decode_arguments(content);
    else
      refuse_arguments(content);
    for (const RawBlock& nested : content.blocks) {
      CheckRule rule = decode_check_rule(context_, nested);
      check_self_reference(rule.condition, nested.row->name);
      check_self_reference(rule.error_message, nested.row->name);
      auto& rules = nested.row->name == "precondition" ? resource_.preconditions : resource_.postconditions;
      rules.push_back(rule);
    }
  }

 private:
  void decode_arguments(const Content& content) {
    if (auto flag = decode_bool(context_, content, "create_before_destroy")) {
      resource_.create_before_destroy = *flag;
      resource_.create_before_destroy_set = true;
    }
    if (auto flag = decode_bool(context_, content, "prevent_destroy")) {
      resource_.prevent_destroy = *flag;
      resource_.prevent_destroy_set = true;
    }
    if (const Attribute* ignore = content.find("ignore_changes")) decode_ignore_changes(*ignore);
    if (const Attribute* triggers = content.find("replace_triggered_by")) decode_triggers(*triggers);
  }

  // Conditions are all that the lifecycle of a data source or an ephemeral resource has.
  void refuse_arguments(const Content& content) {
    for (size_t i = 0; i < content.schema->arguments.size(); ++i) {
      const Attribute& attribute = content.arguments[i];
      if (!attribute.value.valid() || content.schema->arguments[i].presence == Presence::Newer) continue;
      context_.diags.emit(attribute.name.range, diag::LifecycleArgument, content.schema->arguments[i].name,
                          resource_.mode == ResourceMode::Data ? "a data source" : "an ephemeral resource");
    }
  }

  void decode_ignore_changes(const Attribute& attribute) {
    resource_.ignore_changes_range = attribute.range;
    Expr whole = attribute.value;
    if (context_.tree.kind(whole.node) != hcl::NodeKind::Tuple) {
      // In JSON the string "all"; a quoted one of native syntax is no keyword.
      bool quoted = !context_.tree.json && context_.tree.kind(whole.node) == hcl::NodeKind::Template;
      Expr view = quoted ? whole : static_view(context_, whole);
      auto keyword = quoted ? std::nullopt : as_keyword(context_.sources, view);
      if (keyword && *keyword == "all") {
        resource_.ignore_all_changes = true;
        return;
      }
    }
    auto elements = static_list(context_, whole);
    if (!elements) return;
    for (Expr element : *elements) {
      if (auto text = as_quoted_text(context_.sources, element); text && *text == "*") {
        context_.diags.emit(whole.range(), diag::IgnoreChangesWildcard).fix(whole.range(), "all", "write `all`");
        continue;
      }
      Expr view = reference_element(context_, element, RefersTo::Object);
      if (!view) continue;
      if (as_reference(context_.sources, view))
        resource_.ignore_changes.push_back(view);
      else
        context_.diags.emit(element.range(), diag::InvalidReference, "the name of an attribute");
    }
  }

  void decode_triggers(const Attribute& attribute) {
    resource_.replace_triggered_by_range = attribute.range;
    auto elements = static_list(context_, attribute.value);
    if (!elements) return;
    for (Expr element : *elements) {
      Expr view = context_.tree.json ? static_view(context_, element) : element;
      if (view && check_trigger(view)) resource_.replace_triggered_by.push_back(view);
    }
  }

  // A trigger is an expression with one resource in it; count.index and each.key may choose its instance.
  bool check_trigger(Expr view) {
    size_t resources = 0;
    bool fine = true;
    auto refuse = [&](std::string_view fact) {
      if (fine) context_.diags.emit(view.range(), diag::InvalidTrigger, fact);
      fine = false;
    };
    each_reference(context_.sources, view, [&](const Reference& reference) {
      std::string_view root = reference.root;
      if (root == "each") {
        if (!reference.is_attribute(0, "key")) refuse("of `each` only `each.key` may be used here");
      } else if (root == "count") {
        if (!reference.is_attribute(0, "index")) refuse("of `count` only `count.index` may be used here");
      } else if (root == "var" || root == "local" || root == "module" || root == "path" || root == "terraform" ||
                 root == "self") {
        refuse(fmt::format("`{}` refers to no resource", context_.sources.text(reference.range)));
      } else {
        ++resources;
        size_t names = root == "data" || root == "ephemeral" || root == "resource" ? 2 : 1;
        for (size_t i = 0; i < names; ++i)
          if (i >= reference.steps.size() || reference.steps[i].kind != ReferenceStep::Kind::Attribute)
            refuse(fmt::format("`{}` lacks the name of a resource", context_.sources.text(reference.range)));
      }
    });
    if (fine && resources != 1) refuse(resources == 0 ? "it refers to no resource" : "it refers to several resources");
    return fine;
  }

  // The object's own conditions see it as `self`, after it is there.
  void check_self_reference(Expr expr, std::string_view kind) {
    if (!expr) return;
    std::string_view type = context_.names.text(resource_.type.id);
    std::string_view name = context_.names.text(resource_.name.id);
    bool own = false;
    each_reference(context_.sources, expr, [&](const Reference& reference) {
      switch (resource_.mode) {
        case ResourceMode::Managed:
          own = own || (reference.root == type && reference.is_attribute(0, name)) ||
                (reference.root == "resource" && reference.is_attribute(0, type) && reference.is_attribute(1, name));
          break;
        case ResourceMode::Data:
          own = own || (reference.root == "data" && reference.is_attribute(0, type) && reference.is_attribute(1, name));
          break;
        case ResourceMode::Ephemeral:
          own = own ||
                (reference.root == "ephemeral" && reference.is_attribute(0, type) && reference.is_attribute(1, name));
          break;
      }
    });
    if (!own) return;
    auto built = context_.diags.emit(expr.range(), diag::ConditionSelfReference, kind);
    built.help(kind == "postcondition" ? "a postcondition refers to the object as `self`"
                                       : "a precondition is judged before the object is there");
  }

  FileContext& context_;
  const RawBlock& block_;
  Resource& resource_;
};

}  // namespace

void decode_lifecycle(FileContext& context, const RawBlock& block, Resource& resource) {
  LifecycleDecoder(context, block, resource).decode();
}

}  // namespace pravo::load
