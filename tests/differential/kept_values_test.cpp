// Programs that once showed a difference between generated code and the definition, at the special
// values where it showed: in both numbers modes, with each compiler, as it builds for users, and
// for each target that this machine can run, other ones than `native` by one compiler
// (PARAISO_EVERY_BUILD=1, scripts/test-long.sh: by each). All programs are compiled in one run a
// target.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "paraiso/om/interpret/interpret.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "tests/differential/kept_bits.hpp"
#include "tests/support/compiled.hpp"
#include "tests/support/setting.hpp"
#include "tests/support/usable_targets.hpp"

namespace paraiso {
namespace {

class KeptValues : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(KeptValues, AreTheInterpreters) {
  std::vector<plan::Plan> programs;
  for (const char* name : test::kSpecialPrograms)
    for (const auto numbers : {passes::Numbers::strict, passes::Numbers::fma}) {
      const auto program = passes::prepare(test::read_program(name), numbers);
      const auto schedule = plan::default_schedule(program);
      programs.push_back(plan::plan_program(program, schedule));
    }
  runtime::CompileOptions options;
  std::tie(options.compiler, options.target) = GetParam();
  options.threads = 1;
  options.cache = PARAISO_BINARY_DIR "/test-cache";
  const verify::VerifyOptions verify;
  for (const auto& library : runtime::compile_together(programs, options)) {
    const auto difference = verify::verify_library(library, verify);
    EXPECT_FALSE(difference) << library.machine().name << ": " << difference->text();
  }
}

/// The first target by each compiler, the others by one and another in turn: not by the one by
/// which EveryOperator has them.
std::vector<KeptValues::ParamType> builds() {
  const auto& compilers = test::usable_compilers();
  const auto targets = test::usable_targets();
  std::vector<KeptValues::ParamType> pairs;
  for (std::size_t c = 0; c < compilers.size(); ++c)
    for (std::size_t t = 0; t < targets.size(); ++t)
      if (t == 0 || t % compilers.size() == c || test::every_build())
        pairs.emplace_back(compilers[c], targets[t]);
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(Of, KeptValues, testing::ValuesIn(builds()), [](const auto& info) {
  const bool gcc = std::get<0>(info.param) == "g++";
  std::string name = (gcc ? "gcc_" : "clang_") + std::get<1>(info.param);
  std::ranges::replace(name, '-', '_');
  return name;
});

/// What a program's own beginning and one step leave in a static, by the definition.
std::string after_a_step(const std::string& program, const std::string& name) {
  const auto machine = passes::prepare(test::read_program(program), passes::Numbers::fma);
  om::State state = om::initial_state(machine, {4});
  for (const auto* kernel : machine.initial_kernels()) om::interpret(machine, *kernel, state);
  om::interpret(machine, *machine.step_kernel(), state);
  return state.arrays[machine.find_static(name)->index].at(0).text();
}

TEST(KeptValues, AreThoseOfTheDefinition) {
  EXPECT_EQ(after_a_step("abs_over_same.om", "both"), "-8589934592");
  EXPECT_EQ(after_a_step("cast_of_floor.om", "r"), "inf");
  EXPECT_EQ(after_a_step("float_mod_by_zero.om", "remainder"), "3.5");
  EXPECT_EQ(after_a_step("inverse_of_root.om", "r"), "-2147483648");
  EXPECT_EQ(after_a_step("inverse_of_root.om", "below"), "true");
  EXPECT_EQ(after_a_step("ipow_negative.om", "square"), "1");
  for (const char* power : {"power", "power_i64", "folded", "known_exponent"})
    EXPECT_EQ(after_a_step("ipow_negative.om", power), "0") << power;
  EXPECT_EQ(after_a_step("max_of_neighbours_max.om", "r"), "0");
  EXPECT_EQ(after_a_step("min_of_own_min.om", "r"), "1.5");
  EXPECT_EQ(after_a_step("min_of_own_min.om", "s"), "0");
  EXPECT_EQ(after_a_step("neg_madd_inverse.om", "r"), "-inf");
  for (const char* result : {"r_madd", "r_msub", "r_nmadd", "r_nmsub", "r_minus_one", "g"})
    EXPECT_EQ(after_a_step("neg_madd_zero.om", result), "-0") << result;
  EXPECT_EQ(after_a_step("neg_over_other.om", "r"), "-1073741824");
  EXPECT_EQ(after_a_step("neg_over_self.om", "r"), "1");
}

}  // namespace
}  // namespace paraiso
