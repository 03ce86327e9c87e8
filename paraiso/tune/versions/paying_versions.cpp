#include "paraiso/tune/versions/paying_versions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "paraiso/plan/dispatch/dispatch.hpp"

namespace paraiso::tune {
namespace {

// Of versions that are as good as each other at some sizes, the one that runs beside them goes on:
// between two sizes that were timed nobody knows where the other one begins to be as good.
constexpr double kNoBetter = 1e-6, kChange = kPays;
constexpr double kForbidden = std::numeric_limits<double>::infinity();

using Versions = std::vector<std::size_t>;

double ratio_of(const VersionTimes& times, std::size_t size, std::size_t version,
                std::size_t usual) {
  return times.seconds[size][version] / times.seconds[size][usual];
}

/// Sizes that no guard can tell apart.
struct SizesAlike {
  std::int64_t value = 0;
  Versions sizes;
};

std::vector<SizesAlike> groups_of(const VersionTimes& times) {
  std::map<std::int64_t, Versions> found;
  for (std::size_t s = 0; s < times.sizes.size(); ++s)
    found[times.sizes[s].values.front()].push_back(s);
  std::vector<SizesAlike> groups;
  for (auto& [value, sizes] : found) groups.push_back({value, std::move(sizes)});
  return groups;
}

/// The sum of the logarithms of a version's times in a group beside those of the usual one;
/// infinite where one of them may not be.
double cost_of(const VersionTimes& times, const SizesAlike& group, std::size_t version,
               std::size_t usual) {
  double sum = 0;
  for (const std::size_t size : group.sizes) {
    const double ratio = ratio_of(times, size, version, usual);
    if (ratio > kSlower) return kForbidden;
    if (version != usual) sum += std::abs(ratio - 1) < kPays ? kNoBetter : std::log(ratio);
  }
  return sum;
}

/// A choice of versions for the first groups.
struct Way {
  double cost = 0;
  std::size_t stretches = 0;
  Versions runs = {};  // by group

  [[nodiscard]] bool has(std::size_t version) const {
    return std::ranges::find(runs, version) != runs.end();
  }
  [[nodiscard]] bool ends_with(std::size_t version) const {
    return !runs.empty() && runs.back() == version;
  }
  [[nodiscard]] Way and_then(std::size_t version, double its_cost) const {
    const bool goes_on = ends_with(version);
    Way next{cost + its_cost + (runs.empty() || goes_on ? 0 : kChange),
             stretches + (goes_on ? 0 : 1), runs};
    next.runs.push_back(version);
    return next;
  }
};

/// The best version of each group, in so few stretches that each of them, and the usual version,
/// can have a guard; that one of them, `once`, has one stretch at most, if it is given.
Versions best_runs(const VersionTimes& times, const std::vector<SizesAlike>& groups,
                   const Versions& kept, std::size_t usual, std::optional<std::size_t> once = {}) {
  std::vector<Way> ways{Way{}};  // the best of those that may go on alike
  for (const SizesAlike& group : groups) {
    std::map<std::tuple<std::size_t, std::size_t, bool, bool>, Way> longer;
    for (const std::size_t version : kept) {
      const double cost = cost_of(times, group, version, usual);
      for (const Way& way : ways) {
        if (version == once && way.has(version) && !way.ends_with(version)) continue;
        Way next = way.and_then(version, cost);
        const bool has_usual = next.has(usual), has_once = once && next.has(*once);
        if (next.stretches + (has_usual ? 0 : 1) > plan::kMostVersions) continue;
        const auto [place, is_new] =
            longer.try_emplace({version, next.stretches, has_usual, has_once}, next);
        if (!is_new && next.cost < place->second.cost) place->second = std::move(next);
      }
    }
    ways.clear();
    for (auto& [key, way] : longer) ways.push_back(std::move(way));
  }
  return std::ranges::min_element(ways, {}, &Way::cost)->runs;
}

/// What runs in each group, from the largest to the smallest, as a chain of guards.
void make_chain(PayingVersions& found, const std::vector<SizesAlike>& groups, const Versions& runs,
                const VersionTimes& tuned, std::size_t usual) {
  found.order.clear();
  found.thresholds.clear();
  const auto choices = choices_of(tuned.sizes, 0);
  for (std::size_t g = groups.size(); g-- > 0;) {
    if (g > 0 && runs[g - 1] == runs[g]) continue;
    found.order.push_back(runs[g]);
    found.thresholds.push_back(g > 0 ? choices[g] : 0);  // it goes on below what was timed
  }
  if (std::ranges::find(found.order, usual) == found.order.end())
    found.order.push_back(usual);  // the base, for who sets thresholds
  else
    found.thresholds.pop_back();
}

class Paying {
 public:
  Paying(const VersionTimes& tuned, const VersionTimes& judged, std::size_t usual)
      : tuned_(tuned), judged_(judged), usual_(usual), groups_(groups_of(tuned)) {
    for (std::size_t v = 0; v < tuned.seconds.front().size(); ++v) kept_.push_back(v);
    found_.fates.resize(kept_.size());
  }

  PayingVersions run() {
    do {
      runs_ = best_runs(tuned_, groups_, kept_, usual_);
      make_chain(found_, groups_, runs_, tuned_, usual_);
    } while (leave_out_slower() || leave_out_no_faster());
    for (const std::size_t version : kept_) {
      found_.fates[version] = stretches_of(version);
      if (found_.fates[version].stretches.size() > 1) tell_of_several_stretches(version);
    }
    return std::move(found_);
  }

 private:
  void leave_out(std::size_t version, Fate why) {
    std::erase(kept_, version);
    found_.fates[version] = std::move(why);
  }

  /// The version that makes a size of the second ladder slowest beside the usual one, if by too
  /// much.
  bool leave_out_slower() {
    std::optional<std::size_t> slowest;
    Fate why{.kind = Fate::Kind::slower, .ratio = kSlower};
    for (std::size_t s = 0; s < judged_.sizes.size(); ++s) {
      const std::size_t version = version_at(found_, judged_.sizes[s].values.front());
      const double ratio = ratio_of(judged_, s, version, usual_);
      if (ratio <= why.ratio) continue;
      slowest = version;
      why.size = judged_.sizes[s].name;
      why.ratio = ratio;
    }
    if (slowest) leave_out(*slowest, std::move(why));
    return slowest.has_value();
  }

  /// The version without which the least is lost, if that is next to nothing.
  bool leave_out_no_faster() {
    std::optional<std::size_t> least;
    Fate why{.kind = Fate::Kind::no_faster, .ratio = 1 + kPays};
    for (const std::size_t version : kept_) {
      if (version == usual_) continue;
      Fate loss = loss_without(version);
      if (loss.ratio >= why.ratio) continue;
      least = version;
      why = std::move(loss);
    }
    if (least) leave_out(*least, std::move(why));
    return least.has_value();
  }

  struct Loss {
    std::size_t size = 0;
    double ratio = 1;
  };
  /// The size that takes longest, beside what runs there, with other versions.
  [[nodiscard]] Loss loss_with(const Versions& others) const {
    Loss loss;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (const std::size_t size : groups_[g].sizes) {
        const auto& seconds = tuned_.seconds[size];
        if (const double ratio = seconds[others[g]] / seconds[runs_[g]]; ratio > loss.ratio)
          loss = {size, ratio};
      }
    return loss;
  }

  [[nodiscard]] Fate loss_without(std::size_t version) const {
    Versions others = kept_;
    std::erase(others, version);
    const Loss loss = loss_with(best_runs(tuned_, groups_, others, usual_));
    Fate fate{.kind = Fate::Kind::no_faster, .ratio = loss.ratio};
    if (loss.ratio > 1) fate.size = tuned_.sizes[loss.size].name;
    return fate;
  }

  void tell_of_several_stretches(std::size_t version) {
    const Loss loss = loss_with(best_runs(tuned_, groups_, kept_, usual_, version));
    if (loss.ratio < 1 + kPays) return;
    const auto guard = std::ranges::find(found_.order, version) - found_.order.begin();
    found_.not_monotone.push_back({static_cast<std::size_t>(guard), loss.size, loss.ratio});
  }

  [[nodiscard]] Fate stretches_of(std::size_t version) const {
    Fate fate;
    double sum = 0, count = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (runs_[g] != version) continue;
      if (g == 0 || runs_[g - 1] != version)
        fate.stretches.push_back({tuned_.sizes[groups_[g].sizes.front()].name, ""});
      for (const std::size_t size : groups_[g].sizes) {
        fate.stretches.back().last = tuned_.sizes[size].name;
        sum -= std::log(ratio_of(tuned_, size, version, usual_));
        ++count;
      }
    }
    if (count > 0) fate.kind = Fate::Kind::runs, fate.ratio = std::exp(sum / count);
    return fate;
  }

  const VersionTimes &tuned_, &judged_;
  std::size_t usual_;
  std::vector<SizesAlike> groups_;
  Versions kept_, runs_;
  PayingVersions found_;
};

}  // namespace

std::size_t version_at(const PayingVersions& paying, std::int64_t value) {
  std::size_t place = 0;
  while (place < paying.thresholds.size() && paying.thresholds[place] > value) ++place;
  return paying.order[place];
}

PayingVersions paying_versions(const VersionTimes& tuned, const VersionTimes& judged,
                               std::size_t usual) {
  return Paying(tuned, judged, usual).run();
}

}  // namespace paraiso::tune
