// Correlations between classes of individuals: which kind of birth produces the best.
// Gives: CorrelationRow, correlations. Needs: chi_squared, contribution, fitness_rank.
#pragma once

#include "paraiso/tune/analysis/chi_squared.hpp"
#include "paraiso/tune/analysis/lineage.hpp"

namespace paraiso::tune {

/// A row of Table A15: are `first` and `second` independent among those of `among`?
struct CorrelationRow {
  const char *first, *second, *among;
  ChiSquared test;
};

/// The 17 rows, in the paper's order; the last two are controls, which should find nothing.
[[nodiscard]] std::vector<CorrelationRow> correlations(const Lineage& lineage);

}  // namespace paraiso::tune
