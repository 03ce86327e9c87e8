// Random programs, some with fused steps, under random schedules: generated code equals the
// interpreter bit for bit.
// PARAISO_PROGRAMS sets how many programs (16), PARAISO_SEED the first seed (1): program n of seed
// s is the same wherever it runs; what code is made for is drawn anew. Failures print the seed, the
// schedule and the program.
#include <gtest/gtest.h>

#include <iostream>

#include "paraiso/om/text/print.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "tests/differential/random_cases.hpp"
#include "tests/support/compiled.hpp"
#include "tests/support/cpu_plans.hpp"
#include "tests/support/setting.hpp"
#include "tests/support/usable_compilers.hpp"
#include "tests/support/usable_targets.hpp"

namespace paraiso {
namespace {

using test::setting;

struct ScheduledCase {
  test::RandomCase random;
  plan::Schedule schedule;
};

ScheduledCase make_case(std::uint64_t seed) {
  test::RandomCase random = test::random_case(seed);
  auto schedule = random.rng.chance(0.2) ? plan::default_schedule(random.program)
                                         : plan::random_schedule(random.program, random.rng);
  Rng skew(seed);
  if (skew.chance(0.5)) schedule = plan::skewed(random.program, schedule, skew);
  return {std::move(random), std::move(schedule)};
}

TEST(Differential, RandomProgramsEqualTheInterpreter) {
  const auto programs = setting("PARAISO_PROGRAMS", 16);
  const auto first_seed = static_cast<std::uint64_t>(setting("PARAISO_SEED", 1));
  constexpr std::size_t kTogether = 8;
  const auto& compilers = test::usable_compilers();
  const auto targets = test::usable_targets();
  std::cout << programs << " programs from seed " << first_seed << ", " << compilers.size()
            << " compilers, " << targets.size() << " targets\n";
  Rng rng(first_seed);
  std::int64_t fused = 0;
  for (std::int64_t done = 0; done < programs;) {
    std::vector<ScheduledCase> cases;
    std::vector<plan::Plan> sources;
    for (; done < programs && cases.size() < kTogether; ++done) {
      cases.push_back(make_case(first_seed + static_cast<std::uint64_t>(done)));
      sources.push_back(plan::plan_program(cases.back().random.program, cases.back().schedule));
      fused += cases.back().random.fused;
    }
    runtime::CompileOptions options;
    const std::size_t batch = static_cast<std::size_t>(done) / kTogether;
    options.compiler = compilers[batch % compilers.size()];
    options.target = targets[rng.below(targets.size())];
    options.optimization = "-O1";
    options.threads = 1 + static_cast<int>(batch / 2 % 2);
    auto libraries = runtime::compile_together(sources, options);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      auto difference = test::first_difference(cases[i].random, libraries[i]);
      ASSERT_EQ(difference, "") << "seed " << cases[i].random.seed << ", " << options.compiler
                                << " for " << options.target << "\n"
                                << plan::print(cases[i].schedule, cases[i].random.program) << "\n"
                                << om::print(cases[i].random.program);
    }
  }
  std::cout << fused << " of them with fused steps\n";
  if (programs >= 50) {
    EXPECT_GT(3 * fused, programs);
  }
}

}  // namespace
}  // namespace paraiso
