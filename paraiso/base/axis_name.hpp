// What people call an axis. Gives: axis_name. Needs: nothing.
#pragma once

namespace paraiso {

/// `x`, `y`, `z`, `w`, then `axis4`, `axis5`, ... up to 15.
[[nodiscard]] inline const char* axis_name(int axis) {
  constexpr const char* kNames[] = {"x",      "y",      "z",      "w",     "axis4",  "axis5",
                                    "axis6",  "axis7",  "axis8",  "axis9", "axis10", "axis11",
                                    "axis12", "axis13", "axis14", "axis15"};
  return kNames[axis];
}

}  // namespace paraiso
