// StageRows: the rows that a loop reads and writes, as pointers declared before its vector loop.
// Gives: StageRows. Needs: loop_bounds.
#pragma once

#include <set>

#include "paraiso/codegen/cpu/lower/loop_bounds.hpp"

namespace paraiso::codegen {

class StageRows {
 public:
  /// `place`: the stage's index in its group.
  StageRows(GroupFrame& frame, const plan::Stage& stage, std::size_t place,
            const LoopBounds& bounds);

  /// The name of the row that a term reads, in the vector loop. The first call declares the row
  /// before the loop.
  std::string read(const plan::Term& term);
  /// Finds `targets`. Call it first.
  void name_targets();
  /// Whether an array is also read: then it is in the caches, and an ordinary store is cheap.
  [[nodiscard]] bool reads(const plan::ArrayRef& array) const;
  /// The distances along axis 0 at which the row of a term is read.
  [[nodiscard]] const std::set<std::int32_t>& distances(const plan::Term& term) const {
    return distances_.at(row_of(term));
  }
  /// For each array that is read, the row that the loop comes to first, or with unroll-and-jam the
  /// rows of one iteration: the others have been read before.
  [[nodiscard]] std::vector<std::string> foremost() const;
  /// A part of a row to prefetch, as a pointer for cell 0 / parts.
  struct PrefetchPart {
    std::string row;
    std::size_t parts;
  };
  /// What this vector loop prefetches of the rows that its sweep comes to next.
  [[nodiscard]] std::vector<PrefetchPart> coming();
  /// The rows of outputs, then of buffer writes.
  [[nodiscard]] const std::vector<std::string>& targets() const { return targets_; }
  /// The rows whose x ghost cells the loop computes.
  [[nodiscard]] const std::vector<claris::RowArgument>& with_ends() const { return with_ends_; }
  /// The declarations of all pointers so far.
  [[nodiscard]] claris::Block& declarations() { return declarations_; }

 private:
  using Row = std::pair<om::ValueId, om::Offset>;  // its displacement along axis 0 is 0
  [[nodiscard]] static bool is_read(const plan::Term& term);
  [[nodiscard]] static Row row_of(const plan::Term& term);
  std::string declared(const plan::Term& term);
  /// Whether the loop computes the x ghost cells of a term's row.
  [[nodiscard]] bool makes_ends(const plan::Term& term) const;
  /// Whether any loop of the group computes it.
  [[nodiscard]] bool writes(const plan::ArrayRef& array) const;
  /// `row`; with a condition, only where it holds, else a dummy row in the thread's scratch:
  /// outside the tile other threads may be at work, and what is read or written there is not used.
  [[nodiscard]] claris::ExprPtr where(claris::ExprPtr condition, plan::Lane lane,
                                      claris::ExprPtr row);
  [[nodiscard]] int row_of_turn(int root) const;
  /// The offset of the row at `offset` from the loop's own, in every array of the grid.
  [[nodiscard]] claris::ExprPtr place_in_grid(const om::Offset& offset) const;
  /// The same in a buffer.
  [[nodiscard]] claris::ExprPtr place_in_buffer(int b, const om::Offset& offset);
  /// Declared once per row.
  [[nodiscard]] claris::ExprPtr line(const std::string& window, int axis, std::int32_t offset);
  std::string target_row(const std::string& base, plan::Lane lane, claris::ExprPtr row);

  GroupFrame& frame_;
  const plan::Stage& stage_;
  const std::size_t place_;
  const LoopBounds& bounds_;
  std::map<Row, std::set<std::int32_t>> distances_;
  std::map<std::pair<std::string, std::int32_t>, std::string> known_lines_;
  std::map<Row, std::string> known_rows_;
  std::vector<std::string> targets_;
  std::vector<claris::RowArgument> with_ends_;
  claris::Block declarations_;
};

}  // namespace paraiso::codegen
