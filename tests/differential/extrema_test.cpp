// Extrema of extrema: generated code has the bits of the program as it is written, at all special
// values, with each compiler. LLVM 14 takes the inner one where the bound is a constant, which is
// wrong for NaN and for zeros of the other sign.
#include <gtest/gtest.h>

#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/backend/backend.hpp"
#include "tests/differential/states.hpp"
#include "tests/support/nested_extrema.hpp"
#include "tests/support/random_machine.hpp"
#include "tests/support/special_values.hpp"
#include "tests/support/usable_compilers.hpp"

namespace paraiso {
namespace {

class NestedExtrema : public testing::TestWithParam<std::string> {};

TEST_P(NestedExtrema, HaveTheBitsOfWhatIsWritten) {
  const om::Machine written = test::nested_extrema();
  const om::Machine program = passes::prepare(written, passes::Numbers::fma);
  runtime::CompileOptions options;
  options.compiler = GetParam();
  options.threads = 1;
  options.optimization = "-O1";
  options.cache = PARAISO_BINARY_DIR "/test-cache";
  const auto schedule = plan::default_schedule(program);
  const auto library = runtime::compile(plan::plan_program(program, schedule), options);
  Rng rng(1);
  om::State expected =
      test::special_state(written, {test::kSpecialValues, test::kSpecialValues}, 0, rng);
  const auto instance = library.instance(expected.size);
  test::set_state(*instance, expected);
  for (const om::Kernel& kernel : written.kernels) {
    om::interpret(written, kernel, expected);
    instance->run(kernel.name);
    EXPECT_EQ(test::compare_states(written, expected, test::get_state(*instance)), "")
        << kernel.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, NestedExtrema, testing::ValuesIn(test::usable_compilers()),
                         [](const auto& info) {
                           return std::string(info.param == "g++" ? "gcc" : "clang");
                         });

}  // namespace
}  // namespace paraiso
