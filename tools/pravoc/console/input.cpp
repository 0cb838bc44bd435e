#include "tools/pravoc/console/input.h"

#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>

#include "frontend/hcl/parse.h"
#include "ir/diagnostics/syntax.h"
#include "runtime/state/file_io.h"

namespace pravo::cli {

namespace {
constexpr size_t kMaxInputs = 1000;
}

bool wants_more(std::string_view input) {
  SourceManager sources;
  // The marker of a heredoc is one only with its line's end.
  FileId file = sources.add("input", std::string(input) + "\n");
  Diagnostics diags;
  hcl::parse_expression(sources, file, diags);
  bool more = false;
  for (const Diagnostic& diagnostic : diags.all()) {
    if (diagnostic.kind == diag::UnterminatedHeredoc.kind || diagnostic.kind == diag::UnterminatedComment.kind)
      more = true;
    // A string ends on its line, so nothing that follows helps.
    if (diagnostic.kind == diag::UnterminatedString.kind) return false;
    // At a closing bracket it says that this is the wrong one; at an opening one, that the end of the text came.
    if (diagnostic.kind == diag::UnclosedBracket.kind &&
        std::string_view(")]}").find(sources.text(file)[diagnostic.range.begin]) == std::string_view::npos)
      more = true;
  }
  return more;
}

InputHistory::InputHistory() {
  if (const char* path = std::getenv("PRAVOC_CONSOLE_HISTORY"); path != nullptr) path_ = path;
}

std::vector<std::string> InputHistory::read() const {
  std::vector<std::string> out;
  if (path_.empty()) return out;
  runtime::FileError ignored;
  std::string text = runtime::read_file(path_, ignored).value_or("");
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  if (out.size() > kMaxInputs) out.erase(out.begin(), out.end() - kMaxInputs);
  return out;
}

void InputHistory::append(std::string_view input) const {
  if (path_.empty() || input.find('\n') != std::string_view::npos) return;
  int fd = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return;
  std::string line(input);
  line += '\n';
  // A history that cannot be written is no reason to stop.
  [[maybe_unused]] ssize_t written = ::write(fd, line.data(), line.size());
  ::close(fd);
}

}  // namespace pravo::cli
