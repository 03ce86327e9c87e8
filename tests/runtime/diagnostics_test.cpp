#include "paraiso/passes/analysis/diagnostics.hpp"

#include <gtest/gtest.h>

#include "paraiso/frontend/frontend.hpp"
#include "paraiso/runtime/run/run.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "support.hpp"

namespace paraiso::runtime {
namespace {

/// Counts up; with kernels that tell of it, and kernels that change something.
om::Machine counting() {
  Builder<1> om("counting");
  Field<std::int64_t, 1> n{om, "n", outflow()};
  Scalar<std::int64_t, 1> total{om, "total"}, most{om, "most"}, by{om, "by"}, calls{om, "calls"};
  om.initial("zero", [&] {
    store(n, index(Axis<1>(0)));
    store(by, Global<std::int64_t, 1>(1));
  });
  om.step("proceed", [&] { store(n, load(n) + load(by)); });
  om.kernel("totals", [&] { store(total, reduce_sum(load(n))); });
  om.kernel("extremes", [&] { store(most, reduce_max(load(n))); });
  om.kernel("hasten", [&] { store(by, Global<std::int64_t, 1>(2)); });  // a step loads it
  om.kernel("count", [&] { store(calls, load(calls) + 1); });           // a second call differs
  om.kernel("clear", [&] { store(n, 0 * load(n)); });
  return om.machine();
}

TEST(Diagnostics, StoreWhatNoKernelLoads) {
  const om::Machine machine = counting();
  std::vector<std::string> names;
  for (const om::Kernel* kernel : passes::diagnostics(machine)) names.push_back(kernel->name);
  EXPECT_EQ(names, (std::vector<std::string>{"totals", "extremes"}));
}

TEST(Diagnostics, StoreFieldsThatAreOnlyLookedAt) {
  Builder<1> om("flow");
  Field<double, 1> mass{om, "mass", outflow()}, momentum{om, "momentum", outflow()};
  Field<double, 1> velocity{om, "velocity", outflow()}, force{om, "force", outflow()};
  om.step("proceed", [&] {
    store(mass, load(mass) + 1);
    store(force, load(momentum));
    store(momentum, 2 * load(momentum));
  });
  om.kernel("look", [&] { store(velocity, load(momentum) / load(mass)); });
  om.kernel("push", [&] { store(force, load(mass)); });  // what steps store, too
  const om::Machine machine = om.machine();
  const auto found = passes::diagnostics(machine);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0]->name, "look");

  const auto instance = interpreter_instance(machine, {2});
  for (const std::int64_t cell : {0, 1}) {
    instance->field("mass").at<double>(std::vector{cell}) = 1;
    instance->field("momentum").at<double>(std::vector{cell}) = 3;
  }
  RunOptions options;
  options.progress = false;
  options.steps = 2;
  run(*instance, options);
  EXPECT_EQ(instance->field("velocity").at<double>(std::vector<std::int64_t>{1}), 4);  // 12 / 3
}

TEST(Diagnostics, AreOfTheStateThatIsWrittenAndOfTheLast) {
  const test::Folder folder;
  const auto instance = interpreter_instance(counting(), {4});
  RunOptions options;
  options.progress = false;
  options.steps = 5;
  options.every = 2;
  options.output = folder / "out";
  run(*instance, options);
  EXPECT_EQ(read_file(folder / "out" / "scalars.csv"),
            "step,total,most,by,calls\n0,6,3,1,0\n2,14,5,1,0\n4,22,7,1,0\n5,26,8,1,0\n");
  options.output.clear();
  options.steps = 7;
  EXPECT_EQ(run(*instance, options).scalars[0].value.as<std::int64_t>(), 34);
}

}  // namespace
}  // namespace paraiso::runtime
