// Uses what riemann_solver.patch adds: offered by the solver of gases, which is right with it, and
// more diffusive than with Rusanov's flux.
#include "tests/architecture/patches/method.hpp"

int main() {
  using namespace paraiso;
  const double coarse = entropy_wave_error("riemann=cautious", 32);
  const double fine = entropy_wave_error("riemann=cautious", 64);
  const bool more_diffusive = fine > entropy_wave_error("riemann=rusanov", 64);
  return offers("riemann", "cautious") && fine < coarse / 2.5 && more_diffusive ? 0 : 1;
}
