// Programs that went wrong under one kind of schedule: that schedule, with one thread and two,
// equals the interpreter bit for bit.
#include "paraiso/plan/make/repair.hpp"
#include "paraiso/verify/references.hpp"
#include "tests/differential/kept_bits.hpp"
#include "tests/support/cpu_plans.hpp"

namespace paraiso {
namespace {

struct KeptCase {
  const char* program;
  int steps;  // fused
  std::map<std::string, std::string> choices;
  std::vector<std::vector<std::int64_t>> sizes;
};

void PrintTo(const KeptCase& test, std::ostream* out) {
  *out << test.program << ", " << test.steps;
  for (const auto& [gene, allele] : test.choices) *out << ", " << gene << " = " << allele;
}

class KeptSchedule : public testing::TestWithParam<KeptCase> {};

TEST_P(KeptSchedule, KeepsTheBits) {
  const KeptCase& test = GetParam();
  auto kept = test::kept_program(test.program, test.steps);
  const plan::Schedule repaired = plan::repair(kept.machine, {test.choices});
  for (const auto& [gene, allele] : test.choices)
    ASSERT_EQ(repaired.choices.at(gene), allele) << gene << ": repaired";
  kept.options.sizes = test.sizes;
  for (const int turn : {0, 1})
    for (auto& size : verify::usual_sizes(kept.machine.dimension, turn))
      kept.options.sizes.push_back(size);
  for (const int threads : {1, 2}) test::expect_bits(kept, repaired, threads);
}

std::vector<KeptCase> cases() {
  return {
      {"stored_1d.om",
       2,
       {{"proceed_2/f.state", "scratch"},
        {"proceed_2/tile_x", "16"},
        {"proceed_2/u.storage", "array_alone"},
        {"proceed_2/v.storage", "array"},
        {"proceed_2/w.storage", "scratch"}},
       {{40}, {2048}}},
      {"stored_2d.om",
       2,
       {{"proceed_2/f.state", "rolling"},
        {"proceed_2/h.state", "rolling"},
        {"proceed_2/tile_y", "threads"}},
       {{20, 20}}},
      {"divides_1d.om",
       1,
       {{"proceed/A.storage", "array"},
        {"proceed/divides", "together"},
        {"proceed/tile_x", "16"},
        {"proceed/w.storage", "scratch"},
        {"proceed/y.storage", "scratch"},
        {"proceed/z1.storage", "scratch"},
        {"proceed/z2.storage", "scratch"}},
       {{40}, {300}}},
      {"quotients_3d.om",
       1,
       {{"proceed/change_y.storage", "rolling"},
        {"proceed/change_z.storage", "rolling"},
        {"proceed/divides", "together"},
        {"proceed/flux_x.storage", "rolling"},
        {"proceed/flux_y.storage", "rolling"},
        {"proceed/flux_z.storage", "rolling"},
        {"proceed/tile_y", "4"},
        {"proceed/tile_z", "threads"}},
       {{40, 9, 8}, {6, 11, 20}}},
      {"ends_2d.om", 1, {{"rows/tile_x", "all"}}, {{40, 7}, {200, 5}}},
      {"below_above_3d.om",
       2,
       {{"proceed_2/u.state", "rolling"}, {"proceed_2/sweep", "y"}},
       {{6, 5, 4}, {20, 9, 11}}},
      {"below_above_3d.om",
       2,
       {{"proceed_2/u.state", "rolling"},
        {"proceed_2/sweep", "y"},
        {"proceed_2/form", "split"},
        {"proceed_2/tile_z", "threads"}},
       {{6, 5, 4}, {20, 9, 30}}},
      {"above_3d.om",
       3,
       {{"proceed_3/b_step1.storage", "rolling"},
        {"proceed_3/b_step2.storage", "rolling"},
        {"proceed_3/v.state", "rolling"},
        {"proceed_3/form", "split"},
        {"proceed_3/tile_y", "4"}},
       {{9, 20, 17}, {3, 4, 23}}},
      {"above_3d.om",
       3,
       {{"proceed_3/b_step1.storage", "rolling"},
        {"proceed_3/b_step2.storage", "rolling"},
        {"proceed_3/v.state", "rolling"},
        {"proceed_3/form", "split"},
        {"proceed_3/sweep", "y"},
        {"proceed_3/tile_z", "4"}},
       {{9, 20, 17}, {3, 23, 4}}},
      {"below_above_4d.om",
       3,
       {{"proceed_3/u.state", "rolling"}, {"proceed_3/sweep", "y"}},
       {{6, 5, 4, 5}, {9, 8, 7, 9}}},
      {"below_above_4d.om",
       3,
       {{"proceed_3/u.state", "rolling"}, {"proceed_3/sweep", "z"}},
       {{6, 5, 4, 5}, {9, 8, 7, 9}}},
      {"below_above_4d.om",
       2,
       {{"proceed_2/u.state", "rolling"}, {"proceed_2/sweep", "y"}, {"proceed_2/form", "split"}},
       {{6, 5, 4, 5}, {9, 12, 13, 9}}},
  };
}

INSTANTIATE_TEST_SUITE_P(Programs, KeptSchedule, testing::ValuesIn(cases()), [](const auto& info) {
  const std::string name = info.param.program;
  return name.substr(0, name.find('.')) + "_" + std::to_string(info.index);
});

}  // namespace
}  // namespace paraiso
