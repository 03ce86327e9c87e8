#include "paraiso/runtime/balance/balance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace paraiso::runtime {
namespace {

using TreeKind = om::Orthotree::Kind;

std::vector<double> cells_of(const om::Orthotree& tree, const om::Cell& size) {
  std::vector<double> cells;
  for (const om::Box& box : tree.leaves(size))
    cells.push_back(static_cast<double>(box.cell_count()));
  return cells;
}

/// Cells a second of each part.
std::vector<double> speeds_of(const om::Orthotree& tree, const om::Cell& size,
                              const std::vector<double>& busy) {
  std::vector<double> speeds = cells_of(tree, size);
  for (std::size_t part = 0; part < speeds.size(); ++part)
    speeds[part] /= std::max(busy[part], 1e-12);
  return speeds;
}

/// Moves the cuts of a tree, from the outermost on.
class Balancer {
 public:
  Balancer(om::Orthotree tree, const std::vector<double>& speeds)
      : tree_(std::move(tree)), speeds_(speeds) {}

  om::Orthotree run(const om::Cell& size) {
    std::size_t node = 0;
    while (tree_.nodes()[node].kind == TreeKind::warp) ++node;
    std::size_t leaf = 0;
    measure(node, leaf, size.size());
    place(node, {om::Cell(size.size(), 0), size});
    return tree_;
  }

 private:
  struct Subtree {
    std::size_t end = 0;  // after its last node
    double speed = 0;
    om::Cell least;  // cells that it must have along each axis
  };

  /// Fills `subtrees_` from node `node` on.
  void measure(std::size_t node, std::size_t& leaf, std::size_t axes) {
    subtrees_.resize(tree_.nodes().size());
    const om::Orthotree::Node cut = tree_.nodes()[node];
    if (cut.kind == TreeKind::leaf) {
      subtrees_[node] = {node + 1, speeds_[leaf++], om::Cell(axes, 1)};
      return;
    }
    measure(node + 1, leaf, axes);
    const std::size_t upper = subtrees_[node + 1].end;
    measure(upper, leaf, axes);
    const Subtree &low = subtrees_[node + 1], &high = subtrees_[upper];
    Subtree both{high.end, low.speed + high.speed, low.least};
    for (std::size_t a = 0; a < axes; ++a)
      both.least[a] = static_cast<int>(a) == cut.axis ? low.least[a] + high.least[a]
                                                      : std::max(low.least[a], high.least[a]);
    subtrees_[node] = std::move(both);
  }

  void place(std::size_t node, const om::Box& box) {
    const om::Orthotree::Node cut = tree_.nodes()[node];
    if (cut.kind == TreeKind::leaf) return;
    const auto a = static_cast<std::size_t>(cut.axis);
    const std::size_t upper = subtrees_[node + 1].end;
    const Subtree &low = subtrees_[node + 1], &high = subtrees_[upper];
    const auto length = static_cast<double>(box.upper[a] - box.lower[a]);
    const std::int64_t wanted =
        box.lower[a] + std::llround(length * low.speed / (low.speed + high.speed));
    const std::int64_t at =
        std::clamp(wanted, box.lower[a] + low.least[a], box.upper[a] - high.least[a]);
    tree_ = tree_.with_cut(node, at);
    om::Box below = box, above = box;
    below.upper[a] = above.lower[a] = at;
    place(node + 1, below);
    place(upper, above);
  }

  om::Orthotree tree_;
  const std::vector<double>& speeds_;
  std::vector<Subtree> subtrees_;  // by node
};

}  // namespace

double imbalance(const std::vector<double>& busy) {
  const double sum = std::accumulate(busy.begin(), busy.end(), 0.0);
  return sum > 0 ? *std::ranges::max_element(busy) * static_cast<double>(busy.size()) / sum - 1 : 0;
}

om::Orthotree balanced(const om::Orthotree& tree, const om::Cell& size, const SeenLoad& load) {
  const om::Orthotree moved = Balancer(tree, speeds_of(tree, size, load.busy)).run(size);
  if (load.most_cells.empty()) return moved;
  const std::vector<double> cells = cells_of(moved, size);
  for (std::size_t part = 0; part < cells.size(); ++part)
    if (cells[part] > load.most_cells[part]) return tree;
  return moved;
}

double slowest(const om::Orthotree& tree, const om::Orthotree& other, const om::Cell& size,
               const std::vector<double>& busy) {
  const std::vector<double> speeds = speeds_of(tree, size, busy), cells = cells_of(other, size);
  double longest = 0;
  for (std::size_t part = 0; part < cells.size(); ++part)
    longest = std::max(longest, cells[part] / speeds[part]);
  return longest;
}

}  // namespace paraiso::runtime
