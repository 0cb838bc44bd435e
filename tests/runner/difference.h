// Two texts line by line, for people.
#pragma once

#include <string>
#include <string_view>

namespace pravo::testing {

// Lines that only `expected` has with `- `, those that only `found` has with `+ `, and a few around them with `  `.
std::string difference(std::string_view expected, std::string_view found);

}  // namespace pravo::testing
