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

  /// Of the first so many sizes that were timed; the cost of the thresholds, and after how many
  /// runs all of the sizes had been timed as these say.
  void tell(const Configuration& thresholds, std::size_t count, TunerTrial& run) const {
    const auto versions = versions_of(guards_, thresholds, times_.sizes);
    std::vector<bool> seen(versions.size());
    auto left = static_cast<std::ptrdiff_t>(versions.size());
    run.runs = run.found = static_cast<int>(count);
    for (std::size_t r = 0; r < count; ++r) run.seconds += asked_[r].seconds;
    for (std::size_t s = 0; s < versions.size(); ++s) run.cost += times_.seconds[s][versions[s]];
    for (std::size_t r = 0; r < count && left > 0; ++r) {
      const auto [size, version, seconds] = asked_[r];
      if (seen[size] || version != versions[size]) continue;
      seen[size] = true;
      if (--left == 0) run.found = static_cast<int>(r) + 1;
    }
  }

  [[nodiscard]] std::size_t count() const { return asked_.size(); }

 private:
  struct Asked {
    std::size_t size, version;
    double seconds;  // until it was stopped
  };

  std::optional<double> time(std::size_t size, const Path& path, double stop) {
    const auto version =
        static_cast<std::size_t>(std::ranges::find(path, Branch::holds) - path.begin());
    const double seconds = times_.seconds[size][version];
    asked_.push_back({size, version, std::min(seconds, stop)});
    if (seconds > stop) return std::nullopt;
    return seconds;
  }

  const GuardTree& guards_;
  const VersionTimes& times_;
  std::vector<Asked> asked_;
};

}  // namespace

std::vector<TunerTrial> compare_tuners(const GuardTree& guards, const VersionTimes& times,
                                       std::size_t usual, const std::vector<std::uint64_t>& seeds,
                                       int tries) {
  double longest = 0;
  for (const auto& seconds : times.seconds) longest = std::max(longest, seconds[usual]);
  std::vector<TunerTrial> all;
  const auto add = [&](const char* name, std::uint64_t seed, std::optional<double> limit,
                       const auto& tuner, bool splits = false) {
    Table table(guards, times);
    Runs runs = table.runs(limit);
    const Found found = tuner(runs);
    TunerTrial& run = all.emplace_back();
    run.tuner = name;
    run.seed = seed;
    run.tries = found.tries;
    run.eliminated = found.eliminated;
    run.not_monotone = found.not_monotone;
    // Monotone knows before it has timed all sizes with what it ends with.
    table.tell(found.thresholds, splits ? static_cast<std::size_t>(run.tries) : table.count(), run);
  };
  for (const std::uint64_t seed : seeds)
    add("old", seed, {}, [&](Runs& runs) { return by_hill(runs, tries, seed); });
  add("comparison", 0, {}, [](Runs& runs) { return by_comparison(runs); });
  add("branch", 0, kMargin * longest, [](Runs& runs) { return by_branch(runs); });
  for (const std::uint64_t seed : seeds)
    add("final", seed, kMargin * longest,
        [&](Runs& runs) { return by_hill_and_branch(runs, seed); });
  add(
      "monotone", 0, {}, [](Runs& runs) { return monotone(runs, false); }, true);
  add(
      "checked", 0, {}, [](Runs& runs) { return monotone(runs, true); }, true);
  return all;
}

}  // namespace paraiso::tune
