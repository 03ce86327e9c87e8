#include "tests/tune/landscape.hpp"

#include <cmath>

#include "paraiso/base/text.hpp"

namespace paraiso::test {

using plan::Genome;

Landscape::Landscape(std::uint64_t seed, const Shape& shape) : shape_(shape) {
  Rng rng(seed);
  for (std::size_t g = 0; g < shape.genes; ++g) {
    plan::Gene gene{"k/value#" + std::to_string(g) + ".storage", {}};
    const std::size_t count = 2 + rng.below(shape.largest_allele_count - 1);
    // A few genes matter much, most little; the default is neither the best nor bad.
    const double weight = std::pow(rng.unit(), 4);
    factors_.emplace_back();
    for (std::size_t a = 0; a < count; ++a) {
      gene.alleles.push_back("allele" + std::to_string(a));
      factors_.back().push_back(a == 0 ? 1 : std::exp(weight * (rng.unit() - 0.7)));
    }
    space_.genes.push_back(std::move(gene));
  }
  for (std::size_t p = 0; p < shape.pairs; ++p) {
    Pair pair{rng.below(shape.genes), rng.below(shape.genes), {}};
    const std::size_t count =
        space_.genes[pair.one].alleles.size() * space_.genes[pair.other].alleles.size();
    for (std::size_t f = 0; f < count; ++f)
      pair.factors.push_back(std::exp(0.1 * (rng.unit() - 0.5)));
    pairs_.push_back(std::move(pair));
  }
  space_.starts = {Genome(shape.genes)};
  space_.canonical = [](const Genome& genome) { return genome; };
}

tune::Measurement Landscape::measure(const Genome& genome) const {
  const std::string letters = plan::letters_of(space_.genes, genome);
  Rng own(fnv1a(letters));
  if (genome != space_.starts.front() && own.chance(shape_.failing))
    return tune::failed("it crashed");
  double score = 1e6;
  for (std::size_t g = 0; g < genome.size(); ++g) score *= factors_[g][genome[g]];
  for (const Pair& pair : pairs_)
    score *= pair.factors[genome[pair.one] * space_.genes[pair.other].alleles.size() +
                          genome[pair.other]];
  std::vector<double> samples;
  for (int i = 0; i < 5; ++i) samples.push_back(score * (1 + shape_.noise * (own.unit() - 0.5)));
  return tune::measured(std::move(samples));
}

std::vector<double> simulate(tune::Search& search, const Landscape& landscape,
                             std::size_t evaluations, std::size_t workers, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Genome> in_flight;
  std::vector<double> best;
  std::size_t asked = 0;
  for (;;) {
    while (in_flight.size() < workers && asked < evaluations) {
      auto birth = search.ask();
      if (!birth) break;
      ++asked;
      in_flight.push_back(std::move(birth->genome));
    }
    if (in_flight.empty()) return best;
    std::swap(in_flight[rng.below(in_flight.size())], in_flight.back());
    search.tell(in_flight.back(), landscape.measure(in_flight.back()));
    in_flight.pop_back();
    const auto top = search.history().best();
    best.push_back(top ? search.history().score(*top) : 0);
  }
}

}  // namespace paraiso::test
