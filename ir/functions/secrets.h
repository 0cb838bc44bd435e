// Password hashing and RSA decryption, behind which libcrypt and OpenSSL are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ir/keys.h"

namespace pravo::functions {

// "$2a$10$..." of at most 72 bytes of password, with 16 bytes of salt.
std::string bcrypt_hash(std::string_view password, unsigned cost, const unsigned char* salt);

struct RsaResult {
  enum class Fault : uint8_t { None, BadKey, NotRsa, Decrypt } fault = Fault::None;
  Str text;
};
// Decrypts PKCS #1 v1.5 with a private key in PEM (PKCS #1, PKCS #8) or OpenSSH form, without a passphrase.
RsaResult rsa_decrypt(std::string_view key, std::string_view ciphertext);

}  // namespace pravo::functions
