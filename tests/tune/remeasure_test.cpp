#include "paraiso/tune/contest/remeasure.hpp"

#include <gtest/gtest.h>

#include "tests/runtime/support.hpp"

namespace paraiso::tune {
namespace {

using plan::Genome;
using test::error_text;

/// Each genome's speed on a quiet machine, by its first allele, and how fast the machine is each
/// time that something is measured.
struct Machine {
  std::vector<double> speeds, times;
  std::vector<std::uint16_t> asked = {};

  std::vector<Measurement> run(const std::vector<Genome>& genomes,
                               std::optional<double> start_score = {}, int rounds = 5) {
    const auto time = [&](const Genome& genome) {
      const double now = asked.size() < times.size() ? times[asked.size()] : 1;
      asked.push_back(genome[0]);
      const double speed = now * speeds[genome[0]];
      return speed > 0 ? measured({speed - 1, speed + 1}) : failed("it moved away");
    };
    return measure_beside(time, {0}, genomes, start_score, rounds);
  }
};

TEST(Remeasure, TellsTheRatioToTheStart) {
  Machine machine{{100, 120, 80}, {}};
  const auto again = machine.run({{1}, {2}}, 50);
  ASSERT_EQ(again.size(), 2u);
  EXPECT_DOUBLE_EQ(again[0].score, 60);
  EXPECT_DOUBLE_EQ(again[1].score, 40);
  EXPECT_EQ(again[0].samples, std::vector<double>(5, 60));
  EXPECT_DOUBLE_EQ(machine.run({{1}})[0].score, 120) << "by the start's own mean";
}

TEST(Remeasure, TakesTurns) {
  Machine machine{{100, 120, 80}, {}};
  static_cast<void>(machine.run({{1}, {2}}, {}, 3));
  EXPECT_EQ(machine.asked, (std::vector<std::uint16_t>{0, 1, 2, 2, 1, 0, 0, 1, 2}));
}

/// Whole rounds on a slow machine change nothing, and one timing that is off by itself neither.
TEST(Remeasure, DoesNotMindASlowMachine) {
  Machine machine{{100, 120}, {1, 1, 0.5, 0.5, 0.4, 0.8, 1, 1, 0.9, 0.9}};
  const auto again = machine.run({{1}}, 100);
  EXPECT_DOUBLE_EQ(again[0].score, 120);
  EXPECT_GT(again[0].deviation, 10) << "of the ratios";
}

TEST(Remeasure, OneThatFailsIsAlone) {
  Machine machine{{100, 0, 80}, {}};
  const auto again = machine.run({{1}, {2}}, 100);
  EXPECT_EQ(again[0].reason, "it moved away");
  EXPECT_EQ(again[0].score, 0);
  EXPECT_DOUBLE_EQ(again[1].score, 80);
}

TEST(Remeasure, NeedsTheStart) {
  Machine machine{{0, 120}, {}};
  EXPECT_EQ(error_text([&] { static_cast<void>(machine.run({{1}})); }),
            "error: the default schedule failed in the contest: it moved away");
}

}  // namespace
}  // namespace paraiso::tune
