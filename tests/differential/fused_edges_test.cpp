// States between fused steps, filled at every kind of side: generated code equals single steps of
// the interpreter bit for bit, under the default schedule and random ones.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "paraiso/om/print.hpp"
#include "paraiso/passes/join_steps.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/runtime/verify_backend.hpp"

namespace paraiso {
namespace {

om::Machine read(const std::string& name) {
  const std::string path = std::string(PARAISO_SOURCE_DIR "/tests/differential/programs/") + name;
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return om::parse(text.str(), path);
}

class FusedEdges : public testing::TestWithParam<const char*> {};

TEST_P(FusedEdges, KeepTheirBits) {
  const auto program = passes::prepare(read(GetParam()), passes::Numbers::fma);
  const auto fused = passes::fuse_steps(program, 3);
  runtime::VerifyOptions options;
  options.schedules = 5;
  options.compilers = {"g++"};
  options.fusion = fused.fusion;
  options.cache = PARAISO_BINARY_DIR "/test_cache";
  const auto report = runtime::verify_schedules(passes::join_steps(fused.machine), options);
  ASSERT_FALSE(report.difference) << report.difference->text() << "\n"
                                  << report.difference->schedule_text;
  EXPECT_EQ(report.schedules, 5);
}

INSTANTIATE_TEST_SUITE_P(Programs, FusedEdges, testing::Values("edges_2d.om", "corners_3d.om"),
                         [](const auto& info) {
                           const std::string name = info.param;
                           return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace paraiso
