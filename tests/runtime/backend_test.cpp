// The table of back ends: each row answers all that callers ask.
#include "paraiso/runtime/backend/backend.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"

namespace paraiso::runtime {
namespace {

om::Machine sum_of_neighbours() {
  return passes::prepare(
      om::parse(
          "paraiso 1\nmachine m dimension 2\nstatic a local f64\n"
          "  boundary 0 cyclic cyclic\n  boundary 1 cyclic cyclic\n"
          "kernel proceed step\n  %0: local f64 = load a\n"
          "  %1: local f64 = shift %0 (0, 1)\n  %2: local f64 = add %0 %1\n  store a %2\nend\n"
          "end machine\n",
          "m.om"),
      passes::Numbers::fma);
}

TEST(Backend, IsFoundByItsName) {
  EXPECT_EQ(find_backend(default_backend().name), &default_backend());
  EXPECT_EQ(find_backend("abacus"), nullptr);
  const auto names = backend_names();
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), backends().size());
}

TEST(Backend, SchedulesOfARowAreLegalAndOfItsOptions) {
  const om::Machine machine = sum_of_neighbours();
  for (const Backend& backend : backends()) {
    const auto genes = plan::genes(machine, backend.options);
    const plan::Schedule schedule = backend.default_schedule(machine, {});
    ASSERT_EQ(schedule.choices.size(), genes.size()) << backend.name;
    EXPECT_EQ(backend.make_plan(machine, schedule).schedule, schedule) << backend.name;
    const plan::Genome genome = plan::genome_of(genes, schedule);
    EXPECT_EQ(backend.canonical(machine, "proceed")(genome), genome) << backend.name;
  }
}

TEST(Backend, GeneratesAndPredictsWhatItPlans) {
  const om::Machine machine = sum_of_neighbours();
  for (const Backend& backend : backends()) {
    const plan::Plan plan = backend.make_plan(machine, {});
    EXPECT_GT(backend.generate(plan, {}).size(), 1u) << backend.name;
    EXPECT_GT(backend.predict(plan.machine, plan.kernels[0], plan::large_grid(2)).nanoseconds, 0)
        << backend.name;
    EXPECT_GE(fusion_depth(backend, machine, plan::Setting()), 1) << backend.name;
  }
}

/// The mean of a cell and its four neighbours.
om::Machine smoothing() {
  return passes::prepare(
      om::parse("paraiso 1\nmachine m dimension 2\nstatic a local f64\n"
                "  boundary 0 cyclic cyclic\n  boundary 1 cyclic cyclic\n"
                "kernel proceed step\n%0 = load a\n%1 = shift %0 (0, 1)\n%2 = shift %0 (0, -1)\n"
                "%3 = shift %0 (1, 0)\n%4 = shift %0 (-1, 0)\n%5 = add %1 %2\n%6 = add %3 %4\n"
                "%7 = add %5 %6\n%8 = add %0 %7\n%9 = imm f64 0.2\n%10 = broadcast %9\n"
                "%11 = mul %8 %10\nstore a %11\nend\nend machine\n",
                "m.om"),
      passes::Numbers::fma);
}

/// Where memory is slow and the grid large, more steps are fused than where either is not so.
TEST(Backend, FusesStepsForTheGridAndTheMachineAtHand) {
  const om::Machine machine = smoothing();
  const Backend& backend = default_backend();
  plan::Setting large = plan::large_grid(2);
  plan::Setting small = large, quick = large;
  small.size = {12, 9};
  quick.machine.memory_fetch = quick.machine.memory_all = 1e12;
  for (plan::CacheModel& cache : quick.machine.caches) cache.bytes_per_second = 1e12;
  EXPECT_GT(fusion_depth(backend, machine, large), 1);
  EXPECT_EQ(fusion_depth(backend, machine, small), 1);
  EXPECT_LT(fusion_depth(backend, machine, quick), fusion_depth(backend, machine, large));
}

/// What `show --plan` prints: a device has no tiles and no rows.
TEST(Backend, SaysInItsOwnWordsHowAGroupRuns) {
  const om::Machine machine = sum_of_neighbours();
  std::map<std::string, std::string> lines;
  for (const Backend& backend : backends()) {
    const plan::Plan plan = backend.make_plan(machine, {});
    const std::string text =
        plan::describe(plan, plan::large_grid(2), backend.predict, backend.loops);
    const auto group = text.find("  group 1 over ");
    ASSERT_NE(group, std::string::npos) << text;
    lines[backend.name] = text.substr(group, text.find('\n', group) - group);
  }
  EXPECT_EQ(lines["openmp"],
            "  group 1 over [0, N) x [0, N), tiled, tiles of all x a thread's cells");
  for (const char* device : {"opencl", "cuda", "hip"})
    EXPECT_EQ(lines[device], "  group 1 over [0, N) x [0, N), a thread a cell, in blocks of 64x4");
}

TEST(Backend, ThePreferredToolchainIsTheFirst) {
  const auto names = usable_toolchains(default_backend());
  ASSERT_FALSE(names.empty());
  for (const std::string& preferred : names) {
    auto ordered = usable_toolchains(default_backend(), preferred);
    EXPECT_EQ(ordered.front(), preferred);
    std::ranges::sort(ordered);
    auto all = names;
    std::ranges::sort(all);
    EXPECT_EQ(ordered, all);
  }
  EXPECT_EQ(usable_toolchains(default_backend(), "fortran"), names);
}

}  // namespace
}  // namespace paraiso::runtime
