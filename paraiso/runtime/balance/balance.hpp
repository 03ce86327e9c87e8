// balance: where to cut a grid, so that all parts take equally long.
// Gives: SeenLoad, imbalance, balanced, slowest. Needs: Orthotree.
#pragma once

#include <vector>

#include "paraiso/om/divide/orthotree.hpp"

namespace paraiso::runtime {

/// What was seen of the parts of a division.
struct SeenLoad {
  std::vector<double> busy;        // seconds of each
  std::vector<double> most_cells;  // that each has memory for; empty: any number
};

/// How much longer the slowest part takes than all do on average: 0 if all take equally long.
[[nodiscard]] double imbalance(const std::vector<double>& busy);

/// The tree with other cuts, each in proportion to the speeds of the parts on its two sides, from
/// the outermost on; every part keeps a cell. The same tree if a part had more cells than it has
/// memory for.
[[nodiscard]] om::Orthotree balanced(const om::Orthotree& tree, const om::Cell& size,
                                     const SeenLoad& load);

/// Seconds that the slowest part of another division would take, whose parts are as fast.
[[nodiscard]] double slowest(const om::Orthotree& tree, const om::Orthotree& other,
                             const om::Cell& size, const std::vector<double>& busy);

}  // namespace paraiso::runtime
