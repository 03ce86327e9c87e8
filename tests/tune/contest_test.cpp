#include "paraiso/tune/contest/contest.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "tests/runtime/support.hpp"

namespace paraiso::tune {
namespace {

using plan::Genome;
using test::error_text;
using test::Folder;

/// What each genome's rounds measure, by its first allele; the last one again where they are over.
using Rounds = std::map<int, std::vector<Measurement>>;

class Clock {
 public:
  explicit Clock(Rounds rounds) : rounds_(std::move(rounds)) {}
  Measurement operator()(const Genome& genome) {
    const auto& of_genome = rounds_.at(genome[0]);
    return of_genome[std::min(asked[genome[0]]++, of_genome.size() - 1)];
  }
  std::map<int, std::size_t> asked;

 private:
  Rounds rounds_;
};

ContestResult contest(Clock& clock, const std::vector<Genome>& finalists,
                      const ContestRounds& rounds = {}) {
  return hold_contest([&](const Genome& genome) { return clock(genome); }, {0}, finalists, {},
                      rounds);
}

Measurement around(double score) { return measured({score - 1, score, score + 1}); }

TEST(Contest, TheFastestWinsWhereItIsFasterInEachRound) {
  Clock clock({{0, {around(100), around(80)}},  // the machine becomes slower, for both
               {1, {around(112), around(112), around(112), around(110), around(90)}},
               {2, {around(108)}}});
  const auto result = contest(clock, {{2}, {1}});
  EXPECT_TRUE(result.won);
  EXPECT_EQ(result.best.genome, Genome{1});
  EXPECT_EQ(result.best.measurement.samples.size(), 18u);
  EXPECT_EQ(result.best.round_means, (std::vector<double>{110, 90, 90, 90, 90, 90}));
  EXPECT_DOUBLE_EQ(result.start.measurement.score, (100 + 5 * 80) / 6.0);
  EXPECT_EQ(clock.asked[0], 6u);
  EXPECT_EQ(clock.asked[2], 3u) << "has no part in the decision";
}

TEST(Contest, WhoWasLuckyInTheChoiceMustWinAgain) {
  Clock clock({{0, {around(100)}},
               {1, {around(150), around(150), around(150), around(99)}},
               {2, {around(101)}}});
  const auto result = contest(clock, {{1}, {2}});
  EXPECT_EQ(result.best.genome, Genome{1});
  EXPECT_DOUBLE_EQ(result.best.measurement.score, 99);
  EXPECT_FALSE(result.won);
}

TEST(Contest, ALuckyMeanIsNoVictory) {
  Clock clock({{0, {around(100)}},
               {1, {around(150), around(98), around(98), around(98), around(98), around(98)}}});
  const auto result = contest(clock, {{1}}, {.most = 6});
  EXPECT_GT(result.best.measurement.score, result.start.measurement.score);
  EXPECT_FALSE(result.won);
  EXPECT_GT(result.missing_rounds, 0);
}

/// Leads with the mean 1 and the given deviation, round by round.
bool wins_by(double deviation) {
  const double step = deviation * std::sqrt(5.0 / 6.0);
  Rounds rounds{{0, {around(100)}}, {1, {}}};
  for (int round = 0; round < 6; ++round)
    rounds[1].push_back(around(101 + (round % 2 == 0 ? step : -step)));
  Clock clock(rounds);
  return contest(clock, {{1}}).won;
}

TEST(Contest, TheDoubtIsStudentsForFiveDegreesOfFreedom) {
  const double limit = std::sqrt(6.0) / 2.571;  // of the deviation, for a mean lead of 1
  EXPECT_TRUE(wins_by(0.99 * limit));
  EXPECT_FALSE(wins_by(1.01 * limit));
}

/// How often one of three that are as fast as the start beats it, by noise alone.
double victories_of_noise(int contests) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(100, 1);
  int won = 0;
  for (int n = 0; n < contests; ++n)
    won +=
        hold_contest([&](const Genome&) { return measured({noise(random)}); }, {0}, {{1}, {2}, {3}})
            .won;
  return static_cast<double>(won) / contests;
}

TEST(Contest, NoiseWinsAsRarelyAsItMay) {
  EXPECT_NEAR(victories_of_noise(4000), 0.025, 0.01);  // of one in twenty, the half to this side
}

/// Speeds about `mean` that a busy machine divides, each by its own factor.
MeasureGenome busy(std::map<int, double> means, double deviation, std::uint64_t seed = 1) {
  return [=, random = std::mt19937_64(seed)](const Genome& genome) mutable {
    return measured({means.at(genome[0]) * std::lognormal_distribution<>(0, deviation)(random)});
  };
}

TEST(Contest, ALargeLeadInMuchNoiseIsMeasuredUntilItIsDecided) {
  const MeasureGenome time = busy({{0, 100}, {1, 360}}, 1.2);
  const auto short_one = hold_contest(time, {0}, {{1}}, {}, {.most = 6});
  EXPECT_FALSE(short_one.won);
  EXPECT_GT(short_one.missing_rounds, 0);
  const auto result = hold_contest(time, {0}, {{1}});
  EXPECT_TRUE(result.won);
  EXPECT_EQ(result.missing_rounds, 0);
  EXPECT_GT(result.best.round_means.size(), 6u);
  EXPECT_EQ(result.start.round_means.size(), result.best.round_means.size());
  EXPECT_EQ(missing_text(result), "");
}

TEST(Contest, AsMuchNoiseAloneWinsAsRarely) {
  int won = 0, decided = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const auto result = hold_contest(busy({{0, 100}, {1, 100}}, 0.3, seed), {0}, {{1}});
    won += result.won;
    decided += result.missing_rounds == 0;
  }
  EXPECT_NEAR(won / 2000.0, 0.027, 0.01);
  EXPECT_LT(decided, 400) << "that nothing is to be gained takes more rounds";
}

TEST(Contest, LessThanAWorthwhileGainEndsIt) {
  Clock clock({{0, {around(100)}}, {1, {around(103), around(101)}}});
  const auto result = contest(clock, {{1}});
  EXPECT_EQ(result.best.round_means.size(), 6u);
  EXPECT_EQ(result.missing_rounds, 0);
}

/// Lead after lead, by turns twice and half of `ratio`.
ContestResult undecided(double ratio, int most) {
  Rounds rounds{{0, {around(100)}}, {1, {}}};
  for (int round = 0; round < most; ++round)
    rounds[1].push_back(measured({100 * ratio * (round % 2 == 0 ? 2 : 0.5)}));
  Clock clock(rounds);
  return contest(clock, {{1}}, {.most = most});
}

TEST(Contest, WhereRoundsAreOverItSaysWhatIsMissing) {
  auto result = undecided(1.2, 24);
  EXPECT_FALSE(result.won);
  // (3.485 deviations of 0.708 / log(1.2))^2 rounds, of which 24 are there.
  EXPECT_EQ(result.missing_rounds, 184 - 24);
  result.round_seconds = 1.5;
  EXPECT_EQ(missing_text(result),
            "undecided after 24 rounds: it may be 1.20 times as fast; 160 more, 4.0 minutes, would "
            "tell");
}

TEST(Contest, WhatMayBeSlowerIsNotToldAsFaster) {
  auto result = undecided(0.97, 24);
  EXPECT_FALSE(result.won);
  EXPECT_EQ(result.missing_rounds % 2, 0);
  result.round_seconds = 60;
  EXPECT_EQ(
      missing_text(result),
      fmt::format("undecided after 24 rounds: it may be slower, 0.97 times as fast; {0} more, "
                  "{0}.0 minutes, would exclude a gain of 5 %",
                  result.missing_rounds));
}

/// As a command asks for them: an odd number would let one side be first more often.
TEST(Contest, MissingRoundsMakeAnEvenNumber) {
  for (int percent = 80; percent < 125; ++percent)
    EXPECT_EQ(undecided(percent / 100.0, 24).missing_rounds % 2, 0) << percent;
}

TEST(Contest, AsManyRoundsAsAreMissingDoDecide) {
  for (const double ratio : {1.2, 0.9}) {
    const auto result = undecided(ratio, 24);
    const auto longer = undecided(ratio, 24 + static_cast<int>(result.missing_rounds));
    EXPECT_EQ(longer.missing_rounds, 0) << ratio;
    EXPECT_EQ(longer.won, ratio > 1) << ratio;
  }
}

TEST(Contest, BeingFirstIsNoDisadvantage) {
  int call = 0;
  const auto first_is_slow = [&](const Genome&) { return around(call++ % 2 == 0 ? 90 : 100); };
  EXPECT_FALSE(hold_contest(first_is_slow, {0}, {{1}}).won);
}

TEST(Contest, WhoIsBesideIsMeasuredAndCannotWin) {
  Clock clock(
      {{0, {around(100)}}, {1, {around(110)}}, {2, {around(500)}}, {3, {failed("it hung")}}});
  const auto result =
      hold_contest([&](const Genome& genome) { return clock(genome); }, {0}, {{1}}, {{2}, {3}});
  EXPECT_EQ(result.best.genome, Genome{1});
  ASSERT_EQ(result.beside.size(), 2u);
  EXPECT_EQ(result.beside[0].round_means, std::vector<double>(6, 500));
  EXPECT_EQ(result.beside[1].measurement.reason, "it hung");
  EXPECT_EQ(clock.asked[3], 1u);
}

TEST(Contest, TheSlowerLoses) {
  Clock clock({{0, {around(100)}}, {1, {around(90)}}});
  EXPECT_FALSE(contest(clock, {{1}}).won);
}

TEST(Contest, WhoFailsInTheChoiceIsOut) {
  Clock clock({{0, {around(100)}}, {1, {around(200), failed("wrong answer")}}, {2, {around(110)}}});
  const auto result = contest(clock, {{1}, {2}});
  EXPECT_EQ(result.best.genome, Genome{2});
  EXPECT_TRUE(result.won);
  ASSERT_EQ(result.dropped.size(), 1u);
  EXPECT_EQ(result.dropped[0].measurement.reason, "wrong answer");
  EXPECT_EQ(clock.asked[1], 2u) << "not asked again";
}

TEST(Contest, WhoFailsInTheDecisionMakesRoomForTheNext) {
  Clock clock({{0, {around(100)}},
               {1, {around(200), around(200), around(200), around(200), failed("it hung")}},
               {2, {around(110)}}});
  const auto result = contest(clock, {{1}, {2}});
  EXPECT_EQ(result.best.genome, Genome{2});
  EXPECT_EQ(result.start.round_means.size(), 6u);
  ASSERT_EQ(result.dropped.size(), 1u);
  EXPECT_EQ(result.dropped[0].genome, Genome{1});
  EXPECT_EQ(clock.asked[1], 5u) << "not asked again";
}

TEST(Contest, WithoutFinalistsTheStartStays) {
  Clock clock({{0, {around(100)}}});
  const auto result = contest(clock, {});
  EXPECT_EQ(result.best.genome, Genome{0});
  EXPECT_EQ(result.best.round_means.size(), 2u) << "there is nothing to decide";
  EXPECT_FALSE(result.won);
}

TEST(Contest, TheStartMustRun) {
  Clock clock({{0, {failed("it took more than 300 seconds")}}});
  EXPECT_EQ(error_text([&] { (void)contest(clock, {}); }),
            "error: the default schedule failed in the contest: it took more than 300 "
            "seconds");
}

TEST(Finalists, AreTheBestOfEachCode) {
  Folder folder;
  Database database(folder / "tuning.sqlite");
  TuningProblem problem;
  problem.genes = {{"g", {"0", "1", "2", "3", "4", "5", "6"}}};
  const auto id = database.add(problem);
  const auto session = database.add(TunerRun{});
  const auto add = [&](const std::string& genome, const Measurement& measurement,
                       const std::string& code) {
    Individual individual;
    individual.session = session;
    individual.genome = genome;
    individual.measurement = measurement;
    individual.measurement.code_hash = code;
    database.record(id, individual);
  };
  add("A", around(100), "start");
  add("B", around(300), "one");
  add("C", around(300), "one");
  add("D", around(200), "other");
  add("E", failed("it crashed"), "");
  add("F", around(400), "start");
  add("G", around(150), "third");
  EXPECT_EQ(finalists(database, id, problem.genes, {0}, 3), (std::vector<Genome>{{1}, {3}, {6}}));
  EXPECT_EQ(finalists(database, id, problem.genes, {0}, 1), (std::vector<Genome>{{1}}));
}

}  // namespace
}  // namespace paraiso::tune
