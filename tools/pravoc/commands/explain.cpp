// `pravoc explain [ID]`: the page of a diagnostic, or the list of all.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ir/diagnostics.h"
#include "tools/pravoc/session.h"

namespace pravo::cli {

namespace {

struct Page {
  std::string_view id;
  std::string_view text;
};

constexpr Page kPages[] = {
#define PRAVO_DIAGNOSTIC_PAGE(id, text) {id, text},
#include "diagnostic_pages.inc"
#undef PRAVO_DIAGNOSTIC_PAGE
    {"", ""}};

// The first sentence below the heading, which is the id, on one line.
std::string page_title(std::string_view text) {
  text.remove_prefix(std::min(text.find('\n'), text.size()));
  text.remove_prefix(std::min(text.find_first_not_of('\n'), text.size()));
  text = text.substr(0, text.find("\n\n"));
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    bool blank = text[i] == '\n' || text[i] == ' ';
    if (blank && out.ends_with('.') && !out.ends_with("e.g.") && !out.ends_with("i.e.")) break;
    out += blank ? ' ' : text[i];
  }
  if (out.ends_with('.') || out.ends_with(':')) out.pop_back();
  return out;
}

void list_pages(Session& session) {
  std::string out;
  for (const Page& page : kPages)
    if (!page.id.empty()) out += fmt::format("{:<36} {}\n", page.id, page_title(page.text));
  session.out().write(out);
}

}  // namespace

void add_explain_command(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("explain", "Explain a diagnostic: what it means, an example, how to fix it");
  auto id = std::make_shared<std::string>();
  command->add_option("ID", *id, "the id in brackets behind a message; without one, all ids are listed");
  command->callback([id, &session] {
    if (id->empty()) {
      list_pages(session);
      return;
    }
    std::string_view wanted = *id;
    if (wanted.starts_with('[') && wanted.ends_with(']')) wanted = wanted.substr(1, wanted.size() - 2);
    std::vector<std::string_view> ids;
    for (const Page& page : kPages) {
      if (page.id == wanted && !page.id.empty()) {
        session.out().write(std::string(page.text) + (page.text.ends_with('\n') ? "" : "\n"));
        return;
      }
      ids.push_back(page.id);
    }
    std::string_view near = closest_name(wanted, ids);
    session.err().write(
        fmt::format("error: there is no diagnostic `{}`{}\n", printable(wanted),
                    near.empty() ? "; `pravoc explain` lists all" : fmt::format("; did you mean `{}`?", near)));
    session.exit_code = kError;
  });
}

}  // namespace pravo::cli
