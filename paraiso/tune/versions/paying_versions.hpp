// PayingVersions: which of some versions are worth having, and in which order their guards stand,
// where all guards compare one measure. Gives: SizeRange, Fate, PayingVersions, paying_versions,
// version_at. Needs: version_times.
//
// Sizes in the order of the measure are cut into stretches, in each of which one version runs:
// of all ways to do that, the best. A chain of guards follows, the largest sizes first:
//
//   measure   10   20   40   80   160
//   runs      b    b    a    a    b        b if 113 <= measure, else a if 28 <= measure, else b
#pragma once

#include "paraiso/tune/versions/version_times.hpp"

namespace paraiso::tune {

/// From one size up to another.
struct SizeRange {
  std::string first, last;
  friend bool operator==(const SizeRange&, const SizeRange&) = default;
};

/// What becomes of a version, and why.
struct Fate {
  enum class Kind : std::uint8_t {
    runs,       // in `stretches`; `ratio` is its mean gain there over the usual one
    stays,      // runs at no size, but is the usual one, which is the base then
    slower,     // it would make `size` take `ratio` times as long as the usual one
    no_faster,  // without it no size takes 2 % longer: at most `ratio` times, at `size`
  };
  Kind kind = Kind::stays;
  std::vector<SizeRange> stretches = {};
  std::string size = {};
  double ratio = 1;

  friend bool operator==(const Fate&, const Fate&) = default;
};

struct PayingVersions {
  std::vector<std::size_t> order;  // as their guards are tried, the base last; some more than once
  Configuration thresholds;        // of each of them but the base
  std::vector<Fate> fates;         // of all versions
  // Of each version that runs in several stretches, by the first of its guards: the size that
  // would take longest beside what runs there, if it had one stretch; not where that is below 2 %.
  std::vector<NotMonotone> not_monotone = {};
};

/// The first of each size's compared values counts. No size of either ladder takes 3 % longer than
/// with the version `usual`, which is always kept; a version within 2 % of it counts as no better,
/// and one that goes on is changed for what gains 2 % of a size's time. `order` has at most
/// plan::kMostVersions. Below the sizes that were timed, the version of the smallest goes on.
[[nodiscard]] PayingVersions paying_versions(const VersionTimes& tuned, const VersionTimes& judged,
                                             std::size_t usual);

/// The version that runs where the measure has this value.
[[nodiscard]] std::size_t version_at(const PayingVersions& paying, std::int64_t value);

}  // namespace paraiso::tune
