// Loops that make several rows at a time: generated code equals the interpreter bit for bit, for
// grids of which a turn makes more rows than there are, in place and out of it.
#include <algorithm>

#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/plan.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/verify/references.hpp"
#include "tests/differential/kept_bits.hpp"
#include "tests/support/cpu_plans.hpp"

namespace paraiso {
namespace {

struct JamCase {
  const char* program;
  int steps;         // fused
  const char* form;  // of groups
};

void PrintTo(const JamCase& test, std::ostream* out) {
  *out << test.program << ", " << test.steps << ", " << test.form;
}

class Jam : public testing::TestWithParam<JamCase> {};

TEST_P(Jam, KeepsTheBits) {
  const JamCase& test = GetParam();
  auto kept = test::kept_program(test.program, test.steps);
  const om::Machine& program = kept.machine;
  int turns = 0;  // groups that take some
  for (const char* rows : {"2", "4"}) {
    plan::Schedule schedule;
    for (const auto& gene : plan::genes(program)) {
      if (gene.name.ends_with("/jam")) schedule.choices[gene.name] = rows;
      if (gene.name.ends_with("/form")) schedule.choices[gene.name] = test.form;
      if (gene.name.ends_with("/prefetch")) schedule.choices[gene.name] = "row";
      if (test.steps > 1 && gene.name.find("next") != std::string::npos)
        schedule.choices[gene.name] = "rolling";
    }
    for (const auto& kernel : plan::plan_program(program, schedule).kernels)
      for (const auto& group : kernel.groups) turns += group.cpu.jam > 1 ? 1 : 0;
    for (const int threads : {1, 3}) {
      kept.options.sizes = verify::usual_sizes(program.dimension, threads);
      kept.options.sizes.push_back(program.dimension == 2 ? std::vector<std::int64_t>{37, 59}
                                                          : std::vector<std::int64_t>{19, 33, 11});
      test::expect_bits(kept, schedule, threads);
    }
  }
  EXPECT_GT(turns, 0);
}

INSTANTIATE_TEST_SUITE_P(Programs, Jam,
                         testing::Values(JamCase{"leapfrog_2d.om", 1, "overlapped"},
                                         JamCase{"layers_3d.om", 1, "overlapped"},
                                         JamCase{"split_3d.om", 1, "overlapped"},
                                         JamCase{"leapfrog_3d.om", 1, "overlapped"},
                                         JamCase{"leapfrog_3d.om", 2, "split"},
                                         JamCase{"leapfrog_3d.om", 5, "split"}),
                         [](const auto& info) {
                           const std::string name = info.param.program;
                           return name.substr(0, name.find('.')) + "_" +
                                  std::to_string(info.param.steps) + "_" + info.param.form;
                         });

}  // namespace
}  // namespace paraiso
