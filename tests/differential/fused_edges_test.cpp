#include "paraiso/plan/cost/forecast.hpp"
// States between fused steps, filled at every kind of side: generated code equals single steps of
// the interpreter bit for bit, under the default schedule and random ones.
#include "tests/differential/kept_bits.hpp"
#include "tests/support/compiled.hpp"
#include "tests/support/usable_compilers.hpp"

namespace paraiso {
namespace {

class EachFusedEdge : public testing::TestWithParam<const char*> {};

TEST_P(EachFusedEdge, KeepTheirBits) {
  const auto program = passes::prepare(test::read_program(GetParam()), passes::Numbers::fma);
  const auto fused = passes::fuse(program, 3);
  verify::VerifyOptions options;
  options.schedules = 5;
  options.compilers = {test::usable_compilers().at(0)};
  options.fusion = fused.fusion;
  options.cache = PARAISO_BINARY_DIR "/test-cache";
  const auto report = verify::verify_schedules(fused.machine, options);
  ASSERT_FALSE(report.difference) << report.difference->text() << "\n"
                                  << report.difference->schedule_text;
  EXPECT_EQ(report.schedules, 5);
}

/// The next tile would begin beyond the grid, and not hold the cells that its own are made from.
TEST(FusedEdges, TheLastTileHoldsAllThatLiesBeyondTheGrid) {
  const auto fused =
      passes::fuse(passes::prepare(test::read_program("far_1d.om"), passes::Numbers::fma), 3);
  runtime::CompileOptions compile;
  compile.compiler = test::usable_compilers().at(0);
  compile.cache = PARAISO_BINARY_DIR "/test-cache";
  const auto library = runtime::compile(
      plan::plan_program(fused.machine,
                         {{{"proceed_3/u.state", "scratch"}, {"proceed_3/tile_x", "8"}}}),
      compile);
  verify::VerifyOptions options;
  options.fusion = fused.fusion;
  for (std::int64_t n = 27; n < 33; ++n) options.sizes.push_back({n});
  const auto difference = verify::verify_library(library, options);
  ASSERT_FALSE(difference) << difference->text();
}

INSTANTIATE_TEST_SUITE_P(Programs, EachFusedEdge,
                         testing::Values("edges_2d.om", "corners_3d.om", "turning_2d.om"),
                         [](const auto& info) {
                           const std::string name = info.param;
                           return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace paraiso
