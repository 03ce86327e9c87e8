// A limiter that only this file knows: what it takes to add one.
#include <gtest/gtest.h>

#include <cmath>

#include "apps/hydro/solver.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/runtime/fields/instance.hpp"

namespace paraiso::apps {
namespace {

/// OSPRE: Waterson and Deconinck (1995). In `numerics/limiters.hpp` this function and the row
/// `{"ospre", "smooth: Waterson and Deconinck (1995)", ospre}` would make it `--choose
/// limiter=ospre`.
constexpr auto ospre = []<class T>(const T& a, const T& b) -> T {
  const T product = a * b;
  return select(product > 0, number_type<T>(1.5) * (product / (a * a + product + b * b)) * (a + b),
                T(0));
};
static_assert(numerics::Limiter<decltype(ospre), double>);

using Values = Local<double, 1>;

double error(numerics::LimiterFunction<Values> limiter, std::int64_t cells) {
  HydroScheme<double, 1> scheme;
  scheme.limiter = limiter;
  const om::Machine machine = Hydro<double, 1>("entropy_wave", false, scheme).machine();
  const auto flow =
      runtime::interpreter_instance(passes::prepare(machine, passes::Numbers::fma), {cells});
  flow->set_scalar("time_limit", 1.0);
  flow->run("entropy_wave");
  while (flow->scalar("time") < 1) flow->run("proceed");
  flow->run("error");
  return flow->scalar("l1_error");
}

TEST(OwnLimiter, RunsInHydroInSecondOrder) {
  const double coarse = error(ospre, 64), fine = error(ospre, 128);
  EXPECT_GT(std::log2(coarse / fine), 1.8);
  EXPECT_LT(fine, error(numerics::minmod, 128));
}

}  // namespace
}  // namespace paraiso::apps
