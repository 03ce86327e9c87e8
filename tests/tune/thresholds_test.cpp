// Tuners of thresholds on planted tables: the thesis's counts, landscapes whose answer is known.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "paraiso/base/error.hpp"
#include "paraiso/base/rng.hpp"
#include "paraiso/plan/dispatch/dispatch.hpp"
#include "paraiso/tune/thresholds/each_configuration.hpp"
#include "paraiso/tune/thresholds/tuners.hpp"
#include "tests/runtime/support.hpp"

namespace paraiso::tune {
namespace {

/// A guard that is reached where these fail.
Guard after(std::vector<std::size_t> failing) {
  Guard guard;
  for (const std::size_t one : failing) guard.needs.push_back({one, false});
  return guard;
}

std::optional<double> always_one(std::size_t, const Path&, double) { return 1; }

/// Data sets by what each threshold is compared with: `values[threshold][data set]`.
std::vector<DataSet> data_sets(const std::vector<std::vector<std::int64_t>>& values) {
  std::vector<DataSet> data;
  for (std::size_t d = 0; d < values[0].size(); ++d) {
    data.push_back({"data " + std::to_string(d), {}});
    for (const auto& of_threshold : values) data.back().values.push_back(of_threshold[d]);
  }
  return data;
}

struct Counts {
  double comparison;
  std::size_t branch;
};
Counts counts(const GuardTree& guards, const std::vector<std::vector<std::int64_t>>& values) {
  const Runs runs(guards, data_sets(values), always_one);
  return {comparison_count(runs), distinct_configurations(runs).size()};
}

// The thesis's section 3.6: Figure 7 and Table 2, one data set and three thresholds in a chain.
TEST(ThesisCounts, OfTheExampleProgram) {
  const Counts found = counts({after({}), after({0}), after({0, 1})}, {{5}, {5}, {5}});
  EXPECT_EQ(found.comparison, 8);
  EXPECT_EQ(found.branch, 4u);
}

// Matrix multiplication: 11 data sets; the outer parallelism is 4^n, all of it 2^25. Figure 9's 626
// tries / 27.2 are 23. The tree is assumed: a chain.
TEST(ThesisCounts, OfMatrixMultiplication) {
  std::vector<std::int64_t> outer, all;
  for (int n = 0; n <= 10; ++n) {
    outer.push_back(std::int64_t{1} << (2 * n));
    all.push_back(std::int64_t{1} << 25);
  }
  const Counts found = counts({after({}), after({0})}, {outer, all});
  EXPECT_EQ(found.comparison, 24);
  EXPECT_EQ(found.branch, 23u);
}

// NN: its figures, 4.3 times fewer and about 30 tries, are met by a chain of three thresholds that
// differ in each of three data sets, and a fourth that does not. That tree is assumed.
TEST(ThesisCounts, OfNearestNeighbours) {
  const std::vector<std::int64_t> distinct{1, 2, 3};
  const Counts found = counts({after({}), after({0}), after({0, 1}), after({0, 1, 2})},
                              {distinct, distinct, distinct, {7, 7, 7}});
  EXPECT_EQ(found.comparison, 128);
  EXPECT_EQ(found.branch, 30u);
}

// LocVolCalib: (3 + 1)^7 (2 + 1). Figure 6 is an image. Of all 115 rooted trees of eight nodes,
// with comparisons that order the data sets alike, this one alone gives 286: four in a chain, then
// two chains of two side by side, whose first node (of either) does not tell the two smallest
// apart.
TEST(ThesisCounts, OfLocalVolatilityCalibration) {
  const GuardTree guards{after({}),           after({0}),
                         after({0, 1}),       after({0, 1, 2}),
                         after({0, 1, 2, 3}), after({0, 1, 2, 3, 4}),
                         after({0, 1, 2, 3}), after({0, 1, 2, 3, 6})};
  std::vector<std::vector<std::int64_t>> values(8, {1, 2, 3});
  values[4] = {1, 1, 3};
  const Counts found = counts(guards, values);
  EXPECT_EQ(found.comparison, 49152);
  EXPECT_EQ(found.branch, 286u);
}

TEST(Guards, MayNeedOthersToHoldAndHaveSeveralRoots) {
  const GuardTree guards = parse_guards(
      "c (threshold (a !b))\na (threshold ())\nb (threshold (!gone a))\nd (threshold ())\n"
      "group_size_4891 (group_size)\n");
  ASSERT_EQ(guards.size(), 4u);
  EXPECT_EQ(guards[0].name, "a");
  EXPECT_EQ(guards[1].name, "b");  // the dependency that is no threshold is ignored
  EXPECT_EQ(guards[1].needs.size(), 1u);
  const auto compared = parse_comparisons(
      "noise\nCompared a <= 10.\nCompared b <= 20.\nCompared d <= 5.\n"
      "Compared c <= 30\n");
  const DataSet data = data_set_of(guards, "one", compared);
  const auto path = [&](std::int64_t a, std::int64_t b, std::int64_t rest) {
    Configuration thresholds(4, rest);
    thresholds[0] = a;
    thresholds[1] = b;
    std::string text;
    for (const Branch branch : path_of(guards, data, thresholds))
      text += branch == Branch::holds ? 'T' : branch == Branch::fails ? 'F' : '-';
    return text;
  };
  std::vector<std::string> names;
  for (const Guard& guard : guards) names.push_back(guard.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "d", "c"}));
  EXPECT_EQ(path(11, 0, 0), "F-T-");
  EXPECT_EQ(path(10, 20, 0), "TTT-");
  EXPECT_EQ(path(10, 21, 6), "TFFT");
}

TEST(Guards, AreComparedWithWholeNumbersOf64Bits) {
  EXPECT_EQ(parse_comparisons("Compared a <= -9223372036854775808.\n").at("a"),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(
      test::error_text([] { (void)parse_comparisons("Compared a <= 9223372036854775808.\n"); }),
      "error: `9223372036854775808` is too large to be compared");
}

// T2: what a program prints of its versions is what tuners read.
TEST(Guards, AreThoseOfADispatchAndTakeItsPaths) {
  plan::Dispatch dispatch{"proceed", "base", {}};
  for (const auto& [name, measure] : {std::pair("memory", plan::Measure::state_bytes),
                                      std::pair("rows", plan::Measure::row_bytes),
                                      std::pair("many", plan::Measure::cells_per_thread)})
    dispatch.versions.push_back(
        {name, std::string("proceed_") + name, std::string("heat.proceed.") + name, measure, 0});
  const GuardTree guards = parse_guards(plan::thresholds_text(dispatch));
  ASSERT_EQ(guards.size(), 3u);
  for (std::size_t g = 0; g < guards.size(); ++g) {
    EXPECT_EQ(guards[g].name, dispatch.versions[g].threshold);
    ASSERT_EQ(guards[g].needs.size(), g);
    for (std::size_t n = 0; n < g; ++n) {
      EXPECT_EQ(guards[g].needs[n].comparison, n);
      EXPECT_FALSE(guards[g].needs[n].met);
    }
  }
  Rng rng(5);
  for (int trial = 0; trial < 200; ++trial) {
    const plan::MeasuredGrid grid{{rng.between(1, 100), rng.between(1, 100)}, 3, 16};
    std::string log = "noise\n";
    for (const plan::Version& version : dispatch.versions)
      log += fmt::format("Compared {} <= {}.\n", version.threshold,
                         plan::compared(dispatch, version, grid));
    const DataSet data = data_set_of(guards, "one", parse_comparisons(log));
    Configuration thresholds;
    for (std::size_t g = 0; g < guards.size(); ++g) {
      EXPECT_EQ(data.values[g], plan::value_of(dispatch.versions[g].measure, grid));
      thresholds.push_back(dispatch.versions[g].least = data.values[g] + rng.between(-1, 1));
    }
    const Path path = path_of(guards, data, thresholds);
    EXPECT_EQ(std::ranges::find(path, Branch::holds) - path.begin(),
              static_cast<std::ptrdiff_t>(plan::chosen_version(dispatch, grid)));
  }
}

/// Costs without any order, of two roots, one of which must hold for another guard to be reached.
TEST(Tuners, ThatTryAllPathsFindTheBestOfAnyTree) {
  const GuardTree guards =
      parse_guards("a (threshold ())\nb (threshold (a))\nc (threshold (a !b))\nd (threshold ())\n");
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    std::vector<DataSet> data;
    for (int d = 0; d < 4; ++d) {
      data.push_back({std::to_string(d), {}});
      for (std::size_t g = 0; g < guards.size(); ++g)
        data.back().values.push_back(rng.between(1, 9));
    }
    std::map<std::pair<std::size_t, Path>, double> costs;
    const auto measure = [&](std::size_t d, const Path& path, double) -> std::optional<double> {
      return costs.try_emplace({d, path}, rng.unit()).first->second;
    };
    Runs runs(guards, data, measure);
    double best = INFINITY;
    each_configuration(runs, [&](const Configuration& one) {
      double sum = 0;
      for (std::size_t d = 0; d < data.size(); ++d)
        sum += *measure(d, path_of(guards, data[d], one), 0);
      best = std::min(best, sum);
    });
    const Found all = by_comparison(runs), some = by_branch(runs);
    EXPECT_DOUBLE_EQ(all.cost, best);
    EXPECT_DOUBLE_EQ(some.cost, best);
    EXPECT_LT(some.tries, all.tries);  // of outcomes that are not reached
    EXPECT_GE(monotone(runs).cost, best * (1 - 1e-12));
  }
}

TEST(Guards, AreRefusedInACircleOrUnknown) {
  EXPECT_THROW((void)parse_guards("a (threshold (!b))\nb (threshold (!a))\n"), Error);
  EXPECT_THROW((void)data_set_of(parse_guards("a (threshold ())\n"), "x", {}), Error);
}

TEST(Choices, DifferInEveryComparisonAndInNoOther) {
  const auto data = data_sets({{1, 2, 2, 1000000, 3}});
  const auto choices = choices_of(data, 0);
  EXPECT_EQ(choices, (std::vector<std::int64_t>{0, 2, 3, 1732, INT64_MAX}));
}

// Time-outs.

// Two guards in a chain and two data sets: six configurations. Along the first version the larger
// data set never ends; the second version is the best.
struct Unending {
  int stopped = 0;  // runs
  Runs runs{{after({}), after({0})},
            data_sets({{1, 2}, {1, 2}}),
            [this](std::size_t data, const Path& path, double limit) -> std::optional<double> {
              EXPECT_EQ(limit, 10);
              const bool stops = data == 1 && path[0] == Branch::holds;
              stopped += stops;
              if (stops) return std::nullopt;
              return path[1] == Branch::holds ? 1 : 2;
            },
            [](std::size_t) { return 10.0; }};
};

TEST(TimeOuts, EliminateWhatSharesThePath) {
  Unending planted;
  Runs& runs = planted.runs;
  EXPECT_EQ(distinct_configurations(runs).size(), 6u);
  const Found found = by_branch(runs);
  EXPECT_EQ(found.tries, 4);
  EXPECT_EQ(found.eliminated, 2);
  EXPECT_EQ(runs.stopped(), 1);
  EXPECT_EQ(planted.stopped, 1);
  EXPECT_EQ(found.cost, 2);
  EXPECT_EQ(runs.paths(found.thresholds),
            (std::vector<Path>(2, Path{Branch::fails, Branch::holds})));
}

// The thesis's final tuner climbs from a random place; where nothing around it ends, it stays.
TEST(TimeOuts, EliminateForTheFinalTunerToo) {
  int eliminated = 0, reached = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Unending planted;
    const Found found = by_hill_and_branch(planted.runs, seed);
    EXPECT_LE(found.tries, 4);
    EXPECT_LE(found.eliminated, 2);
    EXPECT_LE(planted.stopped, 1) << "it is known afterwards";
    EXPECT_GE(planted.stopped, std::min(found.eliminated, 1));
    eliminated += found.eliminated;
    reached += found.cost == 2;
  }
  EXPECT_EQ(eliminated, 22);
  EXPECT_EQ(reached, 15);
}

// Landscapes.

/// A chain of guards; version v is best for data sets below bound v and from bound v + 1 on.
struct Planted {
  GuardTree guards;
  std::vector<DataSet> data;
  std::vector<std::size_t> best;  // by data set: the version; `guards.size()`: none holds
  int runs = 0;

  Planted(std::size_t versions, std::size_t count, Rng& rng) {
    for (std::size_t v = 0; v + 1 < versions; ++v) {
      std::vector<std::size_t> before(v);
      for (std::size_t b = 0; b < v; ++b) before[b] = b;
      guards.push_back(after(before));
    }
    std::int64_t value = 1;
    std::size_t version = versions - 1;
    for (std::size_t d = 0; d < count; ++d) {
      value += rng.between(1, 1000);
      while (version > 0 && rng.chance(2.0 / static_cast<double>(count))) --version;
      data.push_back(
          {"data " + std::to_string(d), std::vector<std::int64_t>(guards.size(), value)});
      best.push_back(version);
    }
  }
  static std::size_t version_of(const Path& path) {
    std::size_t v = 0;
    while (v < path.size() && path[v] != Branch::holds) ++v;
    return v;
  }
  /// The further from the best version, the longer.
  MeasureRun measure() {
    return [this](std::size_t d, const Path& path, double) -> std::optional<double> {
      ++runs;
      const double away =
          std::abs(static_cast<double>(version_of(path)) - static_cast<double>(best[d]));
      return 1 + 0.3 * away;
    };
  }
};

TEST(Monotone, FindsThePlantedSplit) {
  Rng rng(7);
  for (int trial = 0; trial < 200; ++trial) {
    const auto versions = static_cast<std::size_t>(rng.between(2, 4));
    const auto count = static_cast<std::size_t>(rng.between(1, 60));
    Planted planted(versions, count, rng);
    for (const bool check : {false, true}) {
      Runs runs(planted.guards, planted.data, planted.measure());
      const Found found = monotone(runs, check);
      EXPECT_EQ(found.cost, static_cast<double>(count)) << trial;
      EXPECT_TRUE(found.not_monotone.empty());
      const double most = 2 * std::log2(static_cast<double>(count)) + 2;
      if (!check) {
        EXPECT_LE(found.tries, static_cast<double>(versions - 1) * most);
      }
      for (std::size_t d = 0; d < count; ++d)
        EXPECT_EQ(Planted::version_of(path_of(planted.guards, planted.data[d], found.thresholds)),
                  planted.best[d]);
    }
  }
}

TEST(Monotone, NamesWhatIsNot) {
  Rng rng(3);
  Planted planted(2, 9, rng);
  planted.best = {1, 1, 0, 1, 1, 0, 0, 0, 0};  // the third data set wants the other version
  Runs runs(planted.guards, planted.data, planted.measure());
  const Found found = monotone(runs);
  ASSERT_EQ(found.not_monotone.size(), 1u);
  EXPECT_EQ(found.not_monotone[0].guard, 0u);
  EXPECT_EQ(found.not_monotone[0].data, 2u);
  EXPECT_NEAR(found.not_monotone[0].ratio, 1.3, 1e-9);
  EXPECT_NEAR(found.cost, 9.3, 1e-9);
}

TEST(Tuners, AgreeOnWhatIsBest) {
  Rng rng(11);
  for (int trial = 0; trial < 20; ++trial) {
    Planted planted(3, 6, rng);
    const auto tuned = [&](const auto& tuner) {
      Runs runs(planted.guards, planted.data, planted.measure());
      return tuner(runs);
    };
    const Found comparison = tuned([](Runs& r) { return by_comparison(r); });
    const Found branch = tuned([](Runs& r) { return by_branch(r); });
    const Found split = tuned([](Runs& r) { return monotone(r); });
    const Found hill = tuned([](Runs& r) { return by_hill_and_branch(r, 1); });
    EXPECT_EQ(comparison.tries, 49);
    EXPECT_EQ(branch.tries, 28);  // of 6 data sets over 3 versions: C(8, 2)
    EXPECT_EQ(comparison.cost, 6);
    EXPECT_EQ(branch.cost, 6);
    EXPECT_EQ(split.cost, 6);
    EXPECT_GE(hill.cost, 6);
    EXPECT_LE(hill.tries, 28);
  }
}

TEST(Tuners, HillClimbingReachesLargeMeasures) {
  Rng rng(5);
  Planted planted(2, 6, rng);
  planted.best = {1, 1, 1, 0, 0, 0};
  for (DataSet& data : planted.data)
    for (std::int64_t& value : data.values) value *= std::int64_t{1} << 30;
  Runs runs(planted.guards, planted.data, planted.measure());
  EXPECT_EQ(by_hill(runs, 1000, 1).cost, 6);
}

/// Ends a search from within.
struct Reached {
  int tries;
};

/// After how many tries hill climbing first finds a configuration that costs no more than `goal`;
/// none: not in 100,000.
std::optional<int> tries_of_hill_climbing(Planted& planted, double goal, std::uint64_t seed) {
  const auto count = static_cast<int>(planted.data.size());
  const MeasureRun measure = planted.measure();
  int done = 0;
  double sum = 0;  // of the data sets of one try
  Runs runs(planted.guards, planted.data,
            [&](std::size_t d, const Path& path, double limit) -> std::optional<double> {
              const auto cost = measure(d, path, limit);
              sum = done % count == 0 ? *cost : sum + *cost;
              if (++done % count == 0 && sum <= goal + 1e-9) throw Reached{done / count};
              return cost;
            });
  try {
    (void)by_hill(runs, 100000, seed);
    return std::nullopt;
  } catch (const Reached& reached) {
    return reached.tries;
  }
}

// T7: at the same result, hill climbing needs six times the runs of monotone or more over ten
// landscapes. Of a single one, between 3 and several thousand times: it has to hit a gap between
// two data sets that may be narrow.
TEST(Tuners, MonotoneNeedsASixthOfTheRunsOfHillClimbing) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Rng rng(seed);
    int monotone_runs = 0, hill_runs = 0;
    for (int trial = 0; trial < 10; ++trial) {
      Planted planted(3, 12, rng);
      for (DataSet& data : planted.data)
        for (std::int64_t& value : data.values) value *= 80;  // up to a million
      Runs runs(planted.guards, planted.data, planted.measure());
      const Found split = monotone(runs, false);
      ASSERT_EQ(split.cost, 12) << "the planted split";
      monotone_runs += split.tries;
      const auto tries = tries_of_hill_climbing(planted, split.cost, seed);
      ASSERT_TRUE(tries) << "seed " << seed << ", landscape " << trial << " was not reached";
      hill_runs += *tries * 12;
    }
    EXPECT_GE(hill_runs, 6 * monotone_runs) << "seed " << seed;
  }
}

}  // namespace
}  // namespace paraiso::tune
