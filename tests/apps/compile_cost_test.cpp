// What the largest solver costs a reader and a compiler: lines of its own source, lines of source
// generated from it and processor time beside another source's, under the default schedule.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>

#include "apps/hydro/hydro.hpp"
#include "paraiso/base/error.hpp"
#include "paraiso/codegen/cpu/openmp.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/build/compile.hpp"
#include "paraiso/runtime/build/toolchain.hpp"
#include "paraiso/runtime/process/process.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/target.hpp"
#include "tests/runtime/support.hpp"
#include "tests/support/compiled.hpp"

namespace paraiso {
namespace {

/// Of a file of apps/hydro, blank ones and comments included.
std::ptrdiff_t lines_of(const std::string& name) {
  return std::ranges::count(runtime::read_file(PARAISO_SOURCE_DIR "/apps/hydro/" + name), '\n');
}

/// As its README says; Muranushi (2012), section 4.1, needed just under 500.
TEST(SourceLines, OfHydroAreFew) {
  const auto solver = lines_of("hydro.cpp") + lines_of("flow.hpp") + lines_of("hydro.hpp");
  const auto problems = lines_of("open_flows.hpp") + lines_of("plane_flows.hpp");
  EXPECT_GT(solver, 100);
  EXPECT_LT(solver, 250);
  EXPECT_GT(problems, 100);
  EXPECT_LT(problems, 250);
}

struct Limits {
  int dimension;
  std::ptrdiff_t lines;
  double yardsticks;  // of processor time
  const char* compiler = "g++";
};

void PrintTo(const Limits& limits, std::ostream* out) {
  *out << limits.dimension << "_" << (limits.compiler[0] == 'g' ? "gcc" : "clang");
}

/// Of processor time, in all programs that this one started and that have ended: another one beside
/// them does not count.
double seconds_of_children() {
  rusage use;
  getrusage(RUSAGE_CHILDREN, &use);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

/// Of the same compiler, for a source that knows nothing of Paraiso: how fast this machine is now.
double seconds_of_yardstick(const std::string& compiler) {
  const test::Folder folder;
  const auto source = folder.path() / "yardstick.cpp";
  runtime::write_file(source, R"source(#include <map>
#include <regex>
#include <string>
bool find(const std::string& text, std::map<std::string, int>& counts) {
  std::smatch match;
  const bool found = std::regex_search(text, match, std::regex("([a-z]+)-([0-9]+)"));
  if (found) ++counts[match[1]];
  return found;
}
)source");
  const double before = seconds_of_children();
  const auto path = runtime::find_program(compiler);
  if (!path) throw Error(compiler + " is not there");
  const auto result =
      runtime::run_program({path->string(), "-std=c++20", "-O2", "-c", source.string(), "-o",
                            (folder.path() / "yardstick.o").string()});
  EXPECT_EQ(result.status, 0) << result.output;
  return seconds_of_children() - before;
}

bool has_sanitizers(const std::vector<std::string>& flags) {
  return std::ranges::any_of(flags,
                             [](const auto& flag) { return flag.starts_with("-fsanitize="); });
}

class CompileCost : public testing::TestWithParam<Limits> {
 protected:
  const om::Machine program = passes::prepare(
      apps::hydro().build({GetParam().dimension, om::Element::f64, "jet"}), passes::Numbers::fma);
  const plan::Schedule schedule = plan::default_schedule(program);
};

TEST_P(CompileCost, HydroIsGeneratedInFewLines) {
  std::ptrdiff_t lines = 0;
  for (const auto& file : codegen::generate_openmp(plan::plan_program(program, schedule)))
    if (file.name.starts_with("hydro.")) lines += std::ranges::count(file.text, '\n');
  EXPECT_GT(lines, 100);
  EXPECT_LT(lines, GetParam().lines);
}

TEST_P(CompileCost, HydroCompilesInLittleTime) {
  runtime::CompileOptions usual;
  usual.compiler = GetParam().compiler;
  if (has_sanitizers(runtime::kernel_flags(runtime::find_toolchain(usual.compiler),
                                           usual.optimization, runtime::find_target(usual.target))))
    GTEST_SKIP() << "sanitizers take more time";
  const double yardstick = seconds_of_yardstick(usual.compiler);
  EXPECT_GT(yardstick, 0.1);
  const test::Folder cache;
  runtime::CompileOptions options = usual;
  options.cache = cache.path();
  const double before = seconds_of_children();
  const auto library = runtime::compile(plan::plan_program(program, schedule), options);
  const double seconds = seconds_of_children() - before;
  EXPECT_GT(library.compile_seconds(), 0);  // not from a cache
  EXPECT_GT(seconds, 0.1);
  EXPECT_LT(seconds, GetParam().yardsticks * yardstick)
      << seconds << " s, where the yardstick takes " << yardstick << " s";
  RecordProperty("seconds", std::to_string(seconds));
  RecordProperty("yardstick", std::to_string(yardstick));
}

INSTANTIATE_TEST_SUITE_P(Dimensions, CompileCost,
                         testing::Values(Limits{2, 3000, 2.5}, Limits{3, 6000, 2.5},
                                         Limits{3, 6000, 2.5, "clang++"}),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace paraiso
