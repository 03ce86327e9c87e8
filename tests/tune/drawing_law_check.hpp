// Whether the strategy `random` draws as the calculated law says.
// Gives: kSearches, mean_best, expect_drawing_law. Needs: replay, drawing law.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "paraiso/tune/replay/drawing_law.hpp"
#include "paraiso/tune/replay/replay.hpp"

namespace paraiso::test {

inline constexpr std::uint64_t kSearches = 400;

/// The mean of the best after `evaluations`, over many seeds.
inline double mean_best(tune::Pool& pool, const std::string& strategy, std::size_t evaluations) {
  double mean = 0;
  for (std::uint64_t seed = 1; seed <= kSearches; ++seed)
    mean += tune::replay(pool, strategy, seed, evaluations).back() / kSearches;
  return mean;
}

inline void expect_drawing_law(tune::Pool& pool, const std::vector<std::size_t>& budgets,
                               const std::string& strategy = "random") {
  const tune::DrawingLaw law(pool.scores());
  for (const std::size_t evaluations : budgets) {
    const auto [mean, deviation] = law.best_of(evaluations);
    EXPECT_NEAR(mean_best(pool, strategy, evaluations), mean, 4 * deviation / std::sqrt(kSearches))
        << evaluations << " of " << pool.size() << ": four standard errors";
  }
}

}  // namespace paraiso::test
