#include "ir/functions/secrets.h"

#include <crypt.h>
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <strings.h>

#include <cstring>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "ir/check.h"
#include "ir/functions/bytes.h"

namespace pravo::functions {

namespace {

template <auto Free>
struct FreeWith {
  template <class T>
  void operator()(T* p) const {
    Free(p);
  }
};
using Key = std::unique_ptr<EVP_PKEY, FreeWith<EVP_PKEY_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, FreeWith<EVP_PKEY_CTX_free>>;
using Bio = std::unique_ptr<BIO, FreeWith<BIO_free>>;
using BigNum = std::unique_ptr<BIGNUM, FreeWith<BN_clear_free>>;
using ParamBuilder = std::unique_ptr<OSSL_PARAM_BLD, FreeWith<OSSL_PARAM_BLD_free>>;
using Params = std::unique_ptr<OSSL_PARAM, FreeWith<OSSL_PARAM_free>>;

// bcrypt's own base64: another alphabet, no padding.
std::string bcrypt_base64(const unsigned char* bytes, size_t size) {
  static constexpr std::string_view kAlphabet = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  std::string out;
  unsigned bits = 0;
  int count = 0;
  for (size_t i = 0; i < size; ++i) {
    bits = bits << 8 | bytes[i];
    count += 8;
    while (count >= 6) {
      count -= 6;
      out += kAlphabet[bits >> count & 63];
    }
  }
  if (count > 0) out += kAlphabet[bits << (6 - count) & 63];
  return out;
}

// The length-prefixed fields of an OpenSSH key.
class SshReader {
 public:
  explicit SshReader(std::string_view bytes) : bytes_(bytes) {}

  std::optional<std::string_view> field() {
    std::optional<uint32_t> size = number();
    if (!size || *size > bytes_.size()) return std::nullopt;
    std::string_view out = bytes_.substr(0, *size);
    bytes_.remove_prefix(*size);
    return out;
  }
  std::optional<uint32_t> number() {
    if (bytes_.size() < 4) return std::nullopt;
    uint32_t value = 0;
    for (int i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes_[static_cast<size_t>(i)]);
    bytes_.remove_prefix(4);
    return value;
  }

 private:
  std::string_view bytes_;
};

BigNum to_number(std::string_view bytes) {
  return BigNum(
      BN_bin2bn(reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()), nullptr));
}

RsaResult failed(RsaResult::Fault fault) {
  RsaResult result;
  result.fault = fault;
  return result;
}

Key make_rsa_key(std::string_view n, std::string_view e, std::string_view d) {
  BigNum modulus = to_number(n);
  BigNum exponent = to_number(e);
  BigNum secret = to_number(d);
  ParamBuilder builder(OSSL_PARAM_BLD_new());
  if (!builder || OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, modulus.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, exponent.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_D, secret.get()) != 1)
    return nullptr;
  Params params(OSSL_PARAM_BLD_to_param(builder.get()));
  KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, "RSA", nullptr));
  EVP_PKEY* key = nullptr;
  if (!params || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_KEYPAIR, params.get()) != 1)
    return nullptr;
  return Key(key);
}

// The form that ssh-keygen writes: base64 of fields between two marker lines.
Key read_openssh(std::string_view text, RsaResult::Fault& fault) {
  constexpr std::string_view kBegin = "-----BEGIN OPENSSH PRIVATE KEY-----";
  constexpr std::string_view kEnd = "-----END OPENSSH PRIVATE KEY-----";
  constexpr std::string_view kMagic("openssh-key-v1\0", 15);
  fault = RsaResult::Fault::BadKey;
  size_t begin = text.find(kBegin);
  size_t end = text.find(kEnd);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return nullptr;
  begin += kBegin.size();
  std::optional<Str> body = decode_base64(text.substr(begin, end - begin));
  if (!body || !body->view().starts_with(kMagic)) return nullptr;
  body->wipe_on_free();
  SshReader outer(body->view().substr(kMagic.size()));
  std::optional<std::string_view> cipher = outer.field();
  outer.field();  // the key derivation function
  outer.field();  // and its options
  std::optional<uint32_t> count = outer.number();
  outer.field();  // the public key
  std::optional<std::string_view> secret = outer.field();
  if (!cipher || *cipher != "none" || !count || *count != 1 || !secret) return nullptr;
  SshReader inner(*secret);
  std::optional<uint32_t> check = inner.number();
  if (!check || check != inner.number()) return nullptr;
  std::optional<std::string_view> type = inner.field();
  if (!type) return nullptr;
  if (*type != "ssh-rsa") {
    fault = RsaResult::Fault::NotRsa;
    return nullptr;
  }
  std::optional<std::string_view> n = inner.field();
  std::optional<std::string_view> e = inner.field();
  std::optional<std::string_view> d = inner.field();
  return n && e && d ? make_rsa_key(*n, *e, *d) : nullptr;
}

// A key with a passphrase is refused rather than asking the terminal for it.
int no_passphrase(char*, int, int, void*) { return -1; }

}  // namespace

std::string bcrypt_hash(std::string_view password, unsigned cost, const unsigned char* salt) {
  std::string setting = fmt::format("$2b${:02}${}", cost, bcrypt_base64(salt, 16));
  std::string text(password);
  crypt_data data{};
  const char* hash = crypt_r(text.c_str(), setting.c_str(), &data);
  PRAVOC_CHECK(hash != nullptr && hash[0] == '$');
  std::string result(hash);
  result[2] = 'a';  // what Go writes; the two differ in nothing but their names
  explicit_bzero(text.data(), text.size());
  explicit_bzero(&data, sizeof(data));
  return result;
}

RsaResult rsa_decrypt(std::string_view text, std::string_view ciphertext) {
  RsaResult::Fault fault = RsaResult::Fault::BadKey;
  Key key;
  if (text.find("-----BEGIN OPENSSH PRIVATE KEY-----") != std::string_view::npos) {
    key = read_openssh(text, fault);
  } else {
    Bio bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
    key.reset(bio ? PEM_read_bio_PrivateKey(bio.get(), nullptr, no_passphrase, nullptr) : nullptr);
  }
  if (!key) return failed(fault);
  if (EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_RSA) return failed(RsaResult::Fault::NotRsa);
  KeyContext context(EVP_PKEY_CTX_new(key.get(), nullptr));
  auto input = reinterpret_cast<const unsigned char*>(ciphertext.data());
  size_t size = 0;
  if (!context || EVP_PKEY_decrypt_init(context.get()) != 1 ||
      EVP_PKEY_CTX_set_rsa_padding(context.get(), RSA_PKCS1_PADDING) != 1 ||
      EVP_PKEY_decrypt(context.get(), nullptr, &size, input, ciphertext.size()) != 1)
    return failed(RsaResult::Fault::Decrypt);
  std::string plain(size, '\0');
  int done =
      EVP_PKEY_decrypt(context.get(), reinterpret_cast<unsigned char*>(plain.data()), &size, input, ciphertext.size());
  RsaResult result;
  if (done == 1)
    result.text = Str(std::string_view(plain).substr(0, size));
  else
    result.fault = RsaResult::Fault::Decrypt;
  explicit_bzero(plain.data(), plain.size());
  return result;
}

}  // namespace pravo::functions
