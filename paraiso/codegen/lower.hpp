// lower: one stage, or one boundary kernel, as a CLARIS function.
// Gives: Argument, Lowered, lower_stage, lower_boundary. Needs: plan, CLARIS, names.
#pragma once

#include "paraiso/codegen/claris.hpp"
#include "paraiso/plan/plan.hpp"

namespace paraiso::codegen {

/// What the caller must pass for a parameter.
struct GridArgument {};
struct ThreadsArgument {};
struct CellArgument {};
using Argument =
    std::variant<GridArgument, ThreadsArgument, CellArgument, plan::ArrayRef, om::ValueId,
                 om::StaticId>;  // an array, a Global of the kernel, a Global static

struct Lowered {
  claris::Function function;
  std::vector<Argument> arguments;  // one a parameter
};

/// A function named `name` that computes the stage over its whole box. Reductions are results.
[[nodiscard]] Lowered lower_stage(const plan::Plan& plan, const plan::KernelPlan& kernel,
                                  const plan::Group& group, const plan::Stage& stage,
                                  const std::string& name);

/// A function named `name` of a halo cell that returns the boundary kernel's value there.
[[nodiscard]] Lowered lower_boundary(const plan::Plan& plan, om::BoundaryKernelId id,
                                     const std::string& name);

/// `x`, `y`, `z`, `w`, `a4`, ...: an axis in a name.
[[nodiscard]] std::string axis_name(int axis);

}  // namespace paraiso::codegen
