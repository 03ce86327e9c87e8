// StageRows: the rows that a loop reads and writes, as pointers declared before its vector loop.
// Gives: StageRows. Needs: loop_bounds.
#pragma once

#include <set>

#include "paraiso/codegen/cpu/lower/loop_bounds.hpp"

namespace paraiso::codegen {

class StageRows {
 public:
  /// `place`: of the stage in its group.
  StageRows(GroupFrame& frame, const plan::Stage& stage, std::size_t place,
            const LoopBounds& bounds);

  /// The cells of the row that a term reads, as the vector loop finds them. The row is declared
  /// before the loop the first time it is asked for.
  std::string read(const plan::Term& term);
  /// Finds `targets`: to be called first.
  void name_targets();
  /// Whether an array is read as well: then it is in the caches, and stored there cheaply.
  [[nodiscard]] bool reads(const plan::ArrayRef& array) const;
  /// The distances along axis 0 at which the row of a term is read.
  [[nodiscard]] const std::set<std::int32_t>& distances(const plan::Term& term) const {
    return distances_.at(row_of(term));
  }
  /// Of each array that is read, the row that the loop comes to first, or as many as a turn has:
  /// others were read before.
  [[nodiscard]] std::vector<std::string> foremost() const;
  /// A part of a row, as a pointer for cell 0 / parts.
  struct ComingPart {
    std::string row;
    std::size_t parts;
  };
  /// What this loop, one in vectors, is to ask for of the rows that its sweep comes to next.
  [[nodiscard]] std::vector<ComingPart> coming();
  /// Of outputs, then of keeps.
  [[nodiscard]] const std::vector<std::string>& targets() const { return targets_; }
  /// The rows whose cells beyond the ends the loop makes.
  [[nodiscard]] const std::vector<claris::RowArgument>& with_ends() const { return with_ends_; }
  /// The declarations of all pointers so far.
  [[nodiscard]] claris::Block& declarations() { return declarations_; }

 private:
  using Row = std::pair<om::ValueId, om::Offset>;  // its displacement along axis 0 is 0
  [[nodiscard]] static bool is_read(const plan::Term& term);
  [[nodiscard]] static Row row_of(const plan::Term& term);
  std::string declared(const plan::Term& term);
  /// Whether the loop makes the cells beyond the ends of the row of a term.
  [[nodiscard]] bool makes_ends(const plan::Term& term) const;
  /// Whether the group makes it, by any loop.
  [[nodiscard]] bool writes(const plan::ArrayRef& array) const;
  /// `row` on a condition, if there is one; else memory of the thread: other threads work there, or
  /// nobody does, and nothing that is read or written there counts.
  [[nodiscard]] claris::ExprPtr where(claris::ExprPtr condition, plan::Lane lane,
                                      claris::ExprPtr row);
  [[nodiscard]] int row_of_turn(int root) const;
  /// The row of the loop's cell, displaced, in every array of the grid.
  [[nodiscard]] claris::ExprPtr place_in_grid(const om::Offset& offset) const;
  /// The same in a buffer.
  [[nodiscard]] claris::ExprPtr place_in_buffer(int b, const om::Offset& offset);
  /// Declared once a row.
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
