#include "paraiso/om/cells/box.hpp"

#include <algorithm>

namespace paraiso::om {

bool Box::empty() const {
  for (std::size_t a = 0; a < lower.size(); ++a)
    if (lower[a] >= upper[a]) return true;
  return false;
}

std::size_t Box::cell_count() const {
  std::size_t count = 1;
  for (std::size_t a = 0; a < lower.size(); ++a)
    count *= static_cast<std::size_t>(upper[a] - lower[a]);
  return count;
}

std::size_t Box::row_length() const {
  return lower.empty() ? 1 : static_cast<std::size_t>(upper[0] - lower[0]);
}

bool Box::holds(const Cell& cell) const {
  for (std::size_t a = 0; a < lower.size(); ++a)
    if (cell[a] < lower[a] || cell[a] >= upper[a]) return false;
  return true;
}

void Box::include(const Box& other) {
  for (std::size_t a = 0; a < lower.size(); ++a) {
    lower[a] = std::min(lower[a], other.lower[a]);
    upper[a] = std::max(upper[a], other.upper[a]);
  }
}

std::size_t Box::position(const Cell& cell) const {
  std::size_t position = 0;
  for (std::size_t a = lower.size(); a-- > 0;)
    position = position * (upper[a] - lower[a]) + (cell[a] - lower[a]);
  return position;
}

Cell plus(Cell cell, const Cell& shift) {
  for (std::size_t a = 0; a < cell.size(); ++a) cell[a] += shift[a];
  return cell;
}

Cell minus(Cell cell, const Cell& shift) {
  for (std::size_t a = 0; a < cell.size(); ++a) cell[a] -= shift[a];
  return cell;
}

Box moved(const Box& box, const Cell& shift) {
  return {plus(box.lower, shift), plus(box.upper, shift)};
}

Box intersection(const Box& x, const Box& y) {
  Box common = x;
  for (std::size_t a = 0; a < x.lower.size(); ++a) {
    common.lower[a] = std::max(x.lower[a], y.lower[a]);
    common.upper[a] = std::min(x.upper[a], y.upper[a]);
  }
  return common;
}

std::vector<Box> without(const Box& x, const Box& y) {
  const Box common = intersection(x, y);
  if (common.empty()) return {x};
  std::vector<Box> rest;
  Box middle = x;  // what is left, cut along one axis after the other
  for (std::size_t a = x.lower.size(); a-- > 0;) {
    Box part = middle;
    part.upper[a] = common.lower[a];
    if (!part.empty()) rest.push_back(part);
    part = middle;
    part.lower[a] = common.upper[a];
    if (!part.empty()) rest.push_back(part);
    middle.lower[a] = common.lower[a];
    middle.upper[a] = common.upper[a];
  }
  return rest;
}

std::vector<Box> subtract(std::vector<Box> boxes, const std::vector<Box>& others) {
  for (const Box& other : others) {
    std::vector<Box> rest;
    for (const Box& box : boxes)
      for (Box& part : without(box, other)) rest.push_back(std::move(part));
    boxes = std::move(rest);
  }
  return boxes;
}

}  // namespace paraiso::om
