#include "paraiso/runtime/system/digest.hpp"

#include <openssl/evp.h>

#include "paraiso/base/error.hpp"

namespace paraiso::runtime {
namespace {

void check(int ok) {
  if (ok != 1) throw Error("libcrypto can't compute SHA-256");
}

EVP_MD_CTX* context(const std::unique_ptr<void, Digest::Free>& pointer) {
  return static_cast<EVP_MD_CTX*>(pointer.get());
}

}  // namespace

void Digest::Free::operator()(void* context) const {
  EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(context));
}

Digest::Digest() : context_(EVP_MD_CTX_new()) {
  check(context_ != nullptr);
  check(EVP_DigestInit_ex(context(context_), EVP_sha256(), nullptr));
}

void Digest::add(const void* data, std::size_t bytes) {
  check(EVP_DigestUpdate(context(context_), data, bytes));
}

Digest::Bytes Digest::finish() {
  Bytes bytes;
  check(EVP_DigestFinal_ex(context(context_), bytes.data(), nullptr));
  check(EVP_DigestInit_ex(context(context_), EVP_sha256(), nullptr));
  return bytes;
}

std::string hex(const Digest::Bytes& bytes) {
  std::string text;
  for (unsigned char byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

std::string sha256(std::string_view text) {
  Digest digest;
  digest.add(text);
  return hex(digest.finish());
}

}  // namespace paraiso::runtime
