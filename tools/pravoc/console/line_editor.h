// The editor of a line at a terminal, with history and completion. There is one terminal, so there is one editor.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pravo::cli {

class LineEditor {
 public:
  using Completer = std::function<std::vector<std::string>(std::string_view word)>;

  explicit LineEditor(Completer completer);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  struct Line {
    enum class Kind : uint8_t {
      Text,
      Interrupted,  // by Ctrl-C; `text` is what had been typed
      End,          // Ctrl-D on an empty line, or the terminal is gone
    } kind = Kind::Text;
    std::string text;
  };
  Line read(std::string_view prompt);

  // Keeps an input for the arrow keys, in memory.
  void remember(const std::string& input);
};

}  // namespace pravo::cli
