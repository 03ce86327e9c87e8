// Random programs on random divisions, each part a rank of this process: generated code under
// random schedules equals the interpreter bit for bit, and what ranks send each other is the least.
// PARAISO_DIVIDED sets how many programs (8), PARAISO_SEED the first seed (1).
#include <gtest/gtest.h>

#include <algorithm>

#include "paraiso/base/error.hpp"
#include "paraiso/om/cells/fill_order.hpp"
#include "paraiso/om/divide/wide_halo.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/exchanges.hpp"
#include "paraiso/plan/schedule/exchange_gene.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/ranks/divided_instance.hpp"
#include "tests/differential/programs.hpp"
#include "tests/differential/sent_messages.hpp"
#include "tests/differential/states.hpp"
#include "tests/support/compiled.hpp"
#include "tests/support/cpu_plans.hpp"
#include "tests/support/random_machine.hpp"
#include "tests/support/random_tree.hpp"
#include "tests/support/setting.hpp"

namespace paraiso {
namespace {

om::Machine random_program(std::uint64_t seed) {
  Rng rng(seed);
  test::RandomMachineOptions options;
  options.stencils = rng.chance(0.3);
  om::Machine program = passes::prepare(test::random_machine(rng, options), passes::Numbers::fma);
  if (!rng.chance(0.4)) return program;
  try {
    return passes::fuse(program, 2).machine;
  } catch (const passes::CannotFuse&) {
    return program;
  }
}

plan::Plan random_plan(const om::Machine& program, Rng& rng) {
  plan::Schedule schedule =
      rng.chance(0.3) ? plan::default_schedule(program) : plan::random_schedule(program, rng);
  for (const auto& kernel : program.kernels)
    if (rng.chance(0.5)) schedule.choices[plan::exchange_gene(kernel).name] = plan::kOverlapped;
  Rng skew(rng);
  if (skew.chance(0.5)) schedule = plan::skewed(program, schedule, skew);
  return plan::plan_program(program, std::move(schedule));
}

/// Some sizes and divisions, each from a random state through every kernel twice. A program whose
/// parts could not fill their halos is refused.
std::string first_difference(const runtime::Library& library, Rng& rng) {
  const om::Machine& program = library.machine();
  const bool suits_parts = om::fill_order(program).suits_parts;
  for (int round = 0; round < 6; ++round) {
    const auto size = test::random_size(rng, program.dimension, 800);
    const om::Orthotree tree = test::random_tree(rng, size, 1 + rng.below(round == 2 ? 64 : 9));
    if (!suits_parts && tree.leaf_count() > 1) {
      EXPECT_THROW((void)runtime::divided_instance(library, size, tree, 1), Error);
      continue;
    }
    om::State expected = test::random_state(program, size, rng);
    if (round < 2) {
      const auto unlike = test::unlike_minimum(library, size, tree);
      if (!unlike.empty()) return unlike + "\n" + om::print(tree);
    }
    const auto sharing =
        rng.chance(0.5) ? runtime::Library::Sharing::always : runtime::Library::Sharing::worthwhile;
    const auto instance =
        runtime::divided_instance(library, size, tree, 1 + static_cast<int>(rng.below(2)), sharing);
    test::set_state(*instance, expected);
    for (int call = 0; call < 2; ++call)
      for (const auto& kernel : program.kernels) {
        if (!runtime::runs_on_ranks(kernel)) continue;
        om::interpret(program, kernel, expected);
        instance->run(kernel.name);
        const auto difference = test::compare_states(program, expected, test::get_state(*instance));
        if (!difference.empty())
          return "after `" + kernel.name + "`: " + difference + "\n" + om::print(tree);
      }
  }
  return {};
}

/// Beyond the end of a cyclic axis a part keeps cells of a field that isn't cyclic there, from
/// which sides of one that is are made: before its own halo overwrites them, and again by other
/// kernels.
TEST(DividedPrograms, MakeSidesFromWhatHalosOverwrite) {
  const om::Machine program =
      passes::prepare(test::read_program("sides_2d.om"), passes::Numbers::fma);
  const std::set<om::StaticId> flow_and_sum = {om::StaticId(1), om::StaticId(2)};
  EXPECT_EQ(plan::ghosts_changed_by(program, *program.find_kernel("look")), flow_and_sum);
  std::vector<plan::Plan> plans;
  plans.push_back(plan::plan_program(program, plan::default_schedule(program)));
  const auto libraries = runtime::compile_together(plans, {});
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Rng rng(seed);
    ASSERT_EQ(first_difference(libraries[0], rng), "") << "seed " << seed;
  }
}

/// What one exchange for several steps needs: along an axis all fields are cyclic or none is.
om::Machine with_like_sides(om::Machine machine, Rng& rng) {
  for (int a = 0; a < machine.dimension; ++a) {
    const bool cyclic = rng.chance(0.4);
    for (om::Static& s : machine.statics) {
      if (!s.type.is_local()) continue;
      for (om::Boundary& side : s.boundary[static_cast<std::size_t>(a)])
        if (cyclic)
          side = om::Cyclic{};
        else if (std::holds_alternative<om::Cyclic>(side))
          side = om::Outflow{};
    }
  }
  return machine;
}

struct WideRuns {
  int wide = 0, reducing = 0, cut_rows = 0, made_sides = 0, calls = 0, exchanges = 0;
};

bool reduces(const om::Graph& graph) {
  for (std::size_t n = 0; n < graph.node_count(); ++n)
    if (std::holds_alternative<om::Reduce>(graph.node(om::NodeId(n)).instruction)) return true;
  return false;
}

/// Some part computes cells of others, but not all.
bool computes_some_of_others(const std::vector<om::Box>& computed,
                             const std::vector<om::Box>& own) {
  for (std::size_t leaf = 0; leaf < own.size(); ++leaf) {
    std::size_t seen = 0;
    for (const om::Box& other : own) seen += !om::intersection(computed[leaf], other).empty();
    if (computed[leaf] != own[leaf] && seen < own.size()) return true;
  }
  return false;
}

/// Boundary kernels make ghost cells from fields.
bool makes_sides(const om::Machine& program) {
  return std::ranges::any_of(
      program.statics, [&](const om::Static& s) { return !om::read_by_sides(program, s).empty(); });
}

/// A step after another reads cells of others that the first has changed.
bool spreads(const om::Machine& program) {
  const om::Kernel* const step = program.step_kernel();
  if (step == nullptr) return false;
  const auto stored = om::stored_by(program, *step);
  auto reads = om::reads_of(step->graph);
  for (const auto& [what, offsets] : reads[0])
    if (std::ranges::find(stored, what) != stored.end() && offsets.size() > 1) return true;
  return false;
}

/// Steps and now and then another kernel, from a random state.
std::string first_wide_difference(const runtime::Library& library, Rng& rng, WideRuns& runs) {
  const om::Machine& program = library.machine();
  for (int round = 0; round < 8; ++round) {
    auto size = test::random_size(rng, program.dimension, 300);
    for (std::int64_t& n : size)
      n += static_cast<std::int64_t>(rng.below(program.dimension < 3 ? 30 : 6));
    const int steps = 2 + static_cast<int>(rng.below(3));
    om::Orthotree tree;
    const auto is_wide = [&] {
      tree = test::random_tree(rng, size, 2 + rng.below(4));
      const auto wide = om::WideHalo::of(program, om::with_warps(program, tree), size,
                                         library.part_wants(), steps);
      return wide && computes_some_of_others(wide->computed(), tree.leaves(size));
    };
    int tries = 0;
    while (tries < 200 && !is_wide()) ++tries;
    if (tries == 200) continue;
    ++runs.wide;
    const bool sums = reduces(program.step_kernel()->graph);
    const auto parts = om::parts_along_axes(tree, size.size());
    runs.reducing += sums;
    runs.cut_rows += sums && parts[0] > 1;
    runs.made_sides += makes_sides(program);
    om::State expected = test::random_state(program, size, rng);
    const auto instance = runtime::divided_instance(
        library, size, tree, 1, runtime::Library::Sharing::worthwhile, {}, steps);
    test::set_state(*instance, expected);
    for (int call = 0; call < 9; ++call) {
      const om::Kernel& kernel = rng.chance(0.8)
                                     ? *program.step_kernel()
                                     : program.kernels[rng.below(program.kernels.size())];
      om::interpret(program, kernel, expected);
      const std::int64_t before = instance->traffic().messages;
      instance->run(kernel.name);
      runs.calls += !sums;
      runs.exchanges += !sums && instance->traffic().messages > before;
      if (rng.chance(0.6) && call < 8) continue;  // what is read between steps must not help
      const auto difference = test::compare_states(program, expected, test::get_state(*instance));
      if (!difference.empty())
        return "after `" + kernel.name + "`: " + difference + "\n" + om::print(tree);
    }
  }
  return {};
}

TEST(DividedPrograms, ExchangeOnceForSeveralSteps) {
  const auto programs = test::setting("PARAISO_DIVIDED", 6);
  const auto first_seed = static_cast<std::uint64_t>(test::setting("PARAISO_SEED", 1));
  WideRuns runs;
  std::vector<std::uint64_t> seeds;
  std::vector<om::Machine> machines;
  std::vector<plan::Plan> plans;
  for (std::uint64_t seed = first_seed + 6'000'100; std::ssize(seeds) < programs; ++seed) {
    Rng rng(seed);
    test::RandomMachineOptions options;
    const bool sums = seeds.size() % 2 == 1;  // every second program has some
    options.user_boundaries = seeds.size() % 3 == 2;
    options.stencils = !sums && !options.user_boundaries;
    options.reach = 2;
    options.operations = 12;
    om::Machine machine = with_like_sides(test::random_machine(rng, options), rng);
    machine = passes::prepare(std::move(machine), passes::Numbers::fma);
    if (!spreads(machine) || options.user_boundaries != makes_sides(machine) ||
        (sums && !reduces(machine.step_kernel()->graph)))
      continue;
    seeds.push_back(seed);
    machines.push_back(std::move(machine));
    plans.push_back(random_plan(machines.back(), rng));
  }
  runtime::CompileOptions options;
  options.optimization = "-O1";
  for (std::size_t done = 0; done < plans.size(); done += 8) {
    const std::size_t end = std::min(done + 8, plans.size());
    const auto libraries = runtime::compile_together({plans.data() + done, end - done}, options);
    for (std::size_t i = done; i < end; ++i) {
      Rng rng(seeds[i] + 1);
      ASSERT_EQ(first_wide_difference(libraries[i - done], rng, runs), "")
          << "seed " << seeds[i] << "\n"
          << plan::print(plans[i].schedule, machines[i]) << om::print(machines[i]);
    }
  }
  EXPECT_GE(runs.wide, programs * 3);
  EXPECT_GE(runs.reducing, programs / 4);
  EXPECT_GE(runs.cut_rows, programs / 4);
  EXPECT_GE(runs.made_sides, programs / 4);
  EXPECT_GT(runs.exchanges, 0);
  EXPECT_LT(runs.exchanges, runs.calls * 2 / 3);
}

TEST(DividedPrograms, EqualTheInterpreter) {
  const auto programs = test::setting("PARAISO_DIVIDED", 8);
  const auto first_seed = static_cast<std::uint64_t>(test::setting("PARAISO_SEED", 1));
  constexpr std::int64_t kTogether = 8;
  for (std::int64_t done = 0; done < programs; done += kTogether) {
    std::vector<std::uint64_t> seeds;
    std::vector<om::Machine> machines;
    std::vector<plan::Plan> plans;
    for (std::int64_t i = done; i < std::min(done + kTogether, programs); ++i) {
      seeds.push_back(first_seed + static_cast<std::uint64_t>(i) + 5'000'000);
      machines.push_back(random_program(seeds.back()));
      Rng rng(seeds.back());
      plans.push_back(random_plan(machines.back(), rng));
    }
    runtime::CompileOptions options;
    options.optimization = "-O1";
    const auto libraries = runtime::compile_together(plans, options);
    for (std::size_t i = 0; i < libraries.size(); ++i) {
      Rng rng(seeds[i] + 1);
      ASSERT_EQ(first_difference(libraries[i], rng), "")
          << "seed " << seeds[i] << "\n"
          << plan::print(plans[i].schedule, machines[i]) << om::print(machines[i]);
    }
  }
}

}  // namespace
}  // namespace paraiso
