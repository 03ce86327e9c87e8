// cell_lowering: what a thread of a device computes for one cell of a loop. Gives: StageOfKernel,
// GhostSources, CellLowering. Needs: body_lowering, frame.
#pragma once

#include <array>
#include <map>

#include "paraiso/codegen/lower/body_lowering.hpp"

namespace paraiso::codegen {

/// A loop, and the function that it becomes part of.
struct StageOfKernel {
  const plan::Plan& plan;
  const plan::KernelPlan& kernel;
  const plan::Group& group;
  const plan::Stage& stage;
  Names& names;
  ParameterList& parameters;
};

/// Variables for indices of cells that ghost cells repeat, and where they are found.
struct GhostSources {
  std::map<std::array<int, 4>, std::string> known;  // by axis, offset and rules
  claris::Block block;
};

/// The body of a stage. `at` is where its cell lies in every array.
class CellLowering : public BodyLowering {
 public:
  explicit CellLowering(const StageOfKernel& of);

  /// What it computes, after where it finds ghost cells.
  [[nodiscard]] claris::Block body();
  /// The stores of its outputs in arrays, of each one by itself, after the body.
  [[nodiscard]] std::vector<claris::Block> stores() const;
  /// The ghost cells that repeat them, where they are stored so, of each output by itself.
  [[nodiscard]] std::vector<claris::Block> ghosts() const;
  /// What the stage makes: `density_next, pressure: 12 operations a cell`.
  [[nodiscard]] std::string describe() const;

 protected:
  claris::ExprPtr read(const plan::Term& term) override;
  claris::ExprPtr index(int axis, std::int32_t offset) override;
  claris::ExprPtr scalar(om::ValueId value) override;
  claris::ExprPtr compared(om::Constant value) override;
  claris::ExprPtr chosen(om::Constant value) override;
  /// A cell that this stage overwrites is read before anything is written.
  bool must_read_first(const plan::Term& term) const override;
  /// Where those along an axis are found: in the body.
  [[nodiscard]] virtual GhostSources& sources_along(int) { return sources_; }
  /// The parameter that a value is read from.
  [[nodiscard]] std::string array_of(const plan::Term& term) const;
  /// The arrays of its outputs.
  [[nodiscard]] const std::vector<std::string>& targets() const { return targets_; }
  /// Names of what it makes, in addition to arrays.
  [[nodiscard]] virtual std::vector<std::string> kept() const { return {}; }

  const plan::Plan& plan_;
  const plan::KernelPlan& kernel_;
  const plan::Group& group_;
  const plan::Stage& stage_;
  ParameterList& parameters_;

 private:
  claris::ExprPtr found(const plan::Term& term, const std::string& array,
                        const std::vector<int>& beyond);
  std::string source(const om::Static& field, int axis, int offset);
  std::string by_sides(const om::Static& field, std::string value,
                       const std::vector<std::pair<int, std::string>>& sources);
  std::string declare(om::Element element, claris::ExprPtr value);

  std::vector<std::string> targets_;  // arrays of its outputs
  GhostSources sources_;
  claris::Block ghost_values_;
};

}  // namespace paraiso::codegen
