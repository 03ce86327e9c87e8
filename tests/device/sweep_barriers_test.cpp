// Each barrier of a sweep is needed, and each of an app's default schedule: without any one of them
// the bits are wrong, or shared memory is read before it is written, in some order of the threads.
// PARAISO_CASES sets how many apps (2).
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <span>

#include "apps/apps.hpp"
#include "paraiso/codegen/device/dialect.hpp"
#include "paraiso/codegen/device/host/generate_device.hpp"
#include "paraiso/verify/verify_backend.hpp"
#include "tests/device/emulated.hpp"
#include "tests/device/mixtures.hpp"
#include "tests/device/sweeps.hpp"
#include "tests/support/setting.hpp"

namespace paraiso {
namespace {

using codegen::SourceFile;

std::string barrier() { return std::string(codegen::find_dialect("cuda").barrier) + ";"; }

/// Of the kernels of steps: where the barrier number `number` is, if there are so many. Kernels of
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

/// A plan, made once for each library, the steps that its kernels fuse, and what they begin with.
struct Swept {
  std::function<plan::Plan()> make;
  passes::Fusion fusion;
  std::string problem = "ramp";
  std::vector<std::int64_t> size = {70, 9, 6};
};

/// Whether a library has the interpreter's bits, in all orders of threads.
bool right_in_all_orders(const runtime::Library& library, const Swept& program) {
  verify::VerifyOptions options;
  options.problems = {program.problem};
  options.steps = 2 * program.fusion.steps;
  options.fusion = program.fusion;
  options.sizes = {program.size};
  for (const char* order : {"ascending", "descending", "random:1", "random:2"}) {
    const SetOrder set(order);
    if (verify::verify_library(library, options)) return false;
  }
  return true;
}

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

/// The default schedules of apps whose step kernels have barriers.
std::vector<Swept> swept_apps(const runtime::Backend& cuda) {
  constexpr struct {
    const char* app;
    int dimension, steps;
    const char* problem;  // in which all threads of a block have something
    std::int64_t width = 70;
  } kApps[] = {{"life", 2, 4, "random", 270}, {"heat", 3, 2, "decay"}, {"hydro", 2, 1, "jet"}};
  const auto count = static_cast<std::size_t>(test::setting("PARAISO_CASES", 2));
  std::vector<Swept> all;
  for (const auto& one : std::span(kApps).first(std::min(count, std::size(kApps)))) {
    const App& app = *std::ranges::find(apps::built_in(), one.app, &App::name);
    const om::Machine built = app.build({one.dimension, app.precisions[0], one.problem});
    const passes::Fused fused =
        passes::fuse(passes::prepare(built, passes::Numbers::fma), one.steps);
    Swept program{[fused, &cuda] {
                    return cuda.make_plan(fused.machine, cuda.default_schedule(fused.machine, {}));
                  },
                  fused.fusion, one.problem};
    program.size[0] = one.width;
    program.size.resize(static_cast<std::size_t>(one.dimension));
    all.push_back(std::move(program));
  }
  return all;
}

/// Compiles each program whole and without each of its barriers, and expects the whole one alone to
/// have the bits.
void expect_all_needed(const std::vector<Swept>& programs) {
  setenv("PARAISO_DEVICE", "emulated", 1);
  std::vector<plan::Plan> plans;
  std::vector<const Swept*> swept;
  left_out.clear();
  calls = 0;
  for (const Swept& program : programs) {
    const int barriers = barriers_of(program.make());
    EXPECT_GE(barriers, 1);
    for (int number = -1; number < barriers; ++number) {
      left_out.push_back(number);
      plans.push_back(program.make());
      swept.push_back(&program);
    }
  }
  runtime::CompileOptions options;
  options.optimization = "-O0";
  options.cache = PARAISO_BINARY_DIR "/test-cache";
  const auto libraries =
      runtime::compile_together(plans, leaves_out, options, runtime::emulation());
  for (std::size_t l = 0; l < libraries.size(); ++l)
    EXPECT_EQ(right_in_all_orders(libraries[l], *swept[l]), left_out[l] < 0)
        << plans[l].machine.name << ", library " << l << ", without barrier " << left_out[l];
}

TEST(SweepBarriers, AreAllNeeded) {
  expect_all_needed(swept_programs(*runtime::find_backend("cuda")));
}

TEST(SweepBarriers, AreAllNeededInAppsAsTheyAreByDefault) {
  expect_all_needed(swept_apps(*runtime::find_backend("cuda")));
}

}  // namespace
}  // namespace paraiso
