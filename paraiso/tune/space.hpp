// Space: what a strategy may try, without its meaning.
// Gives: Space, uniform_genome, scattered_genome, genome_count, genome_count_text, families,
// Family. Needs: allele order.
#pragma once

#include <functional>
#include <optional>

#include "paraiso/tune/allele_order.hpp"

namespace paraiso::tune {

struct Space {
  std::vector<plan::Gene> genes;
  /// Where a search begins, canonical, the best guess first; at least one.
  std::vector<plan::Genome> starts;
  /// The genome that is actually built and measured when this one is asked for.
  std::function<plan::Genome(const plan::Genome&)> canonical;
  /// For a space that is a list of individuals: one of them that is still unknown, each with the
  /// same probability; any if none is left.
  std::function<plan::Genome(Rng&)> draw = {};
  std::vector<GeneKind> kinds = {};  // of the genes; none: what their alleles look like
};

/// Uniform over what can be drawn: of a list each of its individuals, else each gene any of its
/// alleles. Canonical.
[[nodiscard]] plan::Genome uniform_genome(const Space& space, Rng& rng);
/// Anything from near the first start to far from it: each gene keeps its allele with one
/// probability, itself drawn at random. Canonical.
[[nodiscard]] plan::Genome scattered_genome(const Space& space, Rng& rng);

/// The number of genomes; none if it exceeds 2^63.
[[nodiscard]] std::optional<std::int64_t> genome_count(const std::vector<plan::Gene>& genes);
/// "8192", "about 10^574".
[[nodiscard]] std::string genome_count_text(const std::vector<plan::Gene>& genes);

/// Genes that make the same kind of choice in different places: their names end alike
/// (`.storage`, `/tile_x` and `/tile_y`) and they have the same alleles, in any order.
struct Family {
  std::string name;                // "storage", "tile"
  std::vector<std::size_t> genes;  // places in the table, ascending
};
/// Every gene is in one family; in the order of their first genes.
[[nodiscard]] std::vector<Family> families(const std::vector<plan::Gene>& genes);

}  // namespace paraiso::tune
