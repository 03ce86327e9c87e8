// How many threads share a piece of work.
// Gives: Threads in paraiso_support. Needs: limits.hpp.
#pragma once

#include <cstdint>

#include "paraiso/support/limits.hpp"

namespace paraiso_support {

/// The threads of a solver, at least one.
class Threads {
 public:
  explicit Threads(int count, double least = least_shared)
      : count_(count < 1 ? 1 : count), least_(least) {}

  int all() const { return count_; }
  /// How many of them share `cells` cells, if one thread alone takes `nanoseconds` for each.
  int for_cells(std::int64_t cells, double nanoseconds) const {
    return static_cast<double>(cells) * nanoseconds < least_ ? 1 : count_;
  }

 private:
  int count_;
  double least_;
};

}  // namespace paraiso_support
