#include "paraiso/tune/strategy.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "paraiso/tune/triangulate.hpp"
#include "tests/runtime/support.hpp"
#include "tests/tune/landscape.hpp"

namespace paraiso::tune {
namespace {

using plan::Genome;
using test::Landscape;
using test::simulate;

/// The names of all strategies that the landscape's size allows.
std::vector<std::string> names(bool small) {
  std::vector<std::string> names;
  for (const StrategyInfo& info : strategies())
    if (small || std::string(info.name) != "exhaustive") names.push_back(info.name);
  EXPECT_GE(names.size(), 5u);
  return names;
}

double best_of(const Landscape& landscape) {
  Search search(landscape.space(), "exhaustive", 1);
  return simulate(search, landscape, 1000000, 1, 1).back();
}

TEST(Strategy, TheSameSeedIsTheSameSearch) {
  const Landscape landscape(1, {});
  for (const std::string& name : names(false)) {
    Search one(landscape.space(), name, 5), two(landscape.space(), name, 5),
        other(landscape.space(), name, 6);
    const auto curve = simulate(one, landscape, 200, 4, 1);
    EXPECT_EQ(simulate(two, landscape, 200, 4, 1), curve) << name;
    EXPECT_NE(simulate(other, landscape, 200, 4, 1), curve) << name;
  }
}

TEST(Strategy, NobodyIsAskedForTwice) {
  const Landscape landscape(2, {.genes = 6, .largest_allele_count = 3});
  for (const std::string& name : names(true)) {
    Search search(landscape.space(), name, 1);
    std::set<Genome> asked;
    while (const auto birth = search.ask()) {
      EXPECT_TRUE(asked.insert(birth->genome).second) << name;
      search.tell(birth->genome, landscape.measure(birth->genome));
    }
    EXPECT_GT(asked.size(), 10u) << name;
  }
}

TEST(Strategy, BeginsWithTheStarts) {
  const Landscape landscape(3, {});
  Space space = landscape.space();
  space.starts.push_back(Genome(space.genes.size(), 1));
  for (const std::string& name : names(false)) {
    Search search(space, name, 1);
    for (const Genome& start : space.starts) {
      const auto birth = search.ask();
      ASSERT_TRUE(birth) << name;
      EXPECT_EQ(birth->genome, start) << name;
      EXPECT_EQ(birth->method, "start") << name;
    }
  }
}

TEST(Strategy, FindsTheBestOfASmallSpace) {
  const Landscape landscape(4, {.genes = 8, .largest_allele_count = 3});
  const double best = best_of(landscape);
  for (const std::string name : {"anneal", "random", "exhaustive"}) {
    Search search(landscape.space(), name, 1);
    EXPECT_EQ(simulate(search, landscape, 1000000, 3, 1).back(), best) << name;
  }
}

TEST(Strategy, EndsWhenTheSpaceIsExhausted) {
  const Landscape landscape(4, {.genes = 4, .largest_allele_count = 3});
  const auto count = static_cast<std::size_t>(*genome_count(landscape.space().genes));
  for (const std::string name : {"anneal", "random", "exhaustive"}) {
    Search search(landscape.space(), name, 1);
    EXPECT_EQ(simulate(search, landscape, 1000000, 3, 1).size(), count) << name;
  }
}

/// What it finds against as many random genomes: the median of nine landscapes.
double gain_over_random(const std::string& name, std::size_t evaluations) {
  std::vector<double> gains;
  for (std::uint64_t seed = 1; seed <= 9; ++seed) {
    const Landscape landscape(seed, {.genes = 12});
    Search search(landscape.space(), name, seed), blind(landscape.space(), "random", seed + 100);
    gains.push_back(simulate(search, landscape, evaluations, 1, seed).back() /
                    simulate(blind, landscape, evaluations, 1, seed).back());
  }
  std::ranges::sort(gains);
  return gains[4];
}

TEST(Strategy, LocalSearchesClimb) {
  for (const std::string& name : names(false)) {
    const bool draws = name == "random" || name == "scattered";
    const double gain = gain_over_random(name, name == "surrogate" ? 100 : 300);
    if (draws)
      EXPECT_LT(gain, 1.05) << name << ": else this test would tell nothing";
    else
      EXPECT_GT(gain, 1.05) << name;
  }
}

/// Twelve genes of nine alleles, numbers out of order.
Space shuffled_numbers(GeneKind kind) {
  Space space;
  for (int g = 0; g < 12; ++g)
    space.genes.push_back(
        {"k/gene" + std::to_string(g), {"8", "1", "256", "4", "32", "2", "128", "16", "64"}});
  space.starts = {Genome(12, 0)};
  space.kinds.assign(12, kind);
  space.canonical = [](const Genome& genome) { return genome; };
  return space;
}

/// How many genes of `genetic`'s children lie a step, and further, from both parents'; a mutation
/// goes as far as one step of numbers.
std::pair<int, int> mutated_genes(GeneKind kind) {
  const Space space = shuffled_numbers(kind);
  const AlleleOrder order(space.genes);  // of the numbers, whatever the strategy is told
  Search search(space, "genetic:stepping=1", 1);
  std::pair<int, int> counts;
  for (int i = 0; i < 300; ++i) {
    const auto birth = search.ask();
    double score = 1;
    for (const std::uint16_t allele : birth->genome) score += allele;
    search.tell(birth->genome, measured({score}));
    if (birth->method != "crossover") continue;
    for (std::size_t g = 0; g < birth->genome.size(); ++g) {
      double nearest = 1;
      for (const std::size_t parent : birth->parents)
        nearest = std::min(nearest,
                           order.distance(g, birth->genome[g], search.history().genome(parent)[g]));
      if (nearest > 0) ++(nearest < 0.126 ? counts.first : counts.second);
    }
  }
  return counts;
}

TEST(Genetic, ChangesNumbersByAStepAndNamesToAny) {
  const auto [step, far] = mutated_genes(GeneKind::numbers);
  EXPECT_GT(step, 100);
  EXPECT_LT(far, step / 50) << "only where a child that is known is changed again";
  const auto [next, any] = mutated_genes(GeneKind::names);
  EXPECT_GT(any, next);
}

TEST(Strategy, GreedyEndsWhereNoSingleGeneHelps) {
  const Landscape landscape(5, {.genes = 10});
  Search search(landscape.space(), "greedy", 1);
  simulate(search, landscape, 1000000, 1, 1);
  const std::size_t best = *search.history().best();
  for (std::size_t g = 0; g < 10; ++g)
    for (std::uint16_t a = 0; a < landscape.space().genes[g].alleles.size(); ++a) {
      Genome genome = search.history().genome(best);
      genome[g] = a;
      EXPECT_LE(landscape.measure(genome).score, search.history().score(best));
    }
}

TEST(Strategy, FailuresDoNotStopTheSearch) {
  const Landscape landscape(6, {.genes = 8, .largest_allele_count = 3, .failing = 0.3});
  const double best = best_of(landscape);
  for (const std::string& name : names(true)) {
    Search search(landscape.space(), name, 1);
    const double found = simulate(search, landscape, 1000000, 5, 1).back();
    EXPECT_GT(found, name == "anneal" || name == "random" ? 0.999999 * best : 0.6 * best) << name;
  }
}

TEST(Strategy, AThousandWorkersAreKeptBusy) {
  const Landscape landscape(7, {.genes = 60});
  for (const std::string name : {"anneal", "random"}) {
    Search search(landscape.space(), name, 1);
    std::set<Genome> asked;
    for (int i = 0; i < 1000; ++i) {
      const auto birth = search.ask();
      ASSERT_TRUE(birth) << name;
      EXPECT_TRUE(asked.insert(birth->genome).second);
    }
    EXPECT_EQ(simulate(search, landscape, 500, 500, 1).size(), 500u) << name;
  }
}

TEST(Strategy, GoesOnFromAnEarlierTuning) {
  const Landscape landscape(8, {.genes = 30});
  for (const std::string& name : names(false)) {
    Search first(landscape.space(), name, 1), second(landscape.space(), name, 2);
    simulate(first, landscape, 200, 1, 1);
    const History& earlier = first.history();
    for (std::size_t i = 0; i < earlier.size(); ++i)
      second.tell(earlier.genome(i), landscape.measure(earlier.genome(i)));
    const auto birth = second.ask();
    if (name == "greedy" && !birth) continue;  // it was finished
    ASSERT_TRUE(birth) << name;
    EXPECT_EQ(earlier.find(birth->genome), std::nullopt) << name << " asked again";
    EXPECT_NE(birth->method, "start") << name;
  }
}

TEST(Strategy, ANewStartIsAskedForFirst) {
  const Landscape landscape(8, {.genes = 30});
  Space space = landscape.space();
  Rng rng(77);
  const Genome added = scattered_genome(space, rng);
  space.starts.insert(space.starts.begin(), added);
  for (const std::string& name : names(false)) {
    Search first(landscape.space(), name, 1), second(space, name, 2);
    simulate(first, landscape, 200, 1, 1);
    const History& earlier = first.history();
    for (std::size_t i = 0; i < earlier.size(); ++i)
      second.tell(earlier.genome(i), landscape.measure(earlier.genome(i)));
    const auto birth = second.ask();
    ASSERT_TRUE(birth) << name;
    EXPECT_EQ(birth->genome, added) << name;
    EXPECT_EQ(birth->method, "start") << name;
  }
}

TEST(Anneal, BirthsHaveTheirParents) {
  const Landscape landscape(10, {.genes = 40});
  Search search(landscape.space(), "anneal", 1);
  std::map<std::string, int> births;
  for (int i = 0; i < 2000; ++i) {
    const auto birth = search.ask();
    ++births[birth->method];
    static const std::map<std::string, std::size_t> kParents = {
        {"start", 0},    {"scattered", 0}, {"rule", 1},
        {"mutation", 1}, {"crossover", 2}, {"triangulation", 3}};
    const std::size_t parents = kParents.at(birth->method);
    EXPECT_EQ(birth->parents.size(), parents) << birth->method;
    EXPECT_EQ(std::set(birth->parents.begin(), birth->parents.end()).size(), parents);
    EXPECT_EQ(birth->temperature > 0, parents > 0);
    search.tell(birth->genome, landscape.measure(birth->genome));
  }
  EXPECT_EQ(births["start"], 1);
  EXPECT_NEAR(births["scattered"], 3 * std::log(2003 / 3.0), 12);
  EXPECT_GT(births["mutation"], 500);
  EXPECT_GT(births["rule"], 20);
  EXPECT_GT(births["crossover"], 200);
  EXPECT_GT(births["triangulation"], 200);
}

TEST(Anneal, SharesAreSettable) {
  const Landscape landscape(10, {.genes = 40});
  Search search(landscape.space(), "anneal", 1,
                {.mutation = 3, .crossover = 0, .triangulation = 7, .rules = 0, .strangers = 0});
  std::map<std::string, int> births;
  for (int i = 0; i < 1000; ++i) {
    const auto birth = search.ask();
    ++births[birth->method];
    search.tell(birth->genome, landscape.measure(birth->genome));
  }
  EXPECT_EQ(births["crossover"], 0);
  EXPECT_EQ(births["rule"], 0);
  EXPECT_EQ(births["scattered"], 0);
  EXPECT_GT(births["triangulation"], 300);
}

TEST(Anneal, CrossoversAreMadeOfTheirParents) {
  const Landscape landscape(11, {.genes = 40});
  Search search(landscape.space(), "anneal", 1);
  int crossovers = 0;
  for (int i = 0; i < 500; ++i) {
    const auto birth = search.ask();
    search.tell(birth->genome, landscape.measure(birth->genome));
    if (birth->method != "crossover") continue;
    ++crossovers;
    const Genome one = search.history().genome(birth->parents[0]),
                 other = search.history().genome(birth->parents[1]);
    for (std::size_t g = 0; g < one.size(); ++g)
      EXPECT_TRUE(birth->genome[g] == one[g] || birth->genome[g] == other[g]);
  }
  EXPECT_GT(crossovers, 50);
}

TEST(Anneal, TriangulationsTakeTheirParentsInTheOrderOfScore) {
  const Landscape landscape(11, {.genes = 40});
  Search search(landscape.space(), "anneal", 1);
  int triangulations = 0, drawn_in_another_order = 0;
  for (int i = 0; i < 2000; ++i) {
    auto birth = *search.ask();
    search.tell(birth.genome, landscape.measure(birth.genome));
    if (birth.method != "triangulation") continue;
    const History& history = search.history();
    const auto drawn = birth.parents;
    std::ranges::sort(birth.parents, {}, [&](std::size_t p) { return history.score(p); });
    EXPECT_EQ(birth.genome,
              triangulate(history.genome(birth.parents[0]), history.genome(birth.parents[1]),
                          history.genome(birth.parents[2])));
    ++triangulations;
    drawn_in_another_order += drawn != birth.parents;
  }
  EXPECT_GT(triangulations, 300);
  EXPECT_GT(drawn_in_another_order, triangulations / 2);
}

/// `anneal` on individuals that the test has made up. The history does not learn of its births, so
/// that it is asked the same question again and again.
class MadeUp {
 public:
  MadeUp(std::vector<plan::Gene> genes, const BirthShares& shares)
      : space_{std::move(genes), {}, [](const Genome& genome) { return genome; }},
        history_(space_.genes),
        strategy_(make_strategy("anneal", {space_, history_, 1, shares})) {}

  void add(const Genome& genome, double score, double deviation) {
    if (space_.starts.empty()) space_.starts = {genome};
    Measurement measurement;
    measurement.score = score, measurement.deviation = deviation;
    strategy_->tell(history_.add(genome, measurement));
  }
  Birth ask() { return strategy_->ask().value(); }

 private:
  Space space_;
  History history_;
  std::unique_ptr<Strategy> strategy_;
};

/// So many that a child is never known.
std::vector<plan::Gene> thousand_genes() { return Landscape(1, {.genes = 1000}).space().genes; }

Genome alternating(std::size_t length) {
  Genome genome(1000);
  for (std::size_t g = 0; g < genome.size(); ++g) genome[g] = g / length % 2;
  return genome;
}

TEST(Anneal, TemperaturesAreUniformInTheirLogarithm) {
  MadeUp anneal(thousand_genes(),
                {.crossover = 0, .triangulation = 0, .rules = 0, .blocks = 0, .strangers = 0});
  anneal.add(Genome(1000), 5000, 300);
  anneal.add(alternating(1), 10000, 1);
  anneal.add(alternating(10), 9000, 0.01);
  int quarters[4] = {};
  for (int i = 0; i < 4000; ++i) {
    const double temperature = anneal.ask().temperature;
    ASSERT_GE(temperature, 1) << "the deviation of the best";
    ASSERT_LE(temperature, 10000) << "its score";
    ++quarters[std::min(3, static_cast<int>(std::log10(temperature)))];
  }
  for (const int count : quarters) EXPECT_NEAR(count, 1000, 110) << "four standard deviations";
}

TEST(Anneal, EachMethodHasAThirdByDefault) {
  MadeUp anneal(thousand_genes(), {});
  for (const std::size_t length : {1, 10, 1000}) anneal.add(alternating(length), 10000, 1);
  int children = 0;
  std::map<std::string, int> births;
  for (int i = 0; i < 6000; ++i) {
    const Birth birth = anneal.ask();
    ++births[birth.method == "rule" ? "mutation" : birth.method];
    children += !birth.parents.empty();
  }
  EXPECT_GT(children, 2500);
  for (const char* method : {"mutation", "crossover", "triangulation"})
    EXPECT_NEAR(births[method], children / 3.0, 4 * std::sqrt(children * 2 / 9.0)) << method;
}

// A best whose deviation is its score leaves no choice of temperature.
constexpr double kOnly = 10000;

/// How often a temperature that began as `kOnly` was raised.
int raised(double temperature) {
  const auto times = static_cast<int>(std::lround(std::log(temperature / kOnly) / std::log(1.2)));
  EXPECT_NEAR(temperature, kOnly * std::pow(1.2, times), 1e-9 * temperature);
  return times;
}

TEST(Anneal, ParentsThatCoincideAreDrawnAgainWarmer) {
  MadeUp anneal(thousand_genes(),
                {.mutation = 0, .crossover = 1, .triangulation = 0, .strangers = 0});
  for (const std::size_t length : {1, 10}) anneal.add(alternating(length), kOnly, kOnly);
  std::map<int, int> counts;
  for (int i = 0; i < 1000; ++i) {
    ++counts[raised(anneal.ask().temperature)];
  }
  EXPECT_NEAR(counts[0], 500, 64) << "two of two coincide half of the time";
  EXPECT_NEAR(counts[1], 250, 55) << "and again";
}

std::vector<plan::Gene> gene_of_eight() {
  return {{"k/vectors", {"1", "2", "3", "4", "5", "6", "7", "8"}}};
}

TEST(Anneal, AKnownChildBecomesAWarmerMutation) {
  MadeUp anneal(gene_of_eight(), {.mutation = 0, .rules = 0, .strangers = 0});
  for (std::uint16_t allele = 0; allele < 3; ++allele) anneal.add({allele}, kOnly, kOnly);
  for (int i = 0; i < 100; ++i) {
    const Birth birth = anneal.ask();
    EXPECT_EQ(birth.method, "mutation") << "one gene is that of a parent";
    EXPECT_EQ(birth.parents.size(), 1u);
    EXPECT_GE(raised(birth.temperature), 1);
  }
}

/// One parent and seven possible children, which are found as coupons are collected.
TEST(Anneal, HeatsUntilAGenomeIsNew) {
  Measurement first;
  first.score = first.deviation = kOnly;
  constexpr int kSearches = 200;
  double all = 0;
  for (std::uint64_t seed = 1; seed <= kSearches; ++seed) {
    Search search({gene_of_eight(), {{0}}, [](const Genome& genome) { return genome; }}, "anneal",
                  seed,
                  {.crossover = 0, .triangulation = 0, .rules = 0, .blocks = 0, .strangers = 0});
    search.tell(search.ask()->genome, first);
    for (int child = 1; child < 8; ++child) all += raised(search.ask()->temperature);
    EXPECT_FALSE(search.ask());
  }
  double expected = -7;
  for (int left = 1; left <= 7; ++left) expected += 7.0 / left;
  EXPECT_NEAR(all / kSearches, expected, 2.1) << "four standard deviations";
}

TEST(Exhaustive, RefusesALargeSpace) {
  const Landscape landscape(1, {.genes = 500, .largest_allele_count = 2});
  EXPECT_EQ(test::error_text([&] { Search(landscape.space(), "exhaustive", 1); }),
            "error: `exhaustive` tries at most 1000000 genomes: this space has about 10^151\n"
            "hint: `anneal` searches spaces of any size");
}

TEST(Strategy, UnknownNamesSuggestTheNearest) {
  const Landscape landscape(1, {});
  EXPECT_EQ(test::error_text([&] { Search(landscape.space(), "aneal", 1); }),
            "error: there is no strategy `aneal`\nhint: did you mean `anneal`?");
  EXPECT_EQ(test::error_text([&] { Search(landscape.space(), "quantum", 1); }),
            "error: there is no strategy `quantum`\n"
            "hint: there is anneal, random, scattered, greedy, nelder-mead, torczon, genetic, "
            "local-search, guided, differential, swarm, bandit, surrogate, exhaustive");
}

}  // namespace
}  // namespace paraiso::tune
