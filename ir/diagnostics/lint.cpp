#include "ir/diagnostics/lint.h"

#include <algorithm>
#include <iterator>

#include "ir/diagnostics/load.h"
#include "ir/diagnostics/lower.h"
#include "ir/diagnostics/passes.h"

namespace pravo {

namespace {

constexpr DiagnosticKind kLint[] = {
    // What is of no use.
    diag::UnusedVariable.kind,
    diag::UnusedLocal.kind,
    diag::UnusedData.kind,
    diag::ExperimentConcluded.kind,
    diag::RedundantProviderBlock.kind,
    diag::DuplicateRequirement.kind,
    // What should be said in another way.
    diag::QuotedReference.kind,
    diag::ProviderVersionArgument.kind,
    diag::ImpliedProviderName.kind,
    diag::AssumedProvider.kind,
    // What only comes to matter one day.
    diag::CaughtUnknownFunction.kind,
    diag::CaughtArgumentCount.kind,
    diag::LatentFault.kind,
    // Where secrets go, as the text alone shows it.
    diag::CouldBeEphemeral.kind,
    diag::EphemeralInMessage.kind,
    diag::SensitiveInMessage.kind,
    diag::DeclaredSensitiveShown.kind,
    diag::AssumedWriteOnly.kind,
    diag::DataThroughEphemeralProvider.kind,
    diag::ProviderFromResource.kind,
};

constexpr bool has_error() {
  for (DiagnosticKind kind : kLint)
    if (kind.row().severity == Severity::Error) return true;
  return false;
}
static_assert(!has_error(), "an error is never only about the text");

}  // namespace

bool is_lint(DiagnosticKind kind) { return std::find(std::begin(kLint), std::end(kLint), kind) != std::end(kLint); }

}  // namespace pravo
