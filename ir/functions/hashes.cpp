// Hashes, passwords and keys: base64sha* bcrypt md5 rsadecrypt sha* uuid uuidv5, and the hashes of files.
#include <openssl/evp.h>

#include <fmt/format.h>

#include "ir/check.h"
#include "ir/functions/bytes.h"
#include "ir/functions/call.h"
#include "ir/functions/files.h"
#include "ir/functions/secrets.h"

namespace pravo::functions {

namespace {

struct Digest {
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  std::string_view view() const { return {reinterpret_cast<const char*>(bytes), size}; }
};

// Looking an algorithm up costs more than hashing a short text, so it is done once.
const EVP_MD* algorithm(const char* name) {
  EVP_MD* found = EVP_MD_fetch(nullptr, name, nullptr);
  PRAVOC_CHECK(found != nullptr);
  return found;
}
const EVP_MD* md5() {
  static const EVP_MD* found = algorithm("MD5");
  return found;
}
const EVP_MD* sha1() {
  static const EVP_MD* found = algorithm("SHA1");
  return found;
}
const EVP_MD* sha256() {
  static const EVP_MD* found = algorithm("SHA256");
  return found;
}
const EVP_MD* sha512() {
  static const EVP_MD* found = algorithm("SHA512");
  return found;
}

Digest digest(const EVP_MD* algorithm, std::string_view text) {
  Digest d;
  PRAVOC_CHECK(EVP_Digest(text.data(), text.size(), d.bytes, &d.size, algorithm, nullptr) == 1);
  return d;
}

Value hex(const Digest& d) {
  StrBuilder out;
  append_hex(out, d.view());
  return Value::string(std::move(out).finish());
}

Value base64(const Digest& d) {
  StrBuilder out;
  append_base64(out, d.view());
  return Value::string(std::move(out).finish());
}

using Encode = Value (*)(const Digest&);

Result<Value> hash_text(const Call& call, const EVP_MD* algorithm, Encode encode) {
  return encode(digest(algorithm, call.text(0)));
}

Result<Value> hash_file(const Call& call, const EVP_MD* algorithm, Encode encode) {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  PRAVOC_CHECK(context != nullptr && EVP_DigestInit_ex2(context.get(), algorithm, nullptr) == 1);
  PRAVO_TRY(read, read_file(call, 0, [&](std::string_view part) {
              PRAVOC_CHECK(EVP_DigestUpdate(context.get(), part.data(), part.size()) == 1);
              return true;
            }));
  static_cast<void>(read);
  Digest d;
  PRAVOC_CHECK(EVP_DigestFinal_ex(context.get(), d.bytes, &d.size) == 1);
  return encode(d);
}

std::string uuid_text(const unsigned char* b) {
  return fmt::format(
      "{:02x}{:02x}{:02x}{:02x}-{:02x}{:02x}-{:02x}{:02x}-{:02x}{:02x}-{:02x}{:02x}{:02x}{:02x}{:02x}{:02x}", b[0],
      b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
}

// 16 bytes of a UUID in one of the forms that are written: plain, in braces, with `urn:uuid:` before, without dashes.
std::optional<std::string> parse_uuid(std::string_view text) {
  if (text.size() == 45) {
    std::string_view urn = text.substr(0, 9);
    std::string lower;
    for (char c : urn) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (lower != "urn:uuid:") return std::nullopt;
    text.remove_prefix(9);
  } else if (text.size() == 38) {
    text = text.substr(1, 36);
  }
  bool dashes = text.size() == 36;
  if (!dashes && text.size() != 32) return std::nullopt;
  std::string bytes;
  for (size_t at = 0; at < text.size();) {
    if (dashes && (at == 8 || at == 13 || at == 18 || at == 23)) {
      if (text[at++] != '-') return std::nullopt;
      continue;
    }
    int value = 0;
    for (int i = 0; i < 2; ++i, ++at) {
      char c = text[at];
      int digit = c >= '0' && c <= '9'   ? c - '0'
                  : c >= 'a' && c <= 'f' ? c - 'a' + 10
                  : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                         : -1;
      if (digit < 0) return std::nullopt;
      value = value * 16 + digit;
    }
    bytes += static_cast<char>(value);
  }
  return bytes;
}

}  // namespace

Result<Value> run_Md5(const Call& call, const Type&) { return hash_text(call, md5(), hex); }
Result<Value> run_Sha1(const Call& call, const Type&) { return hash_text(call, sha1(), hex); }
Result<Value> run_Sha256(const Call& call, const Type&) { return hash_text(call, sha256(), hex); }
Result<Value> run_Sha512(const Call& call, const Type&) { return hash_text(call, sha512(), hex); }
Result<Value> run_Base64sha256(const Call& call, const Type&) { return hash_text(call, sha256(), base64); }
Result<Value> run_Base64sha512(const Call& call, const Type&) { return hash_text(call, sha512(), base64); }

Result<Value> run_Filemd5(const Call& call, const Type&) { return hash_file(call, md5(), hex); }
Result<Value> run_Filesha1(const Call& call, const Type&) { return hash_file(call, sha1(), hex); }
Result<Value> run_Filesha256(const Call& call, const Type&) { return hash_file(call, sha256(), hex); }
Result<Value> run_Filesha512(const Call& call, const Type&) { return hash_file(call, sha512(), hex); }
Result<Value> run_Filebase64sha256(const Call& call, const Type&) { return hash_file(call, sha256(), base64); }
Result<Value> run_Filebase64sha512(const Call& call, const Type&) { return hash_file(call, sha512(), base64); }

Result<Value> run_Uuid(const Call& call, const Type&) {
  unsigned char bytes[16];
  PRAVO_TRY(filled, call.host.random(bytes));
  static_cast<void>(filled);
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0F) | 0x40);  // version 4
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3F) | 0x80);  // variant of RFC 4122
  return Value::string_normal(uuid_text(bytes));
}

Result<Value> run_Uuidv5(const Call& call, const Type&) {
  std::string_view space = call.text(0);
  std::string_view known = space == "dns"    ? "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
                           : space == "url"  ? "6ba7b811-9dad-11d1-80b4-00c04fd430c8"
                           : space == "oid"  ? "6ba7b812-9dad-11d1-80b4-00c04fd430c8"
                           : space == "x500" ? "6ba7b814-9dad-11d1-80b4-00c04fd430c8"
                                             : space;
  std::optional<std::string> bytes = parse_uuid(known);
  if (!bytes) return call.fault(0, "the namespace must be `dns`, `url`, `oid`, `x500` or a UUID", quoted(space));
  bytes->append(call.text(1));
  Digest d = digest(sha1(), *bytes);
  d.bytes[6] = static_cast<unsigned char>((d.bytes[6] & 0x0F) | 0x50);  // version 5
  d.bytes[8] = static_cast<unsigned char>((d.bytes[8] & 0x3F) | 0x80);
  return Value::string_normal(uuid_text(d.bytes));
}

Result<Value> run_Bcrypt(const Call& call, const Type&) {
  if (call.size() > 2) return call.fault(2, "`bcrypt` takes one or two arguments", {}, EvalErrorKind::Call);
  int64_t cost = 10;
  if (call.size() == 2) {
    PRAVO_TRY(given, call.integer(1, INT64_MIN, kMaxBcryptCost));
    cost = given < 4 ? 10 : given;  // as Terraform: too small a cost is the default one
  }
  std::string_view password = call.text(0);
  if (password.size() > 72) return call.fault(0, "the password is longer than 72 bytes");
  unsigned char salt[16];
  PRAVO_TRY(filled, call.host.random(salt));
  static_cast<void>(filled);
  return Value::string_normal(bcrypt_hash(password, static_cast<unsigned>(cost), salt));
}

Result<Value> run_Rsadecrypt(const Call& call, const Type&) {
  std::optional<Str> ciphertext = decode_base64(call.text(0));
  if (!ciphertext) return call.fault(0, "the ciphertext must be base64");
  RsaResult plain = rsa_decrypt(call.text(1), *ciphertext);
  switch (plain.fault) {
    case RsaResult::Fault::None:
      return Value::string(std::move(plain.text));
    case RsaResult::Fault::BadKey:
      return call.fault(1, "this is not a private key in PEM or OpenSSH form without a passphrase");
    case RsaResult::Fault::NotRsa:
      return call.fault(1, "this is not an RSA key");
    case RsaResult::Fault::Decrypt:
      return call.fault(0, "the ciphertext does not decrypt with this key");
  }
  PRAVOC_UNREACHABLE();
}

}  // namespace pravo::functions
