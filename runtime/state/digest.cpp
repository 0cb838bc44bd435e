#include "runtime/state/digest.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include "ir/check.h"

namespace pravo::runtime {

std::string sha256_hex(std::string_view text) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  PRAVOC_CHECK(EVP_Digest(text.data(), text.size(), digest, &size, EVP_sha256(), nullptr) == 1);
  std::string out;
  for (unsigned i = 0; i < size; ++i) out += fmt::format("{:02x}", digest[i]);
  return out;
}

}  // namespace pravo::runtime
