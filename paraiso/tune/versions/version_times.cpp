#include "paraiso/tune/versions/version_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace paraiso::tune {
namespace {

constexpr double kTooLong = 1e6;                // the cost of a version that may not run
constexpr std::size_t kFewPaths = 64;           // are all tried
constexpr double kMostConfigurations = 20'000;  // that may be tried at all

std::size_t version_of(const Path& path) {
  return static_cast<std::size_t>(std::ranges::find(path, Branch::holds) - path.begin());
}

double mean_ratio(const VersionTimes& times, const std::vector<std::size_t>& above,
                  const std::vector<std::size_t>& below) {
  double sum = 0;
  for (std::size_t s = 0; s < times.sizes.size(); ++s)
    sum += std::log(times.seconds[s][above[s]] / times.seconds[s][below[s]]);
  return std::exp(sum / static_cast<double>(std::max<std::size_t>(times.sizes.size(), 1)));
}

/// A version's time at a size beside that of the usual one; within 2 % of it, just more.
double cost_beside(const VersionTimes& times, std::size_t size, std::size_t version,
                   std::size_t usual) {
  const double ratio = times.seconds[size][version] / times.seconds[size][usual];
  if (std::abs(ratio - 1) >= kPays) return ratio;
  return version == usual ? 1 : 1 + 1e-6;
}

/// Whatever a split may cost at single sizes.
std::vector<NotMonotone> costs_of_splits(const GuardTree& guards, const VersionTimes& times,
                                         std::size_t usual) {
  Runs runs(guards, times.sizes, [&](std::size_t size, const Path& path, double) {
    return std::optional(cost_beside(times, size, version_of(path), usual));
  });
  return monotone(runs).not_monotone;
}

/// No version that was dropped runs, and none where it is slower than it may be: the usual one may
/// run everywhere.
Configuration best_thresholds(const GuardTree& guards, const VersionTimes& times, std::size_t usual,
                              const std::vector<std::size_t>& dropped, bool exhaustive) {
  Runs runs(guards, times.sizes, [&](std::size_t size, const Path& path, double) {
    const std::size_t version = version_of(path);
    const double cost = cost_beside(times, size, version, usual);
    const bool is_dropped = std::ranges::find(dropped, version) != dropped.end();
    return std::optional(is_dropped || cost > kSlower ? kTooLong : cost);
  });
  return (exhaustive ? by_branch(runs) : monotone(runs)).thresholds;
}

/// The version that makes a size slowest beside the usual one, if by too much.
std::optional<std::size_t> too_slow(const VersionTimes& judged,
                                    const std::vector<std::size_t>& versions, std::size_t usual) {
  std::optional<std::size_t> found;
  double worst = kSlower;
  for (std::size_t s = 0; s < versions.size(); ++s) {
    const double ratio = judged.seconds[s][versions[s]] / judged.seconds[s][usual];
    if (ratio <= worst) continue;
    worst = ratio;
    found = versions[s];
  }
  return found;
}

}  // namespace

void VersionTimes::insert(std::ptrdiff_t place, const DataSet& size,
                          const std::vector<double>& by_version) {
  sizes.insert(sizes.begin() + place, size);
  seconds.insert(seconds.begin() + place, by_version);
}

std::vector<std::size_t> versions_of(const GuardTree& guards, const Configuration& thresholds,
                                     const std::vector<DataSet>& sizes) {
  std::vector<std::size_t> versions;
  for (const DataSet& size : sizes)
    versions.push_back(version_of(path_of(guards, size, thresholds)));
  return versions;
}

ChosenThresholds choose_thresholds(const GuardTree& guards, const VersionTimes& tuned,
                                   const VersionTimes& judged, std::size_t usual) {
  ChosenThresholds chosen;
  chosen.not_monotone = costs_of_splits(guards, tuned, usual);
  const Runs paths(guards, tuned.sizes, {});
  chosen.exhaustive =
      comparison_count(paths) <= kMostConfigurations &&
      (!chosen.not_monotone.empty() || distinct_configurations(paths).size() <= kFewPaths);
  for (;;) {
    chosen.thresholds = best_thresholds(guards, tuned, usual, chosen.dropped, chosen.exhaustive);
    // A grid of another shape, with which guards compare other values, would reach them else.
    for (const std::size_t version : chosen.dropped)
      if (version < guards.size()) chosen.thresholds[version] = INT64_MAX;
    const auto slow = too_slow(judged, versions_of(guards, chosen.thresholds, judged.sizes), usual);
    if (!slow || std::ranges::find(chosen.dropped, *slow) != chosen.dropped.end()) return chosen;
    chosen.dropped.push_back(*slow);
  }
}

std::string not_monotone_text(const NotMonotone& found, const std::string& threshold,
                              std::string_view measure, const VersionTimes& tuned) {
  return fmt::format("not monotone{}{}: one split by `{}` makes {} take {:.2f} times as long",
                     measure.empty() ? "" : " in ", measure, threshold,
                     tuned.sizes[found.data].name, found.ratio);
}

Verdict judge(const VersionTimes& tuned, const VersionTimes& judged,
              const std::vector<std::size_t>& runs, std::size_t usual) {
  const auto always = [](const VersionTimes& times, std::size_t version) {
    return std::vector<std::size_t>(times.sizes.size(), version);
  };
  Verdict verdict;
  for (std::size_t v = 1; v < tuned.seconds.front().size(); ++v)
    if (mean_ratio(tuned, always(tuned, v), always(tuned, verdict.best_single)) < 1)
      verdict.best_single = v;
  verdict.gain = mean_ratio(judged, always(judged, verdict.best_single), runs);
  verdict.gain_usual = mean_ratio(judged, always(judged, usual), runs);
  verdict.worst = 0;
  for (std::size_t s = 0; s < judged.sizes.size(); ++s) {
    const double ratio = judged.seconds[s][runs[s]] / judged.seconds[s][usual];
    if (ratio <= verdict.worst) continue;
    verdict.worst = ratio;
    verdict.worst_size = s;
  }
  return verdict;
}

BesideFastest beside_fastest(const VersionTimes& times, const std::vector<std::size_t>& versions) {
  BesideFastest found;
  double sum = 0;
  for (std::size_t s = 0; s < times.sizes.size(); ++s) {
    const double ratio = times.seconds[s][versions[s]] / std::ranges::min(times.seconds[s]);
    sum += std::log(ratio);
    if (s > 0 && ratio <= found.worst) continue;
    found.worst = ratio;
    found.size = times.sizes[s].name;
  }
  found.mean = std::exp(sum / static_cast<double>(std::max<std::size_t>(times.sizes.size(), 1)));
  return found;
}

}  // namespace paraiso::tune
