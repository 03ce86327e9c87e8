// What people call an axis, and a component of a vector. Gives: axis_name, component_name,
// kMostComponents. Needs: nothing.
#pragma once

namespace paraiso {

/// Of vectors, which may have more components than a grid has axes.
inline constexpr int kMostComponents = 32;

/// `x`, `y`, `z`, `w`, then `axis4`, `axis5`, ... up to 31.
[[nodiscard]] inline const char* axis_name(int axis) {
  constexpr const char* kNames[kMostComponents] = {
      "x",      "y",      "z",      "w",      "axis4",  "axis5",  "axis6",  "axis7",
      "axis8",  "axis9",  "axis10", "axis11", "axis12", "axis13", "axis14", "axis15",
      "axis16", "axis17", "axis18", "axis19", "axis20", "axis21", "axis22", "axis23",
      "axis24", "axis25", "axis26", "axis27", "axis28", "axis29", "axis30", "axis31"};
  return kNames[axis];
}

/// Of a vector with `count` components: an axis's name, or of more than four its number.
[[nodiscard]] inline const char* component_name(int component, int count) {
  constexpr const char* kNumbers[kMostComponents] = {
      "0",  "1",  "2",  "3",  "4",  "5",  "6",  "7",  "8",  "9",  "10",
      "11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "21",
      "22", "23", "24", "25", "26", "27", "28", "29", "30", "31"};
  return count > 4 ? kNumbers[component] : axis_name(component);
}

}  // namespace paraiso
