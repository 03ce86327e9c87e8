// ThreadMemory: what a thread keeps of a tile, as windows and parts of its scratch, by name.
// Gives: ThreadMemory. Needs: plan, names, CLARIS.
#pragma once

#include <map>

#include "paraiso/codegen/claris/tree.hpp"
#include "paraiso/codegen/lower/names.hpp"
#include "paraiso/plan/plan.hpp"

namespace paraiso::codegen {

/// Names pieces of memory on request, and declares all that it has named.
class ThreadMemory {
 public:
  ThreadMemory(const plan::Group& group, int dimension, Names& names)
      : group_(group), dimension_(dimension), names_(names) {}

  /// The variable that describes the layout of a value's cells; values of one layout share it.
  std::string window(const plan::Extent& reach, const std::vector<int>& lines);
  /// The layout of one row of the tile, widened along axis 0.
  std::string one_row(const plan::Extent& reach);
  /// A new piece of the thread's memory; `row`: only its first row is used, as a pointer to cell 0.
  std::string piece(plan::Lane element, const std::string& wanted, const std::string& window,
                    bool row);
  /// Where a loop writes rows outside the tile: they are discarded.
  std::string unused_row(plan::Lane element);

  [[nodiscard]] bool empty() const { return pieces_.empty(); }
  [[nodiscard]] claris::Block declarations() const;

 private:
  struct Piece {
    plan::Lane element;
    std::string name, window;
    bool row;
  };
  /// How far beyond the tile loops write: those of split groups do.
  [[nodiscard]] plan::Extent reach_of_rows() const;
  [[nodiscard]] claris::ExprPtr first_row(const std::string& window) const;

  using Shape = std::pair<plan::Extent, std::vector<int>>;  // reach and lines
  const plan::Group& group_;
  const int dimension_;
  Names& names_;
  std::map<Shape, std::string> windows_;
  std::map<plan::Lane, std::string> unused_;
  std::vector<Piece> pieces_;
};

}  // namespace paraiso::codegen
