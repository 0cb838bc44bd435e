#include "tools/pravoc/input_lines.h"

#include <streambuf>

#include <fmt/format.h>

namespace pravo::cli {

namespace {

InputEnd read_until(std::istream& in, std::string& text, int stop) {
  using Traits = std::streambuf::traits_type;
  text.clear();
  std::streambuf* buffer = in.rdbuf();
  for (int c = buffer->sbumpc();; c = buffer->sbumpc()) {
    if (c == Traits::eof()) return InputEnd::End;
    if (c == stop) return InputEnd::None;
    if (text.size() == kMaxInput) return InputEnd::TooLong;
    text += Traits::to_char_type(c);
  }
}

}  // namespace

InputEnd read_line(std::istream& in, std::string& line, char end) {
  InputEnd found = read_until(in, line, end);
  // The last line needs no break.
  return found == InputEnd::End && !line.empty() ? InputEnd::None : found;
}

InputEnd read_all(std::istream& in, std::string& text) { return read_until(in, text, -2); }

std::string too_long_message(bool line) {
  return fmt::format("{} has more than {} MiB", line ? "a line of standard input" : "standard input", kMaxInput >> 20);
}

}  // namespace pravo::cli
