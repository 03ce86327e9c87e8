// SpareBuffers: the memory of messages that have been read or sent, to be filled again.
// Gives: SpareBuffers. Needs: transport.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "paraiso/runtime/transport/transport.hpp"

namespace paraiso::runtime {

/// Keeps no more bytes than were ever lent at one time. So nothing piles up with who receives more
/// than it sends, and a rank takes as much memory as its largest exchange.
class SpareBuffers {
 public:
  /// Of so many bytes: the shortest that has room, or the longest, which then grows.
  [[nodiscard]] Bytes take(std::size_t bytes);
  /// One that was lent, or that comes from elsewhere. Short ones are not worth keeping.
  void put(Bytes buffer);

  [[nodiscard]] std::size_t kept_bytes() const { return kept_; }

 private:
  static constexpr std::size_t kMostBuffers = 64, kShort = 4096;

  /// With room for so many bytes, if there is one.
  [[nodiscard]] std::vector<Bytes>::iterator shortest(std::size_t bytes);
  Bytes remove(std::vector<Bytes>::iterator one);

  std::vector<Bytes> spare_;  // by capacity
  std::size_t kept_ = 0, lent_ = 0, most_lent_ = 0;
};

inline std::vector<Bytes>::iterator SpareBuffers::shortest(std::size_t bytes) {
  return std::ranges::lower_bound(spare_, bytes, {}, &Bytes::capacity);
}

inline Bytes SpareBuffers::remove(std::vector<Bytes>::iterator one) {
  Bytes buffer = std::move(*one);
  spare_.erase(one);
  kept_ -= buffer.capacity();
  return buffer;
}

inline Bytes SpareBuffers::take(std::size_t bytes) {
  if (bytes < kShort) return Bytes(bytes);
  Bytes buffer;
  if (const auto found = shortest(bytes); found != spare_.end())
    buffer = remove(found);
  else if (!spare_.empty())
    (void)remove(spare_.end() - 1);  // first, because both may not fit at once
  buffer.resize(bytes);
  lent_ += buffer.capacity();
  most_lent_ = std::max(most_lent_, lent_);
  return buffer;
}

inline void SpareBuffers::put(Bytes buffer) {
  const std::size_t room = buffer.capacity();
  if (room < kShort) return;
  lent_ -= std::min(lent_, room);
  if (room > most_lent_) return;
  kept_ += room;
  spare_.insert(shortest(room), std::move(buffer));
  if (kept_ > most_lent_) (void)remove(shortest(kept_ - most_lent_));
  if (spare_.size() > kMostBuffers) (void)remove(spare_.begin());
}

}  // namespace paraiso::runtime
