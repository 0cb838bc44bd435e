// The text of templates: escapes, strip markers, heredoc indentation. The public entry points are template_parts()
// and literal_text() in parse.h; here is what the tree builder needs of them.
//
// A literal is looked at in units: a quoted template's literal is one unit, in all other forms each line is one. A
// strip marker takes the white space of the unit next to it, not more. After that a heredoc `<<-` loses as much
// white space at its line starts as the least indented line has; lines that are all white space do not count, and a
// template sequence at a line start counts as a line without indentation.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "frontend/hcl/syntax.h"

namespace pravo::hcl {

// Writes into the TemplateBody nodes below `node` (a Template that was just built) what they cannot know by
// themselves: the form of the template, the indentation it loses. `text` is what the nodes' ranges point into, with
// no JSON escapes.
void prepare_template_bodies(std::string_view text, Words& words, uint32_t node);

}  // namespace pravo::hcl
