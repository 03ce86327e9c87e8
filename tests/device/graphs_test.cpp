// Calls of a kernel that come again are told to the driver as one graph: what runs, and in which
// order, is the same with graphs, without them, and where the driver refuses them.
#include <gtest/gtest.h>

#include <algorithm>

#include "apps/apps.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/runtime/backend/backend.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/runtime/run/run.hpp"
#include "paraiso/support/device/cuda_driver.hpp"
#include "tests/device/backends.hpp"
#include "tests/device/emulated.hpp"

namespace paraiso {
namespace {

using paraiso_cuda::CudaDriver;
using paraiso_cuda::Kernel;
using paraiso_cuda::Launch;
using paraiso_cuda::LaunchQueue;
using paraiso_cuda::Memory;
using paraiso_support::calls_of_graph;
using Number = std::uint64_t;

// In another order the number is another one.
constexpr const char* kNote = R"(
extern "C" __global__ void note(unsigned long long* to, const unsigned long long* from, int what) {
  to[0] = from[0] * 31 + what;
}
)";
Number noted(Number before, int what) { return before * 31 + static_cast<Number>(what); }

class Graphs : public testing::Test {
 protected:
  EmulatedSource source{kNote, {}, {"note"}};
  paraiso_cuda::Device device = emulated_device();
  paraiso_cuda::Program program = source.load(device);
  Kernel note{program, "note"};

  Memory number(Number first = 0) const {
    Memory made(device, sizeof first);
    made.upload(&first, sizeof first);
    return made;
  }
  static Number look(const Memory& memory) {
    Number value = 0;
    memory.download(&value, sizeof value);
    return value;
  }
  /// One call, of two launches.
  void call(Memory& cell, int what, bool collects = true) {
    device.begin_call(collects);
    note.launch({1, 1, 1}, {1, 1, 1}, cell, cell, what);
    note.launch({1, 1, 1}, {1, 1, 1}, cell, cell, 2 * what);
    device.end_call();
  }
  static Number called(Number before, int what) { return noted(noted(before, what), 2 * what); }
};

TEST_F(Graphs, ReplayWhatWasLaunchedTwice) {
  Memory cell = number();
  Number expected = 0;
  for (int i = 0; i < 5 * calls_of_graph + 7; ++i) {
    call(cell, 3);
    expected = called(expected, 3);
  }
  EXPECT_EQ(device.graphs(), 4);  // the first time the calls are only remembered
  EXPECT_EQ(look(cell), expected);
}

TEST_F(Graphs, AreOnlyOfWhatIsWorthOne) {
  Memory cell = number();
  for (int i = 0; i < 5 * calls_of_graph; ++i) call(cell, 3, false);
  EXPECT_EQ(device.graphs(), 0);
}

TEST_F(Graphs, WhoLooksSeesWhatWasCollected) {
  Memory cell = number();
  Number expected = 0;
  for (int i = 0; i < 4 * calls_of_graph; ++i) {
    call(cell, i % 5);
    expected = called(expected, i % 5);
    if (i % 7 == 0) {
      EXPECT_EQ(look(cell), expected) << i;
    }
  }
  note.launch({1, 1, 1}, {1, 1, 1}, cell, cell, 9);  // outside of all calls
  EXPECT_EQ(look(cell), noted(expected, 9));
}

TEST_F(Graphs, ArraysMayTradePlaces) {
  for (const std::size_t arrays : {2, 3, 5}) {
    std::vector<Memory> cells;
    for (std::size_t a = 0; a < arrays; ++a) cells.push_back(number(a));
    Number expected = 0;
    const std::int64_t before = device.graphs();
    for (int i = 0; i < 15 * calls_of_graph; ++i) {
      device.begin_call(true);
      note.launch({1, 1, 1}, {1, 1, 1}, cells[1], cells[0], 5);
      std::rotate(cells.begin(), cells.begin() + 1, cells.end());
      device.end_call();
      expected = noted(expected, 5);
    }
    EXPECT_EQ(look(cells[0]), expected) << arrays;
    EXPECT_GT(device.graphs(), before + 5) << arrays;
  }
}

TEST_F(Graphs, ArgumentsThatAlwaysChangeHaveNone) {
  Memory cell = number();
  Number expected = 0;
  for (int i = 0; i < 20 * calls_of_graph; ++i) {
    call(cell, i);
    expected = called(expected, i);
  }
  for (int i = 0; i < 5 * calls_of_graph; ++i) {  // it is not tried again
    call(cell, 1);
    expected = called(expected, 1);
  }
  EXPECT_EQ(look(cell), expected);
  EXPECT_EQ(device.graphs(), 0);
}

TEST_F(Graphs, OneValueThatChangesOnceIsNotReplayed) {
  Memory cell = number();
  Number expected = 0;
  for (int i = 0; i < 10 * calls_of_graph; ++i) {
    const int what = i == 77 ? 8 : 7;
    call(cell, what);
    expected = called(expected, what);
  }
  EXPECT_EQ(look(cell), expected);
  EXPECT_EQ(device.graphs(), 8);
}

TEST_F(Graphs, AreSwitchedOffByTheEnvironment) {
  setenv("PARAISO_GRAPHS", "0", 1);
  device = emulated_device();
  unsetenv("PARAISO_GRAPHS");
  program = source.load(device);
  note = Kernel(program, "note");
  Memory cell = number();
  Number expected = 0;
  for (int i = 0; i < 3 * calls_of_graph; ++i) {
    call(cell, 3);
    expected = called(expected, 3);
  }
  EXPECT_EQ(look(cell), expected);
  EXPECT_EQ(device.graphs(), 0);
}

// --- a driver that can't, and one that fails ---

/// Counts what is launched, one by one and in graphs.
struct Told {
  static inline int launches = 0, complaints = 0;
};

/// Tells a driver of many calls, and gives how many launches it was told of one by one.
int launched_alone(const CudaDriver& driver) {
  Told::launches = Told::complaints = 0;
  LaunchQueue queue(driver, [](const Launch& launch, int status) {
    EXPECT_EQ(launch.kernel, "k");
    if (status != 0) ++Told::complaints;
  });
  Launch launch;
  launch.kernel = "k";
  for (int i = 0; i < 3 * calls_of_graph; ++i) {
    queue.begin_call(true);
    queue.add(launch);
    queue.end_call();
  }
  queue.flush();
  return Told::launches;
}

int launch_counted(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void* stream, void**, void**) {
  if (!stream) ++Told::launches;
  return 0;
}

CudaDriver counting_driver() {
  static int token;
  CudaDriver driver = paraiso_cuda::emulated_cuda_driver();
  driver.LaunchKernel = launch_counted;
  driver.StreamCreate = [](void** made, unsigned) { return *made = &token, 0; };
  driver.StreamEndCapture = [](void*, void** made) { return *made = &token, 0; };
  driver.GraphInstantiateWithFlags = [](void** made, void*, std::uint64_t) {
    return *made = &token, 0;
  };
  driver.GraphLaunch = [](void*, void*) { return 0; };
  driver.StreamDestroy_v2 = driver.GraphDestroy = driver.GraphExecDestroy = [](void*) { return 0; };
  return driver;
}

TEST(LaunchQueue, LaunchesAloneWhatADriverHasNoGraphsFor) {
  constexpr int all = 3 * calls_of_graph;
  EXPECT_EQ(launched_alone(counting_driver()), calls_of_graph);
  const auto without = [](auto&& change) {
    CudaDriver driver = counting_driver();
    change(driver);
    return launched_alone(driver);
  };
  EXPECT_EQ(without([](CudaDriver& d) { d.GraphLaunch = nullptr; }), all);
  EXPECT_EQ(without([](CudaDriver& d) { d.StreamEndCapture = nullptr; }), all);
  EXPECT_EQ(without([](CudaDriver& d) { d.StreamCreate = [](void**, unsigned) { return 801; }; }),
            all);
  EXPECT_EQ(
      without([](CudaDriver& d) { d.StreamBeginCapture_v2 = [](void*, int) { return 801; }; }),
      all);
  EXPECT_EQ(without([](CudaDriver& d) { d.StreamEndCapture = [](void*, void**) { return 901; }; }),
            all);
  EXPECT_EQ(without([](CudaDriver& d) {
              d.GraphInstantiateWithFlags = [](void**, void*, std::uint64_t) { return 2; };
            }),
            all);
  EXPECT_EQ(without([](CudaDriver& d) { d.GraphLaunch = [](void*, void*) { return 2; }; }), all);
  EXPECT_EQ(Told::complaints, 0);
}

TEST(LaunchQueue, TellsOfALaunchThatIsRefused) {
  CudaDriver driver = counting_driver();
  driver.LaunchKernel = [](void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                           unsigned, void*, void**, void**) { return 701; };
  launched_alone(driver);
  EXPECT_EQ(Told::complaints, 3 * calls_of_graph);
}

// --- solvers ---

struct Solver {
  const char* app;
  std::vector<std::int64_t> size;
};

std::unique_ptr<runtime::Instance> solver(const om::Machine& program,
                                          const std::vector<std::int64_t>& size) {
  setenv("PARAISO_DEVICE", "emulated", 1);
  const runtime::Backend& cuda = *runtime::find_backend("cuda");
  return runtime::compile(cuda.make_plan(program, cuda.default_schedule(program, {})), test_build(),
                          cuda)
      .instance(size);
}

/// Its scalars are the host's (heat), or the device's.
TEST(GraphsOfSolvers, HaveTheSameBits) {
  for (const auto& [name, size] : {Solver{"heat", {12, 9}}, {"life", {12, 9}}}) {
    const App& app = *std::ranges::find(apps::built_in(), name, &App::name);
    const om::Machine program = passes::prepare(
        app.build({2, app.precisions[0], app.problems[0].name}), passes::Numbers::fma);
    runtime::RunOptions options;
    options.progress = false;
    options.problem = app.problems[0].name;
    options.steps = 20 * calls_of_graph + 5;
    const auto one = solver(program, size), plain = runtime::interpreter_instance(program, size);
    setenv("PARAISO_GRAPHS", "0", 1);
    const auto other = solver(program, size);
    unsetenv("PARAISO_GRAPHS");
    for (runtime::Instance* each : {one.get(), other.get(), plain.get()})
      runtime::run(*each, options);
    EXPECT_EQ(runtime::save(*one).statics, runtime::save(*plain).statics) << name;
    EXPECT_EQ(runtime::save(*other).statics, runtime::save(*plain).statics) << name;
    EXPECT_GT(one->graph_launches(), 8) << name;
    EXPECT_EQ(other->graph_launches(), 0) << name;
  }
}

constexpr const char* kDriven = R"(paraiso 1
machine driven dimension 1
static u local f64
  boundary 0 cyclic cyclic
static strength global f64
kernel proceed step
  %u = load u
  %left = shift %u (1)
  %change = sub %left %u
  %s = load strength
  %here = broadcast %s
  %next = add %change %here
  store u %next
  %part = imm f64 0.999
  %kept = mul %s %part
  %one = imm f64 1
  %later = add %kept %one
  store strength %later
end
end machine
)";

/// Its kernel is given another number in each step, which lies in the device's memory.
TEST(GraphsOfSolvers, HaveScalarsThatChange) {
  const om::Machine program =
      passes::prepare(om::parse(kDriven, "driven.om"), passes::Numbers::fma);
  runtime::RunOptions options;
  options.progress = false;
  options.steps = 10 * calls_of_graph + 5;
  const auto one = solver(program, {12}), plain = runtime::interpreter_instance(program, {12});
  for (runtime::Instance* each : {one.get(), plain.get()}) runtime::run(*each, options);
  EXPECT_EQ(runtime::save(*one).statics, runtime::save(*plain).statics);
  EXPECT_GT(one->graph_launches(), 5);
}

}  // namespace
}  // namespace paraiso
