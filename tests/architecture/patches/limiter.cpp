// Uses what limiter.patch adds: offered by the solver of gases, and of second order there.
#include "tests/architecture/patches/method.hpp"

int main() {
  using namespace paraiso;
  const double coarse = entropy_wave_error("limiter=ospre", 32);
  const double fine = entropy_wave_error("limiter=ospre", 64);
  const bool better = fine < entropy_wave_error("limiter=minmod", 64);
  return offers("limiter", "ospre") && fine < coarse / 3 && better ? 0 : 1;
}
