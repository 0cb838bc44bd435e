// What is typed at a prompt: whole inputs out of lines, and the memory of earlier ones.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pravo::cli {

// Whether an input goes on in the next line: a bracket, a template sequence, a heredoc or a comment is open at its end.
bool wants_more(std::string_view input);

// Inputs of earlier sessions. Nothing is kept unless PRAVOC_CONSOLE_HISTORY names a file, since an input may hold a
// secret that its author typed; and nothing that failed or whose answer carries a mark.
class InputHistory {
 public:
  InputHistory();
  std::vector<std::string> read() const;
  void append(std::string_view input) const;

 private:
  std::string path_;
};

}  // namespace pravo::cli
