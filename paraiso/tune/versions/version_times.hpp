// VersionTimes: the times of all versions on some sizes, and the thresholds that follow from them.
// Gives: kPays, kSlower, VersionTimes, TimeMidway, ChosenThresholds, choose_thresholds, Verdict,
// judge, not_monotone_text, versions_of, BesideFastest, beside_fastest. Needs: tuners.
#pragma once

#include <functional>
#include <optional>

#include "paraiso/tune/thresholds/tuners.hpp"

namespace paraiso::tune {

inline constexpr double kPays = 0.02;    // of the usual version's time: not worth another version
inline constexpr double kSlower = 1.03;  // than the usual version: not to be had

/// Guards are a chain here: version v runs where guard v holds and none before it; the last
/// version, the base, where none holds.
struct VersionTimes {
  std::vector<DataSet> sizes;                // with what each guard compares
  std::vector<std::vector<double>> seconds;  // of each size, by version; the base last

  void insert(std::ptrdiff_t place, const DataSet& size, const std::vector<double>& by_version);
};

/// Times a size between two others, or gives none where there is none: `time_midway(below, above)`.
using TimeMidway =
    std::function<std::optional<VersionTimes>(const std::string& below, const std::string& above)>;

struct ChosenThresholds {
  Configuration thresholds;
  bool exhaustive = false;                // else monotone
  std::vector<std::size_t> dropped;       // versions that made a size of `judged` slower
  std::vector<NotMonotone> not_monotone;  // what a single split costs
};

/// Tunes on one ladder of sizes, none of which takes 3 % longer than with the version `usual`; then
/// drops, one after the other, versions with which a size of `judged` would, and tunes without
/// them: their guards hold nowhere. A version within 2 % of the usual one counts as no better.
/// Exhaustive for up to 64 paths, and wherever the times are not monotone; but for no more than
/// 20,000 configurations.
[[nodiscard]] ChosenThresholds choose_thresholds(const GuardTree& guards, const VersionTimes& tuned,
                                                 const VersionTimes& judged, std::size_t usual);

/// A warning: what a split by that threshold costs, of what it is compared with (if that is known),
/// and where.
[[nodiscard]] std::string not_monotone_text(const NotMonotone& found, const std::string& threshold,
                                            std::string_view measure, const VersionTimes& tuned);

struct Verdict {
  std::size_t best_single = 0;  // of all versions, by the geometric mean over the ladder `tuned`
  double gain = 1;              // geometric mean of its time over that of the versions that run
  double gain_usual = 1;        // the same of the usual version
  double worst = 1;             // the largest ratio of a time to that of the usual version,
  std::size_t worst_size = 0;
};
/// `runs`: the version that runs at each size of `judged`.
[[nodiscard]] Verdict judge(const VersionTimes& tuned, const VersionTimes& judged,
                            const std::vector<std::size_t>& runs, std::size_t usual);

/// What runs at each size.
[[nodiscard]] std::vector<std::size_t> versions_of(const GuardTree& guards,
                                                   const Configuration& thresholds,
                                                   const std::vector<DataSet>& sizes);

/// How much longer sizes take than with the version that is fastest at each of them.
struct BesideFastest {
  double mean = 1, worst = 1;  // the geometric mean of the ratios, and the largest
  std::string size;            // that has it
};
/// With one version a size.
[[nodiscard]] BesideFastest beside_fastest(const VersionTimes& times,
                                           const std::vector<std::size_t>& versions);

}  // namespace paraiso::tune
