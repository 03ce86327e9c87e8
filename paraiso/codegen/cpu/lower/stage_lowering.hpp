// StageLowering: one loop nest of a group.
// Gives: StageLowering. Needs: stage_rows.
#pragma once

#include "paraiso/codegen/cpu/lower/stage_rows.hpp"

namespace paraiso::codegen {

class StageLowering : public BodyLowering {
 public:
  /// `place`: the stage's index in its group.
  StageLowering(GroupFrame& frame, const plan::Stage& stage, std::size_t place);

  /// In a sweep, the loop over one row, run where its values are needed; else the whole nest.
  claris::Block run();

 protected:
  claris::ExprPtr read(const plan::Term& term) override;
  claris::ExprPtr index(int axis, std::int32_t offset) override;
  claris::ExprPtr scalar(om::ValueId value) override;
  bool hoists() const override { return true; }
  claris::ExprPtr compared(om::Constant value) override {
    return claris::name(frame_.constants.opaque(value));
  }
  /// A cell that this loop overwrites is read before anything is written.
  bool must_read_first(const plan::Term& term) const override;

 private:
  /// In a sweep all loops share the loops over rows; this one runs where its values are needed.
  claris::Block at_its_rows(claris::Block row) const;
  void write_roots(claris::Block& cell) const;
  void write(claris::Block& cell, const std::string& row, int root, plan::Lane lane,
             bool streaming) const;
  /// Widens a value that a buffer stores in fewer bytes, in a loop without vectors.
  [[nodiscard]] claris::ExprPtr as_element(const plan::Term& term, claris::ExprPtr cell) const;
  /// Prefetches, for each array, a row ahead of the foremost one: the others have been read before.
  [[nodiscard]] claris::Block prefetches();
  claris::Statement loop_over_row(claris::Block cell) const;
  /// Whether calls of the C library keep the loop scalar: asking for vectors would only cause a
  /// warning.
  [[nodiscard]] bool calls_library() const;
  void reduce_row(claris::Block& row) const;
  /// Fills the ghost cells of the states that this loop computes: of one row in a sweep, else of
  /// all.
  void fill_states(claris::Block& block) const;
  [[nodiscard]] claris::Statement fill_row(const std::string& state, const om::Offset& lag) const;
  void describe(claris::Block& nest) const;

  GroupFrame& frame_;
  const plan::Stage& stage_;
  LoopBounds bounds_;
  StageRows rows_;
};

}  // namespace paraiso::codegen
