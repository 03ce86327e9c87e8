// lower: one group, or one boundary kernel, as CLARIS functions.
// Gives: Argument, Lowered, LoweredGroup, GroupNames, lower_boundary. Needs: plan,
// CLARIS, names.
#pragma once

#include "paraiso/codegen/claris/tree.hpp"
#include "paraiso/codegen/lower/names.hpp"
#include "paraiso/plan/plan.hpp"

namespace paraiso::codegen {

/// What the caller must pass for a parameter.
struct GridArgument {};
struct ThreadsArgument {};
struct CellArgument {};
struct ScratchArgument {};
struct TileArgument {};
struct ArrivalArgument {};
/// Of a device: the partial results of a reduction of the group, by its number there; in a module,
/// by its number in Module::partials. And where they lie.
struct PartialsArgument {
  std::size_t number;
};
struct PlacesArgument {
  std::size_t number;
};
using Argument =
    std::variant<GridArgument, ThreadsArgument, CellArgument, ScratchArgument, TileArgument,
                 ArrivalArgument, PartialsArgument, PlacesArgument, plan::ArrayRef, om::ValueId,
                 om::StaticId,
                 om::Constant>;  // an array, a Global of the kernel, a Global static, a constant

struct Lowered {
  claris::Function function;
  std::vector<Argument> arguments;  // one per parameter
};

/// The function that makes a group, and those that it calls: callees first. On processors there is
/// one that makes a tile, and reductions are results of the one that shares the tiles.
struct LoweredGroup {
  std::vector<claris::Function> callees;
  Lowered all;
};
struct GroupNames {
  std::string tile, all;
};
/// A function named `name` of a halo cell that returns the boundary kernel's value there. Its
/// variables have none of the names that are `taken`; `for_devices` as hidden_zero says.
[[nodiscard]] Lowered lower_boundary(const plan::Plan& plan, om::BoundaryKernelId id,
                                     const std::string& name, const Names& taken = {},
                                     bool for_devices = false);

}  // namespace paraiso::codegen
