#include "passes/fixes.h"

#include <fmt/format.h>

namespace pravo::passes {

namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || text.front() == '\r')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::optional<FixEdit> declare(const SourceManager& sources, SourceRange header, std::string_view argument,
                               std::string description) {
  if (!header.valid()) return std::nullopt;
  std::string_view name = sources.name(header.file);
  if (!name.ends_with(".tf") && !name.ends_with(".tofu")) return std::nullopt;
  std::string_view text = sources.text(header.file);
  size_t brace = header.end;
  while (brace < text.size() && (text[brace] == ' ' || text[brace] == '\t')) ++brace;
  if (brace >= text.size() || text[brace] != '{') return std::nullopt;
  auto at = static_cast<uint32_t>(brace + 1);
  size_t line_end = std::min(text.find('\n', brace), text.size());
  std::string_view rest = trim(text.substr(brace + 1, line_end - brace - 1));
  if (rest.empty() || rest.front() == '#' || rest.starts_with("//")) {
    // The block ends with a brace at the start of a line; before it the argument must not stand already.
    size_t end = text.find("\n}", brace);
    if (end == std::string_view::npos) return std::nullopt;
    if (text.substr(brace, end - brace).find(argument) != std::string_view::npos) return std::nullopt;
    auto place = static_cast<uint32_t>(line_end);
    if (place > at && text[place - 1] == '\r') --place;
    return FixEdit{{header.file, place, place}, fmt::format("\n  {} = true", argument), std::move(description)};
  }
  // A block on one line, of at most one argument.
  if (rest.back() != '}' || rest.find(argument) != std::string_view::npos) return std::nullopt;
  std::string_view inside = trim(rest.substr(0, rest.size() - 1));
  if (inside.find_first_of("{}\"#/") != std::string_view::npos) return std::nullopt;
  auto close = static_cast<uint32_t>(text.rfind('}', line_end - 1));
  std::string replacement =
      inside.empty() ? fmt::format(" {} = true ", argument) : fmt::format("\n  {}\n  {} = true\n", inside, argument);
  return FixEdit{{header.file, at, close}, std::move(replacement), std::move(description)};
}

}  // namespace pravo::passes
