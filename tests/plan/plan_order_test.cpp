// Plans of random programs: in an order in which all that a loop reads has been computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "paraiso/passes/passes.hpp"
#include "paraiso/passes/steps/fuse_steps.hpp"
#include "paraiso/passes/steps/join_steps.hpp"
#include "paraiso/plan/make/make_plan.hpp"
#include "tests/plan/plan_program.hpp"
#include "tests/support/cpu_plans.hpp"
#include "tests/support/random_machine.hpp"

namespace paraiso::plan {
namespace {

/// What a loop reads has been made: arrays by earlier groups or by this one at the cell itself,
/// buffers by earlier loops or, older lines, by this one; and it is wide enough, and a ring holds
/// enough lines.
class PlanCheck {
 public:
  explicit PlanCheck(const KernelPlan& kernel) : kernel_(kernel) {}

  void run() {
    for (const auto& step : kernel_.steps) {
      if (step.group >= 0) check(kernel_.groups[step.group]);
      if (step.fill >= 0) widen(kernel_.fills[step.fill]);
    }
  }

 private:
  struct Made {
    std::size_t stage;
    om::Offset lag;
  };

  /// The states between steps that lie in an array have cells around the core from now on.
  void widen(const Fill& fill) {
    for (const auto& [value, array] : kernel_.arrays)
      if (array == fill.array && kernel_.kernel->graph.producer_as<om::Load>(value) &&
          arrays_.contains(value))
        arrays_.at(value).include(fill.width);
  }

  void check(const Group& group) {
    made_here_.clear();
    for (std::size_t s = 0; s < group.stages.size(); ++s) {
      const Stage& stage = group.stages[s];
      for (const BufferWrite& keep : stage.buffer_writes)
        made_here_.insert({group.buffers[keep.buffer].value, {s, stage.lags[keep.root]}});
      for (const Output& output : stage.outputs)
        made_here_.insert({output.value, {s, stage.lags[output.root]}});
    }
    for (std::size_t s = 0; s < group.stages.size(); ++s)
      for (const Term& term : group.stages[s].expansion.terms) {
        if (term.kind == Term::Kind::read_buffer) check_buffer(group, s, term);
        if (term.kind == Term::Kind::read_array) check_array(group, s, term);
      }
    for (const Stage& stage : group.stages)
      if (group.form != Form::split) check_tile(group, stage);
    if (group.form == Form::split) check_split(group);
    for (const Stage& stage : group.stages)
      for (const Output& output : stage.outputs) arrays_.try_emplace(output.value, group.box);
  }

  /// Each thread writes into arrays, and reduces, what lies in its tile alone: so do its loops, but
  /// for rows before and after the tile in a sweep, of which nothing is written.
  static void check_tile(const Group& group, const Stage& stage) {
    if (stage.outputs.empty() && stage.reductions.empty()) return;
    for (int a = 0; a < static_cast<int>(stage.reach.lower.size()); ++a) {
      if (std::ranges::find(group.sweep, a) != group.sweep.end()) continue;
      EXPECT_EQ(stage.reach.lower[a], 0);
      EXPECT_EQ(stage.reach.upper[a], 0);
    }
  }

  /// An array still holds what is read, and loops lie apart as far as one reads of another, and as
  /// far as it reads of what a later one overwrites.
  void check_split(const Group& group) {
    std::map<ArrayRef, std::size_t> written;  // by which stage
    for (std::size_t s = 0; s < group.stages.size(); ++s) {
      for (const Term& term : group.stages[s].expansion.terms) {
        const auto array = kernel_.array_read(group, term);
        if (!array) continue;
        const auto made = made_here_.find(term.value);
        if (term.kind == Term::Kind::read_array && made != made_here_.end()) {
          ASSERT_TRUE(written.contains(*array));
          EXPECT_EQ(written.at(*array), made->second.stage);
          check_apart(group, made->second.stage, s, s, term);
        } else {
          EXPECT_FALSE(written.contains(*array));
        }
        for (std::size_t later = s; later < group.stages.size(); ++later)
          for (const Output& output : group.stages[later].outputs)
            if (output.array == *array) check_apart(group, s, later, s, term);
      }
      for (const Output& output : group.stages[s].outputs) written[output.array] = s;
    }
  }

  static void check_apart(const Group& group, std::size_t first, std::size_t second,
                          std::size_t reader, const Term& term) {
    const auto distance = [&](int axis) {
      return std::abs(term.offset[axis] + group.stages[reader].lags[0][axis]);
    };
    const Stage &before = group.stages[first], &after = group.stages[second];
    EXPECT_GE(after.slope - before.slope, distance(group.cut));
    for (int axis : group.sweep)
      EXPECT_GE(after.lags[0][axis] - before.lags[0][axis], distance(axis));
    EXPECT_TRUE(first != second || distance(0) == 0);
  }

  void check_buffer(const Group& group, std::size_t reader, const Term& term) {
    ASSERT_TRUE(made_here_.contains(term.value));
    const Made& made = made_here_.at(term.value);
    const auto buffer = std::ranges::find(group.buffers, term.value, &Buffer::value);
    ASSERT_NE(buffer, group.buffers.end());
    const Extent& loop = group.stages[reader].reach;
    std::vector<int> ages;  // along the sweep's axes, outermost first
    for (int axis : group.sweep) ages.push_back(-term.offset[axis] - made.lag[axis]);
    bool newest_so_far = true;
    for (std::size_t i = 0; i < ages.size(); ++i) {
      const int lines = buffer->lines[group.sweep[i]];
      EXPECT_TRUE(!newest_so_far || ages[i] >= 0) << ages[i];
      // the line whose place the newest takes is still there where the newest has not come by
      const auto within = std::find_if(ages.begin() + static_cast<int>(i) + 1, ages.end(),
                                       [](int age) { return age != 0; });
      const bool in_time = within == ages.end() ? made.stage == reader : *within < 0;
      EXPECT_TRUE(lines == 0 || ages[i] <= (in_time ? lines : lines - 1)) << ages[i];
      newest_so_far = newest_so_far && ages[i] == 0;
    }
    EXPECT_FALSE(made.stage == reader && newest_so_far);
    for (int a = 0; a < static_cast<int>(term.offset.size()); ++a)
      if (buffer->lines[a] == 0) {
        EXPECT_GE(buffer->reach.lower[a], loop.lower[a] - term.offset[a]);
        EXPECT_GE(buffer->reach.upper[a], loop.upper[a] + term.offset[a]);
      }
    EXPECT_LE(made.stage, reader);
  }

  void check_array(const Group& group, std::size_t reader, const Term& term) {
    if (made_here_.contains(term.value)) {
      EXPECT_LE(made_here_.at(term.value).stage, reader);
      return;
    }
    ASSERT_TRUE(arrays_.contains(term.value));
    Extent read(static_cast<int>(term.offset.size()));
    const Stage& loop = group.stages[reader];
    for (int a = 0; a < static_cast<int>(term.offset.size()); ++a) {
      if (!group.sweep.empty() && a > 0) continue;  // surplus rows may pass
      const int lower = std::min(group.box.lower[a] + loop.reach.lower[a], loop.limit.lower[a]);
      const int upper = std::min(group.box.upper[a] + loop.reach.upper[a], loop.limit.upper[a]);
      read.lower[a] = lower - term.offset[a];
      read.upper[a] = upper + term.offset[a];
      EXPECT_LE(read.lower[a], arrays_.at(term.value).lower[a]);
      EXPECT_LE(read.upper[a], arrays_.at(term.value).upper[a]);
    }
  }

  const KernelPlan& kernel_;
  std::map<om::ValueId, Extent> arrays_;
  std::map<om::ValueId, Made> made_here_;
};

TEST(Plan, RandomPlansAreOrderedAndWideEnough) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    auto m = passes::prepare(test::random_machine(rng), passes::Numbers::fma);
    auto plan = make_plan(m, random_schedule(m, rng));
    for (const auto& kernel : plan.kernels) PlanCheck(kernel).run();
  }
}

TEST(Plan, RandomPlansOfFusedStencilsAreOrderedAndWideEnough) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const test::RandomMachineOptions options{.operations = 12, .reach = 2, .stencils = true};
    auto m = passes::prepare(test::random_machine(rng, options), passes::Numbers::fma);
    m = passes::fuse_steps(m, static_cast<int>(rng.between(2, 4))).machine;
    if (rng.chance(0.7)) m = passes::join_steps(m);
    auto plan = make_plan(m, random_schedule(m, rng));
    for (const auto& kernel : plan.kernels) PlanCheck(kernel).run();
  }
}

TEST(Plan, QuotientsLeaveTheirReadersLoopForOneThatAlsoDivides) {
  const auto m = two_fluxes();
  const std::map<std::string, std::string> rolling = {{"proceed/flux_x.storage", "rolling"},
                                                      {"proceed/flux_y.storage", "rolling"}};
  const auto late = make_plan(m, with(rolling));
  ASSERT_EQ(only(late).groups[0].stages.size(), 2u);
  EXPECT_EQ(only(late).groups[0].stages[0].buffer_writes.size(), 1u);  // flux_x alone
  auto choices = rolling;
  choices["proceed/divides"] = "together";
  const auto together = make_plan(m, with(choices));
  ASSERT_EQ(only(together).groups[0].stages.size(), 2u);
  EXPECT_EQ(only(together).groups[0].stages[0].buffer_writes.size(), 2u);
  EXPECT_EQ(only(together).groups[0].stages[0].reach.lower[0], 1);  // as flux_x needs it
  for (const Buffer& buffer : only(together).groups[0].buffers) EXPECT_EQ(buffer.reach.lower[0], 1);
  PlanCheck(only(together)).run();
}

/// Then one line of the quotient is enough.
TEST(Plan, WhatIsMadeOfTwoLinesOfAQuotientFollowsIt) {
  const auto m = program(
      "%0 = load f\n%1 = shift %0 (-1, 0)\n%2 flux_x = div %0 %1\n%3 = shift %0 (0, -1)\n"
      "%4 flux_y = div %0 %3\n%5 = shift %2 (1, 0)\n%6 = sub %5 %2\n%7 = shift %4 (0, 1)\n"
      "%8 change = sub %7 %4\n%9 = add %6 %8\nstore f %9\n",
      2);
  std::map<std::string, std::string> choices = {{"proceed/divides", "together"},
                                                {"proceed/flux_x.storage", "rolling"},
                                                {"proceed/flux_y.storage", "rolling"}};
  const auto lines_of_fluxes = [&] {
    const auto plan = make_plan(m, with(choices));
    PlanCheck(only(plan)).run();
    std::vector<std::int64_t> lines;
    for (const Buffer& buffer : only(plan).groups[0].buffers)
      if (m.kernels[0].graph.producer_as<om::Arith>(buffer.value)->op == om::Op::div)
        lines.push_back(buffer.lines[1]);
    return lines;
  };
  EXPECT_EQ(lines_of_fluxes(), (std::vector<std::int64_t>{1, 2}));
  choices["proceed/change.storage"] = "rolling";
  EXPECT_EQ(lines_of_fluxes(), (std::vector<std::int64_t>{1, 1}));
  choices["proceed/divides"] = "late";
  EXPECT_EQ(lines_of_fluxes(), (std::vector<std::int64_t>{1, 1}));
}

}  // namespace
}  // namespace paraiso::plan
