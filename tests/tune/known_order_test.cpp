// Which searches profit from knowing that the alleles of a gene are numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "paraiso/base/mean.hpp"
#include "paraiso/tune/search.hpp"

namespace paraiso::tune {
namespace {

using plan::Genome;

constexpr std::size_t kParameters = 4, kValues = 16;
constexpr int kEvaluations = 100;

/// A ridge over parameters whose values are listed in any order: what counts is their ranks, and
/// how they fit those of the parameter before. A value is called `64` or `value64`, as a number or
/// as a name; all else is the same.
class RankedRidge {
 public:
  explicit RankedRidge(std::uint64_t seed) {
    Rng rng(seed);
    for (std::size_t p = 0; p < kParameters; ++p) {
      std::vector<std::size_t> ranks(kValues);
      std::iota(ranks.begin(), ranks.end(), std::size_t{0});
      for (std::size_t i = kValues; i > 1; --i) std::swap(ranks[i - 1], ranks[rng.below(i)]);
      ranks_.push_back(std::move(ranks));
      summit_.push_back(rng.below(kValues));
    }
  }

  [[nodiscard]] Space space(const std::string& before_number) const {
    Space space;
    for (std::size_t p = 0; p < kParameters; ++p) {
      space.genes.push_back({"k/parameter" + std::to_string(p), {}});
      for (const std::size_t rank : ranks_[p])
        space.genes[p].alleles.push_back(before_number + std::to_string(1 << rank));
    }
    space.starts = {Genome(kParameters)};
    space.canonical = [](const Genome& genome) { return genome; };
    return space;
  }

  /// The logarithm of the score; 0 is the summit.
  [[nodiscard]] double height(const Genome& genome) const {
    double squares = 0, before = 0;
    for (std::size_t p = 0; p < kParameters; ++p) {
      const double far =
          static_cast<double>(ranks_[p][genome[p]]) - static_cast<double>(summit_[p]);
      squares += far * far + (p > 0 ? 3 * (far - before) * (far - before) : 0);
      before = far;
    }
    return -squares / (kValues * kValues);
  }

 private:
  std::vector<std::vector<std::size_t>> ranks_;  // by parameter and allele
  std::vector<std::size_t> summit_;
};

double highest(const RankedRidge& ridge, const std::string& strategy, std::uint64_t seed,
               const std::string& before_number) {
  Search search(ridge.space(before_number), strategy, seed);
  double best = -HUGE_VAL;
  for (int e = 0; e < kEvaluations; ++e) {
    const auto birth = search.ask();
    if (!birth) break;
    best = std::max(best, ridge.height(birth->genome));
    search.tell(birth->genome, measured({std::exp(ridge.height(birth->genome))}));
  }
  return best;
}

/// How much higher it comes with numbers than with names, on each landscape.
std::vector<double> leads(const std::string& strategy, std::uint64_t landscapes) {
  std::vector<double> leads;
  for (std::uint64_t seed = 1; seed <= landscapes; ++seed) {
    const RankedRidge ridge(seed);
    leads.push_back(highest(ridge, strategy, seed, "") - highest(ridge, strategy, seed, "value"));
  }
  return leads;
}

double in_standard_errors(const std::vector<double>& values) {
  const double middle = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - middle) * (value - middle);
  const double count = static_cast<double>(values.size());
  return middle / std::sqrt(squares / (count - 1) / count);
}

TEST(KnownOrder, OfNumbersIsWorthMoreThanNames) {
  for (const std::string strategy :
       {"genetic", "local-search", "differential", "swarm", "surrogate", "guided"}) {
    const double errors = in_standard_errors(leads(strategy, strategy == "surrogate" ? 200 : 400));
    EXPECT_GT(errors, 3.5) << strategy << ": by chance once in four thousand";
  }
}

/// Else the test above would tell nothing: the landscapes are the same.
TEST(KnownOrder, IsNothingToSearchesThatGoByLetters) {
  for (const char* strategy : {"random", "scattered", "greedy", "nelder-mead", "torczon"})
    EXPECT_EQ(leads(strategy, 20), std::vector<double>(20)) << strategy;
}

/// How many of twelve genes have the word among their numbers, where it is the best allele of each,
/// in the best of 400 genomes.
std::size_t words_found(const std::string& strategy, std::uint64_t seed) {
  Space space;
  for (int g = 0; g < 12; ++g)
    space.genes.push_back({"k/tile" + std::to_string(g), {"all", "1", "2", "4", "8", "16"}});
  space.starts = {Genome(12, 1)};
  space.canonical = [](const Genome& genome) { return genome; };
  Search search(space, strategy, seed);
  std::size_t most = 0;
  for (int e = 0; e < 400; ++e) {
    const auto birth = search.ask();
    if (!birth) break;
    const auto words = static_cast<std::size_t>(std::ranges::count(birth->genome, 0));
    most = std::max(most, words);
    search.tell(birth->genome, measured({1.0 + static_cast<double>(words)}));
  }
  return most;
}

TEST(KnownOrder, WordsAmongNumbersAreKeptWhereTheyAreBest) {
  for (const std::string strategy : {"genetic", "differential", "swarm"})
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      EXPECT_GE(words_found(strategy, seed), 11u) << strategy << ", seed " << seed;
}

}  // namespace
}  // namespace paraiso::tune
