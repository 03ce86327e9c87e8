// Space: what a strategy may try, and nothing about what it means.
// Gives: Space, random_genome, genome_count, genome_count_text, families, Family. Needs: plan's
// genomes.
#pragma once

#include <functional>
#include <optional>

#include "paraiso/base/rng.hpp"
#include "paraiso/plan/schedule/genome.hpp"

namespace paraiso::tune {

struct Space {
  std::vector<plan::Gene> genes;
  /// Where a search begins, canonical, the best guess first; at least one.
  std::vector<plan::Genome> starts;
  /// The genome that is really built and measured where this one is asked for.
  std::function<plan::Genome(const plan::Genome&)> canonical;
};

/// Far from the first start, near it, or anything between: each gene keeps its allele with one
/// probability, itself drawn at random. Canonical.
[[nodiscard]] plan::Genome random_genome(const Space& space, Rng& rng);

/// How many genomes there are; nothing where they are more than 2^63.
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
