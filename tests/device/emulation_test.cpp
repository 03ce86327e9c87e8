// The device `emulated`: CUDA's words mean what they mean on a card, and what a card might hide is
// found: the order of threads, what shared memory held before, cells that are not there.
#include <gtest/gtest.h>

#include <numeric>

#include "tests/device/emulated.hpp"
#include "tests/support/complaint.hpp"

namespace paraiso {
namespace {

using test::complaint;

using paraiso_cuda::Kernel;
using paraiso_cuda::Memory;

constexpr const char* kOrders[] = {"ascending", "descending", "random", "random:5", "turns"};

std::vector<int> ints_of(const Memory& memory) {
  std::vector<int> values(memory.bytes() / sizeof(int));
  memory.download(values.data(), memory.bytes());
  return values;
}

constexpr const char* kPlaces = R"(
typedef struct { long long first; float factor; } Choice;
extern "C" __global__ void places(int* all, Choice choice, unsigned char more) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
  const unsigned columns = gridDim.x * blockDim.x, rows = gridDim.y * blockDim.y;
  all[(z * rows + y) * columns + x] += (int)(choice.first + more + x + 10 * y + 100 * z + choice.factor);
}
)";

struct Choice {
  std::int64_t first;
  float factor;
};

TEST(Emulation, EachThreadRunsOnceAtItsPlaceInAnyOrder) {
  const EmulatedSource source(kPlaces, {}, {"places"});
  std::vector<int> expected;
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 6; ++y)
      for (int x = 0; x < 8; ++x) expected.push_back(1000 + 3 + x + 10 * y + 100 * z + 2);
  for (const char* order : kOrders) {
    const SetOrder set(order);
    const auto device = emulated_device();
    const auto program = source.load(device);
    Memory memory(device, expected.size() * sizeof(int));
    Kernel(program, "places")
        .launch({7, 5, 4}, {4, 3, 2}, memory, Choice{1000, 2.5F}, static_cast<std::uint8_t>(3));
    EXPECT_EQ(ints_of(memory), expected) << order;
  }
}

/// Turns the items of each block around; `BARRIER` is between writing and reading.
std::string reversing(const std::string& barrier) {
  return "extern \"C\" __global__ void reverse(const int* from, int* to) {\n"
         "  __shared__ int items[64];\n"
         "  const int thread = (int)threadIdx.x, all = (int)blockDim.x;\n"
         "  const int place = (int)blockIdx.x * all;\n"
         "  items[thread] = from[place + thread];\n  " +
         barrier + "\n  to[place + thread] = items[all - 1 - thread];\n}\n";
}

std::vector<int> reversed(const EmulatedSource& source, const std::string& order) {
  const SetOrder set(order);
  const auto device = emulated_device();
  const auto program = source.load(device);
  Memory from(device, 400), to(device, 400);
  std::vector<int> values(100);
  std::iota(values.begin(), values.end(), 1);
  from.upload(values.data(), 400);
  Kernel(program, "reverse").launch({100, 1, 1}, {50, 1, 1}, from, to);
  return ints_of(to);
}

TEST(Emulation, BarriersLetAllThreadsOfABlockComeUp) {
  const EmulatedSource source(reversing("__syncthreads();"), {"reverse"});
  std::vector<int> expected;
  for (const int first : {50, 100})
    for (int i = 0; i < 50; ++i) expected.push_back(first - i);
  for (const char* order : kOrders) EXPECT_EQ(reversed(source, order), expected) << order;
}

/// Also in its very first block: shared memory has all bits set.
TEST(Emulation, AMissingBarrierShowsInEachOrder) {
  const EmulatedSource source(reversing(""), {"reverse"});
  for (const char* order : kOrders) {
    const auto values = reversed(source, order);
    EXPECT_GT(std::count(values.begin(), values.end(), -1), 30) << order;
  }
}

TEST(Emulation, ABarrierThatSomeThreadsLeaveOutIsAnError) {
  const EmulatedSource source(reversing("if (thread < 7) __syncthreads();"), {"reverse"});
  EXPECT_EQ(complaint([&] { (void)reversed(source, "descending"); }),
            "CUDA can't run kernel `reverse` on device `emulated` in blocks of 50 x 1 x 1: error "
            "719 (kernel `reverse` has a barrier that not all threads of a block reach: thread 0 "
            "waits at that of line 9, thread 7 has ended, in block (1, 0, 0), in descending order, "
            "seed 1)");
}

TEST(Emulation, DifferentBarriersAreAnError) {
  const EmulatedSource source(
      reversing("if (thread < 7)\n__syncthreads();\nelse\n__syncthreads();"), {"reverse"});
  EXPECT_EQ(complaint([&] { (void)reversed(source, "ascending"); }),
            "CUDA can't run kernel `reverse` on device `emulated` in blocks of 50 x 1 x 1: error "
            "719 (kernel `reverse` has a barrier that not all threads of a block reach: thread 0 "
            "waits at that of line 10, thread 7 at that of line 12, in block (0, 0, 0), in "
            "ascending order, seed 1)");
}

TEST(Emulation, ABarrierThatIsNotAnnouncedIsAnError) {
  const EmulatedSource source(reversing("__syncthreads();"), {}, {"reverse"});
  EXPECT_NE(complaint([&] {
              (void)reversed(source, "random:9");
            }).find("(kernel `reverse` has a barrier, and is taken for one without, in block ("),
            std::string::npos);
}

TEST(Emulation, WhatIsBeyondAnArrayIsAnError) {
  const EmulatedSource source(
      "extern \"C\" __global__ void beyond(int* cells, int place) {\n"
      "  if (threadIdx.x == 3) cells[place] = 1;\n}\n",
      {}, {"beyond"});
  const auto device = emulated_device();
  const auto program = source.load(device);
  const auto touching = [&](int place) {
    std::vector<std::string> told;
    for (int trial = 0; trial < 20; ++trial) {
      Memory memory(device, 400);
      told.push_back(complaint([&] {
        Kernel(program, "beyond").launch({4, 1, 1}, {4, 1, 1}, memory, place);
      }));
    }
    return told;
  };
  for (const std::string& told : touching(99)) EXPECT_EQ(told, "nothing is wrong");
  // One in two arrays ends, or begins, where nobody may read on.
  for (const auto& [place, byte] : {std::pair(100, "byte 400"), {-1, "byte -4"}}) {
    const auto all = touching(place);
    const auto told = std::find_if(all.begin(), all.end(),
                                   [](const auto& text) { return text != "nothing is wrong"; });
    ASSERT_NE(told, all.end());
    EXPECT_NE(told->find(std::string("error 700 (kernel `beyond` touches ") + byte +
                         " of an array of 400 bytes, in thread (3, 0, 0), in block (0, 0, 0)"),
              told->npos)
        << *told;
  }
}

TEST(Emulation, TellsWhichOrdersThereAre) {
  for (const char* wrong : {"sideways", "random:", "random:x", ""}) {
    const SetOrder set(wrong);
    EXPECT_EQ(complaint([] { (void)emulated_device(); }),
              "CUDA does not start: error 1 ($PARAISO_EMULATION is `turns`, `ascending`, "
              "`descending` or `random`, and maybe `:` and a seed)")
        << wrong;
  }
}

TEST(Emulation, RefusesWhatACardRefuses) {
  const EmulatedSource source(kPlaces, {}, {"places"});
  const auto device = emulated_device();
  const auto program = source.load(device);
  Memory memory(device, 4);
  EXPECT_EQ(complaint([&] {
              Kernel(program, "places")
                  .launch({2048, 1, 1}, {2048, 1, 1}, memory, Choice{}, std::uint8_t{0});
            }),
            "CUDA can't run kernel `places` on device `emulated` in blocks of 2048 x 1 x 1: error "
            "1 (a card would refuse the shape of the launch)");
  EXPECT_EQ(complaint([&] { Kernel(program, "faces"); }),
            "CUDA has no kernel `faces` for device `emulated`: error 500 (there is none of that "
            "name)");
  EXPECT_EQ(complaint([&] {
              (void)paraiso_cuda::Program(device, "heat", {"", nullptr});
            }),
            "`heat` was compiled for a graphics card, and not for the device `emulated`");
}

TEST(Emulation, CopiesParts) {
  const auto device = emulated_device();
  Memory memory(device, 40);
  const int there[] = {1, 2, 3};
  memory.upload(there, sizeof there, 8);
  EXPECT_EQ(ints_of(memory), (std::vector<int>{0, 0, 1, 2, 3, 0, 0, 0, 0, 0}));
  int part[2];
  memory.download(part, sizeof part, 12);
  EXPECT_EQ(part[0], 2);
  EXPECT_EQ(part[1], 3);
}

}  // namespace
}  // namespace paraiso
