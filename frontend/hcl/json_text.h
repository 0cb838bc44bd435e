// Text of JSON strings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pravo::hcl {

// Replaces the escape sequences of `raw`, the inside of a JSON string or a part of it; `raw` has been checked. With
// `offsets`: for each byte of the result and for its end, the offset in `raw` it comes from.
std::string decode_json_text(std::string_view raw, std::vector<uint32_t>* offsets = nullptr);

}  // namespace pravo::hcl
