#include "paraiso/plan/groups/group_items.hpp"

#include "paraiso/plan/choices/inner_states.hpp"

namespace paraiso::plan {

using namespace om;

GroupValue& GroupValues::producer(const ValueAt& read) { return list[of_value[read.value.index]]; }
const GroupValue& GroupValues::producer(const ValueAt& read) const {
  return list[of_value[read.value.index]];
}

LoopCells GroupValues::section(const GroupValue& item) const {
  LoopCells section{made_box(item), item.reach};
  if (form == Form::split) return section;
  for (int axis : sweep) {
    section.made.lower[axis] = section.made.upper[axis] = 0;
    section.reach.lower[axis] = section.reach.upper[axis] = 0;
  }
  return section;
}

LoopKey GroupValues::loop_of(const GroupValue& item) const { return {item.level, section(item)}; }

std::map<LoopKey, std::vector<int>> GroupValues::loops() const {
  std::map<LoopKey, std::vector<int>> places;
  for (std::size_t i = 0; i < list.size(); ++i)
    places[loop_of(list[i])].push_back(static_cast<int>(i));
  return places;
}

bool has_filled_cells(const GroupValue& item) { return item.state && item.box != made_box(item); }

Extent made_box(const GroupValue& item) {
  return item.state ? made_box(*item.state, item.box) : item.box;
}

}  // namespace paraiso::plan
