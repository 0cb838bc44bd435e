// Expressions that come after the configuration: what a user types at a prompt, one at a time. They are lowered as
// every other, into the root module's body behind what is there, with its names in scope.
#pragma once

#include <memory>
#include <string_view>

#include "frontend/lower/lower.h"

namespace pravo::lower {

struct Shared;
class BodyLowering;

class ExpressionScope {
 public:
  // Lowers the configuration as lower() does. All arguments must outlive the scope.
  ExpressionScope(const load::Configuration& configuration, const SourceManager& sources, Names& names,
                  Diagnostics& diags, const LowerOptions& options);
  ~ExpressionScope();
  ExpressionScope(const ExpressionScope&) = delete;
  ExpressionScope& operator=(const ExpressionScope&) = delete;

  // Grows with each expression; what is there already never changes.
  const Program& program() const;
  // The value of an expression. Types that do not fit are left to its evaluation, which finds them as they are. Where
  // something in it means nothing, that was reported and the value is of no use.
  InstId add(load::Expr expr, Diagnostics& diags);
  // The same under a name: a `local` that only the printed program shows.
  InstId add_local(std::string_view name, load::Expr expr, Diagnostics& diags);

 private:
  Diagnostics collected_;  // where the lowering reports
  std::unique_ptr<Shared> shared_;
  std::unique_ptr<BodyLowering> root_;
};

}  // namespace pravo::lower
