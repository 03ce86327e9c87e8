// Programs drawn at random, some with fused steps, and how their generated code is compared.
// Gives: RandomCase, random_case, first_difference. Needs: passes, random_machine, states.
#pragma once

#include <optional>

#include "paraiso/passes/passes.hpp"
#include "paraiso/passes/steps/fuse_steps.hpp"
#include "paraiso/passes/steps/join_steps.hpp"
#include "paraiso/runtime/build/compile.hpp"
#include "tests/differential/states.hpp"
#include "tests/support/random_machine.hpp"

namespace paraiso::test {

struct RandomCase {
  std::uint64_t seed;
  om::Machine program;
  bool fused;
  Rng rng;  // what is drawn next: a schedule
};

/// None where its steps can't be fused.
inline std::optional<om::Machine> with_fused_steps(const om::Machine& program, Rng& rng) {
  const int steps = static_cast<int>(rng.between(2, 4));
  try {
    const om::Machine fused = passes::fuse_steps(program, steps, true).machine;
    return rng.chance(0.5) ? passes::join_steps(fused) : fused;
  } catch (const passes::CannotFuse&) {
    return std::nullopt;
  }
}

/// The same wherever it runs.
inline RandomCase random_case(std::uint64_t seed) {
  Rng rng(seed);
  RandomMachineOptions options;
  options.elementary = rng.chance(0.3);
  options.stencils = rng.chance(0.5);
  auto numbers = rng.chance(0.5) ? passes::Numbers::fma : passes::Numbers::strict;
  om::Machine program = passes::prepare(random_machine(rng, options), numbers);
  std::optional<om::Machine> fused;
  if (options.stencils || rng.chance(0.5)) fused = with_fused_steps(program, rng);
  if (fused) program = *fused;
  return {seed, std::move(program), fused.has_value(), rng};
}

/// Some sizes, each from a random state through every kernel twice.
inline std::string first_difference(const RandomCase& test, const runtime::Library& library) {
  Rng rng(test.seed + 1000000007);
  for (int round = 0; round < 4; ++round) {
    auto size = random_size(rng, test.program.dimension, 1200);
    om::State expected = random_state(test.program, size, rng);
    auto instance = library.instance(size);
    set_state(*instance, expected);
    for (int call = 0; call < 2; ++call)
      for (const auto& kernel : test.program.kernels) {
        om::interpret(test.program, kernel, expected);
        instance->run(kernel.name);
        auto difference = compare_states(test.program, expected, get_state(*instance));
        if (!difference.empty()) return "after `" + kernel.name + "`: " + difference;
      }
  }
  return {};
}

}  // namespace paraiso::test
