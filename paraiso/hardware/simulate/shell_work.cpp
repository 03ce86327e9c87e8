#include "paraiso/hardware/simulate/shell_work.hpp"

#include <fmt/format.h>

#include "paraiso/om/cells/reads.hpp"
#include "paraiso/om/divide/wide_halo.hpp"
#include "paraiso/passes/analysis/footprint.hpp"

namespace paraiso::hardware {
namespace {

/// The boxes of all operations: what is loaded or stored takes none.
std::vector<passes::Extent> operation_boxes(const om::Graph& graph) {
  const auto boxes = passes::footprints(graph);
  std::vector<passes::Extent> found;
  for (std::size_t n = 0; n < graph.node_count(); ++n) {
    const om::Node& node = graph.node(om::NodeId(n));
    if (!std::holds_alternative<om::Arith>(node.instruction)) continue;
    const passes::Extent& box = boxes[node.first_result.index];
    if (graph.type(node.first_result).is_local() && !box.lower.empty()) found.push_back(box);
  }
  return found;
}

}  // namespace

std::vector<std::array<bool, 2>> received_sides(const om::Orthotree& tree, const om::Cell& size,
                                                const om::Box& part) {
  std::vector<std::array<bool, 2>> sides(size.size());
  for (std::size_t a = 0; a < size.size(); ++a) {
    if (part.lower[a] == 0 && part.upper[a] == size[a]) continue;
    const bool cyclic = tree.has_warp(static_cast<int>(a));
    sides[a] = {cyclic || part.lower[a] > 0, cyclic || part.upper[a] < size[a]};
  }
  return sides;
}

std::vector<double> computed_shares(const om::Graph& graph, const om::Orthotree& tree,
                                    const om::Cell& size) {
  const auto boxes = operation_boxes(graph);
  std::vector<double> shares;
  for (const om::Box& part : tree.leaves(size)) {
    const auto sides = received_sides(tree, size, part);
    double sum = 0;
    for (const passes::Extent& box : boxes) {
      double share = 1;
      for (std::size_t a = 0; a < size.size(); ++a) {
        const auto own = static_cast<double>(part.upper[a] - part.lower[a]);
        share *= (own + (sides[a][0] ? box.lower[a] : 0) + (sides[a][1] ? box.upper[a] : 0)) / own;
      }
      sum += share;
    }
    shares.push_back(boxes.empty() ? 1 : sum / static_cast<double>(boxes.size()));
  }
  return shares;
}

std::vector<std::vector<om::Want>> first_wants(const om::Machine& machine) {
  std::vector<std::vector<om::Want>> wants;
  for (const om::Kernel& kernel : machine.kernels)
    wants.push_back(om::exact_wants(om::reads_of(kernel.graph)[0]));
  return wants;
}

double shell_work(const om::Machine& machine, const om::Kernel& kernel, int single_steps,
                  const om::Orthotree& tree, const om::Cell& size) {
  const om::Orthotree warped = om::with_warps(machine, tree);
  const auto boxes = warped.leaves(size);
  std::optional<om::WideHalo> wide;
  if (single_steps > 1)
    wide = om::WideHalo::of(machine, warped, size, first_wants(machine), single_steps);
  const auto shares = computed_shares(kernel.graph, warped, size);
  double computed = 0, own = 0;
  for (std::size_t part = 0; part < boxes.size(); ++part) {
    const auto cells = static_cast<double>(boxes[part].cell_count());
    own += cells;
    computed += wide                ? static_cast<double>(wide->computed()[part].cell_count())
                : single_steps == 1 ? cells * shares[part]
                                    : cells;
  }
  return computed / own - 1;
}

std::string shell_work_text(double share) {
  return fmt::format("parts compute {:.3g} % more cells than they have\n", 100 * share);
}

}  // namespace paraiso::hardware
