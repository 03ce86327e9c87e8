#include "paraiso/plan/cpu/row_ends.hpp"

#include <algorithm>

namespace paraiso::plan {

using namespace om;

namespace {

// The first and last vectors of a row have loops of their own, and with them copies of the body.
constexpr std::size_t kLargestBody = 120;  // terms
constexpr std::int32_t kFarthest = 16;     // cells

/// Whether a ghost cell on that side follows from the row alone, or is constant.
bool follows_from_row(const Boundary& side) { return !std::holds_alternative<UserBoundary>(side); }

bool runs_beyond(const Extent& extent) { return extent.lower[0] > 0 || extent.upper[0] > 0; }

/// Whether a loop traverses whole rows of the core, in vectors.
bool takes_whole_rows(const Group& group, const Stage& stage) {
  return group.cpu.tile[0] == kWholeAxis && group.box.is_core() && stage.reach.is_core() &&
         stage.limit.is_core() && stage.cpu.vectors && stage.expansion.terms.size() <= kLargestBody;
}

/// How far along axis 0 a stage reads a static; none if it does so in neighbouring rows too, whose
/// ends are corners of the grid.
std::optional<Extent> reach_along_row(const Graph& graph, const Stage& stage, StaticId id) {
  Extent reach(graph.dimension());
  for (const Term& term : stage.expansion.terms) {
    if (term.offset[0] == 0 || !reads_static(graph, term, id)) continue;
    Offset across = term.offset;
    across[0] = 0;
    if (across != Offset(across.size(), 0)) return std::nullopt;
    reach.include(Extent(graph.dimension()), term.offset);
  }
  return reach;
}

bool reads(const Graph& graph, const Stage& stage, StaticId id) {
  return std::ranges::any_of(stage.expansion.terms,
                             [&](const Term& term) { return reads_static(graph, term, id); });
}

/// Whether every loop that reads a static can do without its x ghost cells in memory.
bool makes_own_ends(const Machine& machine, const KernelPlan& plan, StaticId id) {
  const auto& [lower, upper] = machine.at(id).boundary[0];
  if (!follows_from_row(lower) || !follows_from_row(upper)) return false;
  const Graph& graph = plan.kernel->graph;
  for (const Group& group : plan.groups)
    for (const Stage& stage : group.stages) {
      if (!reads(graph, stage, id)) continue;
      const auto reach = reach_along_row(graph, stage, id);
      if (!reach || reach->lower[0] > kFarthest || reach->upper[0] > kFarthest) return false;
      const bool beyond = !reach->is_core() || runs_beyond(group.box) || runs_beyond(stage.reach);
      if (beyond && !takes_whole_rows(group, stage)) return false;
    }
  return true;
}

}  // namespace

void find_x_ghosts(const Machine& machine, KernelPlan& plan) {
  plan.filled = plan.halo;
  for (Group& group : plan.groups)
    for (Stage& stage : group.stages) stage.cpu.row_ends = Extent(machine.dimension);
  if (machine.dimension == 1) return;
  for (std::size_t s = 0; s < plan.halo.size(); ++s) {
    Extent& filled = plan.filled[s];
    if (filled.lower[0] + filled.upper[0] == 0) continue;
    if (!makes_own_ends(machine, plan, StaticId(s))) continue;
    filled.lower[0] = filled.upper[0] = 0;
    for (Group& group : plan.groups)
      for (Stage& stage : group.stages)
        stage.cpu.row_ends.include(*reach_along_row(plan.kernel->graph, stage, StaticId(s)));
  }
}

}  // namespace paraiso::plan
