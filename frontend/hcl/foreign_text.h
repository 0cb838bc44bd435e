// What other tools leave in files that should be configuration: another encoding, and conflicts of a merge.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/hcl/token.h"

namespace pravo::hcl {

// Whether the text is UTF-16, by its byte order mark or by the zero bytes of its first characters.
bool is_utf16(std::string_view text);

// The text with one side of every merge conflict, that above `=======`, and blanks for the rest; as long as the text
// itself, so that offsets stay what they are. `markers` gets the place of each `<<<<<<<` line. Empty without conflicts.
std::string without_conflicts(std::string_view text, std::vector<TokenSpan>& markers);

}  // namespace pravo::hcl
