// Among how many threads work is shared.
// Gives: Threads in paraiso_support. Needs: limits.hpp.
#pragma once

#include <cstdint>

#include "paraiso/support/limits.hpp"

namespace paraiso_support {

/// The threads of a solver; one where fewer are asked for.
class Threads {
 public:
  explicit Threads(int count, double least = least_shared)
      : count_(count < 1 ? 1 : count), least_(least) {}

  int all() const { return count_; }
  /// Those that share `cells` cells, of which one thread alone makes each in so many ns.
  int for_cells(std::int64_t cells, double nanoseconds) const {
    return static_cast<double>(cells) * nanoseconds < least_ ? 1 : count_;
  }

 private:
  int count_;
  double least_;
};

}  // namespace paraiso_support
