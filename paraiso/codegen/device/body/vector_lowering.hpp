// vector_lowering: what a thread of a device computes that makes several neighbours along x at
// once. Gives: VectorLowering. Needs: cell_lowering, vector_rows.
//
//   float u_cells[12];                          // what is read of a row, by whole vectors
//   load_4_f32(u_cells, u + at - 4);
//   ...
//   float u_next_made[4];
//   for (lane = 0; lane < 4; ++lane)            // written out
//     u_next_made[lane] = u_cells[lane + 3] + u_cells[lane + 5];
//   store_4_f32(u_next + at, u_next_made, grid.size[0] - i_first);
//
// Each value is computed for all lanes before the next one, and rows are loaded where they are
// needed first: lane after lane, all rows would have to lie in registers.
#pragma once

#include "paraiso/codegen/device/body/cell_lowering.hpp"
#include "paraiso/plan/device/thread/vector_rows.hpp"

namespace paraiso::codegen {

/// `at` is where the first of the cells lies in every array.
class VectorLowering : public CellLowering {
 public:
  explicit VectorLowering(const StageOfKernel& of);

  /// Loads, loops over the lanes, and stores.
  [[nodiscard]] claris::Block cells();

 protected:
  claris::ExprPtr read(const plan::Term& term) override;
  claris::ExprPtr index(int axis, std::int32_t offset) override;
  /// All is read before anything is written.
  bool must_read_first(const plan::Term&) const override { return false; }
  [[nodiscard]] claris::ExprPtr declared(const std::string& variable) const override;

 private:
  /// Declares the cells of `made`, and computes them, and loads before that what `value` reads and
  /// none before did.
  void make_cells(om::Element element, const std::string& made, const claris::ExprPtr& value,
                  claris::Block& block);
  void load(std::size_t r, claris::Block& block) const;

  const int vector_;
  const std::vector<plan::VectorRow> rows_;
  std::vector<std::string> cells_;  // of each row
  std::vector<bool> loaded_;        // likewise
};

}  // namespace paraiso::codegen
