// Landscapes with known heights, and a fleet of simulated workers on them: tuning without compiler
// and clock. Gives: Landscape, random_landscape, simulate. Needs: search.
#pragma once

#include "paraiso/tune/search.hpp"

namespace paraiso::test {

/// Scores are products over the genes and over some pairs of them; the same genome has the same
/// score always, and the same genomes fail always.
class Landscape {
 public:
  struct Shape {
    std::size_t genes = 20;
    std::size_t largest_allele_count = 5;
    double noise = 0.01;     // deviation over score
    double failing = 0;      // part of the genomes that fail
    std::size_t pairs = 10;  // of genes that work together or against each other
  };
  Landscape(std::uint64_t seed, const Shape& shape);

  [[nodiscard]] tune::Measurement measure(const plan::Genome& genome) const;
  [[nodiscard]] const tune::Space& space() const { return space_; }

 private:
  struct Pair {
    std::size_t one, other;
    std::vector<double> factors;  // by allele of one, then of other
  };
  tune::Space space_;
  std::vector<std::vector<double>> factors_;  // by gene and allele
  std::vector<Pair> pairs_;
  Shape shape_;
};

/// Asks for `evaluations` births (or until the strategy is finished), `workers` being measured at a
/// time, in a random order of finishing. Returns the highest score after each.
std::vector<double> simulate(tune::Search& search, const Landscape& landscape,
                             std::size_t evaluations, std::size_t workers, std::uint64_t seed);

}  // namespace paraiso::test
