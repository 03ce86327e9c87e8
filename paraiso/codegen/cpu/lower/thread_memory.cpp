#include "paraiso/codegen/cpu/lower/thread_memory.hpp"

#include <algorithm>

namespace paraiso::codegen {

using namespace claris;
using plan::Extent;
using plan::Lane;

std::string ThreadMemory::window(const Extent& reach, const std::vector<int>& lines) {
  auto [known, added] = windows_.try_emplace({reach, lines});
  if (added) known->second = names_.unique("window");
  return known->second;
}

std::string ThreadMemory::one_row(const Extent& reach) {
  std::vector<int> lines(dimension_, 1);
  lines[0] = 0;
  return window(reach, lines);
}

Extent ThreadMemory::reach_of_rows() const {
  Extent reach(dimension_);
  if (group_.form != plan::Form::split) return reach;
  for (const plan::Stage& stage : group_.stages) {
    reach.lower[0] = std::max(reach.lower[0], stage.reach.lower[0]);
    reach.upper[0] = std::max(reach.upper[0], stage.reach.upper[0]);
  }
  return reach;
}

std::string ThreadMemory::piece(Lane element, const std::string& wanted, const std::string& window,
                                bool row) {
  const std::string variable = names_.unique(wanted);
  pieces_.push_back({element, variable, window, row});
  return variable;
}

std::string ThreadMemory::unused_row(Lane element) {
  auto [known, added] = unused_.try_emplace(element);
  if (added) known->second = piece(element, "unused", one_row(reach_of_rows()), true);
  return known->second;
}

Block ThreadMemory::declarations() const {
  Block block;
  if (pieces_.empty()) return block;
  std::vector<std::pair<std::string, const Shape*>> windows;
  for (const auto& [key, variable] : windows_) windows.emplace_back(variable, &key);
  std::ranges::sort(windows, {}, [](const auto& w) { return std::pair(w.first.size(), w.first); });
  std::optional<std::int64_t> unit;
  if (group_.cpu.row_unit != plan::kVectorCells) unit = group_.cpu.row_unit;
  for (const auto& [variable, shape] : windows)
    block.push_back({DeclareWindow{variable, shape->first, shape->second, unit}});
  block.push_back({OpenScratch{}});
  for (const Piece& piece : pieces_) {
    ExprPtr start = make({TakeScratch{piece.element, piece.window}});
    if (piece.row) start = plus(start, first_row(piece.window));
    block.push_back({DeclarePointer{piece.element, false, piece.name, start}});
  }
  return block;
}

ExprPtr ThreadMemory::first_row(const std::string& window) const {
  std::vector<ExprPtr> cell;
  for (int a = 1; a < dimension_; ++a) cell.push_back(make({TileBegin{a}}));
  return make({WindowRow{window, std::move(cell)}});
}

}  // namespace paraiso::codegen
