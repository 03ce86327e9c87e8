// Split tiles: generated code equals the interpreter bit for bit where every value that may be kept
// is, for grids smaller and larger than the tiles.
#include <algorithm>

#include "paraiso/plan/make/repair.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/verify/references.hpp"
#include "tests/differential/kept_bits.hpp"
#include "tests/support/cpu_plans.hpp"

namespace paraiso {
namespace {

/// Values are kept but for those in `arrays`; tiles are as short as can be.
plan::Schedule split(const om::Machine& program, const std::set<std::string>& arrays) {
  plan::Schedule schedule;
  for (const auto& gene : plan::genes(program)) {
    const auto choose = [&](const std::string& allele) {
      if (std::ranges::find(gene.alleles, allele) != gene.alleles.end())
        schedule.choices[gene.name] = allele;
    };
    choose("rolling");
    choose("4");
    if (gene.name.ends_with("/vectors")) choose("1");
    if (gene.name.ends_with("/form")) choose("split");
    if (arrays.contains(gene.name)) choose("array");
  }
  return schedule;
}

struct SplitCase {
  const char* program;
  int steps;  // fused
  std::set<std::string> arrays = {};
};

void PrintTo(const SplitCase& test, std::ostream* out) {
  *out << test.program << ", " << test.steps;
}

class Split : public testing::TestWithParam<SplitCase> {};

TEST_P(Split, KeepsTheBits) {
  const SplitCase& test = GetParam();
  auto kept = test::kept_program(test.program, test.steps);
  const om::Machine& program = kept.machine;
  const auto schedule = split(program, test.arrays);
  ASSERT_EQ(plan::repair(program, schedule).choices.at(program.kernels.back().name + "/form"),
            "split");
  for (const int threads : {1, 2}) {
    kept.options.sizes = verify::usual_sizes(program.dimension, threads);
    kept.options.sizes.push_back(program.dimension == 2 ? std::vector<std::int64_t>{21, 83}
                                                        : std::vector<std::int64_t>{9, 47, 13});
    test::expect_bits(kept, schedule, threads);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Programs, Split,
    testing::Values(
        SplitCase{"split_2d.om", 1}, SplitCase{"split_2d.om", 2}, SplitCase{"split_2d.om", 5},
        SplitCase{"split_3d.om", 2}, SplitCase{"split_3d.om", 3}, SplitCase{"edges_2d.om", 2},
        SplitCase{"edges_2d.om", 4}, SplitCase{"corners_3d.om", 3}, SplitCase{"leapfrog_2d.om", 3},
        SplitCase{"outside_2d.om", 2, {"proceed_2/near.storage", "proceed_2/near_step1.storage"}},
        SplitCase{"split_twice.om", 1, {"proceed/sum.storage"}}),
    [](const auto& info) {
      const std::string name = info.param.program;
      return name.substr(0, name.find('.')) + "_" + std::to_string(info.param.steps);
    });

}  // namespace
}  // namespace paraiso
