// How far code that calls the C library may be from the interpreter, and that it is no further.
#include "paraiso/verify/tolerance.hpp"

#include <gtest/gtest.h>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/verify/verify_backend.hpp"

namespace paraiso::verify {
namespace {

using passes::Numbers;

/// `f` and its sum depend on functions, `n` and `g` do not.
om::Machine growth(const std::string& element, Numbers numbers) {
  return passes::prepare(
      om::parse("paraiso 1\nmachine growth dimension 1\nstatic f local " + element +
                "\n  boundary 0 cyclic cyclic\nstatic g local " + element +
                "\n  boundary 0 cyclic cyclic\nstatic n local i32\n  boundary 0 cyclic cyclic\n"
                "static total global " +
                element +
                "\nkernel proceed step\n%0 = load f\n%1, %2 = sincos %0\n%3 = shift %1 (1)\n"
                "%4 = sub %3 %2\n%5 = exp %4\nstore f %5\n%6 = reduce sum %5\nstore total %6\n"
                "%7 = load g\n%8 = add %7 %7\nstore g %8\n%9 = load n\n%10 = neg %9\n"
                "store n %10\nend\nend machine\n"),
      numbers);
}

/// After one step from f = 1, 2, ..., g = 3, n = 4.
om::State stepped(const om::Machine& program) {
  om::State state = om::initial_state(program, {40});
  for (std::size_t i = 0; i < 40; ++i) {
    const auto real = [&](double value) {
      return om::Constant::from_double(state.arrays[0].element, value);
    };
    state.arrays[0].set(i, real(1 + static_cast<double>(i)));
    state.arrays[1].set(i, real(3));
    state.arrays[2].set(i, om::Constant(4));
  }
  om::interpret(program, program.kernels[0], state);
  return state;
}

TEST(WrongFunctions, AreWrongByAFewUlpInEachCell) {
  for (const auto& [element, ulp] : {std::pair("f64", 0x1p-52), std::pair("f32", 0x1p-23)}) {
    const om::Machine program = growth(element, Numbers::fast);
    const om::State right = stepped(program);
    const om::State wrong = stepped(with_wrong_functions(program, 1));
    int moved = 0;
    for (std::size_t i = 0; i < 40; ++i) {
      const double value = right.arrays[0].at(i).to_double();
      const double apart = distance(right.arrays[0].at(i), wrong.arrays[0].at(i));
      EXPECT_LE(apart, 4 * kWrongUlps * ulp * value);
      moved += apart > 0;
    }
    EXPECT_GT(moved, 35);
    EXPECT_EQ(right.arrays[1], wrong.arrays[1]);
    EXPECT_EQ(right.arrays[2], wrong.arrays[2]);
    EXPECT_GT(distance(right.arrays[3].at(0), wrong.arrays[3].at(0)), 0);
  }
}

TEST(WrongFunctions, DependOnTheSeed) {
  const om::Machine program = growth("f64", Numbers::fast);
  const auto of_seed = [&](std::uint64_t seed) {
    return stepped(with_wrong_functions(program, seed)).arrays[0];
  };
  EXPECT_EQ(of_seed(1), of_seed(1));
  EXPECT_NE(of_seed(1), of_seed(2));
}

TEST(WrongFunctions, AreThoseOfFastAlone) {
  const om::Machine program = growth("f64", Numbers::fma);
  EXPECT_EQ(om::print(with_wrong_functions(program, 1)), om::print(program));
}

TEST(Tolerance, IsZeroWhereNoFunctionReaches) {
  const om::Machine program = growth("f64", Numbers::fast);
  const om::State right = stepped(program);
  Tolerance tolerance;
  EXPECT_EQ(tolerance.of(om::StaticId(0)), 0);
  tolerance.include(right, stepped(with_wrong_functions(program, 1)));
  EXPECT_GT(tolerance.of(om::StaticId(0)), 0);
  EXPECT_EQ(tolerance.of(om::StaticId(1)), 0);
  EXPECT_EQ(tolerance.of(om::StaticId(2)), 0);
  tolerance.include(right);
  EXPECT_EQ(tolerance.of(om::StaticId(1)), 6 * 0x1p-44);  // 256 ulp
  EXPECT_EQ(tolerance.of(om::StaticId(2)), 0);
}

TEST(Tolerance, DistanceIsInfiniteToWhatIsNotFinite) {
  const auto apart = [](double one, double other) {
    return distance(om::Constant(one), om::Constant(other));
  };
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
  EXPECT_EQ(apart(1, 3), 2);
  EXPECT_EQ(apart(nan, nan), 0);
  EXPECT_EQ(apart(infinity, infinity), 0);
  EXPECT_EQ(apart(nan, 1), infinity);
  EXPECT_EQ(apart(infinity, -infinity), infinity);
}

TEST(Tolerance, IsForCodeThatCallsTheLibrary) {
  for (const runtime::Backend& backend : runtime::backends()) {
    EXPECT_EQ(has_own_bits(backend, growth("f64", Numbers::fast)), !backend.calls_libm);
    EXPECT_TRUE(has_own_bits(backend, growth("f64", Numbers::fma)));
  }
  EXPECT_TRUE(runtime::default_backend().calls_libm);
}

class FastCode : public testing::TestWithParam<const char*> {
 protected:
  FastCode() {
    options.schedules = 1;
    options.compilers = {runtime::CompileOptions().compiler};
    options.first_optimization = options.optimization;
    options.cache = PARAISO_BINARY_DIR "/test-cache";
  }
  VerifyOptions options;
};

TEST_P(FastCode, IsAsCloseToTheInterpreterAsItShouldBe) {
  const auto fast = verify_schedules(growth(GetParam(), Numbers::fast), options);
  EXPECT_FALSE(fast.difference) << fast.difference->text();
  EXPECT_FALSE(fast.exact);
  EXPECT_TRUE(verify_schedules(growth(GetParam(), Numbers::fma), options).exact);
}

/// It is told that the kernel of three steps has two.
TEST_P(FastCode, IsNotTakenForAnything) {
  const passes::Fused fused = passes::fuse(growth(GetParam(), Numbers::fast), 3);
  options.fusion = fused.fusion;
  options.fusion.steps = 2;
  const auto report = verify_schedules(fused.machine, options);
  ASSERT_TRUE(report.difference);
  EXPECT_NE(report.difference->text().find(", more than "), std::string::npos)
      << report.difference->text();
}

INSTANTIATE_TEST_SUITE_P(Elements, FastCode, testing::Values("f64", "f32"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace paraiso::verify
