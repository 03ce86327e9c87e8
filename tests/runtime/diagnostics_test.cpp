#include "paraiso/passes/diagnostics.hpp"

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
