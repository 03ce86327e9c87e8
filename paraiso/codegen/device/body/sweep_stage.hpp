// sweep_stage: one loop of a sweep, whose values a block may keep. Gives: kTurn, SweepNames, aged,
// SweepStageLowering. Needs: cell_lowering; plan's on_chip.
#pragma once

#include <algorithm>

#include "paraiso/codegen/device/body/cell_lowering.hpp"
#include "paraiso/plan/device/on_chip.hpp"

namespace paraiso::codegen {

inline constexpr const char* kTurn = "turn";  // planes that the sweep has made so far

/// How the kernel calls what its block keeps, and where its threads are.
struct SweepNames {
  std::vector<std::string> kept;     // as Group::buffers: in shared memory
  std::vector<std::string> own;      // as Group::buffers: the register of the newest value
  std::vector<std::string> columns;  // a thread's column in its block, along each of its axes
};

/// The register of a value that is so many planes old.
[[nodiscard]] std::string aged(const std::string& newest, int planes);

/// One loop of the sweep, at the cell (i, j, k).
class SweepStageLowering : public CellLowering {
 public:
  /// `ahead`: what loops find before the sweep.
  SweepStageLowering(const StageOfKernel& of, const SweepNames& called, GhostSources& ahead)
      : CellLowering(of), called_(called), ahead_(ahead) {}

  /// The values that the block keeps.
  [[nodiscard]] claris::Block keeps() const;

 protected:
  claris::ExprPtr read(const plan::Term& term) override;
  bool must_read_first(const plan::Term& term) const override;
  [[nodiscard]] std::vector<std::string> kept() const override;
  /// Along all axes but the sweep's, a thread's place is the same in all planes.
  [[nodiscard]] GhostSources& sources_along(int axis) override {
    const bool swept = !group_.sweep.empty() && axis == group_.sweep.front();
    return swept ? CellLowering::sources_along(axis) : ahead_;
  }

 private:
  [[nodiscard]] std::size_t buffer_of(const plan::Term& term) const {
    return plan::buffer_of(group_, term.value);
  }
  [[nodiscard]] int plane(const om::Offset& offset) const {
    return group_.sweep.empty() ? 0 : offset[group_.sweep.front()];
  }
  /// Where a kept value lies, of the cell at `offset` from the loop's.
  [[nodiscard]] claris::ExprPtr in_shared(int buffer, const om::Offset& offset) const;
  /// The cell of a kept value that its own loop writes.
  [[nodiscard]] om::Offset newest(int buffer) const;

  const SweepNames& called_;
  GhostSources& ahead_;
};

}  // namespace paraiso::codegen
