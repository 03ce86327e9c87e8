// Which halos lack the ends of rows, because the loops that read these make them.
#include "paraiso/plan/cpu/row_ends.hpp"

#include <gtest/gtest.h>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/make/make_plan.hpp"
#include "tests/support/cpu_plans.hpp"

namespace paraiso::plan {
namespace {

constexpr const char* kStar =
    "%0 = load f\n%1 = shift %0 (1, 0)\n%2 = shift %0 (-2, 0)\n%3 = shift %0 (0, 1)\n"
    "%4 = add %1 %2\n%5 = add %4 %3\nstore f %5\n";
constexpr const char* kCorner = "%0 = load f\n%1 = shift %0 (1, 1)\nstore f %1\n";

om::Machine machine(const std::string& along_x, const std::string& body) {
  return passes::prepare(
      om::parse("paraiso 1\nmachine test dimension 2\nstatic f local f64\n  boundary 0 " + along_x +
                "\n  boundary 1 cyclic cyclic\nstatic g local f64\n  boundary 0 cyclic cyclic\n"
                "  boundary 1 cyclic cyclic\n"
                "boundary_kernel edge\n%0 = load_index 0\n%1 = cast %0 f64\nresult %1\nend\n"
                "kernel proceed step\n" +
                body + "end\nend machine\n"),
      passes::Numbers::strict);
}

/// The cells of `f` that are filled before the kernel runs.
std::string filled(const std::string& along_x, const std::string& body,
                   std::map<std::string, std::string> choices = {}) {
  const auto plan = make_plan(machine(along_x, body), {std::move(choices)});
  return plan.kernels[0].filled[0].text();
}

TEST(RowEnds, AreMadeByALoopThatReadsNeighboursInItsOwnRow) {
  for (const char* sides : {"cyclic cyclic", "outflow reflect -", "reflect + fixed 2"})
    EXPECT_EQ(filled(sides, kStar), "[0, N) x [-1, N)") << sides;
  const auto plan = make_plan(machine("cyclic cyclic", kStar), {});
  EXPECT_EQ(plan.kernels[0].halo[0].text(), "[-1, N+2) x [-1, N)");
  EXPECT_EQ(plan.kernels[0].groups[0].stages[0].cpu.row_ends.text(), "[-1, N+2) x [0, N)");
}

TEST(RowEnds, AreFilledWhereTheyDoNotFollowFromTheRow) {
  EXPECT_EQ(filled("kernel edge outflow", kStar), "[-1, N+2) x [-1, N)");
}

TEST(RowEnds, AreFilledWhereTheyAreCorners) {
  EXPECT_EQ(filled("cyclic cyclic", kCorner), "[-1, N) x [-1, N)");
}

TEST(RowEnds, AreFilledWhereRowsAreDivided) {
  EXPECT_EQ(filled("cyclic cyclic", kStar, {{"proceed/tile_x", "256"}}), "[-1, N+2) x [-1, N)");
}

TEST(RowEnds, AreFilledWhereSomeLoopRunsBeyondThem) {
  const char* const body =
      "%0 = load f\n%1 a = mul %0 %0\n%2 = shift %1 (1, 0)\n%3 = shift %1 (0, 1)\n"
      "%4 = add %2 %3\nstore f %4\n";
  for (const char* storage : {"rolling", "array"})
    EXPECT_EQ(filled("cyclic cyclic", body, {{"proceed/a.storage", storage}}), "[-1, N) x [-1, N)")
        << storage;
}

TEST(RowEnds, AreFilledWhereABodyIsTooLongToBeThereTwice) {
  std::string body = "%0 = load f\n%1 = shift %0 (1, 0)\n%2 = add %0 %1\n";
  for (int i = 2; i < 140; ++i)
    body += "%" + std::to_string(i + 1) + " = sqrt %" + std::to_string(i) + "\n";
  EXPECT_EQ(filled("cyclic cyclic", body + "store f %140\n"), "[-1, N) x [0, N)");
}

}  // namespace
}  // namespace paraiso::plan
