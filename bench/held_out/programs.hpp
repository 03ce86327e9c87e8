// Five programs that ways to predict schedules are judged by (docs/predict.md): written for that,
// after the ways, and never tuned before. No two are of one kind, and none is a star.
// Gives: HeldOut, held_out. Needs: frontend.
#pragma once

#include <string>
#include <vector>

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::bench {

/// Shallow water by Rusanov's fluxes; the fastest wave of all cells sets the time step.
[[nodiscard]] om::Machine shallow_water();
/// Burgers' equation, of third order upwind along x and of first order along y: radius 2 and 1.
[[nodiscard]] om::Machine burgers();
/// Two substances that diffuse and react (Gray and Scott, 1984), in three dimensions.
[[nodiscard]] om::Machine gray_scott();
/// Elastic waves, velocities and stresses on staggered grids (Virieux, 1986), of fourth order in
/// space, in a medium that varies.
[[nodiscard]] om::Machine elastic();
/// Heat that is conducted along a given direction and by a temperature-dependent coefficient, by
/// fluxes at the cells' centres, in three dimensions.
[[nodiscard]] om::Machine anisotropic();

struct HeldOut {
  const char* name;
  om::Machine (*machine)();
  const char* size;  // that it is measured at: as many cells as 64x32x32
};
inline const std::vector<HeldOut> kHeldOut{{"shallow_water", shallow_water, "256x256"},
                                           {"burgers", burgers, "256x256"},
                                           {"gray_scott", gray_scott, "64x32x32"},
                                           {"elastic", elastic, "256x256"},
                                           {"anisotropic", anisotropic, "64x32x32"}};

}  // namespace paraiso::bench
