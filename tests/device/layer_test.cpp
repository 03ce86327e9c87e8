// OpenCL as generated solvers use it: what is copied, launched and told where something is wrong.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/device/opened.hpp"
#include "tests/support/complaint.hpp"

namespace paraiso {
namespace {

using test::complaint;

using paraiso_opencl::Device;
using paraiso_opencl::Kernel;
using paraiso_opencl::Memory;
using paraiso_opencl::Program;

constexpr const char* kAdd = R"(
typedef struct { long first; float factor; } Choice;
__kernel void add(__global float* cells, __global const float* more, Choice choice, int count) {
  const int i = (int)get_global_id(0);
  if (i >= choice.first && i < count) cells[i] += choice.factor * more[i];
}
)";

struct Choice {
  std::int64_t first;
  float factor;
};

const Device& device() { return *opened().device; }
const std::string& device_name() { return device().report().name; }

TEST(OpenClLayer, MemoryIsZeroAtFirst) {
  PARAISO_NEEDS_DEVICE();
  std::vector<int> cells(1000, 7);
  Memory(device(), 4000).download(cells.data(), 4000);
  EXPECT_EQ(cells, std::vector<int>(1000, 0));
}

TEST(OpenClLayer, CopiesAPartOfMemory) {
  PARAISO_NEEDS_DEVICE();
  Memory memory(device(), 40);
  const int there[] = {1, 2, 3};
  memory.upload(there, sizeof there, 8);
  int all[10];
  memory.download(all, sizeof all);
  EXPECT_EQ(std::vector<int>(all, all + 10), (std::vector<int>{0, 0, 1, 2, 3, 0, 0, 0, 0, 0}));
  int part[2];
  memory.download(part, sizeof part, 12);
  EXPECT_EQ(part[0], 2);
  EXPECT_EQ(part[1], 3);
}

TEST(OpenClLayer, LaunchesWholeBlocksInOrder) {
  PARAISO_NEEDS_DEVICE();
  const std::vector<float> ones(100, 1);
  Memory cells(device(), 400), more(device(), 400);
  more.upload(ones.data(), 400);
  const Program program(device(), "add", kAdd);
  Kernel add(program, "add");
  add.launch({99, 1, 1}, {32, 1, 1}, cells, more, Choice{2, 0.5F}, 99);
  add.launch({99, 1, 1}, {32, 1, 1}, cells, more, Choice{0, 2.0F}, 99);
  device().finish();
  std::vector<float> result(100);
  cells.download(result.data(), 400);
  std::vector<float> expected(100, 2.5F);
  expected[0] = expected[1] = 2;
  expected[99] = 0;
  EXPECT_EQ(result, expected);
}

// --- what is chosen ---

TEST(OpenClLayer, ChoosesADeviceByNumberOrName) {
  PARAISO_NEEDS_DEVICE();
  const auto all = paraiso_opencl::survey();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(Device("0").report().name, all[0].name);
  std::string part = all[0].name.substr(0, 5);
  std::transform(part.begin(), part.end(), part.begin(), ::toupper);
  EXPECT_EQ(Device(part).report().name, all[0].name);
  EXPECT_GT(all[0].memory_bytes, 0);
  EXPECT_GT(all[0].largest_bytes, 0);
  EXPECT_TRUE(all[0].fp64);
}

TEST(OpenClLayer, AsksTheEnvironment) {
  PARAISO_NEEDS_DEVICE();
  setenv("PARAISO_DEVICE", "no such", 1);
  const std::string told = complaint([] { Device(); });
  const std::string asked = complaint([] { Device("0"); });
  unsetenv("PARAISO_DEVICE");
  EXPECT_EQ(told.substr(0, 41), "no device `no such`: this machine has 0 `");
  EXPECT_EQ(asked, "nothing is wrong");
}

TEST(OpenClLayer, ProcessorsOfPoclPromiseBits) {
  PARAISO_NEEDS_DEVICE();
  if (device_name().find("pthread") != 0 && device_name().find("cpu") != 0)
    GTEST_SKIP() << "SKIP: no device of PoCL";
  EXPECT_EQ(device().report().problems, std::vector<std::string>{});
}

// --- what is wrong ---

TEST(OpenClLayer, TellsHowMuchMemoryIsNeeded) {
  PARAISO_NEEDS_DEVICE();
  const std::string told = complaint([] { device().require(5e15, 1); });
  EXPECT_TRUE(std::regex_match(
      told, std::regex("device `.*` is too small: it has [0-9.]+ [GM]B of memory, and 5e\\+03 TB "
                       "are needed")))
      << told;
  const double most = device().report().largest_bytes;
  const std::string of_one = complaint([&] { device().require(1, most * 2); });
  EXPECT_TRUE(std::regex_match(
      of_one, std::regex("device `.*` is too small: an array there has at most [0-9.]+ [GM]B, and "
                         "[0-9.]+ [GM]B are needed")))
      << of_one;
}

TEST(OpenClLayer, ShowsTheLogOfABuildAndKeepsTheSource) {
  PARAISO_NEEDS_DEVICE();
  const std::string source = "__kernel void f(__global float* x) { *x = undeclared; }\n";
  const std::string told = complaint([&] { Program(device(), "broken", source); });
  std::smatch found;
  ASSERT_TRUE(std::regex_search(told, found, std::regex("its source is `([^`]*)`\n"))) << told;
  EXPECT_EQ(told.find("OpenCL can't build `broken` for device `" + device_name() + "`; its source"),
            0u)
      << told;
  EXPECT_NE(told.find("undeclared"), told.npos) << told;
  std::ifstream file(found[1]);
  std::stringstream kept;
  kept << file.rdbuf();
  EXPECT_EQ(kept.str(), source);
  std::filesystem::remove(found[1].str());
}

TEST(OpenClLayer, NamesTheKernelThatIsNotThere) {
  PARAISO_NEEDS_DEVICE();
  const Program program(device(), "add", kAdd);
  EXPECT_EQ(complaint([&] { Kernel(program, "subtract"); }),
            "OpenCL has no kernel `subtract` for device `" + device_name() + "`: error -46");
}

TEST(OpenClLayer, NamesTheKernelThatCannotRun) {
  PARAISO_NEEDS_DEVICE();
  const Program program(device(), "add", kAdd);
  Kernel add(program, "add");
  Memory cells(device(), 400);
  EXPECT_EQ(complaint([&] {
              add.launch({1 << 24, 1, 1}, {1 << 24, 1, 1}, cells, cells, Choice{0, 1}, 0);
            }),
            "OpenCL can't run kernel `add` on device `" + device_name() +
                "` in blocks of 16777216 x 1 x 1: error -54");
}

TEST(OpenClLayer, NamesTheArgumentThatDoesNotFit) {
  PARAISO_NEEDS_DEVICE();
  const Program program(device(), "add", kAdd);
  Kernel add(program, "add");
  EXPECT_EQ(complaint([&] {
              add.launch({1, 1, 1}, {1, 1, 1}, 'a');
            }).substr(0, 48),
            "OpenCL refuses argument 0 of kernel `add`: error");
}

}  // namespace
}  // namespace paraiso
