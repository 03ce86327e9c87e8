#include "paraiso/plan/loops/traversal.hpp"

#include <algorithm>

#include "paraiso/plan/groups/item_boxes.hpp"
#include "paraiso/plan/groups/list_items.hpp"
#include "paraiso/plan/loops/buffer_lines.hpp"
#include "paraiso/plan/loops/loop_lags.hpp"
#include "paraiso/plan/loops/loop_levels.hpp"
#include "paraiso/plan/loops/make_stages.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

/// Per static, the halo width that its readers need.
std::map<int, Extent> statics_read(const GroupValues& items) {
  const Graph& graph = items.graph;
  std::map<int, Extent> statics;
  for (const GroupValue& item : items.list)
    for (const Term& term : item.expansion.terms)
      if (term.kind == Term::Kind::read_static)
        statics.try_emplace(graph.producer_as<Load>(term.value)->source.index, graph.dimension())
            .first->second.include(made_box(item), term.offset);
  return statics;
}

void arrange_loops(GroupValues& items, const KernelChoices& choices) {
  find_boxes(items);
  find_levels(items);
  if (choices.gather_divisions) gather_divisions(items);
  if (items.form == Form::split)
    find_slopes(items);
  else
    find_lags(items);
}

Traversal traverse(const Machine& machine, const Graph& graph, const KernelChoices& choices,
                   const KernelOutputs& outputs, const std::vector<int>& members,
                   std::size_t limit) {
  Traversal found;
  GroupValues items = list_items(machine, graph, choices, outputs, members);
  found.too_large = find_reads(items, limit);
  if (found.too_large) return found;
  arrange_loops(items, choices);
  found.group = make_stages(items);
  count_lines(items, found.group);
  widen_buffers(found.group);
  found.statics = statics_read(items);
  found.touched = memory_touched(found.group, cells_run_over);
  return found;
}

}  // namespace

Extent cells_run_over(const Group& group, const Stage& stage) {
  Extent cells = stage.reach;
  for (std::size_t a = 0; a < cells.lower.size(); ++a) {
    cells.lower[a] = std::min(cells.lower[a] + group.box.lower[a], stage.limit.lower[a]);
    cells.upper[a] = std::min(cells.upper[a] + group.box.upper[a], stage.limit.upper[a]);
  }
  return cells;
}

Extent memory_touched(const Group& group,
                      const std::function<Extent(const Group&, const Stage&)>& cells_of) {
  Extent touched = group.box;
  for (const Stage& stage : group.stages) {
    const Extent cells = cells_of(group, stage);
    touched.include(cells);
    for (const Term& term : stage.expansion.terms)
      if (term.reads_array()) touched.include(cells, term.offset);
  }
  return touched;
}

Traversal find_traversal(const Machine& machine, const Kernel& kernel, const KernelChoices& choices,
                         const KernelOutputs& outputs, const std::vector<int>& members,
                         std::size_t limit) {
  Traversal found = traverse(machine, kernel.graph, choices, outputs, members, limit);
  if (found.group.form != Form::split || found.group.steepest() > 0) return found;
  KernelChoices whole = choices;  // where tiles share nothing, splitting gains nothing
  whole.split = false;
  return traverse(machine, kernel.graph, whole, outputs, members, limit);
}

}  // namespace paraiso::plan
