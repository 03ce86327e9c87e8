#include "paraiso/tune/versions/compare_tuners.hpp"

#include <algorithm>

namespace paraiso::tune {
namespace {

constexpr double kMargin = 1.2;  // of the longest time untuned: longer ones are stopped

/// What a tuner asks for, and what that would have taken.
class Table {
 public:
  Table(const GuardTree& guards, const VersionTimes& times) : guards_(guards), times_(times) {}

  Runs runs(std::optional<double> limit) {
    return Runs(
        guards_, times_.sizes,
        [this](std::size_t size, const Path& path, double stop) { return time(size, path, stop); },
        limit ? [limit](std::size_t) { return *limit; } : std::function<double(std::size_t)>());
  }

  /// Of the sizes that were timed; the cost of the thresholds, and after how many runs all of the
  /// sizes had been timed as these say.
  void tell(const Configuration& thresholds, TunerTrial& run) const {
    const auto versions = versions_of(guards_, thresholds, times_.sizes);
    std::vector<bool> seen(versions.size());
    auto left = static_cast<std::ptrdiff_t>(versions.size());
    run.runs = static_cast<int>(asked_.size());
    run.seconds = seconds_;
    for (std::size_t s = 0; s < versions.size(); ++s) run.cost += times_.seconds[s][versions[s]];
    for (std::size_t r = 0; r < asked_.size() && left > 0; ++r) {
      const auto [size, version] = asked_[r];
      if (seen[size] || version != versions[size]) continue;
      seen[size] = true;
      if (--left == 0) run.found = static_cast<int>(r) + 1;
    }
  }

 private:
  std::optional<double> time(std::size_t size, const Path& path, double stop) {
    const auto version =
        static_cast<std::size_t>(std::ranges::find(path, Branch::holds) - path.begin());
    const double seconds = times_.seconds[size][version];
    asked_.emplace_back(size, version);
    seconds_ += std::min(seconds, stop);
    if (seconds > stop) return std::nullopt;
    return seconds;
  }

  const GuardTree& guards_;
  const VersionTimes& times_;
  std::vector<std::pair<std::size_t, std::size_t>> asked_;  // size, version
  double seconds_ = 0;
};

}  // namespace

std::vector<TunerTrial> compare_tuners(const GuardTree& guards, const VersionTimes& times,
                                       std::size_t usual, const std::vector<std::uint64_t>& seeds,
                                       int tries) {
  double longest = 0;
  for (const auto& seconds : times.seconds) longest = std::max(longest, seconds[usual]);
  std::vector<TunerTrial> all;
  const auto add = [&](const char* name, std::uint64_t seed, std::optional<double> limit,
                       const auto& tuner) {
    Table table(guards, times);
    Runs runs = table.runs(limit);
    const Found found = tuner(runs);
    TunerTrial& run = all.emplace_back();
    run.tuner = name;
    run.seed = seed;
    run.tries = found.tries;
    run.eliminated = found.eliminated;
    run.not_monotone = found.not_monotone;
    table.tell(found.thresholds, run);
  };
  for (const std::uint64_t seed : seeds)
    add("old", seed, {}, [&](Runs& runs) { return by_hill(runs, tries, seed); });
  add("comparison", 0, {}, [](Runs& runs) { return by_comparison(runs); });
  add("branch", 0, kMargin * longest, [](Runs& runs) { return by_branch(runs); });
  for (const std::uint64_t seed : seeds)
    add("final", seed, kMargin * longest,
        [&](Runs& runs) { return by_hill_and_branch(runs, seed); });
  add("monotone", 0, {}, [](Runs& runs) { return monotone(runs, false); });
  add("checked", 0, {}, [](Runs& runs) { return monotone(runs, true); });
  return all;
}

}  // namespace paraiso::tune
