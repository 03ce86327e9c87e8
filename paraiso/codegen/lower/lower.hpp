// lower: one group, or one boundary kernel, as CLARIS functions.
// Gives: Argument, Lowered, LoweredGroup, GroupNames, lower_boundary. Needs: plan,
// CLARIS, names.
#pragma once

#include "paraiso/codegen/claris/tree.hpp"
#include "paraiso/plan/plan.hpp"

namespace paraiso::codegen {

/// What the caller must pass for a parameter.
struct GridArgument {};
struct ThreadsArgument {};
struct CellArgument {};
struct ScratchArgument {};
struct TileArgument {};
using Argument = std::variant<GridArgument, ThreadsArgument, CellArgument, ScratchArgument,
                              TileArgument, plan::ArrayRef, om::ValueId,
                              om::StaticId>;  // an array, a Global of the kernel, a Global static

struct Lowered {
  claris::Function function;
  std::vector<Argument> arguments;  // one a parameter
};

/// A function that makes one tile, and the one that the kernel calls: it shares the tiles between
/// threads. Reductions are results.
struct LoweredGroup {
  claris::Function tile;
  Lowered all;
};
struct GroupNames {
  std::string tile, all;
};
/// A function named `name` of a halo cell that returns the boundary kernel's value there.
[[nodiscard]] Lowered lower_boundary(const plan::Plan& plan, om::BoundaryKernelId id,
                                     const std::string& name);

}  // namespace paraiso::codegen
