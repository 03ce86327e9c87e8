// Random programs on random divisions, each part a rank of this process: generated code under
// random schedules equals the interpreter bit for bit, and what ranks send each other is the least.
// PARAISO_DIVIDED sets how many programs (8), PARAISO_SEED the first seed (1).
#include <gtest/gtest.h>

#include "paraiso/om/print.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/schedule/exchange_gene.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/ranks/divided_instance.hpp"
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
  return plan::plan_program(program, std::move(schedule));
}

/// Some sizes and divisions, each from a random state through every kernel twice.
std::string first_difference(const runtime::Library& library, Rng& rng) {
  const om::Machine& program = library.machine();
  for (int round = 0; round < 6; ++round) {
    const auto size = test::random_size(rng, program.dimension, 800);
    const om::Orthotree tree = test::random_tree(rng, size, 1 + rng.below(9));
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
