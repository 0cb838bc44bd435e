#include "tools/pravoc/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>
#include <cstdlib>

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Unicode.h>

namespace pravo::cli {

Terminal::Terminal(std::FILE* stream, bool no_color) : stream_(stream) {
  int fd = ::fileno(stream);
  interactive_ = ::isatty(fd) == 1;
  const char* term = std::getenv("TERM");
  const char* no_color_env = std::getenv("NO_COLOR");
  bool dumb = term != nullptr && std::string_view(term) == "dumb";
  bool refused = no_color_env != nullptr && *no_color_env != '\0';
  color_ = interactive_ && !no_color && !dumb && !refused;
  winsize size{};
  if (interactive_ && ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) width_ = size.ws_col;
}

std::string Terminal::paint(Style style, std::string_view text) const {
  if (!color_ || style == Style::Plain) return std::string(text);
  auto code = [&]() -> std::string_view {
    switch (style) {
      case Style::Plain:
        return "0";
      case Style::Bold:
        return "1";
      case Style::Error:
        return "1;31";
      case Style::Warning:
        return "1;33";
      case Style::Note:
        return "1;36";
      case Style::Place:
        return "34";
      case Style::Add:
        return "32";
      case Style::Change:
        return "33";
      case Style::Remove:
        return "31";
      case Style::Faint:
        return "2";
    }
    return "0";
  }();
  std::string out = "\x1b[";
  out.append(code).append("m").append(text).append("\x1b[0m");
  return out;
}

void Terminal::write(std::string_view text) const {
  std::fwrite(text.data(), 1, text.size(), stream_);
  std::fflush(stream_);
}

size_t display_width(std::string_view text) {
  int columns = llvm::sys::unicode::columnWidthUTF8(llvm::StringRef(text.data(), text.size()));
  return columns < 0 ? text.size() : static_cast<size_t>(columns);
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 && c != '\n' && c != '\t') {
      out += "\xE2\x90";  // U+2400 "symbol for NUL" and the following: one picture a control character
      out += static_cast<char>(0x80 + byte);
    } else if (byte == 0x7F) {
      out += "\xE2\x90\xA1";
    } else {
      out += c;
    }
  }
  return out;
}

std::string wrap_text(std::string_view text, size_t indent, size_t width) {
  std::string out;
  size_t room = width > indent + 30 ? width - indent : 30;
  size_t column = 0;
  size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '\n') {
      out += '\n';
      out.append(indent, ' ');
      column = 0;
      ++at;
      continue;
    }
    size_t next = text.find_first_of(" \n", at);
    if (next == std::string_view::npos) next = text.size();
    std::string_view word = text.substr(at, next - at);
    size_t columns = display_width(word);
    if (column > 0 && column + 1 + columns > room) {
      out += '\n';
      out.append(indent, ' ');
      column = 0;
    } else if (column > 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += columns;
    at = next;
    if (at < text.size() && text[at] == ' ') ++at;
  }
  return out;
}

}  // namespace pravo::cli
