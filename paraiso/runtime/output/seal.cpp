#include "paraiso/runtime/output/seal.hpp"

#include <algorithm>
#include <utility>

namespace paraiso::runtime {

Digest::Bytes seal_of(std::string_view head, const std::vector<Digest::Bytes>& blocks) {
  Digest digest;
  digest.add(head);
  for (const auto& block : blocks) digest.add(block.data(), block.size());
  return digest.finish();
}

void BlockDigests::add(const void* data, std::size_t bytes) {
  for (auto next = static_cast<const char*>(data); bytes > 0;) {
    const auto count = std::min<std::uint64_t>(bytes, kSealBlock - in_block_);
    digest_.add(next, count);
    next += count;
    bytes -= count;
    in_block_ += count;
    if (in_block_ == kSealBlock) finish_block();
  }
}

void BlockDigests::finish_block() {
  blocks_.push_back(digest_.finish());
  in_block_ = 0;
}

std::vector<Digest::Bytes> BlockDigests::finish() {
  if (in_block_ > 0) finish_block();
  return std::exchange(blocks_, {});
}

}  // namespace paraiso::runtime
