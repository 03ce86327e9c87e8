// Random divisions of a grid.
// Gives: random_tree, random_move. Needs: Orthotree, and an Rng, so that a seed tells the whole
// tree.
#pragma once

#include "paraiso/base/rng.hpp"
#include "paraiso/om/divide/orthotree.hpp"

namespace paraiso::test {

/// `leaves` leaves, or as many as there are cells; irregular, some of one cell. Without Warps.
[[nodiscard]] om::Orthotree random_tree(Rng& rng, const om::Cell& size, std::size_t leaves);

/// One cut of `tree` somewhere else, where each part keeps a cell; the same tree if it has no cut
/// that can move.
[[nodiscard]] om::Orthotree random_move(Rng& rng, const om::Orthotree& tree, const om::Cell& size);

}  // namespace paraiso::test
