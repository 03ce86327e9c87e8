#include "tests/support/random_tree.hpp"

namespace paraiso::test {

using namespace om;

Orthotree random_tree(Rng& rng, const Cell& size, std::size_t leaves) {
  Orthotree tree;
  leaves = std::min(leaves, Box{Cell(size.size(), 0), size}.cell_count());
  while (tree.leaf_count() < leaves) {
    const auto boxes = tree.leaves(size);
    const auto leaf = rng.below(boxes.size());
    const auto axis = rng.below(size.size());
    const auto lower = boxes[leaf].lower[axis], upper = boxes[leaf].upper[axis];
    if (upper - lower < 2) continue;
    std::int64_t at = rng.between(lower + 1, upper - 1);
    if (rng.chance(0.2)) at = rng.chance(0.5) ? lower + 1 : upper - 1;  // a leaf one cell thin
    tree = tree.with_leaf_divided(leaf, static_cast<int>(axis), at);
  }
  return tree;
}

Orthotree random_move(Rng& rng, const Orthotree& tree, const Cell& size) {
  const auto cuts = tree.cuts();
  for (int tries = 0; tries < 50 && !cuts.empty(); ++tries) {
    const auto cut = cuts[rng.below(cuts.size())];
    const auto cells = size[tree.nodes()[cut].axis];
    const auto moved = tree.with_cut(cut, rng.between(0, cells));
    if (moved.complaint(size).empty() && moved != tree) return moved;
  }
  return tree;
}

}  // namespace paraiso::test
