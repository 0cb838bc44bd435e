#include "tools/pravoc/report.h"

#include "tools/pravoc/render_json.h"
#include "tools/pravoc/render_text.h"

namespace pravo::cli {

void report_text(Session& session, const Compilation& compilation) {
  RenderContext context{compilation.sources, compilation.prefix, session.err()};
  std::string out;
  for (const Diagnostic& diagnostic : compilation.diags.all()) {
    out += render_text(context, diagnostic);
    out += '\n';
  }
  if (!out.empty()) session.err().write(out);
}

std::string report_json(const std::vector<const Compilation*>& compilations) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  size_t errors = 0;
  size_t warnings = 0;
  for (const Compilation* compilation : compilations) {
    JsonContext context{compilation->sources, compilation->prefix,
                        [&](SourceRange range) { return enclosing_block(*compilation, range); }};
    errors += compilation->diags.error_count();
    warnings += compilation->diags.warning_count();
    for (const Diagnostic& diagnostic : compilation->diags.all())
      list.push_back(diagnostic_to_json(context, diagnostic));
  }
  Json out{{"format_version", "1.0"},
           {"valid", errors == 0},
           {"error_count", errors},
           {"warning_count", warnings},
           {"diagnostics", std::move(list)}};
  // Source text may be invalid UTF-8, which JSON cannot carry: replaced, never an exception.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace pravo::cli
