#include "paraiso/tune/draw.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace paraiso::tune {
namespace {

struct Scored {
  double score = 0, deviation = 0;
};

DrawIndex index_of(const std::vector<Scored>& population) {
  DrawIndex index;
  for (std::size_t i = 0; i < population.size(); ++i)
    index.add(i, population[i].score, population[i].deviation);
  return index;
}

/// The probabilities as they are defined, by looking at everyone.
std::vector<double> probabilities(const std::vector<Scored>& population, double temperature) {
  const Scored top = *std::ranges::max_element(population, {}, &Scored::score);
  std::vector<double> weights;
  double sum = 0;
  for (const Scored& i : population) {
    weights.push_back(
        std::exp(-(top.score - i.score) / (temperature + top.deviation + i.deviation)));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// Pearson's statistic of the draws against the definition, per degree of freedom; cells that are
/// too improbable for the statistic are taken together.
double disagreement(const std::vector<Scored>& population, double temperature, int draws) {
  const DrawIndex index = index_of(population);
  std::vector<int> seen(population.size());
  Rng rng(3);
  for (int d = 0; d < draws; ++d) ++seen[index.draw(temperature, rng)];
  double statistic = 0, rest_expected = 0, rest_seen = 0;
  int cells = 0;
  const auto expected = probabilities(population, temperature);
  for (std::size_t i = 0; i < population.size(); ++i) {
    const double count = expected[i] * draws;
    if (count < 10) {
      rest_expected += count, rest_seen += seen[i];
      continue;
    }
    statistic += std::pow(seen[i] - count, 2) / count;
    ++cells;
  }
  if (rest_expected >= 10) {
    statistic += std::pow(rest_seen - rest_expected, 2) / rest_expected;
    ++cells;
  } else {
    EXPECT_LE(rest_seen, 40) << "too many of the improbable";
  }
  return cells > 1 ? statistic / (cells - 1) : 1;
}

std::vector<Scored> random_population(std::size_t count, double largest_deviation) {
  Rng rng(count);
  std::vector<Scored> population;
  for (std::size_t i = 0; i < count; ++i)
    population.push_back({100 * std::pow(rng.unit(), 2), largest_deviation * rng.unit()});
  return population;
}

TEST(Draw, FollowsItsDefinition) {
  for (const std::size_t count : {2, 3, 20, 100})
    for (const double deviation : {0.0, 0.5, 30.0})
      for (const double temperature : {0.01, 1.0, 20.0, 1000.0}) {
        const double found = disagreement(random_population(count, deviation), temperature, 20000);
        // Per degree of freedom, 1 on average; with one degree it spreads widely.
        EXPECT_LT(found, count > 10 ? 2.5 : 12) << count << " " << deviation << " " << temperature;
      }
}

TEST(Draw, FollowsItsDefinitionWithOneWildDeviation) {
  auto population = random_population(64, 0.1);
  population[17].deviation = 500;
  EXPECT_LT(disagreement(population, 0.5, 20000), 3);
}

TEST(Draw, OneIndividualIsDrawnAlways) {
  Rng rng(1);
  EXPECT_EQ(index_of({{5, 0}}).draw(1e-9, rng), 0u);
}

TEST(Draw, ColdTakesTheBest) {
  Rng rng(1);
  const DrawIndex index = index_of({{1, 0}, {9, 0}, {3, 0}});
  for (int d = 0; d < 100; ++d) EXPECT_EQ(index.draw(0.01, rng), 1u);
}

TEST(Draw, HotTakesAnyone) {
  Rng rng(1);
  const DrawIndex index = index_of({{1, 0}, {9, 0}, {3, 0}});
  std::vector<int> seen(3);
  for (int d = 0; d < 3000; ++d) ++seen[index.draw(1e6, rng)];
  for (const int count : seen) EXPECT_NEAR(count, 1000, 150);
}

TEST(Draw, DifferencesWithinTheDeviationsCountForLittle) {
  Rng rng(1);
  const DrawIndex index = index_of({{100, 5}, {99, 5}});
  int second = 0;
  for (int d = 0; d < 3000; ++d) second += index.draw(0.01, rng) == 1;
  EXPECT_NEAR(second, 3000 / (1 + std::exp(0.1)), 150);
}

TEST(Draw, ScoresMayBeEqual) {
  Rng rng(1);
  const DrawIndex index = index_of(std::vector<Scored>(7, Scored{4, 0}));
  std::vector<int> seen(7);
  for (int d = 0; d < 7000; ++d) ++seen[index.draw(0.001, rng)];
  for (const int count : seen) EXPECT_NEAR(count, 1000, 150);
}

}  // namespace
}  // namespace paraiso::tune
