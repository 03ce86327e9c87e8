// Compiled as `channel.cpp` is, so that scalars have the same bits.
#include "channel_late.hpp"

namespace paraiso_solver {

namespace support = paraiso_support;

std::function<void(const std::vector<const void*>&)> channel_late_measure(
    [[maybe_unused]] channel& solver, [[maybe_unused]] paraiso_support::Place place) {
  return [=, &solver](const std::vector<const void*>& results) {
    const double sum = *static_cast<const double*>(results[0]);
    const std::int64_t n = support::mul(place.whole[0], place.whole[1]);
    const double cells = support::cast<double>(n);
    const double mean = sum / cells;
    solver.mean() = mean;
  };
}

}  // namespace paraiso_solver
