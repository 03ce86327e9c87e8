// seal: a checkpoint's checksum, to which several may contribute in any order.
// Gives: kSealBlock, seal_of, BlockDigests. Needs: Digest.
//
// The data are cut into blocks at fixed places, whoever writes or reads them. Each block has a
// digest of its own; the seal is the digest of the head and of these digests in the blocks' order.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "paraiso/runtime/system/digest.hpp"

namespace paraiso::runtime {

inline constexpr std::uint64_t kSealBlock = 1 << 20;  // bytes; the last block may be shorter

/// SHA-256 of `head`, then of the blocks' SHA-256.
[[nodiscard]] Digest::Bytes seal_of(std::string_view head,
                                    const std::vector<Digest::Bytes>& blocks);

/// The blocks' digests of data that come in order, in pieces of any length.
class BlockDigests {
 public:
  void add(const void* data, std::size_t bytes);
  /// Those of everything added; the object starts over.
  [[nodiscard]] std::vector<Digest::Bytes> finish();

 private:
  void finish_block();

  Digest digest_;
  std::uint64_t in_block_ = 0;  // bytes of the block that is not finished
  std::vector<Digest::Bytes> blocks_;
};

}  // namespace paraiso::runtime
