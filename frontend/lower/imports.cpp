// `import`, `moved` and `removed` blocks.
#include "frontend/lower/body.h"

namespace pravo::lower {

void BodyLowering::lower_imports() {
  for (const load::Import& import : module_.imports) {
    unsupported(import.header, "`import`");
    ImportInfo info;
    info.range = import.header;
    info.to = import.to ? std::string(text(import.to.range())) : std::string();
    Context context;
    if (import.for_each) {
      context.kind = Context::Kind::Block;
      context.each = reserve(OpKind::ExpandForEach, types_.any, import.for_each.range());
      Context repetition;
      repetition.kind = Context::Kind::Repetition;
      lower_expansion(context.each, {}, import.for_each, repetition, /*lists=*/true);
      Ref value{body_.operand(context.each, 0), import.for_each.range()};
      info.for_each = add(OpKind::Use, types_.any, {value}, value.range);
      body_.inst(info.for_each).flags = static_cast<uint16_t>(UseKind::ImportForEach);
    }
    if (load::Expr id = import.id ? import.id : import.identity) {
      Ref value = lower(id, context);
      if (import.id) {
        const Context* outer = std::exchange(context_, &context);
        want(value, types_.string, "`id`");
        context_ = outer;
      }
      info.id = add(OpKind::Use, types_.any, {value}, value.range);
      body_.inst(info.id).flags = static_cast<uint16_t>(UseKind::ImportId);
    }
    // The key of `to` may be computed from `each`.
    if (import.for_each && import.to && import.to.tree->kind(import.to.node) == hcl::NodeKind::Index)
      lower({import.to.tree, import.to.tree->child(import.to.node, 1)}, context);
    body_.imports.push_back(std::move(info));
  }
}

void BodyLowering::lower_refactorings() {
  for (const load::Moved& moved : module_.moved) unsupported(moved.header, "`moved`");
  for (const load::Removed& removed : module_.removed) unsupported(removed.header, "`removed`");
}

}  // namespace pravo::lower
