// Blocks with more shared memory than a kernel has unless its launch asks for it: the same bits,
// what is said where the device has less, and which version of a kernel runs there.
#include <gtest/gtest.h>

#include <algorithm>

#include "paraiso/plan/choices/set_dispatch.hpp"
#include "paraiso/plan/choices/threshold_tree.hpp"
#include "paraiso/plan/device/on_chip.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/support/device/cuda_layer.hpp"
#include "paraiso/verify/verify_backend.hpp"
#include "tests/device/backends.hpp"
#include "tests/device/sweeps.hpp"
#include "tests/support/complaint.hpp"

namespace paraiso {
namespace {

using test::complaint;

std::size_t most_shared(const plan::Plan& plan) {
  std::size_t most = 0;
  for (const plan::KernelPlan& kernel : plan.kernels)
    for (const plan::Group& group : kernel.groups)
      if (group.device.on_chip)
        most = std::max(most, plan::shared_bytes(group, plan.machine.dimension));
  return most;
}

class SharedOfLaunch : public testing::TestWithParam<DeviceBackend> {};

TEST_P(SharedOfLaunch, HasTheSameBits) {
  PARAISO_NEEDS_BACKEND(GetParam());
  const runtime::Backend& backend = GetParam().row();
  const om::Machine program = chain(6);
  const plan::Plan plan = backend.make_plan(program, swept(program, backend, 32, 16));
  EXPECT_GT(most_shared(plan), 48u * 1024);
  const auto card = runtime::chosen_card(backend);
  const double has = card ? card->parts.block_shared_bytes : 0;
  if (has > 0 && has < static_cast<double>(most_shared(plan)))
    GTEST_SKIP() << "SKIP: a block of this device has less shared memory";
  verify::VerifyOptions options;
  options.problems = {"ramp"};
  options.steps = 2;
  options.sizes = {{37, 9, 5}, {3, 2, 1}};
  const auto difference =
      verify::verify_library(runtime::compile(plan, quick_build(backend), backend), options);
  EXPECT_FALSE(difference) << difference->text();
}

INSTANTIATE_TEST_SUITE_P(Of, SharedOfLaunch, testing::ValuesIn(device_backends()),
                         [](const auto& info) { return std::string(info.param.label); });

TEST(SharedMemory, IsToldWhereADeviceHasLess) {
  paraiso_support::DeviceReport device;
  device.name = "Abacus 9000";
  paraiso_support::require_shared(device, "sweep", 1 << 30);  // it says nothing
  device.parts.block_shared_bytes = 64 * 1024;
  paraiso_support::require_shared(device, "sweep", 64 * 1024);
  try {
    paraiso_support::require_shared(device, "sweep", 96 * 1024);
    FAIL() << "nothing is wrong";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "a block of kernel `sweep` has 98.3 kB of shared memory, and device `Abacus 9000` "
                 "gives a block 65.5 kB: another schedule takes less (gene `shared`)");
  }
}

/// The device `emulated` gives a block so many bytes; 0: as many as it wants.
class Gives {
 public:
  explicit Gives(std::size_t bytes) {
    if (bytes > 0) setenv("PARAISO_EMULATED_SHARED", std::to_string(bytes).c_str(), 1);
  }
  ~Gives() { unsetenv("PARAISO_EMULATED_SHARED"); }
  Gives(const Gives&) = delete;
  Gives& operator=(const Gives&) = delete;
};

/// A sweep whose blocks have much shared memory, `roomy`, and a schedule that keeps nothing: which
/// of them runs, the guard of the first says.
class RoomyVersion : public testing::TestWithParam<bool> {
 protected:
  RoomyVersion() : backend_(*runtime::find_backend("cuda")) {
    setenv("PARAISO_DEVICE", "emulated", 1);
    const om::Machine bare = chain(6);
    dispatch_ = plan::make_dispatch(bare, "proceed", GetParam() ? "roomy" : "small",
                                    {{GetParam() ? "small" : "roomy", plan::Measure::cells, 0}});
    const plan::Schedule roomy = swept(bare, backend_, 32, 16);
    const std::string copy = dispatch_.versions[0].kernel;
    plan_ = backend_.make_plan(plan::add_versions(bare, dispatch_),
                               GetParam() ? roomy : plan::for_copy(roomy, "proceed", copy));
    plan::set_dispatch(plan_, dispatch_);
    library_ = runtime::compile(plan_, quick_build(backend_), backend_);
  }
  ~RoomyVersion() override { unsetenv("PARAISO_DEVICE"); }

  /// Two steps by the solver's own choice are the interpreter's.
  void expect_right_steps(std::int64_t least) const {
    const std::vector<std::int64_t> size{37, 9, 5};
    const auto solver =
        library_->with_thresholds({{dispatch_.versions[0].threshold, least}}).instance(size);
    const auto reference = runtime::interpreter_instance(chain(6), size);
    for (const char* kernel : {"ramp", "proceed", "proceed"}) {
      solver->run(kernel);
      reference->run(kernel);
    }
    EXPECT_EQ(runtime::save(*solver).statics, runtime::save(*reference).statics);
  }
  [[nodiscard]] std::string chosen(std::int64_t least, double gives) const {
    const plan::Dispatch tuned =
        plan::tuned(*plan_.dispatch, {{dispatch_.versions[0].threshold, least}});
    return plan::version_name(tuned, plan::chosen_version(tuned, {{37, 9, 5}, 1, 8}, gives));
  }

  const runtime::Backend& backend_;
  plan::Dispatch dispatch_;
  plan::Plan plan_;
  std::optional<runtime::Library> library_;
};

TEST_P(RoomyVersion, IsPassedOverWhereItDoesNotFit) {
  const std::string kernel = GetParam() ? "proceed" : "proceed_roomy";
  EXPECT_EQ(plan::threshold_tree(plan_, false), "chain.proceed." + dispatch_.versions[0].name +
                                                    " (threshold ())\nchain." + kernel +
                                                    ".shared (fits)\n");
  const std::size_t asked = plan_.find_kernel(kernel)->shared_bytes;
  ASSERT_GT(asked, 48u * 1024);
  for (const std::size_t gives : {std::size_t{0}, asked, asked - 1}) {
    const Gives bytes(gives);
    for (const std::int64_t least : {std::int64_t{0}, plan::kLargestThreshold}) {
      const bool wants_roomy = (least == 0) != GetParam();
      const bool fits = gives != asked - 1;
      EXPECT_EQ(chosen(least, static_cast<double>(gives)), wants_roomy && fits ? "roomy" : "small");
      expect_right_steps(least);
    }
  }
}

/// Which base has no kernel of its own name.
TEST_P(RoomyVersion, SaysWhatItLacksWhenItIsCalledByName) {
  if (GetParam()) return;
  const std::size_t asked = plan_.find_kernel("proceed_roomy")->shared_bytes;
  const Gives bytes(asked - 1);
  const auto solver = library_->instance({37, 9, 5});
  solver->run("ramp");
  const std::string said = complaint([&] { solver->run("proceed_roomy"); });
  EXPECT_NE(said.find("a block of kernel `chain_proceed_roomy_1` has "), std::string::npos) << said;
  EXPECT_NE(said.find("and device `emulated` gives a block "), std::string::npos) << said;
}

INSTANTIATE_TEST_SUITE_P(IsBase, RoomyVersion, testing::Bool());

TEST(SharedMemory, IsToldWhereNoVersionFits) {
  setenv("PARAISO_DEVICE", "emulated", 1);
  const runtime::Backend& backend = *runtime::find_backend("cuda");
  const om::Machine bare = chain(6);
  const plan::Dispatch dispatch =
      plan::make_dispatch(bare, "proceed", "base", {{"more", plan::Measure::cells, 0}});
  const plan::Schedule roomy = swept(bare, backend, 32, 16);
  plan::Plan plan =
      backend.make_plan(plan::add_versions(bare, dispatch),
                        plan::overlaid(roomy, plan::for_copy(roomy, "proceed", "proceed_more")));
  plan::set_dispatch(plan, dispatch);
  const runtime::Library library = runtime::compile(plan, quick_build(backend), backend);
  const Gives bytes(48 * 1024);
  const std::string said = complaint([&] { (void)library.instance({37, 9, 5}); });
  unsetenv("PARAISO_DEVICE");
  EXPECT_TRUE(said.starts_with("error: a block of kernel `chain_proceed_1` has ")) << said;
  EXPECT_TRUE(
      said.ends_with(" of shared memory, and device `emulated` gives a block 49.2 kB: "
                     "another schedule takes less (gene `shared`)"))
      << said;
}

TEST(SharedMemory, OfTheEmulationIsANumber) {
  setenv("PARAISO_EMULATED_SHARED", "much", 1);
  std::string said;
  try {
    (void)paraiso_cuda::chosen("emulated");
  } catch (const std::runtime_error& error) {
    said = error.what();
  }
  unsetenv("PARAISO_EMULATED_SHARED");
  EXPECT_EQ(said,
            "device `emulated` can't be used: $PARAISO_EMULATED_SHARED is a number of bytes, not "
            "`much`");
}

}  // namespace
}  // namespace paraiso
