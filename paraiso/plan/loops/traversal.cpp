#include "paraiso/plan/loops/traversal.hpp"

#include <algorithm>

#include "paraiso/plan/choices/group_options.hpp"
#include "paraiso/plan/choices/jam.hpp"
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
std::vector<Extent> statics_read(const GroupItems& items) {
  const Graph& graph = items.graph;
  std::vector<Extent> statics(graph.signature().statics.size(), Extent(graph.dimension()));
  for (const Item& item : items.list)
    for (const Term& term : item.expansion.terms)
      if (term.kind == Term::Kind::read_static)
        statics[graph.producer_as<Load>(term.value)->source.index].include(made_box(item),
                                                                           term.offset);
  return statics;
}

/// The cells outside the core that a loop runs over, rounded up to whole vectors and jammed rows.
/// The padding of rows holds the surplus; but tiles of a split group read rows that others write.
Extent cells_run_over(const Graph& graph, const Group& group, const Stage& stage) {
  Extent cells = stage.reach;
  for (int a = 0; a < graph.dimension(); ++a) {
    cells.lower[a] = std::min(cells.lower[a] + group.box.lower[a], stage.limit.lower[a]);
    cells.upper[a] = std::min(cells.upper[a] + group.box.upper[a], stage.limit.upper[a]);
  }
  const int vector = vector_cells(graph, stage);
  cells.lower[0] = (cells.lower[0] + vector - 1) / vector * vector;
  if (group.form == Form::split) cells.upper[0] += vector - 1;
  const int axis = jam_axis(group);
  cells.lower[axis] += group.jam - 1;
  cells.upper[axis] += group.jam - 1;
  return cells;
}

/// The cells that loops read or write in memory, surplus lanes included.
Extent memory_touched(const Graph& graph, const Group& group) {
  Extent touched = group.box;
  for (const Stage& stage : group.stages) {
    const Extent cells = cells_run_over(graph, group, stage);
    touched.include(cells);
    for (const Term& term : stage.expansion.terms)
      if (term.kind == Term::Kind::read_static || term.kind == Term::Kind::read_array)
        touched.include(cells, term.offset);
  }
  return touched;
}

void arrange_loops(GroupItems& items, const Choices& choices) {
  find_boxes(items);
  find_levels(items);
  if (choices.gather_divides) gather_divides(items);
  if (items.form == Form::split)
    find_slopes(items);
  else
    find_lags(items);
}

Traversal traverse(const Machine& machine, const Graph& graph, const Choices& choices,
                   const Outputs& outputs, const std::vector<int>& members, std::size_t limit) {
  Traversal found;
  GroupItems items = list_items(machine, graph, choices, outputs, members);
  found.too_large = find_reads(items, limit);
  if (found.too_large) return found;
  arrange_loops(items, choices);
  found.group = make_stages(items);
  count_lines(items, found.group);
  widen_buffers(found.group);
  set_options(graph, found.group, choices);
  found.statics = statics_read(items);
  found.touched = memory_touched(graph, found.group);
  return found;
}

}  // namespace

Traversal find_traversal(const Machine& machine, const Kernel& kernel, const Choices& choices,
                         const Outputs& outputs, const std::vector<int>& members,
                         std::size_t limit) {
  Traversal found = traverse(machine, kernel.graph, choices, outputs, members, limit);
  if (found.group.form != Form::split || found.group.steepest() > 0) return found;
  Choices whole = choices;  // where tiles share nothing, splitting gains nothing
  whole.split = false;
  return traverse(machine, kernel.graph, whole, outputs, members, limit);
}

}  // namespace paraiso::plan
