// A host program from end to end, as docs show it: equations, compile, instance, fields, run.
#include "paraiso/frontend/frontend.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/build/compile.hpp"
#include "paraiso/runtime/run/run.hpp"
#include "support.hpp"
#include "tests/support/compiled.hpp"

namespace paraiso {
namespace {

om::Machine diffusion() {
  Builder<2> om("diffusion");
  Field<double, 2> u{om, "u", cyclic()};
  Parameter<double, 2> strength{om, "strength", 0.2, {0.0, 0.25}};
  Scalar<double, 2> total{om, "total"};
  om.step("proceed", [&] {
    auto u0 = load(u);
    auto around = sum<2>([&](Axis<2> a) { return at(u0, +a) + at(u0, -a) - 2 * u0; });
    auto u1 = u0 + load(strength) * around;
    store(u, u1);
    store(total, reduce_sum(u1));
  });
  return om.machine();
}

TEST(Example, AHostProgramDrivesAMachine) {
  test::Folder cache;
  const auto machine = passes::prepare(diffusion(), passes::Numbers::fma);
  runtime::CompileOptions compiling;
  compiling.cache = cache.path();
  compiling.optimization = "-O1";
  const auto library =
      runtime::compile(plan::plan_program(machine, plan::default_schedule(machine)), compiling);
  auto instance = library.instance({32, 16});

  instance->set_scalar("strength", 0.25);
  auto u = instance->field("u");
  u.at<double>(std::vector<std::int64_t>{16, 8}) = 1;

  runtime::RunOptions running;
  running.steps = 50;
  running.progress = false;
  double largest_error = 0;
  running.between = [&](runtime::Instance& now, std::int64_t step) {
    if (step > 0) largest_error = std::max(largest_error, std::abs(now.scalar("total") - 1));
    return true;
  };
  const auto result = runtime::run(*instance, running);

  EXPECT_EQ(result.steps, 50);
  EXPECT_LT(largest_error, 1e-12);
  EXPECT_LT(result.fields[0].maximum, 0.1);
}

}  // namespace
}  // namespace paraiso
