// What generated code compares with thresholds is what the plan says that it does.
#include "paraiso/plan/dispatch/measure.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "machines.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/choices/set_dispatch.hpp"
#include "paraiso/plan/schedule/cpu_options.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/runtime/backend/backend.hpp"
#include "support.hpp"

namespace paraiso::runtime {
namespace {

using plan::Measure;
using test::Environment;
using Size = std::vector<std::int64_t>;

constexpr int kThreads = 3;

/// A row is one cell: nothing is read across rows.
om::Machine line() { return passes::prepare(test::counter(), passes::Numbers::fma); }
om::Machine plane() { return passes::prepare(test::drift<double>(), passes::Numbers::fma); }

/// Two fields of different elements, of which three planes are read at a time.
om::Machine space() {
  return passes::prepare(
      om::parse(
          "paraiso 1\nmachine space dimension 3\nstatic f local f32\n"
          "  boundary 0 cyclic cyclic\n  boundary 1 cyclic cyclic\n  boundary 2 cyclic cyclic\n"
          "static n local i64\n"
          "  boundary 0 cyclic cyclic\n  boundary 1 cyclic cyclic\n  boundary 2 cyclic cyclic\n"
          "kernel begin initial\n  %0 = load_index 0\n  %1 = cast %0 f32\n  store f %1\n"
          "  store n %0\nend\n"
          "kernel proceed step\n  %0 = load f\n  %1 = shift %0 (0, 0, 1)\n"
          "  %2 = shift %0 (0, 0, -1)\n  %3 = add %1 %2\n  store f %3\nend\nend machine\n",
          "space.om"),
      passes::Numbers::fma);
}

/// A version for each measure, whose loops have tiles of the given lengths.
plan::Plan versions(const om::Machine& bare, const Backend& backend,
                    const std::vector<Measure>& measures, const std::vector<std::string>& tile) {
  std::vector<plan::GuardedName> guards;
  for (const Measure measure : measures) guards.push_back({plan::name(measure), measure, 7});
  const plan::Dispatch dispatch =
      plan::make_dispatch(bare, bare.step_kernel()->name, "base", guards);
  const om::Machine program = plan::add_versions(bare, dispatch);
  plan::Schedule schedule;
  for (const plan::Gene& gene : plan::genes(program, backend.options))
    for (std::size_t a = 0; a < tile.size(); ++a)
      if (gene.name.ends_with("/tile_" + std::string(1, "xyz"[a])))
        schedule.choices[gene.name] = tile[a];
  plan::Plan plan = backend.make_plan(program, schedule);
  plan::set_dispatch(plan, dispatch);
  return plan;
}

std::string text_of(const plan::Plan& plan, const Size& size, int threads) {
  std::string text;
  for (const plan::Version& version : plan.dispatch->versions)
    text += fmt::format("Compared {} <= {}.\n", version.threshold,
                        plan::compared(*plan.dispatch, version,
                                       {size, threads, plan::cell_bytes_of(plan.machine)}));
  return text;
}

struct Measured {
  om::Machine (*program)();
  std::vector<std::string> tile;
  std::vector<Size> sizes;
};

const Measured kMeasured[] = {
    {line, {"4"}, {{1}, {7}, {1001}}},
    {line, {"threads"}, {{2}, {1001}}},
    {plane, {"8", "threads"}, {{1, 1}, {33, 17}, {2, 301}}},
    {plane, {"all", "4"}, {{33, 17}, {301, 2}}},
    {space, {"32", "4", "1"}, {{1, 1, 1}, {33, 17, 5}, {5, 3, 41}}},
    {space, {"all", "threads", "all"}, {{33, 17, 5}, {5, 2, 41}}},
};

/// All in one run of the compiler.
void expect_equal_plans(const Backend& backend, const std::vector<std::vector<Measure>>& lists,
                        int threads) {
  std::vector<plan::Plan> plans;
  for (const Measured& one : kMeasured)
    for (const std::vector<Measure>& list : lists)
      plans.push_back(versions(one.program(), backend, list, one.tile));
  CompileOptions options;
  options.compiler = "g++";
  options.optimization = "-O0";
  options.threads = kThreads;
  const auto libraries = backend.compile(plans, options);
  for (std::size_t p = 0; p < plans.size(); ++p)
    for (const Size& size : kMeasured[p / lists.size()].sizes) {
      const std::string compared = libraries[p].instance(size)->comparisons();
      EXPECT_EQ(compared.substr(0, compared.find("Compared " + plans[p].machine.name + ".least_")),
                text_of(plans[p], size, threads));
    }
}

TEST(MeasuresOfCode, AreThoseOfThePlan) {
  expect_equal_plans(default_backend(),
                     {{Measure::cells, Measure::cells_per_thread, Measure::tiles_per_thread},
                      {Measure::state_bytes, Measure::row_bytes},
                      {Measure::plane_bytes, Measure::live_bytes}},
                     kThreads);
}

/// Tiles of threads are for processors.
TEST(MeasuresOfCode, AreThoseOfThePlanOnDevices) {
  const Environment emulated("PARAISO_DEVICE", "emulated");
  expect_equal_plans(*find_backend("cuda"),
                     {{Measure::cells, Measure::cells_per_thread, Measure::state_bytes},
                      {Measure::row_bytes, Measure::plane_bytes, Measure::live_bytes}},
                     1);
}

/// So that the test above compares something.
TEST(MeasuresOfCode, AreOfTilesOfAllKinds) {
  std::set<std::int64_t> lengths;
  for (const Measured& one : kMeasured) {
    const plan::Plan plan =
        versions(one.program(), default_backend(), {Measure::tiles_per_thread}, one.tile);
    const std::vector<std::int64_t>& tile = plan.dispatch->versions[0].tile;
    lengths.insert(tile.begin(), tile.end());
  }
  EXPECT_TRUE(lengths.contains(-1) && lengths.contains(0) && *lengths.rbegin() > 1);
}

}  // namespace
}  // namespace paraiso::runtime
