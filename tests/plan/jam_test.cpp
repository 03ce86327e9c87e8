// Loops that make several rows at a time: what they share, where they may, what the model expects.
#include "paraiso/plan/cpu/jam.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/cost_model.hpp"
#include "paraiso/plan/make/make_plan.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "tests/support/cpu_plans.hpp"

namespace paraiso::plan {
namespace {

om::Machine cyclic_program(int dimension, const std::string& body) {
  std::string text = "paraiso 1\nmachine test dimension " + std::to_string(dimension) + "\n";
  for (const char* name : {"f", "g"}) {
    text += std::string("static ") + name + " local f64\n";
    for (int a = 0; a < dimension; ++a)
      text += "  boundary " + std::to_string(a) + " cyclic cyclic\n";
  }
  text += "static most global f64\nkernel proceed step\n" + body + "end\nend machine\n";
  return passes::prepare(om::parse(text), passes::Numbers::strict);
}

/// The difference of two rows along the last axis, times itself.
constexpr const char* kSlope =
    "%0 = load f\n%1 = shift %0 (0, 0, -1)\n%2 slope = sub %1 %0\n%3 = shift %2 (0, 0, 1)\n"
    "%4 = mul %2 %3\nstore g %4\n";

Plan plan_of(const om::Machine& machine, std::map<std::string, std::string> choices) {
  choices.try_emplace("proceed/jam", "4");
  return make_plan(machine, {choices});
}
int jam_of(const Plan& plan) { return plan.kernels[0].groups[0].cpu.jam; }

int count(const Stage& stage, Term::Kind kind) {
  return static_cast<int>(std::ranges::count(stage.expansion.terms, kind, &Term::kind));
}

TEST(Jam, RowsBesideEachOtherShareWhatTheyReadAndCompute) {
  const Plan plan = plan_of(cyclic_program(3, kSlope), {});
  const Group& group = plan.kernels[0].groups[0];
  ASSERT_EQ(group.cpu.jam, 4);
  EXPECT_EQ(jam_axis(group), 2);
  const Stage& row = group.stages[0];
  const om::Graph& graph = plan.kernels[0].kernel->graph;
  const Stage turn = jammed(graph, passes::value_ranges(graph), group, row);
  EXPECT_EQ(count(row, Term::Kind::read_static), 3);
  EXPECT_EQ(count(turn, Term::Kind::read_static), 6);
  EXPECT_EQ(count(row, Term::Kind::compute), 3);
  EXPECT_EQ(count(turn, Term::Kind::compute), 9);  // five slopes and four products
  ASSERT_EQ(turn.outputs.size(), 4u);
  for (int r = 0; r < 4; ++r) {
    EXPECT_EQ(turn.outputs[r].root, r);
    EXPECT_EQ(turn.behind(r), (om::Offset{0, 0, r}));
    const Term& root = turn.expansion.terms[turn.expansion.roots[r]];
    EXPECT_EQ(root.offset, (om::Offset{0, 0, r}));
  }
  ASSERT_TRUE(turn.cpu.vectors);
  EXPECT_EQ(turn.cpu.vectors->terms.size(), turn.expansion.terms.size());
  for (std::size_t t = 0; t < turn.expansion.terms.size(); ++t)
    for (int operand : turn.expansion.terms[t].operands) EXPECT_LT(operand, static_cast<int>(t));
}

TEST(Jam, ATurnMayRunBeyondTheGrid) {
  const auto margin = [](const char* rows) {
    return plan_of(cyclic_program(3, kSlope), {{"proceed/jam", rows}}).margin;
  };
  EXPECT_EQ(margin("4").upper[2], margin("1").upper[2] + 3);
  EXPECT_EQ(margin("4").upper[1], margin("1").upper[1]);
}

TEST(Jam, OnlyLoopsThatWriteArraysAloneTakeTurns) {
  const auto slope = cyclic_program(3, kSlope);
  for (const char* storage : {"scratch", "rolling"})
    EXPECT_EQ(jam_of(plan_of(slope, {{"proceed/slope.storage", storage}})), 1) << storage;
  EXPECT_EQ(jam_of(plan_of(slope, {{"proceed/slope.storage", "array"}})), 4);
  const auto most =
      cyclic_program(3, "%0 = load f\n%1 = reduce max %0\nstore most %1\nstore g %0\n");
  EXPECT_EQ(jam_of(plan_of(most, {})), 1);
  EXPECT_EQ(jam_of(plan_of(cyclic_program(2, "%0 = load f\n%1 = mod %0 %0\nstore g %1\n"), {})), 1);
  EXPECT_EQ(jam_of(plan_of(cyclic_program(1, "%0 = load f\n%1 = mul %0 %0\nstore g %1\n"), {})), 1);
}

TEST(Jam, BodiesStayShortEnoughForVectors) {
  std::string body = "%0 = load f\n";
  for (int i = 0; i < 300; ++i)
    body += "%" + std::to_string(i + 1) + " = add %" + std::to_string(i) + " %0\n";
  const auto machine = cyclic_program(2, body + "store g %300\n");
  EXPECT_EQ(jam_of(plan_of(machine, {})), 2);
}

/// A star of points up to `radius` cells away along each axis.
om::Machine star(int radius) {
  std::string body = "%0 = load f\n", sum = "%0";
  int next = 1;
  for (int distance = -radius; distance <= radius; ++distance)
    for (int axis = 0; axis < 3 && distance != 0; ++axis) {
      std::string offset;
      for (int a = 0; a < 3; ++a)
        offset += (a > 0 ? ", " : "(") + std::to_string(a == axis ? distance : 0);
      const std::string shifted = "%" + std::to_string(next++);
      body += shifted + " = shift %0 " + offset + ")\n";
      const std::string total = "%" + std::to_string(next++);
      body += total + " = add " + sum + " " + shifted + "\n";
      sum = total;
    }
  return cyclic_program(3, body + "store g " + sum + "\n");
}

TEST(Jam, FarStencilsComeLessFromTheCaches) {
  const auto machine = star(4);
  const auto l2 = [&](const char* rows) {
    const Plan plan = plan_of(machine, {{"proceed/jam", rows}, {"proceed/tile_y", "16"}});
    const Prediction prediction = predict(machine, plan.kernels[0], {{128, 128, 128}});
    return prediction.parts[static_cast<std::size_t>(Limit::l2)];
  };
  EXPECT_LT(l2("2"), 0.8 * l2("1"));
}

TEST(DefaultPlanner, TakesTurnsWhereMemoryGivesThemInTime) {
  const auto rows = [](const om::Machine& machine, double turns_from_memory) {
    Setting setting;
    setting.machine = cautious(documented_machine());
    setting.machine.constants.turns_from_memory = turns_from_memory;
    return default_schedule(machine, setting).choices.at("proceed/jam");
  };
  EXPECT_NE(rows(star(4), 1.12), "1");
  EXPECT_EQ(rows(star(1), 1.12), "1");
  EXPECT_NE(rows(star(3), 1), "1");
  EXPECT_EQ(rows(star(3), 1.3), "1");
}

/// In a cache several rows at a time are faster; from memory the choice for the usual grids stays.
TEST(DefaultPlanner, LeavesTheUsualChoiceOnlyForAMuchFasterOne) {
  const auto m = star(1);
  Setting usual_grids;
  usual_grids.machine = cautious(documented_machine());
  const Schedule usual = default_schedule(m, usual_grids);
  const auto gain = [&](std::int64_t n) {
    const Setting setting{{n, n, n}};
    const auto time = [&](const Schedule& schedule) {
      const Plan plan = make_plan(m, schedule);
      return predict(plan.machine, plan.kernels[0], setting).nanoseconds;
    };
    return time(usual) / time(default_schedule(m, setting));
  };
  EXPECT_GT(gain(48), 1.11);
  EXPECT_EQ(default_schedule(m, {{512, 512, 512}}), usual);
}

}  // namespace
}  // namespace paraiso::plan
