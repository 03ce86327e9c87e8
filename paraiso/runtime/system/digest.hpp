// Digest: SHA-256, for the names of cache entries and the integrity of checkpoints.
// Gives: Digest, sha256, hex. Needs: libcrypto.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace paraiso::runtime {

class Digest {
 public:
  using Bytes = std::array<unsigned char, 32>;

  Digest();
  void add(const void* data, std::size_t bytes);
  void add(std::string_view text) { add(text.data(), text.size()); }
  /// The digest of everything added; the object starts over.
  [[nodiscard]] Bytes finish();

  struct Free {
    void operator()(void* context) const;
  };

 private:
  std::unique_ptr<void, Free> context_;
};

/// 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view text);
[[nodiscard]] std::string hex(const Digest::Bytes& bytes);

}  // namespace paraiso::runtime
