#include "paraiso/plan/cpu/loop_words.hpp"

#include <fmt/format.h>

#include "paraiso/base/axis_name.hpp"

namespace paraiso::plan {

std::string cpu_loops(const Group& group) {
  std::string tile;
  for (std::int64_t length : group.cpu.tile) {
    tile += tile.empty() ? "" : " x ";
    tile += length == kWholeAxis   ? "all"
            : length == kPerThread ? "a thread's"
                                   : std::to_string(length);
  }
  std::string form = group.form == Form::tiled ? "tiled" : "";
  if (group.form == Form::split) form = std::string("split along ") + axis_name(group.cut);
  if (!group.sweep.empty()) {
    form += form.empty() ? "swept along" : ", swept along";
    for (int axis : group.sweep) form += std::string(" ") + axis_name(axis);
  }
  const std::string turns =
      group.cpu.jam > 1 ? fmt::format(", {} rows at a time", group.cpu.jam) : "";
  if (tile.empty()) return form;
  return fmt::format("{}, tiles of {} cells{}", form, tile, turns);
}

}  // namespace paraiso::plan
