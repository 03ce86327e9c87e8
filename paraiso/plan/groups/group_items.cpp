#include "paraiso/plan/groups/group_items.hpp"

#include "paraiso/plan/choices/inner_states.hpp"

namespace paraiso::plan {

using namespace om;

Item& GroupItems::producer(const Wanted& read) { return list[of_value[read.value.index]]; }
const Item& GroupItems::producer(const Wanted& read) const {
  return list[of_value[read.value.index]];
}

Section GroupItems::section(const Item& item) const {
  Section section{made_box(item), item.reach};
  if (form == Form::split) return section;
  for (int axis : sweep) {
    section.made.lower[axis] = section.made.upper[axis] = 0;
    section.reach.lower[axis] = section.reach.upper[axis] = 0;
  }
  return section;
}

Loop GroupItems::loop_of(const Item& item) const { return {item.level, section(item)}; }

std::map<Loop, std::vector<int>> GroupItems::loops() const {
  std::map<Loop, std::vector<int>> places;
  for (std::size_t i = 0; i < list.size(); ++i)
    places[loop_of(list[i])].push_back(static_cast<int>(i));
  return places;
}

bool has_filled_cells(const Item& item) { return item.state && item.box != made_box(item); }

Extent made_box(const Item& item) {
  return item.state ? made_box(*item.state, item.box) : item.box;
}

}  // namespace paraiso::plan
