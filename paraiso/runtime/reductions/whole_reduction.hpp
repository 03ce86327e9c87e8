// WholeReduction: a reduction whose order shows in its bits, joined from the shares of all ranks.
// Gives: WholeReduction. Needs: Box, place.hpp.
#pragma once

#include <vector>

#include "paraiso/om/box.hpp"
#include "paraiso/support/place.hpp"

namespace paraiso::runtime {

/// Items for all chunks of a grid, in order. Where cuts go through chunks, their cells.
class WholeReduction {
 public:
  /// `like`: any rank's share, for its kind.
  WholeReduction(const om::Cell& size, const paraiso_support::Reducing& like);
  /// Puts the items of the rank that has `box` in their places.
  void add(const om::Box& box, const char* items);
  /// To `result`, when those of all ranks are there.
  void finish(void* result);

  /// Whether the rank that has `box` gives an item for each cell.
  [[nodiscard]] static bool gives_cells(const om::Cell& size, const om::Box& box);
  /// Its number of items.
  [[nodiscard]] static std::size_t item_count(const om::Cell& size, const om::Box& box);

 private:
  void join_chunks();

  om::Cell size_, chunks_;  // along each axis
  const paraiso_support::Reducing& like_;
  std::vector<char> items_, cells_;
  std::vector<bool> whole_;  // which items came as they are
};

}  // namespace paraiso::runtime
