// Indented text as plans and states show it: lines with a mark in front, nested by four columns.
//
//   + name = [        content of level 1 starts at `base + 4`, its mark two columns before
//       + "a",        content of level 2 four columns further
//     ]
#pragma once

#include <string>
#include <string_view>

namespace pravo::runtime {

enum class Mark : char { None = ' ', Create = '+', Delete = '-', Update = '~' };

class TextTree {
 public:
  TextTree(unsigned base, bool color) : base_(base), color_(color) {}

  // Starts a line of a level: indentation and mark.
  void line(unsigned level, Mark mark) {
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
    size_t content = base_ + 4 * static_cast<size_t>(level);
    out_.append(content - 2, ' ');
    append_mark(mark);
    out_ += ' ';
  }
  // A line without mark whose text starts at the level's content column, for closing brackets and remarks.
  void plain_line(unsigned level, std::string_view text) {
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
    out_.append(base_ + 4 * static_cast<size_t>(level), ' ');
    out_ += text;
  }
  void remark(unsigned level, std::string_view text) {
    plain_line(level, "");
    style("\033[90m", text);
  }
  void text(std::string_view t) { out_ += t; }
  void arrow() { style("\033[33m", " -> "); }
  void style(std::string_view code, std::string_view t) {
    if (color_) out_ += code;
    out_ += t;
    if (color_) out_ += "\033[0m";
  }
  bool empty() const { return out_.empty(); }
  void new_line() {
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
  }
  std::string take() && {
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
    return std::move(out_);
  }

 private:
  void append_mark(Mark mark) {
    switch (mark) {
      case Mark::None:
        out_ += ' ';
        return;
      case Mark::Create:
        return style("\033[32m", "+");
      case Mark::Delete:
        return style("\033[31m", "-");
      case Mark::Update:
        return style("\033[33m", "~");
    }
  }

  unsigned base_;
  bool color_;
  std::string out_;
};

}  // namespace pravo::runtime
