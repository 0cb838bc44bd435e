#include "frontend/lower/expression_scope.h"

#include "frontend/lower/body.h"

namespace pravo::lower {

ExpressionScope::ExpressionScope(const load::Configuration& configuration, const SourceManager& sources, Names& names,
                                 Diagnostics& diags, const LowerOptions& options)
    : shared_(std::make_unique<Shared>(configuration, sources, names, collected_, options)),
      root_(lower_modules(*shared_)) {
  diags.append(std::exchange(collected_, {}));
}

ExpressionScope::~ExpressionScope() = default;

const Program& ExpressionScope::program() const { return shared_->program; }

InstId ExpressionScope::add(load::Expr expr, Diagnostics& diags) {
  InstId value = root_->add_expression(expr);
  diags.append(std::exchange(collected_, {}));
  return value;
}

InstId ExpressionScope::add_local(std::string_view name, load::Expr expr, Diagnostics& diags) {
  InstId value = root_->add_local(name, expr);
  diags.append(std::exchange(collected_, {}));
  return value;
}

}  // namespace pravo::lower
