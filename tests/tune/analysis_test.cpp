// The published numbers are those of the 2012 paper's appendix.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "paraiso/base/rng.hpp"
#include "paraiso/tune/analysis/contribution.hpp"
#include "paraiso/tune/analysis/correlations.hpp"
#include "paraiso/tune/analysis/fitness_rank.hpp"
#include "paraiso/tune/analysis/markov.hpp"

namespace paraiso::tune {
namespace {

/// The number of digits that the paper prints.
std::string printed(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

struct Births {
  std::int64_t contributing, all;
};

/// The first and last lines of Tables A1 to A7, and the first three of Table A15 with their signs.
struct Experiment {
  const char* name;
  Births mutation, crossover, triangulation, total;
  const char *first, *second, *third;
};

constexpr Experiment kExperiments[] = {
    {"GA-1",
     {1627, 9495},
     {1875, 4333},
     {3011, 6850},
     {6513, 20678},
     "-1678.37",
     "+352.27",
     "+736.92"},
    {"GA-S1",
     {1304, 15888},
     {915, 8650},
     {1411, 9763},
     {3631, 34302},
     "-176.82",
     "-0.00",
     "+215.63"},
    {"GA-DE",
     {480, 20472},
     {430, 9065},
     {592, 11711},
     {1503, 41249},
     "-195.35",
     "+40.03",
     "+92.78"},
    {"GA-D",
     {785, 33412},
     {1099, 15405},
     {1680, 19278},
     {3565, 68096},
     "-1101.14",
     "+144.68",
     "+656.16"},
    {"GA-4",
     {631, 17052},
     {730, 11013},
     {940, 12027},
     {2302, 40093},
     "-228.43",
     "+22.07",
     "+136.57"},
    {"GA-F", {373, 12093}, {329, 4842}, {499, 6120}, {1202, 23056}, "-233.27", "+31.02", "+145.75"},
    {"GA-F2",
     {332, 13935},
     {314, 4146},
     {767, 6767},
     {1414, 24849},
     "-646.90",
     "+32.89",
     "+552.01"},
};

std::string printed(const ChiSquared& test) {
  return (test.sign < 0 ? "-" : "+") + printed(test.statistic);
}

TEST(ChiSquared, ReproducesTheFirstThreeRowsOfTableA15) {
  for (const Experiment& e : kExperiments) {
    const auto row = [&](const Births& births) {
      return printed(
          correlation(births.contributing, births.all, e.total.contributing, e.total.all));
    };
    EXPECT_EQ(row(e.mutation), e.first) << e.name;
    EXPECT_EQ(row(e.crossover), e.second) << e.name;
    EXPECT_EQ(row(e.triangulation), e.third) << e.name;
  }
}

/// Of Tables A8 to A14: crossovers and triangulations that are alike and much faster; all of both
/// births and those at d = 0. Of Table A15: rows 8 (less row 9) and 10 (less row 11).
struct Combination {
  const char* name;
  std::int64_t alike[2], much_faster[2];
  Births crossover, triangulation;
  const char *eighth, *tenth;
};

constexpr Combination kCombinations[] = {
    {"GA-1", {824, 2420}, {1347, 1293}, {1875, 4333}, {3011, 6850}, "-0.50", "+410.39"},
    {"GA-S1", {4246, 6214}, {532, 543}, {915, 8650}, {1411, 9763}, "-62.38", "+31.79"},
    {"GA-DE", {3596, 4777}, {1511, 1728}, {430, 9065}, {592, 11711}, "-1.06", "+13.00"},
    {"GA-D", {4657, 6382}, {944, 625}, {1099, 15405}, {1680, 19278}, "-29.02", "+179.86"},
    {"GA-4", {3601, 4318}, {571, 395}, {730, 11013}, {940, 12027}, "-12.05", "+64.28"},
    {"GA-F", {1300, 1742}, {288, 258}, {329, 4842}, {499, 6120}, "-7.15", "+18.81"},
    {"GA-F2", {980, 1765}, {347, 201}, {314, 4146}, {767, 6767}, "-40.75", "+144.85"},
};

TEST(ChiSquared, ReproducesRowsEightToElevenOfTableA15) {
  for (const Combination& e : kCombinations) {
    const std::int64_t contributing = e.crossover.contributing + e.triangulation.contributing,
                       all = e.crossover.all + e.triangulation.all;
    EXPECT_EQ(printed(correlation(e.crossover.contributing, e.crossover.all, contributing, all)),
              e.eighth)
        << e.name;
    const std::int64_t crossovers = e.alike[0] + e.much_faster[0],
                       triangulations = e.alike[1] + e.much_faster[1],
                       faster = e.much_faster[0] + e.much_faster[1];
    const auto tenth =
        correlation(e.much_faster[0], crossovers, faster, crossovers + triangulations);
    const auto eleventh =
        correlation(e.much_faster[1], triangulations, faster, crossovers + triangulations);
    EXPECT_EQ(printed(tenth), e.tenth) << e.name;
    EXPECT_DOUBLE_EQ(eleventh.statistic, tenth.statistic) << e.name;
    EXPECT_EQ(eleventh.sign, -tenth.sign) << e.name;
  }
}

TEST(ChiSquared, TailsAreThoseOfTheTables) {
  // Abramowitz and Stegun, Table 26.8, at a probability of 0.001; the paper uses the first two.
  EXPECT_NEAR(chi_squared_tail(10.828, 1), 0.001, 1e-6);
  EXPECT_NEAR(chi_squared_tail(18.467, 4), 0.001, 1e-6);
  EXPECT_NEAR(chi_squared_tail(13.816, 2), 0.001, 1e-6);
  EXPECT_NEAR(chi_squared_tail(16.266, 3), 0.001, 1e-6);
  EXPECT_NEAR(chi_squared_tail(32.909, 12), 0.001, 1e-6);
  EXPECT_NEAR(chi_squared_tail(37.697, 15), 0.001, 1e-6);
  EXPECT_EQ(chi_squared_tail(0, 5), 1);
  EXPECT_GT(chi_squared_tail(1000, 1), 0) << "small, and not lost";
}

TEST(ChiSquared, IndependentCountsHaveNone) {
  const ChiSquared test = independence({{10, 20, 30}, {1, 2, 3}});
  EXPECT_NEAR(test.statistic, 0, 1e-12);
  EXPECT_EQ(test.degrees, 2);
  EXPECT_NEAR(test.probability(), 1, 1e-6);
}

TEST(ChiSquared, EmptyRowsAndColumnsDoNotCount) {
  const ChiSquared with = independence({{5, 0, 9}, {0, 0, 0}, {7, 0, 1}}),
                   without = independence({{5, 9}, {7, 1}});
  EXPECT_DOUBLE_EQ(with.statistic, without.statistic);
  EXPECT_EQ(with.degrees, 1);
}

TEST(ChiSquared, NothingToTestIsNoCorrelation) {
  const ChiSquared all_are_mutations = correlation(3, 10, 3, 10);
  EXPECT_EQ(all_are_mutations.degrees, 0);
  EXPECT_EQ(all_are_mutations.statistic, 0);
  EXPECT_EQ(all_are_mutations.sign, 0);
  EXPECT_EQ(all_are_mutations.probability(), 1);
  EXPECT_EQ(correlation(0, 0, 0, 0).degrees, 0);
}

/// Scores; all deviations are 1.
Lineage lineage(const std::vector<std::pair<double, std::vector<std::size_t>>>& members) {
  Lineage result;
  for (const auto& [score, parents] : members) result.push_back({score, 1, parents, ""});
  return result;
}

TEST(Contribution, IsTheDistanceFromTheFamilyOfTheBest) {
  const Lineage tuning = lineage({
      {10, {}},        // 0: the start, ancestor of the best
      {20, {0}},       // 1: parent of the best
      {5, {0}},        // 2
      {30, {1}},       // 3: the best
      {29.5, {2, 3}},  // 4: as good as the best: 2 is an ancestor of one of the best
      {1, {3}},        // 5
      {1, {5}},        // 6
      {1, {6, 1}},     // 7: the nearer parent counts
      {2, {}},         // 8: another start
      {3, {8}},        // 9
      {3, {8, 5}},     // 10
  });
  EXPECT_EQ(contribution_distances(tuning),
            (std::vector<int>{0, 0, 0, 0, 0, 1, 2, 1, kNoDistance, kNoDistance, 2}));
}

TEST(Contribution, NobodySucceeded) {
  EXPECT_EQ(contribution_distances(lineage({{0, {}}, {0, {0}}})),
            (std::vector<int>{kNoDistance, kNoDistance}));
}

TEST(Contribution, OneWithinADeviationOfTheBestIsOneOfTheBest) {
  Lineage tuning = lineage({{10, {}}, {9.5, {}}, {9, {}}});
  EXPECT_EQ(contribution_distances(tuning), (std::vector<int>{0, 0, kNoDistance}));
  tuning[0].deviation = 0;
  EXPECT_EQ(contribution_distances(tuning), (std::vector<int>{0, kNoDistance, kNoDistance}));
}

TEST(Contribution, TableCountsByDistanceAndParents) {
  const auto table = contribution_table(
      lineage({{10, {}}, {20, {0}}, {30, {0, 1}}, {1, {0, 1, 2}}, {1, {3}}, {2, {}}}));
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0], (std::array<std::int64_t, 4>{1, 1, 1, 0}));
  EXPECT_EQ(table.rows[1], (std::array<std::int64_t, 4>{0, 0, 0, 1}));
  EXPECT_EQ(table.rows[2], (std::array<std::int64_t, 4>{0, 1, 0, 0}));
  EXPECT_EQ(table.strangers, (std::array<std::int64_t, 4>{1, 0, 0, 0}));
  EXPECT_EQ(table.sum(1), 2);
  EXPECT_EQ(table.sum(), 6);
}

TEST(FitnessRank, ComparesWithTheParents) {
  const double margin = std::sqrt(2);  // of two deviations of 1
  const Lineage tuning = lineage({
      {10, {}},
      {20, {}},
      {10 - margin - 0.1, {0, 1}},
      {10 - margin + 0.1, {0, 1}},
      {15, {0, 1}},
      {20 - margin + 0.1, {0, 1}},
      {20 + margin - 0.1, {0, 1}},
      {20 + margin + 0.1, {0, 1}},
      {0, {1}},
      {20, {1}},
      {30, {1}},
  });
  EXPECT_EQ(rank_of(tuning, 0), std::nullopt);
  EXPECT_EQ(rank_of(tuning, 2), FitnessRank::much_slower);
  EXPECT_EQ(rank_of(tuning, 3), FitnessRank::slower);
  EXPECT_EQ(rank_of(tuning, 4), FitnessRank::slower);
  EXPECT_EQ(rank_of(tuning, 5), FitnessRank::alike);
  EXPECT_EQ(rank_of(tuning, 6), FitnessRank::alike);
  EXPECT_EQ(rank_of(tuning, 7), FitnessRank::much_faster);
  EXPECT_EQ(rank_of(tuning, 8), FitnessRank::much_slower);
  EXPECT_EQ(rank_of(tuning, 9), FitnessRank::alike);
  EXPECT_EQ(rank_of(tuning, 10), FitnessRank::much_faster);
}

TEST(FitnessRank, ATieIsAlike) {
  Lineage tuning = lineage({{10, {}}, {10, {0}}, {10, {0, 1}}});
  for (Member& member : tuning) member.deviation = 0;
  EXPECT_EQ(rank_of(tuning, 1), FitnessRank::alike);
  EXPECT_EQ(rank_of(tuning, 2), FitnessRank::alike);
}

TEST(FitnessRank, WhoOutdoesItsFastestParentIsNotSlower) {
  Lineage tuning = lineage({{100, {}}, {50, {}}, {110, {0, 1}}, {90, {0, 1}}});
  EXPECT_EQ(rank_of(tuning, 2), FitnessRank::much_faster);
  tuning[1].deviation = 200;
  EXPECT_EQ(rank_of(tuning, 2), FitnessRank::alike) << "the other one's score is in doubt";
  EXPECT_EQ(rank_of(tuning, 3), FitnessRank::slower);
}

/// A made-up tuning of some size.
Lineage random_lineage(std::uint64_t seed, std::size_t count) {
  Rng rng(seed);
  Lineage tuning = {{100, 1, {}, "start"}};
  while (tuning.size() < count) {
    Member child;
    for (std::uint64_t p = 0, parents = 1 + rng.below(3); p < parents; ++p)
      child.parents.push_back(rng.below(tuning.size()));
    child.score = tuning[child.parents[0]].score * (0.5 + rng.unit());
    child.deviation = 2 * rng.unit();
    tuning.push_back(std::move(child));
  }
  return tuning;
}

TEST(FitnessRank, ATableHoldsEachChildOnce) {
  const Lineage tuning = random_lineage(1, 2000);
  const auto distances = contribution_distances(tuning);
  const RankTable table = rank_table(tuning, distances);
  std::int64_t all = 0, contributing = 0, mutations_between = 0;
  for (const auto& birth : table.cells)
    for (const auto& cell : birth) all += cell.all, contributing += cell.contributing;
  for (std::size_t i = 1; i < tuning.size(); ++i) contributing -= distances[i] == 0;
  mutations_between = table.cells[0][static_cast<std::size_t>(FitnessRank::slower)].all;
  EXPECT_EQ(all, 1999);
  EXPECT_EQ(contributing, 0);
  EXPECT_EQ(mutations_between, 0) << "with one parent there is nothing between";
}

TEST(Correlations, AreThoseOfTheTables) {
  const Lineage tuning = random_lineage(2, 3000);
  const auto rows = correlations(tuning);
  ASSERT_EQ(rows.size(), 17u);
  const ContributionTable table = contribution_table(tuning);
  const std::int64_t contributing =
      std::accumulate(table.rows[0].begin(), table.rows[0].end(), std::int64_t{0});
  for (std::size_t parents = 1; parents <= 3; ++parents) {
    const ChiSquared expected =
        correlation(table.rows[0][parents], table.sum(parents), contributing, table.sum());
    EXPECT_EQ(rows[parents - 1].test.statistic, expected.statistic);
    EXPECT_EQ(rows[parents - 1].test.sign, expected.sign);
  }
  EXPECT_DOUBLE_EQ(rows[7].test.statistic, rows[8].test.statistic);
  EXPECT_EQ(rows[9].test.sign, -rows[10].test.sign);
  EXPECT_GT(rows[15].test.probability(), 1e-3) << "lucky numbers";
  EXPECT_GT(rows[16].test.probability(), 1e-3);
}

TEST(Markov, WordsEndWithTheChild) {
  const Lineage tuning = lineage({
      {1, {}},         // the start
      {2, {0}},        // 1
      {3, {1, 0}},     // 2
      {9, {0, 1, 2}},  // 3: the best
  });
  // d = 0 for all.
  EXPECT_EQ(family_words(tuning, 1), (WordCounts{{"1", 1}, {"2", 1}, {"3", 1}}));
  EXPECT_EQ(family_words(tuning, 2), (WordCounts{{"12", 1}, {"13", 1}, {"23", 1}}));
  EXPECT_EQ(family_words(tuning, 3), (WordCounts{{"123", 1}}));
}

WordCounts random_words(std::uint64_t seed, std::size_t length, double repeating) {
  Rng rng(seed);
  WordCounts words;
  std::string line = "1";
  for (int i = 0; i < 30000; ++i) {
    line += rng.chance(repeating) ? line.back() : static_cast<char>('1' + rng.below(3));
    if (line.size() > length) line.erase(0, 1);
    if (line.size() == length && i % static_cast<int>(length) == 0) ++words[line];
  }
  return words;
}

TEST(Markov, TellsAMemoryFromNone) {
  const MarkovTests none = markov_tests(random_words(1, 2, 0), random_words(2, 3, 0));
  EXPECT_EQ(none.zeroth.degrees, 4);
  EXPECT_EQ(none.first.degrees, 12);
  EXPECT_GT(none.zeroth.probability(), 1e-3);
  EXPECT_GT(none.first.probability(), 1e-3);
  const MarkovTests one = markov_tests(random_words(3, 2, 0.3), random_words(4, 3, 0.3));
  EXPECT_LT(one.zeroth.probability(), 1e-9);
  EXPECT_GT(one.first.probability(), 1e-3) << "a memory of one letter explains the triples";
  ASSERT_EQ(one.prefixes.size(), 4u);
  EXPECT_EQ(one.prefixes[0].test.sign, 1);
  EXPECT_EQ(one.prefixes[1].test.sign, 1);
}

}  // namespace
}  // namespace paraiso::tune
