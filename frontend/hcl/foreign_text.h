// What other tools leave in files that should be configuration: another encoding, no text at all, and conflicts of a
// merge.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/hcl/token.h"

namespace pravo::hcl {

// Whether the text is UTF-16, by its byte order mark or by the zero bytes of its first characters.
bool is_utf16(std::string_view text);

// Whether git-crypt has encrypted the file, by its header.
bool is_git_crypt(std::string_view text);

// Whether the file is no text in any encoding, but encrypted, compressed or a program: whether its first bytes hold
// many control characters that no text has. A few are a slip, and have a place that can be shown. Never where
// is_utf16().
bool is_binary(std::string_view text);

// The text with one side of every merge conflict, that above `=======`, and blanks for the rest; as long as the text
// itself, so that offsets stay what they are. `markers` gets the place of each `<<<<<<<` line. Empty without conflicts.
std::string without_conflicts(std::string_view text, std::vector<TokenSpan>& markers);

}  // namespace pravo::hcl
