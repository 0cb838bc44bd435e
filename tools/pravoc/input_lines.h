// Standard input, by lines or as a whole. It may be a device that never ends, so both are bounded.
#pragma once

#include <cstddef>
#include <istream>
#include <string>

namespace pravo::cli {

// Bytes of a line, or of all the input that is kept at a time.
inline constexpr size_t kMaxInput = size_t{64} << 20;

enum class InputEnd { None, End, TooLong };

// Reads a line without its end, a line break unless told otherwise. None: there is one.
InputEnd read_line(std::istream& in, std::string& line, char end = '\n');

// Reads to the end. End: that is all.
InputEnd read_all(std::istream& in, std::string& text);

// "a line of standard input has more than 64 MiB"
std::string too_long_message(bool line);

}  // namespace pravo::cli
