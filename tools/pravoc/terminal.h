// What the terminal can show, and the few escape sequences that we use.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace pravo::cli {

enum class Style { Plain, Bold, Error, Warning, Note, Place, Add, Change, Remove, Faint };

class Terminal {
 public:
  // `stream` decides about colour and width: only a terminal gets them, and NO_COLOR or TERM=dumb forbid
  // colour (no-color.org).
  Terminal(std::FILE* stream, bool no_color);

  bool interactive() const { return interactive_; }
  bool color() const { return color_; }
  unsigned width() const { return width_; }  // columns; 78 where there is no terminal

  std::string paint(Style style, std::string_view text) const;
  void write(std::string_view text) const;

 private:
  std::FILE* stream_;
  bool interactive_ = false;
  bool color_ = false;
  unsigned width_ = 78;
};

// The number of columns that UTF-8 text takes.
size_t display_width(std::string_view text);

// Control characters of untrusted text, made visible, so that a file cannot steer the terminal.
std::string printable(std::string_view text);

// The text in lines of at most `width` columns, broken at blanks, with `indent` columns before every line but the
// first. There is room for 30 columns, whatever the width, and for a word that is longer.
std::string wrap_text(std::string_view text, size_t indent, size_t width);

}  // namespace pravo::cli
