// PayingVersions: which of some versions are worth having, and in which order their guards stand,
// where all guards compare one measure. Gives: Fate, PayingVersions, paying_versions, version_at.
// Needs: version_times.
//
// Sizes in the order of the measure are cut into stretches, in each of which one version runs:
// of all ways to do that, the best. A chain of guards follows, the largest sizes first:
//
//   measure   10   20   40   80   160
//   runs      b    b    a    a    c        c if 113 <= measure, else a if 28 <= measure, else b
#pragma once

#include "paraiso/tune/versions/version_times.hpp"

namespace paraiso::tune {

/// What becomes of a version, and why.
struct Fate {
  enum class Kind : std::uint8_t {
    runs,       // from `size` on, up to `last`; `ratio` is its mean gain there over the usual one
    stays,      // runs at no size that was timed, but is the usual one
    slower,     // it would make `size` take `ratio` times as long as the usual one
    no_faster,  // without it no size takes 2 % longer: at most `ratio` times, at `size`
  };
  Kind kind = Kind::stays;
  std::string size, last;
  double ratio = 1;

  friend bool operator==(const Fate&, const Fate&) = default;
};

struct PayingVersions {
  std::vector<std::size_t> order;  // those that are kept, as their guards are tried; the base last
  Configuration thresholds;        // of each of them but the base
  std::vector<Fate> fates;         // of all versions
};

/// The first of each size's compared values counts. No size of either ladder takes 3 % longer than
/// with the version `usual`, which is always kept; a version within 2 % of it counts as no better.
/// Below the sizes that were timed, the usual version runs or the one that is best at the smallest.
[[nodiscard]] PayingVersions paying_versions(const VersionTimes& tuned, const VersionTimes& judged,
                                             std::size_t usual);

/// The version that runs where the measure has this value.
[[nodiscard]] std::size_t version_at(const PayingVersions& paying, std::int64_t value);

}  // namespace paraiso::tune
