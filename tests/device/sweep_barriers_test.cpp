// Each barrier of a sweep is needed: without any one of them the bits are wrong, or shared memory
// is read before it is written, in some order of the threads.
#include <gtest/gtest.h>

#include <functional>

#include "paraiso/codegen/device/dialect.hpp"
#include "paraiso/codegen/device/host/generate_device.hpp"
#include "paraiso/verify/verify_backend.hpp"
#include "tests/device/emulated.hpp"
#include "tests/device/mixtures.hpp"
#include "tests/device/sweeps.hpp"

namespace paraiso {
namespace {

using codegen::SourceFile;

std::string barrier() { return std::string(codegen::find_dialect("cuda").barrier) + ";"; }

/// Of the kernels of sweeps: where the barrier number `number` is, if there are so many. Kernels of
/// reductions, which are the first ones, have a test of their own.
std::size_t place_of(const std::string& text, int number) {
  std::size_t at = text.find("_proceed_1(");
  for (int n = 0; n <= number && at != text.npos; ++n) at = text.find(barrier(), at + 1);
  return at;
}

/// For each call of the generator, the barrier that is to be left out; -1: none.
std::vector<int> left_out;
std::size_t calls = 0;

std::vector<SourceFile> leaves_out(const plan::Plan& plan,
                                   const codegen::GenerateOptions& options) {
  std::vector<SourceFile> files = codegen::generate_cuda(plan, options);
  const int number = left_out[calls++];
  for (SourceFile& file : files)
    if (file.name.ends_with(".cu") && number >= 0)
      file.text.erase(place_of(file.text, number), barrier().size());
  return files;
}

int barriers_of(const plan::Plan& plan) {
  for (const SourceFile& file : codegen::generate_cuda(plan, {}))
    if (file.name.ends_with(".cu"))
      for (int number = 0;; ++number)
        if (place_of(file.text, number) == std::string::npos) return number;
  return 0;
}

/// Whether a library has the interpreter's bits, in all orders of threads.
bool right_in_all_orders(const runtime::Library& library, const passes::Fusion& fusion) {
  verify::VerifyOptions options;
  options.problems = {"ramp"};
  options.steps = 2;
  options.fusion = fusion;
  options.sizes = {{70, 9, 6}};
  for (const char* order : {"ascending", "descending", "random:1", "random:2"}) {
    const SetOrder set(order);
    if (verify::verify_library(library, options)) return false;
  }
  return true;
}

/// A plan, made once for each library, and the steps that its kernels fuse.
struct Swept {
  std::function<plan::Plan()> make;
  passes::Fusion fusion;
};

std::vector<Swept> swept_programs(const runtime::Backend& cuda) {
  constexpr struct {
    int length, block_x, block_y;
    const char *extra_barrier = "off", *stage = "off";
  } kSweeps[] = {{2, 32, 8},
                 {2, 64, 4},
                 {4, 32, 8},
                 {4, 32, 4},
                 {4, 64, 4},
                 {3, 32, 8, "on"},
                 {2, 32, 8, "off", "on"}};
  std::vector<Swept> all;
  for (const auto& sweep : kSweeps)
    all.push_back({[sweep, &cuda] {
                     const om::Machine program = chain(sweep.length);
                     plan::Schedule schedule = swept(program, cuda, sweep.block_x, sweep.block_y);
                     schedule.choices["proceed/extra_barrier"] = sweep.extra_barrier;
                     schedule.choices["proceed/stage"] = sweep.stage;
                     return cuda.make_plan(program, schedule);
                   },
                   {}});
  const Mixture kept{{kOut, kTurn, kMixed}, 1, 2};  // a state whose ghost cells blocks fill
  all.push_back({[kept, &cuda] { return planned(kept, cuda).plan; }, planned(kept, cuda).fusion});
  return all;
}

TEST(SweepBarriers, AreAllNeeded) {
  setenv("PARAISO_DEVICE", "emulated", 1);
  const runtime::Backend& cuda = *runtime::find_backend("cuda");
  std::vector<plan::Plan> plans;
  std::vector<passes::Fusion> fusions;
  left_out.clear();
  calls = 0;
  for (const Swept& program : swept_programs(cuda)) {
    const int barriers = barriers_of(program.make());
    EXPECT_GE(barriers, 1);
    for (int number = -1; number < barriers; ++number) {
      left_out.push_back(number);
      plans.push_back(program.make());
      fusions.push_back(program.fusion);
    }
  }
  runtime::CompileOptions options;
  options.optimization = "-O0";
  options.cache = PARAISO_BINARY_DIR "/test_cache";
  const auto libraries =
      runtime::compile_together(plans, leaves_out, options, runtime::emulation());
  for (std::size_t l = 0; l < libraries.size(); ++l)
    EXPECT_EQ(right_in_all_orders(libraries[l], fusions[l]), left_out[l] < 0)
        << "program " << l << " without barrier " << left_out[l];
}

}  // namespace
}  // namespace paraiso
