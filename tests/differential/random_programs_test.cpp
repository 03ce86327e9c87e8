// Random programs, some with fused steps, under random schedules: generated code equals the
// interpreter bit for bit.
// PARAISO_PROGRAMS sets how many programs (60), PARAISO_SEED the first seed (1): program n of seed
// s is the same wherever it runs; what code is made for is drawn anew. Failures print the seed, the
// schedule and the program.
#include <gtest/gtest.h>

#include <iostream>

#include "paraiso/om/print.hpp"
#include "paraiso/passes/fuse_steps.hpp"
#include "paraiso/passes/join_steps.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/make/random_schedule.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/build/compile.hpp"
#include "tests/differential/states.hpp"
#include "tests/support/random_machine.hpp"
#include "tests/support/setting.hpp"
#include "tests/support/usable_compilers.hpp"
#include "tests/support/usable_targets.hpp"

namespace paraiso {
namespace {

using test::setting;

struct Case {
  std::uint64_t seed;
  om::Machine program;
  plan::Schedule schedule;
  bool fused = false;
};

/// None where its steps can't be fused.
std::optional<om::Machine> with_fused_steps(const om::Machine& program, Rng& rng) {
  const int steps = static_cast<int>(rng.between(2, 4));
  try {
    const om::Machine fused = passes::fuse_steps(program, steps, true).machine;
    return rng.chance(0.5) ? passes::join_steps(fused) : fused;
  } catch (const passes::CannotFuse&) {
    return std::nullopt;
  }
}

Case make_case(std::uint64_t seed) {
  Rng rng(seed);
  test::RandomMachineOptions options;
  options.elementary = rng.chance(0.3);
  options.stencils = rng.chance(0.5);
  auto numbers = rng.chance(0.5) ? passes::Numbers::fma : passes::Numbers::strict;
  om::Machine program = passes::prepare(test::random_machine(rng, options), numbers);
  std::optional<om::Machine> fused;
  if (options.stencils || rng.chance(0.5)) fused = with_fused_steps(program, rng);
  if (fused) program = *fused;
  auto schedule =
      rng.chance(0.2) ? plan::default_schedule(program) : plan::random_schedule(program, rng);
  return {seed, std::move(program), std::move(schedule), fused.has_value()};
}

/// Some sizes, each from a random state through every kernel twice.
std::string first_difference(const Case& test, const runtime::Library& library) {
  Rng rng(test.seed + 1000000007);
  for (int round = 0; round < 4; ++round) {
    auto size = test::random_size(rng, test.program.dimension, 1200);
    om::State expected = test::random_state(test.program, size, rng);
    auto instance = library.instance(size);
    test::set_state(*instance, expected);
    for (int call = 0; call < 2; ++call)
      for (const auto& kernel : test.program.kernels) {
        om::interpret(test.program, kernel, expected);
        instance->run(kernel.name);
        auto difference = test::compare_states(test.program, expected, test::get_state(*instance));
        if (!difference.empty()) return "after `" + kernel.name + "`: " + difference;
      }
  }
  return {};
}

TEST(Differential, RandomProgramsEqualTheInterpreter) {
  const auto programs = setting("PARAISO_PROGRAMS", 60);
  const auto first_seed = static_cast<std::uint64_t>(setting("PARAISO_SEED", 1));
  constexpr std::size_t kTogether = 12;
  const auto& compilers = test::usable_compilers();
  const auto targets = test::usable_targets();
  std::cout << programs << " programs from seed " << first_seed << ", " << compilers.size()
            << " compilers, " << targets.size() << " targets\n";
  Rng rng(first_seed);
  std::int64_t fused = 0;
  for (std::int64_t done = 0; done < programs;) {
    std::vector<Case> cases;
    std::vector<plan::Plan> sources;
    for (; done < programs && cases.size() < kTogether; ++done) {
      cases.push_back(make_case(first_seed + static_cast<std::uint64_t>(done)));
      sources.push_back(plan::plan_program(cases.back().program, cases.back().schedule));
      fused += cases.back().fused;
    }
    runtime::CompileOptions options;
    options.compiler = compilers[static_cast<std::size_t>(done) / kTogether % compilers.size()];
    options.target = targets[rng.below(targets.size())];
    options.optimization = "-O1";
    options.threads = done / static_cast<std::int64_t>(kTogether) % 3 == 0 ? 1 : 2;
    auto libraries = runtime::compile_together(sources, options);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      auto difference = first_difference(cases[i], libraries[i]);
      ASSERT_EQ(difference, "") << "seed " << cases[i].seed << ", " << options.compiler << " for "
                                << options.target << "\n"
                                << plan::print(cases[i].schedule, cases[i].program) << "\n"
                                << om::print(cases[i].program);
    }
  }
  std::cout << fused << " of them with fused steps\n";
  if (programs >= 50) EXPECT_GT(3 * fused, programs);
}

}  // namespace
}  // namespace paraiso
